// A lock whose guarded fields clang's thread-safety analysis checks at compile time, and whose
// taking and giving back the thread sanitizer sees at run time.
//
// std::mutex under a name that can carry the annotations (absl/base/thread_annotations.h). Not
// absl::Mutex: the packaged one is compiled without the sanitizer, which then reports every field
// behind it as a race. Not recursive, no readers' lock: what we do under a lock takes microseconds.
#ifndef ASTRAGAL_SERVICES_BASE_MUTEX_H_
#define ASTRAGAL_SERVICES_BASE_MUTEX_H_

#include <mutex>

#include "absl/base/thread_annotations.h"

namespace astragal::base {

class ABSL_LOCKABLE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

// Holds the lock for as long as it lives.
class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex) : mutex_(mutex) {
    mutex_.Lock();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;
  ~MutexLock() ABSL_UNLOCK_FUNCTION() { mutex_.Unlock(); }

 private:
  Mutex& mutex_;
};

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_MUTEX_H_
