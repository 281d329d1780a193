#include "services/core/table_help.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "services/core/replay.h"

namespace astragal::core {
namespace {

// The position after an action; nullopt: the ruleset refuses it.
std::optional<host::Position> After(const host::Ruleset& ruleset, const host::Position& before,
                                    int seat, int64_t action) {
  host::Position after = before;
  if (!ruleset.Apply(after, seat, action).ok()) return std::nullopt;
  return after;
}

}  // namespace

double HelpGiven::Surprise() const {
  return variance > 0 ? (static_cast<double>(helped) - expected) / std::sqrt(variance) : 0;
}

HelpGiven& HelpTally::Of(PlayerId player) {
  const auto found = std::ranges::find(sum_.others, player, &HelpGiven::player);
  if (found != sum_.others.end()) return *found;
  sum_.others.emplace_back().player = player;
  return sum_.others.back();
}

void HelpTally::BeginMatch(absl::Span<const PlayerId> players) {
  ++sum_.matches;
  for (const PlayerId& player : players) {
    if (player != player_) ++Of(player).matches;
  }
}

absl::Status HelpTally::Add(const World& world, GameId game) {
  absl::StatusOr<Replay> replay = Replay::Open(world, game);
  if (absl::IsUnavailable(replay.status())) return replay.status();
  if (!replay.ok()) {
    sum_.cut_short = true;
    return absl::OkStatus();
  }
  ++sum_.games;
  while (true) {
    const host::Position before = replay->state().position;
    const absl::StatusOr<std::optional<EventView>> event = replay->Next();
    if (absl::IsUnavailable(event.status())) return event.status();
    if (!event.ok()) sum_.cut_short = true;
    if (!event.ok() || !*event) return absl::OkStatus();
    const EventRecord& record = (*event)->record;
    const GameState& state = replay->state();
    if (record.kind != EventKind::kAction || state.SeatOf(player_) != record.seat) continue;
    if (!Add(*state.ruleset, before, state.seats, record.seat, record.number)) {
      return absl::OkStatus();
    }
  }
}

bool HelpTally::Add(const host::Ruleset& ruleset, const host::Position& before,
                    absl::Span<const SeatRecord> seats, int seat, int64_t action) {
  const absl::StatusOr<std::vector<int64_t>> actions = ruleset.Actions(before);
  if (!actions.ok() || actions->size() < 2) return true;
  left_ -= static_cast<int64_t>(actions->size());
  if (left_ < 0) {
    sum_.cut_short = true;
    return false;
  }
  std::optional<host::Position> best;
  int best_chance = 0;
  for (const int64_t other : *actions) {
    std::optional<host::Position> after = After(ruleset, before, seat, other);
    if (!after) continue;
    const std::optional<int> chance = ruleset.Evaluate(*after, seat);
    if (!chance) return false;
    if (best && *chance <= best_chance) continue;
    best = std::move(after);
    best_chance = *chance;
  }
  const std::optional<host::Position> chosen = After(ruleset, before, seat, action);
  if (!best || !chosen) return true;
  ++sum_.choices;
  const int cost = best_chance - ruleset.Evaluate(*chosen, seat).value_or(best_chance);
  if (cost < kCostly) return true;
  ++sum_.costly;
  std::vector<int> gains;
  for (const SeatRecord& of : seats) {
    gains.push_back(of.seat == seat ? 0
                                    : ruleset.Evaluate(*chosen, of.seat).value_or(0) -
                                          ruleset.Evaluate(*best, of.seat).value_or(0));
  }
  Help(seats, seat, gains, cost);
  return true;
}

// Only where one is helped more than all the rest, so that somebody is.
void HelpTally::Help(absl::Span<const SeatRecord> seats, int seat, absl::Span<const int> gains,
                     int cost) {
  const int most = *std::ranges::max_element(gains);
  if (most <= 0 || seats.size() < 3 || std::ranges::count(gains, most) > 1) return;
  const double chance = 1.0 / static_cast<double>(seats.size() - 1);
  for (size_t i = 0; i < seats.size(); ++i) {
    if (seats[i].seat == seat) continue;
    HelpGiven& other = Of(seats[i].player);
    ++other.costly;
    other.expected += chance;
    other.variance += chance * (1 - chance);
    if (gains[i] < most) continue;
    ++other.helped;
    other.cost += cost;
    other.gain += most;
  }
}

TableHelp HelpTally::Sum() const {
  TableHelp sum = sum_;
  std::ranges::sort(sum.others, std::less(), [](const HelpGiven& other) {
    return std::pair(-other.Surprise(), other.player);
  });
  return sum;
}

}  // namespace astragal::core
