// CompareRules: one log on two builds.
#include <string>
#include <utility>
#include <vector>

#include "services/base/status.h"
#include "services/core/verification.h"

namespace astragal::core {
namespace {

constexpr size_t kPage = 1'024;

std::string NotationOf(const host::Ruleset& ruleset, const host::Position& position, int actor,
                       int64_t number) {
  const absl::StatusOr<std::string> text = ruleset.Format(position, actor, number);
  return text.ok() ? *text : "?";
}

std::string ActionsOf(const host::Ruleset& ruleset, const host::Position& position) {
  const absl::StatusOr<std::vector<int64_t>> actions = ruleset.Actions(position);
  if (!actions.ok()) return "?";
  std::string out;
  for (const int64_t action : *actions) {
    out +=
        (out.empty() ? "" : " ") + NotationOf(ruleset, position, ruleset.Actor(position), action);
  }
  return out;
}

std::string ResultsOf(const host::Ruleset& ruleset, const host::Position& position) {
  const absl::StatusOr<std::vector<host::SeatResult>> results = ruleset.Result(position);
  if (!results.ok()) return "";
  std::string out;
  for (const host::SeatResult& seat : *results) {
    out +=
        (out.empty() ? "" : " ") + std::to_string(seat.place) + ":" + std::to_string(seat.points);
  }
  return out;
}

std::string BoardOf(const host::Ruleset& ruleset, const host::Position& position) {
  const absl::StatusOr<std::string> text = ruleset.Text(position);
  return text.ok() ? *text : "?";
}

// What of the two positions a player would see differ; nothing is filled in when all is the same.
void Compare(const GameState& one, const GameState& other, Comparison& out) {
  const struct {
    const char* what;
    std::string (*of)(const host::Ruleset&, const host::Position&);
  } views[] = {
      {"actor",
       [](const host::Ruleset& ruleset, const host::Position& position) {
         return std::to_string(ruleset.Actor(position));
       }},
      {"legal actions", ActionsOf},
      {"result", ResultsOf},
      {"text", BoardOf},
  };
  for (const auto& [what, of] : views) {
    std::string left = of(*one.ruleset, one.position);
    std::string right = of(*other.ruleset, other.position);
    if (left == right) continue;
    out.what = what;
    out.one = std::move(left);
    out.other = std::move(right);
    return;
  }
}

}  // namespace

absl::StatusOr<Comparison> CompareRules(const World& world, GameId game,
                                        const std::shared_ptr<const host::Ruleset>& own,
                                        const std::shared_ptr<const host::Ruleset>& other) {
  const absl::StatusOr<storage::StoredGame> stored = world.store.Load(game);
  if (!stored.ok()) return stored.status();
  Comparison out;
  absl::StatusOr<GameState> left = StartState(stored->facts, own);
  if (!left.ok()) return left.status();
  absl::StatusOr<GameState> right = StartState(stored->facts, other);
  if (!right.ok()) {
    out.what = "refused";
    out.other = std::string(right.status().message());
    return out;
  }
  while (true) {
    const auto page = world.store.Events(game, left->sequence, kPage);
    if (!page.ok()) return page.status();
    for (const EventRecord& event : *page) {
      out.sequence = event.sequence;
      const bool played = event.kind == EventKind::kThrow || event.kind == EventKind::kAction;
      const int actor = event.kind == EventKind::kThrow ? host::kChance : event.seat;
      std::string one = played ? NotationOf(*own, left->position, actor, event.number) : "";
      std::string two = played ? NotationOf(*other, right->position, actor, event.number) : "";
      if (one != two) {
        out.what = "notation";
        out.one = std::move(one);
        out.other = std::move(two);
        return out;
      }
      if (absl::Status advanced = Advance(*left, event); !advanced.ok()) return advanced;
      // Its hashes are its own: only what is played is followed.
      EventRecord same = event;
      if (const absl::Status appended = Append(*right, same); !appended.ok()) {
        out.what = "refused";
        out.one = one;
        out.other = std::string(appended.message());
        return out;
      }
      Compare(*left, *right, out);
      if (!out.what.empty()) return out;
      ++out.events;
    }
    if (page->size() < kPage) break;
  }
  out.sequence = 0;
  return out;
}

}  // namespace astragal::core
