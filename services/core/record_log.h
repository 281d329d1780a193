// Between the log of a game and its record (see algorithms/game_record.h).
//
// Functions; any thread may call them. Those that take a World block on its store.
#ifndef ASTRAGAL_SERVICES_CORE_RECORD_LOG_H_
#define ASTRAGAL_SERVICES_CORE_RECORD_LOG_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "services/algorithms/game_record.h"
#include "services/core/game_state.h"
#include "services/core/world.h"
#include "storage/game_store.h"

namespace astragal::core {

// The record of a game that has ended; every hash is compared on the way. `first` is the beginning
// of its log if that was read already (see GameStore::Logs); the rest is read here.
// GAME_STILL_RUNNING, RULESET_VERSION_UNAVAILABLE, REPLAY_MISMATCH, STORE_UNAVAILABLE.
absl::StatusOr<algorithms::GameRecord> RecordOf(const World& world, const storage::StoredGame& game,
                                                std::vector<storage::EventRecord> first = {});

// Everything that is to be stored of a record: it is replayed by its rules, and must have ended;
// numbers, notations, throws, result and hashes must agree with each other. What it lacks
// (numbers of notations, notations, position hashes) is filled into `record`. `fault` says what is
// wrong when there is nothing.
std::optional<storage::GameCommit> CommitOf(const World& world, algorithms::GameRecord& record,
                                            algorithms::RecordFault& fault);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_RECORD_LOG_H_
