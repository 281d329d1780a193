#include "storage/listener.h"

#include <chrono>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"

namespace astragal::storage {

Listener::Listener(Options options) : options_(std::move(options)), thread_([this] { Run(); }) {}

Listener::~Listener() { Stop(); }

void Listener::Stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stopped_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool Listener::stopping() const {
  std::lock_guard lock(mutex_);
  return stopping_;
}

void Listener::Run() {
  while (!stopping()) {
    ListenOnce();
    std::unique_lock lock(mutex_);
    stopped_.wait_for(lock, std::chrono::milliseconds(kPauseMs), [this] { return stopping_; });
  }
}

void Listener::ListenOnce() {
  if (options_.before_connect && !options_.before_connect().ok()) return;
  absl::StatusOr<std::unique_ptr<Connection>> connection = Connection::Open(options_.connection);
  if (!connection.ok()) return;
  const auto on_payload = [this](const std::string& payload) {
    const size_t colon = payload.rfind(':');
    uint64_t batch = 0;
    if (colon == std::string::npos || !absl::SimpleAtoi(payload.substr(colon + 1), &batch)) return;
    if (options_.on_batch) options_.on_batch(payload.substr(0, colon), batch);
  };
  if (!(*connection)->Listen("astragal", on_payload).ok()) return;
  if (options_.on_connected) options_.on_connected();
  while (!stopping() && (*connection)->AwaitNotifications(kWaitMs)) {
  }
}

}  // namespace astragal::storage
