// RecordService: stored games as evidence and as files.
#ifndef ASTRAGAL_SERVICES_RECORD_RECORD_SERVICE_H_
#define ASTRAGAL_SERVICES_RECORD_RECORD_SERVICE_H_

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "astragal/v1/record_service.grpc.pb.h"
#include "services/algorithms/game_record.h"
#include "services/core/receipts.h"
#include "services/core/world.h"
#include "services/rpc/call.h"
#include "storage/history_store.h"
#include "storage/packed_logs.h"
#include "storage/tournament_store.h"

namespace astragal::record {

// The matches of a tournament that this player may see; NOT_FOUND. May block.
using MatchesOfTournament = std::function<absl::StatusOr<std::vector<base::MatchId>>(
    storage::TournamentId tournament, base::PlayerId viewer)>;

// Owns nothing; the references must outlive it. Thread-safe.
class RecordService : public v1::RecordService::CallbackService {
 public:
  RecordService(const core::World& world, storage::HistoryStore& store, storage::PackedLogs& logs,
                const core::Receipts& receipts, MatchesOfTournament matches_of_tournament,
                rpc::Calls& calls)
      : world_(world),
        store_(store),
        logs_(logs),
        receipts_(receipts),
        matches_of_tournament_(std::move(matches_of_tournament)),
        calls_(calls) {}

  // finding.cc
  grpc::ServerUnaryReactor* FindSequence(grpc::CallbackServerContext* context,
                                         const v1::FindSequenceRequest* request,
                                         v1::FindSequenceResponse* response) override;
  grpc::ServerUnaryReactor* FindGames(grpc::CallbackServerContext* context,
                                      const v1::FindGamesRequest* request,
                                      v1::FindGamesResponse* response) override;

  // statistics.cc
  grpc::ServerUnaryReactor* GetGameStatistics(grpc::CallbackServerContext* context,
                                              const v1::GetGameStatisticsRequest* request,
                                              v1::GetGameStatisticsResponse* response) override;
  grpc::ServerUnaryReactor* GetThrowStatistics(grpc::CallbackServerContext* context,
                                               const v1::GetThrowStatisticsRequest* request,
                                               v1::GetThrowStatisticsResponse* response) override;

  // proofs.cc
  grpc::ServerUnaryReactor* GetFairnessProof(grpc::CallbackServerContext* context,
                                             const v1::GetFairnessProofRequest* request,
                                             v1::GetFairnessProofResponse* response) override;
  grpc::ServerUnaryReactor* GetReceipt(grpc::CallbackServerContext* context,
                                       const v1::GetReceiptRequest* request,
                                       v1::GetReceiptResponse* response) override;
  grpc::ServerUnaryReactor* ListReceiptKeys(grpc::CallbackServerContext* context,
                                            const v1::ListReceiptKeysRequest* request,
                                            v1::ListReceiptKeysResponse* response) override;
  grpc::ServerUnaryReactor* VerifyGame(grpc::CallbackServerContext* context,
                                       const v1::VerifyGameRequest* request,
                                       v1::VerifyGameResponse* response) override;
  grpc::ServerUnaryReactor* CompareBuilds(grpc::CallbackServerContext* context,
                                          const v1::CompareBuildsRequest* request,
                                          v1::CompareBuildsResponse* response) override;

  grpc::ServerWriteReactor<v1::ExportGamesResponse>* ExportGames(
      grpc::CallbackServerContext* context, const v1::ExportGamesRequest* request) override;

  // verify_all.cc
  grpc::ServerUnaryReactor* VerifyGames(grpc::CallbackServerContext* context,
                                        const v1::VerifyGamesRequest* request,
                                        v1::VerifyGamesResponse* response) override;

  // imports.cc
  grpc::ServerUnaryReactor* ImportGames(grpc::CallbackServerContext* context,
                                        const v1::ImportGamesRequest* request,
                                        v1::ImportGamesResponse* response) override;
  grpc::ServerUnaryReactor* ArchiveGames(grpc::CallbackServerContext* context,
                                         const v1::ArchiveGamesRequest* request,
                                         v1::ArchiveGamesResponse* response) override;

 private:
  absl::StatusOr<storage::GameSearch> Read(const v1::GameConditions& conditions,
                                           base::PlayerId viewer) const;
  // Match and tournament as the matches that a game may belong to.
  absl::Status ReadMatches(const v1::GameConditions& conditions, base::PlayerId viewer,
                           storage::GameSearch& search) const;
  absl::Status Find(const v1::FindGamesRequest& request, base::PlayerId viewer,
                    v1::FindGamesResponse& response);
  absl::Status CountGames(const v1::GetGameStatisticsRequest& request, base::PlayerId viewer,
                          v1::GetGameStatisticsResponse& response);
  absl::Status CountThrows(const v1::GetThrowStatisticsRequest& request,
                           v1::GetThrowStatisticsResponse& response);
  absl::Status VerifyNext(const v1::VerifyGamesRequest& request, v1::VerifyGamesResponse& response);
  absl::Status Import(const v1::ImportGamesRequest& request, v1::ImportGamesResponse& response);
  absl::Status Archive(const v1::ArchiveGamesRequest& request, v1::ArchiveGamesResponse& response);
  // What the store says of a game that is to be imported: nothing (then `out` is untouched), that
  // very game, whose log may come back from an archive, or another one.
  void LookUp(const storage::GameCommit& commit, bool validate_only, v1::ImportedGame& out);
  // What is to be stored of a record; nothing when `out` says what became of it already.
  std::optional<storage::GameCommit> ReadGame(const algorithms::RecordPart& part,
                                              bool validate_only, v1::ImportedGame& out);
  void StoreGames(const std::vector<storage::GameCommit>& commits,
                  const std::vector<v1::ImportedGame*>& answers);

  const core::World& world_;
  storage::HistoryStore& store_;
  storage::PackedLogs& logs_;
  const core::Receipts& receipts_;
  const MatchesOfTournament matches_of_tournament_;
  rpc::Calls& calls_;
};

}  // namespace astragal::record

#endif  // ASTRAGAL_SERVICES_RECORD_RECORD_SERVICE_H_
