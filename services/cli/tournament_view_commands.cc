// What anybody may see of a tournament.
#include <CLI/CLI.hpp>
#include <fstream>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "services/cli/context.h"
#include "services/cli/errors.h"
#include "services/cli/json.h"
#include "services/cli/rating_text.h"
#include "services/cli/retry.h"
#include "services/cli/text.h"
#include "services/cli/tournament_client.h"
#include "services/cli/tournament_commands.h"
#include "services/cli/tournament_text.h"

namespace astragal::cli {
namespace {

struct ViewOptions {
  std::string tournament;
  int round = 0;
  std::string status;
  std::string around;
  int size = 50;
  std::string content;
  std::string format;
  std::string out;
  uint32_t after = 0;
  int standings = 0;
  bool json = false;
};

// A player if one is known here: directors see drafts.
Client& Reader(Context& context) {
  const absl::StatusOr<Client*> player = context.AsPlayer();
  return player.ok() ? **player : context.Anonymous();
}

// Asks for `request` and prints the answer, as JSON or by `print`.
template <typename Request, typename Print>
absl::Status Show(Context& context, const ViewOptions& options, Request request, Print print) {
  const auto answer = TournamentClient(Reader(context)).Call(request);
  if (!answer.ok()) return answer.status();
  if (options.json) {
    context.out() << JsonDocument(*answer) << "\n";
  } else {
    print(*answer);
  }
  return absl::OkStatus();
}

absl::Status RunList(Context& context, const ViewOptions& options) {
  v1::ListTournamentsRequest request;
  request.set_page_size(options.size);
  request.set_status(TournamentStatusFromWord(options.status));
  return Show(context, options, request, [&](const v1::ListTournamentsResponse& answer) {
    std::vector<std::vector<std::string>> rows = {{"TOURNAMENT", "NAME", "STATUS", "CREATED"}};
    for (const v1::TournamentSummary& each : answer.tournaments()) {
      rows.push_back({each.tournament_id(), each.name(), StatusWord(each.status()),
                      TimeText(each.create_time())});
    }
    context.out() << TableText(rows);
  });
}

absl::Status RunShow(Context& context, const ViewOptions& options) {
  v1::GetTournamentRequest request;
  request.set_tournament_id(options.tournament);
  return Show(context, options, request, [&](const v1::GetTournamentResponse& answer) {
    context.out() << TournamentText(answer.tournament()) << "\n";
    const v1::TournamentTerms& terms = answer.tournament().terms();
    if (terms.has_start_time()) context.out() << "Begins " << TimeText(terms.start_time()) << "\n";
    if (terms.has_next_stage()) context.out() << NextStageText(answer.tournament()) << "\n";
    context.out() << "Held by " << answer.tournament().owner_player_name() << "; tie-breaks "
                  << Join({terms.tie_breaks().begin(), terms.tie_breaks().end()}, ", ") << "\n";
  });
}

absl::Status RunPlayers(Context& context, const ViewOptions& options) {
  TournamentClient client(Reader(context));
  v1::ListEntrantsRequest request;
  request.set_tournament_id(options.tournament);
  request.set_page_size(1'000);
  v1::ListEntrantsResponse all;
  do {
    const auto page = client.Call(request);
    if (!page.ok()) return page.status();
    all.mutable_entrants()->MergeFrom(page->entrants());
    all.set_version(page->version());
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  if (options.json) {
    context.out() << JsonDocument(all) << "\n";
    return absl::OkStatus();
  }
  std::vector<std::vector<std::string>> rows = {{"NO", "NAME", "RATING", ""}};
  for (const v1::Entrant& entrant : all.entrants()) {
    std::vector<std::string> notes;
    if (entrant.status() == v1::ENTRANT_STATUS_PAUSED) notes.emplace_back("paused");
    if (entrant.status() == v1::ENTRANT_STATUS_WITHDRAWN) notes.emplace_back("left");
    if (entrant.status() == v1::ENTRANT_STATUS_EXPELLED) notes.emplace_back("expelled");
    if (entrant.checked_in()) notes.emplace_back("checked in");
    if (entrant.first_round() > 1) {
      notes.push_back("from round " + std::to_string(entrant.first_round()));
    }
    if (entrant.adjustment_tenths() != 0) {
      notes.push_back(TenthsText(entrant.adjustment_tenths()) + " points by a director");
    }
    rows.push_back({std::to_string(entrant.number()), entrant.player_name(),
                    entrant.rating() == 0 ? "-" : std::to_string(entrant.rating()),
                    Join(notes, ", ")});
  }
  context.out() << TableText(rows);
  return absl::OkStatus();
}

absl::Status RunPairings(Context& context, const ViewOptions& options) {
  const auto round =
      TournamentClient(Reader(context)).WholeRound(options.tournament, options.round);
  if (!round.ok()) return round.status();
  if (options.json) {
    context.out() << JsonDocument(*round) << "\n";
  } else {
    context.out() << RoundText(round->round(), round->pairings());
  }
  return absl::OkStatus();
}

absl::Status RunExplain(Context& context, const ViewOptions& options) {
  v1::ExplainPairingRequest request;
  request.set_tournament_id(options.tournament);
  request.set_round(options.round);
  return Show(context, options, request, [&](const v1::ExplainPairingResponse& answer) {
    std::vector<std::vector<std::string>> rows = {{"FIRST", "SECOND", "POINTS", "NATURAL", "WHY"}};
    for (const v1::PairingNote& note : answer.notes()) {
      rows.push_back({std::to_string(note.first()),
                      note.second() == 0 ? "bye" : std::to_string(note.second()),
                      TenthsText(note.first_score_tenths()) +
                          (note.second() == 0 ? "" : " " + TenthsText(note.second_score_tenths())),
                      note.natural() == 0 ? "-" : std::to_string(note.natural()), note.why()});
    }
    context.out() << TableText(rows);
  });
}

std::string PairText(const v1::NumberPair& pair) {
  const std::string second = pair.second() == 0 ? "bye" : std::to_string(pair.second());
  return std::to_string(pair.first()) + "-" + second;
}

absl::Status RunCheck(Context& context, const ViewOptions& options) {
  v1::CheckPairingRequest request;
  request.set_tournament_id(options.tournament);
  request.set_round(options.round);
  return Show(context, options, request, [&](const v1::CheckPairingResponse& answer) {
    for (const std::string& fault : answer.faults()) context.out() << fault << "\n";
    for (const v1::NumberPair& pair : answer.only_played()) {
      context.out() << PairText(pair) << " is played, but the engine does not pair it\n";
    }
    for (const v1::NumberPair& pair : answer.only_expected()) {
      context.out() << PairText(pair) << " is what the engine pairs\n";
    }
    context.out() << "Round " << answer.round().number() << ": "
                  << (answer.not_compared() ? "the engine finds no pairing in time"
                      : answer.same()       ? "as the engine pairs it"
                                            : "not as the engine pairs it")
                  << (answer.faults().empty() ? "; no rule is broken\n" : "; rules are broken\n");
  });
}

absl::Status RunStandings(Context& context, const ViewOptions& options) {
  v1::ListStandingsRequest request;
  request.set_tournament_id(options.tournament);
  request.set_page_size(options.size);
  if (!options.around.empty()) {
    const auto player = FindPlayer(context.Anonymous(), options.around);
    if (!player.ok()) return player.status();
    request.set_around_player_id(player->player_id());
  }
  return Show(context, options, request, [&](const v1::ListStandingsResponse& answer) {
    context.out() << StandingsText(answer);
    if (answer.missing() > 0) {
      context.err() << answer.missing() << " matches have not ended; they are not in it.\n";
    }
  });
}

constexpr std::pair<std::string_view, v1::TournamentExport> kContents[] = {
    {"trf", v1::TOURNAMENT_EXPORT_TRF},
    {"standings", v1::TOURNAMENT_EXPORT_STANDINGS},
    {"crosstable", v1::TOURNAMENT_EXPORT_CROSSTABLE},
    {"bracket", v1::TOURNAMENT_EXPORT_BRACKET},
};

absl::Status RunExport(Context& context, const ViewOptions& options) {
  v1::ExportTournamentRequest request;
  request.set_tournament_id(options.tournament);
  for (const auto& [word, content] : kContents) {
    if (word == options.content) request.set_content(content);
  }
  request.set_format(options.format);
  const auto file = TournamentClient(Reader(context)).Call(request);
  if (!file.ok()) return file.status();
  if (options.out.empty()) {
    context.out() << file->text();
    return absl::OkStatus();
  }
  std::ofstream out(options.out, std::ios::binary);
  out << file->text();
  out.close();
  if (!out) return UsageError(options.out + " cannot be written.");
  return absl::OkStatus();
}

void PrintEvent(Context& context, const ViewOptions& options, const v1::TournamentEvent& event) {
  context.out() << (options.json ? JsonLine(event) : TournamentEventText(event)) << "\n";
}

// Lines that have changed, by their positions.
void PrintChange(Context& context, const ViewOptions& options, const v1::StandingsChange& change) {
  if (options.json) {
    context.out() << JsonLine(change) << "\n";
    return;
  }
  for (const v1::StandingsRow& row : change.rows()) {
    context.out() << "  " << row.position() << ". " << row.player_name() << " ("
                  << Join({row.values().begin(), row.values().end()}, " ") << ")\n";
  }
}

absl::Status RunLog(Context& context, const ViewOptions& options) {
  TournamentClient client(Reader(context));
  v1::ListTournamentEventsRequest request;
  request.set_tournament_id(options.tournament);
  request.set_after_version(options.after);
  request.set_page_size(1'000);
  do {
    const auto page = client.Call(request);
    if (!page.ok()) return page.status();
    for (const v1::TournamentEvent& event : page->events()) PrintEvent(context, options, event);
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  return absl::OkStatus();
}

// Opens the stream again behind what it has seen while the server is away.
absl::Status RunWatch(Context& context, const ViewOptions& options) {
  TournamentClient client(Reader(context));
  v1::WatchTournamentRequest request;
  request.set_tournament_id(options.tournament);
  request.set_after_version(options.after);
  request.set_standings_rows(options.standings);
  if (!options.around.empty()) {
    const auto player = FindPlayer(context.Anonymous(), options.around);
    if (!player.ok()) return player.status();
    request.set_around_player_id(player->player_id());
  }
  base::SystemRandom random;
  Backoff backoff(random);
  absl::Time last = absl::Now();
  for (;;) {
    const absl::Status ended =
        client.Watch(request, [&](const v1::WatchTournamentResponse& message) {
          backoff.Reset();
          last = absl::Now();
          for (const v1::TournamentEvent& event : message.events().events()) {
            PrintEvent(context, options, event);
            request.set_after_version(event.version());
          }
          if (message.has_standings()) PrintChange(context, options, message.standings());
          context.out() << std::flush;
          return true;
        });
    if (ended.ok() || !IsWorthRepeating(ended)) return ended;
    if (absl::Now() - last > absl::Seconds(10 + context.global().timeout_s)) return ended;
    absl::SleepFor(backoff.Next(ended));
  }
}

std::shared_ptr<ViewOptions> AddTournament(CLI::App& app) {
  auto options = std::make_shared<ViewOptions>();
  app.add_option("TOURNAMENT", options->tournament, "Its id")->required();
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return options;
}

void AddRound(CLI::App& app, ViewOptions& options) {
  app.add_option("ROUND", options.round, "From 1 (default: the last one)")
      ->check(CLI::Range(1, 65'535));
}

}  // namespace

Action DefineTournamentList(CLI::App& app) {
  auto options = std::make_shared<ViewOptions>();
  app.add_option("--status", options->status, "Only those")->check(CLI::IsMember(StatusWords()));
  app.add_option("--size", options->size, "How many")
      ->check(CLI::Range(1, 1'000))
      ->capture_default_str();
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) { return RunList(context, *options); };
}

Action DefineTournamentShow(CLI::App& app) {
  auto options = AddTournament(app);
  return [options](Context& context) { return RunShow(context, *options); };
}

Action DefineTournamentPlayers(CLI::App& app) {
  auto options = AddTournament(app);
  return [options](Context& context) { return RunPlayers(context, *options); };
}

Action DefineTournamentPairings(CLI::App& app) {
  auto options = AddTournament(app);
  AddRound(app, *options);
  return [options](Context& context) { return RunPairings(context, *options); };
}

Action DefineTournamentExplain(CLI::App& app) {
  auto options = AddTournament(app);
  AddRound(app, *options);
  return [options](Context& context) { return RunExplain(context, *options); };
}

Action DefineTournamentCheck(CLI::App& app) {
  auto options = AddTournament(app);
  AddRound(app, *options);
  return [options](Context& context) { return RunCheck(context, *options); };
}

Action DefineTournamentStandings(CLI::App& app) {
  auto options = AddTournament(app);
  app.add_option("--around", options->around, "Those around this player");
  app.add_option("--size", options->size, "How many")
      ->check(CLI::Range(1, 1'000))
      ->capture_default_str();
  return [options](Context& context) { return RunStandings(context, *options); };
}

Action DefineTournamentExport(CLI::App& app) {
  auto options = std::make_shared<ViewOptions>();
  app.add_option("TOURNAMENT", options->tournament, "Its id")->required();
  std::vector<std::string> words;
  for (const auto& [word, content] : kContents) words.emplace_back(word);
  app.add_option("CONTENT", options->content, "What of it")
      ->required()
      ->check(CLI::IsMember(words));
  app.add_option("--format", options->format, "How it is written (default: text)")
      ->check(CLI::IsMember({"text", "csv", "json", "html", "svg"}));
  app.add_option("--out", options->out, "A file (default: standard output)");
  return [options](Context& context) { return RunExport(context, *options); };
}

Action DefineTournamentLog(CLI::App& app) {
  auto options = AddTournament(app);
  app.add_option("--after", options->after, "Only what came after this version");
  return [options](Context& context) { return RunLog(context, *options); };
}

Action DefineTournamentWatch(CLI::App& app) {
  auto options = AddTournament(app);
  app.add_option("--after", options->after, "Only what came after this version");
  app.add_option("--standings", options->standings,
                 "So many lines of the standings, as they change")
      ->check(CLI::Range(1, 200));
  app.add_option("--around", options->around, "Those around this player (default: the first)");
  return [options](Context& context) { return RunWatch(context, *options); };
}

}  // namespace astragal::cli
