// ruleset_probe LIBRARY SECONDS trial|no_trial: opens a library and tries it; see probe.h. Not for
// people: its verdict goes to descriptor 3, and what it finds is explained by ruleset_check.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "plugins/host/library.h"
#include "plugins/host/probe.h"
#include "plugins/host/refusal.h"
#include "plugins/host/trial.h"

namespace astragal::host {
namespace {

constexpr int kTrialActions = 60;
constexpr uint64_t kTrialSeed = 20240229;
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

void Say(const std::string& line) {
  const std::string text = line + "\n";
  if (::write(kProbeReportFd, text.data(), text.size()) < 0) ::_exit(2);
}

void Limit(int resource, rlim_t amount) {
  const rlimit limit{amount, amount};
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

void LimitEverything(int seconds) {
  Limit(RLIMIT_CORE, 0);
  Limit(RLIMIT_FSIZE, 0);
  Limit(RLIMIT_NOFILE, 64);
  Limit(RLIMIT_CPU, static_cast<rlim_t>(seconds));
  Limit(RLIMIT_AS, kMaxMemoryBytes);
  // Should the parent be gone, nobody else ends this process.
  ::alarm(static_cast<unsigned>(seconds));
}

ptrdiff_t CountThreads() {
  std::error_code error;
  const std::filesystem::directory_iterator tasks("/proc/self/task", error);
  return error ? 1 : std::distance(begin(tasks), end(tasks));
}

absl::Status Try(const std::string& library, bool trial) {
  Say("stage load");
  const ptrdiff_t threads = CountThreads();
  absl::StatusOr<std::shared_ptr<const Ruleset>> ruleset = OpenLibrary({"", library});
  if (!ruleset.ok()) return ruleset.status();
  if (trial) Say("stage trial");
  const absl::Status played =
      trial ? PlayTrial(**ruleset, kTrialActions, kTrialSeed) : absl::OkStatus();
  if (!played.ok()) return RefusalError(Refusal::kBrokeContract, played.message());
  if (CountThreads() <= threads) return absl::OkStatus();
  return RefusalError(Refusal::kStartsThreads, "a ruleset starts no threads");
}

int Main(int argc, char** argv) {
  int seconds = 0;
  if (argc != 4 || !absl::SimpleAtoi(argv[2], &seconds)) return 2;
  LimitEverything(seconds);
  const absl::Status status = Try(argv[1], std::string(argv[3]) == "trial");
  const std::string detail = absl::StrReplaceAll(status.message(), {{"\n", " "}});
  Say(status.ok() ? "ok" : absl::StrCat("refused ", RefusalName(RefusalOf(status)), " ", detail));
  return 0;
}

}  // namespace
}  // namespace astragal::host

int main(int argc, char** argv) {
  // No destructors: whatever the library does at exit says nothing about rules.
  ::_exit(astragal::host::Main(argc, argv));
}
