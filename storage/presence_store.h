// Who is connected to which game, for all nodes. Same contract as GameStore: blocking, thread-safe,
// STORE_UNAVAILABLE changes nothing.
//
// A row says that a node has a connection; it counts while that node lives, which its heartbeat
// says (GameStore::Beat). So rows are written when somebody comes or goes and never in between. A
// crash of the database forgets them all: whoever reads compares with what it wrote.
#ifndef ASTRAGAL_STORAGE_PRESENCE_STORE_H_
#define ASTRAGAL_STORAGE_PRESENCE_STORE_H_

#include <compare>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "services/base/ids.h"

namespace astragal::storage {

struct Attendee {
  base::GameId game;
  base::PlayerId player;

  friend bool operator==(const Attendee&, const Attendee&) = default;
  friend auto operator<=>(const Attendee&, const Attendee&) = default;
};

struct AttendeeRow {
  Attendee attendee;
  bool own = false;  // written by this node
};

class PresenceStore {
 public:
  // How old a node's last heartbeat may be: then its connections are gone.
  static constexpr int64_t kNodeGoneMs = 5'000;
  // Most games, or attendees, of one call.
  static constexpr size_t kMaxAsked = 1'000;

  virtual ~PresenceStore() = default;

  // This node has connections of `came`, and none any more of `went`. No attendee may be in both.
  virtual absl::Status Write(absl::Span<const Attendee> came, absl::Span<const Attendee> went) = 0;
  // Rows of these games by nodes that live, in any order.
  virtual absl::StatusOr<std::vector<AttendeeRow>> Read(absl::Span<const base::GameId> games) = 0;
  // Forgets the rows of nodes that do not live.
  virtual absl::Status Sweep() = 0;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_PRESENCE_STORE_H_
