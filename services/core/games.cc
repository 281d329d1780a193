#include "services/core/games.h"

#include <algorithm>

#include "services/base/status.h"
#include "services/core/accounts.h"
#include "services/core/replay.h"

namespace astragal::core {
namespace {

using base::Error;
using base::Reason;

// The ruleset names an option; the request calls it options.NAME. What is about no option alone is
// about the preset or about all of them.
absl::Status NameField(const absl::Status& why) {
  if (base::ReasonOf(why) != Reason::kBadOption) return why;
  const auto details = base::DetailsOf(why);
  const auto field = details.find("field");
  const std::string name =
      field == details.end() || field->second.empty() ? "options" : field->second;
  return Error(Reason::kBadOption, std::string(why.message()))
      .With("field", name == "preset" || name == "options" ? name : "options." + name);
}

CommandResult ResultOf(const GameState& after, const std::vector<EventView>& events) {
  CommandResult result{std::make_shared<const GameState>(after), {}};
  for (const EventView& event : events) {
    result.events.push_back(std::make_shared<const EventView>(event));
  }
  return result;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const host::Ruleset>> Games::RulesetFor(
    const CreateGame& create) const {
  std::shared_ptr<const host::Ruleset> newest = world_.catalog.Find(create.ruleset);
  if (newest == nullptr) {
    return Error(Reason::kNotFound, "no such ruleset").With("field", "ruleset_id");
  }
  if (create.rules_version == 0) return newest;
  storage::GameFacts facts;
  facts.ruleset = create.ruleset;
  facts.rules_version = create.rules_version;
  return RulesetOf(world_.catalog, facts);
}

absl::StatusOr<NewGame> Games::Prepare(const CreateGame& create, Bytes32& secret,
                                       const std::shared_ptr<const host::Ruleset>& ruleset) {
  absl::StatusOr<std::vector<int64_t>> options =
      ruleset->ResolveOptions(create.preset, create.options);
  if (!options.ok()) return NameField(options.status());
  const absl::StatusOr<host::Position> start = ruleset->Start(*options);
  if (!start.ok()) return NameField(start.status());

  if (absl::Status wrong = CheckClockPolicy(create.terms.clock); !wrong.ok()) return wrong;
  const int seats = ruleset->Seats(*start);
  if (create.seat && (*create.seat < 0 || *create.seat >= seats)) {
    return Error(Reason::kBadField, "the game has no such seat").With("field", "seat");
  }

  // A match takes no latecomers.
  if (!create.terms.match.is_nil() && create.players.size() != static_cast<size_t>(seats)) {
    return Error(Reason::kBadField, "a match of this game is for " + std::to_string(seats))
        .With("field", "player_ids");
  }

  NewGame game;
  storage::GameFacts& facts = game.facts;
  facts.created_at = world_.clock.Now();
  facts.id = GameId::Make(facts.created_at, world_.random);
  facts.ruleset = ruleset->about().id;
  facts.rules_version = ruleset->about().rules_version;
  facts.build = ruleset->build().sha256;
  facts.options = *std::move(options);
  facts.seats = static_cast<uint8_t>(seats);
  facts.created_by = create.player;
  facts.restore_epoch = world_.restore_epoch;
  world_.random.Fill(secret);
  facts.commitment = algorithms::DiceCommitment(facts.id, secret);
  facts.sealed_secret =
      world_.box.Seal(base::AsView(secret), base::AsView(facts.id.bytes()), world_.random);
  facts.terms = create.terms;
  game.players = create.players;
  game.invite_contributions = create.invite_contributions;
  if (create.seat) {
    game.players.assign(facts.seats, PlayerId());
    game.players[static_cast<size_t>(*create.seat)] = create.player;
  }
  game.request = create.request;
  game.body_hash = create.body_hash;
  return game;
}

absl::StatusOr<Plan> Games::PlanNew(const CreateGame& create, Bytes32& secret) {
  const auto ruleset = RulesetFor(create);
  if (!ruleset.ok()) return ruleset.status();
  const absl::StatusOr<NewGame> game = Prepare(create, secret, *ruleset);
  if (!game.ok()) return game.status();
  const algorithms::DiceSource dice{secret, game->facts.id, game->facts.restore_epoch, {}};
  return PlanCreation(*game, *ruleset, dice);
}

absl::StatusOr<storage::GameFacts> Games::Preview(const CreateGame& create) {
  const auto ruleset = RulesetFor(create);
  if (!ruleset.ok()) return ruleset.status();
  Bytes32 secret{};
  absl::StatusOr<NewGame> game = Prepare(create, secret, *ruleset);
  if (!game.ok()) return game.status();
  return std::move(game->facts);
}

void Games::Create(CreateGame create, Done done) {
  Bytes32 secret{};
  absl::StatusOr<Plan> made = PlanNew(create, secret);
  // What is refused now may be the repeat of what was done then.
  if (!made.ok()) return AnswerFromStore(create, made.status(), done);
  const auto plan = std::make_shared<const Plan>(*std::move(made));

  storage::GameCommit commit;
  commit.create = *plan->after.facts;
  commit.head = HeadOf(plan->after);
  commit.seats = plan->after.seats;
  for (const EventView& event : plan->events) commit.events.push_back(event.record);
  commit.takes = create.takes;
  commit.match = create.match;
  const absl::Status taken =
      queue_.Add(std::move(commit), [this, create, plan, secret, done](const auto& outcome) {
        OnCreated(create, *plan, secret, outcome, done);
      });
  if (!taken.ok()) done(taken);
}

void Games::OnCreated(const CreateGame& create, const Plan& plan, const Bytes32& secret,
                      const absl::StatusOr<storage::CommitOutcome>& outcome, const Done& done) {
  if (outcome.ok() && *outcome == storage::CommitOutcome::kCommitted) {
    CountPlay(plan);
    Keep(std::make_shared<LiveGame>(world_, queue_, plan.after, secret));
    return done(ResultOf(plan.after, plan.events));
  }
  // Busy: the same request stands earlier in the batch.
  const bool known = outcome.ok() && (*outcome == storage::CommitOutcome::kDuplicateRequest ||
                                      *outcome == storage::CommitOutcome::kBusy);
  // Perhaps by this very request.
  if (outcome.ok() && *outcome == storage::CommitOutcome::kTaken) {
    return AnswerFromStore(
        create, Error(Reason::kProposalClosed, "somebody was faster, or it was withdrawn"), done);
  }
  const bool in_doubt = absl::IsAborted(outcome.status());
  if (!known && !in_doubt) {
    const absl::Status refused = Error(Reason::kInternal, "the database refused the new game");
    return done(outcome.ok() ? refused : outcome.status());
  }
  const absl::Status unknown =
      Error(Reason::kStoreUnavailable,
            "the database did not say whether it stored this; repeat the same request_id")
          .RetryAfterMs(500);
  AnswerFromStore(create, unknown, done);
}

void Games::AnswerFromStore(const CreateGame& create, const absl::Status& if_unknown,
                            const Done& done) {
  const absl::Status posted = world_.scheduler.Post(
      [this, create, if_unknown, done] { done(CreatedBefore(create, if_unknown)); });
  if (!posted.ok()) done(posted);
}

absl::StatusOr<CommandResult> Games::CreatedBefore(const CreateGame& create,
                                                   const absl::Status& if_unknown) {
  const absl::StatusOr<std::optional<GameId>> id =
      world_.store.FindCreated(create.player, create.request);
  if (!id.ok() || !*id) return if_unknown;
  const absl::StatusOr<std::vector<EventRecord>> first = world_.store.Events(**id, 0, 1);
  if (!first.ok() || first->empty()) return if_unknown;
  if (!first->front().request || first->front().request->body_hash != create.body_hash) {
    return RequestReused();
  }
  absl::StatusOr<Answered> answered = RebuildAnswer(world_, first->front());
  if (!answered.ok()) return answered.status();
  return ResultOf(answered->after, answered->events);
}

void Games::Submit(GameId id, Command command, Done done) {
  command.arrived_at = world_.clock.Now();
  if (const std::shared_ptr<LiveGame> game = FindLoaded(id)) {
    return game->Submit(std::move(command), std::move(done));
  }
  const absl::Status posted = world_.scheduler.Post([this, id, command = std::move(command), done] {
    const absl::StatusOr<std::shared_ptr<LiveGame>> game = Find(id);
    if (!game.ok()) return done(game.status());
    (*game)->Submit(command, done);
  });
  if (!posted.ok()) done(posted);
}

absl::StatusOr<StatePtr> Games::Get(GameId id, PlayerId viewer) {
  const absl::StatusOr<std::shared_ptr<LiveGame>> game = Find(id);
  if (!game.ok()) return game.status();
  absl::StatusOr<StatePtr> state = (*game)->state();
  if (!(*game)->IsFresh()) state = (*game)->Refresh();
  if (state.ok() && !MaySee(*(*state)->facts, (*state)->seats, viewer)) return NoSuchGame();
  return state;
}

absl::StatusOr<std::shared_ptr<LiveGame>> Games::Find(GameId id) {
  if (std::shared_ptr<LiveGame> game = FindLoaded(id)) return game;
  absl::StatusOr<std::shared_ptr<LiveGame>> game = LiveGame::Load(world_, queue_, id);
  if (!game.ok()) return game.status();
  return Keep(*std::move(game));
}

std::shared_ptr<LiveGame> Games::FindLoaded(GameId id) {
  const base::MutexLock lock(mutex_);
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return nullptr;
  games_.splice(games_.begin(), games_, found->second);
  return *found->second;
}

// Two threads may have loaded the same game: the first one kept is the one for all.
std::shared_ptr<LiveGame> Games::Keep(std::shared_ptr<LiveGame> game) {
  std::shared_ptr<LiveGame> dropped;  // destroyed outside the lock
  const base::MutexLock lock(mutex_);
  const auto [place, is_new] = by_id_.try_emplace(game->id());
  if (!is_new) return *place->second;
  games_.push_front(game);
  place->second = games_.begin();
  game->KeepTime();
  if (games_.size() > kMaxLoaded) dropped = DropOne();
  return game;
}

// The longest unused game that nobody holds. Games in use move to the front instead, so that there
// is never a second live game beside one in use; a few tries per new game are enough to keep up.
std::shared_ptr<LiveGame> Games::DropOne() {
  constexpr int kTries = 16;
  for (int i = 0; i < kTries; ++i) {
    if (games_.back().use_count() > 1) {
      games_.splice(games_.begin(), games_, std::prev(games_.end()));
      continue;
    }
    std::shared_ptr<LiveGame> oldest = std::move(games_.back());
    games_.pop_back();
    by_id_.erase(oldest->id());
    return oldest;
  }
  return nullptr;
}

absl::StatusOr<std::shared_ptr<Watch>> Games::StartWatch(GameId id, PlayerId viewer,
                                                         std::optional<uint32_t> after,
                                                         Watch::Wake wake) {
  const absl::StatusOr<std::shared_ptr<LiveGame>> game = Find(id);
  if (!game.ok()) return game.status();
  const StatePtr known = (*game)->state();
  if (!MaySee(*known->facts, known->seats, viewer)) return NoSuchGame();
  absl::StatusOr<std::shared_ptr<Watch>> watch =
      Watch::Start(world_, *game, after, std::move(wake));
  if (!watch.ok()) return watch.status();
  // Once it watches: PollWatched forgets games without watchers.
  const base::MutexLock lock(mutex_);
  watched_[id] = *game;
  return watch;
}

void Games::PollWatched() {
  std::vector<GameId> ids;
  {
    const base::MutexLock lock(mutex_);
    absl::erase_if(watched_, [](const auto& item) {
      const std::shared_ptr<LiveGame> game = item.second.lock();
      return game == nullptr || !game->HasWatchers();
    });
    ids.reserve(watched_.size());
    for (const auto& item : watched_) ids.push_back(item.first);
  }
  std::ranges::sort(ids);  // a hash map's order differs from run to run, a simulation's may not
  if (ids.empty()) return;
  const absl::StatusOr<std::vector<storage::HeadMark>> heads = world_.store.Heads(ids);
  if (!heads.ok()) return;  // the next round asks again
  absl::flat_hash_map<GameId, uint32_t> stored;
  for (const storage::HeadMark& head : *heads) stored[head.id] = head.sequence;
  for (const GameId& id : ids) {
    const std::shared_ptr<LiveGame> game = FindLoaded(id);
    const auto head = stored.find(id);
    const bool same =
        head != stored.end() && game != nullptr && game->state()->sequence == head->second;
    // A failure tells nobody anything: the next round asks again.
    if (game != nullptr && !same) game->Refresh().IgnoreError();
  }
}

void Games::Poll() {
  const auto outages = world_.store.Beat(world_.outages.known_until());
  if (outages.ok()) {
    world_.outages.Learn(*outages, world_.clock.Now());
    SweepDeadlines();
  }
  PollWatched();
}

void Games::SweepDeadlines() {
  const Instant until{world_.clock.Now().micros - kSweepAfterMs * 1'000};
  const absl::StatusOr<std::vector<GameId>> due = world_.store.TakeDue(until, kMaxDue);
  if (!due.ok()) return;  // the next round asks again
  for (const GameId& id : *due) {
    const absl::StatusOr<std::shared_ptr<LiveGame>> game = Find(id);
    if (game.ok()) (*game)->Expire();
  }
}

void Games::PollForEver() {
  world_.scheduler.PostAfter(kPollMs, [this] {
    Poll();
    PollForEver();
  });
}

}  // namespace astragal::core
