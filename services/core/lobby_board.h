// The open seeks as watchers see them: one picture for all of them, compared with the store while
// somebody looks. Owns the picture; thread-safe.
#ifndef ASTRAGAL_SERVICES_CORE_LOBBY_BOARD_H_
#define ASTRAGAL_SERVICES_CORE_LOBBY_BOARD_H_

#include <functional>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "services/base/mutex.h"
#include "services/core/lobby.h"

namespace astragal::core {

using ProposalPtr = std::shared_ptr<const Proposal>;

// Immutable.
struct LobbyPicture {
  std::vector<ProposalPtr> seeks;  // newest first
  std::vector<ProposalPtr> ended;  // as they are since they are not open any more; oldest first
};
using PicturePtr = std::shared_ptr<const LobbyPicture>;

struct LobbyDifference {
  std::vector<ProposalPtr> opened;
  std::vector<ProposalPtr> closed;
};
// What happened between two pictures. What closed so long ago that the new picture has forgotten it
// is as it was when it was open.
LobbyDifference Compare(const LobbyPicture& before, const LobbyPicture& after);

// Told when there is a new picture. Implemented by streams.
class LobbyViewer {
 public:
  virtual ~LobbyViewer() = default;
  // Must be quick.
  virtual void OnPicture() = 0;
};

class LobbyBoard {
 public:
  static constexpr size_t kMaxSeeks = 500;
  static constexpr size_t kMaxEnded = 1'000;
  static constexpr int64_t kPollMs = 500;

  LobbyBoard(storage::LobbyStore& store, base::Scheduler& scheduler)
      : store_(store), scheduler_(scheduler) {}

  // Adds a viewer, dropped when it is gone, and gives the first picture (blocks).
  absl::StatusOr<PicturePtr> Subscribe(std::weak_ptr<LobbyViewer> viewer)
      ABSL_LOCKS_EXCLUDED(mutex_, poll_mutex_);
  PicturePtr picture() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Looks at the store if anybody watches (blocks).
  void Poll() ABSL_LOCKS_EXCLUDED(mutex_, poll_mutex_);
  void PollForEver();

 private:
  absl::Status Renew() ABSL_EXCLUSIVE_LOCKS_REQUIRED(poll_mutex_) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<PicturePtr> Draw(const LobbyPicture& before);

  storage::LobbyStore& store_;
  base::Scheduler& scheduler_;
  base::Mutex poll_mutex_ ABSL_ACQUIRED_BEFORE(mutex_);  // one look at a time
  mutable base::Mutex mutex_;
  PicturePtr picture_ ABSL_GUARDED_BY(mutex_) = std::make_shared<const LobbyPicture>();
  std::vector<std::weak_ptr<LobbyViewer>> viewers_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_LOBBY_BOARD_H_
