// The part of a check that runs the plugin: a child process that reports on descriptor 3.
//
//   PROGRAM --conformance-child check|digest LIBRARY GAMES DEEP SEED ONLY_GAME SECONDS PRESETS
//
// Lines it writes: "title JSON", "report LINE" (what is new since the last one), "digest NUMBER",
// "refused WORD DETAIL", "died SIGNAL DUTY PRESET GAME STEP", "done".
#include <signal.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <unistd.h>

#include <clocale>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "plugins/conformance/check.h"
#include "plugins/conformance/child_words.h"
#include "plugins/conformance/play.h"
#include "plugins/conformance/session.h"
#include "plugins/host/library.h"
#include "plugins/host/limits.h"
#include "plugins/host/refusal.h"

namespace astragal::conformance {
namespace {

constexpr int kReportFd = 3;
constexpr uint64_t kGamesBetweenReports = 256;
constexpr unsigned kWallFactor = 10;
constexpr int kMostUrgentReports = 200;  // sent at once because something is broken

void Say(absl::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(kReportFd, text.data(), text.size());
    if (written <= 0) ::_exit(2);
    text.remove_prefix(static_cast<size_t>(written));
  }
}

// Only what a signal handler may do.
void SayNumber(uint64_t number) {
  char digits[21];
  size_t at = sizeof digits;
  do {
    digits[--at] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  Say(absl::string_view(digits + at, sizeof digits - at));
}

void OnFatalSignal(int signal) {
  const Whereabouts& now = CurrentWhereabouts();
  Say("died ");
  const uint64_t numbers[] = {static_cast<uint64_t>(signal), static_cast<uint64_t>(now.duty),
                              static_cast<uint64_t>(now.preset), now.game, now.step};
  for (const uint64_t number : numbers) {
    SayNumber(number);
    Say(" ");
  }
  Say("\n");
  ::_exit(3);
}

void CatchFatalSignals() {
  // A stack of its own, for plugins that use up the other one.
  static unsigned char stack[65536];
  stack_t alternate{};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  ::sigaltstack(&alternate, nullptr);
  struct sigaction action {};
  action.sa_handler = OnFatalSignal;
  action.sa_flags = SA_ONSTACK;
  for (const int signal :
       {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGPROF, SIGXFSZ, SIGTERM}) {
    ::sigaction(signal, &action, nullptr);
  }
}

struct Arguments {
  bool digest_only = false;
  std::string library;
  PlayOptions play;
  int game_seconds = 0;
  std::vector<std::string> presets;
};

std::optional<Arguments> ReadArguments(int argc, char** argv) {
  if (argc != 10) return std::nullopt;
  Arguments read;
  read.digest_only = std::string(argv[2]) == kChildDigest;
  read.library = argv[3];
  uint64_t only_game = 0;
  if (!absl::SimpleAtoi(argv[4], &read.play.games) || !absl::SimpleAtoi(argv[5], &read.play.deep) ||
      !absl::SimpleAtoi(argv[6], &read.play.seed) ||
      !absl::SimpleAtoi(argv[8], &read.game_seconds)) {
    return std::nullopt;
  }
  if (absl::SimpleAtoi(argv[7], &only_game)) read.play.only_game = only_game;
  read.play.deep_variants = read.play.deep > 0;
  read.presets = absl::StrSplit(argv[9], ',', absl::SkipEmpty());
  return read;
}

// So many seconds of processor time from now on, so that a busy machine is no fault of a ruleset;
// and ten times as long by the wall, for one that sleeps.
void GiveTime(int seconds) {
  const itimerval allowance{.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = 0}};
  ::setitimer(ITIMER_PROF, &allowance, nullptr);
  ::alarm(static_cast<unsigned>(seconds) * kWallFactor);
}

void SayTitle(const host::Ruleset& ruleset, const PlayOptions& play) {
  nlohmann::json presets = nlohmann::json::array();
  for (const size_t index : play.presets) presets.push_back(ruleset.about().presets[index].name);
  const nlohmann::json title = {
      {"id", ruleset.about().id}, {"version", ruleset.about().rules_version}, {"presets", presets}};
  Say(absl::StrCat("title ", title.dump(), "\n"));
}

void SayRefused(absl::string_view word, absl::string_view detail) {
  Say(absl::StrCat("refused ", word, " ", absl::StrReplaceAll(detail, {{"\n", " "}}), "\n"));
}

// False, with a word to the parent, when a preset is unknown.
bool ChoosePresets(const host::Ruleset& ruleset, Arguments& arguments) {
  for (const std::string& name : arguments.presets) {
    const std::optional<size_t> index = ruleset.about().FindPreset(name);
    if (!index) {
      SayRefused(kNoSuchPreset, name);
      return false;
    }
    arguments.play.presets.push_back(*index);
  }
  if (!arguments.presets.empty()) return true;
  for (size_t i = 0; i < ruleset.about().presets.size(); ++i) arguments.play.presets.push_back(i);
  return true;
}

void Check(const host::Ruleset& ruleset, const Arguments& arguments) {
  Report report;
  uint64_t games = 0;
  int urgent = 0;
  const auto send = [&] {
    Say(absl::StrCat("report ", report.ToLine(), "\n"));
    report = Report();
  };
  PlayAndCheck(ruleset, arguments.play, report, [&] {
    GiveTime(arguments.game_seconds);
    bool broken = false;
    for (const Obligation& obligation : Obligations()) broken |= report.Broken(obligation.duty);
    const bool now = broken && urgent < kMostUrgentReports;
    if (now) ++urgent;
    if (++games % kGamesBetweenReports == 0 || now) send();
  });
  send();
}

int Run(Arguments arguments) {
  CatchFatalSignals();
  host::LimitThisProcess(0);
  GiveTime(arguments.game_seconds);
  // The process that only computes the digest lives elsewhere: see CheckLibrary's environment for
  // it.
  if (arguments.digest_only && (::chdir("/") != 0 || std::setlocale(LC_ALL, "") == nullptr))
    return 2;
  CurrentWhereabouts().duty = static_cast<int>(Duty::kLoads);
  const int threads = host::CountThreads();
  auto ruleset = host::OpenLibrary({"", arguments.library});
  if (!ruleset.ok()) {
    SayRefused(host::RefusalName(host::RefusalOf(ruleset.status())), ruleset.status().message());
    return 0;
  }
  if (!ChoosePresets(**ruleset, arguments)) return 0;
  SayTitle(**ruleset, arguments.play);
  if (!arguments.digest_only) Check(**ruleset, arguments);
  GiveTime(arguments.game_seconds * 10);
  Say(absl::StrCat("digest ", DigestOfAnswers(**ruleset, arguments.play), "\n"));
  if (host::CountThreads() > threads) Say("threads\n");
  Say("done\n");
  return 0;
}

}  // namespace

std::optional<int> ChildMain(int argc, char** argv) {
  if (argc < 2 || absl::string_view(argv[1]) != kChildFlag) return std::nullopt;
  // Whoever kills the check does not want its games either.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::optional<Arguments> arguments = ReadArguments(argc, argv);
  // No destructors: whatever the library does at exit says nothing about rules.
  ::_exit(arguments ? Run(*std::move(arguments)) : 2);
}

}  // namespace astragal::conformance
