#include "services/core/tournaments/tournaments.h"

#include <algorithm>
#include <utility>

#include "services/base/tournament_reasons.h"
#include "services/core/tournaments/next_stage.h"

namespace astragal::core {
namespace {

using base::Error;
using base::Reason;
using Kind = TournamentEntryKind;

constexpr int kMaxSteps = 16;  // of one Advance
constexpr uint32_t kMaxImported = storage::TournamentStore::kMaxAppended;

bool MaySee(const TournamentState& state, base::PlayerId viewer) {
  const bool staff = state.RoleOf(viewer) != TournamentRole::kPlayer;
  if (staff || state.IndexOf(viewer) != algorithms::kNobody) return true;
  return state.status != TournamentStatus::kDraft &&
         state.terms.play.visibility != storage::Visibility::kPrivate;
}

absl::Status NoSuchTournament() { return Error(Reason::kNotFound, "no such tournament"); }

storage::TournamentHead HeadOf(const TournamentState& state, base::Instant now) {
  storage::TournamentHead head;
  head.id = state.id;
  head.name = state.terms.name;
  head.status = static_cast<uint8_t>(state.status);
  head.version = state.version;
  head.due_at = NextLook(state, now);
  head.created_by = state.owner;
  head.created_at = state.created_at;
  return head;
}

// Whom a result says not to have come.
base::PlayerId MissingOf(const TournamentState& state, const BoardPlace& place,
                         const BoardResult& result) {
  const TournamentBoard& board = state.rounds[place.round].boards[place.board];
  int player = result.first == algorithms::Outcome::kForfeitLoss ? board.first : board.second;
  const std::vector<int> players = board.Players();
  for (size_t seat = 0; seat < result.places.size() && seat < players.size(); ++seat) {
    if (result.places[seat] == players.size()) player = players[seat];
  }
  return state.players[static_cast<size_t>(player)].id;
}

TournamentCommand ServerCommand(Kind kind, int round) {
  TournamentCommand command;
  command.kind = kind;
  command.round = round;
  return command;
}

}  // namespace

TournamentPtr Tournaments::Kept(TournamentId id) {
  const base::MutexLock lock(mutex_);
  const auto found = kept_.find(id);
  return found == kept_.end() ? nullptr : found->second;
}

void Tournaments::Keep(const TournamentPtr& state) {
  const base::MutexLock lock(mutex_);
  TournamentPtr& kept = kept_[state->id];
  if (kept == nullptr || kept->version < state->version) kept = state;
  if (kept_.size() <= kMaxKept) return;
  // The oldest one goes; it is read again when somebody asks for it.
  const auto oldest = kept_.begin();
  kept_.erase(oldest->first == state->id ? std::next(oldest) : oldest);
}

absl::StatusOr<TournamentPtr> Tournaments::Fresh(TournamentId id) {
  TournamentPtr kept = Kept(id);
  std::shared_ptr<TournamentState> state;
  while (true) {
    const uint32_t known = state != nullptr ? state->version : kept != nullptr ? kept->version : 0;
    const auto entries = store_.ReadLog(id, known, storage::TournamentStore::kMaxEntries);
    if (!entries.ok()) return entries.status();
    if (entries->empty()) break;
    if (state == nullptr) {
      state = kept == nullptr ? std::make_shared<TournamentState>()
                              : std::make_shared<TournamentState>(*kept);
      state->id = id;
    }
    for (const TournamentEntry& entry : *entries) {
      if (absl::Status applied = Apply(entry, *state); !applied.ok()) return applied;
    }
    if (entries->size() < storage::TournamentStore::kMaxEntries) break;
  }
  if (state == nullptr && kept == nullptr) return NoSuchTournament();
  if (state == nullptr) return kept;
  Keep(state);
  return TournamentPtr(std::move(state));
}

// Whether what is to be played can be: by two, or at tables of every size that there may be.
absl::Status Tournaments::CheckPlay(const TournamentTerms& terms, uint32_t& rules_version) {
  const bool tables = terms.format == TournamentFormat::kTables;
  for (const size_t seats : tables ? std::vector<size_t>{3, 4} : std::vector<size_t>{0}) {
    const absl::StatusOr<storage::GameFacts> facts =
        games_.Preview(GameFor(terms, games_.world().catalog, seats));
    if (!facts.ok()) return facts.status();
    if (facts->seats != (tables ? seats : 2)) {
      return Error(Reason::kBadField, tables ? "terms.play must be for three and for four players"
                                             : "terms.play must be for two players")
          .With("field", "terms.play.ruleset_id");
    }
    rules_version = facts->rules_version;
  }
  return absl::OkStatus();
}

absl::Status Tournaments::AddFacts(const TournamentState& state, TournamentCommand& command) {
  if (command.kind != Kind::kRegistered || find_facts_ == nullptr) return absl::OkStatus();
  const base::PlayerId who = command.player.is_nil() ? command.by : command.player;
  absl::StatusOr<EntrantFacts> facts = find_facts_(state.terms, who);
  if (!facts.ok()) return facts.status();
  if (command.facts) facts->invite = command.facts->invite;
  // What a director says of a player stands.
  const bool staff = state.RoleOf(command.by) >= TournamentRole::kOwner &&
                     state.RoleOf(command.by) <= TournamentRole::kDirector;
  const bool said = staff && command.number != 0;
  if (facts->rating != 0 && !said) command.number = facts->rating;
  command.facts = *std::move(facts);
  return absl::OkStatus();
}

absl::StatusOr<TournamentPtr> Tournaments::Create(const NewTournament& tournament) {
  if (absl::Status right = CheckTerms(tournament.terms); !right.ok()) return right;
  TournamentTerms terms = tournament.terms;
  // From now on all its matches are played by these rules.
  if (absl::Status right = CheckPlay(terms, terms.play.rules_version); !right.ok()) return right;
  TournamentState state;
  state.id = TournamentId::Make(games_.world().clock.Now(), games_.world().random);
  TournamentEntry first;
  first.kind = Kind::kCreated;
  first.version = 1;
  first.by = tournament.by;
  first.request = tournament.request;
  first.body_hash = tournament.body_hash;
  first.at = games_.world().clock.Now();
  first.detail = EncodeTerms(terms);
  if (absl::Status applied = Apply(first, state); !applied.ok()) return applied;
  const absl::StatusOr<TournamentId> id = store_.Create(HeadOf(state, first.at), first);
  if (!id.ok()) return id.status();
  absl::StatusOr<TournamentPtr> made = Fresh(*id);
  if (made.ok() && !tournament.imported.empty()) return Import(*made, tournament.imported);
  if (!made.ok() || !tournament.open || (*made)->status != TournamentStatus::kDraft) return made;
  // A repeat, or whoever looks at the draft, opens it as well.
  TournamentCommand open = ServerCommand(Kind::kRegistrationOpened, 0);
  absl::StatusOr<TournamentPtr> opened = DoAsServer(*made, open);
  if (opened.ok() && *opened == nullptr) return Fresh(*id);
  return opened;
}

// Registration first and the rest at once: the schedule finds nothing to do in between.
absl::StatusOr<TournamentPtr> Tournaments::Import(TournamentPtr state,
                                                  const std::vector<TournamentEntry>& entries) {
  const auto start = std::ranges::find(entries, Kind::kStarted, &TournamentEntry::kind);
  const auto before = static_cast<uint32_t>(start - entries.begin()) + 1;
  while (state->version < entries.size() + 1) {
    const uint32_t from = state->version;
    // Another node, or this one before it was killed, has done the rest.
    if (from > before) return state;
    const uint32_t to = from < before ? std::min(before, from + kMaxImported)
                                      : static_cast<uint32_t>(entries.size()) + 1;
    TournamentPlan plan;
    plan.after = *state;
    for (uint32_t version = from; version < to; ++version) {
      plan.entries.push_back(entries[version - 1]);
      if (absl::Status applied = Apply(plan.entries.back(), plan.after); !applied.ok()) {
        return applied;
      }
    }
    absl::StatusOr<TournamentPtr> after = Store(state, std::move(plan));
    if (after.ok() && *after == nullptr) after = Fresh(state->id);
    if (!after.ok()) return after.status();
    state = *std::move(after);
  }
  return state;
}

absl::StatusOr<TournamentPtr> Tournaments::Store(const TournamentPtr& before, TournamentPlan plan) {
  const storage::TournamentHead head = HeadOf(plan.after, games_.world().clock.Now());
  const absl::StatusOr<bool> stored = store_.Append(head, before->version, plan.entries);
  if (!stored.ok()) return stored.status();
  if (!*stored) return TournamentPtr();
  TournamentPtr after = std::make_shared<const TournamentState>(std::move(plan.after));
  Keep(after);
  return after;
}

absl::StatusOr<TournamentAnswer> Tournaments::Do(TournamentId id, TournamentCommand command) {
  const int64_t end = games_.world().clock.Now().micros + kPairingMs * 1'000;
  command.go_on = [this, end, wanted = std::move(command.go_on)]() -> absl::Status {
    if (games_.world().clock.Now().micros >= end) {
      return absl::DeadlineExceededError("the round cannot be paired in time");
    }
    return wanted == nullptr ? absl::OkStatus() : wanted();
  };
  for (int tries = 0; tries < kMaxTries; ++tries) {
    const absl::StatusOr<TournamentPtr> before = Fresh(id);
    if (!before.ok()) return before.status();
    if (!MaySee(**before, command.by)) return NoSuchTournament();
    TournamentAnswer answer;
    answer.tournament = *before;
    const auto known = (*before)->requests.find({command.by, command.request.bytes});
    if (known != (*before)->requests.end()) {
      if (known->second.second != command.body_hash) {
        return Error(Reason::kRequestIdReused, "this request_id was used for another request")
            .With("field", "request_id");
      }
      // What it did then, whatever has been done since.
      absl::StatusOr<TournamentPtr> then = ReadAt(id, command.by, known->second.first);
      if (!then.ok()) return then.status();
      answer.tournament = *std::move(then);
      answer.repeated = true;
      return answer;
    }
    if (absl::Status found = AddFacts(**before, command); !found.ok()) return found;
    if (absl::Status found = AddSeeds(**before, command); !found.ok()) return found;
    absl::StatusOr<TournamentPlan> plan =
        PlanCommand(**before, command, games_.world().clock.Now());
    if (!plan.ok()) return plan.status();
    answer.warnings = plan->warnings;
    answer.would_have_paired = plan->would_have_paired;
    if (command.validate_only) {
      answer.would_be = std::make_shared<const TournamentState>(std::move(plan->after));
      return answer;
    }
    // Whoever hung up while the last group was paired gets no draft either.
    if (absl::Status wanted = command.go_on(); !wanted.ok()) return wanted;
    absl::StatusOr<TournamentPtr> after = Store(*before, *std::move(plan));
    if (!after.ok()) return after.status();
    if (*after == nullptr) continue;
    answer.tournament = *after;
    return answer;
  }
  return Error(Reason::kStaleVersion, "others were always faster; try again").RetryAfterMs(100);
}

absl::StatusOr<TournamentPtr> Tournaments::Read(TournamentId id, base::PlayerId viewer) {
  absl::StatusOr<TournamentPtr> state = Fresh(id);
  if (state.ok() && !MaySee(**state, viewer)) return NoSuchTournament();
  return state;
}

absl::StatusOr<TournamentPtr> Tournaments::ReadAt(TournamentId id, base::PlayerId viewer,
                                                  uint32_t version) {
  absl::StatusOr<TournamentPtr> now = Read(id, viewer);
  if (!now.ok() || (*now)->version <= version) return now;
  auto state = std::make_shared<TournamentState>();
  state->id = id;
  while (state->version < version) {
    const size_t left = version - state->version;
    const auto entries =
        store_.ReadLog(id, state->version, std::min(left, storage::TournamentStore::kMaxEntries));
    if (!entries.ok()) return entries.status();
    for (const TournamentEntry& entry : *entries) {
      if (absl::Status applied = Apply(entry, *state); !applied.ok()) return applied;
    }
    if (entries->empty()) return NoSuchTournament();
  }
  return TournamentPtr(std::move(state));
}

absl::StatusOr<std::vector<storage::TournamentHead>> Tournaments::List(
    std::optional<TournamentStatus> status, TournamentId before, size_t limit) {
  return store_.List(status ? static_cast<uint8_t>(*status) : uint8_t{0}, before, limit);
}

absl::StatusOr<std::vector<TournamentEntry>> Tournaments::ReadLog(TournamentId id, uint32_t after,
                                                                  size_t limit) {
  return store_.ReadLog(id, after, limit);
}

absl::StatusOr<TournamentPtr> Tournaments::DoAsServer(const TournamentPtr& state,
                                                      const TournamentCommand& command) {
  absl::StatusOr<TournamentPlan> plan = PlanCommand(*state, command, games_.world().clock.Now());
  if (!plan.ok()) return plan.status();
  return Store(state, *std::move(plan));
}

absl::StatusOr<TournamentPtr> Tournaments::EnterResults(TournamentPtr state,
                                                        const std::vector<PairingMatch>& matches) {
  std::map<int, std::vector<BoardResult>> by_round;
  std::vector<base::PlayerId> absent;
  for (const PairingMatch& pairing : matches) {
    const int round = static_cast<int>(pairing.place.round) + 1;
    std::optional<BoardResult> result = ResultOf(*state, pairing);
    const bool drawn = result && result->first == algorithms::Outcome::kDraw;
    if (drawn && IsElimination(state->terms.format)) {
      TournamentCommand again = ServerCommand(Kind::kReplayed, round);
      again.board = result->board;
      return DoAsServer(state, again);
    }
    if (!result) {
      const auto missing = NoShowOf(games_.world(), *state, pairing);
      if (!missing.ok()) return missing.status();
      result = *missing;
      if (result) {
        absent.push_back(MissingOf(*state, pairing.place, *result));
      }
    }
    if (result) by_round[round].push_back(*result);
  }
  for (const auto& [round, results] : by_round) {
    TournamentCommand enter = ServerCommand(Kind::kResults, round);
    enter.results = results;
    absl::StatusOr<TournamentPtr> after = DoAsServer(state, enter);
    if (!after.ok() || *after == nullptr) return after;
    state = *std::move(after);
  }
  // Who did not come once must come back by himself.
  for (const base::PlayerId& player : absent) {
    if (state->status != TournamentStatus::kRunning) break;
    TournamentCommand pause = ServerCommand(Kind::kPlayerPaused, 0);
    pause.player = player;
    absl::StatusOr<TournamentPtr> after = DoAsServer(state, pause);
    if (after.ok() && *after == nullptr) return after;
    if (after.ok()) state = *std::move(after);
  }
  return state;
}

void Tournaments::MoveMatchesOn(const TournamentState& state,
                                const std::vector<PairingMatch>& matches) {
  for (const PairingMatch& pairing : matches) {
    if (pairing.match == nullptr) {
      // Whatever comes of it is seen when the matches are looked at again.
      games_.Create(FirstGameOf(state, pairing.place, games_.world().catalog),
                    [](const absl::StatusOr<CommandResult>&) {});
      continue;
    }
    // The node that ended a game starts the next one; if it is gone, or the game was called off,
    // nobody else would.
    const MatchStage stage = pairing.match->Stage();
    if (stage != MatchStage::kDue && stage != MatchStage::kWaiting) continue;
    matches_.StartNext(pairing.match, 0, [](const absl::StatusOr<MatchPtr>&) {});
  }
}

absl::StatusOr<TournamentPtr> Tournaments::Referee(TournamentPtr state) {
  const std::vector<BoardPlace> places = OpenPlaces(*state);
  if (places.empty() || state->status == TournamentStatus::kCancelled) return state;
  const auto matches = ReadMatches(match_store_, games_.world().catalog, *state, places);
  if (!matches.ok()) return matches.status();
  absl::StatusOr<TournamentPtr> after = EnterResults(state, *matches);
  if (!after.ok() || *after == nullptr) return after;
  // Those that have just been decided need nothing more; the others do not depend on results.
  std::vector<PairingMatch> open;
  for (const PairingMatch& pairing : *matches) {
    const TournamentBoard& board =
        (*after)->rounds[pairing.place.round].boards[pairing.place.board];
    if (board.IsOpen()) open.push_back(pairing);
  }
  if ((*after)->status == TournamentStatus::kRunning) MoveMatchesOn(**after, open);
  return after;
}

absl::StatusOr<TournamentPtr> Tournaments::CorrectRatings(TournamentPtr state) {
  while (correct_rating_ != nullptr && !state->ratings_due.empty()) {
    const RatingDue& due = state->ratings_due.front();
    const absl::StatusOr<bool> done = correct_rating_(RatingChangeOf(*state, due));
    if (!done.ok()) return state;  // the store is away, or the pool moved: soon again
    const int64_t waited = games_.world().clock.Now().micros - due.at.micros;
    if (!*done && waited < kRatingWaitMs * 1'000) return state;
    TournamentCommand corrected = ServerCommand(Kind::kRatingCorrected, due.round);
    corrected.number = int64_t{due.version} << 1 | (*done ? 1 : 0);
    absl::StatusOr<TournamentPtr> after = DoAsServer(state, corrected);
    if (!after.ok() || *after == nullptr) return after;
    state = *std::move(after);
  }
  return state;
}

absl::StatusOr<TournamentPtr> Tournaments::StepOn(TournamentPtr state) {
  for (int steps = 0; steps < kMaxSteps; ++steps) {
    const auto next = NextStep(*state, games_.world().clock.Now());
    if (!next) return state;
    absl::StatusOr<TournamentPtr> after = DoAsServer(state, *next);
    if (!after.ok() || *after == nullptr) return after;
    state = *std::move(after);
  }
  return state;
}

absl::StatusOr<TournamentPtr> Tournaments::MakeNextStage(const TournamentPtr& state) {
  const base::Instant now = games_.world().clock.Now();
  NewTournament next;
  next.by = state->owner;
  next.request = NextStageRequest(state->id);
  next.body_hash = base::Sha256(state->id.ToText());
  next.terms = NextStageTerms(*state, now);
  next.open = false;
  absl::StatusOr<TournamentPtr> made = Create(next);
  if (!made.ok()) return made;
  if ((*made)->version == 1) {
    absl::StatusOr<TournamentPlan> plan = FillNextStage(*state, **made, now);
    if (!plan.ok()) return plan.status();
    // If another node was faster, it has filled it.
    if (auto filled = Store(*made, *std::move(plan)); !filled.ok()) return filled;
  }
  TournamentCommand created = ServerCommand(Kind::kNextStageCreated, 0);
  created.next_stage = (*made)->id;
  return DoAsServer(state, created);
}

void Tournaments::Advance(TournamentId id) {
  absl::StatusOr<TournamentPtr> state = Fresh(id);
  if (!state.ok()) return;  // the lease ends by itself
  const uint32_t before = (*state)->version;
  absl::StatusOr<TournamentPtr> after = CorrectRatings(*state);
  if (after.ok() && *after != nullptr) after = Referee(*after);
  if (after.ok() && *after != nullptr) after = StepOn(*after);
  // A round that has just been published begins at once.
  if (after.ok() && *after != nullptr && (*after)->version != before) after = Referee(*after);
  if (after.ok() && *after != nullptr && OwesNextStage(**after)) after = MakeNextStage(*after);
  const base::Instant now = games_.world().clock.Now();
  if (!after.ok()) {
    const TournamentPtr last = Kept(id);
    const base::Instant later{now.micros + kTroubleMs * 1'000};
    store_.Schedule(id, last->version, later).IgnoreError();
    return;
  }
  if (*after == nullptr) return;  // somebody moved it on, and said when it is due
  store_.Schedule(id, (*after)->version, NextLook(**after, now)).IgnoreError();
}

StandingsPtr Tournaments::Standings(const TournamentPtr& state) {
  {
    const base::MutexLock lock(mutex_);
    const auto found = standings_.find(state->id);
    if (found != standings_.end() && found->second.first == state->version) {
      return found->second.second;
    }
  }
  auto made = std::make_shared<const std::vector<Standing>>(StandingsOf(*state));
  const base::MutexLock lock(mutex_);
  if (standings_.size() >= kMaxKept) standings_.clear();
  standings_[state->id] = {state->version, made};
  return made;
}

void Tournaments::StartWatch(TournamentId id, std::weak_ptr<void> token, Wake wake) {
  const base::MutexLock lock(mutex_);
  watches_[id].push_back({std::move(token), std::move(wake), 0});
}

void Tournaments::TellWatchers() {
  std::vector<TournamentId> ids;
  {
    const base::MutexLock lock(mutex_);
    for (auto item = watches_.begin(); item != watches_.end();) {
      std::erase_if(item->second, [](const Watch& watch) { return watch.token.expired(); });
      if (!item->second.empty()) ids.push_back(item->first);
      item = item->second.empty() ? watches_.erase(item) : std::next(item);
    }
  }
  for (const TournamentId& id : ids) {
    const absl::StatusOr<storage::TournamentHead> head = store_.GetHead(id);
    if (!head.ok()) continue;
    std::vector<std::pair<std::shared_ptr<void>, Wake>> woken;
    {
      const base::MutexLock lock(mutex_);
      for (Watch& watch : watches_[id]) {
        if (watch.told == head->version) continue;
        watch.told = head->version;
        if (auto alive = watch.token.lock()) woken.emplace_back(std::move(alive), watch.wake);
      }
    }
    for (const auto& [alive, wake] : woken) wake();
  }
}

void Tournaments::Poll() {
  const auto due = store_.TakeDue(kLeaseMs, kMaxDue);
  if (due.ok()) {
    for (const TournamentId& id : *due) Advance(id);
  }
  TellWatchers();
}

void Tournaments::PollForEver() {
  games_.world().scheduler.PostAfter(kPollMs, [this] {
    Poll();
    PollForEver();
  });
}

}  // namespace astragal::core
