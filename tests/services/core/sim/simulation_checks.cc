// What must be true when all is quiet.
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "services/base/status.h"
#include "services/core/replay.h"
#include "tests/services/core/sim/simulation.h"

namespace astragal::tests {

using core::GameId;
using storage::EventKind;
using storage::EventRecord;
using storage::GameStatus;

void Simulation::CheckLogs() {
  for (const auto& [id, game] : store_.Backup().games) {
    report_.events += static_cast<int>(game.events.size());
    CheckLog(id, game.events);
    absl::StatusOr<core::Replay> replay = core::Replay::Open(nodes_[0]->games.world(), id);
    if (!replay.ok()) return Fail("replay: " + replay.status().ToString());
    if (const absl::Status walked = Walk(*replay); !walked.ok()) {
      return Fail("replay: " + walked.ToString());
    }
    const storage::GameHead& head = game.stored.head;
    const core::GameState& state = replay->state();
    if (head.chain_hash != state.chain_hash || head.throws_drawn != state.throws_drawn ||
        head.changed_sequence != state.changed_sequence || game.stored.seats != state.seats ||
        head.position != std::string(state.position.bytes()) ||
        head.proceedings != core::EncodeProceedings(state.proceedings)) {
      return Fail("the head is not what the log says");
    }
    if (state.IsOver()) CheckDice(id, game.events);
  }
}

// Through the whole log. Nobody acts after his time is up, and nobody loses on time before.
absl::Status Simulation::Walk(core::Replay& replay) {
  core::GameState before;
  while (true) {
    const bool started = replay.state().sequence > 0;
    if (started) before = replay.state();
    const absl::StatusOr<std::optional<core::EventView>> event = replay.Next();
    if (!event.ok()) return event.status();
    if (!*event) return absl::OkStatus();
    const EventRecord& record = (*event)->record;
    ++report_.kinds[static_cast<size_t>(record.kind)];
    if (record.kind == EventKind::kFinished) ++report_.endings[static_cast<size_t>(record.number)];
    const auto deadline = started ? core::DeadlineOf(before) : std::nullopt;
    if (!deadline || before.status != GameStatus::kRunning) continue;
    const bool late = *deadline <= record.at;
    if (record.kind == EventKind::kTimedOut && !late) Fail("a seat lost before its time was up");
    if (record.kind != EventKind::kAction) continue;
    const int64_t lag_us = core::DecodeAction(record)->lag_us;
    report_.lag_credits += lag_us > 0 ? 1 : 0;
    if (deadline->micros + lag_us <= record.at.micros) Fail("a seat acted after its time was up");
    if (lag_us > core::kMaxTurnLagUs) Fail("more lag was given back than a turn may have");
  }
}

void Simulation::CheckLog(GameId id, const std::vector<EventRecord>& log) {
  std::set<std::tuple<base::PlayerId, base::IdBytes>> stamps;
  size_t next_stamp = 0;
  for (size_t i = 0; i < log.size(); ++i) {
    if (log[i].sequence != i + 1) return Fail("a gap in the log of " + NameOf(id));
    if ((i == next_stamp) != log[i].request.has_value()) return Fail("a stamp out of place");
    if (!log[i].request) continue;
    next_stamp = i + log[i].request->event_count;
    if (!stamps.emplace(log[i].request->player, log[i].request->request.bytes).second) {
      return Fail("a request is twice in the log of " + NameOf(id));
    }
  }
  if (next_stamp != log.size()) Fail("a command's events are not all there");
}

void Simulation::CheckDice(GameId id, const std::vector<EventRecord>& log) {
  const auto created = core::DecodeCreated(log.front());
  const auto finish = core::DecodeFinish(log.back(), static_cast<size_t>(log.front().number));
  if (!created.ok() || !finish.ok()) return Fail("an end that cannot be read");
  if (algorithms::DiceCommitment(id, finish->secret) != created->commitment) {
    return Fail("the published secret is not the one committed to");
  }
  const algorithms::DiceSource dice{finish->secret, id, created->restore_epoch,
                                    std::vector<std::string>(finish->seats.size())};
  const std::array<uint32_t, 3> weights = {1, 2, 1};
  uint64_t index = 0;
  for (const EventRecord& event : log) {
    if (event.kind != EventKind::kThrow) continue;
    if (event.number != algorithms::DrawOutcome(dice, index++, weights)) {
      return Fail("a throw is not the secret's");
    }
  }
}

void Simulation::CheckCalls() {
  std::map<std::tuple<GameId, base::PlayerId, base::IdBytes>, uint32_t> stored;
  std::map<std::tuple<base::PlayerId, base::IdBytes>, int> creations;
  for (const auto& [id, game] : store_.Backup().games) {
    for (const EventRecord& event : game.events) {
      if (!event.request) continue;
      stored[{id, event.request->player, event.request->request.bytes}] = event.sequence;
      if (event.sequence == 1) ++creations[{event.request->player, event.request->request.bytes}];
    }
  }
  for (const auto& [stamp, count] : creations) {
    if (count > 1) return Fail("one request made two games");
  }
  for (const Call& call : calls_) {
    const base::PlayerId player = Player(static_cast<uint8_t>(call.client + 1));
    const auto found = stored.find({call.game, player, Request(call.number + 1).bytes});
    const std::string name = "request " + std::to_string(call.number);
    if (!call.answer.empty() && (found == stored.end() || found->second != call.first_sequence)) {
      return Fail(name + " was acknowledged and is not stored so");
    }
    if (call.refused && call.refusal_is_final && call.answer.empty() && found != stored.end()) {
      return Fail(name + " was refused and is stored");
    }
  }
}

void Simulation::CheckWatchers() {
  for (const Watcher& watcher : watchers_) {
    const std::vector<EventRecord> log = store_.Log(watcher.game);
    if (log.size() != watcher.seen.size()) return Fail("a watcher did not catch up");
    for (size_t i = 0; i < log.size(); ++i) {
      if (log[i].chain_hash != watcher.seen[i]) return Fail("a watcher's stream is not the log");
    }
  }
}

}  // namespace astragal::tests
