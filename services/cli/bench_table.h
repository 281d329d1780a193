// A table of the load generator: one game after another, played by players who choose at random
// among the legal actions, and streams that follow whatever is played there.
//
// A table has at most one call under way; its streams are apart from that. The tables of one run
// share a BenchScene. Answers come on gRPC's threads (see bench_wire.h).
#ifndef ASTRAGAL_SERVICES_CLI_BENCH_TABLE_H_
#define ASTRAGAL_SERVICES_CLI_BENCH_TABLE_H_

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "plugins/host/ruleset.h"
#include "services/base/histogram.h"
#include "services/base/random.h"
#include "services/cli/bench_wire.h"

namespace astragal::cli {

using BenchClock = std::chrono::steady_clock;

// What is counted while `measuring`.
struct BenchTally {
  std::atomic<bool> measuring = false;
  std::atomic<uint64_t> games = 0;   // that came to their end
  std::atomic<uint64_t> events = 0;  // that reached a stream
  base::Histogram answer_us;         // of accepted actions, from when they were due to the answer
  base::Histogram watcher_us;        // from the sending of an action to each stream that shows it

  std::mutex mutex;
  std::map<std::string, uint64_t> failures;  // by reason; always counted
  absl::Status first_failure;
  void Fail(const absl::Status& status);
};

// What all tables of a run share; outlives their calls.
struct BenchScene {
  BenchScene(BenchWire& with, BenchTally& into) : wire(with), tally(into) {}

  BenchWire& wire;
  BenchTally& tally;
  v1::CreateGameRequest game;                    // of every game, but for its request id
  int seats = 0;                                 // of every game
  std::vector<std::string> keys;                 // of the players; a table's stand side by side
  std::shared_ptr<const host::Ruleset> ruleset;  // null: the server is asked for legal actions
  std::atomic<int> streams = 0;                  // that have not ended
  std::atomic<int> streams_ready = 0;            // that brought their first message
};

class BenchTable {
 public:
  // Runs once the table can go on; false: after a failure, which was tallied.
  using Ready = std::function<void(bool good)>;

  BenchTable(BenchScene& scene, int number, uint64_t seed);

  // Begins a game and seats its players.
  void Open(Ready ready);
  // Plays one action, and begins the next game if that ended one. A table without a game, after a
  // failure, begins one instead.
  void PlayOne(BenchClock::time_point due, Ready ready);
  // One more stream follows this table's games.
  void Follow();
  void StopFollowing();

 private:
  class Seeded : public base::Random {
   public:
    explicit Seeded(uint64_t seed) : engine_(seed) {}
    void Fill(std::span<uint8_t> out) override;
    std::mt19937_64& engine() { return engine_; }

   private:
    std::mt19937_64 engine_;
  };

  const std::string& KeyOf(int seat) const;
  void Seat(v1::Game game, int seat, Ready ready);
  void AskLegal(Ready ready);
  void OnLegal(const v1::ListLegalActionsResponse& legal);
  absl::Status ChooseHere();
  void Send(BenchClock::time_point due, Ready ready);
  void OnPlayed(BenchClock::time_point due, const v1::PlayActionsResponse& played,
                const Ready& ready);
  void Lose(const absl::Status& status, const Ready& ready);

  void StartStream(const std::string& game);
  void OnStreamEnd(const std::string& game, const absl::Status& status);
  void OnStreamMessage(const v1::WatchGameResponse& message);

  BenchScene& scene_;
  const int number_;
  Seeded random_;

  // Of the game being played; only the call under way touches these.
  uint32_t sequence_ = 0;
  int actor_ = 0;
  std::string position_;
  int64_t action_ = -1;  // to be played next; -1: not chosen yet

  // Sequence (20 bits) and microsecond of sending (44 bits) of the last actions, by sequence.
  std::array<std::atomic<uint64_t>, 64> sent_{};

  std::mutex mutex_;
  std::string game_;  // id; empty: none
  int waiting_ = 0;   // streams that wait for the next game
  bool stopping_ = false;
  std::vector<std::weak_ptr<BenchWire::Stream>> streams_;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_BENCH_TABLE_H_
