#include "storage/pg_game_store.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/base/status.h"
#include "storage/commit_batch.h"
#include "storage/failures.h"
#include "storage/game_queries.h"

namespace astragal::storage {
namespace {

constexpr size_t kMaxListed = 1'000;

// What of a batch can go into one statement: each game, each creating request and each proposal
// once.
class Distinct {
 public:
  bool Admit(const GameCommit& commit) {
    if (!games_.insert(commit.head.id).second) return false;
    const std::optional<RequestStamp>& stamp = commit.events.front().request;
    if (!commit.create || !stamp) return true;
    if (!created_.insert({stamp->player, stamp->request.bytes}).second) return false;
    return std::ranges::all_of(commit.takes, [this](const base::ProposalId& proposal) {
      return taken_.insert(proposal).second;
    });
  }

 private:
  std::set<base::GameId> games_;
  std::set<std::pair<base::PlayerId, base::IdBytes>> created_;
  std::set<base::ProposalId> taken_;
};

bool WellFormed(const GameCommit& commit) {
  if (commit.events.empty() || commit.head.id.is_nil()) return false;
  if (commit.create && (commit.expected_sequence != 0 || commit.create->id != commit.head.id)) {
    return false;
  }
  uint32_t sequence = commit.expected_sequence;
  for (const EventRecord& event : commit.events) {
    if (event.game != commit.head.id || event.sequence != ++sequence) return false;
  }
  return commit.head.sequence == sequence;
}

}  // namespace

std::vector<const GameCommit*> PgGameStore::CommitsOf(absl::Span<const Item> items) {
  std::vector<const GameCommit*> commits;
  commits.reserve(items.size());
  for (const Item& item : items) commits.push_back(item.commit);
  return commits;
}

void PgGameStore::Report(const Rows& rows, absl::Span<const Item> items, CommitReport& report) {
  const std::string_view digits = rows.Text(0, 0);
  for (size_t i = 0; i < items.size() && i < digits.size(); ++i) {
    *items[i].outcome = static_cast<CommitOutcome>(digits[i] - '0');
  }
  report.committed_at = rows.At(0, 1);
}

std::string PgGameStore::Payload() { return absl::StrCat(node_, ":", ++batches_); }

absl::StatusOr<CommitReport> PgGameStore::Commit(absl::Span<const GameCommit> batch) {
  if (batch.size() > kMaxBatch) {
    return base::Error(base::Reason::kInternal, "a batch is larger than kMaxBatch");
  }
  CommitReport report;
  report.outcomes.assign(batch.size(), CommitOutcome::kRejected);
  std::vector<Item> items;
  items.reserve(batch.size());
  Distinct distinct;
  for (size_t i = 0; i < batch.size(); ++i) {
    if (!WellFormed(batch[i])) continue;
    if (distinct.Admit(batch[i])) {
      items.push_back({&batch[i], &report.outcomes[i]});
    } else {
      report.outcomes[i] = CommitOutcome::kBusy;
    }
  }
  if (items.empty()) return report;
  // Heads are locked in this order.
  std::sort(items.begin(), items.end(), [](const Item& left, const Item& right) {
    return left.commit->head.id < right.commit->head.id;
  });
  const absl::StatusOr<std::vector<Item>> left = CommitPlays(items, report);
  if (!left.ok()) return left.status();
  if (left->empty()) return report;
  const absl::Status status = CommitPart(*left, report);
  if (status.ok()) return report;
  // Some of it stands, so this is not a failure that changed nothing.
  return left->size() < items.size() ? InDoubt() : status;
}

absl::StatusOr<std::vector<PgGameStore::Item>> PgGameStore::CommitPlays(
    absl::Span<const Item> items, CommitReport& report) {
  std::vector<Item> left(items.begin(), items.end());
  const auto plays = [](const Item& item) { return OnlyPlays(*item.commit); };
  if (!std::ranges::all_of(items, plays)) return left;
  absl::StatusOr<Rows> rows = pool_.Write(kPlayBatch, EncodePlays(CommitsOf(items), Payload()));
  if (rows.ok()) {
    Report(*rows, items, report);
    std::erase_if(left,
                  [](const Item& item) { return *item.outcome == CommitOutcome::kCommitted; });
    return left;
  }
  if (FailureOf(rows.status()) != Failure::kRefused) return Public(rows.status());
  return left;
}

absl::Status PgGameStore::CommitPart(absl::Span<const Item> items, CommitReport& report) {
  absl::StatusOr<Rows> rows = pool_.Write(kCommitBatch, EncodeBatch(CommitsOf(items), Payload()));
  if (rows.ok()) {
    Report(*rows, items, report);
    return absl::OkStatus();
  }
  if (FailureOf(rows.status()) != Failure::kRefused) return Public(rows.status());
  // Nothing of it was written: halve until the bad one stands alone, as kRejected.
  if (items.size() == 1) return absl::OkStatus();
  const size_t half = items.size() / 2;
  if (absl::Status first = CommitPart(items.first(half), report); !first.ok()) return first;
  // The first half stands, so a failure of the second is not one that changed nothing.
  return CommitPart(items.subspan(half), report).ok() ? absl::OkStatus() : InDoubt();
}

absl::StatusOr<StoredGame> PgGameStore::Load(base::GameId id) {
  absl::StatusOr<Rows> rows = pool_.Read(kLoadGame, Params().Uuid(id.bytes()));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return base::Error(base::Reason::kNotFound, "there is no such game");
  return GameFromRow(*rows, 0);
}

absl::StatusOr<std::vector<EventRecord>> PgGameStore::Events(base::GameId id, uint32_t after,
                                                             size_t limit) {
  const auto most = static_cast<int64_t>(std::min(limit, kMaxEvents));
  const int64_t above = std::min<int64_t>(after, INT32_MAX);
  absl::StatusOr<Rows> rows =
      pool_.Read(kReadEvents, Params().Uuid(id.bytes()).Int(above).Int(most));
  if (!rows.ok()) return Public(rows.status());
  std::vector<EventRecord> events;
  events.reserve(rows->size());
  for (size_t row = 0; row < rows->size(); ++row) events.push_back(EventFromRow(*rows, row));
  return events;
}

absl::StatusOr<std::vector<StoredLog>> PgGameStore::Logs(absl::Span<const base::GameId> games) {
  ArrayText ids;
  for (const base::GameId& game : games) ids.Uuid(game.bytes());
  const std::string wanted = std::move(ids).Take();
  const absl::StatusOr<Rows> found = pool_.Read(kLoadGames, Params().Text(wanted));
  if (!found.ok()) return Public(found.status());
  const absl::StatusOr<Rows> rows =
      pool_.Read(kReadLogs, Params().Text(wanted).Int(static_cast<int64_t>(kLogPage)));
  if (!rows.ok()) return Public(rows.status());
  std::vector<StoredLog> logs(found->size());
  std::map<base::GameId, StoredLog*> by_game;
  for (size_t row = 0; row < found->size(); ++row) {
    logs[row].game = GameFromRow(*found, row);
    by_game[logs[row].game.facts.id] = &logs[row];
  }
  for (size_t row = 0; row < rows->size(); ++row) {
    EventRecord event = EventFromRow(*rows, row);
    const auto log = by_game.find(event.game);
    if (log != by_game.end()) log->second->events.push_back(std::move(event));
  }
  return logs;
}

absl::StatusOr<std::optional<EventRecord>> PgGameStore::FindRequest(base::GameId game,
                                                                    base::PlayerId player,
                                                                    base::RequestId request) {
  absl::StatusOr<Rows> rows = pool_.Read(
      kFindRequest, Params().Uuid(game.bytes()).Uuid(player.bytes()).Uuid(request.bytes));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return std::optional<EventRecord>();
  return std::make_optional(EventFromRow(*rows, 0));
}

absl::StatusOr<std::optional<base::GameId>> PgGameStore::FindCreated(base::PlayerId player,
                                                                     base::RequestId request) {
  absl::StatusOr<Rows> rows =
      pool_.Read(kFindCreated, Params().Uuid(player.bytes()).Uuid(request.bytes));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return std::optional<base::GameId>();
  return std::make_optional(rows->Uuid<base::GameId>(0, 0));
}

absl::StatusOr<std::vector<HeadMark>> PgGameStore::Heads(absl::Span<const base::GameId> games) {
  std::vector<HeadMark> marks;
  if (games.empty()) return marks;
  ArrayText ids;
  for (const base::GameId& id : games) ids.Uuid(id.bytes());
  absl::StatusOr<Rows> rows = pool_.Read(kReadHeads, Params().Text(std::move(ids).Take()));
  if (!rows.ok()) return Public(rows.status());
  marks.reserve(rows->size());
  for (size_t row = 0; row < rows->size(); ++row) {
    marks.push_back({rows->Uuid<base::GameId>(row, 0), static_cast<uint32_t>(rows->Int(row, 1))});
  }
  return marks;
}

absl::StatusOr<std::vector<base::GameId>> PgGameStore::TakeDue(base::Instant until, size_t limit) {
  const auto most = static_cast<int64_t>(std::min(limit, kMaxListed));
  const int64_t lease_ends = until.micros + kDueLeaseMs * 1'000;
  absl::StatusOr<Rows> rows =
      pool_.Write(kTakeDue, Params().Int(until.micros).Int(most).Int(lease_ends));
  if (!rows.ok()) return Public(rows.status());
  std::vector<base::GameId> due;
  for (size_t row = 0; row < rows->size(); ++row) due.push_back(rows->Uuid<base::GameId>(row, 0));
  return due;
}

absl::StatusOr<std::vector<Outage>> PgGameStore::Beat(base::Instant known_until) {
  absl::StatusOr<Rows> rows =
      pool_.Write(kBeat, Params().Text(node_).Int(kOutageMs * 1'000).Int(known_until.micros));
  if (!rows.ok()) return Public(rows.status());
  std::vector<Outage> outages;
  for (size_t row = 0; row < rows->size(); ++row) {
    outages.push_back({rows->At(row, 0), rows->At(row, 1)});
  }
  return outages;
}

absl::StatusOr<std::vector<GameSummary>> PgGameStore::List(const GameFilter& filter,
                                                           base::GameId before, size_t limit) {
  absl::StatusOr<Rows> rows =
      pool_.Read(ListStatement(filter), ListParams(filter, before, std::min(limit, kMaxListed)));
  if (!rows.ok()) return Public(rows.status());
  std::vector<GameSummary> games;
  games.reserve(rows->size());
  for (size_t row = 0; row < rows->size(); ++row) games.push_back(SummaryFromRow(*rows, row));
  return games;
}

}  // namespace astragal::storage
