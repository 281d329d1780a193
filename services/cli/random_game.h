// A whole game over the wire, played by players who choose at random among the legal actions. It
// knows no rules: who acts and what can be played is what the server says.
#ifndef ASTRAGAL_SERVICES_CLI_RANDOM_GAME_H_
#define ASTRAGAL_SERVICES_CLI_RANDOM_GAME_H_

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/cli/client.h"
#include "services/cli/context.h"

namespace astragal::cli {

// One number below `bound` (at least 1), each as likely as the other; the same on every machine.
uint64_t PickBelow(std::mt19937_64& random, uint64_t bound);

class RandomGame {
 public:
  // More actions than this mean that the game does not end.
  static constexpr int kMaxActions = 100'000;

  struct Options {
    std::string ruleset;
    std::string preset;
    google::protobuf::Map<std::string, std::string> options;
  };
  struct Outcome {
    v1::Game game;          // finished
    v1::Position position;  // at its end
    int actions = 0;
    uint32_t sequence = 0;  // of the last action's last event
  };

  RandomGame(Context& context, Options options, std::mt19937_64& random)
      : context_(context), options_(std::move(options)), random_(random) {}

  // Creates players while seats are free, then plays. Players of earlier games play again.
  absl::StatusOr<Outcome> Play();

 private:
  absl::Status NewPlayer();
  absl::StatusOr<v1::Game> Create();
  absl::StatusOr<v1::Game> Seat(v1::Game game);
  // Plays until nobody is to act.
  absl::Status PlayOut(Outcome& outcome);
  absl::Status LookAtTheEnd(Outcome& outcome);
  absl::Status PlayOne(const v1::ListLegalActionsResponse& legal, Outcome& outcome);

  Context& context_;
  const Options options_;
  std::mt19937_64& random_;
  std::vector<std::unique_ptr<Client>> players_;  // by seat
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_RANDOM_GAME_H_
