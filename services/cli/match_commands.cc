// Matches: several games between the same players, with one score.
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "services/cli/clock_text.h"
#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/errors.h"
#include "services/cli/game_text.h"
#include "services/cli/json.h"
#include "services/cli/match_options.h"
#include "services/cli/match_text.h"
#include "services/cli/operator.h"
#include "services/cli/retry.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

void PrintMatch(Context& context, const v1::Match& match) {
  std::ostream& out = context.out();
  out << context.terminal().Bold(MatchScoreText(match)) << "\n"
      << match.ruleset_id() << " " << MatchTermsText(match.terms()) << "; "
      << MatchStatusText(match) << "\n";
  for (const v1::MatchGame& game : match.games()) out << "  " << MatchGameText(match, game) << "\n";
}

// ---- new

struct NewOptions {
  std::string operator_key;
  std::string ruleset;
  std::vector<std::string> players;
  std::string preset;
  std::vector<std::string> options;
  MatchOptions match;
  std::string clock;
  bool rated = false;
  bool contributions = false;
  bool unlisted = false;
  bool is_private = false;
  bool json = false;
};

absl::Status SetPlayers(Client& client, const NewOptions& options,
                        v1::CreateMatchRequest& request) {
  for (const std::string& name : options.players) {
    v1::GetPlayerRequest get;
    get.set_name(name);
    const auto player = client.Call(get);
    if (!player.ok()) return player.status();
    request.add_player_ids(player->player().player_id());
  }
  return absl::OkStatus();
}

absl::StatusOr<v1::CreateMatchRequest> NewRequest(Client& client, const NewOptions& options) {
  v1::CreateMatchRequest request;
  request.set_ruleset_id(options.ruleset);
  request.set_preset(options.preset);
  for (const std::string& option : options.options) {
    if (absl::Status read = ReadGameOption(option, *request.mutable_options()); !read.ok()) {
      return read;
    }
  }
  if (!options.clock.empty()) {
    const absl::StatusOr<v1::ClockPolicy> clock = ReadClockPolicy(options.clock);
    if (!clock.ok()) return clock.status();
    *request.mutable_clock_policy() = *clock;
  }
  if (absl::Status read = ReadMatch(options.match, *request.mutable_terms()); !read.ok()) {
    return read;
  }
  request.set_rated(options.rated);
  request.set_invite_contributions(options.contributions);
  if (options.unlisted) request.set_visibility(v1::GAME_VISIBILITY_UNLISTED);
  if (options.is_private) request.set_visibility(v1::GAME_VISIBILITY_PRIVATE);
  if (absl::Status set = SetPlayers(client, options, request); !set.ok()) return set;
  return request;
}

absl::Status RunNew(Context& context, const NewOptions& options) {
  const auto client = AsOperator(context, options.operator_key);
  if (!client.ok()) return client.status();
  // Who the players are is public: the operator is no player.
  const auto request = NewRequest(context.Anonymous(), options);
  if (!request.ok()) return request.status();
  const auto created = (*client)->Call(*request);
  if (!created.ok()) return created.status();
  const v1::Match& match = created->match();
  if (options.json) {
    context.out() << JsonDocument(match) << "\n";
    return absl::OkStatus();
  }
  // The id alone goes to standard output, so that a script can take it.
  context.out() << match.match_id() << "\n" << std::flush;
  context.err() << "A match " << MatchTermsText(match.terms())
                << ". The players type:  " << context.ProgramForOthers() << " play "
                << match.games(0).game_id() << "\n";
  return absl::OkStatus();
}

// ---- show, list, next

struct ReadOptions {
  std::string match;
  std::string player;
  int limit = 20;
  bool json = false;
};

// A player if one is known here: a private match is there for its players.
Client& Reader(Context& context) {
  const absl::StatusOr<Client*> player = context.AsPlayer();
  return player.ok() ? **player : context.Anonymous();
}

absl::Status RunShow(Context& context, const ReadOptions& options) {
  v1::GetMatchRequest request;
  request.set_match_id(options.match);
  const auto answer = Reader(context).Call(request);
  if (!answer.ok()) return answer.status();
  if (options.json) {
    context.out() << JsonDocument(answer->match()) << "\n";
  } else {
    PrintMatch(context, answer->match());
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> PlayerId(Context& context, const std::string& name) {
  if (name.empty()) {
    const absl::StatusOr<Client*> client = context.AsPlayer();
    if (!client.ok()) return client.status();
    const auto me = (*client)->Call(v1::WhoAmIRequest());
    if (!me.ok()) return me.status();
    return me->player().player_id();
  }
  v1::GetPlayerRequest get;
  get.set_name(name);
  const auto player = context.Anonymous().Call(get);
  if (!player.ok()) return player.status();
  return player->player().player_id();
}

absl::Status RunList(Context& context, const ReadOptions& options) {
  const absl::StatusOr<std::string> player = PlayerId(context, options.player);
  if (!player.ok()) return player.status();
  v1::ListMatchesRequest request;
  request.set_player_id(*player);
  request.set_page_size(options.limit);
  const auto answer = Reader(context).Call(request);
  if (!answer.ok()) return answer.status();
  if (options.json) {
    context.out() << JsonDocument(*answer) << "\n";
    return absl::OkStatus();
  }
  std::vector<std::vector<std::string>> rows = {{"MATCH", "RULESET", "TERMS", "SCORE", "STATUS"}};
  for (const v1::Match& match : answer->matches()) {
    rows.push_back({match.match_id(), match.ruleset_id(), MatchTermsText(match.terms()),
                    MatchScoreText(match), MatchStatusText(match)});
  }
  context.out() << TableText(rows);
  return absl::OkStatus();
}

absl::Status RunNext(Context& context, const ReadOptions& options) {
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  v1::GetMatchRequest get;
  get.set_match_id(options.match);
  const auto match = (*client)->Call(get);
  if (!match.ok()) return match.status();
  v1::StartNextGameRequest request;
  request.set_match_id(options.match);
  // By its number, so that a repeat is not another game.
  request.set_number(static_cast<uint32_t>(match->match().games_size() + 1));
  const auto started = (*client)->Call(request);
  if (!started.ok()) return started.status();
  if (options.json) {
    context.out() << JsonDocument(*started) << "\n";
    return absl::OkStatus();
  }
  context.out() << started->game_id() << "\n" << std::flush;
  context.err() << "Go on with:  " << context.ProgramForOthers() << " play " << started->game_id()
                << "\n";
  return absl::OkStatus();
}

// ---- watch

// Opens the stream again while the server is away: each one begins with the match as it stands.
absl::Status RunWatch(Context& context, const ReadOptions& options) {
  v1::WatchMatchRequest request;
  request.set_match_id(options.match);
  Client& client = Reader(context);
  base::SystemRandom random;
  Backoff backoff(random);
  std::optional<absl::Time> lost_at;
  std::string shown;
  for (;;) {
    StreamStop stop;
    bool over = false;
    const absl::Status ended =
        client.Stream(request, stop, [&](const v1::WatchMatchResponse& message) {
          backoff.Reset();
          lost_at.reset();
          if (!message.has_match()) return true;
          over = message.match().status() == v1::MATCH_STATUS_OVER;
          const std::string line = JsonLine(message.match());
          if (line == std::exchange(shown, line)) return true;
          if (options.json) {
            context.out() << line << "\n" << std::flush;
          } else {
            PrintMatch(context, message.match());
            context.out() << "\n" << std::flush;
          }
          return true;
        });
    if (over) return absl::OkStatus();
    if (!ended.ok() && !IsWorthRepeating(ended)) return ended;
    if (!lost_at) lost_at = absl::Now();
    if (absl::Now() - *lost_at > absl::Seconds(1) * context.global().timeout_s) {
      return ended.ok() ? absl::UnavailableError("The server ends every stream.") : ended;
    }
    absl::SleepFor(backoff.Next(ended));
  }
}

std::shared_ptr<ReadOptions> AddMatch(CLI::App& app) {
  auto options = std::make_shared<ReadOptions>();
  app.add_option("MATCH", options->match, "The match's id")->required();
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return options;
}

}  // namespace

Action DefineMatchNew(CLI::App& app) {
  auto options = std::make_shared<NewOptions>();
  AddOperatorKey(app, options->operator_key);
  app.add_option("RULESET", options->ruleset, "What is played; see `rulesets`")->required();
  app.add_option("PLAYER", options->players, "Names of the players, by seat of the first game")
      ->required()
      ->expected(2, 4);
  app.add_option("--preset", options->preset, "A preset of the ruleset");
  app.add_option("--option", options->options, "NAME=VALUE of a rule; may be repeated")
      ->allow_extra_args(false);
  AddMatchOptions(app, options->match)->required();
  app.add_option("--clock", options->clock, "KIND:RESERVE+INCREMENT, for example delay:14m+8s");
  app.add_flag("--rated", options->rated, "Its games count for ratings");
  app.add_flag("--contributions", options->contributions,
               "Each game waits up to 4 seconds for what the players add to its dice");
  CLI::Option* const unlisted =
      app.add_flag("--unlisted", options->unlisted, "Only for those who know its id");
  app.add_flag("--private", options->is_private, "Only for its players")->excludes(unlisted);
  app.add_flag("--json", options->json, "Print the match as JSON");
  return [options](Context& context) { return RunNew(context, *options); };
}

Action DefineMatchShow(CLI::App& app) {
  auto options = AddMatch(app);
  return [options](Context& context) { return RunShow(context, *options); };
}

Action DefineMatchList(CLI::App& app) {
  auto options = std::make_shared<ReadOptions>();
  app.add_option("PLAYER", options->player, "A player's name (default: yours)");
  app.add_option("--limit", options->limit, "How many at most")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) { return RunList(context, *options); };
}

Action DefineMatchNext(CLI::App& app) {
  auto options = AddMatch(app);
  return [options](Context& context) { return RunNext(context, *options); };
}

Action DefineMatchWatch(CLI::App& app) {
  auto options = AddMatch(app);
  return [options](Context& context) { return RunWatch(context, *options); };
}

}  // namespace astragal::cli
