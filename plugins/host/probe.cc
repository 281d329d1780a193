#include "plugins/host/probe.h"

#include <csignal>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "plugins/host/child.h"
#include "plugins/host/refusal.h"

namespace astragal::host {
namespace {

// What the child wrote: "stage NAME" lines, then "ok" or "refused WORD DETAIL".
struct Report {
  std::string stage = "start";
  bool ok = false;
  bool refused = false;
  Refusal refusal = Refusal::kProbeFailed;
  std::string detail;
};

Report ReadReport(absl::string_view text) {
  Report report;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<absl::string_view> words = absl::StrSplit(line, absl::MaxSplits(' ', 2));
    if (words[0] == "stage" && words.size() == 2) report.stage = std::string(words[1]);
    if (words[0] == "ok") report.ok = true;
    if (words[0] == "refused" && words.size() == 3) {
      report.refused = true;
      report.refusal = RefusalFromName(words[1]);
      report.detail = std::string(words[2]);
    }
  }
  return report;
}

std::string Wrote(const ChildResult& child) {
  if (child.output.empty()) return "";
  return absl::StrCat(", it wrote: ", absl::Utf8SafeCEscape(child.output.substr(0, 200)));
}

absl::Status Verdict(const ChildResult& child) {
  const Report report = ReadReport(child.report);
  const std::string where = absl::StrCat(" at stage ", report.stage, Wrote(child));
  if (child.timed_out || child.signal == SIGXCPU || child.signal == SIGALRM) {
    return RefusalError(Refusal::kTimedOut, absl::StrCat("no end", where));
  }
  if (child.signal != 0) {
    return RefusalError(Refusal::kCrashed, absl::StrCat("signal ", child.signal, " (",
                                                        strsignal(child.signal), ")", where));
  }
  if (report.refused) return RefusalError(report.refusal, report.detail);
  // A sanitizer reports what would be a crash elsewhere and exits.
  if (!report.ok && absl::StrContains(child.output, "Sanitizer")) {
    return RefusalError(Refusal::kCrashed, absl::StrCat("a sanitizer stopped it", where));
  }
  if (!report.ok) {
    return RefusalError(Refusal::kExited, absl::StrCat("exit code ", child.exit_code, where));
  }
  if (child.left_processes) {
    return RefusalError(Refusal::kLeavesProcesses, "a ruleset starts no processes");
  }
  if (!child.output.empty()) {
    return RefusalError(Refusal::kWritesOutput,
                        absl::StrCat("a ruleset has no output", Wrote(child)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Probe(const ProbeOptions& options, const std::string& library_path) {
  ChildOptions child;
  child.command = {options.program, library_path,
                   absl::StrCat(absl::ToInt64Seconds(options.timeout) + 1)};
  child.environment = PlainEnvironment();
  child.timeout = options.timeout;
  const absl::StatusOr<ChildResult> result = RunChild(child);
  if (!result.ok()) return RefusalError(Refusal::kProbeFailed, result.status().message());
  return Verdict(*result);
}

absl::StatusOr<std::string> FindProbeProgram() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return absl::NotFoundError(absl::StrCat("/proc/self/exe: ", error.message()));
  const std::filesystem::path here = self.parent_path();
  for (const char* folder : {".", "../bin", "../libexec/astragal"}) {
    const std::filesystem::path candidate = (here / folder / "ruleset_probe").lexically_normal();
    if (std::filesystem::is_regular_file(candidate, error)) return candidate.string();
  }
  return absl::NotFoundError(absl::StrCat("ruleset_probe is neither in ", here.string(),
                                          " nor in ../bin nor in "
                                          "../libexec/astragal from there"));
}

}  // namespace astragal::host
