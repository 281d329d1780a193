#include "services/core/next_game.h"

#include <algorithm>
#include <string>
#include <utility>

#include "services/base/bytes.h"
#include "services/base/derived_request.h"
#include "services/core/proceedings.h"
#include "services/core/replay.h"

namespace astragal::core {
namespace {

using base::MatchId;
using storage::GameSummary;
using storage::MatchRecord;
using RulesetPtr = std::shared_ptr<const host::Ruleset>;

// What the request of a game is derived from.
std::string NameOf(MatchId match, uint16_t number) {
  base::ByteWriter name;
  name.Put(std::string_view("astragal-match-game-1")).Put(match.bytes()).Put(number);
  return name.Take();
}

// The first seat that was to act; 0 when none ever was.
absl::StatusOr<size_t> Beginner(const World& world, GameId game) {
  absl::StatusOr<Replay> replay = Replay::Open(world, game);
  if (!replay.ok()) return replay.status();
  while (true) {
    const absl::StatusOr<std::optional<EventView>> event = replay->Next();
    if (!event.ok()) return event.status();
    if (!*event) return 0;
    if (replay->state().Actor() >= 0) return static_cast<size_t>(replay->state().Actor());
  }
}

// The index of the player who held this seat.
int PlayerAt(const MatchRecord& match, const GameSummary& game, size_t seat) {
  if (seat >= game.seats.size()) return 0;
  const auto found = std::ranges::find(match.players, game.seats[seat].player);
  return found == match.players.end() ? 0 : static_cast<int>(found - match.players.begin());
}

// Who begins the next game; nullopt: whoever the rules say.
absl::StatusOr<std::optional<int>> StarterOf(const World& world, const MatchState& match) {
  const GameSummary* const last = LastCounted(match);
  if (last == nullptr) return std::nullopt;
  const MatchRecord& record = match.match.record;
  const algorithms::MatchRules rules = RulesOf(record);
  const algorithms::PlayedGame played = PlayedOf(record, *last);
  std::optional<int> began;
  if (NeedsBeginner(rules.starter, played)) {
    const absl::StatusOr<size_t> seat = Beginner(world, last->id);
    if (!seat.ok()) return seat.status();
    began = PlayerAt(record, *last, *seat);
  }
  return StarterAfter(rules, played, began);
}

std::vector<std::pair<std::string, std::string>> TextsOf(const host::Ruleset& ruleset,
                                                         const std::vector<int64_t>& options) {
  std::vector<std::pair<std::string, std::string>> texts;
  const std::vector<host::Option>& known = ruleset.about().options;
  for (size_t i = 0; i < known.size() && i < options.size(); ++i) {
    texts.emplace_back(known[i].name, ruleset.OptionText(i, options[i]));
  }
  return texts;
}

// Seats the players so that `starter` has the seat that begins, seat `first` of the first game.
void Rotate(const MatchRecord& match, size_t first, size_t starter,
            std::vector<base::PlayerId>& players) {
  const size_t count = match.players.size();
  const size_t shift = (starter + count - first % count) % count;
  for (size_t seat = 0; seat < count; ++seat) {
    players[seat] = match.players[(seat + shift) % count];
  }
}

// What each player had left when the last game ended, by seat of the next one. Whoever had nothing
// left, and lost that game only, has one increment: without it he would lose all others unplayed.
absl::StatusOr<std::vector<int64_t>> ReservesFor(const World& world, const host::Ruleset& ruleset,
                                                 const GameSummary& last,
                                                 const std::vector<base::PlayerId>& players,
                                                 int64_t increment_ms) {
  const absl::StatusOr<storage::StoredGame> stored = world.store.Load(last.id);
  if (!stored.ok()) return stored.status();
  const absl::StatusOr<Proceedings> end = DecodeProceedings(ruleset, stored->head.proceedings);
  if (!end.ok()) return end.status();
  std::vector<int64_t> reserves_ms;
  for (const base::PlayerId& player : players) {
    const size_t seat = SeatIn(last, player);
    if (seat >= end->clock.reserve_us.size()) return std::vector<int64_t>{};
    reserves_ms.push_back(std::max(end->clock.reserve_us[seat] / 1'000, increment_ms));
  }
  return reserves_ms;
}

}  // namespace

RequestId MatchGameRequest(MatchId match, uint16_t number) {
  return base::DeriveRequestId(NameOf(match, number));
}

absl::StatusOr<CreateGame> NextGame(const World& world, const MatchState& match) {
  const MatchRecord& record = match.match.record;
  const absl::StatusOr<storage::StoredGame> first = world.store.Load(match.games.front().game.id);
  if (!first.ok()) return first.status();
  const absl::StatusOr<RulesetPtr> ruleset = RulesetOf(world.catalog, first->facts);
  if (!ruleset.ok()) return ruleset.status();
  const absl::StatusOr<std::optional<int>> starter = StarterOf(world, match);
  if (!starter.ok()) return starter.status();

  const auto number = static_cast<uint16_t>(match.games.back().number + 1);
  CreateGame next;
  next.player = record.created_by;
  next.request = MatchGameRequest(record.id, number);
  next.body_hash = base::Sha256(NameOf(record.id, number));
  next.ruleset = first->facts.ruleset;
  next.rules_version = first->facts.rules_version;
  next.players = record.players;
  next.terms = first->facts.terms;
  next.terms.match_game = number;
  const absl::StatusOr<Proceedings> begun = DecodeProceedings(**ruleset, first->head.proceedings);
  if (!begun.ok()) return begun.status();
  next.invite_contributions = begun->contributions.invited;

  std::vector<int64_t> options = first->facts.options;
  const std::optional<host::FirstPlayer>& choice = (*ruleset)->about().first_player;
  if (*starter && choice) {
    options[choice->option] = choice->values[static_cast<size_t>(**starter)];
  } else if (*starter) {
    const absl::StatusOr<size_t> begins = Beginner(world, first->facts.id);
    if (!begins.ok()) return begins.status();
    Rotate(record, *begins, static_cast<size_t>(**starter), next.players);
  }
  next.options = TextsOf(**ruleset, options);

  if (record.match_clock) {
    auto reserves = ReservesFor(world, **ruleset, match.games.back().game, next.players,
                                next.terms.clock.increment_ms);
    if (!reserves.ok()) return reserves.status();
    next.terms.reserves_ms = *std::move(reserves);
  }
  return next;
}

}  // namespace astragal::core
