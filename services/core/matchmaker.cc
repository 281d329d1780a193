#include "services/core/matchmaker.h"

#include <utility>

#include "services/algorithms/matchmaking.h"
#include "services/core/completion.h"

namespace astragal::core {

// A page that is full may end within a pool: that pool waits for the next page, unless it fills a
// whole one by itself.
std::vector<storage::ProposalRecord> Matchmaker::TakePage() {
  auto page = lobby_.store().ListTickets(after_pool_, after_, kMaxTickets);
  if (!page.ok() || page->size() < kMaxTickets) {
    after_pool_.clear();
    after_ = {};
    return page.ok() ? *std::move(page) : std::vector<storage::ProposalRecord>();
  }
  const std::string last_pool = page->back().pool;
  if (page->front().pool != last_pool) {
    while (page->back().pool == last_pool) page->pop_back();
  }
  after_pool_ = page->back().pool;
  after_ = page->back().id;
  return *std::move(page);
}

void Matchmaker::PairPool(const std::vector<Proposal>& tickets) {
  std::vector<algorithms::WaitingPlayer> waiting;
  waiting.reserve(tickets.size());
  for (const Proposal& ticket : tickets) {
    waiting.push_back({ticket.record.player, ticket.terms.last_opponent, ticket.record.rating,
                       ticket.record.created_at, kWholeCompletion - ticket.terms.missed,
                       ticket.terms.least_completion});
  }
  const Instant now = lobby_.games().world().clock.Now();
  for (const auto& [older, younger] : algorithms::PairPlayers(waiting, now)) {
    CreateGame create = lobby_.GameOf(tickets[older], tickets[younger].record.player);
    create.takes.push_back(tickets[younger].record.id);
    // Whoever is not paired now, because another node was faster, is in the next round.
    lobby_.games().Create(std::move(create), [](const absl::StatusOr<CommandResult>&) {});
  }
}

void Matchmaker::Round() {
  std::vector<Proposal> pool;
  for (storage::ProposalRecord& record : TakePage()) {
    absl::StatusOr<Proposal> ticket = ReadProposal(std::move(record));
    if (!ticket.ok()) continue;
    if (!pool.empty() && pool.front().record.pool != ticket->record.pool) {
      PairPool(std::exchange(pool, {}));
    }
    pool.push_back(*std::move(ticket));
  }
  if (!pool.empty()) PairPool(pool);
  // While the database is away, nothing ends.
  (void)lobby_.store().ExpireProposals(kMaxEnded);
  (void)lobby_.store().SweepProposals(kKeptMs, kMaxEnded);
}

void Matchmaker::RunForEver() {
  lobby_.games().world().scheduler.PostAfter(kRoundMs, [this] {
    Round();
    RunForEver();
  });
}

}  // namespace astragal::core
