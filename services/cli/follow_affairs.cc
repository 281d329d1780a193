#include "services/cli/follow_affairs.h"

#include <atomic>
#include <cstdint>
#include <ostream>
#include <string>
#include <thread>

#include "absl/time/clock.h"
#include "services/cli/affair_text.h"
#include "services/cli/call_status.h"
#include "services/cli/follow.h"
#include "services/cli/json.h"
#include "services/cli/retry.h"

namespace astragal::cli {
namespace {

// Without a server for longer than this it gives up.
constexpr absl::Duration kPatience = absl::Minutes(5);

int64_t NowMs() { return absl::ToUnixMillis(absl::Now()); }

// Ends a stream that has said nothing for too long: its connection is dead.
class Silence {
 public:
  Silence(StreamStop& stop, std::atomic<int64_t>& last_message_ms) {
    last_message_ms = NowMs();
    thread_ = std::thread([this, &stop, &last_message_ms] {
      while (!ended_) {
        absl::SleepFor(absl::Milliseconds(200));
        const absl::Duration silence = absl::Milliseconds(NowMs() - last_message_ms);
        if (silence > Follow::kLongestSilence) return stop.Stop();
      }
    });
  }
  ~Silence() {
    ended_ = true;
    thread_.join();
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

class AffairsFollower {
 public:
  AffairsFollower(Context& context, Client& client, bool json)
      : context_(context), client_(client), json_(json) {}

  absl::Status Run() {
    Backoff backoff(random_);
    absl::Time last_good = absl::Now();
    for (;;) {
      got_message_ = false;
      StreamStop stop;
      const Silence silence(stop, last_message_ms_);
      const absl::Status status = client_.Stream(v1::WatchMyEventsRequest(), stop,
                                                 [&](const v1::WatchMyEventsResponse& message) {
                                                   OnMessage(message);
                                                   return true;
                                                 });
      if (got_message_) {
        last_good = absl::Now();
        backoff.Reset();
      }
      const bool can_resume = status.ok() || IsWorthRepeating(status) ||
                              absl::IsCancelled(status) ||
                              ReasonWordOf(status) == "WATCHER_TOO_SLOW";
      if (!can_resume || absl::Now() - last_good > kPatience) return status;
      context_.err() << "connection lost (" << std::string(status.message()) << "); coming back\n";
      absl::SleepFor(backoff.Next(status));
    }
  }

 private:
  void OnMessage(const v1::WatchMyEventsResponse& message) {
    got_message_ = true;
    last_message_ms_ = NowMs();
    if (json_) {
      context_.out() << JsonLine(message) << "\n" << std::flush;
      return;
    }
    for (const auto& game : message.snapshot().games()) context_.out() << AffairText(game) << "\n";
    for (const auto& one : message.snapshot().proposals()) {
      context_.out() << ProposalNewsText(one) << "\n";
    }
    for (const auto& one : message.snapshot().ratings()) {
      context_.out() << RatingNewsText(one) << "\n";
    }
    for (const auto& game : message.change().games()) context_.out() << AffairText(game) << "\n";
    for (const auto& one : message.change().proposals()) {
      context_.out() << ProposalNewsText(one) << "\n";
    }
    for (const auto& one : message.change().ratings()) {
      context_.out() << RatingNewsText(one) << "\n";
    }
    context_.out() << std::flush;
  }

  Context& context_;
  Client& client_;
  const bool json_;
  bool got_message_ = false;
  std::atomic<int64_t> last_message_ms_ = 0;
  base::SystemRandom random_;
};

}  // namespace

absl::Status FollowAffairs(Context& context, bool json) {
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  return AffairsFollower(context, **client, json).Run();
}

}  // namespace astragal::cli
