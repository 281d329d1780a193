#include "services/core/record_log.h"

#include <utility>
#include <vector>

#include "services/base/status.h"
#include "services/core/dice_proof.h"
#include "services/core/replay.h"

namespace astragal::core {
namespace {

using algorithms::GameRecord;
using algorithms::RecordEvent;
using algorithms::RecordFault;

constexpr uint32_t kPositionHashEvery = 16;
constexpr size_t kPage = storage::GameStore::kLogPage;

bool IsPlayed(EventKind kind) { return kind == EventKind::kThrow || kind == EventKind::kAction; }
int ActorOf(const EventRecord& event) {
  return event.kind == EventKind::kThrow ? host::kChance : event.seat;
}

GameRecord HeaderOf(const storage::GameFacts& facts, const host::Ruleset& ruleset) {
  GameRecord record;
  record.game = facts.id;
  record.ruleset = facts.ruleset;
  record.rules_version = facts.rules_version;
  record.build = facts.build;
  record.options = facts.options;
  const host::About& about = ruleset.about();
  for (size_t i = 0; i < facts.options.size() && i < about.options.size(); ++i) {
    record.options_text.emplace_back(about.options[i].name,
                                     ruleset.OptionText(i, facts.options[i]));
  }
  record.seats = facts.seats;
  for (size_t i = 0; i < facts.seats && i < about.seat_names.size(); ++i) {
    record.seat_names.push_back(about.seat_names[i]);
  }
  record.created_by = facts.created_by;
  record.restore_epoch = facts.restore_epoch;
  record.commitment = facts.commitment;
  const storage::GameTerms& terms = facts.terms;
  record.visibility = static_cast<uint8_t>(terms.visibility);
  record.rated = terms.rated;
  record.clock_kind = static_cast<uint8_t>(terms.clock.kind);
  record.reserve_ms = terms.clock.reserve_ms;
  record.increment_ms = terms.clock.increment_ms;
  record.first_turn_ms = terms.clock.first_turn_ms;
  record.reserves_ms = terms.reserves_ms;
  record.match = terms.match;
  record.match_game = terms.match_game;
  return record;
}

storage::GameFacts FactsOf(const GameRecord& record) {
  storage::GameFacts facts;
  facts.id = record.game;
  facts.ruleset = record.ruleset;
  facts.rules_version = record.rules_version;
  facts.build = record.build;
  facts.options = record.options;
  facts.seats = record.seats;
  facts.created_by = record.created_by;
  facts.created_at = record.events.empty() ? Instant{} : record.events.front().at;
  facts.restore_epoch = record.restore_epoch;
  facts.commitment = record.commitment;
  storage::GameTerms& terms = facts.terms;
  terms.visibility = static_cast<storage::Visibility>(record.visibility);
  terms.rated = record.rated;
  terms.clock.kind = static_cast<storage::ClockKind>(record.clock_kind);
  terms.clock.reserve_ms = record.reserve_ms;
  terms.clock.increment_ms = record.increment_ms;
  terms.clock.first_turn_ms = record.first_turn_ms;
  terms.reserves_ms = record.reserves_ms;
  terms.match = record.match;
  terms.match_game = record.match_game;
  return facts;
}

RecordEvent ToRecord(const EventRecord& event, std::string notation) {
  RecordEvent out;
  out.sequence = event.sequence;
  out.kind = static_cast<uint8_t>(event.kind);
  out.seat = event.seat;
  out.number = event.number;
  if (event.kind != EventKind::kCreated) out.detail = event.detail;
  out.at = event.at;
  out.notation = std::move(notation);
  if (event.sequence % kPositionHashEvery == 0) out.position_hash = event.position_hash;
  return out;
}

// Replays a record, event by event; the first fault stands.
class Importer {
 public:
  Importer(const World& world, GameRecord& record, RecordFault& fault)
      : world_(world), record_(record), fault_(fault) {}

  std::optional<storage::GameCommit> Run() {
    auto ruleset = RulesetOf(world_.catalog, FactsOf(record_));
    if (!ruleset.ok()) return Fail("no loaded ruleset plays this game's rules version");
    absl::StatusOr<GameState> state = StartState(FactsOf(record_), *ruleset);
    if (!state.ok()) return Fail("the ruleset refuses the options");
    if ((*ruleset)->Seats(state->position) != record_.seats) {
      return Fail("the ruleset has another number of seats with these options");
    }
    // What the record says in words it said when it was written; they are told anew.
    GameRecord header = HeaderOf(*state->facts, **ruleset);
    record_.options_text = std::move(header.options_text);
    record_.seat_names = std::move(header.seat_names);
    for (RecordEvent& event : record_.events) {
      if (!Take(event, *state)) return std::nullopt;
    }
    return Finish(std::move(*state));
  }

 private:
  std::nullopt_t Fail(std::string reason) {
    const RecordEvent* at = at_ < record_.events.size() ? &record_.events[at_] : nullptr;
    fault_ = {at == nullptr ? 0 : at->line, std::move(reason)};
    return std::nullopt;
  }
  bool Refuse(std::string reason) {
    Fail(std::move(reason));
    return false;
  }

  bool Take(RecordEvent& from, GameState& state) {
    if (state.IsOver()) return Refuse("the game was over before this event");
    EventRecord event;
    event.kind = static_cast<EventKind>(from.kind);
    event.seat = from.seat;
    event.number = from.number;
    event.detail = event.kind == EventKind::kCreated ? EncodeCreated(*state.facts) : from.detail;
    event.at = from.at;
    if ((event.kind == EventKind::kCreated) != events_.empty()) {
      return Refuse("a game begins with its creation and has no other");
    }
    if (event.at < state.updated_at) return Refuse("it happened before the event before it");
    if (IsPlayed(event.kind) && !Name(from, event, state)) return false;
    if (const absl::Status done = Append(state, event); !done.ok()) {
      return Refuse(std::string(done.message()));
    }
    if (from.position_hash && *from.position_hash != event.position_hash) {
      return Refuse("the position is another one");
    }
    if (event.sequence % kPositionHashEvery == 0) from.position_hash = event.position_hash;
    events_.push_back(std::move(event));
    ++at_;
    return true;
  }

  // Number and notation: whichever is missing follows from the other.
  bool Name(RecordEvent& from, EventRecord& event, const GameState& state) {
    const host::Ruleset& ruleset = *state.ruleset;
    if (event.number == RecordEvent::kByNotation) {
      const absl::StatusOr<int64_t> number =
          ruleset.Parse(state.position, ActorOf(event), from.notation);
      if (!number.ok()) return Refuse(std::string(number.status().message()));
      event.number = from.number = *number;
    }
    const absl::StatusOr<std::string> notation =
        ruleset.Format(state.position, ActorOf(event), event.number);
    if (!notation.ok()) return Refuse(std::string(notation.status().message()));
    if (from.notation.empty()) from.notation = *notation;
    if (from.notation == *notation) return true;
    return Refuse("the notation of this is " + *notation + ", not " + from.notation);
  }

  std::optional<storage::GameCommit> Finish(GameState state) {
    at_ = record_.events.empty() ? 0 : record_.events.size() - 1;
    if (!state.IsOver()) return Fail("the game has not ended");
    if (state.chain_hash != record_.log_hash) return Fail("the hash of the log is another one");
    if (!HasItsResult(state)) return Fail("the result is not what the rules say");
    algorithms::FairnessProof proof = BeginProof(state);
    if (!DiceAreFair(state, proof)) return std::nullopt;
    storage::GameCommit commit;
    commit.create = *state.facts;
    commit.create->sealed_secret = world_.box.Seal(
        base::AsView(proof.secret), base::AsView(state.facts->id.bytes()), world_.random);
    commit.events = std::move(events_);
    commit.head = HeadOf(state);
    commit.seats = state.seats;
    return commit;
  }

  // Of a game that was played to its end.
  static bool HasItsResult(const GameState& state) {
    if (state.ending != Ending::kPlayed) return true;
    const auto result = state.ruleset->Result(state.position);
    if (!result.ok() || result->size() != state.seats.size()) return false;
    for (size_t i = 0; i < result->size(); ++i) {
      if ((*result)[i].place != state.seats[i].place) return false;
      if ((*result)[i].points != state.seats[i].points) return false;
    }
    return true;
  }

  bool DiceAreFair(const GameState& state, algorithms::FairnessProof& proof) {
    if (!EndProof(state, events_.back(), proof).ok()) return Refuse("the end cannot be read");
    for (const EventRecord& event : events_) AddEvent(event, proof);
    const algorithms::FairnessReport report = algorithms::CheckProof(proof);
    return report.faults.empty() || Refuse(report.faults.front());
  }

  const World& world_;
  GameRecord& record_;
  RecordFault& fault_;
  std::vector<EventRecord> events_;
  size_t at_ = 0;
};

}  // namespace

absl::StatusOr<GameRecord> RecordOf(const World& world, const storage::StoredGame& game,
                                    std::vector<EventRecord> first) {
  auto ruleset = RulesetOf(world.catalog, game.facts);
  if (!ruleset.ok()) return ruleset.status();
  if (game.head.status != GameStatus::kFinished && game.head.status != GameStatus::kAborted) {
    return base::Error(base::Reason::kGameStillRunning, "only games that have ended have a record");
  }
  absl::StatusOr<GameState> state = StartState(game.facts, *ruleset);
  if (!state.ok()) return state.status();
  GameRecord record = HeaderOf(game.facts, **ruleset);
  record.events.reserve(game.head.sequence);
  absl::StatusOr<std::vector<EventRecord>> page = std::move(first);
  while (true) {
    if (page->empty()) page = world.store.Events(game.facts.id, state->sequence, kPage);
    if (!page.ok()) return page.status();
    for (const EventRecord& event : *page) {
      std::string notation;
      if (IsPlayed(event.kind)) {
        absl::StatusOr<std::string> text =
            (*ruleset)->Format(state->position, ActorOf(event), event.number);
        if (!text.ok()) return text.status();
        notation = *std::move(text);
      }
      if (absl::Status advanced = Advance(*state, event); !advanced.ok()) return advanced;
      record.events.push_back(ToRecord(event, std::move(notation)));
    }
    if (page->size() < kPage) break;
    page->clear();
  }
  record.log_hash = state->chain_hash;
  return record;
}

std::optional<storage::GameCommit> CommitOf(const World& world, GameRecord& record,
                                            RecordFault& fault) {
  return Importer(world, record, fault).Run();
}

}  // namespace astragal::core
