// Bots that play the matches of a tournament over the wire, several at a time: for `astragal
// tournament demo`.
//
// They choose with the ruleset on this machine and send a turn in one call. Owns its players and
// its threads, which end with it. Made and used by one thread.
#ifndef ASTRAGAL_SERVICES_CLI_TOURNAMENT_BOTS_H_
#define ASTRAGAL_SERVICES_CLI_TOURNAMENT_BOTS_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/algorithms/bots.h"
#include "services/cli/client.h"
#include "services/cli/context.h"
#include "services/cli/local_rulesets.h"

namespace astragal::cli {

class TournamentBots {
 public:
  // A match that does not move on for so long is given up.
  static constexpr absl::Duration kPatience = absl::Minutes(2);

  struct Options {
    std::string bot = "random";
    LocalGame local;
    uint64_t seed = 0;
    int threads = 4;
  };

  TournamentBots(Context& context, Options options)
      : context_(context), anyone_(context.Anonymous()), options_(std::move(options)) {}
  ~TournamentBots();
  TournamentBots(const TournamentBots&) = delete;
  TournamentBots& operator=(const TournamentBots&) = delete;

  // Opens the ruleset, creates so many players, and starts the threads. To be called once, first.
  absl::Status Create(int players);
  size_t size() const { return players_.size(); }
  Client& client(size_t player) { return *players_[player].client; }
  // Null: he is none of them.
  Client* Find(const std::string& player_id);
  // Runs it for each player, several at a time; the first failure.
  absl::Status ForEach(const std::function<absl::Status(Client&)>& work);
  // The match is played soon, if it is not already.
  void Play(const std::string& match_id);
  // The first failure of a match.
  absl::Status status();
  int64_t games();
  int64_t turns();

 private:
  struct Player {
    std::string id;
    std::unique_ptr<Client> client;
  };

  void Work();
  void Post(std::function<absl::Status()> job);
  absl::Status PlayMatch(const std::string& match_id);
  absl::Status PlayGame(const std::string& game_id, algorithms::Bot& bot);
  // Each seat adds to the dice of a game that waits for that.
  absl::Status AddToDice(v1::Game game);
  // What the bot plays until another one acts.
  absl::StatusOr<v1::PlayActionsRequest> Turn(const v1::Position& position, algorithms::Bot& bot);

  Context& context_;
  Client& anyone_;  // without credentials; the threads share it
  const Options options_;
  std::shared_ptr<const host::Ruleset> ruleset_;
  std::vector<Player> players_;
  std::map<std::string, Client*> by_id_;
  std::set<std::string> known_;  // matches

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<absl::Status()>> jobs_;  // guarded by mutex_
  size_t running_ = 0;                              // guarded by mutex_
  bool ending_ = false;                             // guarded by mutex_
  absl::Status status_;                             // guarded by mutex_
  int64_t games_ = 0;                               // guarded by mutex_
  int64_t turns_ = 0;                               // guarded by mutex_
  std::vector<std::thread> threads_;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_TOURNAMENT_BOTS_H_
