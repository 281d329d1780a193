// From requests of the tournament services to what core asks for, and from tournaments to protos.
// Pure; any thread may call them.
#ifndef ASTRAGAL_SERVICES_TOURNAMENT_NOUNS_H_
#define ASTRAGAL_SERVICES_TOURNAMENT_NOUNS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "astragal/v1/tournament.pb.h"
#include "astragal/v1/tournament_service.pb.h"
#include "services/core/tournaments/command.h"
#include "services/core/tournaments/rounds.h"
#include "services/rpc/nouns.h"

namespace astragal::tournament {

// BAD_FIELD.
absl::StatusOr<core::TournamentTerms> Read(const v1::TournamentTerms& terms);

// BAD_FIELD naming `field`.
absl::Status ReadTieBreaks(const google::protobuf::RepeatedPtrField<std::string>& words,
                           const std::string& field, std::vector<algorithms::TieBreak>& to);
v1::TournamentTerms ToProto(const core::TournamentTerms& terms);
v1::Tournament ToProto(const core::TournamentState& state, const rpc::Names& names);
v1::TournamentSummary ToProto(const storage::TournamentHead& head);
v1::Entrant EntrantToProto(const core::TournamentState& state, size_t index,
                           const rpc::Names& names);
v1::Round RoundToProto(const core::TournamentState& state, size_t round);
// A board without the match that it may have.
v1::Pairing BoardToProto(const core::TournamentState& state, size_t board,
                         const core::TournamentBoard& found, const rpc::Names& names);
v1::Pairing PairingToProto(const core::TournamentState& state, size_t round, size_t board,
                           const rpc::Names& names);
v1::StandingsRow ToProto(const core::TournamentState& state, const core::Standing& standing,
                         const rpc::Names& names);
v1::TournamentWarning ToProto(const core::TournamentWarning& warning);
v1::TournamentEvent ToProto(const core::TournamentEntry& entry);

// Zeros for no code.
base::Bytes32 InviteHash(const std::string& code);

// The last round; that of this number if it is not 0. NOT_FOUND, also for a draft unless `drafts`.
absl::StatusOr<size_t> FindRound(const core::TournamentState& state, int32_t number, bool drafts);
// Whether somebody in this role sees drafts of rounds.
bool SeesDrafts(const core::TournamentState& state, base::PlayerId viewer);
// Whether an entry is to be seen by somebody who does not see drafts.
bool IsPublic(const core::TournamentEntry& entry);

// The entry's place in its enum is the one of core.
core::TournamentCommand NewCommand(core::TournamentEntryKind kind, base::PlayerId by,
                                   const base::RequestId& request, const base::Bytes32& body_hash);

}  // namespace astragal::tournament

#endif  // ASTRAGAL_SERVICES_TOURNAMENT_NOUNS_H_
