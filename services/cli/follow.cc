#include "services/cli/follow.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <utility>

#include "absl/time/clock.h"
#include "services/cli/call_status.h"
#include "services/cli/retry.h"

namespace astragal::cli {
namespace {

// How finely a wait looks whether it should end.
constexpr absl::Duration kNap = absl::Milliseconds(50);

bool IsOver(v1::GameStatus status) {
  return status == v1::GAME_STATUS_FINISHED || status == v1::GAME_STATUS_ABORTED;
}

// The stream can go on after the last event that came, though an ordinary call would be refused.
bool CanResume(const absl::Status& status) {
  return IsWorthRepeating(status) || status.code() == absl::StatusCode::kCancelled ||
         ReasonWordOf(status) == "WATCHER_TOO_SLOW";
}

}  // namespace

Follow::Follow(Client& client, std::string game_id, std::optional<uint32_t> after,
               absl::Duration patience)
    : client_(client), game_id_(std::move(game_id)), patience_(patience), after_(after) {
  std::array<int, 2> ends;
  // A process that cannot have a pipe can have no connection either.
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) std::abort();
  read_fd_ = ends[0];
  write_fd_ = ends[1];
  last_message_ = absl::Now();
  thread_ = std::thread([this] { Loop(); });
}

Follow::~Follow() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    if (stop_) stop_->Stop();
  }
  thread_.join();
  close(read_fd_);
  close(write_fd_);
}

std::vector<Follow::Item> Follow::Take() {
  std::array<char, 64> bytes;
  while (read(read_fd_, bytes.data(), bytes.size()) > 0) {
  }
  const std::lock_guard lock(mutex_);
  if (stop_ && absl::Now() - last_message_ > kLongestSilence) {
    last_message_ = absl::Now();
    stop_->Stop();
  }
  return std::exchange(items_, {});
}

bool Follow::Wait(absl::Duration limit) {
  pollfd entry{read_fd_, POLLIN, 0};
  return poll(&entry, 1, static_cast<int>(absl::ToInt64Milliseconds(limit))) > 0;
}

void Follow::Push(Item item) {
  {
    const std::lock_guard lock(mutex_);
    items_.push_back(std::move(item));
  }
  // A full pipe is as good a sign as one more byte.
  (void)!write(write_fd_, "", 1);
}

std::shared_ptr<StreamStop> Follow::NewStop() {
  const std::lock_guard lock(mutex_);
  if (ending_) return nullptr;
  last_message_ = absl::Now();
  stop_ = std::make_shared<StreamStop>();
  return stop_;
}

void Follow::OnMessage(const v1::WatchGameResponse& message) {
  {
    const std::lock_guard lock(mutex_);
    last_message_ = absl::Now();
  }
  got_message_ = true;
  if (std::exchange(is_lost_, false)) Push(Regained{});
  if (message.has_snapshot() && !std::exchange(has_snapshot_, true)) {
    after_ = message.snapshot().game().sequence();
    is_over_ = IsOver(message.snapshot().game().status());
    Push(message.snapshot());
  } else if (message.has_presence()) {
    Push(message.presence());
  } else if (!message.heartbeat().ping_id().empty()) {
    v1::AnswerPingRequest answer;
    answer.set_ping_id(message.heartbeat().ping_id());
    (void)client_.Call(answer);  // a ping that is lost is not measured, and the next one comes
  } else if (message.has_event()) {
    after_ = message.event().sequence();
    is_over_ = is_over_ || message.event().has_finished();
    Push(message.event());
  }
  // The stream of a game that is over may break before it says so, and bring the receipt again.
  if (message.has_receipt() && !std::exchange(has_receipt_, true)) Push(message.receipt());
}

absl::Status Follow::ReadOnce() {
  const std::shared_ptr<StreamStop> stop = NewStop();
  if (!stop) return absl::OkStatus();
  v1::WatchGameRequest request;
  request.set_game_id(game_id_);
  if (after_) request.set_after_sequence(*after_);
  got_message_ = false;
  return client_.Stream(request, *stop, [this](const v1::WatchGameResponse& message) {
    OnMessage(message);
    return true;
  });
}

void Follow::Sleep(absl::Duration wait) {
  for (const absl::Time end = absl::Now() + wait; absl::Now() < end; absl::SleepFor(kNap)) {
    const std::lock_guard lock(mutex_);
    if (ending_) return;
  }
}

void Follow::Loop() {
  Backoff backoff(random_);
  absl::Time last_good = absl::Now();
  for (;;) {
    const absl::Status status = ReadOnce();
    {
      const std::lock_guard lock(mutex_);
      if (ending_) return;
    }
    if (got_message_) {
      last_good = absl::Now();
      backoff.Reset();
    }
    // A stream that ends in the middle of a game was not ended by the game.
    if ((status.ok() ? is_over_ : !CanResume(status)) || absl::Now() - last_good > patience_) {
      const bool unfinished = status.ok() && !is_over_;
      return Push(
          End{unfinished ? absl::UnavailableError("The server ends every stream.") : status});
    }
    if (!std::exchange(is_lost_, true)) Push(Lost{status});
    Sleep(backoff.Next(status));
  }
}

}  // namespace astragal::cli
