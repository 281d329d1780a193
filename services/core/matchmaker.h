// Pairs the tickets of the automatic queue. Runs on every node; that two nodes look at once harms
// nothing, because a ticket is taken in the transaction that creates its game. Also closes
// proposals whose time is over, and forgets old ones. Owns its place in the queue; one round at a
// time.
#ifndef ASTRAGAL_SERVICES_CORE_MATCHMAKER_H_
#define ASTRAGAL_SERVICES_CORE_MATCHMAKER_H_

#include <string>
#include <vector>

#include "services/core/lobby.h"

namespace astragal::core {

class Matchmaker {
 public:
  static constexpr int64_t kRoundMs = 500;
  // Tickets looked at in one round; with more of them rounds go through the pools in turns.
  static constexpr size_t kMaxTickets = 1'000;
  // Proposals expired, and forgotten, in one round.
  static constexpr size_t kMaxEnded = 500;
  static constexpr int64_t kKeptMs = int64_t{7} * 24 * 3600 * 1000;

  explicit Matchmaker(Lobby& lobby) : lobby_(lobby) {}

  // One look at the queue (blocks). The games begin by the commit queue. What fails is tried again
  // in the next round.
  void Round();
  void RunForEver();

 private:
  std::vector<storage::ProposalRecord> TakePage();
  void PairPool(const std::vector<Proposal>& tickets);

  Lobby& lobby_;
  // Where the next round begins.
  std::string after_pool_;
  ProposalId after_;
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_MATCHMAKER_H_
