#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/errors.h"
#include "services/cli/json.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

struct NewPlayerOptions {
  std::string name;
  bool bot = false;
  bool json = false;
};

absl::Status RunPlayerNew(Context& context, const NewPlayerOptions& options) {
  // The key is shown only once: it must find its place.
  if (absl::Status writable = context.keys().CheckWritable(); !writable.ok()) return writable;
  v1::CreatePlayerRequest request;
  request.set_name(options.name);
  request.set_bot(options.bot);
  const auto created = context.Anonymous().Call(request);
  if (!created.ok()) return created.status();
  if (created->secret_already_shown()) {
    return absl::DataLossError("Player '" + options.name +
                               "' was created, but the answer with its key was lost on the way; "
                               "create another one.");
  }
  const v1::Player& player = created->player();
  const absl::Status kept = context.keys().Add(
      context.global().server, {player.name(), player.player_id(), created->api_key()});
  if (!kept.ok()) {
    context.err() << "The key could not be kept; this is the only time it is shown: "
                  << created->api_key() << "\n";
    return kept;
  }
  if (options.json) {
    context.out() << JsonDocument(player) << "\n";
    return absl::OkStatus();
  }
  context.out() << "Created player " << player.name() << " (" << player.player_id()
                << "); commands act for this one now.\n";
  context.err() << "The key is kept in " << context.keys().path() << "\n";
  return absl::OkStatus();
}

absl::Status ListStored(Context& context) {
  const auto players = context.keys().List(context.global().server);
  if (!players.ok()) return players.status();
  if (players->empty()) {
    context.err() << "No keys for " << context.global().server << " in " << context.keys().path()
                  << "; `astragal player new NAME` makes one.\n";
    return absl::OkStatus();
  }
  std::vector<std::vector<std::string>> rows = {{"", "NAME", "PLAYER"}};
  for (const StoredPlayer& player : *players) {
    rows.push_back({player.current ? "*" : "", player.name, player.player_id});
  }
  context.out() << TableText(rows);
  return absl::OkStatus();
}

absl::Status ListEverybody(Context& context, bool json) {
  v1::ListPlayersResponse all;
  v1::ListPlayersRequest request;
  do {
    auto page = context.Anonymous().Call(request);
    if (!page.ok()) return page.status();
    all.MergeFrom(*page);
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  all.clear_next_page_token();
  if (json) {
    context.out() << JsonDocument(all) << "\n";
    return absl::OkStatus();
  }
  std::vector<std::vector<std::string>> rows = {{"NAME", "PLAYER", "BOT", "SINCE (UTC)"}};
  for (const v1::Player& player : all.players()) {
    rows.push_back({player.name(), player.player_id(), player.bot() ? "bot" : "",
                    TimeText(player.create_time())});
  }
  context.out() << TableText(rows);
  return absl::OkStatus();
}

absl::Status RunWhoAmI(Context& context, bool json) {
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  const auto me = (*client)->Call(v1::WhoAmIRequest());
  if (!me.ok()) return me.status();
  if (json) {
    context.out() << JsonDocument(*me) << "\n";
    return absl::OkStatus();
  }
  context.out() << me->player().name() << " (" << me->player().player_id() << ")"
                << (me->player().bot() ? ", a bot" : "") << " at " << context.global().server
                << "\n";
  return absl::OkStatus();
}

}  // namespace

Action DefinePlayerNew(CLI::App& app) {
  auto options = std::make_shared<NewPlayerOptions>();
  app.add_option("NAME", options->name, "1 to 40 letters, digits, spaces and ._-")->required();
  app.add_flag("--bot", options->bot, "The player is a program");
  app.add_flag("--json", options->json, "Print the player as JSON (the key goes to the file only)");
  return [options](Context& context) { return RunPlayerNew(context, *options); };
}

Action DefinePlayerList(CLI::App& app) {
  struct ListOptions {
    bool all = false;
    bool json = false;
  };
  auto options = std::make_shared<ListOptions>();
  auto* all = app.add_flag("--all", options->all, "Everybody at the server");
  app.add_flag("--json", options->json, "Print the server's answer as JSON")->needs(all);
  return [options](Context& context) {
    return options->all ? ListEverybody(context, options->json) : ListStored(context);
  };
}

Action DefinePlayerUse(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  app.add_option("NAME", *name, "A player of `astragal player list`")->required();
  return [name](Context& context) -> absl::Status {
    if (absl::Status used = context.keys().Use(context.global().server, *name); !used.ok()) {
      return used;
    }
    context.out() << "Commands act for " << *name << " now.\n";
    return absl::OkStatus();
  };
}

Action DefineWhoAmI(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "Print the server's answer as JSON");
  return [json](Context& context) { return RunWhoAmI(context, *json); };
}

}  // namespace astragal::cli
