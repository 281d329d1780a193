#include "services/core/verification.h"

#include <cstdlib>
#include <utility>
#include <vector>

#include "services/base/status.h"
#include "services/core/dice_proof.h"
#include "services/core/replay.h"

namespace astragal::core {
namespace {

using algorithms::FairnessProof;
using base::Error;
using base::Reason;

constexpr size_t kPage = 1'024;

// Calls `take` with each event of the log after `after`, in order, until it fails.
template <typename Take>
absl::Status ForEachEvent(const World& world, GameId game, uint32_t after, Take take) {
  while (true) {
    const absl::StatusOr<std::vector<EventRecord>> page = world.store.Events(game, after, kPage);
    if (!page.ok()) return page.status();
    for (const EventRecord& event : *page) {
      if (absl::Status status = take(event); !status.ok()) return status;
    }
    if (page->size() < kPage) return absl::OkStatus();
    after = page->back().sequence;
  }
}

// The first difference between the stored head and what the log comes to; empty: none.
std::string HeadDifference(const storage::StoredGame& stored, const GameState& state) {
  const storage::GameHead head = HeadOf(state);
  if (stored.head.sequence != head.sequence) return "the stored head is not the log's end";
  if (stored.head.chain_hash != head.chain_hash) return "the stored head has another hash";
  if (stored.head.status != head.status || stored.head.ending != head.ending) {
    return "the stored status is not what the log says";
  }
  if (stored.head.position != head.position) return "the stored position is another one";
  if (stored.seats != state.seats) return "the stored seats are not what the log says";
  return "";
}

// The dice of a game that is over, from the log alone.
void VerifyThrows(const GameState& state, const EventRecord& last, FairnessProof proof,
                  Verification& out) {
  if (!EndProof(state, last, proof).ok()) {
    out.difference = "the last event cannot be read";
    out.sequence = last.sequence;
    return;
  }
  const algorithms::FairnessReport report = algorithms::CheckProof(proof);
  out.throws_checked = static_cast<uint32_t>(proof.throws.size());
  if (!report.faults.empty()) out.difference = report.faults.front();
}

bool IsMismatch(const absl::Status& status) {
  return base::ReasonOf(status) == Reason::kReplayMismatch;
}

uint32_t SequenceIn(const absl::Status& status) {
  const auto details = base::DetailsOf(status);
  const auto found = details.find("sequence");
  return found == details.end()
             ? 0
             : static_cast<uint32_t>(std::strtoul(found->second.c_str(), nullptr, 10));
}

}  // namespace

absl::StatusOr<std::shared_ptr<const host::Ruleset>> BuildOf(const host::Catalog& catalog,
                                                             const storage::StoredGame& game) {
  std::shared_ptr<const host::Ruleset> same = catalog.FindBuild(game.head.build);
  const bool fits = same != nullptr && same->about().id == game.facts.ruleset &&
                    same->about().rules_version == game.facts.rules_version;
  if (fits) return same;
  return RulesetOf(catalog, game.facts);
}

absl::StatusOr<FairnessProof> ProofOf(const World& world, PlayerId viewer, GameId game) {
  absl::StatusOr<Replay> replay = Replay::OpenFor(viewer, world, game);
  if (!replay.ok()) return replay.status();
  FairnessProof proof = BeginProof(replay->state());
  if (absl::Status skipped = replay->SkipTo(replay->end()); !skipped.ok()) return skipped;
  if (!replay->state().IsOver()) {
    return Error(Reason::kGameStillRunning, "the secret of its dice is published when it ends");
  }
  EventRecord last;
  const absl::Status read = ForEachEvent(world, game, 0, [&](const EventRecord& event) {
    AddEvent(event, proof);
    last = event;
    return absl::OkStatus();
  });
  if (!read.ok()) return read;
  if (absl::Status ended = EndProof(replay->state(), last, proof); !ended.ok()) return ended;
  return proof;
}

absl::StatusOr<Verification> VerifyGame(const World& world, GameId game) {
  absl::StatusOr<storage::StoredGame> stored = world.store.Load(game);
  if (!stored.ok()) return stored.status();
  auto ruleset = BuildOf(world.catalog, *stored);
  if (!ruleset.ok()) return ruleset.status();
  Verification out;
  out.build = (*ruleset)->build().sha256;
  out.same_build = out.build == stored->head.build;
  absl::StatusOr<GameState> state = StartState(stored->facts, *ruleset);
  if (!state.ok()) {
    out.difference = "the ruleset refuses the game's options";
    return out;
  }
  FairnessProof proof = BeginProof(*state);
  EventRecord last;
  uint32_t read_before = 0;
  do {
    read_before = state->sequence;
    const absl::Status read = ForEachEvent(world, game, read_before, [&](const EventRecord& event) {
      const absl::Status advanced = Advance(*state, event);
      if (!advanced.ok()) return advanced;
      AddEvent(event, proof);
      ++out.events;
      last = event;
      return absl::OkStatus();
    });
    if (IsMismatch(read)) {
      out.difference = std::string(read.message());
      out.sequence = SequenceIn(read);
      return out;
    }
    if (!read.ok()) return read;
    // The game may have got events since its head was read, and since its log was.
    if (stored->head.sequence < state->sequence) stored = world.store.Load(game);
    if (!stored.ok()) return stored.status();
  } while (stored->head.sequence > state->sequence && state->sequence > read_before);
  out.difference = HeadDifference(*stored, *state);
  out.over = state->IsOver();
  if (out.verified() && out.over) VerifyThrows(*state, last, std::move(proof), out);
  return out;
}

absl::Status AuditGame(const World& world, GameId game) {
  const absl::StatusOr<Verification> found = VerifyGame(world, game);
  if (!found.ok()) return found.status();
  if (!found->verified()) return Error(Reason::kReplayMismatch, found->difference);
  if (!found->over) return Error(Reason::kReplayMismatch, "the log of this game has no end");
  return absl::OkStatus();
}

}  // namespace astragal::core
