#include "tests/services/core/sim/simulated_lobby_store.h"

#include <algorithm>
#include <utility>

#include "services/base/status.h"

namespace astragal::tests {

using base::Error;
using base::Reason;
using storage::ProposalKind;
using storage::ProposalState;

namespace {

absl::Status Away() { return Error(Reason::kStoreUnavailable, "the simulated database is away"); }
absl::Status Missing() { return Error(Reason::kNotFound, "there is none"); }

}  // namespace

SimulatedLobbyStore::SimulatedLobbyStore(const base::Clock& clock, SimulatedStore& games)
    : clock_(clock) {
  games.can_take = [this](const storage::GameCommit& commit) {
    const std::lock_guard lock(mutex_);
    if (!commit.takes.empty() && held_ > 0) return --held_ < 0;
    return std::ranges::all_of(commit.takes, [this](const base::ProposalId& id) {
      const auto found = proposals_.find(id);
      return found != proposals_.end() && IsOpen(found->second);
    });
  };
  games.take = [this](const storage::GameCommit& commit) {
    const std::lock_guard lock(mutex_);
    for (const base::ProposalId& id : commit.takes) {
      proposals_[id].state = ProposalState::kTaken;
      proposals_[id].game = commit.head.id;
    }
  };
}

bool SimulatedLobbyStore::IsOpen(const ProposalRecord& proposal) const {
  return proposal.state == ProposalState::kOpen && proposal.expires_at > clock_.Now();
}

std::optional<storage::Mutation> SimulatedLobbyStore::Repeated(const Answer& answer) const {
  const auto found = answers_.find({answer.account, answer.request.bytes});
  if (found == answers_.end()) return std::nullopt;
  return Mutation{true, found->second};
}

storage::Mutation SimulatedLobbyStore::Keep(const Answer& answer) {
  answers_[{answer.account, answer.request.bytes}] = answer;
  return {false, answer};
}

auto SimulatedLobbyStore::CreateProposal(const ProposalRecord& proposal, size_t most_open,
                                         const Answer& answer) -> Or<Mutation> {
  if (const auto now = before_create) now();
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  if (auto repeated = Repeated(answer)) return *repeated;
  const auto is_twin = [&](const auto& item) {
    const ProposalRecord& other = item.second;
    return other.id == proposal.id ||
           (proposal.kind == ProposalKind::kTicket && other.kind == ProposalKind::kTicket &&
            IsOpen(other) && other.player == proposal.player && other.pool == proposal.pool);
  };
  if (const auto twin = std::ranges::find_if(proposals_, is_twin); twin != proposals_.end()) {
    return Error(Reason::kAlreadyExists, "there is one").With("proposal_id", twin->first.ToText());
  }
  const auto open = std::ranges::count_if(proposals_, [&](const auto& item) {
    return item.second.player == proposal.player && IsOpen(item.second);
  });
  if (static_cast<size_t>(open) >= most_open) return Error(Reason::kRateLimited, "too many");
  proposals_[proposal.id] = proposal;
  return Keep(answer);
}

auto SimulatedLobbyStore::CloseProposal(base::ProposalId id, ProposalState state, base::PlayerId by,
                                        const Answer& answer) -> Or<Mutation> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  if (auto repeated = Repeated(answer)) return *repeated;
  const auto found = proposals_.find(id);
  if (found == proposals_.end()) return Missing();
  ProposalRecord& proposal = found->second;
  if ((state == ProposalState::kWithdrawn ? proposal.player : proposal.opponent) != by) {
    return Missing();
  }
  if (!IsOpen(proposal)) {
    return Error(Reason::kProposalClosed, "closed")
        .With("state", static_cast<int64_t>(proposal.state));
  }
  proposal.state = state;
  return Keep(answer);
}

auto SimulatedLobbyStore::KeepAnswer(const Answer& answer) -> Or<Mutation> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  if (auto repeated = Repeated(answer)) return *repeated;
  return Keep(answer);
}

auto SimulatedLobbyStore::FindAnswer(base::PlayerId account, base::RequestId request)
    -> Or<std::optional<Answer>> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  const auto found = answers_.find({account, request.bytes});
  return found == answers_.end() ? std::optional<Answer>() : found->second;
}

auto SimulatedLobbyStore::GetProposal(base::ProposalId id) -> Or<ProposalRecord> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  const auto found = proposals_.find(id);
  if (found == proposals_.end()) return Missing();
  return found->second;
}

auto SimulatedLobbyStore::GetProposals(const std::vector<base::ProposalId>& ids)
    -> Or<std::vector<ProposalRecord>> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  std::vector<ProposalRecord> proposals;
  for (const base::ProposalId& id : ids) {
    if (proposals_.contains(id)) proposals.push_back(proposals_.at(id));
  }
  return proposals;
}

std::vector<storage::ProposalRecord> SimulatedLobbyStore::Newest(
    base::ProposalId before, size_t limit, const std::function<bool(const ProposalRecord&)>& fits) {
  std::vector<ProposalRecord> proposals;
  for (auto item = proposals_.rbegin(); item != proposals_.rend(); ++item) {
    if (proposals.size() >= limit || (!before.is_nil() && item->first >= before)) continue;
    if (IsOpen(item->second) && fits(item->second)) proposals.push_back(item->second);
  }
  return proposals;
}

auto SimulatedLobbyStore::ListSeeks(base::ProposalId before, size_t limit)
    -> Or<std::vector<ProposalRecord>> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  return Newest(before, limit, [](const ProposalRecord& proposal) {
    return proposal.kind == ProposalKind::kSeek;
  });
}

auto SimulatedLobbyStore::ListOf(base::PlayerId player, base::ProposalId before, size_t limit)
    -> Or<std::vector<ProposalRecord>> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  return Newest(before, limit, [&](const ProposalRecord& proposal) {
    return proposal.player == player || proposal.opponent == player;
  });
}

auto SimulatedLobbyStore::ListTickets(const std::string& after_pool, base::ProposalId after,
                                      size_t limit) -> Or<std::vector<ProposalRecord>> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  const auto place = [](const ProposalRecord& ticket) { return std::tie(ticket.pool, ticket.id); };
  std::vector<ProposalRecord> tickets;
  for (const auto& [id, proposal] : proposals_) {
    const bool beyond = place(proposal) > std::tie(after_pool, after);
    if (proposal.kind == ProposalKind::kTicket && IsOpen(proposal) && beyond) {
      tickets.push_back(proposal);
    }
  }
  std::ranges::sort(tickets, {}, place);
  if (tickets.size() > limit) tickets.resize(limit);
  return tickets;
}

auto SimulatedLobbyStore::ExpireProposals(size_t limit) -> Or<size_t> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  size_t count = 0;
  for (auto& [id, proposal] : proposals_) {
    const bool over = proposal.state == ProposalState::kOpen && !IsOpen(proposal);
    if (!over || count == limit) continue;
    proposal.state = ProposalState::kExpired;
    ++count;
  }
  return count;
}

auto SimulatedLobbyStore::SweepProposals(int64_t kept_ms, size_t limit) -> Or<size_t> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  const base::Instant before{clock_.Now().micros - kept_ms * 1'000};
  size_t count = 0;
  std::erase_if(proposals_, [&](const auto& item) {
    return item.second.expires_at < before && count < limit && ++count > 0;
  });
  return count;
}

std::vector<base::ProposalId> SimulatedLobbyStore::EndedOf(base::PlayerId player,
                                                           base::Instant since) const {
  const std::lock_guard lock(mutex_);
  std::vector<base::ProposalId> ids;
  for (const auto& [id, proposal] : proposals_) {
    const bool his = proposal.player == player || proposal.opponent == player;
    const bool ended = proposal.state != ProposalState::kOpen;
    if (his && ended && proposal.created_at >= since) ids.push_back(id);
  }
  return ids;
}

}  // namespace astragal::tests
