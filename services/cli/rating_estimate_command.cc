// What a player says of himself before he is rated.
#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "services/cli/context.h"
#include "services/cli/json.h"
#include "services/cli/rating_client.h"
#include "services/cli/rating_commands.h"
#include "services/cli/rating_text.h"

namespace astragal::cli {
namespace {

struct EstimateOptions {
  std::string pool;
  std::string level;
  bool json = false;
};

constexpr std::array<std::pair<std::string_view, v1::SelfEstimate>, 3> kEstimates = {{
    {"beginner", v1::SELF_ESTIMATE_BEGINNER},
    {"average", v1::SELF_ESTIMATE_AVERAGE},
    {"strong", v1::SELF_ESTIMATE_STRONG},
}};

absl::Status RunEstimate(Context& context, const EstimateOptions& options) {
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  v1::EstimateOwnRatingRequest request;
  request.set_pool_id(options.pool);
  for (const auto& [word, estimate] : kEstimates) {
    if (word == options.level) request.set_estimate(estimate);
  }
  const auto answer = RatingClient((*client)->options()).Call(request);
  if (!answer.ok()) return answer.status();
  if (options.json) {
    context.out() << JsonDocument(*answer) << "\n";
  } else {
    context.out() << answer->rating().player_name() << " begins at " << RatingText(answer->rating())
                  << "\n";
  }
  return absl::OkStatus();
}

}  // namespace

Action DefineRatingsEstimate(CLI::App& app) {
  auto options = std::make_shared<EstimateOptions>();
  app.add_option("POOL", options->pool, "A pool of `astragal ratings list`")->required();
  app.add_option("LEVEL", options->level, "beginner (1350), average (1500) or strong (1650)")
      ->required()
      ->check(CLI::IsMember({"beginner", "average", "strong"}));
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) { return RunEstimate(context, *options); };
}

}  // namespace astragal::cli
