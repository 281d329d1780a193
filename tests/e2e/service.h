// A real astragald for the tests: the program as it is installed, in a folder of its own, with its
// private PostgreSQL, and the means to hurt both.
#ifndef ASTRAGAL_TESTS_E2E_SERVICE_H_
#define ASTRAGAL_TESTS_E2E_SERVICE_H_

#include <grpcpp/grpcpp.h>
#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/support/test_folder.h"

namespace astragal::e2e {

// Owns the process, its folder and the PostgreSQL below it; all end with it, and with this program
// however that ends. The address stays the same across restarts, so that clients find it again.
// Used by the main thread.
class Service {
 public:
  // How long a start may take, the first one with its initdb included.
  static constexpr int kStartTimeoutMs = 60'000;

  // `database_url` empty: a private PostgreSQL. `key_file`: a copy of it is this service's key.
  explicit Service(std::string database_url = "", const std::string& key_file = "");
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // Starts it and waits until it says that it serves. Ends the program with its log if it does not.
  void Start();
  // SIGTERM; waits and gives the exit code, 128 and the signal's number if a signal ended it, or -1
  // after `timeout_ms`.
  int Terminate(int timeout_ms = 30'000);
  // SIGKILL, to the service alone.
  void Kill();
  bool running() const { return pid_ != 0; }
  pid_t pid() const { return pid_; }

  // Kills every process of the private PostgreSQL at one moment, and waits until all are gone. With
  // `for_good` nobody can start it again, until BringDatabaseBack.
  void KillDatabase(bool for_good = false);
  void BringDatabaseBack() const;

  std::string data_dir() const { return folder_.path() + "/data"; }
  std::string key_file() const { return data_dir() + "/secrets.key"; }
  std::string log_file() const { return folder_.path() + "/astragald.log"; }
  std::string log() const;
  // How to reach its private database; whoever connects must be root or its owner.
  std::string database_url() const;
  const std::string& address() const { return address_; }
  // A connection of its own.
  std::shared_ptr<grpc::Channel> Connect() const;

 private:
  std::string cluster() const { return data_dir() + "/database/cluster"; }
  std::vector<std::string> Arguments() const;
  int Await(int timeout_ms);

  tests::TestFolder folder_;
  std::string database_url_;
  std::string address_;
  pid_t pid_ = 0;
};

// The one that most tests share, running.
Service& SharedService();

// What the health service says of `service` ("" for the whole server): the number of its status,
// or -1 if it does not answer.
int Health(const std::shared_ptr<grpc::Channel>& channel, const std::string& service);

}  // namespace astragal::e2e

#endif  // ASTRAGAL_TESTS_E2E_SERVICE_H_
