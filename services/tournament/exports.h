// Tournaments as files: report files, standings, crosstables, brackets. Pure.
#ifndef ASTRAGAL_SERVICES_TOURNAMENT_EXPORTS_H_
#define ASTRAGAL_SERVICES_TOURNAMENT_EXPORTS_H_

#include <string>

#include "absl/status/statusor.h"
#include "astragal/v1/tournament_service.pb.h"
#include "services/core/tournaments/state.h"
#include "services/rpc/nouns.h"

namespace astragal::tournament {

struct ExportedFile {
  std::string text;
  std::string media_type;
};

// Of the rounds that are published. BAD_FIELD for a content or format that there is not, and for a
// report file of too many players.
absl::StatusOr<ExportedFile> Export(const core::TournamentState& state, const rpc::Names& names,
                                    v1::TournamentExport content, const std::string& format);

}  // namespace astragal::tournament

#endif  // ASTRAGAL_SERVICES_TOURNAMENT_EXPORTS_H_
