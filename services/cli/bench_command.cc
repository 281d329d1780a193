#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "services/cli/bench_load.h"
#include "services/cli/bench_options.h"
#include "services/cli/bench_process.h"
#include "services/cli/bench_report.h"
#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/game_text.h"
#include "services/cli/local_rulesets.h"

namespace astragal::cli {
namespace {

double LoadOfMachine() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : 0;
}

absl::Status WriteFile(const std::string& path, const std::string& text) {
  if (path.empty()) return absl::OkStatus();
  std::ofstream out(path);
  out << text;
  out.close();
  return out ? absl::OkStatus() : absl::PermissionDeniedError("cannot write " + path);
}

// One run, from the first look at the server to the report.
class BenchRun {
 public:
  BenchRun(Context& context, const BenchOptions& options)
      : context_(context),
        wire_(context.global().server, options.connections),
        scene_(wire_, tally_) {
    report_.options = options;
    report_.server = context.global().server;
    report_.version = ASTRAGAL_VERSION;
    report_.processors = static_cast<int>(std::thread::hardware_concurrency());
    report_.load_before = LoadOfMachine();
  }

  absl::StatusOr<BenchReport> Run() {
    absl::Status status = Prepare();
    if (status.ok()) status = Measure();
    Say("");
    if (!status.ok()) return status;
    return std::move(report_);
  }

 private:
  absl::Status Prepare();
  absl::Status ProbeGame();
  void FindServer();
  void OpenLocalRuleset(uint32_t rules_version);
  void MeasureDatabase();
  absl::Status Measure();
  absl::Status MeasureEmpty();
  void Play(BenchLoad& load);
  void TakeOver(const BenchLoad& load);
  int64_t Memory() const;
  void AddUse(double sign);
  // One line that is written over, while somebody looks.
  void Say(const std::string& line);

  Context& context_;
  BenchReport report_;
  BenchTally tally_;
  EmptyCalls empty_;
  BenchWire wire_;
  BenchScene scene_;
};

void BenchRun::Say(const std::string& line) {
  if (!context_.terminal().out_is_tty) return;
  context_.err() << "\r\x1b[K" << line << std::flush;
}

absl::Status BenchRun::Prepare() {
  if (absl::Status health = context_.Anonymous().CheckHealth(); !health.ok()) return health;
  scene_.game.set_ruleset_id(report_.options.ruleset);
  scene_.game.set_preset(report_.options.preset);
  for (const std::string& option : report_.options.options) {
    absl::Status read = ReadGameOption(option, *scene_.game.mutable_options());
    if (!read.ok()) return read;
  }
  FindServer();
  return ProbeGame();
}

// How many seats games have here, and whether they can be, is what the server says of a first one.
absl::Status BenchRun::ProbeGame() {
  base::SystemRandom random;
  v1::CreatePlayerRequest player;
  player.set_name("bench-" + NewRequestId(random).substr(0, 13));
  player.set_bot(true);
  const auto created = context_.Anonymous().Call(player);
  if (!created.ok()) return created.status();
  const auto game = context_.WithKey(created->api_key())->Call(scene_.game);
  if (!game.ok()) return game.status();
  scene_.seats = game->game().seats_size();
  OpenLocalRuleset(game->game().rules_version());
  return absl::OkStatus();
}

void BenchRun::OpenLocalRuleset(uint32_t rules_version) {
  if (report_.options.ask_legal) return;
  LocalGame local;
  local.ruleset = report_.options.ruleset;
  local.plugins = report_.options.plugins;
  const auto ruleset = OpenLocal(local);
  if (!ruleset.ok() || (*ruleset)->about().rules_version != rules_version) return;
  scene_.ruleset = *ruleset;
  report_.legal_here = true;
}

void BenchRun::FindServer() {
  const int given = report_.options.pid;
  const std::optional<int> pid = given != 0 ? std::optional(given) : FindListener(report_.server);
  if (pid && UseOf(*pid)) report_.server_pid = *pid;
}

// The server's own program measures its database: only that knows how to reach it.
void BenchRun::MeasureDatabase() {
  const BenchOptions& options = report_.options;
  if (options.baseline_s <= 0) return;
  if (report_.server_pid == 0) {
    report_.no_database = "the server is not a process of this machine that can be looked at";
    return;
  }
  Say("the database alone ...");
  std::vector<std::string> words = WordsOf(report_.server_pid);
  if (words.empty()) words.emplace_back();
  words.front() = ProgramOf(report_.server_pid);
  if (!options.database_url.empty()) {
    words = {words.front(), "--database-url", options.database_url};
  }
  for (const std::string& word :
       {std::string("--measure-database"), std::to_string(3 * options.baseline_s),
        std::string("--measure-clients"), std::to_string(std::min(options.outstanding, 1000))}) {
    words.push_back(word);
  }
  const std::optional<std::string> output = OutputOf(words);
  const absl::StatusOr<BenchDatabase> read = ReadBenchDatabase(output.value_or(""));
  if (output && read.ok()) {
    report_.database = *read;
  } else {
    report_.no_database = words.front() + " --measure-database failed";
  }
}

absl::Status BenchRun::MeasureEmpty() {
  if (report_.options.baseline_s <= 0) return absl::OkStatus();
  Say("empty calls ...");
  return MeasureEmptyCalls(wire_, report_.options.outstanding, report_.options.baseline_s / 2,
                           empty_);
}

absl::Status BenchRun::Measure() {
  MeasureDatabase();
  // Half of the empty calls before and half after: a machine that others use changes meanwhile.
  if (absl::Status empty = MeasureEmpty(); !empty.ok()) return empty;
  Say("players and games ...");
  BenchLoad load(scene_, report_.options);
  if (absl::Status created = load.CreatePlayers(); !created.ok()) return created;
  report_.memory_before = Memory();
  if (absl::Status opened = load.OpenGames(); !opened.ok()) return opened;
  report_.memory_with_games = Memory();
  const absl::Status streams = load.OpenStreams();
  report_.memory_with_watchers = Memory();
  if (streams.ok()) Play(load);
  Say("empty calls ...");
  load.CloseStreams();
  if (!streams.ok()) return streams;
  if (absl::Status empty = MeasureEmpty(); !empty.ok()) return empty;
  if (empty_.seconds > 0) report_.empty = RateOf(empty_.micros, empty_.per_second());
  TakeOver(load);
  return absl::OkStatus();
}

int64_t BenchRun::Memory() const {
  const std::optional<ProcessUse> use = UseOf(report_.server_pid);
  return use ? use->memory : 0;
}

// Called with -1 at the beginning and 1 at the end of the measured time.
void BenchRun::AddUse(double sign) {
  report_.own_cpu_s += sign * OwnCpuSeconds();
  if (report_.server_pid == 0) return;
  const std::optional<ProcessUse> use = UseOf(report_.server_pid);
  if (use) report_.server_cpu_s += sign * use->cpu_s;
  if (report_.database && report_.database->server_pid != 0) {
    report_.database_cpu_s += sign * FamilyCpuSeconds(report_.database->server_pid);
  }
}

void BenchRun::Play(BenchLoad& load) {
  BenchLoad::Observer observer;
  observer.on_begin = [this] { AddUse(-1); };
  observer.on_end = [this] { AddUse(1); };
  observer.on_second = [this](double second, double rate) {
    report_.by_second.push_back(rate);
    Say(std::to_string(static_cast<int>(second)) + " of " +
        std::to_string(static_cast<int>(report_.options.duration_s)) +
        " s: " + std::to_string(static_cast<int64_t>(rate)) + " actions a second, p99 " +
        std::to_string(tally_.answer_us.Percentile(99) / 1000) + " ms");
  };
  load.Play(observer);
}

void BenchRun::TakeOver(const BenchLoad& load) {
  report_.seconds = load.measured_seconds();
  const double seconds = std::max(report_.seconds, 1e-9);
  report_.action_count = tally_.answer_us.count();
  report_.actions = RateOf(tally_.answer_us, static_cast<double>(report_.action_count) / seconds);
  report_.watched = RateOf(tally_.watcher_us, static_cast<double>(tally_.events) / seconds);
  report_.games_finished = tally_.games;
  report_.never_begun = load.never_begun();
  {
    const std::lock_guard lock(tally_.mutex);
    report_.failures = tally_.failures;
  }
  if (const std::optional<ProcessUse> use = UseOf(report_.server_pid)) {
    report_.memory_after = use->memory;
    report_.memory_peak = use->memory_peak;
  }
}

absl::Status RunBench(Context& context, BenchOptions options) {
  if (absl::Status complete = CompleteBenchOptions(options); !complete.ok()) return complete;
  const absl::StatusOr<BenchReport> report = BenchRun(context, options).Run();
  if (!report.ok()) return report.status();
  context.out() << BenchText(*report);
  absl::Status written = WriteFile(options.json_file, BenchJson(*report));
  if (written.ok()) written = WriteFile(options.svg_file, BenchSvg(*report));
  return written;
}

}  // namespace

Action DefineBench(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  AddBenchOptions(app, *options);
  return [options](Context& context) { return RunBench(context, *options); };
}

}  // namespace astragal::cli
