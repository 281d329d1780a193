// The log of a game that has ended as one compact record, and back.
//
// What follows from the rest is left out and made again: the hashes, by replaying the log on its
// rules. Left out for good are the request stamps, which are no part of the chain, but for that of
// the creation. So that a wrong byte is named to within kCheckEvery events, the record keeps the
// first bytes of the chain hash after every kCheckEvery-th event, and the whole one at the end.
// (The chain holds the positions' hashes, and what no position shows as well: instants and
// details.)
//
// Layout, version 1. Integers are varints (seven bits a byte, lowest first, the high bit says that
// more follow); signed ones are zigzag-coded first.
//   u8 version (1) | chain hash of the last event (32) | base::Deflate of eight parts:
//   1 number of events | throw kinds: the highest there is + 1 | bits of a gap's rest (k)
//   2 for each event: (2 * kind + 1 if its instant differs from that before it) * (seats of the
//     game + 1) + seat + 1
//   3 for each throw: outcome * throw kinds + kind
//   4 for each other event: its number
//   5 the gaps between instants, in microseconds, where there is one (the first: since 1970), as
//     Rice codes: gap >> k ones, a zero, then k bits, highest first; the last byte is filled with
//     zeros. A gap whose ones were more than kMostOnes has kMostOnes ones, no zero, and 64 bits
//   6 details, where there is one: events since that before it | length | bytes. That of the
//     creation is left out: it follows from the facts of the game
//   7 for each event whose sequence kCheckEvery divides: the first kCheckBytes bytes of its
//     chain hash
//   8 how many events the creating request wrote (0: it is not known) | request (16) | hash of its
//     body (32); its player is the game's creator
//
// Pure functions; any thread may call them.
#ifndef ASTRAGAL_SERVICES_CORE_PACKED_LOG_H_
#define ASTRAGAL_SERVICES_CORE_PACKED_LOG_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/core/game_state.h"

namespace astragal::core {

inline constexpr uint32_t kCheckEvery = 16;
inline constexpr size_t kCheckBytes = 3;

// The record of a whole log, in order, of a game with these facts. Nothing for a log that has no
// such record (an instant before the one before it, or more than kMostPackedEvents events): it
// stays as it is.
inline constexpr size_t kMostPackedEvents = 100'000;
std::optional<std::string> PackLog(const storage::GameFacts& facts,
                                   const std::vector<EventRecord>& log);

// The log again, with all hashes. DATA_LOSS / REPLAY_MISMATCH names the sequence of the first event
// that may be wrong: that one, or one of the kCheckEvery - 1 after it, is.
absl::StatusOr<std::vector<EventRecord>> UnpackLog(
    const storage::GameFacts& facts, const std::shared_ptr<const host::Ruleset>& ruleset,
    std::string_view packed);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_PACKED_LOG_H_
