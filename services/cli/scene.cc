#include "services/cli/scene.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace astragal::cli {
namespace {

constexpr std::array<std::pair<std::string_view, uint32_t>, 7> kMarks = {{
    {"start", host::kMarkStart},
    {"safe", host::kMarkSafe},
    {"penalty", host::kMarkPenalty},
    {"extra", host::kMarkExtra},
    {"centre", host::kMarkCentre},
    {"home", host::kMarkHome},
    {"dark", host::kMarkDark},
}};

host::Place PlaceOf(const v1::Place& place) {
  host::Place out;
  out.id = place.id();
  out.x = place.x();
  out.y = place.y();
  out.width = place.width();
  out.height = place.height();
  out.shape = static_cast<host::Shape>(place.shape());
  for (const std::string& mark : place.marks()) {
    for (const auto& [name, bit] : kMarks) {
      if (mark == name) out.marks |= bit;
    }
  }
  out.seat = place.seat();
  out.label = place.label();
  return out;
}

std::string CaptionOf(const v1::Game& game, const v1::Position& position) {
  if (position.actor() == host::kOver) {
    std::vector<std::string> names;
    std::vector<int> places;
    for (const v1::Seat& seat : game.seats()) {
      names.push_back(seat.name());
      places.push_back(seat.place());
    }
    return algorithms::CaptionOfEnd(names, places);
  }
  if (position.actor() < 0 || position.actor() >= game.seats_size()) return "a throw is next";
  const v1::Seat& seat = game.seats(position.actor());
  const std::string who = seat.player_name().empty() ? "" : " (" + seat.player_name() + ")";
  return seat.name() + who + " to play";
}

}  // namespace

algorithms::Scene SceneOf(const v1::Ruleset& ruleset, const v1::Game& game,
                          const v1::GetGeometryResponse& geometry, const v1::Position& position) {
  algorithms::Scene scene;
  scene.title = ruleset.name();
  scene.caption = CaptionOf(game, position);
  scene.actor = position.actor();
  for (const v1::Seat& seat : game.seats()) scene.seat_names.push_back(seat.name());
  for (const v1::Place& place : geometry.places()) scene.places.push_back(PlaceOf(place));
  for (const v1::PieceGroup& piece : position.pieces()) {
    scene.pieces.push_back({piece.place(), piece.seat(), piece.kind(), piece.count()});
  }
  for (const v1::Throw& thrown : position.throws()) {
    scene.throws.push_back({thrown.seat(), thrown.value(), thrown.used()});
  }
  for (const v1::Counter& counter : position.counters()) {
    scene.counters.push_back({counter.seat(), counter.value(), counter.name()});
  }
  return scene;
}

}  // namespace astragal::cli
