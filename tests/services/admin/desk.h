// An operator's desk: a server with a plugins folder of its own, the operator's key, two players,
// and games of the template ruleset between them.
#ifndef ASTRAGAL_TESTS_SERVICES_ADMIN_DESK_H_
#define ASTRAGAL_TESTS_SERVICES_ADMIN_DESK_H_

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>
#include <vector>

#include "astragal/v1/admin_service.grpc.pb.h"
#include "astragal/v1/game_service.grpc.pb.h"
#include "astragal/v1/history_service.grpc.pb.h"
#include "services/server/server.h"
#include "tests/support/test_database.h"
#include "tests/support/test_folder.h"

namespace astragal::admin {

// Builds of the template: two of rules version 1, one of version 2.
inline constexpr const char* kBuild1a = "sprint_1a";
inline constexpr const char* kBuild1b = "sprint_1b";
inline constexpr const char* kBuild2 = "sprint_2";

// The reason word of a failed call; "" of a good one.
std::string ReasonOf(const grpc::Status& status);
std::string NewRequestId();

// Owns the server, its database and its folders. Used by the main thread, but for Load and List,
// which any thread may call. A failure is the test's.
class Desk {
 public:
  // The server starts with `builds` in its plugins folder.
  explicit Desk(const std::vector<std::string>& builds);

  void Stop() { server_.reset(); }
  // Starts it on the same data.
  void Start();

  std::string plugins() const { return folder_.path() + "/plugins"; }
  std::string data() const { return folder_.path() + "/data"; }
  std::string operator_key() const;
  const std::string& player_key() const { return keys_[0]; }
  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }

  // Puts a build into the plugins folder as an operator does: whole or not at all.
  void Drop(const std::string& build, const std::string& file = "libsprint.so");
  static std::string Sha256Of(const std::string& build);

  // The operator's calls.
  v1::LoadRulesetsResponse Load();
  v1::ListRulesetBuildsResponse List();
  grpc::Status Retire(const std::string& build);
  // The hashes of all builds that fulfil `is`.
  template <typename Is>
  std::vector<std::string> Builds(Is is) {
    std::vector<std::string> found;
    const v1::ListRulesetBuildsResponse listed = List();
    for (const auto& build : listed.builds()) {
      if (is(build)) found.push_back(build.sha256());
    }
    return found;
  }

  // The players' calls. A new game of the newest rules version, both seated; its id.
  std::string NewGame();
  v1::Game Game(const std::string& game_id);
  // Plays the first legal action until the game is over or `actions` were played.
  grpc::Status Play(const std::string& game_id, int actions = 100'000);
  std::vector<v1::Event> Events(const std::string& game_id);
  // Reads the game from its first event, comparing every hash; the number of events.
  int Replay(const std::string& game_id);

  static void Authorize(grpc::ClientContext& context, const std::string& key);

 private:
  std::string NewPlayer(const std::string& name);
  grpc::Status PlayOne(const std::string& game_id, int seat);

  tests::TestFolder folder_;
  tests::TestDatabase database_;  // a copy of a template: a cluster of its own takes seconds
  std::unique_ptr<server::Server> server_;
  std::string address_;
  std::shared_ptr<grpc::Channel> channel_;
  std::string keys_[2];
};

}  // namespace astragal::admin

#endif  // ASTRAGAL_TESTS_SERVICES_ADMIN_DESK_H_
