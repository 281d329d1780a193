// Plays whole games of every ruleset that a server lists, by chance, knowing no rules.
//
//     client_cpp [HOST:PORT [SEED]]
//
// It is meant to be copied: put something better in place of `Choose`, and it is a player. On
// purpose it also hangs up in the middle of games and throws answers away, and checks that it
// missed nothing. The README above it explains every step. Everything it includes is generated from
// the protos, gRPC's or C++'s own.
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "astragal/v1/game_service.grpc.pb.h"
#include "astragal/v1/player_service.grpc.pb.h"
#include "astragal/v1/ruleset_service.grpc.pb.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace {

namespace v1 = astragal::v1;
using std::chrono::milliseconds;
using Games = v1::GameService::Stub;
using Players = v1::PlayerService::Stub;
using Rulesets = v1::RulesetService::Stub;
using Clock = std::chrono::steady_clock;
using Options = std::map<std::string, std::string>;

constexpr milliseconds kCallDeadline(5'000);     // of one attempt
constexpr milliseconds kStreamDeadline(60'000);  // a stream that died silently is noticed by then
constexpr milliseconds kPatience(60'000);        // how long attempts are repeated
constexpr int kHangUpEvery = 150;                // events, on average; a real client does not
constexpr int kLoseAnswerEvery = 40;             // actions, on average; nor this

// Why a call failed. A connection that was lost has a code, but no reason word.
struct Problem {
  explicit Problem(const grpc::Status& status) {
    google::rpc::Status details;
    details.ParseFromString(status.error_details());
    for (const google::protobuf::Any& detail : details.details()) {
      google::rpc::ErrorInfo info;
      google::rpc::RetryInfo retry;
      if (detail.UnpackTo(&info)) reason = info.reason();
      if (detail.UnpackTo(&retry)) {
        wait = milliseconds(retry.retry_delay().seconds() * 1'000 +
                            retry.retry_delay().nanos() / 1'000'000);
      }
    }
    // The same again, later, may go well.
    transient = status.error_code() == grpc::StatusCode::UNAVAILABLE ||
                status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED || wait ||
                reason == "WATCHER_TOO_SLOW";
    // Somebody was faster, or the game went on: ask again what can be played.
    look_again = reason == "STALE_SEQUENCE" || reason == "NOT_YOUR_TURN" || reason == "GAME_OVER";
  }

  std::string reason;
  std::optional<milliseconds> wait;
  bool transient = false;
  bool look_again = false;
};

struct CallFailed : std::runtime_error {
  explicit CallFailed(const grpc::Status& status)
      : std::runtime_error(status.error_message()), problem(status) {}
  Problem problem;
};

// A UUID that nobody used before.
std::string NewRequestId() {
  std::random_device device;
  char text[37];
  const auto word = [&device] { return device() & 0xffff; };
  std::snprintf(text, sizeof text, "%04x%04x-%04x-4%03x-%04x-%04x%04x%04x", word(), word(), word(),
                word() & 0xfff, (word() & 0x3fff) | 0x8000, word(), word(), word());
  return text;
}

// A connection of its own and, with a key, a player's identity.
class Connection {
 public:
  explicit Connection(std::string address, std::string key = "")
      : address_(std::move(address)), key_(std::move(key)) {
    Open();
  }

  // Anew; calls under way on the old one must have ended or been cancelled.
  void Open() {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // keeps channels of a process apart
    // Finds a server that was restarted soon; the default waits a second, then ever longer.
    arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
    arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 100);
    arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 2'000);
    const auto channel =
        grpc::CreateCustomChannel(address_, grpc::InsecureChannelCredentials(), arguments);
    stubs_ = {v1::GameService::NewStub(channel), v1::PlayerService::NewStub(channel),
              v1::RulesetService::NewStub(channel)};
  }

  // What every call is sent with.
  void Prepare(grpc::ClientContext& context, milliseconds deadline) const {
    context.set_deadline(std::chrono::system_clock::now() + deadline);
    if (!key_.empty()) context.AddMetadata("authorization", "Bearer " + key_);
  }

  // One call, repeated while that can help. A mutation is repeated with the request_id it has, so
  // that it happens once however often it is sent. Throws CallFailed.
  template <typename Stub, typename Request, typename Answer>
  Answer Call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Answer*),
              const Request& request) {
    const auto give_up = Clock::now() + kPatience;
    for (milliseconds pause(50);; pause = std::min(2 * pause, milliseconds(2'000))) {
      grpc::ClientContext context;
      Prepare(context, kCallDeadline);
      Answer answer;
      const grpc::Status status = (stub<Stub>().*method)(&context, request, &answer);
      if (status.ok()) return answer;
      CallFailed failed(status);
      if (!failed.problem.transient || Clock::now() > give_up) throw failed;
      std::this_thread::sleep_for(failed.problem.wait.value_or(pause));
    }
  }

  template <typename Stub>
  Stub& stub() {
    return *std::get<std::unique_ptr<Stub>>(stubs_);
  }

 private:
  std::string address_;
  std::string key_;
  std::tuple<std::unique_ptr<Games>, std::unique_ptr<Players>, std::unique_ptr<Rulesets>> stubs_;
};

// A player at a table: follows the game and acts when it is its turn.
class Seat {
 public:
  Seat(const std::string& address, const std::string& key, std::string game_id, int number,
       const std::string& seed)
      : connection(address, key), game_id_(std::move(game_id)), number_(number) {
    std::seed_seq numbers(seed.begin(), seed.end());
    random_.seed(numbers);
  }

  void Play() {
    while (!Follow()) ++resumes;
  }

  Connection connection;
  std::vector<v1::Event> log;       // every event, once
  std::vector<v1::Event> answered;  // every event that an answer told of
  size_t resumes = 0, gaps = 0, repeats = 0, answers_lost = 0, wrong = 0;

 private:
  // Watches from the last event it has; true when the game is over, false to resume.
  bool Follow() {
    grpc::ClientContext context;
    connection.Prepare(context, kStreamDeadline);
    v1::WatchGameRequest request;
    request.set_game_id(game_id_);
    request.set_after_sequence(sequence_);
    const auto stream = connection.stub<Games>().WatchGame(&context, request);
    v1::WatchGameResponse message;
    bool hangs_up = false;
    while (!hangs_up && stream->Read(&message)) {
      heard_ = Clock::now();
      if (message.has_snapshot()) {  // the game as it stood at after_sequence
        gaps += message.snapshot().game().sequence() != sequence_;
      } else if (message.has_event()) {
        Take(message.event());
      }
      if (sequence_ > asked_at_) Act();
      hangs_up = message.has_event() && OnceIn(kHangUpEvery);
    }
    if (hangs_up) context.TryCancel();
    const grpc::Status end = stream->Finish();
    if (hangs_up && OnceIn(2)) connection.Open();
    if (hangs_up || end.ok()) return !hangs_up;
    const CallFailed failed(end);
    if (!failed.problem.transient || Clock::now() > heard_ + kPatience) throw failed;
    std::this_thread::sleep_for(failed.problem.wait.value_or(milliseconds(100)));
    return false;
  }

  void Take(const v1::Event& event) {
    if (event.sequence() <= sequence_) {
      ++repeats;
      return;
    }
    gaps += event.sequence() - sequence_ - 1;
    sequence_ = event.sequence();
    log.push_back(event);
  }

  // Plays as long as it is this seat's turn.
  void Act() {
    v1::ListLegalActionsRequest list;
    list.set_game_id(game_id_);
    for (bool my_turn = true; my_turn;) {
      const auto legal = connection.Call(&Games::ListLegalActions, list);
      asked_at_ = legal.sequence();
      if (legal.position().actor() != number_ || legal.actions().empty()) return;
      v1::PlayActionsRequest play;
      play.set_request_id(NewRequestId());
      play.set_game_id(game_id_);
      play.set_expected_sequence(legal.sequence());
      play.add_actions()->set_action(Choose(legal).action());
      if (OnceIn(kLoseAnswerEvery)) SendAndForget(play);
      try {
        const auto answer = connection.Call(&Games::PlayActions, play);
        answered.insert(answered.end(), answer.events().begin(), answer.events().end());
        asked_at_ = answer.sequence();
        my_turn = answer.position().actor() == number_;
      } catch (const CallFailed& failed) {
        if (!failed.problem.look_again) throw;
      }
    }
  }

  // Any choice will do; the actions have notations and effects for those who look.
  const v1::Action& Choose(const v1::ListLegalActionsResponse& legal) {
    return legal.actions(std::uniform_int_distribution(0, legal.actions_size() - 1)(random_));
  }

  // Sends an action and does not wait for the answer, as when the connection is lost.
  void SendAndForget(const v1::PlayActionsRequest& request) {
    grpc::ClientContext context;
    connection.Prepare(context, kCallDeadline);
    std::promise<void> ended;
    v1::PlayActionsResponse answer;
    connection.stub<Games>().async()->PlayActions(
        &context, &request, &answer, [&ended](const grpc::Status&) { ended.set_value(); });
    std::this_thread::sleep_for(
        std::chrono::microseconds(std::uniform_int_distribution(0, 3'000)(random_)));
    context.TryCancel();
    ended.get_future().wait();
    ++answers_lost;
  }

  bool OnceIn(int times) { return std::uniform_int_distribution(1, times)(random_) == 1; }

  std::string game_id_;
  int number_;
  std::mt19937 random_;
  uint32_t sequence_ = 0;                   // of the last event it got
  uint32_t asked_at_ = 0;                   // it knows whose turn it was at this sequence
  Clock::time_point heard_ = Clock::now();  // from the server, on the stream
};

// The key of a new player.
std::string CreatePlayer(Connection& connection) {
  while (true) {
    v1::CreatePlayerRequest request;
    request.set_request_id(NewRequestId());
    request.set_name("cpp " + NewRequestId().substr(0, 13));
    request.set_bot(true);
    const auto answer = connection.Call(&Players::CreatePlayer, request);
    // A key is shown once. If that answer was lost on the way, make another player.
    if (!answer.secret_already_shown()) return answer.api_key();
  }
}

std::vector<v1::Ruleset> ListRulesets(Connection& connection) {
  std::vector<v1::Ruleset> rulesets;
  v1::ListRulesetsRequest request;
  do {
    const auto page = connection.Call(&Rulesets::ListRulesets, request);
    rulesets.insert(rulesets.end(), page.rulesets().begin(), page.rulesets().end());
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  return rulesets;
}

// Options for each number of seats that the ruleset offers.
std::vector<Options> SeatChoices(const v1::Ruleset& ruleset) {
  std::vector<Options> choices;
  for (const v1::RulesetOption& option : ruleset.options()) {
    if (!option.is_seats()) continue;
    for (const std::string& choice : option.choices()) choices.push_back({{option.name(), choice}});
    if (!option.choices().empty()) continue;
    for (int64_t number = option.minimum(); number <= option.maximum(); ++number) {
      choices.push_back({{option.name(), std::to_string(number)}});
    }
  }
  return choices.empty() ? std::vector<Options>{{}} : choices;
}

using Table = std::vector<std::unique_ptr<Seat>>;

std::vector<std::string> HashesOfActions(const std::vector<v1::Event>& events) {
  std::vector<std::string> hashes;
  for (const v1::Event& event : events) {
    if (event.has_action()) hashes.push_back(event.log_hash());
  }
  return hashes;
}

// All saw the same log to its end, and what was acknowledged stands in it once.
void Check(const Table& seats, const v1::Game& game) {
  std::vector<std::string> written = HashesOfActions(seats[0]->log);
  std::vector<std::string> answered;
  for (const auto& seat : seats) {
    for (std::string& hash : HashesOfActions(seat->answered)) answered.push_back(std::move(hash));
    const v1::Event& last = seat->log.back();
    seat->wrong += !last.has_finished() || last.log_hash() != game.log_hash();
  }
  std::sort(written.begin(), written.end());
  std::sort(answered.begin(), answered.end());
  seats[0]->wrong += written != answered;
}

// A whole game, a seat for each key that it has room for.
Table PlayGame(const std::string& address, const std::vector<std::string>& keys,
               const std::string& seed, const v1::Ruleset& ruleset, const Options& options) {
  Connection creator(address, keys[0]);
  v1::CreateGameRequest create;
  create.set_request_id(NewRequestId());
  create.set_ruleset_id(ruleset.ruleset_id());
  create.set_rules_version(ruleset.rules_version());
  create.mutable_options()->insert(options.begin(), options.end());
  create.set_seat(0);
  const v1::Game game = creator.Call(&Games::CreateGame, create).game();

  Table seats;
  for (const v1::Seat& one : game.seats()) {
    const int number = one.seat();
    seats.push_back(std::make_unique<Seat>(
        address, keys.at(static_cast<size_t>(number)), game.game_id(), number,
        seed + " " + ruleset.ruleset_id() + " " + std::to_string(game.seats_size() * 10 + number)));
    if (number == 0) continue;
    v1::JoinGameRequest join;
    join.set_request_id(NewRequestId());
    join.set_game_id(game.game_id());
    join.set_seat(number);
    seats.back()->connection.Call(&Games::JoinGame, join);
  }
  std::vector<std::future<void>> playing;
  for (const auto& seat : seats) {
    playing.push_back(std::async(std::launch::async, [&seat] { seat->Play(); }));
  }
  for (std::future<void>& one : playing) one.get();

  v1::GetGameRequest get;
  get.set_game_id(game.game_id());
  Check(seats, creator.Call(&Games::GetGame, get).game());
  return seats;
}

int Run(const std::string& address, const std::string& seed) {
  std::cout << "client-cpp: seed " << seed << std::endl;
  Connection connection(address);
  const std::vector<v1::Ruleset> rulesets = ListRulesets(connection);
  uint32_t most_seats = 0;
  for (const v1::Ruleset& one : rulesets) most_seats = std::max(most_seats, one.max_seats());
  std::vector<std::string> keys;
  while (keys.size() < most_seats) keys.push_back(CreatePlayer(connection));

  std::vector<std::future<Table>> games;  // all at once
  for (const v1::Ruleset& ruleset : rulesets) {
    for (const Options& options : SeatChoices(ruleset)) {
      games.push_back(std::async(std::launch::async, [&address, &keys, &seed, &ruleset, options] {
        return PlayGame(address, keys, seed, ruleset, options);
      }));
    }
  }
  size_t events = 0, resumes = 0, gaps = 0, repeats = 0, answers_lost = 0, wrong = 0;
  for (std::future<Table>& game : games) {
    for (const std::unique_ptr<Seat>& seat : game.get()) {
      events += seat->log.size();
      resumes += seat->resumes;
      gaps += seat->gaps;
      repeats += seat->repeats;
      answers_lost += seat->answers_lost;
      wrong += seat->wrong;
    }
  }
  std::cout << "client-cpp: " << games.size() << " games, " << events << " events, " << resumes
            << " resumes, " << gaps << " gaps, " << repeats << " repeats, " << answers_lost
            << " answers lost, " << wrong << " wrong" << std::endl;
  return gaps || repeats || wrong ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Run(argc > 1 ? argv[1] : "127.0.0.1:7420", argc > 2 ? argv[2] : "1");
  } catch (const std::exception& error) {
    std::cerr << "client-cpp: " << error.what() << std::endl;
    return 1;
  }
}
