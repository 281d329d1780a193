// Commits as core would make them, with made-up bytes where storage does not care.
#ifndef ASTRAGAL_TESTS_STORAGE_GAMES_FOR_TESTS_H_
#define ASTRAGAL_TESTS_STORAGE_GAMES_FOR_TESTS_H_

#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "services/base/ids.h"
#include "services/base/random.h"
#include "storage/game_store.h"

namespace astragal::tests {

// Deterministic randomness; its seed is the test's own.
class SeededRandom : public base::Random {
 public:
  explicit SeededRandom(uint64_t seed = 1) : engine_(seed) {}
  void Fill(std::span<uint8_t> out) override {
    for (uint8_t& byte : out) byte = static_cast<uint8_t>(engine_());
  }

 private:
  std::mt19937_64 engine_;
};

class GameMaker {
 public:
  explicit GameMaker(uint64_t seed = 1) : random_(seed) {}

  template <typename Id>
  Id NewId() {
    return Id::Make({++millis_ * 1'000}, random_);
  }
  base::RequestId NewRequest() {
    base::RequestId request;
    random_.Fill(request.bytes);
    return request;
  }
  base::Bytes32 NewHash() {
    base::Bytes32 hash;
    random_.Fill(hash);
    return hash;
  }

  storage::EventRecord Event(base::GameId game, uint32_t sequence,
                             std::optional<storage::RequestStamp> stamp = std::nullopt) {
    storage::EventRecord event;
    event.game = game;
    event.sequence = sequence;
    event.kind = sequence == 1 ? storage::EventKind::kCreated : storage::EventKind::kAction;
    event.seat = static_cast<int8_t>(sequence % 2);
    event.number = (int64_t{1} << 40) + sequence;
    event.detail = std::string("\0\"\\{},'detail", 14);
    event.at = {1'700'000'000'000'001 + sequence};
    event.position_hash = NewHash();
    event.chain_hash = NewHash();
    event.request = stamp;
    return event;
  }

  storage::RequestStamp Stamp(base::PlayerId player, base::RequestId request, uint16_t events) {
    return {player, request, NewHash(), events};
  }

  // A new game of two seats, the first taken by its creator.
  storage::GameCommit Create(base::PlayerId creator, base::RequestId request,
                             const std::string& ruleset = "long_narde") {
    storage::GameCommit commit;
    storage::GameFacts facts;
    facts.id = NewId<base::GameId>();
    facts.ruleset = ruleset;
    facts.rules_version = 3;
    facts.build = std::string(64, 'b');
    facts.options = {1, -2, int64_t{1} << 50};
    facts.seats = 2;
    facts.created_by = creator;
    facts.created_at = {1'700'000'000'123'456};
    facts.restore_epoch = 7;
    facts.commitment = NewHash();
    facts.sealed_secret = std::string("sealed\0secret", 13);
    commit.create = facts;
    commit.events = {Event(facts.id, 1, Stamp(creator, request, 2)), Event(facts.id, 2)};
    commit.head = Head(facts.id, commit.events.back(), storage::GameStatus::kOpen);
    commit.seats = {{0, creator, 0, 0}, {1, {}, 0, 0}};
    return commit;
  }
  storage::GameCommit Create() { return Create(NewId<base::PlayerId>(), NewRequest()); }

  // One more action on top of `expected`.
  storage::GameCommit Play(base::GameId game, uint32_t expected, base::PlayerId player,
                           base::RequestId request) {
    storage::GameCommit commit;
    commit.expected_sequence = expected;
    commit.events = {Event(game, expected + 1, Stamp(player, request, 1))};
    commit.head = Head(game, commit.events.back(), storage::GameStatus::kRunning);
    return commit;
  }
  storage::GameCommit Play(base::GameId game, uint32_t expected) {
    return Play(game, expected, NewId<base::PlayerId>(), NewRequest());
  }

 private:
  storage::GameHead Head(base::GameId game, const storage::EventRecord& last,
                         storage::GameStatus status) {
    storage::GameHead head;
    head.id = game;
    head.sequence = last.sequence;
    head.changed_sequence = last.sequence - 1;
    head.build = std::string(64, 'c');
    head.chain_hash = last.chain_hash;
    head.status = status;
    head.actor = last.seat;
    head.throws_drawn = last.sequence * 2;
    head.position = std::string("position\0\x01\xff", 11) + std::to_string(last.sequence);
    head.updated_at = last.at;
    return head;
  }

  SeededRandom random_;
  int64_t millis_ = 1'700'000'000'000;
};

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_STORAGE_GAMES_FOR_TESTS_H_
