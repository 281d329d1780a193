#include "services/core/tournaments/rounds.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "services/algorithms/pairing/explain.h"
#include "services/algorithms/pairing/fast.h"
#include "services/algorithms/pairing/round_robin.h"
#include "services/base/tournament_reasons.h"
#include "services/core/tournaments/formats.h"

namespace astragal::core {
namespace {

using algorithms::Crosstable;
using algorithms::kNobody;
using algorithms::Outcome;
using algorithms::Pairing;
using algorithms::RoundEntry;
using algorithms::Side;
using Boards = std::vector<TournamentBoard>;

bool IsOnBoard(Outcome outcome) {
  return outcome == Outcome::kWin || outcome == Outcome::kDraw || outcome == Outcome::kLoss;
}

bool NeedsOpponent(Outcome outcome) {
  return IsOnBoard(outcome) || outcome == Outcome::kForfeitWin || outcome == Outcome::kForfeitLoss;
}

void Enter(Crosstable& table, int round, int player, int opponent, Side side, Outcome outcome) {
  if (player == kNobody || outcome == Outcome::kNothing) return;
  RoundEntry& entry = table.players[static_cast<size_t>(player)].rounds[static_cast<size_t>(round)];
  entry.outcome = outcome;
  if (!NeedsOpponent(outcome)) return;
  entry.opponent = opponent;
  entry.side = side;
}

void EnterBoard(const TournamentState& state, int round, const TournamentBoard& board,
                OpenBoards open, Crosstable& table) {
  const bool sides = state.terms.sides == SidePolicy::kAlternate;
  const bool drawn = board.IsOpen() && open == OpenBoards::kDrawn;
  Enter(table, round, board.first, board.second, sides ? Side::kFirst : Side::kNone,
        drawn ? Outcome::kDraw : board.first_outcome);
  Enter(table, round, board.second, board.first, sides ? Side::kSecond : Side::kNone,
        drawn ? Outcome::kDraw : board.second_outcome);
}

void AddForbidden(const TournamentState& state, Crosstable& table) {
  for (const auto& [one, other] : state.forbidden) {
    const int first = state.IndexOf(one);
    const int second = state.IndexOf(other);
    if (first == kNobody || second == kNobody) continue;
    table.forbidden.push_back({{first, second}, 1, kMaxTournamentRounds});
  }
}

bool IsPaired(const TournamentPlayer& player) { return player.status == EntrantStatus::kIn; }

Outcome RestOf(const TournamentPlayer& player, int round) {
  const auto asked = player.asked_for.find(round);
  if (asked != player.asked_for.end()) return asked->second;
  return Outcome::kZeroBye;
}

bool IsOut(const TournamentPlayer& player) {
  return player.status == EntrantStatus::kWithdrawn || player.status == EntrantStatus::kExpelled;
}

TournamentBoard BoardOf(const Pairing& pairing) {
  TournamentBoard board;
  board.first = pairing.first;
  board.second = pairing.second;
  if (board.IsBye()) board.first_outcome = Outcome::kPairingBye;
  return board;
}

// Byes that were asked for, as boards of their own, so that everybody finds himself in the round.
void AddRests(const TournamentState& state, int round, const Boards& taken, Boards& boards) {
  std::vector<bool> seated(state.players.size());
  for (const TournamentBoard& board : taken) {
    seated[static_cast<size_t>(board.first)] = true;
    if (!board.IsBye()) seated[static_cast<size_t>(board.second)] = true;
  }
  for (size_t i = 0; i < state.players.size(); ++i) {
    if (seated[i] || !IsPaired(state.players[i])) continue;
    if (!state.players[i].asked_for.contains(round)) continue;
    TournamentBoard board;
    board.first = static_cast<int>(i);
    board.first_outcome = RestOf(state.players[i], round);
    boards.push_back(board);
  }
}

// Numbers of those who stay alone however the round is paired.
std::vector<int> LeftAloneOf(const TournamentState& state) {
  const Crosstable table = TableToPair(state, state.RoundsClosed(), {});
  const algorithms::SwissField field(table, false);
  std::vector<int> numbers;
  for (const int index : algorithms::LeftAlone(field)) numbers.push_back(field[index].player + 1);
  return numbers;
}

std::string NumbersText(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

absl::Status NoPairing(const TournamentState& state, const absl::Status& why) {
  if (why.code() != absl::StatusCode::kFailedPrecondition) return why;
  return base::Error(base::kNoPairing,
                     "no pairing of all players exists without a repeat; allow an extra "
                     "bye, edit the round, or end the tournament")
      .With("round", static_cast<int64_t>(state.RoundsClosed()) + 1)
      .With("players", NumbersText(LeftAloneOf(state)));
}

absl::Status DraftSwiss(const TournamentState& state, const Boards& locked,
                        const algorithms::GoOn& go_on, TournamentRound& round) {
  const int closed = state.RoundsClosed();
  const Crosstable table = TableToPair(state, closed, locked);
  const algorithms::SwissField field(table, state.terms.sides == SidePolicy::kAlternate);
  round.boards = locked;
  if (field.size() > 0) {
    const PairingEngine engine = EngineFor(state.terms, field.size());
    const bool dutch = engine == PairingEngine::kDutch;
    round.engine = static_cast<int>(engine);
    round.engine_version = dutch ? algorithms::kDutchVersion : algorithms::kFastVersion;
    const auto pairs =
        dutch ? algorithms::PairDutch(field, go_on) : algorithms::PairFast(field, {}, go_on);
    if (!pairs.ok()) return NoPairing(state, pairs.status());
    for (const Pairing& pair : algorithms::BoardsOf(field, *pairs)) {
      round.boards.push_back(BoardOf(pair));
    }
  }
  AddRests(state, closed + 1, round.boards, round.boards);
  return absl::OkStatus();
}

absl::Status DraftToLosses(const TournamentState& state, const Boards& locked,
                           TournamentRound& round) {
  const auto pairs = algorithms::PairToLosses(TableToPair(state, state.RoundsClosed(), locked),
                                              state.terms.losses);
  if (!pairs.ok()) return NoPairing(state, pairs.status());
  round.engine = static_cast<int>(PairingEngine::kFast);
  round.engine_version = algorithms::kFastVersion;
  round.boards = locked;
  for (const Pairing& pair : *pairs) round.boards.push_back(BoardOf(pair));
  return absl::OkStatus();
}

// A match of a schedule that was fixed beforehand: who is out loses it.
void Forfeit(const TournamentState& state, TournamentBoard& board) {
  const bool first_out = IsOut(state.players[static_cast<size_t>(board.first)]);
  const bool second_out = IsOut(state.players[static_cast<size_t>(board.second)]);
  if (!first_out && !second_out) return;
  board.first_outcome = first_out ? Outcome::kForfeitLoss : Outcome::kForfeitWin;
  board.second_outcome = second_out ? Outcome::kForfeitLoss : Outcome::kForfeitWin;
}

void DraftRoundRobin(const TournamentState& state, TournamentRound& round) {
  algorithms::RoundRobinOptions options;
  options.twice = state.terms.twice;
  const auto schedule = algorithms::RoundRobin(static_cast<int>(state.players.size()), options);
  const auto number = static_cast<size_t>(state.RoundsClosed());
  if (number >= schedule.size()) return;
  for (const Pairing& pairing : schedule[number]) {
    if (pairing.second == kNobody) continue;  // a rest is nothing
    TournamentBoard board = BoardOf(pairing);
    Forfeit(state, board);
    round.boards.push_back(board);
  }
}

void DraftElimination(const TournamentState& state, TournamentRound& round) {
  const Bracket bracket = BracketOf(state);
  for (size_t i = 0; i < bracket.plan.matches.size(); ++i) {
    const algorithms::BracketMatchState& match = bracket.state.matches[i];
    if (match.status != algorithms::MatchStatus::kReady) continue;
    TournamentBoard board;
    board.first = match.players[0];
    board.second = match.players[1];
    board.slot = static_cast<uint32_t>(i);
    round.boards.push_back(board);
  }
}

algorithms::BracketOptions BracketOptionsOf(const TournamentTerms& terms) {
  algorithms::BracketOptions options;
  options.lower = terms.format == TournamentFormat::kDoubleElimination;
  options.reset = terms.reset;
  options.third_place = terms.third_place && !options.lower;
  options.consolation_rounds = terms.consolation_rounds;
  options.last_chance_rounds = terms.last_chance_rounds;
  return options;
}

int LeftToLosses(const TournamentState& state) {
  const std::vector<int> losses = algorithms::LossesOf(CrosstableOf(state, state.RoundsClosed()));
  int left = 0;
  for (size_t i = 0; i < losses.size(); ++i) {
    left += losses[i] < state.terms.losses && IsPaired(state.players[i]);
  }
  return left;
}

}  // namespace

std::vector<base::PlayerId> SeedingOf(const TournamentState& state) {
  std::vector<const TournamentPlayer*> players;
  for (const TournamentPlayer& player : state.players) {
    const bool here = player.checked_in || state.status != TournamentStatus::kCheckIn;
    if (player.status == EntrantStatus::kIn && here) players.push_back(&player);
  }
  std::ranges::stable_sort(players, std::ranges::greater(), &TournamentPlayer::rating);
  std::vector<base::PlayerId> ids;
  for (const TournamentPlayer* player : players) ids.push_back(player->id);
  return ids;
}

std::vector<base::PlayerId> SeedingBy(const SeedList& seeds, TournamentState state) {
  for (TournamentPlayer& player : state.players) player.rating = seeds.RatingOf(player.id);
  return SeedingOf(state);
}

int RoundsFor(const TournamentTerms& terms, int players) {
  switch (terms.format) {
    case TournamentFormat::kSwiss:
      return terms.rounds != 0 ? terms.rounds : UsualRounds(players);
    case TournamentFormat::kRoundRobin:
      return (players < 2 ? 0 : players - 1 + players % 2) * (terms.twice ? 2 : 1);
    case TournamentFormat::kTables:
      return terms.rounds != 0 ? terms.rounds : UsualTableRounds(players);
    default:
      return terms.rounds;
  }
}

PairingEngine EngineFor(const TournamentTerms& terms, int players) {
  if (terms.engine != PairingEngine::kAuto) return terms.engine;
  return players <= kMostForDutch ? PairingEngine::kDutch : PairingEngine::kFast;
}

Crosstable CrosstableOf(const TournamentState& state, int rounds, OpenBoards open) {
  Crosstable table;
  table.rounds_played = rounds;
  table.rounds_planned = std::max(state.rounds_planned, rounds);
  if (state.rounds_planned == 0) table.rounds_planned = 0;
  table.points.pairing_bye = state.terms.pairing_bye;
  table.players.resize(state.players.size());
  for (size_t i = 0; i < state.players.size(); ++i) {
    table.players[i].number = static_cast<int>(i) + 1;
    table.players[i].rating = state.players[i].rating;
    table.players[i].rounds.resize(static_cast<size_t>(rounds));
  }
  for (int round = 0; round < rounds; ++round) {
    for (const TournamentBoard& board : state.rounds[static_cast<size_t>(round)].boards) {
      EnterBoard(state, round, board, open, table);
    }
  }
  AddForbidden(state, table);
  return table;
}

Crosstable TableToPair(const TournamentState& state, int rounds, const Boards& taken) {
  Crosstable table = CrosstableOf(state, rounds, OpenBoards::kDrawn);
  const auto rest = [&](int player, Outcome outcome) {
    if (player == kNobody) return;
    auto& entries = table.players[static_cast<size_t>(player)].rounds;
    entries.resize(static_cast<size_t>(rounds) + 1);
    entries.back().outcome = outcome;
  };
  for (size_t i = 0; i < state.players.size(); ++i) {
    const TournamentPlayer& player = state.players[i];
    if (IsPaired(player) && !player.asked_for.contains(rounds + 1)) continue;
    rest(static_cast<int>(i), RestOf(player, rounds + 1));
  }
  for (const TournamentBoard& board : taken) {
    rest(board.first, Outcome::kZeroBye);
    rest(board.second, Outcome::kZeroBye);
  }
  return table;
}

bool HasNextRound(const TournamentState& state) {
  const int closed = state.RoundsClosed();
  switch (state.terms.format) {
    case TournamentFormat::kSwiss:
    case TournamentFormat::kSwissToLosses: {
      if (state.rounds_planned != 0 && closed >= state.rounds_planned) return false;
      if (state.terms.format == TournamentFormat::kSwissToLosses) return LeftToLosses(state) >= 2;
      return std::ranges::count_if(state.players, IsPaired) >= 2;
    }
    case TournamentFormat::kRoundRobin:
      return closed < state.rounds_planned;
    case TournamentFormat::kSingleElimination:
    case TournamentFormat::kDoubleElimination:
      return !BracketOf(state).state.over;
    case TournamentFormat::kTables:
      return closed < state.rounds_planned && std::ranges::count_if(state.players, IsPaired) >= 3;
    case TournamentFormat::kArena:
      return true;  // until its time is up
    case TournamentFormat::kLadder:
      return false;  // players begin them
  }
  return false;
}

absl::StatusOr<TournamentRound> DraftRound(const TournamentState& state, const Boards& locked,
                                           const algorithms::GoOn& go_on) {
  TournamentRound round;
  absl::Status drafted;
  switch (state.terms.format) {
    case TournamentFormat::kSwiss:
      drafted = DraftSwiss(state, locked, go_on, round);
      break;
    case TournamentFormat::kSwissToLosses:
      drafted = DraftToLosses(state, locked, round);
      break;
    case TournamentFormat::kRoundRobin:
      DraftRoundRobin(state, round);
      break;
    case TournamentFormat::kSingleElimination:
    case TournamentFormat::kDoubleElimination:
      DraftElimination(state, round);
      break;
    case TournamentFormat::kTables:
      DraftTables(state, round);
      break;
    case TournamentFormat::kArena:
      DraftWave(state, round);
      break;
    case TournamentFormat::kLadder:
      break;
  }
  if (!drafted.ok()) return drafted;
  return round;
}

namespace {

// By player: the opponent, or kNobody for a rest.
std::map<int, int> PairsOf(const Boards& boards) {
  std::map<int, int> pairs;
  for (const TournamentBoard& board : boards) {
    pairs[board.first] = board.second;
    if (!board.IsBye()) pairs[board.second] = board.first;
  }
  return pairs;
}

}  // namespace

std::vector<bool> Playing(const TournamentState& state) {
  std::vector<bool> playing(state.players.size());
  for (const TournamentRound& round : state.rounds) {
    if (round.stage == RoundStage::kDrafted) continue;
    for (const TournamentBoard& board : round.boards) {
      if (!board.IsOpen()) continue;
      for (const int player : board.Players()) playing[static_cast<size_t>(player)] = true;
    }
  }
  return playing;
}

std::optional<Boards> WouldPair(const TournamentState& state, size_t round) {
  if (state.terms.format != TournamentFormat::kSwiss || round < 1 || round > state.rounds.size()) {
    return std::nullopt;
  }
  TournamentState then = state;
  then.rounds.resize(round - 1);
  for (TournamentRound& before : then.rounds) before.stage = RoundStage::kClosed;
  const absl::StatusOr<TournamentRound> paired = DraftRound(then);
  if (!paired.ok()) return std::nullopt;
  return paired->boards;
}

bool SamePairs(const Boards& one, const Boards& other) { return PairsOf(one) == PairsOf(other); }

bool HasPlayers(const Bracket& bracket, const TournamentBoard& board) {
  if (board.slot >= bracket.state.matches.size()) return false;
  const auto& players = bracket.state.matches[board.slot].players;
  return (players[0] == board.first && players[1] == board.second) ||
         (players[0] == board.second && players[1] == board.first);
}

Bracket BracketOf(const TournamentState& state) {
  Bracket bracket;
  const auto entrants = static_cast<int>(state.players.size());
  bracket.plan = algorithms::PlanBracket(std::max(entrants, 2), BracketOptionsOf(state.terms));
  std::vector<algorithms::BracketResult> results(bracket.plan.matches.size());
  std::vector<std::array<int, 2>> given(bracket.plan.matches.size(), {kNobody, kNobody});
  for (const TournamentRound& round : state.rounds) {
    for (const TournamentBoard& board : round.boards) {
      if (board.IsBye() || board.IsOpen() || board.slot >= results.size()) continue;
      // Both rest: the match is void, and is played again by those who are entitled to it.
      if (board.first_outcome == Outcome::kZeroBye) continue;
      const bool first = board.went_on == 1 ||
                         (board.went_on == 0 && (board.first_outcome == Outcome::kWin ||
                                                 board.first_outcome == Outcome::kForfeitWin));
      const bool second = board.went_on == 2 ||
                          (board.went_on == 0 && (board.second_outcome == Outcome::kWin ||
                                                  board.second_outcome == Outcome::kForfeitWin));
      results[board.slot] = first    ? algorithms::BracketResult::kFirstWins
                            : second ? algorithms::BracketResult::kSecondWins
                                     : algorithms::BracketResult::kNobodyWins;
      given[board.slot] = {board.first, board.second};
    }
  }
  std::vector<bool> out;
  for (const TournamentPlayer& player : state.players) out.push_back(IsOut(player));
  bracket.state = algorithms::EvaluateBracket(bracket.plan, results, out, given);
  return bracket;
}

}  // namespace astragal::core
