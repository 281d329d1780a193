#include "services/core/live_game.h"

#include <algorithm>
#include <array>
#include <utility>

#include "services/base/status.h"
#include "services/core/accounts.h"
#include "services/core/loading.h"
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

bool ChangesSeats(const EventView& event) {
  return event.record.kind == EventKind::kSeated || event.record.kind == EventKind::kLeft ||
         event.record.kind == EventKind::kFinished;
}

storage::GameCommit CommitOf(const Plan& plan) {
  storage::GameCommit commit;
  commit.expected_sequence = plan.events.front().record.sequence - 1;
  commit.head = HeadOf(plan.after);
  for (const EventView& event : plan.events) commit.events.push_back(event.record);
  if (std::ranges::any_of(plan.events, ChangesSeats)) commit.seats = plan.after.seats;
  return commit;
}

// Work that must not be lost: what is dropped without having run does something else instead.
class OrElse {
 public:
  OrElse(std::function<void()> work, std::function<void()> otherwise)
      : work_(std::move(work)), otherwise_(std::move(otherwise)) {}
  OrElse(const OrElse&) = delete;
  OrElse& operator=(const OrElse&) = delete;
  ~OrElse() {
    if (otherwise_) otherwise_();
  }
  void Run() {
    otherwise_ = nullptr;
    work_();
  }

 private:
  std::function<void()> work_;
  std::function<void()> otherwise_;
};

std::vector<EventPtr> Share(std::vector<EventView> events) {
  std::vector<EventPtr> shared;
  shared.reserve(events.size());
  for (EventView& event : events) {
    shared.push_back(std::make_shared<const EventView>(std::move(event)));
  }
  return shared;
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
      state_(std::make_shared<const GameState>(std::move(state))),
      dice_(std::make_shared<const algorithms::DiceSource>(DiceOf(*state_, secret))),
      checked_at_(world.clock.Now()) {}

void LiveGame::Submit(Command command, Done done) {
  bool full = false;
  {
    const base::MutexLock lock(mutex_);
    full = mailbox_.size() >= kMaxMailbox;
    if (!full) mailbox_.push_back({std::move(command), std::move(done), 0, std::nullopt});
    if (!full && busy_) return;
    if (!full) busy_ = true;
  }
  if (full) {
    done(Error(Reason::kMailboxFull, "too many calls wait for this game").RetryAfterMs(100));
    return;
  }
  Work();
}

// A loop, not a recursion: commands that are answered at once may follow each other for ever.
void LiveGame::Work() {
  while (TakeNext()) {
    if (Judge() == Step::kElsewhere) return;
  }
}

bool LiveGame::TakeNext() {
  const base::MutexLock lock(mutex_);
  busy_ = !mailbox_.empty();
  if (!busy_) return false;
  current_ = std::move(mailbox_.front());
  mailbox_.pop_front();
  return true;
}

LiveGame::Step LiveGame::Judge() {
  StatePtr state;
  DicePtr dice;
  bool in_doubt = false;
  {
    const base::MutexLock lock(mutex_);
    state = state_;
    dice = dice_;
    in_doubt = in_doubt_;
  }
  absl::StatusOr<StatePtr> playable = OnPreferredBuild(world_, std::move(state));
  if (!playable.ok()) return Finish(std::move(playable).status());
  state = *std::move(playable);
  const Command& command = current_->command;
  // Nothing but the state speaks for a command that will not be stored, so it has to be a fresh
  // one.
  const bool must_look = command.validate_only && !current_->looked_up_at && !IsFresh();
  if (in_doubt || must_look) return OnScheduler([this] { return LookUpAndJudge(); });

  const Instant at = command.arrived_at == Instant{} ? world_.clock.Now() : command.arrived_at;
  const int64_t credit_us = world_.outages.CreditFor(state->proceedings.clock, at);
  absl::StatusOr<Plan> plan =
      PlanCommand(*state, command, *dice, at, credit_us, MeasuredLag(*state));
  if (!plan.ok()) {
    // The refusal may rest on an old state, or the command may be a repeat of one that was done.
    const std::optional<uint32_t>& looked_up_at = current_->looked_up_at;
    if (looked_up_at && *looked_up_at >= state->sequence) return Finish(std::move(plan).status());
    return OnScheduler([this] { return LookUpAndJudge(); });
  }
  if (command.validate_only) {
    return Finish(CommandResult{std::make_shared<const GameState>(std::move(plan->after)), {}});
  }
  return Commit(std::make_shared<const Plan>(*std::move(plan)));
}

LiveGame::Step LiveGame::Commit(std::shared_ptr<const Plan> plan) {
  // A stale plan (another node's events arrived meanwhile) fails the store's own comparison.
  absl::Status taken =
      queue_.Add(CommitOf(*plan), [self = shared_from_this(), plan](const auto& outcome) {
        if (self->OnStored(plan, outcome) == Step::kFinished) self->Work();
      });
  return taken.ok() ? Step::kElsewhere : Finish(std::move(taken));
}

LiveGame::Step LiveGame::OnStored(const std::shared_ptr<const Plan>& plan,
                                  const absl::StatusOr<CommitOutcome>& outcome) {
  if (!outcome.ok()) {
    if (!absl::IsAborted(outcome.status())) return Finish(outcome.status());
    {
      const base::MutexLock lock(mutex_);
      in_doubt_ = true;
    }
    return OnScheduler([this] { return AnswerFromLog(true); });
  }
  switch (*outcome) {
    case CommitOutcome::kCommitted: {
      std::vector<EventPtr> events = Share(plan->events);
      CountPlay(*plan);
      TakeOver(plan->after, events);
      return Finish(
          CommandResult{std::make_shared<const GameState>(plan->after), std::move(events)});
    }
    case CommitOutcome::kMovedOn:
      return OnScheduler([this] { return JudgeAgain(); });
    case CommitOutcome::kBusy:
      return CommitLater(plan);
    case CommitOutcome::kDuplicateRequest:
      return OnScheduler([this] { return AnswerFromLog(false); });
    case CommitOutcome::kRejected:
    case CommitOutcome::kTaken:  // only of a new game
      break;
  }
  return Finish(Error(Reason::kInternal, "the database refused this game's events"));
}

LiveGame::Step LiveGame::CommitLater(std::shared_ptr<const Plan> plan) {
  if (++current_->rounds > kMaxRounds) return Finish(TooContended());
  const auto self = shared_from_this();
  const auto retry = std::make_shared<OrElse>(
      [self, plan] {
        if (self->Commit(plan) == Step::kFinished) self->Work();
      },
      [self] {
        self->Finish(base::Draining());
        self->Work();
      });
  world_.scheduler.PostAfter(kBusyRetryMs, [retry] { retry->Run(); });
  return Step::kElsewhere;
}

LiveGame::Step LiveGame::JudgeAgain() {
  if (++current_->rounds > kMaxRounds) return Finish(TooContended());
  if (const absl::StatusOr<StatePtr> fresh = Refresh(); !fresh.ok()) return Finish(fresh.status());
  return Judge();
}

// The state first and the request after it: a request that is not known then is in no event of that
// state, whatever other nodes do.
LiveGame::Step LiveGame::LookUpAndJudge() {
  if (++current_->rounds > kMaxRounds) return Finish(TooContended());
  const absl::StatusOr<StatePtr> fresh = Refresh();
  if (!fresh.ok()) return Finish(fresh.status());
  absl::StatusOr<std::optional<CommandResult>> known = KnownAnswer();
  if (!known.ok()) return Finish(std::move(known).status());
  if (*known) return Finish(**std::move(known));
  current_->looked_up_at = (*fresh)->sequence;
  return Judge();
}

LiveGame::Step LiveGame::AnswerFromLog(bool in_doubt) {
  absl::StatusOr<std::optional<CommandResult>> known = KnownAnswer();
  if (!known.ok()) {
    // A store that cannot be asked leaves the doubt standing.
    return Finish(in_doubt && base::IsTransient(known.status()) ? InDoubt() : known.status());
  }
  // Whether or not this works, the answer is known; the next command tries again.
  const absl::StatusOr<StatePtr> fresh = Refresh();
  if (*known) return Finish(**std::move(known));
  if (in_doubt) return Finish(InDoubt());
  return Finish(Error(Reason::kInternal, "a known request has no events"));
}

LiveGame::Step LiveGame::Finish(absl::StatusOr<CommandResult> result) {
  const Done done = std::move(current_->done);
  current_.reset();
  const bool of_match = result.ok() && !result->after->facts->terms.match.is_nil();
  if (of_match && result->after->Actor() == host::kOver && world_.on_match_game_over) {
    world_.on_match_game_over(*result->after);
  }
  done(std::move(result));
  return Step::kFinished;
}

LiveGame::Step LiveGame::OnScheduler(std::function<Step()> step) {
  absl::Status posted = world_.scheduler.Post([self = shared_from_this(), step = std::move(step)] {
    if (step() == Step::kFinished) self->Work();
  });
  return posted.ok() ? Step::kElsewhere : Finish(std::move(posted));
}

absl::StatusOr<std::optional<CommandResult>> LiveGame::KnownAnswer() {
  const Command& command = current_->command;
  const absl::StatusOr<std::optional<EventRecord>> first =
      world_.store.FindRequest(id_, command.player, command.request);
  if (!first.ok()) return first.status();
  if (!*first) return std::nullopt;
  if ((*first)->request->body_hash != command.body_hash) {
    return RequestReused();
  }
  absl::StatusOr<Answered> answered = RebuildAnswer(world_, **first);
  if (!answered.ok()) return answered.status();
  return CommandResult{std::make_shared<const GameState>(std::move(answered->after)),
                       Share(std::move(answered->events))};
}

StatePtr LiveGame::state() const {
  const base::MutexLock lock(mutex_);
  return state_;
}

bool LiveGame::IsFresh() const {
  const base::MutexLock lock(mutex_);
  const int64_t age = world_.clock.Now().micros - checked_at_.micros;
  return !in_doubt_ && age >= 0 && age < kFreshForMs * 1000;
}

absl::StatusOr<StatePtr> LiveGame::Refresh() {
  const base::MutexLock one_at_a_time(refresh_mutex_);
  const Instant asked_at = world_.clock.Now();
  // Taken before the store is asked: a commit may return while it answers, and only a store that is
  // behind what was known before is an older one.
  const uint32_t known = state()->sequence;
  const std::array<GameId, 1> ids = {id_};
  const absl::StatusOr<std::vector<storage::HeadMark>> heads = world_.store.Heads(ids);
  if (!heads.ok()) return heads.status();
  if (heads->empty()) {
    LoseWatchers();
    return NoSuchGame();
  }
  absl::Status read;
  if (heads->front().sequence > known) read = ReadMissing();
  // What follows does not fit what is known: the store holds another past.
  const bool other_past = base::ReasonOf(read) == Reason::kReplayMismatch;
  if (heads->front().sequence < known || other_past) read = ReadAnew();
  if (!read.ok()) return read;
  const base::MutexLock lock(mutex_);
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
      absl::StatusOr<EventView> view = AdvanceAndView(draft, record);
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
  // The dice too: a game that was over when it was loaded needed none.
  absl::StatusOr<algorithms::DiceSource> dice = OpenDice(world_, *state);
  if (!dice.ok()) return dice.status();
  Sinks lost;
  {
    const base::MutexLock lock(mutex_);
    state_ = std::make_shared<const GameState>(*std::move(state));
    dice_ = std::make_shared<const algorithms::DiceSource>(*std::move(dice));
    lost.swap(sinks_);
    SetTimer();
  }
  TellLost(lost);
  return absl::OkStatus();
}

void LiveGame::LoseWatchers() {
  Sinks lost;
  {
    const base::MutexLock lock(mutex_);
    lost.swap(sinks_);
  }
  TellLost(lost);
}

void LiveGame::TellLost(const Sinks& lost) {
  for (const std::weak_ptr<EventSink>& weak : lost) {
    if (const std::shared_ptr<EventSink> sink = weak.lock()) sink->OnLost();
  }
}

// Makes `state` the committed one and tells the watchers, unless it is known already: a refresh and
// the answer to a commit may both bring the same events.
void LiveGame::TakeOver(GameState state, const std::vector<EventPtr>& events) {
  std::vector<std::shared_ptr<EventSink>> told;  // perhaps the last to hold one: not under the lock
  const base::MutexLock lock(mutex_);
  checked_at_ = world_.clock.Now();
  if (state.sequence <= state_->sequence) return;
  std::vector<EventPtr> fresh;
  for (const EventPtr& event : events) {
    if (event->record.sequence > state_->sequence) fresh.push_back(event);
  }
  state_ = std::make_shared<const GameState>(std::move(state));
  SetTimer();
  std::erase_if(sinks_, [&](const std::weak_ptr<EventSink>& weak) {
    std::shared_ptr<EventSink> sink = weak.lock();
    if (sink == nullptr) return true;
    sink->OnEvents(fresh);
    told.push_back(std::move(sink));
    return false;
  });
}

void LiveGame::KeepTime() {
  const base::MutexLock lock(mutex_);
  SetTimer();
}

// One timer at a time: set for the earliest deadline there was since it was set, and set again for
// the present one when it rings.
void LiveGame::SetTimer() {
  const std::optional<Instant> deadline = DueAt(*state_, MeasuredLag(*state_));
  if (!deadline) return;
  const int64_t ms = std::max<int64_t>(0, deadline->micros - world_.clock.Now().micros) / 1'000 + 1;
  if (ms > kTimerMs || (timer_at_ && *timer_at_ <= *deadline)) return;
  timer_at_ = deadline;
  world_.scheduler.PostAfter(ms, [weak = weak_from_this(), at = *deadline] {
    if (const std::shared_ptr<LiveGame> game = weak.lock()) game->OnTimer(at);
  });
}

void LiveGame::OnTimer(Instant set_for) {
  {
    const base::MutexLock lock(mutex_);
    if (timer_at_ != set_for) return;  // an earlier one was set meanwhile
    timer_at_.reset();
    const Instant now = world_.clock.Now();
    const std::optional<Instant> deadline = DueAt(*state_, MeasuredLag(*state_));
    // Without word of the database nobody can say whose time is up: the sweep will.
    const bool due = deadline && *deadline <= now && world_.outages.IsCurrent(now);
    if (!due) {
      if (deadline && now < *deadline) SetTimer();
      return;
    }
  }
  Expire();
}

void LiveGame::Expire() {
  Command command;
  world_.random.Fill(command.request.bytes);
  command.arrived_at = world_.clock.Now();
  command.what = core::Expire{};
  // Whoever is refused here is served by the sweep.
  Submit(std::move(command), [](const absl::StatusOr<CommandResult>&) {});
}

StatePtr LiveGame::Subscribe(std::weak_ptr<EventSink> sink) {
  const base::MutexLock lock(mutex_);
  if (sinks_.size() >= prune_sinks_at_) {
    std::erase_if(sinks_, [](const std::weak_ptr<EventSink>& weak) { return weak.expired(); });
    prune_sinks_at_ = std::max<size_t>(16, 2 * sinks_.size());
  }
  sinks_.push_back(std::move(sink));
  return state_;
}

bool LiveGame::HasWatchers() const {
  const base::MutexLock lock(mutex_);
  return std::ranges::any_of(sinks_, [](const auto& sink) { return !sink.expired(); });
}

}  // namespace astragal::core
