#include "services/cli/bench_table.h"

#include <algorithm>
#include <utility>

#include "services/cli/call_status.h"
#include "services/cli/client.h"
#include "services/cli/random_game.h"

namespace astragal::cli {
namespace {

constexpr int kMicrosBits = 44;
constexpr uint64_t kMicrosMask = (uint64_t{1} << kMicrosBits) - 1;

uint64_t Micros(BenchClock::time_point at) {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(at.time_since_epoch()).count());
}

bool IsOver(v1::GameStatus status) { return status != v1::GAME_STATUS_RUNNING; }

}  // namespace

void BenchTally::Fail(const absl::Status& status) {
  std::string reason = ReasonWordOf(status);
  if (reason.empty()) reason = absl::StatusCodeToString(status.code());
  const std::lock_guard lock(mutex);
  ++failures[reason];
  if (first_failure.ok()) first_failure = status;
}

void BenchTable::Seeded::Fill(std::span<uint8_t> out) {
  for (uint8_t& byte : out) byte = static_cast<uint8_t>(engine_() >> 56);
}

BenchTable::BenchTable(BenchScene& scene, int number, uint64_t seed)
    : scene_(scene), number_(number), random_(seed) {}

const std::string& BenchTable::KeyOf(int seat) const {
  const auto index = static_cast<size_t>(number_ * scene_.seats + seat);
  return scene_.keys[index % scene_.keys.size()];
}

void BenchTable::Lose(const absl::Status& status, const Ready& ready) {
  scene_.tally.Fail(status);
  {
    const std::lock_guard lock(mutex_);
    game_.clear();
  }
  ready(false);
}

void BenchTable::Open(Ready ready) {
  v1::CreateGameRequest request = scene_.game;
  request.set_request_id(NewRequestId(random_));
  request.set_seat(0);
  scene_.wire.Call(number_, KeyOf(0), request,
                   [this, ready = std::move(ready)](const absl::Status& status,
                                                    v1::CreateGameResponse& created) {
                     if (!status.ok()) return Lose(status, ready);
                     Seat(std::move(*created.mutable_game()), 1, ready);
                   });
}

void BenchTable::Seat(v1::Game game, int seat, Ready ready) {
  if (seat < scene_.seats) {
    v1::JoinGameRequest request;
    request.set_request_id(NewRequestId(random_));
    request.set_game_id(game.game_id());
    request.set_seat(seat);
    return scene_.wire.Call(number_, KeyOf(seat), request,
                            [this, seat, ready = std::move(ready)](const absl::Status& status,
                                                                   v1::JoinGameResponse& joined) {
                              if (!status.ok()) return Lose(status, ready);
                              Seat(std::move(*joined.mutable_game()), seat + 1, ready);
                            });
  }
  int waiting = 0;
  {
    const std::lock_guard lock(mutex_);
    game_ = game.game_id();
    if (!stopping_) waiting = std::exchange(waiting_, 0);
  }
  for (int i = 0; i < waiting; ++i) StartStream(game.game_id());
  AskLegal(std::move(ready));
}

void BenchTable::AskLegal(Ready ready) {
  v1::ListLegalActionsRequest request;
  request.set_game_id(game_);
  scene_.wire.Call(number_, "", request,
                   [this, ready = std::move(ready)](const absl::Status& status,
                                                    v1::ListLegalActionsResponse& legal) {
                     if (!status.ok()) return Lose(status, ready);
                     if (legal.actions().empty()) {
                       return Lose(absl::InternalError("a running game has no legal action"),
                                   ready);
                     }
                     OnLegal(legal);
                     ready(true);
                   });
}

void BenchTable::OnLegal(const v1::ListLegalActionsResponse& legal) {
  sequence_ = legal.sequence();
  actor_ = legal.position().actor();
  position_ = legal.position().data();
  const uint64_t pick = PickBelow(random_.engine(), static_cast<uint64_t>(legal.actions_size()));
  action_ = legal.actions(static_cast<int>(pick)).action();
}

absl::Status BenchTable::ChooseHere() {
  const absl::StatusOr<host::Position> position = scene_.ruleset->FromBytes(position_);
  if (!position.ok()) return position.status();
  const absl::StatusOr<std::vector<int64_t>> actions = scene_.ruleset->Actions(*position);
  if (!actions.ok()) return actions.status();
  if (actions->empty()) return absl::InternalError("a running game has no legal action");
  action_ = (*actions)[PickBelow(random_.engine(), actions->size())];
  return absl::OkStatus();
}

void BenchTable::PlayOne(BenchClock::time_point due, Ready ready) {
  if (game_.empty()) return Open(std::move(ready));
  if (action_ >= 0) return Send(due, std::move(ready));
  if (scene_.ruleset != nullptr) {
    const absl::Status chosen = ChooseHere();
    return chosen.ok() ? Send(due, std::move(ready)) : Lose(chosen, ready);
  }
  AskLegal(
      [this, due, ready = std::move(ready)](bool good) { good ? Send(due, ready) : ready(false); });
}

void BenchTable::Send(BenchClock::time_point due, Ready ready) {
  v1::PlayActionsRequest request;
  request.set_request_id(NewRequestId(random_));
  request.set_game_id(game_);
  request.set_expected_sequence(sequence_);
  request.add_actions()->set_action(std::exchange(action_, -1));
  request.set_position_view(v1::POSITION_VIEW_BASIC);
  const uint64_t event = sequence_ + 1;
  sent_[event % sent_.size()] = event << kMicrosBits | (Micros(BenchClock::now()) & kMicrosMask);
  scene_.wire.Call(number_, KeyOf(actor_), request,
                   [this, due, ready = std::move(ready)](const absl::Status& status,
                                                         v1::PlayActionsResponse& played) {
                     if (!status.ok()) return Lose(status, ready);
                     OnPlayed(due, played, ready);
                   });
}

void BenchTable::OnPlayed(BenchClock::time_point due, const v1::PlayActionsResponse& played,
                          const Ready& ready) {
  if (scene_.tally.measuring) {
    const uint64_t took = Micros(BenchClock::now()) - Micros(due);
    scene_.tally.answer_us.Record(static_cast<int64_t>(took));
  }
  sequence_ = played.sequence();
  actor_ = played.position().actor();
  position_ = played.position().data();
  if (!IsOver(played.status())) return ready(true);
  if (scene_.tally.measuring) ++scene_.tally.games;
  Open(ready);
}

// ---- Streams

void BenchTable::Follow() {
  std::string game;
  {
    const std::lock_guard lock(mutex_);
    game = game_;
    if (game.empty()) ++waiting_;
  }
  if (!game.empty()) StartStream(game);
}

void BenchTable::StartStream(const std::string& game) {
  v1::WatchGameRequest request;
  request.set_game_id(game);
  ++scene_.streams;
  const auto stream = scene_.wire.Watch(
      number_, request, [this](const v1::WatchGameResponse& message) { OnStreamMessage(message); },
      [this, game](const absl::Status& status) { OnStreamEnd(game, status); });
  const std::lock_guard lock(mutex_);
  std::erase_if(streams_, [](const auto& weak) { return weak.expired(); });
  streams_.push_back(stream);
  if (stopping_) stream->Cancel();
}

void BenchTable::OnStreamMessage(const v1::WatchGameResponse& message) {
  if (message.has_snapshot()) ++scene_.streams_ready;
  if (!message.has_event() || !scene_.tally.measuring) return;
  scene_.tally.events.fetch_add(1, std::memory_order_relaxed);
  if (!message.event().has_action()) return;
  const uint64_t event = message.event().sequence();
  const uint64_t sent = sent_[event % sent_.size()];
  if (sent >> kMicrosBits != event) return;  // of an earlier game, or long ago
  const uint64_t took = (Micros(BenchClock::now()) - sent) & kMicrosMask;
  scene_.tally.watcher_us.Record(static_cast<int64_t>(took));
}

void BenchTable::OnStreamEnd(const std::string& game, const absl::Status& status) {
  std::string next;
  {
    const std::lock_guard lock(mutex_);
    if (!stopping_ && !status.ok()) scene_.tally.Fail(status);
    if (!stopping_ && game_ != game) next = game_;
    if (!stopping_ && next.empty()) ++waiting_;
  }
  if (!next.empty()) StartStream(next);
  --scene_.streams;
}

void BenchTable::StopFollowing() {
  std::vector<std::weak_ptr<BenchWire::Stream>> streams;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    streams = streams_;
  }
  for (const auto& weak : streams) {
    if (const std::shared_ptr<BenchWire::Stream> stream = weak.lock()) stream->Cancel();
  }
}

}  // namespace astragal::cli
