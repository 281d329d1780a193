#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "services/cli/board_text.h"
#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/day.h"
#include "services/cli/event_text.h"
#include "services/cli/follow_affairs.h"
#include "services/cli/json.h"
#include "services/cli/record_client.h"
#include "services/cli/seats.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

struct PositionOptions {
  std::string game;
  uint32_t at = 0;  // 0: now
  std::string moment;
  bool json = false;
};

absl::StatusOr<Seats> SeatsOf(Context& context, const std::string& game_id) {
  v1::GetGameRequest request;
  request.set_game_id(game_id);
  const auto game = context.Anonymous().Call(request);
  if (!game.ok()) return game.status();
  return Seats(game->game());
}

// The last event that had happened then.
absl::StatusOr<uint32_t> SequenceAt(Context& context, const std::string& game_id,
                                    const std::string& moment) {
  v1::FindSequenceRequest request;
  request.set_game_id(game_id);
  if (absl::Status read = ReadDay(moment, *request.mutable_time()); !read.ok()) return read;
  const auto found = RecordClientFor(context).Call(request);
  if (!found.ok()) return found.status();
  return found->sequence();
}

absl::Status RunPosition(Context& context, const PositionOptions& options) {
  v1::GetPositionRequest request;
  request.set_game_id(options.game);
  if (options.at > 0) request.set_sequence(options.at);
  if (!options.moment.empty()) {
    const absl::StatusOr<uint32_t> sequence = SequenceAt(context, options.game, options.moment);
    if (!sequence.ok()) return sequence.status();
    request.set_sequence(*sequence);
  }
  const auto answer = context.Anonymous().Call(request);
  if (!answer.ok()) return answer.status();
  if (options.json) {
    context.out() << JsonDocument(*answer) << "\n";
    return absl::OkStatus();
  }
  const absl::StatusOr<Seats> seats = SeatsOf(context, options.game);
  if (!seats.ok()) return seats.status();
  const v1::Position& position = answer->position();
  context.out() << BoardText(position) << "\nafter event " << answer->sequence() << ": "
                << context.terminal().Bold(TurnText(position, *seats)) << "\n"
                << position.text() << "\n";
  return absl::OkStatus();
}

struct EventsOptions {
  std::string game;  // "": the player's own affairs
  bool json = false;
};

absl::Status RunEvents(Context& context, const EventsOptions& options) {
  if (options.game.empty()) return FollowAffairs(context, options.json);
  const absl::StatusOr<Seats> seats = SeatsOf(context, options.game);
  if (!seats.ok()) return seats.status();
  std::vector<std::vector<std::string>> rows = {{"EVENT", "TIME (UTC)", "WHAT"}};
  v1::ListEventsRequest request;
  request.set_game_id(options.game);
  do {
    const auto page = context.Anonymous().Call(request);
    if (!page.ok()) return page.status();
    for (const v1::Event& event : page->events()) {
      if (options.json) {
        context.out() << JsonLine(event) << "\n";
      } else {
        rows.push_back({std::to_string(event.sequence()), TimeText(event.event_time()),
                        EventText(event, *seats)});
      }
    }
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  if (!options.json) context.out() << TableText(rows);
  return absl::OkStatus();
}

}  // namespace

Action DefinePosition(CLI::App& app) {
  auto options = std::make_shared<PositionOptions>();
  app.add_option("GAME", options->game, "The game's id")->required();
  auto* at = app.add_option("--at", options->at, "After this event, from 1 (default: the last)");
  at->check(CLI::PositiveNumber);
  app.add_option("--moment", options->moment,
                 "After the last event that had happened then (UTC): 2026-11-30T18:00:00Z")
      ->excludes(at);
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) { return RunPosition(context, *options); };
}

Action DefineEvents(CLI::App& app) {
  auto options = std::make_shared<EventsOptions>();
  app.add_option("GAME", options->game,
                 "The game's id (default: your own affairs, until you stop it)");
  app.add_flag("--json", options->json, "One JSON object a line");
  return [options](Context& context) { return RunEvents(context, *options); };
}

}  // namespace astragal::cli
