#include "services/cli/tournament_direction.h"

#include <CLI/CLI.hpp>
#include <ostream>

#include "services/cli/json.h"
#include "services/cli/tournament_text.h"

namespace astragal::cli {

void AddDirection(CLI::App& app, Direction& direction) {
  app.add_option("TOURNAMENT", direction.tournament, "Its id")->required();
  app.add_option("--reason", direction.reason, "Why; it is kept in the log");
  app.add_option("--expect", direction.expected,
                 "Refuse if more than results came after this version");
  app.add_option("--accept", direction.accepted, "Codes of warnings that you know of: A,B")
      ->delimiter(',');
  app.add_flag("--dry-run", direction.dry_run, "Say what would happen, and change nothing");
  app.add_flag("--json", direction.json, "Print the server's answer as JSON");
}

v1::DirectorHeader HeaderOf(const Direction& direction) {
  v1::DirectorHeader header;
  header.set_tournament_id(direction.tournament);
  header.set_reason(direction.reason);
  header.set_expected_version(direction.expected);
  header.set_validate_only(direction.dry_run);
  for (const std::string& code : direction.accepted) header.add_accept_warnings(code);
  return header;
}

void PrintAnswer(Context& context, const Direction& direction, const v1::DirectorAnswer& answer) {
  if (direction.json) {
    context.out() << JsonDocument(answer) << "\n";
    return;
  }
  for (const v1::TournamentWarning& warning : answer.warnings()) {
    context.err() << "Level " << warning.level() << ", " << warning.code() << ": " << warning.text()
                  << "\n";
  }
  if (answer.repeated_request()) context.err() << "This was carried out before.\n";
  if (direction.dry_run) context.err() << "Nothing was changed. It would be:\n";
  if (answer.has_would_be_round()) {
    context.out() << RoundText(answer.would_be_round(), answer.would_be_pairings());
  }
  if (answer.would_have_paired_size() > 0) {
    context.err() << "The round that is published stays. Paired now, it would be:\n";
    context.out() << PairingsText(answer.would_have_paired());
  }
  context.out() << TournamentText(answer.tournament()) << "\n";
}

}  // namespace astragal::cli
