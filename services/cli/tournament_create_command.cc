// How a tournament is held, as it is typed; and creating one.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "services/cli/clock_text.h"
#include "services/cli/context.h"
#include "services/cli/errors.h"
#include "services/cli/game_text.h"
#include "services/cli/json.h"
#include "services/cli/tournament_client.h"
#include "services/cli/tournament_commands.h"
#include "services/cli/tournament_text.h"

namespace astragal::cli {
namespace {

struct CreateOptions {
  TournamentOptions terms;
  std::string name;
  std::string file;  // of an import
  std::string start;
  std::string check_in;
  std::string pause;
  std::vector<std::string> tie_breaks;
  std::string then;  // a format
  std::string rest;  // before it
  int qualify = 0;
  int max_players = 0;
  int min_rating = 0;
  int max_rating = 0;
  int min_matches = 0;
  int min_completion = 0;
  bool no_provisional = false;
  std::string code;
  bool manual = false;
  bool draft = false;
  bool unlisted = false;
  bool is_private = false;
  bool json = false;
};

// "+30m" from now, or a time as RFC 3339 has it.
absl::StatusOr<absl::Time> ReadStart(const std::string& typed) {
  if (typed.starts_with('+')) {
    const absl::StatusOr<int64_t> ms = ReadDurationMs(std::string_view(typed).substr(1));
    if (!ms.ok()) return ms.status();
    return absl::Now() + absl::Milliseconds(*ms);
  }
  absl::Time time;
  std::string why;
  if (absl::ParseTime(absl::RFC3339_full, typed, &time, &why)) return time;
  return UsageError("A start is a time like 2026-12-01T18:00:00Z, or +30m from now.");
}

absl::Status ReadTimes(const CreateOptions& options, v1::TournamentTerms& terms) {
  if (!options.start.empty()) {
    const absl::StatusOr<absl::Time> start = ReadStart(options.start);
    if (!start.ok()) return start.status();
    terms.mutable_start_time()->set_seconds(absl::ToUnixSeconds(*start));
  }
  for (const auto& [typed, set] :
       {std::pair{options.check_in, &v1::TournamentTerms::set_check_in_seconds},
        std::pair{options.pause, &v1::TournamentTerms::set_pause_seconds}}) {
    if (typed.empty()) continue;
    const absl::StatusOr<int64_t> ms = ReadDurationMs(typed);
    if (!ms.ok()) return ms.status();
    (terms.*set)(*ms / 1'000);
  }
  return absl::OkStatus();
}

absl::Status ReadNextStage(const CreateOptions& options, v1::TournamentTerms& terms) {
  if (options.then.empty()) return absl::OkStatus();
  v1::NextStage& next = *terms.mutable_next_stage();
  next.set_format(FormatFromWord(options.then));
  next.set_qualify(options.qualify);
  // Said once, it is meant for both.
  next.set_losses(options.terms.losses);
  next.set_no_reset(options.terms.no_reset);
  next.set_third_place(options.terms.third_place);
  if (options.rest.empty()) return absl::OkStatus();
  const absl::StatusOr<int64_t> ms = ReadDurationMs(options.rest);
  if (!ms.ok()) return ms.status();
  next.set_break_seconds(*ms / 1'000);
  return absl::OkStatus();
}

template <typename Request>
absl::StatusOr<v1::Tournament> Make(Context& context, const Request& request) {
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  auto made = TournamentClient(**client).Call(request);
  if (!made.ok()) return made.status();
  return std::move(*made->mutable_tournament());
}

absl::StatusOr<v1::Tournament> Import(Context& context, const v1::TournamentTerms& terms,
                                      const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return UsageError("There is no file " + path + ".");
  v1::ImportTournamentRequest request;
  *request.mutable_terms() = terms;
  request.set_file(std::string(std::istreambuf_iterator<char>(file), {}));
  return Make(context, request);
}

absl::Status RunCreate(Context& context, const CreateOptions& options) {
  v1::CreateTournamentRequest request;
  v1::TournamentTerms& terms = *request.mutable_terms();
  terms.set_name(options.name);
  if (absl::Status read = ReadTournament(options.terms, terms); !read.ok()) return read;
  if (absl::Status read = ReadTimes(options, terms); !read.ok()) return read;
  if (absl::Status read = ReadNextStage(options, terms); !read.ok()) return read;
  for (const std::string& word : options.tie_breaks) terms.add_tie_breaks(word);
  terms.set_max_players(options.max_players);
  terms.set_manual(options.manual);
  v1::TournamentConditions conditions;
  conditions.set_min_rating(options.min_rating);
  conditions.set_max_rating(options.max_rating);
  conditions.set_min_matches(options.min_matches);
  conditions.set_min_completion_percent(options.min_completion);
  conditions.set_no_provisional(options.no_provisional);
  conditions.set_invite_code(options.code);
  if (conditions.ByteSizeLong() > 0) *terms.mutable_conditions() = conditions;
  if (options.unlisted) terms.mutable_play()->set_visibility(v1::GAME_VISIBILITY_UNLISTED);
  if (options.is_private) terms.mutable_play()->set_visibility(v1::GAME_VISIBILITY_PRIVATE);
  request.set_draft(options.draft);
  const absl::StatusOr<v1::Tournament> made =
      options.file.empty() ? Make(context, request) : Import(context, terms, options.file);
  if (!made.ok()) return made.status();
  const v1::Tournament& tournament = *made;
  if (options.json) {
    context.out() << JsonDocument(tournament) << "\n";
    return absl::OkStatus();
  }
  // The id alone goes to standard output, so that a script can take it.
  context.out() << tournament.tournament_id() << "\n" << std::flush;
  context.err() << TournamentText(tournament) << ". Players type:  " << context.ProgramForOthers()
                << " tournament register " << tournament.tournament_id() << "\n";
  return absl::OkStatus();
}

}  // namespace

void AddTournamentOptions(CLI::App& app, TournamentOptions& options) {
  app.add_option("--format", options.format, "How it is held")
      ->check(CLI::IsMember(FormatWords()))
      ->capture_default_str();
  app.add_option("--ruleset", options.ruleset, "What is played; see `rulesets`")
      ->capture_default_str();
  app.add_option("--preset", options.preset, "A preset of the ruleset");
  app.add_option("--option", options.options, "NAME=VALUE of a rule; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--clock", options.clock, "KIND:RESERVE+INCREMENT, for example delay:14m+8s");
  AddMatchOptions(app, options.match);
  app.add_flag("--rated", options.rated, "Its matches count for ratings");
  app.add_flag("--contributions", options.contributions,
               "Each game waits up to 4 seconds for what the players add to its dice");
  app.add_option("--rounds", options.rounds, "Rounds of a Swiss tournament (default: by the field)")
      ->check(CLI::Range(1, 999));
  app.add_option("--losses", options.losses, "Who has lost so many is out (to-losses; default: 3)")
      ->check(CLI::Range(1, 9));
  app.add_option("--engine", options.engine,
                 "What pairs a Swiss tournament (default: by the field)")
      ->check(CLI::IsMember({"dutch", "fast"}));
  app.add_option("--pairing-bye", options.bye, "Worth of being left over (default: 1)")
      ->check(CLI::IsMember({"0", "0.5", "1"}));
  CLI::Option* const sides = app.add_flag(
      "--sides", options.sides, "Sides are dealt out; otherwise the rules say who begins");
  app.add_flag("--choice", options.choice, "Of a pair the higher seed says who begins")
      ->excludes(sides);
  app.add_flag("--twice", options.twice, "Everybody meets everybody twice (round-robin)");
  app.add_flag("--no-reset", options.no_reset, "The final is one match in any case (double)");
  app.add_flag("--third-place", options.third_place, "A match for the third place (single)");
  app.add_option("--consolation", options.consolation,
                 "Losers of so many rounds play on in a consolation (single)")
      ->check(CLI::Range(0, 15));
  app.add_option("--last-chance", options.last_chance,
                 "Losers of so many rounds of it play on in a last chance")
      ->check(CLI::Range(0, 15));
  app.add_option("--duration", options.duration, "How long an arena or a ladder goes on: 45m, 30d");
  app.add_option("--scoring", options.scoring, "What a match of an arena is worth (default: plain)")
      ->check(CLI::IsMember({"plain", "race", "streaks"}));
}

absl::Status ReadTournament(const TournamentOptions& options, v1::TournamentTerms& terms) {
  terms.set_format(FormatFromWord(options.format));
  v1::ProposalTerms& play = *terms.mutable_play();
  play.set_ruleset_id(options.ruleset);
  play.set_preset(options.preset);
  for (const std::string& option : options.options) {
    if (absl::Status read = ReadGameOption(option, *play.mutable_options()); !read.ok()) {
      return read;
    }
  }
  if (!options.clock.empty()) {
    const absl::StatusOr<v1::ClockPolicy> clock = ReadClockPolicy(options.clock);
    if (!clock.ok()) return clock.status();
    *play.mutable_clock_policy() = *clock;
  }
  if (!options.match.match.empty()) {
    if (absl::Status read = ReadMatch(options.match, *play.mutable_match()); !read.ok()) {
      return read;
    }
  }
  play.set_rated(options.rated);
  play.set_invite_contributions(options.contributions);
  terms.set_rounds(options.rounds);
  terms.set_losses(options.losses);
  if (options.engine == "dutch") terms.set_engine(v1::PAIRING_ENGINE_DUTCH);
  if (options.engine == "fast") terms.set_engine(v1::PAIRING_ENGINE_FAST);
  if (!options.bye.empty()) {
    terms.set_pairing_bye_tenths(options.bye == "0" ? 0 : options.bye == "1" ? 10 : 5);
  }
  if (options.sides) terms.set_sides(v1::TOURNAMENT_SIDES_ALTERNATE);
  if (options.choice) terms.set_sides(v1::TOURNAMENT_SIDES_CHOICE);
  terms.set_twice(options.twice);
  terms.set_no_reset(options.no_reset);
  terms.set_third_place(options.third_place);
  terms.set_consolation_rounds(options.consolation);
  terms.set_last_chance_rounds(options.last_chance);
  if (!options.duration.empty()) {
    const absl::StatusOr<int64_t> ms = ReadDurationMs(options.duration);
    if (!ms.ok()) return ms.status();
    terms.set_duration_seconds(*ms / 1'000);
  }
  if (options.scoring == "race") terms.set_scoring(v1::ARENA_SCORING_RACE);
  if (options.scoring == "streaks") terms.set_scoring(v1::ARENA_SCORING_STREAKS);
  return absl::OkStatus();
}

Action DefineTournamentImport(CLI::App& app) {
  auto options = std::make_shared<CreateOptions>();
  app.add_option("NAME", options->name, "Shown to people")->required();
  app.add_option("FILE", options->file, "A tournament report file; its players play here by name")
      ->required();
  AddTournamentOptions(app, options->terms);
  app.add_flag("--manual", options->manual, "Rounds wait for a director");
  app.add_flag("--json", options->json, "Print the tournament as JSON");
  return [options](Context& context) { return RunCreate(context, *options); };
}

Action DefineTournamentCreate(CLI::App& app) {
  auto options = std::make_shared<CreateOptions>();
  app.add_option("NAME", options->name, "Shown to people")->required();
  AddTournamentOptions(app, options->terms);
  app.add_option("--max-players", options->max_players,
                 "At most so many; without --start it begins when it is full")
      ->check(CLI::Range(2, 20'000));
  app.add_option("--start", options->start, "When it begins: 2026-12-01T18:00:00Z, or +30m");
  app.add_option("--check-in", options->check_in, "Players check in so long before, e.g. 10m");
  app.add_option("--pause", options->pause, "A drafted round waits so long, e.g. 30s");
  app.add_option("--tie-breaks", options->tie_breaks, "What decides between equals: PTS,DE,BH,...")
      ->delimiter(',');
  app.add_flag("--manual", options->manual, "Rounds wait for a director");
  app.add_option("--min-rating", options->min_rating, "Players need at least this rating")
      ->check(CLI::Range(0, 9'999));
  app.add_option("--max-rating", options->max_rating, "Players need at most this rating")
      ->check(CLI::Range(0, 9'999));
  app.add_option("--min-matches", options->min_matches, "Players need so many rated matches")
      ->check(CLI::Range(0, 100'000));
  app.add_option("--min-completion", options->min_completion,
                 "Players have finished so many of a hundred games")
      ->check(CLI::Range(0, 100));
  app.add_flag("--no-provisional", options->no_provisional, "No provisional ratings");
  CLI::Option* const then =
      app.add_option("--then", options->then, "The best go on to a tournament of this format")
          ->check(CLI::IsMember({"swiss", "to-losses", "round-robin", "single", "double"}));
  CLI::Option* const qualify =
      app.add_option("--qualify", options->qualify, "How many go on to it, by the standings")
          ->check(CLI::Range(2, 512))
          ->needs(then);
  then->needs(qualify);
  app.add_option("--break", options->rest, "It begins so long after this one ends, e.g. 30m")
      ->needs(then);
  app.add_option("--code", options->code, "Only those who know it may register");
  app.add_flag("--draft", options->draft, "Registration is not open yet");
  CLI::Option* const unlisted =
      app.add_flag("--unlisted", options->unlisted, "Only for those who know its id");
  app.add_flag("--private", options->is_private, "Only for its players")->excludes(unlisted);
  app.add_flag("--json", options->json, "Print the tournament as JSON");
  return [options](Context& context) { return RunCreate(context, *options); };
}

}  // namespace astragal::cli
