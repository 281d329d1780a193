#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "absl/time/time.h"
#include "services/cli/board_text.h"
#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/event_text.h"
#include "services/cli/follow.h"
#include "services/cli/json.h"
#include "services/cli/receipt_text.h"
#include "services/cli/seats.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

constexpr absl::Duration kLook = absl::Seconds(2);

struct WatchOptions {
  std::string game;
  uint32_t from = 0;  // 0: from now on
  double patience_s = 300;
  bool no_boards = false;
  bool json = false;
};

class Watcher {
 public:
  Watcher(Context& context, const WatchOptions& options) : context_(context), options_(options) {}

  absl::Status Run() {
    if (absl::Status read = ReadSeats(); !read.ok()) return read;
    std::optional<uint32_t> after;
    if (options_.from > 0) after = options_.from - 1;
    Follow follow(context_.Anonymous(), options_.game, after,
                  absl::Seconds(1) * options_.patience_s);
    for (;;) {
      for (const Follow::Item& item : follow.Take()) {
        if (const auto* end = std::get_if<Follow::End>(&item)) {
          ShowBoard();
          return end->status;
        }
        OnItem(item);
      }
      context_.out() << std::flush;
      if (has_news_ && follow.Wait(Follow::kSettle)) continue;
      ShowBoard();
      context_.out() << std::flush;
      follow.Wait(kLook);
    }
  }

 private:
  absl::Status ReadSeats() {
    v1::GetGameRequest request;
    request.set_game_id(options_.game);
    const auto game = context_.Anonymous().Call(request);
    if (!game.ok()) return game.status();
    seats_ = Seats(game->game());
    if (!options_.json) context_.out() << SeatLine(game->game()) << "\n";
    return absl::OkStatus();
  }

  std::string SeatLine(const v1::Game& game) const {
    std::string line = game.ruleset_id() + ", " + std::string(StatusWord(game.status()));
    for (const v1::Seat& seat : game.seats()) line += ", " + seats_.Who(seat.seat());
    return line;
  }

  void OnItem(const Follow::Item& item) {
    if (const auto* snapshot = std::get_if<v1::GameSnapshot>(&item)) {
      if (options_.json) context_.out() << JsonLine(*snapshot) << "\n";
      has_news_ = true;
    } else if (const auto* event = std::get_if<v1::Event>(&item)) {
      OnEvent(*event);
    } else if (const auto* presence = std::get_if<v1::Presence>(&item)) {
      if (options_.json) {
        context_.out() << JsonLine(*presence) << "\n";
      } else {
        context_.out() << "connected: " << seats_.WhoAre(ConnectedSeats(*presence)) << "\n";
      }
    } else if (const auto* receipt = std::get_if<v1::Receipt>(&item)) {
      context_.out() << (options_.json ? JsonLine(*receipt)
                                       : ReceiptText(*receipt, context_.ProgramForOthers()))
                     << "\n";
    } else if (const auto* lost = std::get_if<Follow::Lost>(&item)) {
      context_.err() << "connection lost (" << std::string(lost->why.message())
                     << "); coming back\n";
    } else {
      context_.err() << "connected again\n";
    }
  }

  void OnEvent(const v1::Event& event) {
    has_news_ = true;
    if (options_.json) {
      context_.out() << JsonLine(event) << "\n";
      return;
    }
    if (event.has_seated()) {
      v1::GetGameRequest request;
      request.set_game_id(options_.game);
      // Only for the player's name; without it the sentence names the id.
      if (auto game = context_.Anonymous().Call(request); game.ok()) seats_ = Seats(game->game());
    }
    context_.out() << event.sequence() << "  " << EventText(event, seats_) << "\n";
  }

  // Once all that has come is shown: the board as it stands now.
  void ShowBoard() {
    if (!std::exchange(has_news_, false) || options_.json || options_.no_boards) return;
    v1::ListLegalActionsRequest request;
    request.set_game_id(options_.game);
    const auto legal = context_.Anonymous().Call(request);
    if (!legal.ok()) return;  // the stream says what is wrong
    context_.out() << "\n"
                   << BoardText(legal->position())
                   << context_.terminal().Bold(TurnText(legal->position(), seats_)) << "\n\n";
  }

  Context& context_;
  const WatchOptions& options_;
  Seats seats_;
  bool has_news_ = false;
};

}  // namespace

Action DefineWatch(CLI::App& app) {
  auto options = std::make_shared<WatchOptions>();
  app.add_option("GAME", options->game, "The game's id")->required();
  app.add_option("--from", options->from,
                 "First show the events from this one on (default: only new ones)")
      ->check(CLI::PositiveNumber);
  app.add_option("--patience", options->patience_s,
                 "Seconds without a server until the watching ends")
      ->check(CLI::Range(0.05, 86'400.0))
      ->capture_default_str();
  app.add_flag("--no-boards", options->no_boards, "Only the events");
  app.add_flag(
      "--json", options->json,
      "One JSON object a line: a snapshot, then events and who is connected, at last the receipt");
  return [options](Context& context) { return Watcher(context, *options).Run(); };
}

}  // namespace astragal::cli
