#include "tests/services/core/sim/simulated_store.h"

#include <algorithm>
#include <utility>

#include "services/base/status.h"

namespace astragal::tests {

using base::Error;
using base::Reason;
using storage::CommitOutcome;
using storage::CommitReport;
using storage::EventRecord;
using storage::GameCommit;

namespace {

absl::Status Away() {
  return Error(Reason::kStoreUnavailable, "the simulated database is away").RetryAfterMs(100);
}

// The same reason with the code that says: nobody knows.
absl::Status InDoubt() {
  const absl::Status away = Away();
  absl::Status status(absl::StatusCode::kAborted, "the connection broke");
  away.ForEachPayload(
      [&](absl::string_view url, const absl::Cord& payload) { status.SetPayload(url, payload); });
  return status;
}

template <typename Fault>
Fault TakeFault(std::vector<Fault>& ordered, const std::function<Fault()>& draw) {
  if (ordered.empty()) return draw ? draw() : Fault::kNone;
  const Fault fault = ordered.front();
  ordered.erase(ordered.begin());
  return fault;
}

SimulatedStore::Key KeyOf(const GameCommit& commit) {
  const storage::RequestStamp& stamp = *commit.events.front().request;
  return {commit.head.id, stamp.player, stamp.request.bytes};
}

}  // namespace

CommitOutcome SimulatedStore::Judge(const GameCommit& commit) {
  const storage::RequestStamp& stamp = *commit.events.front().request;
  const auto found = tables_.games.find(commit.head.id);
  if (commit.create) {
    const bool known = tables_.created.contains({stamp.player, stamp.request.bytes});
    if (known && bug_ != StoreBug::kForgetsRequests) return CommitOutcome::kDuplicateRequest;
    const storage::GameTerms& terms = commit.create->terms;
    if (tables_.match_games.contains({terms.match, terms.match_game})) {
      return CommitOutcome::kDuplicateRequest;
    }
    if (can_take && !can_take(commit)) return CommitOutcome::kTaken;
    return found == tables_.games.end() ? CommitOutcome::kCommitted : CommitOutcome::kRejected;
  }
  if (found == tables_.games.end()) return CommitOutcome::kMovedOn;
  if (found->second.stored.head.sequence != commit.expected_sequence &&
      bug_ != StoreBug::kNoHeadGuard) {
    return CommitOutcome::kMovedOn;
  }
  const bool known = tables_.requests.contains(KeyOf(commit));
  if (known && bug_ != StoreBug::kForgetsRequests) return CommitOutcome::kDuplicateRequest;
  return CommitOutcome::kCommitted;
}

void SimulatedStore::Write(const GameCommit& commit) {
  if (bug_ == StoreBug::kFalseCommit && ++commits_ % 40 == 0) return;
  Game& game = tables_.games[commit.head.id];
  if (commit.create) {
    game.stored.facts = *commit.create;
    const storage::RequestStamp& stamp = *commit.events.front().request;
    tables_.created[{stamp.player, stamp.request.bytes}] = commit.head.id;
    if (take) take(commit);
    const storage::GameTerms& terms = commit.create->terms;
    if (commit.match) tables_.matches[commit.match->id] = *commit.match;
    if (!terms.match.is_nil()) {
      tables_.match_games[{terms.match, terms.match_game}] = commit.head.id;
    }
  }
  game.events.insert(game.events.end(), commit.events.begin(), commit.events.end());
  game.stored.head = commit.head;
  if (!commit.seats.empty()) game.stored.seats = commit.seats;
  tables_.requests[KeyOf(commit)] = commit.events.front().sequence;
}

absl::StatusOr<CommitReport> SimulatedStore::Commit(absl::Span<const GameCommit> batch) {
  Call("commit");
  CommitReport report;
  BatchFault fault = BatchFault::kNone;
  {
    const std::lock_guard lock(mutex_);
    ++batches_;
    fault = TakeFault(batch_faults_, draw_batch_fault);
    if (away_ || fault == BatchFault::kAway) return Away();
    if (fault == BatchFault::kDoubtLost) return InDoubt();
    for (const GameCommit& commit : batch) {
      const CommitFault mishap = TakeFault(commit_faults_, draw_commit_fault);
      if (mishap != CommitFault::kNone) {
        report.outcomes.push_back(mishap == CommitFault::kBusy ? CommitOutcome::kBusy
                                                               : CommitOutcome::kRejected);
        continue;
      }
      report.outcomes.push_back(Judge(commit));
      if (report.outcomes.back() != CommitOutcome::kCommitted) continue;
      if (fault == BatchFault::kDoubtLate) {
        late_.push_back(commit);
      } else {
        Write(commit);
      }
    }
    report.committed_at = clock_.Now();
  }
  Call("committed");
  if (fault != BatchFault::kNone) return InDoubt();
  return report;
}

void SimulatedStore::LandLate() {
  const std::lock_guard lock(mutex_);
  for (const GameCommit& commit : std::exchange(late_, {})) {
    if (Judge(commit) == CommitOutcome::kCommitted) Write(commit);
  }
}

absl::Status SimulatedStore::Reading() {
  if (away_ || (draw_read_fault && draw_read_fault())) return Away();
  return absl::OkStatus();
}

absl::StatusOr<storage::StoredGame> SimulatedStore::Load(base::GameId id) {
  const std::lock_guard lock(mutex_);
  if (absl::Status away = Reading(); !away.ok()) return away;
  const auto found = tables_.games.find(id);
  if (found == tables_.games.end()) return Error(Reason::kNotFound, "no such game");
  return found->second.stored;
}

absl::StatusOr<std::vector<EventRecord>> SimulatedStore::Events(base::GameId id, uint32_t after,
                                                                size_t limit) {
  const std::lock_guard lock(mutex_);
  if (absl::Status away = Reading(); !away.ok()) return away;
  std::vector<EventRecord> events;
  const auto found = tables_.games.find(id);
  if (found == tables_.games.end()) return events;
  for (const EventRecord& event : found->second.events) {
    if (event.sequence > after && events.size() < std::min(limit, kMaxEvents)) {
      events.push_back(event);
    }
  }
  return events;
}

absl::StatusOr<std::vector<storage::StoredLog>> SimulatedStore::Logs(
    absl::Span<const base::GameId> games) {
  std::vector<storage::StoredLog> logs;
  for (const base::GameId& id : games) {
    absl::StatusOr<storage::StoredGame> game = Load(id);
    if (absl::IsNotFound(game.status())) continue;
    if (!game.ok()) return game.status();
    auto events = Events(id, 0, kLogPage);
    if (!events.ok()) return events.status();
    logs.push_back({*std::move(game), *std::move(events)});
  }
  return logs;
}

absl::StatusOr<std::optional<EventRecord>> SimulatedStore::FindRequest(base::GameId game,
                                                                       base::PlayerId player,
                                                                       base::RequestId request) {
  std::optional<EventRecord> first;
  {
    const std::lock_guard lock(mutex_);
    if (absl::Status away = Reading(); !away.ok()) return away;
    const auto found = tables_.requests.find({game, player, request.bytes});
    if (found != tables_.requests.end()) {
      for (const EventRecord& event : tables_.games[game].events) {
        if (event.sequence == found->second) first = event;
      }
    }
  }
  Call("request");
  return first;
}

absl::StatusOr<std::optional<base::GameId>> SimulatedStore::FindCreated(base::PlayerId player,
                                                                        base::RequestId request) {
  const std::lock_guard lock(mutex_);
  if (absl::Status away = Reading(); !away.ok()) return away;
  const auto found = tables_.created.find({player, request.bytes});
  if (found == tables_.created.end()) return std::nullopt;
  return found->second;
}

absl::StatusOr<std::vector<storage::HeadMark>> SimulatedStore::Heads(
    absl::Span<const base::GameId> games) {
  std::vector<storage::HeadMark> heads;
  {
    const std::lock_guard lock(mutex_);
    if (absl::Status away = Reading(); !away.ok()) return away;
    for (const base::GameId& id : games) {
      const auto found = tables_.games.find(id);
      if (found != tables_.games.end()) heads.push_back({id, found->second.stored.head.sequence});
    }
  }
  Call("heads");
  return heads;
}

absl::StatusOr<std::vector<base::GameId>> SimulatedStore::TakeDue(base::Instant until,
                                                                  size_t limit) {
  const std::lock_guard lock(mutex_);
  if (absl::Status away = Reading(); !away.ok()) return away;
  std::vector<base::GameId> due;
  for (const auto& [id, game] : tables_.games) {
    const std::optional<base::Instant>& deadline = game.stored.head.deadline;
    if (!deadline || *deadline > until || due.size() >= limit) continue;
    if (leases_[id] > until) continue;
    leases_[id] = {until.micros + kDueLeaseMs * 1'000};
    due.push_back(id);
  }
  return due;
}

absl::StatusOr<std::vector<storage::Outage>> SimulatedStore::Beat(base::Instant known_until) {
  const std::lock_guard lock(mutex_);
  if (absl::Status away = Reading(); !away.ok()) return away;
  const base::Instant now = clock_.Now();
  if (last_beat_ && now.micros - last_beat_->micros > kOutageMs * 1'000) {
    outages_.push_back({*last_beat_, now});
  }
  last_beat_ = now;
  std::vector<storage::Outage> news;
  for (const storage::Outage& outage : outages_) {
    if (outage.ended_at > known_until) news.push_back(outage);
  }
  return news;
}

absl::StatusOr<std::vector<storage::GameSummary>> SimulatedStore::List(
    const storage::GameFilter& filter, base::GameId before, size_t limit) {
  const std::lock_guard lock(mutex_);
  if (absl::Status away = Reading(); !away.ok()) return away;
  std::vector<storage::GameSummary> games;
  for (auto item = tables_.games.rbegin(); item != tables_.games.rend(); ++item) {
    const storage::StoredGame& game = item->second.stored;
    const auto sits = [&](const storage::SeatRecord& seat) { return seat.player == filter.player; };
    if (games.size() >= limit || (!before.is_nil() && item->first >= before)) continue;
    if (filter.ruleset && *filter.ruleset != game.facts.ruleset) continue;
    if (filter.status && *filter.status != game.head.status) continue;
    if (filter.player && std::ranges::none_of(game.seats, sits)) continue;
    const bool hidden = game.facts.terms.visibility != storage::Visibility::kPublic;
    if (hidden && !(filter.player && filter.with_hidden)) continue;
    games.push_back({item->first, game.facts.ruleset, game.facts.rules_version, game.head.status,
                     game.head.ending, game.head.sequence, game.head.actor, game.facts.created_at,
                     game.head.updated_at, game.seats});
  }
  return games;
}

SimulatedStore::Tables SimulatedStore::Backup() const {
  const std::lock_guard lock(mutex_);
  return tables_;
}

void SimulatedStore::Restore(Tables tables) {
  const std::lock_guard lock(mutex_);
  tables_ = std::move(tables);
}

void SimulatedStore::Tamper(const std::function<void(Tables&)>& change) {
  const std::lock_guard lock(mutex_);
  change(tables_);
}

std::vector<EventRecord> SimulatedStore::Log(base::GameId id) const {
  const std::lock_guard lock(mutex_);
  const auto found = tables_.games.find(id);
  return found == tables_.games.end() ? std::vector<EventRecord>{} : found->second.events;
}

size_t SimulatedStore::batches() const {
  const std::lock_guard lock(mutex_);
  return batches_;
}

}  // namespace astragal::tests
