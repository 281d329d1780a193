#include "services/core/tournaments/state.h"

#include <algorithm>
#include <utility>

#include "services/base/bytes.h"
#include "services/base/status.h"

namespace astragal::core {
namespace {

using algorithms::kNobody;
using algorithms::Outcome;
using base::ByteReader;
using base::ByteWriter;
using Kind = TournamentEntryKind;

constexpr uint8_t kFirstLayout = 1;
constexpr uint8_t kLayout = 2;
constexpr uint32_t kNobodyOnWire = 0xFFFFFFFF;
enum BoardFlag : uint8_t { kLocked = 1, kManual = 2 };

absl::Status Damaged() {
  return base::Error(base::Reason::kInternal, "an entry of a tournament cannot be read");
}

void PutPlayer(int player, ByteWriter& out) {
  out.Put(player == kNobody ? kNobodyOnWire : static_cast<uint32_t>(player));
}

int GetPlayer(ByteReader& in) {
  const auto player = in.Get<uint32_t>();
  return player == kNobodyOnWire ? kNobody : static_cast<int>(player);
}

bool DecodeBoards(std::string_view bytes, size_t players, std::vector<TournamentBoard>& boards) {
  ByteReader in(bytes);
  const auto layout = in.Get<uint8_t>();
  if (layout != kLayout && layout != kFirstLayout) return false;
  const auto exists = [players](int player) {
    return player == kNobody || (player >= 0 && static_cast<size_t>(player) < players);
  };
  for (auto left = in.Get<uint32_t>(); left > 0 && in.ok(); --left) {
    TournamentBoard& board = boards.emplace_back();
    board.first = GetPlayer(in);
    board.second = GetPlayer(in);
    board.first_outcome = static_cast<Outcome>(in.Get<uint8_t>());
    board.second_outcome = static_cast<Outcome>(in.Get<uint8_t>());
    board.slot = in.Get<uint32_t>();
    const auto flags = in.Get<uint8_t>();
    board.locked = (flags & kLocked) != 0;
    board.manual = (flags & kManual) != 0;
    if (board.first == kNobody || !exists(board.first) || !exists(board.second)) return false;
    const uint8_t others = layout == kLayout ? in.Get<uint8_t>() : uint8_t{0};
    for (uint8_t i = 0; i < others && in.ok(); ++i) {
      board.others.push_back(GetPlayer(in));
      if (board.others.back() == kNobody || !exists(board.others.back())) return false;
    }
  }
  return in.at_end();
}

bool ApplyResults(std::string_view bytes, TournamentRound& round) {
  ByteReader in(bytes);
  const auto layout = in.Get<uint8_t>();
  if (layout != kLayout && layout != kFirstLayout) return false;
  for (auto left = in.Get<uint32_t>(); left > 0 && in.ok(); --left) {
    const auto number = in.Get<uint32_t>();
    if (number < 1 || number > round.boards.size()) return false;
    TournamentBoard& board = round.boards[number - 1];
    board.first_outcome = static_cast<Outcome>(in.Get<uint8_t>());
    board.second_outcome = static_cast<Outcome>(in.Get<uint8_t>());
    const uint8_t places = layout == kLayout ? in.Get<uint8_t>() : uint8_t{0};
    board.places.clear();
    for (uint8_t i = 0; i < places && in.ok(); ++i) board.places.push_back(in.Get<uint8_t>());
  }
  return in.at_end();
}

// Numbers the players in this order; who is not in it does not play.
bool Number(std::string_view bytes, TournamentState& state) {
  ByteReader in(bytes);
  std::vector<TournamentPlayer> players;
  for (auto left = in.Get<uint32_t>(); left > 0 && in.ok(); --left) {
    const int index = state.IndexOf(base::PlayerId(in.GetArray<16>()));
    if (index == kNobody) return false;
    players.push_back(state.players[static_cast<size_t>(index)]);
  }
  if (!in.at_end()) {
    in.Take(in.Get<uint8_t>());  // the day
    for (TournamentPlayer& player : players) player.rating = in.Get<int32_t>();
  }
  state.players = std::move(players);
  state.index_of.clear();
  for (size_t i = 0; i < state.players.size(); ++i) {
    state.index_of[state.players[i].id] = static_cast<int>(i);
  }
  return in.at_end();
}

absl::Status ApplyCreated(const TournamentEntry& entry, TournamentState& state) {
  absl::StatusOr<TournamentTerms> terms = DecodeTournamentTerms(entry.detail);
  if (!terms.ok()) return terms.status();
  state.terms = *std::move(terms);
  state.owner = entry.by;
  state.created_at = entry.at;
  state.rounds_planned = state.terms.rounds;
  return absl::OkStatus();
}

void Register(const TournamentEntry& entry, TournamentState& state) {
  if (const int index = state.IndexOf(entry.player); index != kNobody) {
    // Again before the start: nothing has been played by what he said before.
    state.players[static_cast<size_t>(index)].status = EntrantStatus::kIn;
    state.players[static_cast<size_t>(index)].begins_second = !entry.detail.empty();
    return;
  }
  TournamentPlayer player;
  player.id = entry.player;
  player.rating = static_cast<int>(entry.number);
  player.begins_second = !entry.detail.empty();
  player.first_round = static_cast<int>(state.rounds.size()) + 1;
  state.index_of[player.id] = static_cast<int>(state.players.size());
  state.players.push_back(std::move(player));
}

// Entries that concern a player who takes part.
bool ApplyToPlayer(const TournamentEntry& entry, TournamentPlayer& player) {
  switch (entry.kind) {
    case Kind::kCheckedIn:
      player.checked_in = true;
      return true;
    case Kind::kWithdrawn:
      player.status = EntrantStatus::kWithdrawn;
      return true;
    case Kind::kPlayerPaused:
      player.status = EntrantStatus::kPaused;
      return true;
    case Kind::kPlayerReturned:
      player.status = EntrantStatus::kIn;
      return true;
    case Kind::kExpelled:
      player.status = EntrantStatus::kExpelled;
      return true;
    case Kind::kByeRequested:
      player.asked_for[entry.round] = static_cast<Outcome>(entry.number);
      return true;
    case Kind::kAdjusted:
      player.adjustment += static_cast<int>(entry.number);
      return true;
    default:
      return false;
  }
}

bool Draft(const TournamentEntry& entry, TournamentState& state) {
  const size_t number = entry.round;
  if (number == 0 || number > state.rounds.size() + 1) return false;
  if (number > state.rounds.size()) state.rounds.emplace_back();
  TournamentRound round;
  round.engine = static_cast<int>(entry.number & 0xFF);
  round.engine_version = static_cast<int>(entry.number >> 8);
  round.drafted_at = entry.at;
  round.drafted_version = entry.version;
  if (!DecodeBoards(entry.detail, state.players.size(), round.boards)) return false;
  state.rounds.back() = std::move(round);
  return true;
}

// A round of one board that nobody drafts.
bool Challenge(const TournamentEntry& entry, TournamentState& state) {
  TournamentBoard board;
  board.first = state.IndexOf(entry.by);
  board.second = state.IndexOf(entry.player);
  if (board.first == kNobody || board.second == kNobody) return false;
  TournamentRound& round = state.rounds.emplace_back();
  round.stage = RoundStage::kPlaying;
  round.drafted_at = round.published_at = entry.at;
  round.drafted_version = entry.version;
  round.boards.push_back(std::move(board));
  return true;
}

uint8_t WinnerOf(const TournamentBoard& board) {
  const auto wins = [](Outcome outcome) {
    return outcome == Outcome::kWin || outcome == Outcome::kForfeitWin;
  };
  if (board.went_on != 0) return board.went_on;
  return wins(board.first_outcome) ? 1 : wins(board.second_outcome) ? 2 : 0;
}

bool Override(const TournamentEntry& entry, TournamentRound& round) {
  TournamentBoard& board = round.boards[entry.board - 1];
  board.overridden = true;
  if (board.IsTable()) return ApplyResults(entry.detail, round);
  board.went_on = (entry.number >> 16 & 1) != 0 ? WinnerOf(board) : uint8_t{0};
  board.first_outcome = static_cast<Outcome>(entry.number & 0xFF);
  board.second_outcome = static_cast<Outcome>(entry.number >> 8 & 0xFF);
  return true;
}

void AddRatingDue(const TournamentEntry& entry, const TournamentBoard& board,
                  TournamentState& state) {
  if ((entry.number >> 17 & 1) == 0) return;
  RatingDue due;
  due.version = entry.version;
  due.round = entry.round;
  due.attempt = board.attempt;
  due.result = {entry.board, board.first_outcome, board.second_outcome, board.places};
  due.reason = entry.reason;
  due.at = entry.at;
  state.ratings_due.push_back(std::move(due));
}

bool RemoveRatingDue(const TournamentEntry& entry, TournamentState& state) {
  const auto version = static_cast<uint32_t>(entry.number >> 1);
  return std::erase_if(state.ratings_due,
                       [version](const RatingDue& due) { return due.version == version; }) == 1;
}

bool ApplyToRound(const TournamentEntry& entry, TournamentState& state) {
  if (entry.kind == Kind::kRoundDrafted) return Draft(entry, state);
  if (entry.kind == Kind::kChallenged) return Challenge(entry, state);
  if (entry.round < 1 || entry.round > state.rounds.size()) return false;
  TournamentRound& round = state.rounds[entry.round - 1u];
  switch (entry.kind) {
    case Kind::kRoundPublished:
      round.stage = RoundStage::kPlaying;
      round.published_at = entry.at;
      return true;
    case Kind::kRoundUnpublished:
      round.stage = RoundStage::kDrafted;
      round.drafted_at = entry.at;
      return true;
    case Kind::kRoundClosed:
      round.stage = RoundStage::kClosed;
      return true;
    case Kind::kResults:
      return ApplyResults(entry.detail, round);
    default:
      break;
  }
  if (entry.board < 1 || entry.board > round.boards.size()) return false;
  TournamentBoard& board = round.boards[entry.board - 1];
  if (entry.kind == Kind::kReplayed) {
    board.first_outcome = board.second_outcome = Outcome::kNothing;
    board.places.clear();
    ++board.attempt;
    return true;
  }
  if (entry.kind == Kind::kRatingCorrected) return RemoveRatingDue(entry, state);
  if (entry.kind != Kind::kResultOverridden || !Override(entry, round)) return false;
  AddRatingDue(entry, board, state);
  return true;
}

bool ReadTieBreaks(std::string_view words, std::vector<algorithms::TieBreak>& to) {
  to.clear();
  while (!words.empty()) {
    const size_t end = std::min(words.find(','), words.size());
    const auto tie_break = algorithms::ParseTieBreak(words.substr(0, end));
    if (!tie_break) return false;
    to.push_back(*tie_break);
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return true;
}

// Entries that move the whole tournament on.
bool ApplyToAll(const TournamentEntry& entry, TournamentState& state) {
  switch (entry.kind) {
    case Kind::kRegistrationOpened:
      state.status = TournamentStatus::kRegistration;
      return true;
    case Kind::kCheckInOpened:
      state.status = TournamentStatus::kCheckIn;
      return true;
    case Kind::kStarted:
      state.status = TournamentStatus::kRunning;
      state.rounds_planned = static_cast<int>(entry.number);
      state.started_at = entry.at;
      return Number(entry.detail, state);
    case Kind::kFinished:
      state.status = TournamentStatus::kFinished;
      return true;
    case Kind::kCancelled:
      state.status = TournamentStatus::kCancelled;
      return true;
    case Kind::kPaused:
    case Kind::kReopened:  // its director works on it, and finishes it again
      state.status = TournamentStatus::kPaused;
      return true;
    case Kind::kResumed:
      state.status = TournamentStatus::kRunning;
      return true;
    case Kind::kRegistered:
      Register(entry, state);
      return true;
    case Kind::kRoundsChanged:
      state.rounds_planned = static_cast<int>(entry.number);
      return true;
    case Kind::kTieBreaksChanged:
      return ReadTieBreaks(entry.detail, state.terms.tie_breaks);
    case Kind::kRoleGiven:
      state.roles[entry.player] = static_cast<TournamentRole>(entry.number);
      return true;
    case Kind::kPairForbidden:
      state.forbidden.emplace_back(entry.player,
                                   base::PlayerId(ByteReader(entry.detail).GetArray<16>()));
      return true;
    case Kind::kNextStageCreated:
      state.next_stage = TournamentId(ByteReader(entry.detail).GetArray<16>());
      return !state.next_stage.is_nil();
    default:
      return false;
  }
}

bool IsAboutResults(Kind kind) { return kind == Kind::kResults || kind == Kind::kRatingCorrected; }

}  // namespace

std::vector<int> TournamentBoard::Players() const {
  std::vector<int> players = {first};
  if (second != kNobody) players.push_back(second);
  players.insert(players.end(), others.begin(), others.end());
  return players;
}

int TournamentState::NextRound() const {
  const bool draft = !rounds.empty() && rounds.back().stage == RoundStage::kDrafted;
  return static_cast<int>(rounds.size()) + (draft ? 0 : 1);
}

std::optional<base::Instant> TournamentState::EndsAt() const {
  if (!IsOpenEnded(terms.format) || terms.duration_ms == 0) return std::nullopt;
  return base::Instant{started_at.micros + terms.duration_ms * 1'000};
}

size_t TournamentRound::Open() const {
  return static_cast<size_t>(std::ranges::count_if(boards, &TournamentBoard::IsOpen));
}

int TournamentState::IndexOf(base::PlayerId player) const {
  const auto found = index_of.find(player);
  return found == index_of.end() ? kNobody : found->second;
}

TournamentRole TournamentState::RoleOf(base::PlayerId player) const {
  if (player.is_nil()) return TournamentRole::kPlayer;
  if (player == owner) return TournamentRole::kOwner;
  const auto found = roles.find(player);
  return found == roles.end() ? TournamentRole::kPlayer : found->second;
}

int TournamentState::RoundsClosed() const {
  return static_cast<int>(std::ranges::count(rounds, RoundStage::kClosed, &TournamentRound::stage));
}

const TournamentRound* TournamentState::Current() const {
  if (rounds.empty() || rounds.back().stage == RoundStage::kClosed) return nullptr;
  return &rounds.back();
}

absl::Status Apply(const TournamentEntry& entry, TournamentState& state) {
  if (entry.version != state.version + 1) return Damaged();
  if (entry.kind == Kind::kCreated) {
    if (absl::Status created = ApplyCreated(entry, state); !created.ok()) return created;
  } else if (!ApplyToAll(entry, state) && !ApplyToRound(entry, state)) {
    const int index = state.IndexOf(entry.player);
    if (index == kNobody || !ApplyToPlayer(entry, state.players[static_cast<size_t>(index)])) {
      return Damaged();
    }
  }
  state.version = entry.version;
  if (!IsAboutResults(entry.kind)) state.changed_version = entry.version;
  state.changed_at = entry.at;
  if (entry.request != base::RequestId{}) {
    state.requests[{entry.by, entry.request.bytes}] = {entry.version, entry.body_hash};
  }
  return absl::OkStatus();
}

std::string EncodeBoards(const std::vector<TournamentBoard>& boards) {
  ByteWriter out;
  out.Put(kLayout).Put(static_cast<uint32_t>(boards.size()));
  for (const TournamentBoard& board : boards) {
    PutPlayer(board.first, out);
    PutPlayer(board.second, out);
    out.Put(static_cast<uint8_t>(board.first_outcome));
    out.Put(static_cast<uint8_t>(board.second_outcome)).Put(board.slot);
    out.Put(static_cast<uint8_t>((board.locked ? kLocked : 0) | (board.manual ? kManual : 0)));
    out.Put(static_cast<uint8_t>(board.others.size()));
    for (const int other : board.others) PutPlayer(other, out);
  }
  return out.Take();
}

std::string EncodeResults(const std::vector<BoardResult>& results) {
  ByteWriter out;
  out.Put(kLayout).Put(static_cast<uint32_t>(results.size()));
  for (const BoardResult& result : results) {
    out.Put(result.board).Put(static_cast<uint8_t>(result.first));
    out.Put(static_cast<uint8_t>(result.second)).Put(static_cast<uint8_t>(result.places.size()));
    for (const uint8_t place : result.places) out.Put(place);
  }
  return out.Take();
}

int SeedList::RatingOf(base::PlayerId player) const {
  const auto found = ratings.find(player);
  return found == ratings.end() ? 0 : found->second;
}

std::string EncodePlayers(const std::vector<base::PlayerId>& players, const SeedList* seeds) {
  ByteWriter out;
  out.Put(static_cast<uint32_t>(players.size()));
  for (const base::PlayerId& player : players) out.Put(player.bytes());
  if (seeds == nullptr) return out.Take();
  out.Put(static_cast<uint8_t>(seeds->day.size())).Put(std::string_view(seeds->day));
  for (const base::PlayerId& player : players) {
    out.Put(static_cast<int32_t>(seeds->RatingOf(player)));
  }
  return out.Take();
}

std::string SeedDayOf(const TournamentEntry& started) {
  ByteReader in(started.detail);
  in.Take(size_t{in.Get<uint32_t>()} * base::PlayerId().bytes().size());
  if (!in.ok() || in.at_end()) return "";
  return std::string(in.Take(in.Get<uint8_t>()));
}

}  // namespace astragal::core
