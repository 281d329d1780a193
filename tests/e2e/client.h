// Clients made from the public protos and nothing else, as a stranger would make them.
#ifndef ASTRAGAL_TESTS_E2E_CLIENT_H_
#define ASTRAGAL_TESTS_E2E_CLIENT_H_

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "astragal/v1/auth_service.grpc.pb.h"
#include "astragal/v1/event_service.grpc.pb.h"
#include "astragal/v1/game_service.grpc.pb.h"
#include "astragal/v1/history_service.grpc.pb.h"
#include "astragal/v1/lobby_service.grpc.pb.h"
#include "astragal/v1/match_service.grpc.pb.h"
#include "astragal/v1/player_service.grpc.pb.h"
#include "astragal/v1/ruleset_service.grpc.pb.h"
#include "tests/e2e/service.h"

namespace astragal::e2e {

using Auth = v1::AuthService::Stub;
using Events = v1::EventService::Stub;
using Game = v1::GameService::Stub;
using History = v1::HistoryService::Stub;
using Lobby = v1::LobbyService::Stub;
using Match = v1::MatchService::Stub;
using Player = v1::PlayerService::Stub;
using Ruleset = v1::RulesetService::Stub;

// An error as a client's program reads it.
struct Problem {
  grpc::StatusCode code = grpc::OK;
  std::string message;
  int error_infos = 0;
  std::string reason;
  std::string domain;
  std::map<std::string, std::string> metadata;
  std::vector<std::string> bad_fields;     // of BadRequest
  std::optional<int64_t> retry_after_ms;   // of RetryInfo
  std::vector<std::string> preconditions;  // types of PreconditionFailure
  int quotas = 0;                          // violations of QuotaFailure
};
Problem ProblemOf(const grpc::Status& status);

template <typename Response>
struct Answer {
  grpc::Status status;
  Response message;

  bool ok() const { return status.ok(); }
  const Response* operator->() const { return &message; }
  const Response& operator*() const { return message; }
};

// A UUID nobody used before; the numbers come from the system, not from a seed.
std::string NewRequestId();

// One caller with one connection. Thread-safe but for the setters.
class Client {
 public:
  static constexpr int64_t kDeadlineMs = 20'000;

  explicit Client(std::shared_ptr<grpc::Channel> channel, std::string token = "");

  template <typename Stub, typename Request, typename Response>
  Answer<Response> Call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                     Response*),
                        const Request& request) const {
    Answer<Response> answer;
    grpc::ClientContext context;
    Prepare(context);
    answer.status = (std::get<std::unique_ptr<Stub>>(stubs_).get()->*method)(&context, request,
                                                                             &answer.message);
    return answer;
  }
  template <typename Stub>
  Stub& stub() const {
    return *std::get<std::unique_ptr<Stub>>(stubs_);
  }
  // Sets credentials and, unless it is 0, the deadline.
  void Prepare(grpc::ClientContext& context) const;

  void set_token(std::string token) { token_ = std::move(token); }
  void set_deadline_ms(int64_t deadline_ms) { deadline_ms_ = deadline_ms; }
  const std::string& token() const { return token_; }
  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }

 private:
  std::shared_ptr<grpc::Channel> channel_;
  std::string token_;
  int64_t deadline_ms_ = kDeadlineMs;
  std::tuple<std::unique_ptr<Auth>, std::unique_ptr<Events>, std::unique_ptr<Game>,
             std::unique_ptr<History>, std::unique_ptr<Lobby>, std::unique_ptr<Match>,
             std::unique_ptr<Player>, std::unique_ptr<Ruleset>>
      stubs_;
};

// A player with its first key.
struct Person {
  Client client;
  std::string id;
  std::string name;
};
// Creates a player named `name` and something that makes it unique.
Person NewPerson(const Service& service, const std::string& name);
// The same player by way of another service on the same database.
Client ThroughOther(const Service& service, const Person& person);

// A WatchGame call and everything it got so far. Reads in a thread of its own.
class Watcher {
 public:
  Watcher(const Client& client, const std::string& game_id, std::optional<uint32_t> after = {});
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // Waits until event number `sequence` (or a later one) came; false after 20 s or at the end.
  bool AwaitEvent(uint32_t sequence);
  bool AwaitSnapshot();
  // Waits until the stream ended, at most 20 s; nullopt if it goes on.
  std::optional<grpc::Status> AwaitEnd(int64_t timeout_ms = 20'000);
  void Cancel() { context_.TryCancel(); }

  std::optional<v1::GameSnapshot> snapshot() const;
  std::vector<v1::Event> events() const;
  int heartbeats() const;
  // The receipts that came with the messages, in order.
  std::vector<v1::Receipt> receipts() const;
  // Waits until a heartbeat brought a ping; the last one.
  bool AwaitPing();
  std::string ping() const;
  // Waits until these seats are connected, as far as the stream has said.
  bool AwaitConnected(const std::vector<int>& seats);
  // What was no message of a well-behaved stream; empty if all was well.
  std::string disorder() const;

 private:
  void Run();
  void Take(v1::WatchGameResponse message);

  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::WatchGameResponse>> reader_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<v1::GameSnapshot> snapshot_;
  std::vector<v1::Event> events_;
  int heartbeats_ = 0;
  std::vector<v1::Receipt> receipts_;
  std::string ping_;
  std::vector<int> connected_;
  std::string disorder_;
  std::optional<grpc::Status> end_;
  std::thread thread_;
};

}  // namespace astragal::e2e

#endif  // ASTRAGAL_TESTS_E2E_CLIENT_H_
