#include "plugins/conformance/check.h"

#include <signal.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "plugins/conformance/child_words.h"
#include "plugins/conformance/elf_symbols.h"
#include "plugins/host/child.h"
#include "plugins/host/library.h"
#include "plugins/host/refusal.h"

namespace astragal::conformance {
namespace {

constexpr absl::string_view kEntry = "astragal_ruleset_v1";

// What one child said, after the run.
struct Heard {
  std::string refused;  // word
  std::string detail;
  std::optional<uint64_t> digest;
  bool done = false;
  bool threads = false;
  std::string died;  // a sentence, empty when it did not
  Duty died_at = Duty::kNone;
  std::string died_where;
};

std::string SignalWords(int signal) {
  if (signal == SIGALRM || signal == SIGPROF) return "does not return";
  if (signal == SIGXFSZ) return "writes to a file";
  return absl::StrCat("crashes: ", strsignal(signal));
}

void HearDeath(absl::string_view numbers, const CheckResult& result, Heard& heard) {
  const std::vector<absl::string_view> words = absl::StrSplit(numbers, ' ', absl::SkipEmpty());
  int signal = 0;
  int duty = 0;
  size_t preset = 0;
  if (words.size() != 5 || !absl::SimpleAtoi(words[0], &signal) ||
      !absl::SimpleAtoi(words[1], &duty) || !absl::SimpleAtoi(words[2], &preset)) {
    return;
  }
  heard.died = absl::StrCat("the ruleset ", SignalWords(signal));
  if (duty > 0 && duty <= kDutyCount) heard.died_at = static_cast<Duty>(duty);
  if (heard.died_at == Duty::kLoads) return;
  heard.died_where =
      absl::StrCat("preset number ", preset + 1, ", game ", words[3], ", step ", words[4]);
  static_cast<void>(result);
}

void HearTitle(const std::string& text, CheckResult& result) {
  const nlohmann::json title = nlohmann::json::parse(text, nullptr, false);
  if (!title.is_object()) return;
  result.title.ruleset = title.value("id", "");
  result.title.rules_version = title.value("version", 0u);
  result.title.presets = title.value("presets", std::vector<std::string>());
}

void HearLine(absl::string_view line, CheckResult& result, Heard& heard) {
  const std::vector<std::string> words = absl::StrSplit(line, absl::MaxSplits(' ', 1));
  const std::string rest = words.size() > 1 ? words[1] : "";
  uint64_t digest = 0;
  if (words[0] == "title") HearTitle(rest, result);
  if (words[0] == "report") result.report.MergeLine(rest);
  if (words[0] == "digest" && absl::SimpleAtoi(rest, &digest)) heard.digest = digest;
  if (words[0] == "threads") heard.threads = true;
  if (words[0] == "done") heard.done = true;
  if (words[0] == "died") HearDeath(rest, result, heard);
  if (words[0] == "refused") {
    const std::vector<std::string> parts = absl::StrSplit(rest, absl::MaxSplits(' ', 1));
    heard.refused = parts[0];
    heard.detail = parts.size() > 1 ? parts[1] : "";
  }
}

class Checker {
 public:
  Checker(std::string path, const CheckOptions& options)
      : path_(std::move(path)), options_(options) {}

  absl::StatusOr<CheckResult> Run() {
    const absl::Time begin = absl::Now();
    std::error_code error;
    if (!std::filesystem::exists(path_, error)) {
      return absl::NotFoundError(absl::StrCat(path_, ": no such file"));
    }
    result_.title.plugin = path_;
    result_.title.games = options_.games;
    result_.title.seed = options_.seed;
    if (CheckFile()) {
      if (absl::Status status = CheckInChildren(); !status.ok()) return status;
    }
    result_.title.seconds = absl::ToDoubleSeconds(absl::Now() - begin);
    return std::move(result_);
  }

 private:
  void Expect(Duty duty, bool good, absl::string_view what, absl::string_view where = "") {
    result_.report.Count(duty);
    if (!good) result_.report.Fail(duty, {std::string(where), "", std::string(what)});
  }

  bool CheckFile() {
    const auto library = host::ReadLibrary(path_);
    if (!library.ok()) {
      Expect(Duty::kLoads, false,
             absl::StrCat(host::RefusalName(host::RefusalOf(library.status())), ": ",
                          library.status().message()));
      return false;
    }
    result_.title.sha256 = library->sha256;
    const ElfSymbols symbols = ReadElfSymbols(library->bytes);
    result_.report.Count(Duty::kImports);
    for (const std::string& name : symbols.imported) {
      const absl::string_view subject = ForbiddenImport(name);
      if (subject.empty()) continue;
      result_.report.Fail(Duty::kImports,
                          {"", "", absl::StrCat("imports ", name, " (", subject, ")")});
    }
    result_.report.Count(Duty::kExports);
    for (const std::string& name : symbols.exported) {
      if (name == kEntry) continue;
      result_.report.Fail(Duty::kExports, {"", "", absl::StrCat("exports ", name)});
    }
    return true;
  }

  absl::StatusOr<host::ChildResult> RunChild(absl::string_view mode,
                                             std::vector<std::string> environment) {
    host::ChildOptions child;
    std::error_code error;
    const std::string self = std::filesystem::read_symlink("/proc/self/exe", error).string();
    child.command = {self,
                     std::string(kChildFlag),
                     std::string(mode),
                     std::filesystem::absolute(path_, error).string(),
                     absl::StrCat(options_.games),
                     absl::StrCat(options_.deep),
                     absl::StrCat(options_.seed),
                     options_.only_game ? absl::StrCat(*options_.only_game) : "all",
                     absl::StrCat(absl::ToInt64Seconds(options_.game_timeout)),
                     absl::StrJoin(options_.presets, ",")};
    child.environment = std::move(environment);
    child.timeout = options_.timeout;
    return host::RunChild(child);
  }

  Heard Hear(const host::ChildResult& child) {
    Heard heard;
    for (absl::string_view line : absl::StrSplit(child.report, '\n', absl::SkipEmpty())) {
      HearLine(line, result_, heard);
    }
    if (heard.died.empty() && !heard.done && heard.refused.empty()) {
      heard.died = child.timed_out ? "the games take longer than they are given"
                                   : absl::StrCat("the process that plays ended with code ",
                                                  child.exit_code, " and signal ", child.signal);
      heard.died_at = result_.title.ruleset.empty() ? Duty::kLoads : Duty::kQuiet;
    }
    return heard;
  }

  absl::Status CheckInChildren() {
    const auto checked = RunChild(kChildCheck, host::PlainEnvironment());
    if (!checked.ok()) return checked.status();
    const Heard heard = Hear(*checked);
    if (heard.refused == kNoSuchPreset) {
      return absl::InvalidArgumentError(absl::StrCat("there is no preset ", heard.detail));
    }
    Expect(Duty::kLoads, heard.refused.empty() && heard.died_at != Duty::kLoads,
           heard.refused.empty() ? heard.died : absl::StrCat(heard.refused, ": ", heard.detail));
    if (heard.died_at != Duty::kNone && heard.died_at != Duty::kLoads) {
      Expect(heard.died_at, false, heard.died, heard.died_where);
    }
    CheckQuiet(*checked, heard);
    if (heard.digest && !result_.report.Broken(Duty::kRepeatable))
      return CheckElsewhere(*heard.digest);
    return absl::OkStatus();
  }

  void CheckQuiet(const host::ChildResult& child, const Heard& heard) {
    if (!heard.done) {
      // A crash or refusal says more than what was printed before it.
      if (heard.died.empty() || heard.died_at == Duty::kQuiet) return;
    }
    Expect(Duty::kQuiet, child.output.empty(),
           absl::StrCat("writes: ", absl::Utf8SafeCEscape(child.output.substr(0, 200))));
    Expect(Duty::kQuiet, !child.left_processes, "leaves a process running");
    Expect(Duty::kQuiet, !heard.threads, "leaves a thread running");
  }

  // Another address space, locale, time zone and folder.
  absl::Status CheckElsewhere(uint64_t digest) {
    std::vector<std::string> environment = host::PlainEnvironment();
    std::erase_if(environment, [](const std::string& entry) {
      return absl::StartsWith(entry, "LC_ALL=") || absl::StartsWith(entry, "TZ=");
    });
    environment.insert(environment.end(),
                       {"LC_ALL=C.UTF-8", "TZ=Asia/Kathmandu", "HOME=/nowhere", "SEED=12345"});
    const auto elsewhere = RunChild(kChildDigest, std::move(environment));
    if (!elsewhere.ok()) return elsewhere.status();
    const Heard heard = Hear(*elsewhere);
    Expect(Duty::kOtherProcess, heard.digest == digest,
           heard.digest
               ? "other answers in another process, locale, time zone and folder"
               : absl::StrCat("no answers in another process: ", heard.refused, heard.died));
    return absl::OkStatus();
  }

  const std::string path_;
  const CheckOptions& options_;
  CheckResult result_;
};

}  // namespace

absl::StatusOr<CheckResult> CheckLibrary(const std::string& path, const CheckOptions& options) {
  return Checker(path, options).Run();
}

}  // namespace astragal::conformance
