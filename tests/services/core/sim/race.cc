#include "tests/services/core/sim/race.h"

#include <astragal/ruleset.hpp>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <utility>

namespace astragal::tests {
namespace {

namespace sdk = astragal::sdk;

constexpr const char* kTroubles[] = {"none", "parse", "endless", "mute"};
enum Trouble { kNone, kParse, kEndless, kMute };
constexpr astragal_option kOptions[] = {
    sdk::Integer("seats", "How many run.", 2, 4, 2, ASTRAGAL_OPTION_SEATS),
    sdk::Integer("length", "Steps to the end.", 1, 200, 12),
    sdk::Choice("trouble", "How the rules misbehave.", kTroubles),
};
constexpr astragal_setting kLong[] = {sdk::Setting(1, 60)};
constexpr astragal_preset kPresets[] = {sdk::Standard("Twelve steps."),
                                        sdk::Preset("long", "Sixty steps.", kLong)};
constexpr uint32_t kWeights[] = {1, 2, 1};
constexpr const char* kLabels[] = {"one", "two", "three"};
constexpr astragal_throw_kind kThrows[] = {
    sdk::ThrowKind("die", "A die of three faces.", kWeights, kLabels)};
constexpr const char* kSeats[] = {"red", "blue", "green", "white"};
constexpr const char* kPieces[] = {"runner"};

template <bool kLeaves>
struct Track {
  uint8_t at[4];
  uint8_t gone;  // bit mask of seats
  uint8_t seats;
  uint8_t length;
  uint8_t mover;
  uint8_t die;    // 0: to be thrown
  uint8_t taken;  // actions of this turn
  uint8_t trouble;
  uint8_t winner;  // seat + 1

  static astragal_about About() {
    astragal_about about{};
    about.rules_version = 1;
    about.id = kLeaves ? "relay" : "race";
    about.name = kLeaves ? "Relay" : "Race";
    about.summary = "Runners on a track.";
    about.notation = "'walk 2' or 'rest'.";
    about.min_seats = 2;
    about.max_seats = 4;
    about.seat_names = kSeats;
    sdk::SetList(about.options, about.option_count, kOptions);
    sdk::SetList(about.presets, about.preset_count, kPresets);
    sdk::SetList(about.throw_kinds, about.throw_kind_count, kThrows);
    sdk::SetList(about.piece_kinds, about.piece_kind_count, kPieces);
    about.max_actions = 4;
    about.max_effects = 4;
    about.max_places = 201;
    about.max_pieces = 4;
    about.max_game_actions = 100000;
    about.first_player_option = -1;
    if (!kLeaves) about.flags = ASTRAGAL_RULESET_HAS_DRAWS;
    return about;
  }

  bool Start(std::span<const int64_t> options, sdk::Error& error) {
    seats = static_cast<uint8_t>(options[0]);
    length = static_cast<uint8_t>(options[1]);
    trouble = static_cast<uint8_t>(options[2]);
    if (seats == 4 && length == 1) return error.Refuse("length", "Four cannot run one step.");
    return true;
  }
  bool Check(sdk::Error& error) const {
    const bool good = seats >= 2 && seats <= 4 && length >= 1 && length <= 200 && mover < seats &&
                      die <= 3 && taken <= 1 && trouble <= 3 && winner <= seats && gone < 16;
    return good || error.Refuse("", "These bytes are no position.");
  }
  uint32_t Seats() const { return seats; }
  bool IsGone(int seat) const { return (gone >> seat & 1) != 0; }
  int32_t Actor() const {
    if (winner != 0) return ASTRAGAL_OVER;
    return die == 0 ? ASTRAGAL_CHANCE : mover;
  }
  void Options(std::span<int64_t> out) const {
    out[0] = seats;
    out[1] = length;
    out[2] = trouble;
  }
  void Actions(sdk::Sink<int64_t>& out) const {
    if (Actor() < 0) return;
    if (taken == 1) out.Add(kRest);
    for (int64_t steps = 1; steps <= die; ++steps) out.Add(steps);
  }
  int32_t Chances() const { return Actor() == ASTRAGAL_CHANCE ? 0 : -1; }

  void PassOn() {
    die = 0;
    taken = 0;
    do {
      mover = static_cast<uint8_t>((mover + 1) % seats);
    } while (IsGone(mover));
  }
  bool Apply(int32_t actor, int64_t action, sdk::Error& error) {
    if (actor == ASTRAGAL_CHANCE) {
      if (trouble == kEndless) return true;  // throws and throws
      die = static_cast<uint8_t>(ASTRAGAL_CHANCE_OUTCOME(action) + 1);
      return true;
    }
    if (action > die) return error.Refuse("", "That is further than the die says.");
    if (action == kRest && taken == 0) return error.Refuse("", "Rest comes second.");
    const int64_t to = at[mover] + action;
    at[mover] = static_cast<uint8_t>(to > length ? length : to);
    if (at[mover] == length) {
      winner = static_cast<uint8_t>(mover + 1);
    } else if (++taken == 2) {
      PassOn();
    }
    if (winner != 0) die = taken = 0;
    return true;
  }
  bool Leave(int32_t seat, sdk::Error& error) requires kLeaves {
    if (winner != 0 || IsGone(seat)) return error.Refuse("seat", "This seat is out.");
    gone = static_cast<uint8_t>(gone | 1u << seat);
    int left = 0;
    int last = 0;
    for (int other = 0; other < seats; ++other) {
      if (IsGone(other)) continue;
      ++left;
      last = other;
    }
    if (left == 1) {
      winner = static_cast<uint8_t>(last + 1);
      die = taken = 0;
    } else if (seat == mover) {
      PassOn();
    }
    return true;
  }
  void Result(std::span<astragal_seat_result> out) const {
    if (winner == 0) return;
    for (int seat = 0; seat < seats; ++seat) {
      const bool won = seat + 1 == winner;
      out[static_cast<size_t>(seat)].place = won ? 1 : 2;
      out[static_cast<size_t>(seat)].points = won ? 2 : 0;
    }
  }
  bool Concession(int32_t seat, astragal_concession& out) const {
    out.fewest = 1;
    out.most = 2;
    return winner == 0 && !IsGone(seat);
  }
  void Format(int32_t, int64_t action, sdk::TextSink& out) const {
    if (trouble == kMute) return;
    if (action == kRest) out.Put("rest");
    if (action >= 1 && action <= 3) out.Put("walk ").Put(static_cast<int>(action));
  }
  bool Parse(int32_t, std::string_view text, int64_t& action, sdk::Error& error) const {
    if (trouble == kParse) return error.Fault("on purpose");
    constexpr const char* kWords[] = {"rest", "walk 1", "walk 2", "walk 3"};
    action = sdk::IndexOf(kWords, text);
    return action >= 0 || error.Refuse("action", "Type 'walk 1' or 'rest'.");
  }
  void FormatPosition(sdk::TextSink& out) const {
    const auto* bytes = reinterpret_cast<const uint8_t*>(this);
    for (size_t i = 0; i < sizeof(*this); ++i) out.Put(bytes[i]).Put(' ');
  }
  bool ParsePosition(std::string_view text, sdk::Error& error) {
    sdk::Reader reader(text);
    auto* bytes = reinterpret_cast<uint8_t*>(this);
    for (size_t i = 0; i < sizeof(*this); ++i) {
      reader.SkipSpaces();
      if (!reader.TakeSmall(0, 255, bytes[i])) return error.Refuse("", "A number is missing.");
    }
    reader.SkipSpaces();
    return reader.AtEnd() || error.Refuse("", "There is more than a position here.");
  }
  void Effects(int32_t actor, int64_t action, sdk::Sink<astragal_effect>& out) const {
    if (actor == ASTRAGAL_CHANCE) {
      out.Add({0, ASTRAGAL_EFFECT_THROW, mover, -1, -1, -1, ASTRAGAL_CHANCE_OUTCOME(action) + 1});
      return;
    }
    const int64_t to = at[mover] + action > length ? length : at[mover] + action;
    out.Add({0, ASTRAGAL_EFFECT_MOVE, mover, 0, at[mover], static_cast<int32_t>(to), 0});
  }
  void Places(sdk::Sink<astragal_place>& out) const {
    for (int step = 0; step <= length; ++step) {
      out.Add({0, step, step * 1000, 0, 1000, 1000, ASTRAGAL_SHAPE_CIRCLE, 0, -1, 0, {}});
    }
  }
  void Pieces(sdk::Sink<astragal_piece>& out) const {
    for (int seat = 0; seat < seats; ++seat) out.Add({0, at[seat], seat, 0, 1, 0});
  }
  void Text(sdk::TextSink& out) const {
    for (int seat = 0; seat < seats; ++seat) {
      out.Put(kSeats[seat][0]).Put(' ').Repeat('.', at[seat]).Put("o\n");
    }
  }
};

// Hides what it does otherwise.
template <Oddness kOdd>
struct OddTrack : Track<false> {
  using Race = Track<false>;

  bool Start(std::span<const int64_t> options, sdk::Error& error) {
    if (!Race::Start(options, error)) return false;
    if (kOdd == Oddness::kBytes) gone = 8;  // of a fourth seat, which nobody asks for among two
    return true;
  }
  int32_t Actor() const {
    const int32_t actor = Race::Actor();
    return kOdd == Oddness::kActor && actor >= 0 && at[0] + at[1] >= 3 ? 1 - actor : actor;
  }
  void Actions(sdk::Sink<int64_t>& out) const {
    if (Race::Actor() < 0) return;
    if (taken == 1 && kOdd != Oddness::kLegal) out.Add(kRest);
    for (int64_t steps = 1; steps <= die; ++steps) out.Add(steps);
  }
  bool Apply(int32_t actor, int64_t action, sdk::Error& error) {
    if (kOdd == Oddness::kApply && actor >= 0 && at[mover] + action == 6) {
      return error.Refuse("", "Five are enough.");
    }
    return Race::Apply(actor, action, error);
  }
  void Result(std::span<astragal_seat_result> out) const {
    Race::Result(out);
    if (kOdd == Oddness::kResult && winner != 0) out[winner - 1u].points = 3;
  }
  void Text(sdk::TextSink& out) const {
    Race::Text(out);
    if (kOdd == Oddness::kText && at[0] >= 2) out.Put("r is tired\n");
  }
};

template <typename Rules>
std::shared_ptr<const host::Ruleset> MakeOf(const std::string& build) {
  auto ruleset = host::Ruleset::Create(sdk::Adapter<Rules>::Table(), {build, ""});
  if (!ruleset.ok()) {
    std::fprintf(stderr, "%s\n", ruleset.status().ToString().c_str());
    std::abort();
  }
  return *std::move(ruleset);
}

}  // namespace

std::shared_ptr<const host::Ruleset> MakeRace(const std::string& build) {
  return MakeOf<Track<false>>(build);
}
std::shared_ptr<const host::Ruleset> MakeRelay(const std::string& build) {
  return MakeOf<Track<true>>(build);
}

std::shared_ptr<const host::Ruleset> MakeOddRace(Oddness oddness) {
  const std::string build(64, 'd');
  switch (oddness) {
    case Oddness::kBytes:
      return MakeOf<OddTrack<Oddness::kBytes>>(build);
    case Oddness::kActor:
      return MakeOf<OddTrack<Oddness::kActor>>(build);
    case Oddness::kLegal:
      return MakeOf<OddTrack<Oddness::kLegal>>(build);
    case Oddness::kResult:
      return MakeOf<OddTrack<Oddness::kResult>>(build);
    case Oddness::kText:
      return MakeOf<OddTrack<Oddness::kText>>(build);
    case Oddness::kApply:
      return MakeOf<OddTrack<Oddness::kApply>>(build);
  }
  std::abort();
}

std::unique_ptr<host::Catalog> MakeCatalog() {
  auto catalog = std::make_unique<host::Catalog>(host::CatalogOptions{});
  catalog->Add(MakeRace());
  catalog->Add(MakeRelay());
  return catalog;
}

}  // namespace astragal::tests
