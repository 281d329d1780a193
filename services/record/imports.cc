// RecordService: games written down, games brought by their records, and logs that go to an
// archive.
#include <utility>

#include "services/base/status.h"
#include "services/core/packed_log.h"
#include "services/core/record_log.h"
#include "services/record/export_stream.h"
#include "services/record/record_extras.h"
#include "services/record/record_service.h"
#include "services/rpc/nouns.h"

namespace astragal::record {
namespace {

constexpr size_t kMaxRecords = 1'000;
constexpr size_t kMaxArchiveName = 256;
constexpr size_t kStoredAtOnce = 32;  // games in one transaction

void Refuse(v1::ImportedGame& out, uint32_t line, absl::string_view reason) {
  out.set_outcome(v1::ImportedGame::OUTCOME_REFUSED);
  out.set_line(line);
  out.set_reason(std::string(reason));
}

}  // namespace

void RecordService::LookUp(const storage::GameCommit& commit, bool validate_only,
                           v1::ImportedGame& out) {
  const base::GameId id = commit.head.id;
  const auto stored = world_.store.Load(id);
  if (base::ReasonOf(stored.status()) == base::Reason::kNotFound) return;
  if (!stored.ok()) return Refuse(out, 0, stored.status().message());
  if (stored->head.chain_hash != commit.head.chain_hash) {
    return Refuse(out, 0, "another game has this id");
  }
  const auto log = logs_.Read(id);
  if (!log.ok()) return Refuse(out, 0, log.status().message());
  out.set_outcome(v1::ImportedGame::OUTCOME_ALREADY_THERE);
  if (!*log || !(*log)->bytes.empty()) return;
  if (!validate_only) {
    const std::optional<std::string> packed = core::PackLog(stored->facts, commit.events);
    if (!packed) return Refuse(out, 0, "the log has no packed form");
    const auto restored = logs_.Restore(id, *packed);
    if (!restored.ok()) return Refuse(out, 0, restored.status().message());
  }
  out.set_outcome(v1::ImportedGame::OUTCOME_IMPORTED);
}

std::optional<storage::GameCommit> RecordService::ReadGame(const algorithms::RecordPart& part,
                                                           bool validate_only,
                                                           v1::ImportedGame& out) {
  algorithms::ReadRecord read = algorithms::ReadPart(part);
  if (!read.game.is_nil()) out.set_game_id(read.game.ToText());
  algorithms::RecordFault fault = read.fault;
  std::optional<storage::GameCommit> commit;
  if (read.record) commit = core::CommitOf(world_, *read.record, fault);
  if (!commit) {
    Refuse(out, fault.line, fault.reason);
    return std::nullopt;
  }
  LookUp(*commit, validate_only, out);
  if (out.outcome() != v1::ImportedGame::OUTCOME_UNSPECIFIED) return std::nullopt;
  if (validate_only) {
    out.set_outcome(v1::ImportedGame::OUTCOME_IMPORTED);
    return std::nullopt;
  }
  // First what nobody sees without the game: then the game, whole.
  if (const std::string extras = ExtrasOf(*read.record); !extras.empty()) {
    const absl::Status kept = store_.KeepExtras(commit->head.id, extras);
    if (!kept.ok()) {
      Refuse(out, 0, kept.message());
      return std::nullopt;
    }
  }
  return commit;
}

void RecordService::StoreGames(const std::vector<storage::GameCommit>& commits,
                               const std::vector<v1::ImportedGame*>& answers) {
  const auto report = world_.store.Commit(commits);
  for (size_t i = 0; i < commits.size(); ++i) {
    v1::ImportedGame& out = *answers[i];
    if (report.ok() && report->outcomes[i] == storage::CommitOutcome::kCommitted) {
      out.set_outcome(v1::ImportedGame::OUTCOME_IMPORTED);
      continue;
    }
    // Twice in one request, or nobody knows whether it was stored.
    LookUp(commits[i], false, out);
    if (out.outcome() != v1::ImportedGame::OUTCOME_UNSPECIFIED) continue;
    Refuse(out, 0, report.ok() ? "the database refused it" : report.status().message());
  }
}

absl::Status RecordService::Import(const v1::ImportGamesRequest& request,
                                   v1::ImportGamesResponse& response) {
  const auto parts = algorithms::SplitRecords(request.records());
  if (parts.size() > kMaxRecords) return rpc::BadField("records", "has more than 1,000 games");
  std::vector<storage::GameCommit> commits;
  std::vector<v1::ImportedGame*> answers;
  const auto store = [&] {
    if (!commits.empty()) StoreGames(commits, answers);
    commits.clear();
    answers.clear();
  };
  for (const algorithms::RecordPart& part : parts) {
    v1::ImportedGame& out = *response.add_games();
    std::optional<storage::GameCommit> commit = ReadGame(part, request.validate_only(), out);
    if (!commit) continue;
    commits.push_back(*std::move(commit));
    answers.push_back(&out);
    if (commits.size() == kStoredAtOnce) store();
  }
  store();
  return absl::OkStatus();
}

absl::Status RecordService::Archive(const v1::ArchiveGamesRequest& request,
                                    v1::ArchiveGamesResponse& response) {
  if (request.game_ids().empty() ||
      request.game_ids_size() > static_cast<int>(storage::PackedLogs::kMaxListed)) {
    return rpc::BadField("game_ids", "must have 1 to 1,000 entries");
  }
  if (request.archive().empty() || request.archive().size() > kMaxArchiveName) {
    return rpc::BadField("archive", "must have 1 to 256 bytes");
  }
  std::vector<base::GameId> games;
  for (const std::string& text : request.game_ids()) {
    const auto id = rpc::ReadId<base::GameId>(text, "game");
    if (!id.ok()) return id.status();
    games.push_back(*id);
  }
  const auto archived = logs_.Archive(games, request.archive());
  if (!archived.ok()) return archived.status();
  response.set_archived(static_cast<int32_t>(*archived));
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* RecordService::ArchiveGames(grpc::CallbackServerContext* context,
                                                      const v1::ArchiveGamesRequest* request,
                                                      v1::ArchiveGamesResponse* response) {
  return calls_.Identified(
      context, *request,
      [this, request, response](const core::Identity& /*operator*/) {
        return Archive(*request, *response);
      },
      rpc::Calls::Purpose::kChange);
}

grpc::ServerWriteReactor<v1::ExportGamesResponse>* RecordService::ExportGames(
    grpc::CallbackServerContext* context, const v1::ExportGamesRequest* request) {
  return std::make_shared<ExportStream>(world_, store_, calls_, *request)
      ->Begin(*context, *request);
}

grpc::ServerUnaryReactor* RecordService::ImportGames(grpc::CallbackServerContext* context,
                                                     const v1::ImportGamesRequest* request,
                                                     v1::ImportGamesResponse* response) {
  return calls_.Identified(
      context, *request,
      [this, request, response](const core::Identity& /*operator*/) {
        return Import(*request, *response);
      },
      rpc::Calls::Purpose::kChange);
}

}  // namespace astragal::record
