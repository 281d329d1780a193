#include "services/core/game_state.h"

#include <algorithm>
#include <utility>

#include "services/base/status.h"

namespace astragal::core {
namespace {

using base::Error;
using base::Reason;

absl::Status Mismatch(uint32_t sequence, std::string_view what) {
  return Error(Reason::kReplayMismatch,
               std::string("the log does not replay: ") + std::string(what))
      .With("sequence", sequence);
}

Bytes32 PositionHash(const host::Position& position) {
  const absl::string_view bytes = position.bytes();
  return base::Sha256({bytes.data(), bytes.size()});
}

// Whether position, seats to act or status are others after it.
bool ChangesPlay(EventKind kind) {
  switch (kind) {
    case EventKind::kSeated:
    case EventKind::kLeft:
    case EventKind::kBuild:
    case EventKind::kOffered:
    case EventKind::kAnswered:
    case EventKind::kCredited:
    case EventKind::kInvited:
    case EventKind::kPledged:
    case EventKind::kPledgesClosed:
    case EventKind::kContributed:
      return false;
    default:
      return true;
  }
}

bool IsCreationOf(const storage::GameFacts& facts, const EventRecord& event) {
  return event.detail == EncodeCreated(facts) && event.number == facts.seats &&
         event.at == facts.created_at;
}

bool HasSeat(const GameState& state, const EventRecord& event) {
  return event.seat >= 0 && static_cast<size_t>(event.seat) < state.seats.size();
}

absl::Status TakeSeat(GameState& state, const EventRecord& event) {
  absl::StatusOr<PlayerId> player = DecodePlayer(event);
  if (!player.ok()) return player.status();
  state.seats[static_cast<size_t>(event.seat)].player = *player;
  return absl::OkStatus();
}

absl::Status FinishGame(GameState& state, const EventRecord& event) {
  absl::StatusOr<Finish> finish = DecodeFinish(event, state.seats.size());
  if (!finish.ok()) return finish.status();
  for (size_t i = 0; i < state.seats.size(); ++i) {
    state.seats[i].place = finish->seats[i].place;
    state.seats[i].points = finish->seats[i].points;
  }
  state.ending = static_cast<Ending>(event.number);
  state.status = storage::HasResult(state.ending) ? GameStatus::kFinished : GameStatus::kAborted;
  state.proceedings.turn = {};
  state.proceedings.offer.reset();
  return absl::OkStatus();
}

uint8_t Bit(int seat) { return static_cast<uint8_t>(1U << seat); }

// An offer that a seat has not accepted is declined when it acts.
void DeclineByActing(std::optional<Offer>& offer, int seat) {
  if (offer && offer->seat != seat && (offer->accepted & Bit(seat)) == 0) offer.reset();
}

absl::Status Act(GameState& state, const EventRecord& event) {
  const absl::StatusOr<ActionDetail> detail = DecodeAction(event);
  if (!detail.ok()) return detail.status();
  OpenTurn& turn = state.proceedings.turn;
  if (turn.actions.empty()) turn.start = std::string(state.position.bytes());
  const absl::Status applied = state.ruleset->Apply(state.position, event.seat, event.number);
  if (!applied.ok()) return applied;
  turn.actions.push_back(event.number);
  const int next = state.ruleset->Actor(state.position);
  // What ends the game ends the turn, too.
  const bool kept = detail->keeps_turn && next != host::kOver;
  if (next != event.seat && kept) turn.kept_by = event.seat;
  if (next != event.seat && !kept) turn = {};
  GiveLagBack(state.proceedings.clock, detail->lag_us);
  state.proceedings.acted = true;
  state.proceedings.offers = 0;
  DeclineByActing(state.proceedings.offer, event.seat);
  return absl::OkStatus();
}

absl::Status Undo(GameState& state, const EventRecord& event) {
  OpenTurn& turn = state.proceedings.turn;
  const auto taken = static_cast<int64_t>(turn.actions.size());
  if (event.number < 1 || event.number > taken) {
    return Mismatch(event.sequence, "there is nothing to take back");
  }
  turn.actions.resize(static_cast<size_t>(taken - event.number));
  turn.kept_by = -1;
  ++turn.undone;
  state.position = host::Position(turn.start);
  for (const int64_t action : turn.actions) {
    const absl::Status applied = state.ruleset->Apply(state.position, event.seat, action);
    if (!applied.ok()) return applied;
  }
  if (turn.actions.empty()) turn.start.clear();
  return absl::OkStatus();
}

// A seat is gone; its steps of this turn, and everybody's, are final.
absl::Status Go(GameState& state, int seat) {
  Proceedings& proceedings = state.proceedings;
  proceedings.gone |= Bit(seat);
  OpenTurn& turn = proceedings.turn;
  turn = OpenTurn{{}, {}, turn.kept_by, turn.undone};
  if (turn.kept_by == seat) turn.kept_by = -1;
  if (proceedings.offer && proceedings.offer->seat == seat) proceedings.offer.reset();
  if (!state.ruleset->about().has_leave) return absl::OkStatus();
  const absl::Status left = state.ruleset->Leave(state.position, seat);
  // Perhaps the last one but one: then nobody's turn can stay open.
  if (state.ruleset->Actor(state.position) == host::kOver) turn.kept_by = -1;
  return left;
}

void AnswerOffer(std::optional<Offer>& offer, const EventRecord& event) {
  if (!offer) return;
  if (event.number == 1) {
    offer->accepted |= Bit(event.seat);
  } else {
    offer.reset();
  }
}

absl::Status TakePledge(GameState& state, const EventRecord& event) {
  const absl::StatusOr<Bytes32> pledge = DecodePledge(event);
  if (!pledge.ok()) return pledge.status();
  AddPledge(state.proceedings.contributions, event.seat, *pledge);
  return absl::OkStatus();
}

absl::Status TakeContribution(GameState& state, const EventRecord& event) {
  if (AddContribution(state.proceedings.contributions, event.seat, event.detail)) {
    return absl::OkStatus();
  }
  return Mismatch(event.sequence, "the contribution is not the pledged one");
}

// With the last seat, or the first pledge of a full game, the wait for contributions begins; with
// the last pledge it goes on with them.
void KeepContributions(GameState& state, Instant at) {
  Contributions& contributions = state.proceedings.contributions;
  if (state.status == GameStatus::kOpen && IsAwaited(contributions) && state.IsFull()) {
    state.status = GameStatus::kContributing;
    contributions.since = at;
  }
  if (state.status != GameStatus::kContributing || contributions.closed) return;
  if (AllPledged(contributions, state.seats.size())) ClosePledges(contributions, at);
}

void Start(GameState& state) {
  state.status = GameStatus::kRunning;
  state.proceedings.clock = NewClock(state.facts->terms, state.seats.size());
}

bool NamesSeat(EventKind kind) {
  switch (kind) {
    case EventKind::kCreated:
    case EventKind::kStarted:
    case EventKind::kThrow:
    case EventKind::kFinished:
    case EventKind::kBuild:
    case EventKind::kInvited:
    case EventKind::kPledgesClosed:
      return false;
    default:
      return true;
  }
}

// What the event does to the state, hashes, numbers and clocks aside.
absl::Status Change(GameState& state, const EventRecord& event) {
  if (NamesSeat(event.kind) && !HasSeat(state, event)) {
    return Mismatch(event.sequence, "no such seat");
  }
  Proceedings& proceedings = state.proceedings;
  switch (event.kind) {
    case EventKind::kCreated:
      return absl::OkStatus();
    case EventKind::kSeated:
      return TakeSeat(state, event);
    case EventKind::kLeft:
      state.seats[static_cast<size_t>(event.seat)].player = {};
      DropPledge(proceedings.contributions, event.seat);
      return absl::OkStatus();
    case EventKind::kStarted:
      Start(state);
      return absl::OkStatus();
    case EventKind::kThrow:
      ++state.throws_drawn;
      proceedings.turn = {};
      return state.ruleset->Apply(state.position, host::kChance, event.number);
    case EventKind::kAction:
      return Act(state, event);
    case EventKind::kUndone:
      return Undo(state, event);
    case EventKind::kTurnEnded:
      proceedings.turn = {};
      return absl::OkStatus();
    case EventKind::kResigned:
    case EventKind::kTimedOut:
      return Go(state, event.seat);
    case EventKind::kOffered:
      proceedings.offer = Offer{event.seat, OfferKindOf(event), OfferPointsOf(event), 0};
      ++proceedings.offers;
      return absl::OkStatus();
    case EventKind::kAnswered:
      AnswerOffer(proceedings.offer, event);
      return absl::OkStatus();
    case EventKind::kCredited:
      proceedings.clock.credit_us += event.number;
      return absl::OkStatus();
    case EventKind::kFinished:
      return FinishGame(state, event);
    case EventKind::kInvited:
      proceedings.contributions.invited = true;
      return absl::OkStatus();
    case EventKind::kPledged:
      return TakePledge(state, event);
    case EventKind::kPledgesClosed:
      ClosePledges(proceedings.contributions, event.at);
      return absl::OkStatus();
    case EventKind::kContributed:
      return TakeContribution(state, event);
    case EventKind::kBuild: {
      absl::StatusOr<std::string> build = DecodeBuild(event);
      if (!build.ok()) return build.status();
      state.build = *std::move(build);
      return absl::OkStatus();
    }
  }
  return Mismatch(event.sequence, "unknown kind of event");
}

// Clocks follow who is to act: a turn ends with the event after which its seat is not.
void KeepClock(GameState& state, Instant at) {
  GameClock& clock = state.proceedings.clock;
  const int seat = state.Actor();
  if (seat == clock.running) return;
  StopClock(state.facts->terms.clock, clock, at);
  if (seat >= 0) RunClock(clock, seat, at);
}

void TakeOver(GameState& state, const EventRecord& event) {
  state.sequence = event.sequence;
  state.chain_hash = event.chain_hash;
  state.updated_at = event.at;
  if (ChangesPlay(event.kind)) state.changed_sequence = event.sequence;
  KeepContributions(state, event.at);
  KeepClock(state, event.at);
}

}  // namespace

int GameState::Actor() const {
  if (IsBefore()) return host::kChance;
  if (status != GameStatus::kRunning) return host::kOver;
  if (proceedings.turn.kept_by >= 0) return proceedings.turn.kept_by;
  return ruleset->Actor(position);
}

std::optional<int> GameState::SeatOf(PlayerId player) const {
  if (player.is_nil()) return std::nullopt;  // a free seat's player is nil too
  for (const SeatRecord& seat : seats) {
    if (seat.player == player) return seat.seat;
  }
  return std::nullopt;
}

bool MaySee(const storage::GameFacts& facts, const std::vector<SeatRecord>& seats,
            PlayerId viewer) {
  if (facts.terms.visibility != storage::Visibility::kPrivate) return true;
  if (viewer.is_nil()) return false;
  return facts.created_by == viewer ||
         std::ranges::any_of(seats, [&](const SeatRecord& seat) { return seat.player == viewer; });
}

absl::Status NoSuchGame() { return Error(Reason::kNotFound, "no such game"); }

bool GameState::IsFull() const {
  return std::ranges::none_of(seats, [](const SeatRecord& seat) { return seat.player.is_nil(); });
}

absl::StatusOr<GameState> StartState(storage::GameFacts facts,
                                     std::shared_ptr<const host::Ruleset> ruleset) {
  GameState state;
  absl::StatusOr<host::Position> position = ruleset->Start(facts.options);
  if (!position.ok()) return position.status();
  state.position = *std::move(position);
  state.seats.resize(facts.seats);
  for (size_t i = 0; i < state.seats.size(); ++i) state.seats[i].seat = static_cast<int8_t>(i);
  state.build = facts.build;
  state.updated_at = facts.created_at;
  state.facts = std::make_shared<const storage::GameFacts>(std::move(facts));
  state.ruleset = std::move(ruleset);
  return state;
}

absl::StatusOr<GameState> FromStored(storage::StoredGame stored, const EventRecord& last,
                                     std::shared_ptr<const host::Ruleset> ruleset) {
  const storage::GameHead& head = stored.head;
  if (last.sequence != head.sequence || last.chain_hash != head.chain_hash) {
    return Mismatch(head.sequence, "the head is not the last event");
  }
  absl::StatusOr<host::Position> position = ruleset->FromBytes(head.position);
  if (!position.ok()) return Mismatch(head.sequence, "the stored position is none");
  if (PositionHash(*position) != last.position_hash) {
    return Mismatch(head.sequence, "the stored position is another one");
  }
  absl::StatusOr<Proceedings> proceedings = DecodeProceedings(*ruleset, head.proceedings);
  if (!proceedings.ok()) return proceedings.status();
  GameState state;
  state.position = *std::move(position);
  state.proceedings = *std::move(proceedings);
  state.build = head.build;
  state.sequence = head.sequence;
  state.changed_sequence = head.changed_sequence;
  state.chain_hash = head.chain_hash;
  state.status = head.status;
  state.ending = head.ending;
  state.throws_drawn = head.throws_drawn;
  state.updated_at = head.updated_at;
  state.seats = std::move(stored.seats);
  state.facts = std::make_shared<const storage::GameFacts>(std::move(stored.facts));
  state.ruleset = std::move(ruleset);
  return state;
}

storage::GameHead HeadOf(const GameState& state) {
  storage::GameHead head;
  head.id = state.facts->id;
  head.sequence = state.sequence;
  head.chain_hash = state.chain_hash;
  head.status = state.status;
  head.ending = state.ending;
  head.actor = static_cast<int8_t>(state.Actor());
  head.throws_drawn = state.throws_drawn;
  head.changed_sequence = state.changed_sequence;
  head.build = state.build;
  head.position = std::string(state.position.bytes());
  head.proceedings = EncodeProceedings(state.proceedings);
  head.deadline = DeadlineOf(state);
  head.updated_at = state.updated_at;
  return head;
}

algorithms::DiceSource DiceOf(const GameState& state, const Bytes32& secret) {
  return {secret, state.facts->id, state.facts->restore_epoch,
          GivenBySeat(state.proceedings.contributions, state.seats.size())};
}

std::optional<Instant> DeadlineOf(const GameState& state) {
  if (state.status == GameStatus::kOpen) {
    return Instant{state.facts->created_at.micros + kOpenForMs * 1'000};
  }
  if (state.status == GameStatus::kContributing) {
    return Instant{state.proceedings.contributions.since.micros + kContributionWindowMs * 1'000};
  }
  return DeadlineOf(state.facts->terms.clock, state.proceedings.clock);
}

std::optional<Instant> DueAt(const GameState& state, int64_t measured_lag_us) {
  std::optional<Instant> due = DeadlineOf(state);
  if (!due) return due;
  const Instant late{due->micros + kMaxTurnLagUs};
  due->micros +=
      LagCredit(state.facts->terms.clock, state.proceedings.clock, measured_lag_us, late);
  return due;
}

PlayerId PlayerOnClock(const GameState& state) {
  const int seat = state.proceedings.clock.running;
  return seat < 0 ? PlayerId() : state.seats[static_cast<size_t>(seat)].player;
}

absl::Status Append(GameState& state, EventRecord& event) {
  event.game = state.facts->id;
  event.sequence = state.sequence + 1;
  const absl::Status changed = Change(state, event);
  if (!changed.ok()) return changed;
  event.position_hash = PositionHash(state.position);
  event.chain_hash = ChainHash(state.chain_hash, event);
  TakeOver(state, event);
  return absl::OkStatus();
}

absl::Status Advance(GameState& state, const EventRecord& event) {
  if (event.game != state.facts->id || event.sequence != state.sequence + 1) {
    return Mismatch(event.sequence, "events are missing or out of order");
  }
  if ((event.kind == EventKind::kCreated) != (event.sequence == 1)) {
    return Mismatch(event.sequence, "a log begins with its creation and has no other");
  }
  if (event.kind == EventKind::kCreated && !IsCreationOf(*state.facts, event)) {
    return Mismatch(event.sequence, "the game's facts are not those of its first event");
  }
  if (const absl::Status changed = Change(state, event); !changed.ok()) {
    return Mismatch(event.sequence, std::string(changed.message()));
  }
  if (PositionHash(state.position) != event.position_hash) {
    return Mismatch(event.sequence, "the position is another one");
  }
  if (ChainHash(state.chain_hash, event) != event.chain_hash) {
    return Mismatch(event.sequence, "the chain is broken");
  }
  TakeOver(state, event);
  return absl::OkStatus();
}

absl::StatusOr<EventView> AdvanceAndView(GameState& state, const EventRecord& event) {
  const host::Position before = state.position;
  if (const absl::Status advanced = Advance(state, event); !advanced.ok()) return advanced;
  return ViewOf(before, state, event);
}

absl::StatusOr<EventView> ViewOf(const host::Position& before, const GameState& after,
                                 const EventRecord& event) {
  const host::Ruleset& ruleset = *after.ruleset;
  EventView view{event, after.ruleset, {}, {}, {}, {}};
  view.clocks = FaceOf(after.facts->terms.clock, after.proceedings.clock, event.at);
  if (event.kind == EventKind::kCreated) {
    absl::StatusOr<std::string> text = ruleset.FormatPosition(before);
    if (!text.ok()) return text.status();
    view.position_text = *std::move(text);
  }
  if (event.kind != EventKind::kThrow && event.kind != EventKind::kAction) return view;
  const int actor = event.kind == EventKind::kThrow ? host::kChance : event.seat;
  absl::StatusOr<std::string> notation = ruleset.Format(before, actor, event.number);
  if (!notation.ok()) return notation.status();
  view.notation = *std::move(notation);
  absl::StatusOr<std::vector<host::Effect>> effects = ruleset.Effects(before, actor, event.number);
  if (!effects.ok()) return effects.status();
  view.effects = *std::move(effects);
  return view;
}

}  // namespace astragal::core
