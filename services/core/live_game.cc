#include "services/core/live_game.h"

#include <algorithm>
#include <array>
#include <utility>

#include "services/base/status.h"
#include "services/core/replay.h"

namespace astragal::core {
namespace {

using base::Error;
using base::Reason;
using storage::CommitOutcome;

// Another node holds the lock of this game's head for a few milliseconds at most.
constexpr int64_t kBusyRetryMs = 5;

absl::Status TooContended() {
  return Error(Reason::kStoreUnavailable, "other servers are writing to this game")
      .RetryAfterMs(100);
}

absl::Status InDoubt() {
  return Error(Reason::kStoreUnavailable,
               "the database did not say whether it stored this; repeat the same request_id")
      .RetryAfterMs(500);
}

absl::StatusOr<algorithms::DiceSource> OpenDice(const World& world, const GameState& state) {
  algorithms::DiceSource dice;
  dice.game = state.facts->id;
  dice.restore_epoch = state.facts->restore_epoch;
  dice.contributions.resize(state.seats.size());
  // A game that is over draws nothing any more, so that it can be read without the key.
  if (state.status == GameStatus::kFinished || state.status == GameStatus::kAborted) return dice;
  absl::StatusOr<std::string> secret =
      world.box.Open(state.facts->sealed_secret, base::AsView(state.facts->id.bytes()));
  if (!secret.ok() || secret->size() != dice.secret.size()) {
    return Error(Reason::kInternal, "the secret of this game's dice does not open");
  }
  std::ranges::copy(*secret, dice.secret.begin());
  return dice;
}

algorithms::DiceSource DiceOf(const GameState& state, const Bytes32& secret) {
  algorithms::DiceSource dice;
  dice.secret = secret;
  dice.game = state.facts->id;
  dice.restore_epoch = state.facts->restore_epoch;
  dice.contributions.resize(state.seats.size());
  return dice;
}

storage::GameCommit CommitOf(const Plan& plan, const GameState& before) {
  storage::GameCommit commit;
  commit.expected_sequence = before.sequence;
  commit.head = HeadOf(plan.after);
  for (const EventView& event : plan.events) commit.events.push_back(event.record);
  if (plan.after.seats != before.seats) commit.seats = plan.after.seats;
  return commit;
}

std::vector<EventPtr> Share(std::vector<EventView> events) {
  std::vector<EventPtr> shared;
  shared.reserve(events.size());
  for (EventView& event : events) {
    shared.push_back(std::make_shared<const EventView>(std::move(event)));
  }
  return shared;
}

absl::StatusOr<GameState> ReadState(const World& world, GameId id) {
  absl::StatusOr<storage::StoredGame> stored = world.store.Load(id);
  if (!stored.ok()) return stored.status();
  auto ruleset = RulesetOf(world.catalog, stored->facts);
  if (!ruleset.ok()) return ruleset.status();
  const uint32_t before_last = stored->head.sequence - 1;
  absl::StatusOr<std::vector<EventRecord>> last = world.store.Events(id, before_last, 1);
  if (!last.ok()) return last.status();
  if (last->empty()) return Error(Reason::kReplayMismatch, "the game has no last event");
  return FromStored(*std::move(stored), last->front(), *std::move(ruleset));
}

}  // namespace

absl::StatusOr<std::shared_ptr<LiveGame>> LiveGame::Load(const World& world, CommitQueue& queue,
                                                         GameId id) {
  absl::StatusOr<GameState> state = ReadState(world, id);
  if (!state.ok()) return state.status();
  const absl::StatusOr<algorithms::DiceSource> dice = OpenDice(world, *state);
  if (!dice.ok()) return dice.status();
  return std::make_shared<LiveGame>(world, queue, *std::move(state), dice->secret);
}

LiveGame::LiveGame(const World& world, CommitQueue& queue, GameState state, const Bytes32& secret)
    : world_(world),
      queue_(queue),
      id_(state.facts->id),
      dice_(DiceOf(state, secret)),
      state_(std::make_shared<const GameState>(std::move(state))),
      checked_at_(world.clock.Now()) {}

void LiveGame::Submit(Command command, Done done) {
  bool full = false;
  {
    const absl::MutexLock lock(&mutex_);
    full = mailbox_.size() >= kMaxMailbox;
    if (!full) mailbox_.push_back({std::move(command), std::move(done)});
    if (full || busy_) {
      if (!full) return;
    } else {
      busy_ = true;
    }
  }
  if (full) {
    done(Error(Reason::kMailboxFull, "too many calls wait for this game").RetryAfterMs(100));
    return;
  }
  StartNext();
}

void LiveGame::StartNext() {
  {
    const absl::MutexLock lock(&mutex_);
    if (mailbox_.empty()) {
      busy_ = false;
      return;
    }
    current_ = std::move(mailbox_.front());
    mailbox_.pop_front();
  }
  Judge();
}

void LiveGame::Judge() {
  StatePtr state;
  bool in_doubt = false;
  {
    const absl::MutexLock lock(&mutex_);
    state = state_;
    in_doubt = in_doubt_;
  }
  if (in_doubt) return RunOnScheduler([this] { LookUpAndJudge(); });

  const Command& command = current_->command;
  absl::StatusOr<Plan> plan = PlanCommand(*state, command, dice_, world_.clock.Now());
  if (!plan.ok()) {
    // The refusal may rest on an old state, or the command may be a repeat of one that was done.
    if (current_->looked_up) return Finish(plan.status());
    return RunOnScheduler([this] { LookUpAndJudge(); });
  }
  if (command.validate_only) {
    return Finish(CommandResult{std::make_shared<const GameState>(std::move(plan->after)), {}});
  }
  Commit(std::make_shared<const Plan>(*std::move(plan)));
}

void LiveGame::Commit(std::shared_ptr<const Plan> plan) {
  storage::GameCommit commit = CommitOf(*plan, *state());
  // A stale plan (another node's events arrived meanwhile) fails the store's own comparison.
  commit.expected_sequence = plan->events.front().record.sequence - 1;
  queue_.Add(std::move(commit),
             [self = shared_from_this(), plan](absl::StatusOr<CommitOutcome> outcome) {
               self->OnStored(plan, outcome);
             });
}

void LiveGame::OnStored(const std::shared_ptr<const Plan>& plan,
                        const absl::StatusOr<CommitOutcome>& outcome) {
  if (!outcome.ok()) {
    if (outcome.status().code() != absl::StatusCode::kAborted) return Finish(outcome.status());
    {
      const absl::MutexLock lock(&mutex_);
      in_doubt_ = true;
    }
    return RunOnScheduler([this] { AnswerFromLog(InDoubt()); });
  }
  switch (*outcome) {
    case CommitOutcome::kCommitted: {
      std::vector<EventPtr> events = Share(plan->events);
      TakeOver(plan->after, events);
      return Finish(CommandResult{std::make_shared<const GameState>(plan->after),
                                  std::move(events)});
    }
    case CommitOutcome::kMovedOn:
      return RunOnScheduler([this] { JudgeAgain(TooContended()); });
    case CommitOutcome::kBusy:
      if (++current_->rounds > kMaxRounds) return Finish(TooContended());
      return world_.scheduler.PostAfter(
          kBusyRetryMs, [self = shared_from_this(), plan] { self->Commit(plan); });
    case CommitOutcome::kDuplicateRequest:
      return RunOnScheduler(
          [this] { AnswerFromLog(Error(Reason::kInternal, "a known request has no events")); });
    case CommitOutcome::kRejected:
      return Finish(Error(Reason::kInternal, "the database refused this game's events"));
  }
}

void LiveGame::JudgeAgain(const absl::Status& if_too_often) {
  if (++current_->rounds > kMaxRounds) return Finish(if_too_often);
  if (const absl::StatusOr<StatePtr> fresh = Refresh(); !fresh.ok()) return Finish(fresh.status());
  Judge();
}

void LiveGame::LookUpAndJudge() {
  absl::StatusOr<std::optional<CommandResult>> known = KnownAnswer();
  if (!known.ok()) return Finish(known.status());
  if (*known) return Finish(**std::move(known));
  current_->looked_up = true;
  JudgeAgain(TooContended());
}

void LiveGame::AnswerFromLog(const absl::Status& if_unknown) {
  absl::StatusOr<std::optional<CommandResult>> known = KnownAnswer();
  // A store that cannot be asked leaves the doubt standing.
  if (!known.ok()) return Finish(if_unknown);
  const absl::StatusOr<StatePtr> fresh = Refresh();
  if (*known) return Finish(**std::move(known));
  if (!fresh.ok()) return Finish(fresh.status());
  Finish(if_unknown);
}

void LiveGame::Finish(absl::StatusOr<CommandResult> result) {
  const Done done = std::move(current_->done);
  current_.reset();
  done(std::move(result));
  StartNext();
}

void LiveGame::RunOnScheduler(std::function<void()> work) {
  const absl::Status posted =
      world_.scheduler.Post([self = shared_from_this(), work = std::move(work)] { work(); });
  if (!posted.ok()) Finish(posted);
}

absl::StatusOr<std::optional<CommandResult>> LiveGame::KnownAnswer() {
  const Command& command = current_->command;
  const absl::StatusOr<std::optional<EventRecord>> first =
      world_.store.FindRequest(id_, command.player, command.request);
  if (!first.ok()) return first.status();
  if (!*first) return std::nullopt;
  if ((*first)->request->body_hash != command.body_hash) {
    return Error(Reason::kRequestIdReused, "this request_id was used for another request")
        .With("field", "request_id");
  }
  absl::StatusOr<Answered> answered = RebuildAnswer(world_, **first);
  if (!answered.ok()) return answered.status();
  return CommandResult{std::make_shared<const GameState>(std::move(answered->after)),
                       Share(std::move(answered->events))};
}

StatePtr LiveGame::state() const {
  const absl::MutexLock lock(&mutex_);
  return state_;
}

bool LiveGame::IsFresh() const {
  const absl::MutexLock lock(&mutex_);
  return !in_doubt_ && world_.clock.Now().micros - checked_at_.micros < kFreshForMs * 1000;
}

absl::StatusOr<StatePtr> LiveGame::Refresh() {
  const absl::MutexLock one_at_a_time(&refresh_mutex_);
  const Instant asked_at = world_.clock.Now();
  const std::array<GameId, 1> ids = {id_};
  const absl::StatusOr<std::vector<storage::HeadMark>> heads = world_.store.Heads(ids);
  if (!heads.ok()) return heads.status();
  if (heads->empty()) return Error(Reason::kNotFound, "no such game");
  const uint32_t known = state()->sequence;
  absl::Status read;
  if (heads->front().sequence > known) read = ReadMissing();
  if (heads->front().sequence < known && state()->sequence == known) read = ReadAnew();
  if (!read.ok()) return read;
  const absl::MutexLock lock(&mutex_);
  in_doubt_ = false;
  checked_at_ = std::max(checked_at_, asked_at);
  return state_;
}

absl::Status LiveGame::ReadMissing() {
  GameState draft = *state();
  std::vector<EventPtr> events;
  while (true) {
    const absl::StatusOr<std::vector<EventRecord>> page =
        world_.store.Events(id_, draft.sequence, storage::GameStore::kMaxEvents);
    if (!page.ok()) return page.status();
    for (const EventRecord& record : *page) {
      absl::StatusOr<EventView> view = ViewOf(draft, record);
      if (const absl::Status advanced = Advance(draft, record); !advanced.ok()) return advanced;
      if (!view.ok()) return view.status();
      events.push_back(std::make_shared<const EventView>(*std::move(view)));
    }
    if (page->size() < storage::GameStore::kMaxEvents) break;
  }
  TakeOver(std::move(draft), events);
  return absl::OkStatus();
}

// The store is behind what this process has seen: it was restored from a backup.
absl::Status LiveGame::ReadAnew() {
  absl::StatusOr<GameState> state = ReadState(world_, id_);
  if (!state.ok()) return state.status();
  const absl::MutexLock lock(&mutex_);
  state_ = std::make_shared<const GameState>(*std::move(state));
  for (const std::weak_ptr<EventSink>& weak : sinks_) {
    if (const std::shared_ptr<EventSink> sink = weak.lock()) sink->OnLost();
  }
  sinks_.clear();
  return absl::OkStatus();
}

// Makes `state` the committed one and tells the watchers, unless it is known already: a refresh and
// the answer to a commit may both bring the same events.
void LiveGame::TakeOver(GameState state, const std::vector<EventPtr>& events) {
  const absl::MutexLock lock(&mutex_);
  checked_at_ = world_.clock.Now();
  if (state.sequence <= state_->sequence) return;
  std::vector<EventPtr> fresh;
  for (const EventPtr& event : events) {
    if (event->record.sequence > state_->sequence) fresh.push_back(event);
  }
  state_ = std::make_shared<const GameState>(std::move(state));
  std::erase_if(sinks_, [&](const std::weak_ptr<EventSink>& weak) {
    const std::shared_ptr<EventSink> sink = weak.lock();
    if (sink != nullptr) sink->OnEvents(fresh);
    return sink == nullptr;
  });
}

StatePtr LiveGame::Subscribe(std::weak_ptr<EventSink> sink) {
  const absl::MutexLock lock(&mutex_);
  sinks_.push_back(std::move(sink));
  return state_;
}

bool LiveGame::HasWatchers() const {
  const absl::MutexLock lock(&mutex_);
  return std::ranges::any_of(sinks_, [](const auto& sink) { return !sink.expired(); });
}

}  // namespace astragal::core
