#include "services/tournament/director_service.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "services/base/status.h"
#include "services/rpc/still_wanted.h"
#include "services/tournament/nouns.h"

namespace astragal::tournament {
namespace {

using algorithms::Outcome;
using core::TournamentCommand;
using Kind = core::TournamentEntryKind;

absl::Status SetPlayer(const std::string& text, base::PlayerId& player) {
  const auto id = rpc::ReadId<base::PlayerId>(text, "player");
  if (id.ok()) player = *id;
  return id.status();
}

int64_t OutcomeNumber(v1::PairingResult result) { return static_cast<int64_t>(result) & 0xFF; }

std::vector<base::PlayerId> PlayersOf(const core::TournamentState& state) {
  std::vector<base::PlayerId> players = {state.owner};
  for (const core::TournamentPlayer& player : state.players) players.push_back(player.id);
  return players;
}

}  // namespace

absl::Status DirectorService::Carry(const v1::DirectorHeader& header, TournamentCommand command,
                                    v1::DirectorAnswer& answer) {
  const auto id = rpc::ReadId<storage::TournamentId>(header.tournament_id(), "tournament");
  if (!id.ok()) return id.status();
  if (header.expected_version() != 0) command.expected_version = header.expected_version();
  command.reason = header.reason();
  command.validate_only = header.validate_only();
  command.accepts.assign(header.accept_warnings().begin(), header.accept_warnings().end());
  const absl::StatusOr<core::TournamentAnswer> done = tournaments_.Do(*id, command);
  if (!done.ok()) return done.status();
  const core::TournamentState& shown = done->would_be ? *done->would_be : *done->tournament;
  const auto names = calls_.accounts().Names(
      done->would_be ? PlayersOf(shown) : std::vector<base::PlayerId>{shown.owner});
  if (!names.ok()) return names.status();
  *answer.mutable_tournament() = ToProto(*done->tournament, *names);
  for (const core::TournamentWarning& warning : done->warnings) {
    *answer.add_warnings() = ToProto(warning);
  }
  answer.set_repeated_request(done->repeated);
  if (absl::Status shown_too = AddWouldHave(*done, answer); !shown_too.ok()) return shown_too;
  if (done->would_be && !shown.rounds.empty()) {
    const size_t last = shown.rounds.size() - 1;
    *answer.mutable_would_be_round() = RoundToProto(shown, last);
    for (size_t board = 0; board < shown.rounds[last].boards.size(); ++board) {
      *answer.add_would_be_pairings() = PairingToProto(shown, last, board, *names);
    }
  }
  return absl::OkStatus();
}

absl::Status DirectorService::AddWouldHave(const core::TournamentAnswer& done,
                                           v1::DirectorAnswer& answer) const {
  if (done.would_have_paired.empty()) return absl::OkStatus();
  const core::TournamentState& state = *done.tournament;
  const auto names = calls_.accounts().Names(PlayersOf(state));
  if (!names.ok()) return names.status();
  for (size_t board = 0; board < done.would_have_paired.size(); ++board) {
    *answer.add_would_have_paired() =
        BoardToProto(state, board, done.would_have_paired[board], *names);
  }
  return absl::OkStatus();
}

template <typename Request, typename Response>
grpc::ServerUnaryReactor* DirectorService::Command(grpc::CallbackServerContext* context,
                                                   const Request* request, Response* response,
                                                   Kind kind, Fill fill) {
  return calls_.Identified(
      context, *request,
      [this, context, request, response, kind, fill](const core::Identity& caller) -> absl::Status {
        const auto id = rpc::ReadRequestId(request->header().request_id());
        if (!id.ok()) return id.status();
        const base::Bytes32 hash =
            rpc::BodyHash(std::string(Request::descriptor()->name()), *request);
        TournamentCommand command = NewCommand(kind, caller.player, *id, hash);
        command.go_on = [context] { return rpc::StillWanted(*context); };
        if (fill != nullptr) {
          if (absl::Status filled = fill(command); !filled.ok()) return filled;
        }
        if (kind == Kind::kRegistered || kind == Kind::kRoleGiven) {
          const auto exists = calls_.accounts().GetPlayer(command.player);
          if (!exists.ok()) return exists.status();
        }
        return Carry(request->header(), std::move(command), *response->mutable_answer());
      },
      rpc::Calls::Purpose::kChange);
}

// Commands that say nothing beside the header.
#define ASTRAGAL_COMMAND(Name, kind)                                                    \
  grpc::ServerUnaryReactor* DirectorService::Name(grpc::CallbackServerContext* context, \
                                                  const v1::Name##Request* request,     \
                                                  v1::Name##Response* response) {       \
    return Command(context, request, response, Kind::kind);                             \
  }
// Commands about a player.
#define ASTRAGAL_PLAYER_COMMAND(Name, kind, number_of)                                        \
  grpc::ServerUnaryReactor* DirectorService::Name(grpc::CallbackServerContext* context,       \
                                                  const v1::Name##Request* request,           \
                                                  v1::Name##Response* response) {             \
    return Command(context, request, response, Kind::kind, [request](TournamentCommand& to) { \
      to.number = number_of;                                                                  \
      return SetPlayer(request->player_id(), to.player);                                      \
    });                                                                                       \
  }

ASTRAGAL_COMMAND(OpenRegistration, kRegistrationOpened)
ASTRAGAL_COMMAND(OpenCheckIn, kCheckInOpened)
ASTRAGAL_COMMAND(DraftRound, kRoundDrafted)
ASTRAGAL_COMMAND(PublishRound, kRoundPublished)
ASTRAGAL_COMMAND(UnpublishRound, kRoundUnpublished)
ASTRAGAL_COMMAND(CloseRound, kRoundClosed)
ASTRAGAL_COMMAND(PauseTournament, kPaused)
ASTRAGAL_COMMAND(ResumeTournament, kResumed)
ASTRAGAL_COMMAND(FinishTournament, kFinished)
ASTRAGAL_COMMAND(ReopenTournament, kReopened)
ASTRAGAL_COMMAND(CancelTournament, kCancelled)

ASTRAGAL_PLAYER_COMMAND(AddPlayer, kRegistered, request->rating())
ASTRAGAL_PLAYER_COMMAND(WithdrawPlayer, kWithdrawn, request->forfeit() ? 1 : 0)
ASTRAGAL_PLAYER_COMMAND(PausePlayer, kPlayerPaused, 0)
ASTRAGAL_PLAYER_COMMAND(ReturnPlayer, kPlayerReturned, 0)
ASTRAGAL_PLAYER_COMMAND(ExpelPlayer, kExpelled, 0)
ASTRAGAL_PLAYER_COMMAND(AdjustPoints, kAdjusted, request->tenths())
ASTRAGAL_PLAYER_COMMAND(GiveRole, kRoleGiven, request->role())
#undef ASTRAGAL_COMMAND
#undef ASTRAGAL_PLAYER_COMMAND

grpc::ServerUnaryReactor* DirectorService::StartTournament(
    grpc::CallbackServerContext* context, const v1::StartTournamentRequest* request,
    v1::StartTournamentResponse* response) {
  return Command(context, request, response, Kind::kStarted, [request](TournamentCommand& to) {
    to.seed_snapshot = request->seed_snapshot();
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* DirectorService::EditPairing(grpc::CallbackServerContext* context,
                                                       const v1::EditPairingRequest* request,
                                                       v1::EditPairingResponse* response) {
  return Command(context, request, response, Kind::kRoundDrafted,
                 [request](TournamentCommand& command) -> absl::Status {
                   if (request->pairings().empty())
                     return rpc::BadField("pairings", "are required");
                   for (const v1::ManualPairing& pairing : request->pairings()) {
                     if (pairing.first() < 1 || pairing.second() < 0) {
                       return rpc::BadField("pairings", "name a number that nobody has");
                     }
                     core::TournamentBoard& board = command.boards.emplace_back();
                     board.first = pairing.first() - 1;
                     board.second =
                         pairing.second() == 0 ? algorithms::kNobody : pairing.second() - 1;
                   }
                   return absl::OkStatus();
                 });
}

grpc::ServerUnaryReactor* DirectorService::OverrideResult(grpc::CallbackServerContext* context,
                                                          const v1::OverrideResultRequest* request,
                                                          v1::OverrideResultResponse* response) {
  return Command(
      context, request, response, Kind::kResultOverridden, [request](TournamentCommand& command) {
        command.round = request->round();
        command.board = request->board();
        command.number = OutcomeNumber(request->first()) | OutcomeNumber(request->second()) << 8;
        if (request->keep_advanced()) command.number |= int64_t{1} << 16;
        if (request->affects_rating()) command.number |= int64_t{1} << 17;
        if (!request->places().empty()) {
          core::BoardResult& result = command.results.emplace_back();
          for (const int32_t place : request->places()) {
            result.places.push_back(static_cast<uint8_t>(std::clamp(place, 0, 255)));
          }
        }
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* DirectorService::ReplayMatch(grpc::CallbackServerContext* context,
                                                       const v1::ReplayMatchRequest* request,
                                                       v1::ReplayMatchResponse* response) {
  return Command(context, request, response, Kind::kReplayed, [request](TournamentCommand& to) {
    to.round = request->round();
    to.board = request->board();
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* DirectorService::GiveBye(grpc::CallbackServerContext* context,
                                                   const v1::GiveByeRequest* request,
                                                   v1::GiveByeResponse* response) {
  return Command(context, request, response, Kind::kByeRequested, [request](TournamentCommand& to) {
    to.round = request->round();
    to.number = OutcomeNumber(request->value());
    return SetPlayer(request->player_id(), to.player);
  });
}

grpc::ServerUnaryReactor* DirectorService::ForbidPairing(grpc::CallbackServerContext* context,
                                                         const v1::ForbidPairingRequest* request,
                                                         v1::ForbidPairingResponse* response) {
  return Command(context, request, response, Kind::kPairForbidden,
                 [request](TournamentCommand& to) {
                   absl::Status one = SetPlayer(request->player_id(), to.player);
                   return one.ok() ? SetPlayer(request->other_player_id(), to.other) : one;
                 });
}

grpc::ServerUnaryReactor* DirectorService::ChangeRounds(grpc::CallbackServerContext* context,
                                                        const v1::ChangeRoundsRequest* request,
                                                        v1::ChangeRoundsResponse* response) {
  return Command(context, request, response, Kind::kRoundsChanged,
                 [request](TournamentCommand& to) {
                   to.number = request->rounds();
                   return absl::OkStatus();
                 });
}

grpc::ServerUnaryReactor* DirectorService::ChangeTieBreaks(
    grpc::CallbackServerContext* context, const v1::ChangeTieBreaksRequest* request,
    v1::ChangeTieBreaksResponse* response) {
  return Command(context, request, response, Kind::kTieBreaksChanged,
                 [request](TournamentCommand& to) {
                   return ReadTieBreaks(request->tie_breaks(), "tie_breaks", to.tie_breaks);
                 });
}

}  // namespace astragal::tournament
