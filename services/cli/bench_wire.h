// Calls that many are under way of at once: the asynchronous door to gRPC, for the load generator.
//
// No call is repeated here; a deadline of half a minute ends what is lost. Answers come on threads
// of gRPC's own, several at once, perhaps before the function that began the call returns: nobody
// may hold a lock over a call. Destroyed after all answers have come, by another thread
// than theirs.
#ifndef ASTRAGAL_SERVICES_CLI_BENCH_WIRE_H_
#define ASTRAGAL_SERVICES_CLI_BENCH_WIRE_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "astragal/v1/game_service.pb.h"
#include "astragal/v1/player_service.pb.h"

namespace astragal::cli {

class BenchWire {
 public:
  template <typename Response>
  using Done = std::function<void(const absl::Status&, Response&)>;

  BenchWire(const std::string& server, int connections);
  ~BenchWire();
  BenchWire(const BenchWire&) = delete;
  BenchWire& operator=(const BenchWire&) = delete;

  // The standard health service: what the same server does for a call without work.
  void Empty(std::function<void(const absl::Status&)> done);

  // `key` may be empty for calls that need none. `line` chooses a connection.
  void Call(int line, const std::string& key, const v1::CreatePlayerRequest& request,
            Done<v1::CreatePlayerResponse> done);
  void Call(int line, const std::string& key, const v1::CreateGameRequest& request,
            Done<v1::CreateGameResponse> done);
  void Call(int line, const std::string& key, const v1::JoinGameRequest& request,
            Done<v1::JoinGameResponse> done);
  void Call(int line, const std::string& key, const v1::ListLegalActionsRequest& request,
            Done<v1::ListLegalActionsResponse> done);
  void Call(int line, const std::string& key, const v1::PlayActionsRequest& request,
            Done<v1::PlayActionsResponse> done);

  // A stream that goes on until it ends by itself or by Cancel.
  class Stream {
   public:
    virtual ~Stream() = default;
    virtual void Cancel() = 0;
  };
  // Messages come one after another; `ended` comes last.
  std::shared_ptr<Stream> Watch(int line, const v1::WatchGameRequest& request,
                                std::function<void(const v1::WatchGameResponse&)> take,
                                std::function<void(const absl::Status&)> ended);

 private:
  struct Line;
  struct Lines;
  Line& At(int line);
  const std::unique_ptr<Lines> lines_;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_BENCH_WIRE_H_
