// The object graph of astragald: everything is made here, once, in order, and ends in reverse.
#ifndef ASTRAGAL_SERVICES_SERVER_SERVER_H_
#define ASTRAGAL_SERVICES_SERVER_SERVER_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/server/options.h"

namespace astragal::server {

// Owns the database (private or not), the rulesets, core, all services and the listening port.
// Start and Stop are called by one thread.
//
// Stop drains: calls under way are finished, streams are ended, then the scheduler and the database
// stop. From its start on new calls are refused with DRAINING, and they still are when it is done:
// the port closes with the Server, or with the process. While gRPC shuts down it cancels calls that
// arrive, which a client cannot tell from its own cancelling; so a program should rather end.
class Server {
 public:
  // How long calls under way may take to end, and then streams: a client that does not read keeps
  // its own from ending.
  static constexpr int kDrainMs = 5'000;
  static constexpr int kDrainStreamsMs = 1'000;

  // A failure is a sentence for the operator and leaves nothing running.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const Options& options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void Stop();

 private:
  struct Parts;

  explicit Server(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace astragal::server

#endif  // ASTRAGAL_SERVICES_SERVER_SERVER_H_
