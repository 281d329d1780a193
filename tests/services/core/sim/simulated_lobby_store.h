// storage::LobbyStore in memory, beside a SimulatedStore whose commits take its proposals: with the
// same rules as the real one. Thread-safe.
#ifndef ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_LOBBY_STORE_H_
#define ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_LOBBY_STORE_H_

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "storage/lobby_store.h"
#include "tests/services/core/sim/simulated_store.h"

namespace astragal::tests {

class SimulatedLobbyStore : public storage::LobbyStore {
 public:
  template <typename T>
  using Or = absl::StatusOr<T>;
  using Mutation = storage::Mutation;
  using Answer = storage::Answer;
  using ProposalRecord = storage::ProposalRecord;

  SimulatedLobbyStore(const base::Clock& clock, SimulatedStore& games);

  Or<Mutation> CreateProposal(const ProposalRecord& proposal, size_t most_open,
                              const Answer& answer) override;
  Or<Mutation> CloseProposal(base::ProposalId id, storage::ProposalState state, base::PlayerId by,
                             const Answer& answer) override;
  Or<Mutation> KeepAnswer(const Answer& answer) override;
  Or<std::optional<Answer>> FindAnswer(base::PlayerId account, base::RequestId request) override;
  Or<ProposalRecord> GetProposal(base::ProposalId id) override;
  Or<std::vector<ProposalRecord>> GetProposals(const std::vector<base::ProposalId>& ids) override;
  Or<std::vector<ProposalRecord>> ListSeeks(base::ProposalId before, size_t limit) override;
  Or<std::vector<ProposalRecord>> ListOf(base::PlayerId player, base::ProposalId before,
                                         size_t limit) override;
  Or<std::vector<ProposalRecord>> ListTickets(const std::string& after_pool, base::ProposalId after,
                                              size_t limit) override;
  Or<size_t> ExpireProposals(size_t limit) override;
  Or<size_t> SweepProposals(int64_t kept_ms, size_t limit) override;

  // Of this player, made after `since`, and not open any more.
  std::vector<base::ProposalId> EndedOf(base::PlayerId player, base::Instant since) const;

  void SetAway(bool away) { away_ = away; }
  // Another node holds the lock of what the next `count` commits want to take.
  void HoldTakes(int count) { held_ = count; }
  // Called before a proposal is made, without the lock.
  std::function<void()> before_create;

 private:
  bool IsOpen(const ProposalRecord& proposal) const;
  std::vector<ProposalRecord> Newest(base::ProposalId before, size_t limit,
                                     const std::function<bool(const ProposalRecord&)>& fits);
  std::optional<Mutation> Repeated(const Answer& answer) const;
  Mutation Keep(const Answer& answer);

  const base::Clock& clock_;
  bool away_ = false;
  int held_ = 0;
  mutable std::mutex mutex_;
  std::map<base::ProposalId, ProposalRecord> proposals_;
  std::map<std::tuple<base::PlayerId, base::IdBytes>, Answer> answers_;
};

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_LOBBY_STORE_H_
