// Games that have ended, by what they were, and whether their throws look like chance.
#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "services/cli/context.h"
#include "services/cli/day.h"
#include "services/cli/game_text.h"
#include "services/cli/json.h"
#include "services/cli/record_client.h"
#include "services/cli/record_commands.h"
#include "services/cli/seats.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

struct FindOptions {
  std::string player;
  std::string opponent;
  int place = 0;
  std::string ruleset;
  std::vector<std::string> options;
  std::string ending;
  std::string since;
  std::string until;
  uint32_t least_events = 0;
  uint32_t most_events = 0;
  std::string match;
  std::string tournament;
  int limit = 20;
  bool numbers = false;
  bool json = false;
};

// "timed_out" is GAME_ENDING_TIMED_OUT.
std::string EndingWord(v1::GameEnding ending) {
  return absl::AsciiStrToLower(v1::GameEnding_Name(ending).substr(sizeof("GAME_ENDING_") - 1));
}

std::vector<std::string> EndingWords() {
  std::vector<std::string> words;
  for (int number = 1; v1::GameEnding_IsValid(number); ++number) {
    words.push_back(EndingWord(static_cast<v1::GameEnding>(number)));
  }
  return words;
}

v1::GameEnding EndingOf(const std::string& word) {
  v1::GameEnding ending = v1::GAME_ENDING_UNSPECIFIED;
  v1::GameEnding_Parse("GAME_ENDING_" + absl::AsciiStrToUpper(word), &ending);
  return ending;
}

// The id of a player by name; nothing for no name.
absl::Status ReadPlayer(Context& context, const std::string& name, std::string* id) {
  if (name.empty()) return absl::OkStatus();
  v1::GetPlayerRequest get;
  get.set_name(name);
  const auto player = context.Anonymous().Call(get);
  if (player.ok()) *id = player->player().player_id();
  return player.status();
}

absl::Status ReadConditions(Context& context, const FindOptions& options,
                            v1::GameConditions& conditions) {
  conditions.set_place(options.place);
  conditions.set_ruleset_id(options.ruleset);
  conditions.set_ending(EndingOf(options.ending));
  conditions.set_least_events(options.least_events);
  conditions.set_most_events(options.most_events);
  conditions.set_match_id(options.match);
  conditions.set_tournament_id(options.tournament);
  absl::Status read = ReadPlayer(context, options.player, conditions.mutable_player_id());
  if (read.ok()) read = ReadPlayer(context, options.opponent, conditions.mutable_opponent_id());
  for (const std::string& option : options.options) {
    if (read.ok()) read = ReadGameOption(option, *conditions.mutable_options());
  }
  if (read.ok() && !options.since.empty()) {
    read = ReadDay(options.since, *conditions.mutable_ended_from());
  }
  if (read.ok() && !options.until.empty()) {
    read = ReadDay(options.until, *conditions.mutable_ended_until());
  }
  return read;
}

void PrintFound(Context& context, const v1::FindGamesResponse& found) {
  std::vector<std::vector<std::string>> rows = {
      {"GAME", "RULESET", "EVENTS", "ENDED (UTC)", "RESULT"}};
  for (const v1::Game& game : found.games()) {
    std::vector<v1::Seat> seats(game.seats().begin(), game.seats().end());
    const Seats names(game);
    for (v1::Seat& seat : seats) seat.set_name(names.Name(seat.seat()));
    rows.push_back({game.game_id(), game.ruleset_id(), std::to_string(game.sequence()),
                    TimeText(game.update_time()), ResultText(seats, game.ending())});
  }
  context.out() << TableText(rows);
  if (found.games().empty()) context.err() << "No such games.\n";
}

std::string Number(const char* format, double value) {
  std::array<char, 32> text;
  const int length = std::snprintf(text.data(), text.size(), format, value);
  return {text.data(), static_cast<size_t>(length)};
}

void PrintNumbers(Context& context, const v1::GetGameStatisticsResponse& numbers) {
  context.out() << (numbers.has_more() ? "The latest " : "") << numbers.games() << " games\n\n";
  std::vector<std::vector<std::string>> rows = {{"ENDED", "GAMES"}};
  for (const v1::EndingCount& ending : numbers.endings()) {
    rows.push_back({EndingWord(ending.ending()), std::to_string(ending.games())});
  }
  for (int seat = 0; seat < numbers.wins_by_seat_size(); ++seat) {
    rows.push_back(
        {"won by seat " + std::to_string(seat), std::to_string(numbers.wins_by_seat(seat))});
  }
  rows.push_back({"first place shared", std::to_string(numbers.draws())});
  context.out() << TableText(rows) << "\nEvents of a game: " << numbers.least_events() << " to "
                << numbers.most_events() << ", in the middle " << numbers.median_events()
                << "\nFrom creation to end, in the middle: "
                << Number("%.1f s", static_cast<double>(numbers.median_duration_ms()) / 1'000)
                << "\n";
}

absl::Status RunNumbers(Context& context, RecordClient& client, v1::GameConditions conditions,
                        const FindOptions& options) {
  v1::GetGameStatisticsRequest request;
  request.set_games(1'000);
  *request.mutable_conditions() = std::move(conditions);
  const auto numbers = client.Call(request);
  if (!numbers.ok()) return numbers.status();
  if (options.json) {
    context.out() << JsonDocument(*numbers) << "\n";
  } else {
    PrintNumbers(context, *numbers);
  }
  return absl::OkStatus();
}

absl::Status RunFind(Context& context, const FindOptions& options) {
  v1::FindGamesRequest request;
  absl::Status read = ReadConditions(context, options, *request.mutable_conditions());
  if (!read.ok()) return read;
  RecordClient client = RecordClientFor(context);
  if (options.numbers) return RunNumbers(context, client, request.conditions(), options);
  v1::FindGamesResponse all;
  do {
    request.set_page_size(options.limit - all.games_size());
    const auto page = client.Call(request);
    if (!page.ok()) return page.status();
    all.MergeFrom(*page);
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty() && all.games_size() < options.limit);
  const bool has_more = !request.page_token().empty();
  if (options.json) {
    all.clear_next_page_token();
    context.out() << JsonDocument(all) << "\n";
    return absl::OkStatus();
  }
  PrintFound(context, all);
  if (has_more) context.err() << "There may be more; --limit N shows N.\n";
  return absl::OkStatus();
}

struct ThrowsOptions {
  std::string ruleset;
  std::string player;
  int games = 0;
  bool json = false;
};

void PrintKind(Context& context, const v1::ThrowKindStatistics& kind) {
  uint64_t throws = 0;
  double weights = 0;
  for (const uint64_t count : kind.counts()) throws += count;
  for (const v1::ThrowOutcome& outcome : kind.kind().outcomes()) weights += outcome.weight();
  context.out() << "\n" << kind.kind().name() << ": " << throws << " throws\n";
  std::vector<std::vector<std::string>> rows = {{"OUTCOME", "CAME", "SHARE", "DUE"}};
  for (int i = 0; i < kind.counts_size() && i < kind.kind().outcomes_size(); ++i) {
    const double came = static_cast<double>(kind.counts(i));
    const double share = throws == 0 ? 0 : came / static_cast<double>(throws);
    rows.push_back({kind.kind().outcomes(i).label(), std::to_string(kind.counts(i)),
                    Number("%.2f %%", 100 * share),
                    Number("%.2f %%", 100 * kind.kind().outcomes(i).weight() / weights)});
  }
  context.out() << TableText(rows);
  rows = {{"TEST", "P"}};
  for (const v1::ThrowTest& test : kind.tests()) {
    rows.push_back({test.name(), Number("%.4f", test.p_value())});
  }
  if (rows.size() > 1) context.out() << "\n" << TableText(rows);
}

absl::Status RunThrows(Context& context, const ThrowsOptions& options) {
  v1::GetThrowStatisticsRequest request;
  request.set_ruleset_id(options.ruleset);
  request.set_games(options.games);
  const absl::Status read = ReadPlayer(context, options.player, request.mutable_player_id());
  if (!read.ok()) return read;
  const auto answer = RecordClientFor(context).Call(request);
  if (!answer.ok()) return answer.status();
  if (options.json) {
    context.out() << JsonDocument(*answer) << "\n";
    return absl::OkStatus();
  }
  context.out() << answer->games() << " games of " << options.ruleset << ", rules version "
                << answer->rules_version() << "\n";
  for (const v1::ThrowKindStatistics& kind : answer->kinds()) PrintKind(context, kind);
  context.out()
      << "\nP is how often honest dice look at least so odd: of a thousand such tests one "
         "is below 0.001.\n";
  return absl::OkStatus();
}

}  // namespace

Action DefineFind(CLI::App& app) {
  auto options = std::make_shared<FindOptions>();
  auto* player = app.add_option("--of", options->player, "Held a seat, by name");
  app.add_option("--against", options->opponent, "Held a seat, too, by name")->needs(player);
  app.add_option("--place", options->place, "Place of --of in the result; 1: won")
      ->needs(player)
      ->check(CLI::PositiveNumber);
  auto* ruleset = app.add_option("--ruleset", options->ruleset, "Only of this ruleset");
  app.add_option("--option", options->options, "NAME=VALUE, as the game was created")
      ->needs(ruleset);
  app.add_option("--ending", options->ending, "How it ended")->check(CLI::IsMember(EndingWords()));
  app.add_option("--since", options->since, "Ended on this day (UTC) or later: 2026-11-30");
  app.add_option("--until", options->until, "Ended before this day");
  app.add_option("--least-events", options->least_events, "At least so long");
  app.add_option("--most-events", options->most_events, "At most so long");
  app.add_option("--match", options->match, "Only of this match");
  app.add_option("--tournament", options->tournament, "Only of this tournament");
  app.add_option("--limit", options->limit, "At most so many")
      ->check(CLI::Range(1, 1'000))
      ->capture_default_str();
  app.add_flag("--numbers", options->numbers,
               "What the latest 1,000 of them were like, in numbers");
  app.add_flag("--json", options->json, "Print the games as JSON");
  return [options](Context& context) { return RunFind(context, *options); };
}

Action DefineThrows(CLI::App& app) {
  auto options = std::make_shared<ThrowsOptions>();
  app.add_option("RULESET", options->ruleset, "Of which ruleset")->required();
  app.add_option("--of", options->player, "Only the throws of this player, by name");
  app.add_option("--games", options->games, "So many of the latest games (default: 200)")
      ->check(CLI::Range(1, 1'000));
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) { return RunThrows(context, *options); };
}

}  // namespace astragal::cli
