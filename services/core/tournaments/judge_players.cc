// The rules of what concerns one player.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "services/base/bytes.h"
#include "services/core/tournaments/formats.h"
#include "services/core/tournaments/judging.h"
#include "services/core/tournaments/rounds.h"

namespace astragal::core {
namespace {

using algorithms::kNobody;
using algorithms::Outcome;
using base::Error;
using base::Reason;
using Kind = TournamentEntryKind;

constexpr int64_t kMostAdjusted = 1'000;  // tenths

// The player whom the command concerns; null: he does not take part.
const TournamentPlayer* SubjectOf(const Judging& judging) {
  const int index = judging.state().IndexOf(judging.Subject());
  return index == kNobody ? nullptr : &judging.state().players[static_cast<size_t>(index)];
}

absl::Status NotIn() { return Error(Reason::kNotFound, "no such player in this tournament"); }

// Whether somebody may still come: until more than half of the rounds have begun, where rounds do
// not follow from who is there.
bool TakesLateOnes(const TournamentState& state) {
  if (IsOpenEnded(state.terms.format)) return true;
  const bool swiss = state.terms.format == TournamentFormat::kSwiss ||
                     state.terms.format == TournamentFormat::kTables;
  return swiss && static_cast<int>(state.rounds.size()) * 2 <= state.rounds_planned;
}

size_t CountIn(const TournamentState& state) {
  return static_cast<size_t>(
      std::ranges::count(state.players, EntrantStatus::kIn, &TournamentPlayer::status));
}

int RoundsPublished(const TournamentState& state) {
  const TournamentRound* const current = state.Current();
  const bool draft = current != nullptr && current->stage == RoundStage::kDrafted;
  return static_cast<int>(state.rounds.size()) - (draft ? 1 : 0);
}

// What of the conditions somebody does not meet, in words; empty: he meets them.
std::string Unmet(const TournamentConditions& conditions, const EntrantFacts& facts) {
  const bool wants_rating = conditions.least_rating > 0 || conditions.most_rating > 0;
  if (wants_rating && facts.rating == 0) return "needs a rating";
  if (facts.rating < conditions.least_rating) return "needs a higher rating";
  if (conditions.most_rating > 0 && facts.rating > conditions.most_rating) {
    return "needs a lower rating";
  }
  if (conditions.settled && facts.provisional) return "needs a rating that is not provisional";
  if (facts.matches < conditions.least_matches) return "needs more rated matches";
  if (facts.completion < conditions.least_completion) return "needs to finish more of his games";
  if (facts.age_ms < conditions.least_age_ms) return "needs an older account";
  if (conditions.invite != base::Bytes32{} && conditions.invite != facts.invite) {
    return "needs the code of the invitation";
  }
  return "";
}

// Players must meet the conditions; a director is told of it.
absl::Status CheckConditions(Judging& judging) {
  if (!judging.command.facts) return absl::OkStatus();
  const std::string unmet = Unmet(judging.state().terms.conditions, *judging.command.facts);
  if (unmet.empty()) return absl::OkStatus();
  if (!judging.ByStaff()) return WrongState("who takes part " + unmet);
  judging.Warn(3, "CONDITIONS_NOT_MET", "the player " + unmet);
  return absl::OkStatus();
}

absl::Status WritePlayer(Judging& judging) {
  TournamentEntry entry;
  entry.kind = judging.command.kind;
  entry.player = judging.Subject();
  entry.number = judging.command.number;
  if (judging.command.begins_second) entry.detail = base::ByteWriter().Put(uint8_t{1}).Take();
  return judging.Write(entry);
}

// The round being played is lost for him, if he has not finished it.
absl::Status ForfeitCurrent(Judging& judging, int player) {
  const TournamentRound* const current = judging.state().Current();
  if (current == nullptr || current->stage != RoundStage::kPlaying) return absl::OkStatus();
  for (size_t i = 0; i < current->boards.size(); ++i) {
    const TournamentBoard& board = current->boards[i];
    // Who leaves a table is last by the rules of the game.
    if (!board.IsOpen() || board.IsTable()) continue;
    if (board.first != player && board.second != player) continue;
    const bool first = board.first == player;
    TournamentEntry entry;
    entry.kind = Kind::kResults;
    entry.round = static_cast<uint16_t>(judging.state().rounds.size());
    entry.detail = EncodeResults({{static_cast<uint32_t>(i) + 1,
                                   first ? Outcome::kForfeitLoss : Outcome::kForfeitWin,
                                   first ? Outcome::kForfeitWin : Outcome::kForfeitLoss,
                                   {}}});
    return judging.Write(entry);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status JudgeRegistered(Judging& judging) {
  const TournamentState& state = judging.state();
  const TournamentPlayer* const player = SubjectOf(judging);
  const bool running = state.status == TournamentStatus::kRunning;
  if (player != nullptr && player->status == EntrantStatus::kIn) {
    return Error(Reason::kAlreadyExists, "the player takes part already");
  }
  if (player != nullptr && (running || player->status == EntrantStatus::kExpelled)) {
    return WrongState("who has left cannot register again; a director may let him return");
  }
  if (running && !TakesLateOnes(state)) return WrongState("it is too late to come in");
  const size_t most =
      state.terms.most_players == 0 ? kMaxTournamentPlayers : state.terms.most_players;
  if (CountIn(state) >= most) return WrongState("the tournament is full");
  if (judging.command.number < 0 || judging.command.number > 9'999) {
    return WrongField("rating", "must be 0 to 9999");
  }
  if (judging.command.begins_second && state.terms.sides != SidePolicy::kChoice) {
    return WrongField("begins_second", "is for tournaments where players choose");
  }
  if (absl::Status fits = CheckConditions(judging); !fits.ok()) return fits;
  if (absl::Status written = WritePlayer(judging); !written.ok()) return written;
  return RedraftIfDrafted(judging);
}

absl::Status JudgeChallenged(Judging& judging) {
  const TournamentState& state = judging.state();
  const TournamentCommand& command = judging.command;
  if (state.terms.format != TournamentFormat::kLadder) return WrongState("this is no ladder");
  if (state.EndsAt() && judging.now >= *state.EndsAt()) return WrongState("the time is up");
  const algorithms::Ladder ladder = LadderOf(state);
  const std::vector<bool> playing = Playing(state);
  std::array<int, 2> places{};
  for (size_t i = 0; i < 2; ++i) {
    const int player = state.IndexOf(i == 0 ? command.by : command.player);
    const auto found = std::ranges::find(ladder, player);
    if (player == kNobody || found == ladder.end()) return NotIn();
    if (state.players[static_cast<size_t>(player)].status != EntrantStatus::kIn) {
      return WrongState("one of the players is away");
    }
    if (playing[static_cast<size_t>(player)]) return WrongState("one of the players plays");
    places[i] = static_cast<int>(found - ladder.begin());
  }
  if (!algorithms::MayChallenge(ladder, places[0], places[1])) {
    return WrongState("that place is not within reach: upwards, at most ten places or a tenth");
  }
  if (state.rounds.size() >= UINT16_MAX) return WrongState("this ladder has had its challenges");
  TournamentEntry entry;
  entry.kind = Kind::kChallenged;
  entry.player = command.player;
  return judging.Write(entry);
}

absl::Status JudgePlayer(Judging& judging) {
  const TournamentPlayer* const player = SubjectOf(judging);
  if (player == nullptr) return NotIn();
  const Kind kind = judging.command.kind;
  const EntrantStatus status = player->status;
  if (kind == Kind::kPlayerReturned) {
    const bool may = status == EntrantStatus::kPaused ||
                     (status == EntrantStatus::kWithdrawn && judging.ByStaff());
    if (!may) return WrongState("the player is not away, or a director must let him return");
  } else if (status == EntrantStatus::kWithdrawn || status == EntrantStatus::kExpelled) {
    return WrongState("the player has left the tournament");
  }
  if (absl::Status written = WritePlayer(judging); !written.ok()) return written;
  return kind == Kind::kCheckedIn ? absl::OkStatus() : RedraftIfDrafted(judging);
}

// With number 1 the match that he is in is lost; otherwise it is played on.
absl::Status JudgeWithdrawn(Judging& judging) {
  const TournamentPlayer* const player = SubjectOf(judging);
  if (player == nullptr) return NotIn();
  if (player->status == EntrantStatus::kWithdrawn || player->status == EntrantStatus::kExpelled) {
    return WrongState("the player has left the tournament already");
  }
  const int index = judging.state().IndexOf(judging.Subject());
  if (absl::Status written = WritePlayer(judging); !written.ok()) return written;
  if (judging.command.number == 1) {
    if (absl::Status lost = ForfeitCurrent(judging, index); !lost.ok()) return lost;
  }
  return RedraftIfDrafted(judging);
}

absl::Status JudgeBye(Judging& judging) {
  const TournamentPlayer* const player = SubjectOf(judging);
  if (player == nullptr) return NotIn();
  const TournamentState& state = judging.state();
  const int round = judging.command.round;
  const auto outcome = static_cast<Outcome>(judging.command.number);
  if (outcome != Outcome::kZeroBye && outcome != Outcome::kHalfBye &&
      (outcome != Outcome::kFullBye || !judging.ByStaff())) {
    return WrongField("value", "must be nothing or half a point");
  }
  if (round <= RoundsPublished(state) || round > kMaxTournamentRounds) {
    return WrongField("round", "must be one that is not published yet");
  }
  const bool half = outcome == Outcome::kHalfBye;
  const bool again = half && std::ranges::any_of(player->asked_for, [round](const auto& asked) {
                       return asked.first != round && asked.second == Outcome::kHalfBye;
                     });
  const bool late = half && state.rounds_planned > 0 && round > state.rounds_planned - 2;
  if ((again || late) && !judging.ByStaff()) {
    return WrongState("half a point for a rest: once, and not in the last two rounds");
  }
  if (again) judging.Warn(3, "SECOND_HALF_BYE", "the player has had half a point for a rest");
  if (late) judging.Warn(3, "LATE_HALF_BYE", "half a point for a rest in the last two rounds");
  TournamentEntry entry;
  entry.kind = Kind::kByeRequested;
  entry.player = judging.Subject();
  entry.round = static_cast<uint16_t>(round);
  entry.number = judging.command.number;
  if (absl::Status written = judging.Write(entry); !written.ok()) return written;
  return RedraftIfDrafted(judging);
}

absl::Status JudgePairForbidden(Judging& judging) {
  const TournamentCommand& command = judging.command;
  const TournamentState& state = judging.state();
  if (state.IndexOf(command.player) == kNobody || state.IndexOf(command.other) == kNobody) {
    return NotIn();
  }
  if (command.player == command.other) return WrongField("other_player_id", "is the same player");
  TournamentEntry entry;
  entry.kind = Kind::kPairForbidden;
  entry.player = command.player;
  entry.detail = base::ByteWriter().Put(command.other.bytes()).Take();
  if (absl::Status written = judging.Write(entry); !written.ok()) return written;
  return RedraftIfDrafted(judging);
}

absl::Status JudgeAdjusted(Judging& judging) {
  if (SubjectOf(judging) == nullptr) return NotIn();
  if (std::abs(judging.command.number) > kMostAdjusted || judging.command.number == 0) {
    return WrongField("tenths", "must be -1000 to 1000 and not 0");
  }
  return WritePlayer(judging);
}

absl::Status JudgeRole(Judging& judging) {
  const auto role = static_cast<TournamentRole>(judging.command.number);
  if (judging.command.player.is_nil()) return WrongField("player_id", "is required");
  if (role > TournamentRole::kStreamer || role == TournamentRole::kOwner) {
    return WrongField("role", "is none that can be given");
  }
  return WritePlayer(judging);
}

}  // namespace astragal::core
