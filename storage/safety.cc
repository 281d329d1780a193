#include "storage/safety.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace astragal::storage {
namespace {

// Event partitions with row triggers and cheap exact extract(epoch) need this.
constexpr int64_t kOldestVersion = 140'000;

struct Unsafe {
  std::string_view setting;
  std::string_view value;  // the bad one
  std::string_view why;
};

constexpr Unsafe kUnsafe[] = {
    {"fsync", "off", "a crash loses or damages acknowledged events"},
    {"full_page_writes", "off", "a crash leaves torn pages"},
    {"synchronous_commit", "off", "acknowledged events are lost by a crash"},
    {"data_sync_retry", "on", "a failed flush is taken for a good one when it is tried again"},
};

std::string Opposite(std::string_view value) { return value == "on" ? "off" : "on"; }

}  // namespace

absl::Status CheckSafety(const Rows& settings) {
  std::vector<std::string> findings;
  for (size_t row = 0; row < settings.size(); ++row) {
    const std::string name(settings.Text(row, 0));
    const std::string value(settings.Text(row, 1));
    for (const Unsafe& unsafe : kUnsafe) {
      if (name != unsafe.setting || value != unsafe.value) continue;
      findings.push_back(absl::StrCat(name, " is ", value, " (", std::string(unsafe.why), "; set ",
                                      name, " = ", Opposite(value), ")"));
    }
    if (name == "server_version_num" && settings.Int(row, 1) < kOldestVersion) {
      findings.push_back(absl::StrCat("its version is ", settings.Int(row, 1) / 10'000,
                                      ", 14 or later is needed"));
    }
  }
  if (findings.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("this PostgreSQL server is unsafe: ", absl::StrJoin(findings, "; ")));
}

}  // namespace astragal::storage
