// The rules of the whole tournament and of its rounds.
#include <algorithm>

#include "services/core/tournaments/judging.h"
#include "services/core/tournaments/rounds.h"

namespace astragal::core {
namespace {

using algorithms::Crosstable;
using algorithms::kNobody;
using algorithms::Outcome;
using Kind = TournamentEntryKind;
using Boards = std::vector<TournamentBoard>;

TournamentEntry OfRound(Kind kind, size_t round) {
  TournamentEntry entry;
  entry.kind = kind;
  entry.round = static_cast<uint16_t>(round);
  return entry;
}

// The last round if it is at this stage; null otherwise.
const TournamentRound* LastAt(const TournamentState& state, RoundStage stage) {
  const bool is = !state.rounds.empty() && state.rounds.back().stage == stage;
  return is ? &state.rounds.back() : nullptr;
}

Boards LockedOf(const TournamentState& state) {
  Boards locked;
  const TournamentRound* const draft = LastAt(state, RoundStage::kDrafted);
  if (draft == nullptr) return locked;
  const auto is_in = [&state](int player) {
    return player == kNobody ||
           state.players[static_cast<size_t>(player)].status == EntrantStatus::kIn;
  };
  for (const TournamentBoard& board : draft->boards) {
    if (board.locked && is_in(board.first) && is_in(board.second)) locked.push_back(board);
  }
  return locked;
}

absl::Status WriteDraft(Judging& judging, const Boards& locked) {
  const TournamentState& state = judging.state();
  const auto number = static_cast<size_t>(state.NextRound());
  const absl::StatusOr<TournamentRound> round = DraftRound(state, locked, judging.command.go_on);
  if (!round.ok()) return round.status();
  if (round->boards.empty()) {
    return base::Error(base::kNoPairing, "nobody is left to be paired; end the tournament");
  }
  TournamentEntry entry = OfRound(Kind::kRoundDrafted, number);
  entry.number = round->engine | static_cast<int64_t>(round->engine_version) << 8;
  entry.detail = EncodeBoards(round->boards);
  return judging.Write(entry);
}

bool HaveMet(const Crosstable& table, int first, int second) {
  return std::ranges::any_of(
      table.players[static_cast<size_t>(first)].rounds,
      [second](const auto& entry) { return entry.opponent == second && entry.Played(); });
}

bool HadBye(const Crosstable& table, int player) {
  return std::ranges::any_of(
      table.players[static_cast<size_t>(player)].rounds, [](const auto& entry) {
        return entry.outcome == Outcome::kPairingBye || entry.outcome == Outcome::kFullBye ||
               entry.outcome == Outcome::kForfeitWin;
      });
}

// What a person should know about boards that a director pairs by hand.
void WarnOf(Judging& judging, const Boards& boards) {
  const TournamentState& state = judging.state();
  const Crosstable table = CrosstableOf(state, state.RoundsClosed());
  for (const TournamentBoard& board : boards) {
    const std::string who = "player " + std::to_string(board.first + 1);
    if (board.IsBye()) {
      if (HadBye(table, board.first)) judging.Warn(3, "SECOND_BYE", who + " has had a bye");
      continue;
    }
    const std::string both = who + " and player " + std::to_string(board.second + 1);
    if (HaveMet(table, board.first, board.second)) judging.Warn(3, "REPEAT", both + " have met");
    for (const algorithms::ForbiddenGroup& group : table.forbidden) {
      const auto has = [&group](int player) {
        return std::ranges::find(group.players, player) != group.players.end();
      };
      if (has(board.first) && has(board.second)) {
        judging.Warn(3, "FORBIDDEN_PAIR", both + " must not meet");
      }
    }
  }
}

absl::Status CheckBoards(const TournamentState& state, const Boards& boards) {
  std::vector<bool> seated(state.players.size());
  for (const TournamentBoard& board : boards) {
    for (const int player : {board.first, board.second}) {
      if (player == kNobody && player != board.first) continue;
      if (player < 0 || static_cast<size_t>(player) >= state.players.size() ||
          state.players[static_cast<size_t>(player)].status != EntrantStatus::kIn) {
        return WrongField("boards", "name a player who does not play");
      }
      if (seated[static_cast<size_t>(player)]) return WrongField("boards", "name a player twice");
      seated[static_cast<size_t>(player)] = true;
    }
  }
  return absl::OkStatus();
}

// These boards, and those that are locked and have none of their players.
Boards Together(Boards boards, const Boards& locked) {
  std::vector<int> seated;
  for (TournamentBoard& board : boards) {
    board.locked = board.manual = true;
    if (board.IsBye() && board.IsOpen()) board.first_outcome = Outcome::kPairingBye;
    seated.insert(seated.end(), {board.first, board.second});
  }
  const auto has = [&seated](int player) {
    return player != kNobody && std::ranges::find(seated, player) != seated.end();
  };
  for (const TournamentBoard& board : locked) {
    if (!has(board.first) && !has(board.second)) boards.push_back(board);
  }
  return boards;
}

bool WasPlayed(const TournamentRound& round) {
  return std::ranges::any_of(
      round.boards, [](const TournamentBoard& board) { return !board.IsBye() && !board.IsOpen(); });
}

}  // namespace

absl::Status RedraftIfDrafted(Judging& judging) {
  if (LastAt(judging.state(), RoundStage::kDrafted) == nullptr) return absl::OkStatus();
  return WriteDraft(judging, LockedOf(judging.state()));
}

absl::Status JudgeWhole(Judging& judging) {
  TournamentEntry entry;
  entry.kind = judging.command.kind;
  return judging.Write(entry);
}

absl::Status JudgeStarted(Judging& judging) {
  const TournamentState& state = judging.state();
  const std::optional<SeedList>& seeds = judging.command.seeds;
  if (!seeds && !judging.command.seed_snapshot.empty()) {
    return WrongField("seed_snapshot", "names a list that was not looked up");
  }
  const std::vector<base::PlayerId> players = seeds ? SeedingBy(*seeds, state) : SeedingOf(state);
  if (players.size() < 2) return WrongState("a tournament needs two players");
  const auto count = static_cast<int>(players.size());
  const int rounds = RoundsFor(state.terms, count);
  if (state.terms.format == TournamentFormat::kTables && count < 3) {
    return WrongState("a table needs three players");
  }
  const bool swiss = state.terms.format == TournamentFormat::kSwiss;
  // Everybody can meet everybody once: more rounds cannot be paired.
  if (swiss && rounds > count - 1 + count % 2) {
    if (!judging.ByServer()) return WrongState("there are more rounds than opponents");
  }
  TournamentEntry entry;
  entry.kind = Kind::kStarted;
  entry.number = swiss ? std::min(rounds, count - 1 + count % 2) : rounds;
  entry.detail = EncodePlayers(players, seeds ? &*seeds : nullptr);
  return judging.Write(entry);
}

absl::Status JudgeFinished(Judging& judging) {
  const TournamentState& state = judging.state();
  size_t open = 0;
  for (const TournamentRound& round : state.rounds) {
    if (round.stage != RoundStage::kDrafted) open += round.Open();
  }
  if (open > 0)
    return WrongState("results are missing").With("missing", static_cast<int64_t>(open));
  if (state.Current() != nullptr && state.Current()->stage == RoundStage::kPlaying) {
    return WrongState("the round is not closed");
  }
  const bool early = state.EndsAt() && judging.now < *state.EndsAt();
  if (IsOpenEnded(state.terms.format) ? early : HasNextRound(state)) {
    judging.Warn(3, "ROUNDS_LEFT", "the tournament ends before its last round");
  }
  return JudgeWhole(judging);
}

absl::Status JudgeRoundsChanged(Judging& judging) {
  const int64_t rounds = judging.command.number;
  const TournamentState& state = judging.state();
  if (state.terms.format != TournamentFormat::kSwiss &&
      state.terms.format != TournamentFormat::kTables &&
      state.terms.format != TournamentFormat::kSwissToLosses) {
    return WrongState("the rounds of this format follow from its players");
  }
  if (rounds < static_cast<int64_t>(state.rounds.size()) || rounds > kMaxTournamentRounds) {
    return WrongField("rounds", "must be at least those that there are, and at most 999");
  }
  TournamentEntry entry;
  entry.kind = Kind::kRoundsChanged;
  entry.number = rounds;
  return judging.Write(entry);
}

absl::Status JudgeTieBreaksChanged(Judging& judging) {
  const TournamentState& state = judging.state();
  if (state.terms.format == TournamentFormat::kTables || IsOpenEnded(state.terms.format)) {
    return WrongState("what decides between equals follows from this format");
  }
  const std::vector<algorithms::TieBreak>& wanted = judging.command.tie_breaks;
  if (wanted.size() > kMaxTieBreaks) return WrongField("tie_breaks", "are too many");
  if (state.HasStarted()) {
    judging.Warn(4, "TIE_BREAKS_CHANGED", "the players came for another order of tie-breaks");
  }
  TournamentEntry entry;
  entry.kind = Kind::kTieBreaksChanged;
  for (const algorithms::TieBreak& each : wanted) {
    entry.detail += (entry.detail.empty() ? "" : ",") + algorithms::FormatTieBreak(each);
  }
  return judging.Write(entry);
}

absl::Status JudgeDrafted(Judging& judging) {
  const TournamentState& state = judging.state();
  const bool open_ended = IsOpenEnded(state.terms.format);
  if (!open_ended && LastAt(state, RoundStage::kPlaying) != nullptr) {
    return WrongState("the round is being played; close it first");
  }
  if (state.EndsAt() && judging.now >= *state.EndsAt()) return WrongState("the time is up");
  if (!HasNextRound(state)) return WrongState("there are no more rounds");
  const Boards& boards = judging.command.boards;
  if (boards.empty()) return WriteDraft(judging, LockedOf(state));
  if (state.terms.format != TournamentFormat::kSwiss &&
      state.terms.format != TournamentFormat::kSwissToLosses) {
    return WrongState("the pairings of this format follow from its results");
  }
  if (absl::Status right = CheckBoards(state, boards); !right.ok()) return right;
  WarnOf(judging, boards);
  return WriteDraft(judging, Together(boards, LockedOf(state)));
}

absl::Status JudgePublished(Judging& judging) {
  if (LastAt(judging.state(), RoundStage::kDrafted) == nullptr) {
    return WrongState("no round is drafted");
  }
  return judging.Write(OfRound(Kind::kRoundPublished, judging.state().rounds.size()));
}

absl::Status JudgeUnpublished(Judging& judging) {
  const TournamentRound* const round = LastAt(judging.state(), RoundStage::kPlaying);
  if (round == nullptr) return WrongState("no round is being played");
  if (WasPlayed(*round)) return WrongState("a result of the round is in");
  return judging.Write(OfRound(Kind::kRoundUnpublished, judging.state().rounds.size()));
}

absl::Status JudgeClosed(Judging& judging) {
  const std::vector<TournamentRound>& rounds = judging.state().rounds;
  const auto named = static_cast<size_t>(judging.command.round);
  const size_t number = named == 0 ? rounds.size() : named;
  if (number < 1 || number > rounds.size() || rounds[number - 1].stage != RoundStage::kPlaying) {
    return WrongState("no round is being played");
  }
  const TournamentRound* const round = &rounds[number - 1];
  if (round->Open() > 0 && IsElimination(judging.state().terms.format)) {
    return WrongState("every match of this round decides who goes on");
  }
  if (round->Open() > 0) {
    judging.Warn(3, "RESULTS_MISSING",
                 std::to_string(round->Open()) +
                     " results are missing; the next round is paired as "
                     "if these matches were drawn");
  }
  return judging.Write(OfRound(Kind::kRoundClosed, number));
}

absl::Status JudgeResults(Judging& judging) {
  TournamentEntry entry = OfRound(Kind::kResults, static_cast<size_t>(judging.command.round));
  entry.detail = EncodeResults(judging.command.results);
  return judging.Write(entry);
}

namespace {

// The board that the command names, of a round that is published; null with `status` saying why.
const TournamentBoard* BoardNamed(const Judging& judging, size_t& round, absl::Status& status) {
  const TournamentState& state = judging.state();
  round =
      judging.command.round > 0 ? static_cast<size_t>(judging.command.round) : state.rounds.size();
  status = base::Error(base::Reason::kNotFound, "no such pairing");
  if (round < 1 || round > state.rounds.size()) return nullptr;
  const TournamentRound& found = state.rounds[round - 1];
  const uint32_t board = judging.command.board;
  if (found.stage == RoundStage::kDrafted || board < 1 || board > found.boards.size()) {
    return nullptr;
  }
  status = absl::OkStatus();
  return &found.boards[board - 1];
}

bool FitTogether(Outcome first, Outcome second, bool bye) {
  const auto is_rest = [](Outcome outcome) {
    return outcome == Outcome::kHalfBye || outcome == Outcome::kFullBye ||
           outcome == Outcome::kZeroBye || outcome == Outcome::kPairingBye;
  };
  if (bye) return is_rest(first) && second == Outcome::kNothing;
  if (is_rest(first) || is_rest(second)) return is_rest(first) && is_rest(second);
  switch (first) {
    case Outcome::kWin:
      return second == Outcome::kLoss;
    case Outcome::kLoss:
      return second == Outcome::kWin;
    case Outcome::kDraw:
      return second == Outcome::kDraw;
    case Outcome::kForfeitWin:
      return second == Outcome::kForfeitLoss;
    case Outcome::kForfeitLoss:
      return second == Outcome::kForfeitWin || second == Outcome::kForfeitLoss;
    default:
      return false;
  }
}

// Whether somebody went on by this result to a match that has been published.
bool WentOn(const TournamentState& state, size_t round, const TournamentBoard& board) {
  for (size_t later = round; later < state.rounds.size(); ++later) {
    if (state.rounds[later].stage == RoundStage::kDrafted) continue;
    for (const TournamentBoard& other : state.rounds[later].boards) {
      const auto same = [&other](int player) {
        return player != kNobody && (other.first == player || other.second == player);
      };
      if (same(board.first) || same(board.second)) return true;
    }
  }
  return false;
}

}  // namespace

namespace {

constexpr int64_t kAffectsRating = int64_t{1} << 17;

// Places of a table: one for each seat, from 1, no more than there are seats.
absl::Status OverrideTable(Judging& judging, size_t round, const TournamentBoard& board) {
  const auto& results = judging.command.results;
  const size_t seats = board.Players().size();
  const bool fit = results.size() == 1 && results[0].places.size() == seats &&
                   std::ranges::all_of(results[0].places, [seats](uint8_t place) {
                     return place >= 1 && place <= seats;
                   });
  if (!fit) return WrongField("places", "must be one for each seat of the table");
  TournamentEntry entry = OfRound(Kind::kResultOverridden, round);
  entry.board = judging.command.board;
  entry.number = judging.command.number & kAffectsRating;
  BoardResult result = results[0];
  result.board = entry.board;
  entry.detail = EncodeResults({result});
  return judging.Write(entry);
}

// Published matches of an elimination whose players are not those who go on: they count for
// nothing, and are paired again.
absl::Status VoidWrongBoards(Judging& judging) {
  const Bracket bracket = BracketOf(judging.state());
  for (size_t round = 0; round < judging.state().rounds.size(); ++round) {
    const TournamentRound& played = judging.state().rounds[round];
    if (played.stage == RoundStage::kDrafted) continue;
    std::vector<BoardResult> results;
    for (size_t i = 0; i < played.boards.size(); ++i) {
      const TournamentBoard& board = played.boards[i];
      if (board.IsBye() || HasPlayers(bracket, board)) continue;
      if (board.first_outcome == Outcome::kZeroBye) continue;
      results.push_back({static_cast<uint32_t>(i) + 1, Outcome::kZeroBye, Outcome::kZeroBye, {}});
    }
    if (results.empty()) continue;
    TournamentEntry entry = OfRound(Kind::kResults, round + 1);
    entry.detail = EncodeResults(results);
    if (absl::Status written = judging.Write(entry); !written.ok()) return written;
  }
  return absl::OkStatus();
}

// What follows from another result: a draft is paired again, a published round stays.
absl::Status FollowUp(Judging& judging, size_t round) {
  const TournamentState& state = judging.state();
  if (IsElimination(state.terms.format)) {
    if (absl::Status voided = VoidWrongBoards(judging); !voided.ok()) return voided;
  }
  const bool published =
      round < state.rounds.size() && state.rounds[round].stage != RoundStage::kDrafted;
  if (!published) return RedraftIfDrafted(judging);
  const auto would = WouldPair(state, round + 1);
  if (would && !SamePairs(*would, state.rounds[round].boards)) {
    judging.plan.would_have_paired = *would;
  }
  return RedraftIfDrafted(judging);
}

}  // namespace

absl::Status JudgeOverridden(Judging& judging) {
  const TournamentCommand& command = judging.command;
  size_t round = 0;
  absl::Status status;
  const TournamentBoard* const board = BoardNamed(judging, round, status);
  if (board == nullptr) return status;
  for (const int player : board->Players()) {
    if (judging.state().players[static_cast<size_t>(player)].id != command.by) continue;
    return base::Error(base::Reason::kScopeMissing, "somebody else must decide your own match");
  }
  if (board->IsBye() && (command.number & kAffectsRating) != 0) {
    return WrongField("affects_rating", "is for matches");
  }
  if (board->IsTable()) {
    if (absl::Status done = OverrideTable(judging, round, *board); !done.ok()) return done;
    return FollowUp(judging, round);
  }
  const auto first = static_cast<Outcome>(command.number & 0xFF);
  const auto second = static_cast<Outcome>(command.number >> 8 & 0xFF);
  if (!FitTogether(first, second, board->IsBye())) {
    return WrongField("result", "is none that this pairing can have");
  }
  const TournamentState& state = judging.state();
  const bool keeps = (command.number >> 16 & 1) != 0;
  if (keeps && !IsElimination(state.terms.format)) {
    return WrongField("keep_advanced", "is for eliminations");
  }
  if (IsElimination(state.terms.format)) {
    if (first == Outcome::kDraw) return WrongField("result", "must say who goes on");
    if (WentOn(state, round, *board) && !keeps) {
      judging.Warn(4, "WENT_ON",
                   "a player of this match has been paired since; if another goes on, matches that "
                   "have begun count for nothing (keep_advanced leaves them)");
    }
  }
  TournamentEntry entry = OfRound(Kind::kResultOverridden, round);
  entry.board = command.board;
  entry.number = command.number;
  if (absl::Status written = judging.Write(entry); !written.ok()) return written;
  return FollowUp(judging, round);
}

absl::Status JudgeRatingCorrected(Judging& judging) {
  const std::vector<RatingDue>& due = judging.state().ratings_due;
  const auto version = static_cast<uint32_t>(judging.command.number >> 1);
  const auto found = std::ranges::find(due, version, &RatingDue::version);
  if (found == due.end()) return WrongState("no rating is to be corrected");
  TournamentEntry entry = OfRound(Kind::kRatingCorrected, found->round);
  entry.board = found->result.board;
  entry.number = judging.command.number;
  return judging.Write(entry);
}

absl::Status JudgeReplayed(Judging& judging) {
  size_t round = 0;
  absl::Status status;
  const TournamentBoard* const board = BoardNamed(judging, round, status);
  if (board == nullptr) return status;
  if (board->IsBye()) return WrongState("nobody plays there");
  if (judging.state().rounds[round - 1].stage == RoundStage::kClosed) {
    return WrongState("the round is closed");
  }
  if (board->attempt >= 9) return WrongState("this pairing has been played ten times");
  TournamentEntry entry = OfRound(Kind::kReplayed, round);
  entry.board = judging.command.board;
  return judging.Write(entry);
}

}  // namespace astragal::core
