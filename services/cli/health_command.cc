#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>

#include "absl/time/clock.h"
#include "services/cli/command.h"
#include "services/cli/context.h"

namespace astragal::cli {
namespace {

constexpr absl::Duration kBetweenLooks = absl::Milliseconds(200);
// One look; a server that serves answers sooner.
constexpr absl::Duration kOneLook = absl::Seconds(2);

absl::Status RunHealth(Context& context, double wait_s) {
  const absl::Time end = absl::Now() + absl::Seconds(1) * wait_s;
  context.SetTimeout(std::min(kOneLook, absl::Seconds(1) * context.global().timeout_s));
  absl::Status status = context.Anonymous().CheckHealth();
  while (!status.ok() && absl::Now() < end) {
    absl::SleepFor(std::min(kBetweenLooks, end - absl::Now()));
    status = context.Anonymous().CheckHealth();
  }
  if (status.ok()) context.out() << "serving at " << context.global().server << "\n";
  return status;
}

}  // namespace

Action DefineHealth(CLI::App& app) {
  auto wait_s = std::make_shared<double>(0);
  app.add_option("--wait", *wait_s, "Seconds to wait until it serves")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
  return [wait_s](Context& context) { return RunHealth(context, *wait_s); };
}

}  // namespace astragal::cli
