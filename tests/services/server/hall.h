// A server in the test's own process with people of every kind before its door: whom the tests of
// rights, limits and moderation let call.
#ifndef ASTRAGAL_TESTS_SERVICES_SERVER_HALL_H_
#define ASTRAGAL_TESTS_SERVICES_SERVER_HALL_H_

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <grpcpp/grpcpp.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "services/core/rights.h"
#include "services/server/server.h"
#include "tests/support/test_database.h"
#include "tests/support/test_folder.h"

namespace astragal::server {

using Headers = std::map<std::string, std::string>;

// How a call ended.
struct Outcome {
  grpc::StatusCode code = grpc::OK;
  std::string reason{};                          // of ErrorInfo
  std::map<std::string, std::string> details{};  // of ErrorInfo
  int64_t retry_after_ms = -1;                   // of RetryInfo
  int quotas = 0;                                // violations of QuotaFailure
  std::string message{};
  std::string trace{};  // of the trailing metadata

  bool ok() const { return code == grpc::OK; }
};

// What a client sees of it; the trace is not of the status.
Outcome OutcomeOf(const grpc::Status& status);

// Owns the server, its database and its folder. Call may be called by any thread; a failure of the
// rest is the test's.
class Hall {
 public:
  // `options`: what is not set here (address, folders, database) is the caller's.
  explicit Hall(Options options = {});
  // Another server on the same database.
  Hall(const Hall& first, Options options);

  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }
  // A connection of its own.
  std::shared_ptr<grpc::Channel> Connect() const;
  const std::string& address() const { return options_.listen; }
  const std::string& database_url() const { return options_.database_url; }
  std::string operator_key() const;
  const tests::TestDatabase& database() const { return *database_; }

  // Calls a method of package astragal.v1, a stream until its first message. `response` may be
  // null.
  Outcome Call(const google::protobuf::MethodDescriptor& method, const std::string& token,
               const google::protobuf::Message& request,
               google::protobuf::Message* response = nullptr, const Headers& headers = {}) const;
  // The method whose request this is.
  template <typename Response>
  Outcome Call(const std::string& method, const std::string& token,
               const google::protobuf::Message& request, Response* response,
               const Headers& headers = {}) const {
    return Call(*Method(method), token, request, response, headers);
  }
  Outcome Call(const std::string& method, const std::string& token,
               const google::protobuf::Message& request, const Headers& headers = {}) const {
    return Call(*Method(method), token, request, nullptr, headers);
  }
  static const google::protobuf::MethodDescriptor* Method(const std::string& name);

  struct Person {
    std::string id;
    std::string key;  // the first one
  };
  Person NewPlayer(const std::string& name) const;
  // Another key of a player, made by the operator.
  std::string NewKey(const Person& person, core::Scopes scopes) const;
  // A running game of both; its id.
  std::string NewGame(const Person& red, const Person& blue) const;

  // A hash over every row of the database but those that servers write by themselves.
  std::string StateHash() const;

 private:
  void Start();

  tests::TestFolder folder_;
  std::unique_ptr<tests::TestDatabase> database_;
  Options options_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<Server> server_;
};

std::string NewRequestId();

}  // namespace astragal::server

#endif  // ASTRAGAL_TESTS_SERVICES_SERVER_HALL_H_
