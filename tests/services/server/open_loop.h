// Calls at a steady rate, whatever the answers do: what a crowd of strangers does to a server.
#ifndef ASTRAGAL_TESTS_SERVICES_SERVER_OPEN_LOOP_H_
#define ASTRAGAL_TESTS_SERVICES_SERVER_OPEN_LOOP_H_

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/services/server/hall.h"

namespace astragal::server {

// The value that `part` (0 .. 1) of them do not exceed; 0 of none.
inline double Percentile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<size_t>(part * static_cast<double>(values.size() - 1))];
}

// Used by one thread; answers come on gRPC's. The stubs behind `send` must outlive it.
template <typename Request, typename Response>
class OpenLoop {
 public:
  using Clock = std::chrono::steady_clock;
  using Send = std::function<void(grpc::ClientContext*, const Request*, Response*,
                                  std::function<void(grpc::Status)>)>;

  // How calls ended, and how long each took from when it was due: a caller who comes while
  // others are waited for waits, too.
  struct Tally {
    std::vector<double> served_ms;
    std::vector<double> refused_ms;
    int64_t wrong = 0;          // neither served nor refused as they should be
    std::string first_wrong{};  // what was said
    double offered = 0;         // calls a second that were begun
    double took_s = 0;          // until the last answer
  };

  // `refused`: whether an answer that is not OK is the refusal that is to be.
  OpenLoop(Send send, std::function<Request()> make, Headers headers,
           std::function<bool(const Outcome&)> refused)
      : send_(std::move(send)),
        make_(std::move(make)),
        headers_(std::move(headers)),
        refused_(std::move(refused)) {}

  // So many calls a second, for so long or until `enough`, and waits for all answers.
  Tally Run(double per_second, double seconds, const std::function<bool()>& enough = {}) {
    const auto begun = Clock::now();
    const auto total = static_cast<int64_t>(per_second * seconds);
    int64_t count = 0;
    while (count < total && !(enough && enough())) {
      const std::chrono::duration<double> passed = Clock::now() - begun;
      const auto due = std::min(total, static_cast<int64_t>(passed.count() * per_second) + 1);
      for (; count < due; ++count) {
        Begin(begun + std::chrono::duration_cast<Clock::duration>(
                          std::chrono::duration<double>(static_cast<double>(count) / per_second)));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const std::chrono::duration<double> offering = Clock::now() - begun;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return under_way_ == 0; });
    tally_.offered = static_cast<double>(count) / offering.count();
    tally_.took_s = std::chrono::duration<double>(Clock::now() - begun).count();
    return std::exchange(tally_, {});
  }

 private:
  // More wait for the caller: a machine that cannot keep up is not to run out of memory. It shows
  // in what was offered.
  static constexpr int kMaxUnderWay = 8'000;

  struct One {
    grpc::ClientContext context;
    Request request;
    Response response;
  };

  void Begin(Clock::time_point due) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return under_way_ < kMaxUnderWay; });
      ++under_way_;
    }
    One* const one = new One;
    one->request = make_();
    for (const auto& [name, value] : headers_) one->context.AddMetadata(name, value);
    one->context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    send_(&one->context, &one->request, &one->response, [this, one, due](const grpc::Status& end) {
      // First of all: once nothing is under way the connections may go, and not from this thread.
      delete one;
      Note(end, std::chrono::duration<double, std::milli>(Clock::now() - due).count());
    });
  }

  void Note(const grpc::Status& status, double took_ms) {
    const Outcome outcome = OutcomeOf(status);
    const std::lock_guard lock(mutex_);
    if (outcome.ok()) {
      tally_.served_ms.push_back(took_ms);
    } else if (refused_(outcome)) {
      tally_.refused_ms.push_back(took_ms);
    } else if (tally_.wrong++ == 0) {
      tally_.first_wrong = outcome.reason + ": " + outcome.message;
    }
    --under_way_;
    changed_.notify_all();  // under the lock: whoever waits may destroy this
  }

  const Send send_;
  const std::function<Request()> make_;
  const Headers headers_;
  const std::function<bool(const Outcome&)> refused_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int under_way_ = 0;
  Tally tally_;
};

}  // namespace astragal::server

#endif  // ASTRAGAL_TESTS_SERVICES_SERVER_OPEN_LOOP_H_
