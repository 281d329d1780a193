#include "services/cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/time/clock.h"

namespace astragal::cli {
namespace {

constexpr uint64_t kBar = 20;

std::string Grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace

std::string ProgressText(uint64_t done, uint64_t all, const std::string& what, double seconds) {
  std::string text;
  if (all > 0) {
    const uint64_t part = std::min(done, all);
    std::string bar(kBar, '.');
    std::fill_n(bar.begin(), part * kBar / all, '#');
    const std::string percent = std::to_string(part * 100 / all);
    text = "[" + bar + "] " + std::string(3 - std::min<size_t>(3, percent.size()), ' ') + percent +
           " %  " + Grouped(done) + " of " + Grouped(all);
  } else {
    text = Grouped(done);
  }
  text += " " + what;
  if (seconds > 0.5) {
    text +=
        ", " + Grouped(static_cast<uint64_t>(static_cast<double>(done) / seconds)) + " a second";
  }
  return text;
}

Progress::Progress(std::ostream& err, std::string what)
    : err_(err), what_(std::move(what)), shown_(isatty(STDERR_FILENO) != 0), began_(absl::Now()) {}

void Progress::Show(uint64_t done, uint64_t all) {
  const absl::Time now = absl::Now();
  if (!shown_ || now - last_ < kEvery) return;
  last_ = now;
  const std::string text = ProgressText(done, all, what_, absl::ToDoubleSeconds(now - began_));
  err_ << "\r" << text << std::string(width_ > text.size() ? width_ - text.size() : 0, ' ')
       << std::flush;
  width_ = text.size();
}

void Progress::Clear() {
  if (width_ > 0) err_ << "\r" << std::string(width_, ' ') << "\r" << std::flush;
  width_ = 0;
}

}  // namespace astragal::cli
