#include "storage/pg_lobby_store.h"

#include <algorithm>
#include <utility>

#include "services/base/status.h"
#include "storage/failures.h"
#include "storage/lobby_queries.h"
#include "storage/player_queries.h"

namespace astragal::storage {
namespace {

using base::Error;
using base::Reason;

// A proposal is retried when it may be again.
constexpr int64_t kFullRetryMs = 10'000;

Params AnswerParams(const Answer& answer) {
  Params params;
  params.Uuid(answer.account.bytes()).Uuid(answer.request.bytes);
  params.Hash(answer.body_hash).Bytea(answer.payload);
  return params;
}

int64_t Limited(size_t limit) {
  return static_cast<int64_t>(std::min(limit, LobbyStore::kMaxListed));
}

base::IdBytes BeforeOrHighest(base::ProposalId before) {
  if (!before.is_nil()) return before.bytes();
  base::IdBytes highest;
  highest.fill(0xFF);
  return highest;
}

Error Exists(base::ProposalId id) {
  return Error(Reason::kAlreadyExists, "there is such a proposal already")
      .With("proposal_id", id.ToText());
}

Error NoSuchProposal() { return Error(Reason::kNotFound, "there is no such proposal"); }

}  // namespace

absl::StatusOr<std::optional<Answer>> PgLobbyStore::FindAnswer(base::PlayerId account,
                                                               base::RequestId request) {
  const absl::StatusOr<Rows> rows =
      pool_.Read(kFindAnswer, Params().Uuid(account.bytes()).Uuid(request.bytes));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return std::optional<Answer>();
  return std::make_optional(Answer{account, request, rows->Hash(0, 0), rows->Bytes(0, 1)});
}

absl::StatusOr<Mutation> PgLobbyStore::CreateProposal(const ProposalRecord& proposal,
                                                      size_t most_open, const Answer& answer) {
  Params params = AnswerParams(answer);
  params.Uuid(proposal.id.bytes()).Int(static_cast<int>(proposal.kind));
  params.Uuid(proposal.player.bytes());
  proposal.opponent.is_nil() ? params.Null() : params.Uuid(proposal.opponent.bytes());
  params.Bytea(proposal.terms).Text(proposal.pool).Int(proposal.rating);
  params.Int(proposal.created_at.micros).Int(proposal.expires_at.micros);
  params.Int(static_cast<int64_t>(most_open));
  const absl::StatusOr<Rows> rows = pool_.Write(kCreateProposal, params);
  if (!rows.ok()) {
    const bool raced = Violates(rows.status(), "a proposal id names one proposal");
    return raced ? Exists(proposal.id) : Public(rows.status());
  }
  if (rows->Bool(0, 0)) return Mutation{false, answer};
  absl::StatusOr<std::optional<Answer>> first = FindAnswer(answer.account, answer.request);
  if (!first.ok()) return first.status();
  if (first->has_value()) return Mutation{true, **first};
  if (!rows->IsNull(0, 1)) return Exists(rows->Uuid<base::ProposalId>(0, 1));
  if (!rows->Bool(0, 2)) return Error(Reason::kInternal, "an answer vanished");
  return Error(Reason::kRateLimited, "this player has too many open proposals; withdraw one")
      .With("most_open", static_cast<int64_t>(most_open))
      .RetryAfterMs(kFullRetryMs);
}

absl::StatusOr<Mutation> PgLobbyStore::CloseProposal(base::ProposalId id, ProposalState state,
                                                     base::PlayerId by, const Answer& answer) {
  Params params = AnswerParams(answer);
  params.Uuid(id.bytes()).Uuid(by.bytes()).Int(static_cast<int>(state));
  const absl::StatusOr<Rows> rows = pool_.Write(kCloseProposal, params);
  if (!rows.ok()) return Public(rows.status());
  if (rows->Bool(0, 0)) return Mutation{false, answer};
  absl::StatusOr<std::optional<Answer>> first = FindAnswer(answer.account, answer.request);
  if (!first.ok()) return first.status();
  if (first->has_value()) return Mutation{true, **first};
  if (rows->IsNull(0, 1)) return NoSuchProposal();
  return Error(Reason::kProposalClosed, "the proposal is not open any more")
      .With("state", rows->Int(0, 1));
}

absl::StatusOr<Mutation> PgLobbyStore::KeepAnswer(const Answer& answer) {
  const absl::StatusOr<Rows> rows = pool_.Write(kKeepAnswer, AnswerParams(answer));
  if (!rows.ok()) return Public(rows.status());
  if (rows->Bool(0, 0)) return Mutation{false, answer};
  absl::StatusOr<std::optional<Answer>> first = FindAnswer(answer.account, answer.request);
  if (!first.ok()) return first.status();
  if (!first->has_value()) return Error(Reason::kInternal, "an answer vanished");
  return Mutation{true, **first};
}

absl::StatusOr<ProposalRecord> PgLobbyStore::GetProposal(base::ProposalId id) {
  const absl::StatusOr<Rows> rows = pool_.Read(kGetProposal, Params().Uuid(id.bytes()));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return NoSuchProposal();
  return ProposalFromRow(*rows, 0);
}

absl::StatusOr<std::vector<ProposalRecord>> PgLobbyStore::List(const Statement& statement,
                                                               const Params& params) {
  const absl::StatusOr<Rows> rows = pool_.Read(statement, params);
  if (!rows.ok()) return Public(rows.status());
  std::vector<ProposalRecord> proposals;
  proposals.reserve(rows->size());
  for (size_t row = 0; row < rows->size(); ++row) proposals.push_back(ProposalFromRow(*rows, row));
  return proposals;
}

absl::StatusOr<std::vector<ProposalRecord>> PgLobbyStore::GetProposals(
    const std::vector<base::ProposalId>& ids) {
  ArrayText wanted;
  for (size_t i = 0; i < ids.size() && i < kMaxListed; ++i) wanted.Uuid(ids[i].bytes());
  return List(kGetProposals, Params().Text(std::move(wanted).Take()));
}

absl::StatusOr<std::vector<ProposalRecord>> PgLobbyStore::ListSeeks(base::ProposalId before,
                                                                    size_t limit) {
  return List(kListSeeks, Params().Uuid(BeforeOrHighest(before)).Int(Limited(limit)));
}

absl::StatusOr<std::vector<ProposalRecord>> PgLobbyStore::ListOf(base::PlayerId player,
                                                                 base::ProposalId before,
                                                                 size_t limit) {
  return List(kListOwn,
              Params().Uuid(player.bytes()).Uuid(BeforeOrHighest(before)).Int(Limited(limit)));
}

absl::StatusOr<std::vector<ProposalRecord>> PgLobbyStore::ListTickets(const std::string& after_pool,
                                                                      base::ProposalId after,
                                                                      size_t limit) {
  return List(kListTickets, Params().Text(after_pool).Uuid(after.bytes()).Int(Limited(limit)));
}

absl::StatusOr<size_t> PgLobbyStore::Count(const Statement& statement, const Params& params) {
  const absl::StatusOr<Rows> rows = pool_.Write(statement, params);
  if (!rows.ok()) return Public(rows.status());
  return static_cast<size_t>(rows->Int(0, 0));
}

absl::StatusOr<size_t> PgLobbyStore::ExpireProposals(size_t limit) {
  return Count(kExpireProposals, Params().Int(Limited(limit)));
}

absl::StatusOr<size_t> PgLobbyStore::SweepProposals(int64_t kept_ms, size_t limit) {
  return Count(kSweepProposals, Params().Int(kept_ms).Int(Limited(limit)));
}

}  // namespace astragal::storage
