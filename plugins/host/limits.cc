#include "plugins/host/limits.h"

#include <sys/resource.h>

#include <filesystem>
#include <iterator>
#include <system_error>

namespace astragal::host {
namespace {

// Sanitizers reserve far more address space than they use.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr rlim_t kMaxMemoryBytes = RLIM_INFINITY;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr rlim_t kMaxMemoryBytes = RLIM_INFINITY;
#else
constexpr rlim_t kMaxMemoryBytes = rlim_t{2} << 30;
#endif
#else
constexpr rlim_t kMaxMemoryBytes = rlim_t{2} << 30;
#endif

constexpr rlim_t kMaxOpenFiles = 64;

void Limit(__rlimit_resource_t resource, rlim_t amount) {
  const rlimit limit{amount, amount};
  ::setrlimit(resource, &limit);
}

}  // namespace

void LimitThisProcess(int cpu_seconds) {
  Limit(RLIMIT_CORE, 0);
  Limit(RLIMIT_FSIZE, 0);
  Limit(RLIMIT_NOFILE, kMaxOpenFiles);
  Limit(RLIMIT_AS, kMaxMemoryBytes);
  if (cpu_seconds > 0) Limit(RLIMIT_CPU, static_cast<rlim_t>(cpu_seconds));
}

int CountThreads() {
  std::error_code error;
  const std::filesystem::directory_iterator tasks("/proc/self/task", error);
  return error ? 1 : static_cast<int>(std::distance(begin(tasks), end(tasks)));
}

}  // namespace astragal::host
