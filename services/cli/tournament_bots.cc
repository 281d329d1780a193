#include "services/cli/tournament_bots.h"

#include <functional>
#include <utility>

#include "absl/time/clock.h"
#include "services/cli/call_status.h"
#include "services/cli/contribution.h"
#include "services/cli/seats.h"

namespace astragal::cli {
namespace {

constexpr absl::Duration kLook = absl::Milliseconds(30);

// Somebody else was faster, or the game has ended: look again.
bool MovedOn(const absl::Status& status) {
  return absl::IsAborted(status) || absl::IsFailedPrecondition(status);
}

}  // namespace

TournamentBots::~TournamentBots() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

absl::Status TournamentBots::Create(int players) {
  auto ruleset = OpenLocal(options_.local);
  if (!ruleset.ok()) return ruleset.status();
  ruleset_ = *std::move(ruleset);
  for (int i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { Work(); });
  // Names are drawn: a second demo needs other players.
  base::SystemRandom random;
  const std::string prefix = "demo-" + NewRequestId(random).substr(0, 8) + "-";
  players_.resize(static_cast<size_t>(players));
  for (size_t i = 0; i < players_.size(); ++i) {
    Post([this, i, name = prefix + std::to_string(i)]() -> absl::Status {
      v1::CreatePlayerRequest request;
      request.set_name(name);
      request.set_bot(true);
      const auto created = anyone_.Call(request);
      if (!created.ok()) return created.status();
      if (created->api_key().empty()) return absl::DataLossError("The key of a player got lost.");
      players_[i] = {created->player().player_id(), context_.WithKey(created->api_key())};
      return absl::OkStatus();
    });
  }
  if (absl::Status created = ForEach(nullptr); !created.ok()) return created;
  for (const Player& player : players_) by_id_.emplace(player.id, player.client.get());
  return absl::OkStatus();
}

absl::Status TournamentBots::ForEach(const std::function<absl::Status(Client&)>& work) {
  if (work != nullptr) {
    for (Player& player : players_) {
      Post([&work, client = player.client.get()] { return work(*client); });
    }
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return running_ == 0 && (jobs_.empty() || !status_.ok()); });
  return status_;
}

Client* TournamentBots::Find(const std::string& player_id) {
  const auto found = by_id_.find(player_id);
  return found == by_id_.end() ? nullptr : found->second;
}

void TournamentBots::Play(const std::string& match_id) {
  if (match_id.empty() || !known_.insert(match_id).second) return;
  Post([this, match_id] { return PlayMatch(match_id); });
}

absl::Status TournamentBots::status() {
  const std::lock_guard lock(mutex_);
  return status_;
}

int64_t TournamentBots::games() {
  const std::lock_guard lock(mutex_);
  return games_;
}

int64_t TournamentBots::turns() {
  const std::lock_guard lock(mutex_);
  return turns_;
}

void TournamentBots::Post(std::function<absl::Status()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
}

void TournamentBots::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || (!jobs_.empty() && status_.ok()); });
    if (ending_) return;
    const std::function<absl::Status()> job = std::move(jobs_.front());
    jobs_.pop_front();
    ++running_;
    lock.unlock();
    const absl::Status done = job();
    lock.lock();
    --running_;
    if (!done.ok() && status_.ok()) status_ = done;
    changed_.notify_all();
  }
}

absl::Status TournamentBots::PlayMatch(const std::string& match_id) {
  const auto bot =
      algorithms::MakeBot(options_.bot, options_.seed ^ std::hash<std::string>()(match_id));
  if (!bot.ok()) return bot.status();
  v1::GetMatchRequest request;
  request.set_match_id(match_id);
  absl::Time moved = absl::Now();
  std::string last;
  while (absl::Now() - moved < kPatience) {
    const auto match = anyone_.Call(request);
    // It begins by itself, soon.
    if (!match.ok() && !absl::IsNotFound(match.status())) return match.status();
    if (match.ok() && match->match().status() == v1::MATCH_STATUS_OVER) return absl::OkStatus();
    const int games = match.ok() ? match->match().games_size() : 0;
    if (games == 0 || match->match().games(games - 1).game_id() == last) {
      absl::SleepFor(kLook);
      continue;
    }
    last = match->match().games(games - 1).game_id();
    if (absl::Status played = PlayGame(last, **bot); !played.ok()) return played;
    moved = absl::Now();
  }
  return absl::DeadlineExceededError("A match does not go on: " + match_id);
}

absl::StatusOr<v1::PlayActionsRequest> TournamentBots::Turn(const v1::Position& position,
                                                            algorithms::Bot& bot) {
  v1::PlayActionsRequest turn;
  auto draft = ruleset_->FromBytes(position.data());
  if (!draft.ok()) return draft.status();
  const int seat = ruleset_->Actor(*draft);
  while (ruleset_->Actor(*draft) == seat) {
    const absl::StatusOr<int64_t> action = bot.Choose(*ruleset_, *draft);
    if (!action.ok()) return action.status();
    turn.add_actions()->set_action(*action);
    if (absl::Status applied = ruleset_->Apply(*draft, seat, *action); !applied.ok()) {
      return applied;
    }
  }
  return turn;
}

absl::Status TournamentBots::AddToDice(v1::Game game) {
  v1::GetGameRequest get;
  get.set_game_id(game.game_id());
  std::vector<Contribution> of_seats(static_cast<size_t>(game.seats_size()));
  const absl::Time begun = absl::Now();
  while (game.status() == v1::GAME_STATUS_CONTRIBUTING) {
    for (size_t seat = 0; seat < of_seats.size(); ++seat) {
      const auto player = by_id_.find(game.seats(static_cast<int>(seat)).player_id());
      if (player == by_id_.end()) {
        return absl::InternalError("A stranger plays in " + game.game_id());
      }
      const absl::Status done = of_seats[seat].Step(*player->second, static_cast<int>(seat), game);
      if (!done.ok()) return done;
    }
    if (game.status() != v1::GAME_STATUS_CONTRIBUTING) break;
    if (absl::Now() - begun > kPatience) {
      return absl::DeadlineExceededError("A game does not begin: " + game.game_id());
    }
    absl::SleepFor(kLook);
    auto now = anyone_.Call(get);
    if (!now.ok()) return now.status();
    game = std::move(*now->mutable_game());
  }
  return absl::OkStatus();
}

absl::Status TournamentBots::PlayGame(const std::string& game_id, algorithms::Bot& bot) {
  v1::GetGameRequest get;
  get.set_game_id(game_id);
  const auto game = anyone_.Call(get);
  if (!game.ok()) return game.status();
  if (absl::Status added = AddToDice(game->game()); !added.ok()) return added;
  v1::ListLegalActionsRequest look;
  look.set_game_id(game_id);
  int64_t turns = 0;
  while (true) {
    const auto now = anyone_.Call(look);
    if (MovedOn(now.status())) break;  // it is over
    if (!now.ok()) return now.status();
    v1::Position position = now->position();
    uint32_t sequence = now->sequence();
    if (position.actor() < 0) break;
    while (position.actor() >= 0) {
      auto turn = Turn(position, bot);
      if (!turn.ok()) return turn.status();
      turn->set_game_id(game_id);
      turn->set_expected_sequence(sequence);
      const auto player = by_id_.find(game->game().seats(position.actor()).player_id());
      if (player == by_id_.end()) return absl::InternalError("A stranger plays in " + game_id);
      auto played = player->second->Call(*turn);
      if (MovedOn(played.status())) break;
      if (!played.ok()) return played.status();
      position = std::move(*played->mutable_position());
      sequence = played->sequence();
      ++turns;
    }
  }
  const std::lock_guard lock(mutex_);
  ++games_;
  turns_ += turns;
  return absl::OkStatus();
}

}  // namespace astragal::cli
