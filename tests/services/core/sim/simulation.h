// Everything from one seed: two nodes, clients, watchers, and a store with faults, in one thread
// and in simulated time. The same seed gives the same trace, byte for byte.
//
// Checked on the way and at the end: logs run from 1 without gaps and replay; what was acknowledged
// is stored exactly once and a repeat says the same; what was refused for good is not stored;
// watchers' streams are the log; throws are those of the published secret; nobody acts after his
// time is up or loses before; once the faults have stopped every game ends and every watcher
// catches up.
#ifndef ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATION_H_
#define ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATION_H_

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/services/core/sim/node.h"

namespace astragal::tests {

class Simulation {
 public:
  struct Options {
    uint64_t seed = 1;
    StoreBug bug = StoreBug::kNone;
    // Steps with faults, and the most steps without them until all is quiet.
    int fault_steps = 4'000;
    int quiet_steps = 60'000;
  };
  struct Report {
    std::string failure;  // empty: all is well
    std::string trace;    // one line for each thing that was seen from outside
    int acknowledged = 0;
    int refused = 0;
    int events = 0;
    int crashes = 0;
    int watch_starts = 0;
    // Of all games: events of each kind, ends of each kind, actions with lag given back.
    std::array<int, 16> kinds{};
    std::array<int, 10> endings{};
    int lag_credits = 0;
  };

  explicit Simulation(const Options& options);
  Report Run();

 private:
  static constexpr int kNodes = 2;
  static constexpr int kClients = 12;
  static constexpr int kWatchers = 8;
  static constexpr int kGames = 5;
  static constexpr int64_t kTimeoutMs = 1'500;

  // One request, sent once or several times.
  struct Call {
    uint64_t number = 0;
    int client = 0;
    std::optional<core::CreateGame> create;
    core::GameId game;
    core::Command command;
    int open_attempts = 0;  // sent and not answered
    bool settled = false;   // a final answer came
    std::string answer;     // what it said when it was acknowledged
    uint32_t first_sequence = 0;
    bool refused = false;
    bool refusal_is_final = false;  // no earlier attempt can still be carried out
  };
  struct Client {
    std::optional<uint64_t> call;  // being tried
    int64_t act_at_ms = 0;         // does nothing before
    int64_t sent_at_ms = 0;
    bool waiting = false;
  };
  struct Watcher {
    int node = 0;
    core::GameId game;
    std::shared_ptr<core::Watch> watch;
    std::vector<base::Bytes32> seen;  // chain hashes, from sequence 1
  };

  using Answer = absl::StatusOr<core::CommandResult>;

  int64_t NowMs() const { return clock_.Now().micros / 1'000; }
  Node& AnyNode() { return *nodes_[random_.Below(kNodes)]; }
  void StartNode(int node);
  void CrashNode(int node);
  void SetFaults(bool on);

  void Step();
  void Fault();
  void Act(int client);
  void Choose(int client);
  Call& NewCall(int client);
  void ChooseCreation(int client);
  storage::ClockPolicy DrawClock();
  void ChoosePlay(int client, core::GameId id);
  bool ChooseWhat(const core::GameState& state, std::optional<int> seat, core::Command& command);
  bool ChooseOffer(const core::GameState& state, int seat, core::Command& command);
  void ChooseTurn(const core::GameState& state, core::Command& command);
  void MeasureLag();
  void Send(Call& call);
  void OnAnswer(uint64_t number, const Answer& answer);
  void OnAcknowledged(Call& call, const core::CommandResult& result);
  void OnRefused(Call& call, const absl::Status& status);
  void Read(int watcher);
  void OnWatchEnd(Watcher& watcher, const absl::Status& status);
  bool IsQuiet();

  void CheckLogs();
  absl::Status Walk(core::Replay& replay);
  void CheckLog(core::GameId id, const std::vector<storage::EventRecord>& log);
  void CheckDice(core::GameId id, const std::vector<storage::EventRecord>& log);
  void CheckCalls();
  void CheckWatchers();

  void Trace(const std::string& line);
  void Fail(const std::string& why);
  std::string NameOf(core::GameId id) const;

  const Options options_;
  SeededRandom random_;
  base::ManualClock clock_;
  SimulatedStore store_;
  std::unique_ptr<host::Catalog> catalog_;
  const base::SecretBox box_;
  std::array<std::unique_ptr<Node>, kNodes> nodes_;
  std::array<Client, kClients> clients_;
  std::array<Watcher, kWatchers> watchers_;
  std::vector<Call> calls_;
  std::vector<core::GameId> games_;  // as far as clients know
  int creations_ = 0;
  bool faults_ = false;
  int64_t away_until_ms_ = 0;
  int starts_ = 0;
  Report report_;
};

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATION_H_
