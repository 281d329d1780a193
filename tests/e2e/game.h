// Playing games over the wire, and checking what was played from public answers alone.
#ifndef ASTRAGAL_TESTS_E2E_GAME_H_
#define ASTRAGAL_TESTS_E2E_GAME_H_

#include <atomic>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/e2e/client.h"

namespace astragal::e2e {

// Creates a game, `first` on seat 0 and `second` on seat 1. A failure is the test's.
std::string NewGame(const Client& first, const Client& second,
                    const std::string& ruleset = "long_narde");
v1::Game GetGame(const Client& client, const std::string& game_id);
// Without what is in no log: who is connected.
v1::Game LoggedPart(v1::Game game);
// The whole log, read in pages of `page_size`.
std::vector<v1::Event> ListEvents(const Client& client, const std::string& game_id,
                                  int page_size = 1'000);

// Plays legal actions by chance for the seats of one game, one action a call.
class Table {
 public:
  // How long a patient table repeats a call that finds no service or no database.
  static constexpr int64_t kPatienceMs = 60'000;

  // `seats`: who plays seat 0, 1, ... from a client each. Prints the seed.
  Table(std::string game_id, std::vector<const Client*> seats, uint32_t seed);

  // Repeats what failed with UNAVAILABLE, with the same request_id, as a good client does.
  void BePatient() { patient_ = true; }

  // Plays until the game is over or `actions` were played; false when a call failed.
  bool Play(int actions = 100'000);
  // One action of the seat to act.
  Answer<v1::PlayActionsResponse> PlayOne();

  const std::string& game_id() const { return game_id_; }
  bool over() const { return over_; }
  // Number of the last event that an answer told of. Any thread.
  uint32_t sequence() const { return sequence_; }
  int played() const { return played_; }
  // Every event that an answer told of.
  const std::vector<v1::Event>& ledger() const { return ledger_; }

 private:
  template <typename Stub, typename Request, typename Response>
  Answer<Response> Call(const Client& client,
                        grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                     Response*),
                        const Request& request) const;
  Answer<v1::ListLegalActionsResponse> ListActions() const;

  std::string game_id_;
  std::vector<const Client*> seats_;
  std::mt19937 random_;
  std::vector<v1::Event> ledger_;
  size_t next_ = 0;  // seat to act after the last answer
  std::atomic<uint32_t> sequence_ = 0;
  std::atomic<int> played_ = 0;
  bool patient_ = false;
  bool over_ = false;
};

// Recomputes the log's hash chain from the events by the layout that services/core/event.h
// documents; "" when all agree, else what differs.
std::string ChainProblem(const v1::Game& game, const v1::Ruleset& ruleset,
                         const std::vector<v1::Event>& events);
// Draws every throw again from the published secret; "" when all agree, the commitment too.
std::string DiceProblem(const v1::Game& game, const v1::Ruleset& ruleset,
                        const std::vector<v1::Event>& events);

// A message as one line of text, equal for equal messages (maps in order of their keys).
template <typename Message>
std::string TextOf(const Message& message) {
  return message.ShortDebugString();
}
template <typename Message>
std::vector<std::string> TextOf(const std::vector<Message>& messages) {
  std::vector<std::string> texts;
  for (const Message& message : messages) texts.push_back(message.ShortDebugString());
  return texts;
}

v1::Ruleset GetRuleset(const Client& client, const std::string& ruleset_id);

}  // namespace astragal::e2e

#endif  // ASTRAGAL_TESTS_E2E_GAME_H_
