#include "services/core/tournaments/pairing_match.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "services/base/bytes.h"
#include "services/base/derived_request.h"

namespace astragal::core {
namespace {

using algorithms::Outcome;
using base::MatchId;

const TournamentBoard& BoardAt(const TournamentState& state, const BoardPlace& place) {
  return state.rounds[place.round].boards[place.board];
}

std::string NameOf(const TournamentState& state, const BoardPlace& place) {
  base::ByteWriter name;
  name.Put(std::string_view("astragal-tournament-match-1")).Put(state.id.bytes());
  name.Put(static_cast<uint16_t>(place.round + 1)).Put(static_cast<uint32_t>(place.board + 1));
  name.Put(BoardAt(state, place).attempt);
  return name.Take();
}

// Whether the second of a pair begins: the one who was seeded higher has the choice.
bool SecondBegins(const TournamentState& state, const TournamentBoard& board) {
  const int chooser = std::min(board.first, board.second);
  const bool leaves_it = state.players[static_cast<size_t>(chooser)].begins_second;
  return (chooser == board.first) == leaves_it;
}

}  // namespace

std::vector<base::PlayerId> SeatsOf(const TournamentState& state, const BoardPlace& place) {
  const TournamentBoard& board = BoardAt(state, place);
  std::vector<base::PlayerId> seats;
  for (const int player : board.Players()) {
    seats.push_back(state.players[static_cast<size_t>(player)].id);
  }
  if (state.terms.format == TournamentFormat::kTables) return seats;
  const bool turned = (place.round + place.board + board.attempt) % 2 == 1;
  if (state.terms.sides == SidePolicy::kDice && turned) std::swap(seats[0], seats[1]);
  if (state.terms.sides == SidePolicy::kChoice && SecondBegins(state, board)) {
    std::swap(seats[0], seats[1]);
  }
  return seats;
}

namespace {

// Of a table; 0: of two, as the terms say.
size_t SeatsAt(const TournamentState& state, const BoardPlace& place) {
  if (state.terms.format != TournamentFormat::kTables) return 0;
  return BoardAt(state, place).Players().size();
}

// One more game to one point decides what an elimination cannot leave open.
MatchTerms TermsAt(const TournamentState& state, const BoardPlace& place) {
  MatchTerms terms = MatchTermsOf(state.terms);
  const bool decider = IsElimination(state.terms.format);
  if (!decider || BoardAt(state, place).attempt == 0) return terms;
  terms.kind = storage::MatchKind::kPoints;
  terms.length = 1;
  return terms;
}

// `of_player` for him and `of_other` for the other one.
BoardResult Decided(const TournamentState& state, const BoardPlace& place, base::PlayerId player,
                    Outcome of_player, Outcome of_other) {
  const bool first = state.IndexOf(player) == BoardAt(state, place).first;
  BoardResult result;
  result.board = static_cast<uint32_t>(place.board) + 1;
  result.first = first ? of_player : of_other;
  result.second = first ? of_other : of_player;
  return result;
}

MatchPtr MatchOf(storage::MatchRecord record, const TournamentState& state,
                 std::span<const storage::MatchGame> games) {
  storage::StoredMatch stored;
  stored.record = std::move(record);
  stored.ruleset = state.terms.play.ruleset;
  stored.rules_version = state.terms.play.rules_version;
  stored.visibility = state.terms.play.visibility;
  return std::make_shared<const MatchState>(
      MatchFrom(std::move(stored), {games.begin(), games.end()}));
}

}  // namespace

namespace {

// The places of a table by the seats of its board.
std::optional<BoardResult> TableResultOf(const PairingMatch& pairing) {
  const storage::GameSummary* const last = LastCounted(*pairing.match);
  if (last == nullptr) return std::nullopt;
  BoardResult result;
  result.board = static_cast<uint32_t>(pairing.place.board) + 1;
  for (const int place : PlayedOf(pairing.match->match.record, *last).places) {
    result.places.push_back(static_cast<uint8_t>(place));
  }
  return result;
}

// Who does not come to a table is last; the others share what there is.
BoardResult TableWithout(const TournamentState& state, const BoardPlace& place,
                         base::PlayerId missing) {
  BoardResult result;
  result.board = static_cast<uint32_t>(place.board) + 1;
  const std::vector<int> players = BoardAt(state, place).Players();
  for (const int player : players) {
    const bool gone = state.players[static_cast<size_t>(player)].id == missing;
    result.places.push_back(gone ? static_cast<uint8_t>(players.size()) : uint8_t{1});
  }
  return result;
}

}  // namespace

CreateGame GameFor(const TournamentTerms& terms, const host::Catalog& catalog, size_t seats) {
  CreateGame game = GameOn(terms.play);
  const uint32_t version = terms.play.rules_version;
  const auto ruleset =
      version == 0 ? catalog.Find(terms.play.ruleset) : catalog.Find(terms.play.ruleset, version);
  if (seats == 0 || ruleset == nullptr) return game;  // the creation says what is wrong
  for (const host::Option& option : ruleset->about().options) {
    if (option.is_seats) game.options.emplace_back(option.name, std::to_string(seats));
  }
  return game;
}

MatchId MatchIdOf(const TournamentState& state, const BoardPlace& place) {
  const base::Bytes32 hash = base::Sha256(NameOf(state, place));
  base::IdBytes id{};
  const int64_t ms = state.rounds[place.round].published_at.micros / 1'000;
  for (size_t i = 0; i < 6; ++i) id[i] = static_cast<uint8_t>(ms >> (8 * (5 - i)));
  std::copy_n(hash.begin(), 10, id.begin() + 6);
  return MatchId(id);
}

storage::MatchRecord MatchRecordOf(const TournamentState& state, const BoardPlace& place,
                                   const host::Catalog& catalog) {
  const MatchTerms terms = TermsAt(state, place);
  storage::MatchRecord record;
  record.id = MatchIdOf(state, place);
  record.kind = terms.kind;
  record.length = terms.length;
  const size_t seats = SeatsAt(state, place);
  record.first_mover = FirstMoverOf(terms, catalog, GameFor(state.terms, catalog, seats));
  record.match_clock = terms.match_clock;
  record.timeout_loses = terms.timeout_loses;
  record.players = SeatsOf(state, place);
  record.created_at = state.rounds[place.round].published_at;
  return record;
}

CreateGame FirstGameOf(const TournamentState& state, const BoardPlace& place,
                       const host::Catalog& catalog) {
  const std::string name = NameOf(state, place);
  CreateGame game = GameFor(state.terms, catalog, SeatsAt(state, place));
  game.match = MatchRecordOf(state, place, catalog);
  game.request = base::DeriveRequestId(name + std::string(game.match->id.ToText()));
  game.body_hash = base::Sha256(name);
  game.players = game.match->players;
  game.terms.match = game.match->id;
  game.terms.match_game = 1;
  return game;
}

std::vector<BoardPlace> OpenPlaces(const TournamentState& state) {
  std::vector<BoardPlace> places;
  for (size_t round = 0; round < state.rounds.size(); ++round) {
    if (state.rounds[round].stage == RoundStage::kDrafted) continue;
    const std::vector<TournamentBoard>& boards = state.rounds[round].boards;
    for (size_t board = 0; board < boards.size(); ++board) {
      if (boards[board].IsOpen() && !boards[board].IsBye()) places.push_back({round, board});
    }
  }
  return places;
}

absl::StatusOr<std::vector<PairingMatch>> ReadMatches(storage::MatchStore& store,
                                                      const host::Catalog& catalog,
                                                      const TournamentState& state,
                                                      const std::vector<BoardPlace>& places) {
  std::vector<PairingMatch> matches;
  constexpr size_t kPage = storage::MatchStore::kMaxListed;
  for (size_t from = 0; from < places.size(); from += kPage) {
    const std::span page = std::span(places).subspan(from, std::min(kPage, places.size() - from));
    std::vector<MatchId> ids;
    for (const BoardPlace& place : page) ids.push_back(MatchIdOf(state, place));
    const absl::StatusOr<std::vector<storage::MatchGame>> games = store.GamesOf(ids);
    if (!games.ok()) return games.status();
    for (size_t i = 0; i < page.size(); ++i) {
      const auto own = std::ranges::equal_range(*games, ids[i], {}, &storage::MatchGame::match);
      PairingMatch match{page[i], nullptr};
      if (!own.empty()) {
        match.match =
            MatchOf(MatchRecordOf(state, page[i], catalog), state, {own.begin(), own.end()});
      }
      matches.push_back(std::move(match));
    }
  }
  return matches;
}

std::optional<BoardResult> ResultOf(const TournamentState& state, const PairingMatch& pairing) {
  if (pairing.match == nullptr || !pairing.match->score.over) return std::nullopt;
  if (BoardAt(state, pairing.place).IsTable()) return TableResultOf(pairing);
  const std::optional<int> winner = pairing.match->score.winner;
  if (!winner) return Decided(state, pairing.place, {}, Outcome::kDraw, Outcome::kDraw);
  const auto seat = static_cast<size_t>(*winner);
  return Decided(state, pairing.place, pairing.match->match.record.players[seat], Outcome::kWin,
                 Outcome::kLoss);
}

absl::StatusOr<std::optional<BoardResult>> NoShowOf(const World& world,
                                                    const TournamentState& state,
                                                    const PairingMatch& pairing) {
  if (pairing.match == nullptr || pairing.match->games.empty()) return std::nullopt;
  const storage::GameSummary& last = pairing.match->games.back().game;
  if (last.ending != storage::Ending::kNotBegun) return std::nullopt;
  const absl::StatusOr<storage::StoredGame> stored = world.store.Load(last.id);
  if (!stored.ok()) return stored.status();
  const auto ruleset = RulesetOf(world.catalog, stored->facts);
  if (!ruleset.ok()) return ruleset.status();
  const absl::StatusOr<host::Position> position = (*ruleset)->FromBytes(stored->head.position);
  if (!position.ok()) return position.status();
  const int seat = (*ruleset)->Actor(*position);
  if (seat < 0 || static_cast<size_t>(seat) >= last.seats.size()) return std::nullopt;
  const base::PlayerId missing = last.seats[static_cast<size_t>(seat)].player;
  if (BoardAt(state, pairing.place).IsTable()) return TableWithout(state, pairing.place, missing);
  return Decided(state, pairing.place, missing, Outcome::kForfeitLoss, Outcome::kForfeitWin);
}

}  // namespace astragal::core
