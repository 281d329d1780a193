#include "tests/services/core/sim/simulation.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "services/base/status.h"
#include "services/core/replay.h"

namespace astragal::tests {

using base::Reason;
using core::GameId;
using storage::EventKind;
using storage::EventRecord;
using storage::GameStatus;

namespace {

std::string Short(const base::Bytes32& hash) { return base::Hex(base::AsView(hash)).substr(0, 8); }

std::string Word(const absl::Status& status) {
  const Reason reason = base::ReasonOf(status);
  return reason == Reason::kUnspecified ? status.ToString()
                                        : std::string(base::InfoOf(reason).word);
}

// What an answer says, in one line: two answers to one request must be the same line.
std::string TextOf(const core::CommandResult& result) {
  std::string text = std::to_string(result.after->sequence) + " " +
                     Short(result.after->chain_hash) + " " +
                     std::to_string(static_cast<int>(result.after->status));
  for (const core::EventPtr& event : result.events) {
    text += " " + Short(event->record.chain_hash) + event->notation;
  }
  return text;
}

bool MayBeRepeated(const absl::Status& status) {
  return base::IsTransient(status) || absl::IsCancelled(status);
}

}  // namespace

Simulation::Simulation(const Options& options)
    : options_(options),
      random_(options.seed),
      store_(clock_, options.bug),
      catalog_(MakeCatalog()),
      box_(base::Sha256("a key for simulations")) {
  for (int node = 0; node < kNodes; ++node) StartNode(node);
}

void Simulation::StartNode(int node) {
  const uint64_t seed = random_.Next();
  nodes_[node] = std::make_unique<Node>(clock_, store_, *catalog_, box_, seed);
  nodes_[node]->games.PollForEver();
  ++starts_;
}

void Simulation::CrashNode(int node) {
  Trace("node " + std::to_string(node) + " dies");
  ++report_.crashes;
  for (Watcher& watcher : watchers_) {
    if (watcher.watch != nullptr && watcher.node == node) watcher.watch = nullptr;
  }
  nodes_[node] = nullptr;
  StartNode(node);
}

void Simulation::SetFaults(bool on) {
  faults_ = on;
  store_.draw_batch_fault = nullptr;
  store_.draw_commit_fault = nullptr;
  store_.draw_read_fault = nullptr;
  if (!on) {
    store_.SetAway(false);
    store_.LandLate();
    return;
  }
  store_.draw_batch_fault = [this] {
    constexpr BatchFault kFaults[] = {BatchFault::kAway, BatchFault::kDoubtStored,
                                      BatchFault::kDoubtLost, BatchFault::kDoubtLate};
    return random_.OneIn(6) ? kFaults[random_.Below(4)] : BatchFault::kNone;
  };
  store_.draw_commit_fault = [this] {
    if (random_.OneIn(200)) return CommitFault::kRejected;
    return random_.OneIn(8) ? CommitFault::kBusy : CommitFault::kNone;
  };
  store_.draw_read_fault = [this] { return random_.OneIn(40); };
}

Simulation::Report Simulation::Run() {
  SetFaults(true);
  for (int step = 0; step < options_.fault_steps && report_.failure.empty(); ++step) {
    Step();
    Fault();
  }
  Trace("faults end");
  SetFaults(false);
  bool quiet = false;
  for (int step = 0; step < options_.quiet_steps && report_.failure.empty() && !quiet; ++step) {
    Step();
    if (step % 64 == 0) quiet = IsQuiet();
  }
  if (report_.failure.empty() && !quiet) Fail("it never came to rest");
  if (report_.failure.empty()) CheckLogs();
  if (report_.failure.empty()) CheckCalls();
  if (report_.failure.empty()) CheckWatchers();
  for (Watcher& watcher : watchers_) watcher.watch = nullptr;
  for (auto& node : nodes_) node = nullptr;
  return std::move(report_);
}

void Simulation::Step() {
  const uint64_t what = random_.Below(16);
  if (what < 8) {
    Node& node = AnyNode();
    if (!node.scheduler.RunOne())
      clock_.Advance(1'000 + static_cast<int64_t>(random_.Below(5'000)));
  } else if (what < 12) {
    Act(static_cast<int>(random_.Below(kClients)));
  } else if (what < 15) {
    Read(static_cast<int>(random_.Below(kWatchers)));
  } else {
    clock_.Advance(static_cast<int64_t>(random_.Below(20'000)));
  }
}

void Simulation::Fault() {
  if (random_.OneIn(1'500)) CrashNode(static_cast<int>(random_.Below(kNodes)));
  if (random_.OneIn(40)) store_.LandLate();
  if (random_.OneIn(30)) MeasureLag();
  if (away_until_ms_ == 0 && random_.OneIn(700)) {
    Trace("the store goes away");
    store_.SetAway(true);
    away_until_ms_ = NowMs() + static_cast<int64_t>(random_.Below(6'000));
  } else if (away_until_ms_ != 0 && NowMs() >= away_until_ms_) {
    store_.SetAway(false);
    away_until_ms_ = 0;
  }
}

// ---- Clients.

void Simulation::Act(int client) {
  Client& self = clients_[client];
  if (self.waiting && NowMs() - self.sent_at_ms < kTimeoutMs) return;
  if (!self.waiting && NowMs() < self.act_at_ms) return;
  if (self.call) return Send(calls_[*self.call]);  // timed out, or told to try again
  Choose(client);
  if (self.call) Send(calls_[*self.call]);
}

Simulation::Call& Simulation::NewCall(int client) {
  Call call;
  call.number = calls_.size();
  call.client = client;
  clients_[client].call = call.number;
  calls_.push_back(std::move(call));
  return calls_.back();
}

void Simulation::Choose(int client) {
  clients_[client].act_at_ms = NowMs() + static_cast<int64_t>(random_.Below(30));
  if (creations_ < kGames && random_.OneIn(3)) return ChooseCreation(client);
  // Now and then an old request comes again, at whatever node.
  if (!calls_.empty() && random_.OneIn(12)) {
    Call& old = calls_[random_.Below(calls_.size())];
    if (!old.answer.empty() && old.client == client) return Send(old);
  }
  if (!games_.empty()) ChoosePlay(client, games_[random_.Below(games_.size())]);
}

void Simulation::ChooseCreation(int client) {
  ++creations_;
  Call& call = NewCall(client);
  core::CreateGame create;
  create.player = Player(static_cast<uint8_t>(client + 1));
  create.request = Request(call.number + 1);
  create.body_hash = base::Sha256("create " + std::to_string(call.number));
  create.ruleset = random_.OneIn(2) ? "race" : "relay";
  create.options = {{"length", std::to_string(4 + random_.Below(14))},
                    {"seats", std::to_string(2 + random_.Below(3))}};
  if (!random_.OneIn(4)) create.seat = 0;
  create.terms.clock = DrawClock();
  call.create = std::move(create);
}

// Tight ones: some seats lose on time, and most do not.
storage::ClockPolicy Simulation::DrawClock() {
  constexpr storage::ClockKind kKinds[] = {
      storage::ClockKind::kNone,    storage::ClockKind::kNone,    storage::ClockKind::kDelay,
      storage::ClockKind::kFischer, storage::ClockKind::kPerTurn, storage::ClockKind::kBronstein};
  storage::ClockPolicy clock;
  clock.kind = kKinds[random_.Below(6)];
  if (clock.kind == storage::ClockKind::kNone) return clock;
  const bool per_turn = clock.kind == storage::ClockKind::kPerTurn;
  const auto ms = [this](uint64_t most) { return static_cast<int64_t>(random_.Below(most)); };
  if (!per_turn) clock.reserve_ms = 1'000 + ms(5'000);
  clock.increment_ms = (per_turn ? 1'000 : 0) + ms(1'500);
  if (random_.OneIn(2)) clock.first_turn_ms = 1'000 + ms(4'000);
  return clock;
}

void Simulation::ChoosePlay(int client, GameId id) {
  const absl::StatusOr<core::StatePtr> state = AnyNode().games.Get(id, {});
  if (!state.ok()) {
    if (!base::IsTransient(state.status())) Fail("a read says " + state.status().ToString());
    return;
  }
  const base::PlayerId player = Player(static_cast<uint8_t>(client + 1));
  core::Command command;
  command.player = player;
  if (!ChooseWhat(**state, (*state)->SeatOf(player), command)) return;
  Call& call = NewCall(client);
  command.request = Request(call.number + 1);
  command.body_hash = base::Sha256("command " + std::to_string(call.number));
  call.game = id;
  call.command = std::move(command);
}

// What somebody wants who sits in this seat, or in none; false: nothing now.
bool Simulation::ChooseWhat(const core::GameState& state, std::optional<int> seat,
                            core::Command& command) {
  const bool runs = state.status == GameStatus::kRunning;
  const bool out_of_turn = faults_ && random_.OneIn(20);
  if (!seat && state.status == GameStatus::kOpen) {
    command.what = core::Join{};
  } else if (seat && state.status == GameStatus::kOpen && faults_ && random_.OneIn(8)) {
    command.what = core::Leave{};
  } else if (seat && (faults_ || runs) && random_.OneIn(100)) {
    command.what = core::Resign{};
  } else if (seat && (faults_ || runs) && random_.OneIn(100)) {
    command.what = core::Abort{};
  } else if (seat && (faults_ || runs) && random_.OneIn(40)) {
    command.what = core::Claim{};
  } else if (seat && ChooseOffer(state, *seat, command)) {
    // chosen
  } else if (out_of_turn || (seat && state.Actor() == *seat)) {
    ChooseTurn(state, command);
    if (!random_.OneIn(3)) command.expected_sequence = state.sequence;
  } else {
    return false;
  }
  return true;
}

bool Simulation::ChooseOffer(const core::GameState& state, int seat, core::Command& command) {
  const std::optional<core::Offer>& open = state.proceedings.offer;
  if (open && random_.OneIn(open->seat == seat ? 12 : 3)) {
    command.what = core::AnswerOffer{open->seat != seat && random_.OneIn(3)};
    return true;
  }
  if (open || !random_.OneIn(30)) return false;
  constexpr storage::OfferKind kKinds[] = {storage::OfferKind::kDraw, storage::OfferKind::kAbort,
                                           storage::OfferKind::kResign};
  const storage::OfferKind kind = kKinds[random_.Below(3)];
  command.what = core::MakeOffer{kind, static_cast<int64_t>(random_.Below(3))};
  return true;
}

// Plays, keeps the turn open, takes back, and ends what was kept open.
void Simulation::ChooseTurn(const core::GameState& state, core::Command& command) {
  const core::OpenTurn& turn = state.proceedings.turn;
  if (!turn.actions.empty() && random_.OneIn(turn.kept_by >= 0 ? 4 : 8)) {
    command.what = core::Undo{1 + static_cast<int>(random_.Below(turn.actions.size()))};
    return;
  }
  if (turn.kept_by >= 0) {
    command.what = core::EndTurn{};
    return;
  }
  core::Play play;
  const auto legal = state.ruleset->Actions(state.position);
  if (!legal.ok()) return Fail("no list of actions");
  play.actions.emplace_back(
      legal->empty() || random_.OneIn(30) ? int64_t{99} : (*legal)[random_.Below(legal->size())]);
  if (random_.OneIn(3)) play.actions.emplace_back(std::string("walk 1"));
  play.end_turn = !random_.OneIn(4);
  command.what = std::move(play);
}

// The network to some player, as some node measures it.
void Simulation::MeasureLag() {
  const base::PlayerId player = Player(static_cast<uint8_t>(1 + random_.Below(kClients)));
  core::Lag& lag = AnyNode().lag;
  const std::string ping = lag.Ping(player);
  base::Instant back = clock_.Now();
  back.micros += static_cast<int64_t>(random_.Below(1'500'000));
  if (!lag.Answer(player, ping, back).ok()) Fail("a ping came back and was not known");
}

void Simulation::Send(Call& call) {
  const int node = static_cast<int>(random_.Below(kNodes));
  Client& client = clients_[call.client];
  if (!call.settled) {
    client.waiting = true;
    client.sent_at_ms = NowMs();
  }
  ++call.open_attempts;
  Trace("client " + std::to_string(call.client) + " sends " + std::to_string(call.number) +
        " to node " + std::to_string(node));
  const auto done = [this, number = call.number](Answer answer) { OnAnswer(number, answer); };
  if (call.create) {
    nodes_[node]->games.Create(*call.create, done);
  } else {
    nodes_[node]->games.Submit(call.game, call.command, done);
  }
}

void Simulation::OnAnswer(uint64_t number, const Answer& answer) {
  Call& call = calls_[number];
  --call.open_attempts;
  Trace("answer " + std::to_string(number) + " " +
        (answer.ok() ? TextOf(*answer) : Word(answer.status())));
  Client& client = clients_[call.client];
  if (client.call == number) {
    client.waiting = false;
    client.act_at_ms = NowMs() + static_cast<int64_t>(random_.Below(100));
  }
  if (answer.ok()) return OnAcknowledged(call, *answer);
  if (!MayBeRepeated(answer.status())) OnRefused(call, answer.status());
}

void Simulation::OnAcknowledged(Call& call, const core::CommandResult& result) {
  if (result.events.empty()) return Fail("an answer without events");
  const std::string text = TextOf(result);
  if (call.refused && call.refusal_is_final) {
    return Fail("request " + std::to_string(call.number) + " was refused and then done");
  }
  if (!call.answer.empty()) {
    if (call.answer != text) Fail("two answers to request " + std::to_string(call.number));
    return;
  }
  call.answer = text;
  call.first_sequence = result.events.front()->record.sequence;
  call.settled = true;
  ++report_.acknowledged;
  if (call.create) {
    call.game = result.after->facts->id;
    if (std::ranges::find(games_, call.game) == games_.end()) games_.push_back(call.game);
  }
  if (clients_[call.client].call == call.number) clients_[call.client].call.reset();
}

void Simulation::OnRefused(Call& call, const absl::Status& status) {
  const Reason reason = base::ReasonOf(status);
  if (reason == Reason::kReplayMismatch || reason == Reason::kRulesetFault ||
      reason == Reason::kRequestIdReused || reason == Reason::kUnspecified) {
    return Fail("request " + std::to_string(call.number) + " got " + status.ToString());
  }
  if (!call.answer.empty() && reason != Reason::kInternal) {
    return Fail("request " + std::to_string(call.number) +
                " was done and then refused: " + status.ToString());
  }
  if (!call.settled) ++report_.refused;
  call.settled = true;
  call.refused = true;
  // A rejected commit says nothing of an earlier one that is still in doubt.
  call.refusal_is_final = call.open_attempts == 0 && reason != Reason::kInternal;
  if (call.create) --creations_;  // somebody will try another one
  if (clients_[call.client].call == call.number) clients_[call.client].call.reset();
}

// ---- Watchers.

void Simulation::Read(int watcher) {
  Watcher& self = watchers_[watcher];
  if (games_.empty()) return;
  if (self.game.is_nil()) self.game = games_[static_cast<size_t>(watcher) % games_.size()];
  if (faults_ && self.watch != nullptr && random_.OneIn(60)) self.watch = nullptr;
  if (self.watch == nullptr) {
    self.node = static_cast<int>(random_.Below(kNodes));
    const auto after = static_cast<uint32_t>(self.seen.size());
    auto started = nodes_[self.node]->games.StartWatch(self.game, {}, after, [] {});
    if (!started.ok()) return OnWatchEnd(self, started.status());
    ++report_.watch_starts;
    self.watch = *std::move(started);
    const core::StatePtr& snapshot = self.watch->snapshot();
    const bool right =
        after == 0 ? snapshot == nullptr
                   : snapshot->sequence == after && snapshot->chain_hash == self.seen.back();
    if (!right) Fail("a watcher's snapshot is not what it had seen");
    return;
  }
  const auto event = self.watch->Next();
  if (!event.ok()) return OnWatchEnd(self, event.status());
  if (!*event) return;
  const EventRecord& record = (**event)->record;
  Trace("watcher " + std::to_string(watcher) + " " + NameOf(self.game) + " " +
        std::to_string(record.sequence) + " " + Short(record.chain_hash));
  if (record.sequence != self.seen.size() + 1) return Fail("a watcher missed or saw twice");
  const std::vector<EventRecord> log = store_.Log(self.game);
  if (log.size() < record.sequence || log[record.sequence - 1] != record) {
    return Fail("a watcher saw what is not stored");
  }
  self.seen.push_back(record.chain_hash);
}

void Simulation::OnWatchEnd(Watcher& watcher, const absl::Status& status) {
  watcher.watch = nullptr;
  const Reason reason = base::ReasonOf(status);
  if (base::IsTransient(status) || reason == Reason::kWatcherTooSlow) return;
  Fail("a watcher's stream ended with " + status.ToString());
}

bool Simulation::IsQuiet() {
  if (static_cast<int>(games_.size()) < kGames) return false;
  for (const Client& client : clients_) {
    if (client.call) return false;
  }
  for (const auto& [id, game] : store_.Backup().games) {
    const bool known = std::ranges::find(games_, id) != games_.end();
    if (known && game.stored.head.status < GameStatus::kFinished) return false;
  }
  return std::ranges::all_of(watchers_, [&](const Watcher& watcher) {
    return !watcher.game.is_nil() && watcher.seen.size() == store_.Log(watcher.game).size();
  });
}

std::string Simulation::NameOf(GameId id) const {
  const auto at = std::ranges::find(games_, id);
  return "game " + std::to_string(at - games_.begin());
}

void Simulation::Trace(const std::string& line) {
  report_.trace += std::to_string(NowMs() % 100'000'000) + " " + line + "\n";
}

void Simulation::Fail(const std::string& why) {
  Trace("FAILED: " + why);
  if (report_.failure.empty()) report_.failure = why;
}

}  // namespace astragal::tests
