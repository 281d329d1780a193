// A whole tournament of bots over the wire, without a person.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>
#include <random>
#include <string>

#include "absl/time/clock.h"
#include "services/cli/context.h"
#include "services/cli/json.h"
#include "services/cli/tournament_bots.h"
#include "services/cli/tournament_client.h"
#include "services/cli/tournament_commands.h"
#include "services/cli/tournament_text.h"

namespace astragal::cli {
namespace {

constexpr absl::Duration kLook = absl::Milliseconds(100);
constexpr int64_t kArenaSeconds = 60;
// Challenges of a ladder, for each player.
constexpr int kChallenges = 3;

struct DemoOptions {
  TournamentOptions terms;
  TournamentBots::Options bots;
  int players = 8;
  int top = 20;
  bool json = false;
};

// Holds the tournament: the first of the bots is its owner, the others play.
class Demo {
 public:
  Demo(Context& context, const DemoOptions& options, TournamentBots& bots)
      : context_(context), options_(options), bots_(bots), client_(bots.client(0)) {}

  absl::Status Run() {
    const absl::Time begun = absl::Now();
    if (absl::Status created = Create(); !created.ok()) return created;
    if (absl::Status full = Register(); !full.ok()) return full;
    if (absl::Status played = PlayOn(); !played.ok()) return played;
    if (absl::Status shown = PrintStandings(); !shown.ok()) return shown;
    context_.err() << bots_.games() << " games, " << bots_.turns() << " turns in "
                   << absl::FormatDuration(
                          absl::Trunc(absl::Now() - begun, absl::Milliseconds(100)))
                   << ". More: " << context_.ProgramForOthers() << " tournament export " << id_
                   << " crosstable\n";
    return absl::OkStatus();
  }

 private:
  absl::Status Create() {
    v1::CreateTournamentRequest request;
    v1::TournamentTerms& terms = *request.mutable_terms();
    if (absl::Status read = ReadTournament(options_.terms, terms); !read.ok()) return read;
    terms.set_name("Demo of " + options_.terms.ruleset);
    terms.set_max_players(options_.players);
    const bool arena = terms.format() == v1::TOURNAMENT_FORMAT_ARENA;
    if (arena && terms.duration_seconds() == 0) terms.set_duration_seconds(kArenaSeconds);
    const auto created = client_.Call(request);
    if (!created.ok()) return created.status();
    id_ = created->tournament().tournament_id();
    context_.err() << "Tournament " << id_ << ": " << options_.players << " " << options_.bots.bot
                   << " bots, " << options_.terms.format << ", seed " << options_.bots.seed << "\n";
    return absl::OkStatus();
  }

  absl::Status Register() {
    const Client* const owner = &bots_.client(0);
    return bots_.ForEach([&](Client& player) -> absl::Status {
      if (&player == owner) return absl::OkStatus();
      v1::RegisterRequest request;
      request.set_tournament_id(id_);
      return TournamentClient(player).Call(request).status();
    });
  }

  // Has the bots play whatever is published, until it is over.
  absl::Status PlayOn() {
    v1::GetTournamentRequest get;
    get.set_tournament_id(id_);
    uint32_t seen = 0;
    while (true) {
      if (absl::Status failed = bots_.status(); !failed.ok()) return failed;
      const auto now = client_.Call(get);
      if (!now.ok()) return now.status();
      const v1::Tournament& tournament = now->tournament();
      if (tournament.version() == seen) {
        absl::SleepFor(kLook);
        continue;
      }
      seen = tournament.version();
      for (int round = over_ + 1; round <= tournament.rounds_published(); ++round) {
        if (absl::Status posted = PlayRound(tournament, round); !posted.ok()) return posted;
      }
      if (tournament.status() == v1::TOURNAMENT_STATUS_FINISHED) return absl::OkStatus();
      if (tournament.terms().format() == v1::TOURNAMENT_FORMAT_LADDER &&
          tournament.status() == v1::TOURNAMENT_STATUS_RUNNING &&
          tournament.rounds_closed() == tournament.rounds_published()) {
        if (absl::Status climbed = Climb(tournament); !climbed.ok()) return climbed;
      }
      if (tournament.status() == v1::TOURNAMENT_STATUS_CANCELLED) {
        return absl::FailedPreconditionError("The tournament was cancelled.");
      }
    }
  }

  // Everybody challenges whoever stands directly above, the lowest first; after some rounds of it
  // the ladder ends.
  absl::Status Climb(const v1::Tournament& tournament) {
    if (tournament.rounds_published() >= kChallenges * options_.players) {
      v1::FinishTournamentRequest finish;
      finish.mutable_header()->set_tournament_id(id_);
      finish.mutable_header()->add_accept_warnings("ROUNDS_LEFT");
      return client_.Call(finish).status();
    }
    v1::ListStandingsRequest list;
    list.set_tournament_id(id_);
    list.set_page_size(1'000);
    const auto standings = client_.Call(list);
    if (!standings.ok()) return standings.status();
    // Every other pair, and each time the other ones.
    const int from = std::max(1, standings->rows_size() - 1 - climbs_);
    climbs_ = 1 - climbs_;
    for (int row = from; row >= 1; row -= 2) {
      v1::ChallengeRequest challenge;
      challenge.set_tournament_id(id_);
      challenge.set_player_id(standings->rows(row - 1).player_id());
      Client* const challenger = bots_.Find(standings->rows(row).player_id());
      if (challenger == nullptr) return absl::InternalError("A stranger is in the ladder.");
      const auto made = TournamentClient(*challenger).Call(challenge);
      if (!made.ok()) return made.status();
    }
    return absl::OkStatus();
  }

  absl::Status PlayRound(const v1::Tournament& tournament, int number) {
    const auto round = client_.WholeRound(id_, number);
    if (!round.ok()) return round.status();
    if (number > announced_) {
      announced_ = number;
      context_.err() << "Round " << number;
      if (tournament.rounds_planned() > 0) {
        context_.err() << " of " << tournament.rounds_planned();
      }
      context_.err() << ": " << round->round().pairings() << " pairings\n";
    }
    for (const v1::Pairing& pairing : round->pairings()) {
      const bool open = pairing.sides(0).result() == v1::PAIRING_RESULT_UNSPECIFIED &&
                        pairing.sides(0).place() == 0;
      if (open) bots_.Play(pairing.match_id());
    }
    const bool done = round->round().stage() == v1::ROUND_STAGE_CLOSED;
    if (done && number == over_ + 1) ++over_;
    return absl::OkStatus();
  }

  absl::Status PrintStandings() {
    v1::ListStandingsRequest request;
    request.set_tournament_id(id_);
    request.set_page_size(options_.top);
    const auto standings = client_.Call(request);
    if (!standings.ok()) return standings.status();
    if (options_.json) {
      context_.out() << JsonDocument(*standings) << "\n";
    } else {
      context_.out() << StandingsText(*standings);
    }
    return absl::OkStatus();
  }

  Context& context_;
  const DemoOptions& options_;
  TournamentBots& bots_;
  TournamentClient client_;
  std::string id_;
  int announced_ = 0;
  int over_ = 0;  // rounds that are, from the first
  int climbs_ = 0;
};

absl::Status RunDemo(Context& context, DemoOptions options) {
  if (options.bots.seed == 0) options.bots.seed = std::random_device{}();
  options.bots.local.ruleset = options.terms.ruleset;
  TournamentBots bots(context, options.bots);
  if (absl::Status created = bots.Create(options.players + 1); !created.ok()) return created;
  return Demo(context, options, bots).Run();
}

}  // namespace

Action DefineTournamentDemo(CLI::App& app) {
  auto options = std::make_shared<DemoOptions>();
  AddTournamentOptions(app, options->terms);
  app.add_option("--players", options->players, "How many bots")
      ->check(CLI::Range(2, 20'000))
      ->capture_default_str();
  app.add_option("--bot", options->bots.bot, "Who plays: random, greedy, expectimax, greedy@60")
      ->capture_default_str();
  app.add_option("--plugins", options->bots.local.plugins,
                 "Folder of ruleset libraries (default: this build's)");
  app.add_option("--seed", options->bots.seed, "Fixes their choices; the throws are the server's");
  app.add_option("--threads", options->bots.threads, "Matches played at a time")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--top", options->top, "Lines of the standings that are shown")
      ->check(CLI::Range(1, 1'000))
      ->capture_default_str();
  app.add_flag("--json", options->json, "Print the standings as JSON");
  return [options](Context& context) { return RunDemo(context, *options); };
}

}  // namespace astragal::cli
