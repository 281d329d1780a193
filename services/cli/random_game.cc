#include "services/cli/random_game.h"

#include <array>
#include <cstdio>
#include <utility>

#include "absl/time/clock.h"
#include "services/base/random.h"
#include "services/cli/call_status.h"
#include "services/cli/retry.h"

namespace astragal::cli {
namespace {

// Names are drawn apart from the seed: a second demo with the same one needs other players.
std::string DemoName() {
  std::array<uint8_t, 4> bytes{};
  base::SystemRandom().Fill(bytes);
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "demo-%02x%02x%02x%02x", bytes[0], bytes[1], bytes[2],
                bytes[3]);
  return text.data();
}

constexpr int kNameTries = 5;

// How often in a row one looks again at a game that a server knows as it was a moment ago: servers
// behind one address may be half a second apart.
constexpr int kLooks = 20;

}  // namespace

uint64_t PickBelow(std::mt19937_64& random, uint64_t bound) {
  // Numbers from here on would make the first remainders likelier.
  const uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
  uint64_t number = random();
  while (number >= limit) number = random();
  return number % bound;
}

absl::Status RandomGame::NewPlayer() {
  absl::Status status;
  for (int tries = 0; tries < kNameTries; ++tries) {
    v1::CreatePlayerRequest request;
    request.set_name(DemoName());
    request.set_bot(true);
    auto created = context_.Anonymous().Call(request);
    // A taken name, or a key that was lost with its answer: another player will do.
    if (created.ok() && !created->api_key().empty()) {
      players_.push_back(context_.WithKey(created->api_key()));
      return absl::OkStatus();
    }
    status = created.ok() ? absl::DataLossError("The keys of the demo players got lost.")
                          : created.status();
    if (!created.ok() && ReasonWordOf(status) != "ALREADY_EXISTS") break;
  }
  return status;
}

absl::StatusOr<v1::Game> RandomGame::Create() {
  if (players_.empty()) {
    if (absl::Status created = NewPlayer(); !created.ok()) return created;
  }
  v1::CreateGameRequest request;
  request.set_ruleset_id(options_.ruleset);
  request.set_preset(options_.preset);
  request.set_seat(0);
  *request.mutable_options() = options_.options;
  auto created = players_.front()->Call(request);
  if (!created.ok()) return created.status();
  return std::move(*created->mutable_game());
}

absl::StatusOr<v1::Game> RandomGame::Seat(v1::Game game) {
  for (int seat = 1; seat < game.seats_size(); ++seat) {
    if (players_.size() <= static_cast<size_t>(seat)) {
      if (absl::Status created = NewPlayer(); !created.ok()) return created;
    }
    v1::JoinGameRequest request;
    request.set_game_id(game.game_id());
    request.set_seat(seat);
    auto joined = players_[static_cast<size_t>(seat)]->Call(request);
    if (!joined.ok()) return joined.status();
    game = std::move(*joined->mutable_game());
  }
  return game;
}

absl::Status RandomGame::PlayOne(const v1::ListLegalActionsResponse& legal, Outcome& outcome) {
  const int seat = legal.position().actor();
  if (seat < 0 || static_cast<size_t>(seat) >= players_.size() || legal.actions().empty()) {
    return absl::InternalError("The game waits, but for nobody who can act: actor " +
                               std::to_string(seat) + ", " + std::to_string(legal.actions_size()) +
                               " legal actions.");
  }
  const uint64_t pick = PickBelow(random_, static_cast<uint64_t>(legal.actions_size()));
  v1::PlayActionsRequest request;
  request.set_game_id(outcome.game.game_id());
  request.set_expected_sequence(legal.sequence());
  request.add_actions()->set_action(legal.actions(static_cast<int>(pick)).action());
  auto played = players_[static_cast<size_t>(seat)]->Call(request);
  if (!played.ok()) return played.status();
  ++outcome.actions;
  outcome.sequence = played->sequence();
  outcome.game.set_status(played->status());
  outcome.position = std::move(*played->mutable_position());
  return absl::OkStatus();
}

absl::Status RandomGame::PlayOut(Outcome& outcome) {
  v1::ListLegalActionsRequest request;
  request.set_game_id(outcome.game.game_id());
  base::SystemRandom jitter;
  Backoff backoff(jitter);
  int looks = 0;
  while (outcome.game.status() == v1::GAME_STATUS_RUNNING) {
    if (outcome.actions >= kMaxActions) {
      return absl::InternalError("The game has not ended after " + std::to_string(kMaxActions) +
                                 " actions.");
    }
    const auto legal = context_.Anonymous().Call(request);
    if (!legal.ok()) return legal.status();
    const bool behind = legal->sequence() < outcome.sequence;
    const absl::Status played = behind ? absl::OkStatus() : PlayOne(*legal, outcome);
    if (behind || ReasonWordOf(played) == "STALE_SEQUENCE") {
      if (++looks == kLooks) {
        return absl::UnavailableError("The server knows only what the game was long ago.");
      }
      absl::SleepFor(backoff.Next(played));
      continue;
    }
    if (!played.ok()) return played;
    looks = 0;
    backoff.Reset();
  }
  return absl::OkStatus();
}

absl::Status RandomGame::LookAtTheEnd(Outcome& outcome) {
  v1::GetGameRequest request;
  request.set_game_id(outcome.game.game_id());
  base::SystemRandom jitter;
  Backoff backoff(jitter);
  for (int looks = 0; looks < kLooks; ++looks) {
    auto finished = context_.Anonymous().Call(request);
    if (!finished.ok()) return finished.status();
    outcome.game = std::move(*finished->mutable_game());
    if (outcome.game.status() == v1::GAME_STATUS_FINISHED) return absl::OkStatus();
    absl::SleepFor(backoff.Next(absl::OkStatus()));
  }
  return absl::InternalError("Nobody is to act any more, but the game is not finished.");
}

absl::StatusOr<RandomGame::Outcome> RandomGame::Play() {
  absl::StatusOr<v1::Game> game = Create();
  if (game.ok()) game = Seat(*std::move(game));
  if (!game.ok()) return game.status();
  Outcome outcome;
  outcome.game = *std::move(game);
  if (absl::Status played = PlayOut(outcome); !played.ok()) return played;
  if (absl::Status looked = LookAtTheEnd(outcome); !looked.ok()) return looked;
  return outcome;
}

}  // namespace astragal::cli
