// The store of the lobby on PostgreSQL. Contract and failures: lobby_store.h. Owns nothing but a
// reference to the pool; thread-safe.
#ifndef ASTRAGAL_STORAGE_PG_LOBBY_STORE_H_
#define ASTRAGAL_STORAGE_PG_LOBBY_STORE_H_

#include <string>
#include <vector>

#include "storage/lobby_store.h"
#include "storage/pool.h"

namespace astragal::storage {

class PgLobbyStore : public LobbyStore {
 public:
  explicit PgLobbyStore(Pool& pool) : pool_(pool) {}

  absl::StatusOr<Mutation> CreateProposal(const ProposalRecord& proposal, size_t most_open,
                                          const Answer& answer) override;
  absl::StatusOr<Mutation> CloseProposal(base::ProposalId id, ProposalState state,
                                         base::PlayerId by, const Answer& answer) override;
  absl::StatusOr<Mutation> KeepAnswer(const Answer& answer) override;
  absl::StatusOr<std::optional<Answer>> FindAnswer(base::PlayerId account,
                                                   base::RequestId request) override;
  absl::StatusOr<ProposalRecord> GetProposal(base::ProposalId id) override;
  absl::StatusOr<std::vector<ProposalRecord>> GetProposals(
      const std::vector<base::ProposalId>& ids) override;
  absl::StatusOr<std::vector<ProposalRecord>> ListSeeks(base::ProposalId before,
                                                        size_t limit) override;
  absl::StatusOr<std::vector<ProposalRecord>> ListOf(base::PlayerId player, base::ProposalId before,
                                                     size_t limit) override;
  absl::StatusOr<std::vector<ProposalRecord>> ListTickets(const std::string& after_pool,
                                                          base::ProposalId after,
                                                          size_t limit) override;
  absl::StatusOr<size_t> ExpireProposals(size_t limit) override;
  absl::StatusOr<size_t> SweepProposals(int64_t kept_ms, size_t limit) override;

 private:
  absl::StatusOr<std::vector<ProposalRecord>> List(const Statement& statement,
                                                   const Params& params);
  absl::StatusOr<size_t> Count(const Statement& statement, const Params& params);

  Pool& pool_;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_PG_LOBBY_STORE_H_
