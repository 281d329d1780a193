// ruleset_probe LIBRARY SECONDS: opens a library and tries it; see probe.h. Not for
// people: its verdict goes to descriptor 3, and what it finds is explained by ruleset_check.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "plugins/host/library.h"
#include "plugins/host/limits.h"
#include "plugins/host/probe.h"
#include "plugins/host/refusal.h"
#include "plugins/host/trial.h"

namespace astragal::host {
namespace {

constexpr int kTrialActions = 60;
constexpr uint64_t kTrialSeed = 20240229;

void Say(const std::string& line) {
  const std::string text = line + "\n";
  if (::write(kProbeReportFd, text.data(), text.size()) < 0) ::_exit(2);
}

absl::Status Try(const std::string& library) {
  Say("stage load");
  const int threads = CountThreads();
  absl::StatusOr<std::shared_ptr<const Ruleset>> ruleset = OpenLibrary({"", library});
  if (!ruleset.ok()) return ruleset.status();
  Say("stage trial");
  const absl::Status played = PlayTrial(**ruleset, kTrialActions, kTrialSeed);
  if (!played.ok()) return RefusalError(Refusal::kBrokeContract, played.message());
  if (CountThreads() <= threads) return absl::OkStatus();
  return RefusalError(Refusal::kStartsThreads, "a ruleset starts no threads");
}

int Main(int argc, char** argv) {
  int seconds = 0;
  if (argc != 3 || !absl::SimpleAtoi(argv[2], &seconds)) return 2;
  LimitThisProcess(seconds);
  // Should the parent be gone, nobody else ends this process.
  ::alarm(static_cast<unsigned>(seconds));
  const absl::Status status = Try(argv[1]);
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
