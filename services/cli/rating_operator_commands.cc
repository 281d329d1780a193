// What the operator of a server does with ratings.
#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "services/cli/context.h"
#include "services/cli/json.h"
#include "services/cli/operator.h"
#include "services/cli/rating_client.h"
#include "services/cli/rating_commands.h"
#include "services/cli/rating_text.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

// A pool of millions of matches is replayed within this time.
constexpr absl::Duration kReplayLimit = absl::Minutes(10);
// A hundred tables are examined within this time.
constexpr absl::Duration kExamineLimit = absl::Minutes(2);

struct RecomputeOptions {
  std::string operator_key;
  std::string pool;
  std::string match;
  bool annul = false;
  std::vector<int> places;
  std::string player;
  int days = 0;
  std::string reason;
  bool dry_run = false;
  bool json = false;
};

absl::StatusOr<v1::RecomputeResponse> Recompute(Context& context, const RecomputeOptions& options,
                                                const std::string& pool) {
  context.SetTimeout(kReplayLimit);
  const auto client = AsOperator(context, options.operator_key);
  if (!client.ok()) return client.status();
  v1::RecomputeRequest request;
  request.set_pool_id(pool);
  request.set_validate_only(options.dry_run);
  if (!options.match.empty()) {
    v1::MatchCorrection& correction = *request.add_corrections();
    correction.set_match_id(options.match);
    correction.set_annul(options.annul);
    for (const int place : options.places) correction.add_places(place);
    correction.set_reason(options.reason);
  }
  if (!options.player.empty()) {
    const auto player = FindPlayer(context.Anonymous(), options.player);
    if (!player.ok()) return player.status();
    v1::PlayerAnnulment& annulled = *request.mutable_annulled_player();
    annulled.set_player_id(player->player_id());
    annulled.set_days(options.days);
    annulled.set_reason(options.reason);
  }
  return RatingClient((*client)->options()).Call(request);
}

void Print(Context& context, const RecomputeOptions& options, const v1::RecomputeResponse& answer) {
  if (options.json) {
    context.out() << JsonDocument(answer) << "\n";
    return;
  }
  context.out() << answer.matches() << " matches replayed; " << answer.steps_changed()
                << " steps and " << answer.players_changed() << " ratings differ";
  if (answer.checkpoint() > 0) {
    context.out() << "; from the checkpoint after match " << answer.checkpoint();
  }
  if (answer.switched()) context.out() << "; revision " << answer.pool().revision();
  context.out() << "\n";
  for (const std::string& difference : answer.differences()) context.out() << difference << "\n";
}

absl::Status RunCheck(Context& context, const RecomputeOptions& options) {
  std::vector<std::string> pools = {options.pool};
  if (options.pool.empty()) {
    const auto all = RatingClient(context.Anonymous().options()).AllPools();
    if (!all.ok()) return all.status();
    pools.clear();
    for (const v1::RatingPool& pool : all->pools()) pools.push_back(pool.pool_id());
  }
  bool same = true;
  for (const std::string& pool : pools) {
    const auto answer = Recompute(context, options, pool);
    if (!answer.ok()) return answer.status();
    if (!options.json) context.out() << pool << ": ";
    Print(context, options, *answer);
    same = same && answer->steps_changed() == 0 && answer->players_changed() == 0;
  }
  if (same) return absl::OkStatus();
  return absl::FailedPreconditionError("Stored and recomputed ratings differ.");
}

absl::Status RunRecompute(Context& context, const RecomputeOptions& options) {
  if ((options.match.empty() && options.player.empty()) != options.reason.empty()) {
    return absl::InvalidArgumentError("--match or --player goes with --reason.");
  }
  const auto answer = Recompute(context, options, options.pool);
  if (!answer.ok()) return answer.status();
  Print(context, options, *answer);
  return absl::OkStatus();
}

struct PinOptions {
  std::string operator_key;
  std::string player;
  std::string pool;
  double rating = 0;
  double deviation = 0;
  bool json = false;
};

absl::Status RunPin(Context& context, const PinOptions& options) {
  const auto player = FindPlayer(context.Anonymous(), options.player);
  if (!player.ok()) return player.status();
  const auto client = AsOperator(context, options.operator_key);
  if (!client.ok()) return client.status();
  v1::PinRatingRequest request;
  request.set_player_id(player->player_id());
  request.set_pool_id(options.pool);
  request.set_rating(options.rating);
  request.set_deviation(options.deviation);
  const auto answer = RatingClient((*client)->options()).Call(request);
  if (!answer.ok()) return answer.status();
  if (options.json) {
    context.out() << JsonDocument(*answer) << "\n";
  } else {
    context.out() << player->name() << " is fixed at " << RatingText(answer->rating()) << "\n";
  }
  return absl::OkStatus();
}

struct HouseholdOptions {
  std::string operator_key;
  std::vector<std::string> players;
  bool json = false;
};

absl::Status RunHousehold(Context& context, const HouseholdOptions& options) {
  v1::SetHouseholdRequest request;
  for (const std::string& name : options.players) {
    const auto player = FindPlayer(context.Anonymous(), name);
    if (!player.ok()) return player.status();
    request.add_player_ids(player->player_id());
  }
  const auto client = AsOperator(context, options.operator_key);
  if (!client.ok()) return client.status();
  const auto answer = RatingClient((*client)->options()).Call(request);
  if (!answer.ok()) return answer.status();
  if (options.json) {
    context.out() << JsonDocument(*answer) << "\n";
  } else if (options.players.size() == 1) {
    context.out() << options.players.front() << " lives with nobody else\n";
  } else {
    context.out() << "These " << options.players.size()
                  << " live together: tables with two of them are not rated\n";
  }
  return absl::OkStatus();
}

struct ExamineOptions {
  std::string operator_key;
  std::string player;
  std::string pool;
  int matches = 20;
  bool json = false;
};

void PrintHelp(Context& context, const v1::ExamineTablesResponse& answer) {
  context.out() << answer.matches() << " matches, " << answer.games()
                << " games: " << answer.costly() << " of " << answer.choices()
                << " choices cost something"
                << (answer.cut_short() ? " (not all was looked at)" : "") << "\n";
  std::vector<std::vector<std::string>> rows = {
      {"PLAYER", "MATCHES", "HELPED", "EXPECTED", "SURPRISE", "COST", "GAIN"}};
  for (const v1::TableHelp& other : answer.others()) {
    rows.push_back({other.player_name(), std::to_string(other.matches()),
                    std::to_string(other.helped()) + " of " + std::to_string(other.costly()),
                    Fixed(other.expected(), 1), Fixed(other.surprise(), 1),
                    Fixed(other.mean_cost(), 0), Fixed(other.mean_gain(), 0)});
  }
  context.out() << TableText(rows);
}

absl::Status RunExamine(Context& context, const ExamineOptions& options) {
  const auto player = FindPlayer(context.Anonymous(), options.player);
  if (!player.ok()) return player.status();
  context.SetTimeout(kExamineLimit);
  const auto client = AsOperator(context, options.operator_key);
  if (!client.ok()) return client.status();
  v1::ExamineTablesRequest request;
  request.set_player_id(player->player_id());
  request.set_pool_id(options.pool);
  request.set_matches(options.matches);
  const auto answer = RatingClient((*client)->options()).Call(request);
  if (!answer.ok()) return answer.status();
  if (options.json) {
    context.out() << JsonDocument(*answer) << "\n";
  } else {
    PrintHelp(context, *answer);
  }
  return absl::OkStatus();
}

}  // namespace

Action DefineRatingsCheck(CLI::App& app) {
  auto options = std::make_shared<RecomputeOptions>();
  options->dry_run = true;
  app.add_option("POOL", options->pool, "A pool of `astragal ratings list` (default: all)");
  AddOperatorKey(app, options->operator_key);
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) { return RunCheck(context, *options); };
}

Action DefineRatingsRecompute(CLI::App& app) {
  auto options = std::make_shared<RecomputeOptions>();
  app.add_option("POOL", options->pool, "A pool of `astragal ratings list`")->required();
  auto* match = app.add_option("--match", options->match, "A match whose result was wrong");
  auto* annul = app.add_flag("--annul", options->annul, "It is void")->needs(match);
  app.add_option("--places", options->places, "The right places, as 2,1 (default: as stored)")
      ->delimiter(',')
      ->needs(match)
      ->excludes(annul);
  auto* player =
      app.add_option("--player", options->player, "All that this player played lately is void");
  player->excludes(match);
  app.add_option("--days", options->days, "How lately (default: 90)")
      ->check(CLI::Range(1, 3'650))
      ->needs(player);
  app.add_option("--reason", options->reason, "Why, for everybody to read");
  app.add_flag("--dry-run", options->dry_run, "Only say what would change");
  AddOperatorKey(app, options->operator_key);
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) { return RunRecompute(context, *options); };
}

Action DefineRatingsPin(CLI::App& app) {
  auto options = std::make_shared<PinOptions>();
  app.add_option("BOT", options->player, "A name or an id")->required();
  app.add_option("POOL", options->pool, "A pool of `astragal ratings list`")->required();
  app.add_option("RATING", options->rating, "100 to 3,500")->required();
  app.add_option("--deviation", options->deviation, "1 to 500 (default: 40)");
  AddOperatorKey(app, options->operator_key);
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) { return RunPin(context, *options); };
}

Action DefineRatingsHousehold(CLI::App& app) {
  auto options = std::make_shared<HouseholdOptions>();
  app.add_option("PLAYERS", options->players, "Names or ids; one: lives with nobody else")
      ->required()
      ->expected(1, 16);
  AddOperatorKey(app, options->operator_key);
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) { return RunHousehold(context, *options); };
}

Action DefineRatingsExamine(CLI::App& app) {
  auto options = std::make_shared<ExamineOptions>();
  app.add_option("PLAYER", options->player, "A name or an id")->required();
  app.add_option("POOL", options->pool, "A pool of three and four seats")->required();
  app.add_option("--matches", options->matches, "His last so many there")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  AddOperatorKey(app, options->operator_key);
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) { return RunExamine(context, *options); };
}

}  // namespace astragal::cli
