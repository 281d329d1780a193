// What anybody may see of ratings.
#include "services/cli/rating_commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "services/cli/context.h"
#include "services/cli/json.h"
#include "services/cli/rating_client.h"
#include "services/cli/rating_text.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

std::string_view StateText(v1::RankState state) {
  switch (state) {
    case v1::RANK_STATE_PROVISIONAL:
      return "provisional";
    case v1::RANK_STATE_ESTABLISHED:
      return "established";
    case v1::RANK_STATE_RANKED:
      return "ranked";
    default:
      return "unknown";
  }
}

// ---- list

struct ListOptions {
  std::string pool;
  std::string around;
  std::string on;
  int size = 0;
  bool json = false;
};

absl::Status ListPools(Context& context, const ListOptions& options) {
  const auto all = RatingClient(context.Anonymous().options()).AllPools();
  if (!all.ok()) return all.status();
  if (options.json) {
    context.out() << JsonDocument(*all) << "\n";
    return absl::OkStatus();
  }
  std::vector<std::vector<std::string>> rows = {{"POOL", "MATCHES", "REVISION"}};
  for (const v1::RatingPool& pool : all->pools()) {
    rows.push_back(
        {pool.pool_id(), std::to_string(pool.matches()), std::to_string(pool.revision())});
  }
  context.out() << TableText(rows);
  return absl::OkStatus();
}

absl::Status RunList(Context& context, const ListOptions& options) {
  if (options.pool.empty()) return ListPools(context, options);
  Client& client = context.Anonymous();
  v1::ListLeaderboardRequest request;
  request.set_pool_id(options.pool);
  request.set_page_size(options.size);
  request.set_snapshot(options.on);
  if (!options.around.empty()) {
    const auto player = FindPlayer(client, options.around);
    if (!player.ok()) return player.status();
    request.set_around_player_id(player->player_id());
  }
  const auto page = RatingClient(client.options()).Call(request);
  if (!page.ok()) return page.status();
  if (options.json) {
    context.out() << JsonDocument(*page) << "\n";
    return absl::OkStatus();
  }
  if (page->has_snapshot()) {
    const v1::LeaderboardSnapshot& snapshot = page->snapshot();
    context.err() << (snapshot.official() ? "The official list" : "The list") << " of "
                  << snapshot.day() << ", " << snapshot.players() << " players\n";
  }
  if (page->entries().empty()) context.err() << "Nobody is ranked in this pool yet.\n";
  std::vector<std::vector<std::string>> rows = {
      {"RANK", "PLAYER", "RATING", "LISTED BY", "MATCHES", "PEAK", ""}};
  for (const v1::LeaderboardEntry& entry : page->entries()) {
    const v1::Rating& rating = entry.rating();
    rows.push_back({std::to_string(entry.rank()), rating.player_name(), RatingText(rating),
                    Fixed(rating.lower_bound(), 0), std::to_string(rating.matches()),
                    Fixed(rating.peak(), 0), rating.bot() ? "bot" : ""});
  }
  if (rows.size() > 1) context.out() << TableText(rows);
  return absl::OkStatus();
}

// ---- snapshots

struct SnapshotsOptions {
  std::string pool;
  bool json = false;
};

absl::Status RunSnapshots(Context& context, const SnapshotsOptions& options) {
  v1::ListLeaderboardSnapshotsRequest request;
  request.set_pool_id(options.pool);
  const auto answer = RatingClient(context.Anonymous().options()).Call(request);
  if (!answer.ok()) return answer.status();
  if (options.json) {
    context.out() << JsonDocument(*answer) << "\n";
    return absl::OkStatus();
  }
  if (answer->snapshots().empty()) {
    context.err() << "None yet: one is taken each day, soon after midnight UTC.\n";
  }
  std::vector<std::vector<std::string>> rows = {{"DAY", "TAKEN (UTC)", "PLAYERS", ""}};
  for (const v1::LeaderboardSnapshot& snapshot : answer->snapshots()) {
    rows.push_back({snapshot.day(), TimeText(snapshot.take_time()),
                    std::to_string(snapshot.players()), snapshot.official() ? "official" : ""});
  }
  if (rows.size() > 1) context.out() << TableText(rows);
  return absl::OkStatus();
}

// ---- show

struct ShowOptions {
  std::string player;
  std::string pool;
  bool json = false;
};

absl::Status RunShow(Context& context, const ShowOptions& options) {
  Client& client = context.Anonymous();
  const auto player = FindPlayer(client, options.player);
  if (!player.ok()) return player.status();
  v1::GetRatingRequest request;
  request.set_player_id(player->player_id());
  request.set_pool_id(options.pool);
  const auto answer = RatingClient(client.options()).Call(request);
  if (!answer.ok()) return answer.status();
  if (options.json) {
    context.out() << JsonDocument(*answer) << "\n";
    return absl::OkStatus();
  }
  if (answer->ratings().empty()) {
    context.err() << player->name() << " has played no rated match yet.\n";
  }
  std::vector<std::vector<std::string>> rows = {
      {"POOL", "RATING", "STATE", "MATCHES", "WON", "DRAWN", "PEAK", "FIBS", ""}};
  for (const v1::Rating& rating : answer->ratings()) {
    std::string marks = rating.pinned() ? "pinned" : "";
    for (const std::string& flag : rating.flags()) marks += (marks.empty() ? "" : ", ") + flag;
    rows.push_back({rating.pool_id(), RatingText(rating), std::string(StateText(rating.state())),
                    std::to_string(rating.matches()), std::to_string(rating.wins()),
                    std::to_string(rating.draws()),
                    rating.peak() > 0 ? Fixed(rating.peak(), 0) : "-",
                    rating.fibs_rating() > 0 ? Fixed(rating.fibs_rating(), 0) : "-", marks});
  }
  if (rows.size() > 1) context.out() << TableText(rows);
  const v1::Conduct& conduct = answer->conduct();
  if (conduct.no_shows() > 0) {
    context.out() << "Did not show up for " << conduct.no_shows() << " of the last "
                  << conduct.games() << " rated games.\n";
  }
  return absl::OkStatus();
}

// ---- history

struct HistoryOptions {
  std::string player;
  std::string pool;
  std::string svg;
  int last = 50;
  bool json = false;
};

absl::Status RunHistory(Context& context, const HistoryOptions& options) {
  Client& client = context.Anonymous();
  const auto player = FindPlayer(client, options.player);
  if (!player.ok()) return player.status();
  v1::ListRatingStepsRequest request;
  request.set_player_id(player->player_id());
  request.set_pool_id(options.pool);
  RatingClient ratings(client.options());
  std::vector<v1::RatingStep> steps;
  do {
    request.set_page_size(std::min(1'000, options.last - static_cast<int>(steps.size())));
    const auto page = ratings.Call(request);
    if (!page.ok()) return page.status();
    steps.insert(steps.end(), page->steps().begin(), page->steps().end());
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty() && static_cast<int>(steps.size()) < options.last);
  if (options.json) {
    for (const v1::RatingStep& step : steps) context.out() << JsonLine(step) << "\n";
  } else {
    std::vector<std::vector<std::string>> rows = {
        {"ENDED (UTC)", "MATCH", "TO", "PLACE", "BEFORE", "AFTER", "CHANGE", ""}};
    for (const v1::RatingStep& step : steps) {
      std::string place = "-";
      for (int seat = 0; seat < step.player_ids_size() && seat < step.places_size(); ++seat) {
        if (step.player_ids(seat) == player->player_id()) {
          place =
              std::to_string(step.places(seat)) + " of " + std::to_string(step.player_ids_size());
        }
      }
      rows.push_back({TimeText(step.finish_time()), step.match_id(), std::to_string(step.length()),
                      place, Fixed(step.rating_before(), 0),
                      Fixed(step.rating_after(), 0) + " +-" + Fixed(2 * step.deviation_after(), 0),
                      ChangeText(step.rating_after() - step.rating_before()), step.reason()});
    }
    context.out() << TableText(rows);
  }
  if (options.svg.empty()) return absl::OkStatus();
  std::ofstream file(options.svg);
  file << HistoryChart(player->name() + ", " + options.pool, steps);
  file.close();
  if (!file) return absl::FailedPreconditionError("Cannot write " + options.svg);
  context.err() << "Drawn to " << options.svg << "\n";
  return absl::OkStatus();
}

// ---- head-to-head, predict

struct PairOptions {
  std::string one;
  std::string other;
  bool json = false;
};

absl::Status RunHeadToHead(Context& context, const PairOptions& options) {
  Client& client = context.Anonymous();
  const auto one = FindPlayer(client, options.one);
  if (!one.ok()) return one.status();
  const auto other = FindPlayer(client, options.other);
  if (!other.ok()) return other.status();
  v1::GetHeadToHeadRequest request;
  request.set_player_id(one->player_id());
  request.set_opponent_id(other->player_id());
  const auto answer = RatingClient(client.options()).Call(request);
  if (!answer.ok()) return answer.status();
  if (options.json) {
    context.out() << JsonDocument(*answer) << "\n";
    return absl::OkStatus();
  }
  if (answer->records().empty()) context.err() << "They have not met in a rated match yet.\n";
  std::vector<std::vector<std::string>> rows = {
      {"POOL", "MATCHES", one->name(), "DRAWN", other->name()}};
  for (const v1::HeadToHead& record : answer->records()) {
    rows.push_back({record.pool_id(), std::to_string(record.matches()),
                    std::to_string(record.wins()), std::to_string(record.draws()),
                    std::to_string(record.losses())});
  }
  if (rows.size() > 1) context.out() << TableText(rows);
  return absl::OkStatus();
}

struct PredictOptions {
  std::string pool;
  std::vector<std::string> players;
  int length = 1;
  bool json = false;
};

absl::Status RunPredict(Context& context, const PredictOptions& options) {
  Client& client = context.Anonymous();
  v1::PredictResultRequest request;
  request.set_pool_id(options.pool);
  request.set_length(options.length);
  for (const std::string& name : options.players) {
    const auto player = FindPlayer(client, name);
    if (!player.ok()) return player.status();
    request.add_player_ids(player->player_id());
  }
  const auto answer = RatingClient(client.options()).Call(request);
  if (!answer.ok()) return answer.status();
  if (options.json) {
    context.out() << JsonDocument(*answer) << "\n";
    return absl::OkStatus();
  }
  std::vector<std::vector<std::string>> rows = {
      {"PLAYER", "RATING", "EXPECTED", "WINS", "DRAWS", "LOSES"}};
  for (const v1::Prediction& prediction : answer->predictions()) {
    rows.push_back({prediction.rating().player_name(), RatingText(prediction.rating()),
                    Fixed(100 * prediction.expected(), 1) + " %",
                    ChangeText(prediction.win_change()), ChangeText(prediction.draw_change()),
                    ChangeText(prediction.loss_change())});
  }
  context.out() << TableText(rows);
  return absl::OkStatus();
}

}  // namespace

Action DefineRatingsList(CLI::App& app) {
  auto options = std::make_shared<ListOptions>();
  app.add_option("POOL", options->pool, "A pool (default: all pools are listed)");
  app.add_option("--around", options->around, "Those around this player");
  app.add_option("--on", options->on,
                 "As it was: official, latest or a day as 2026-11-01 (default: as it is now)");
  app.add_option("--size", options->size, "How many (default: 50)")->check(CLI::Range(1, 1'000));
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) { return RunList(context, *options); };
}

Action DefineRatingsSnapshots(CLI::App& app) {
  auto options = std::make_shared<SnapshotsOptions>();
  app.add_option("POOL", options->pool, "A pool of `astragal ratings list`")->required();
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) { return RunSnapshots(context, *options); };
}

Action DefineRatingsShow(CLI::App& app) {
  auto options = std::make_shared<ShowOptions>();
  app.add_option("PLAYER", options->player, "A name or an id")->required();
  app.add_option("--pool", options->pool, "In this pool only");
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) { return RunShow(context, *options); };
}

Action DefineRatingsHistory(CLI::App& app) {
  auto options = std::make_shared<HistoryOptions>();
  app.add_option("PLAYER", options->player, "A name or an id")->required();
  app.add_option("POOL", options->pool, "A pool of `astragal ratings list`")->required();
  app.add_option("--last", options->last, "How many matches")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--svg", options->svg, "Draw it as a chart, to this file");
  app.add_flag("--json", options->json, "One line for each match, newest first");
  return [options](Context& context) { return RunHistory(context, *options); };
}

Action DefineRatingsHeadToHead(CLI::App& app) {
  auto options = std::make_shared<PairOptions>();
  app.add_option("PLAYER", options->one, "A name or an id")->required();
  app.add_option("OPPONENT", options->other, "A name or an id")->required();
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) { return RunHeadToHead(context, *options); };
}

Action DefineRatingsPredict(CLI::App& app) {
  auto options = std::make_shared<PredictOptions>();
  app.add_option("POOL", options->pool, "A pool of `astragal ratings list`")->required();
  app.add_option("PLAYERS", options->players, "Names or ids, seat 0 first")->required();
  app.add_option("--length", options->length, "Points of the match")
      ->check(CLI::Range(1, 1'000))
      ->capture_default_str();
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) { return RunPredict(context, *options); };
}

}  // namespace astragal::cli
