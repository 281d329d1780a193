// What operators and moderators do with a server, its keys, its players and their games.
#include "services/cli/staff_commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <ctime>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "services/cli/context.h"
#include "services/cli/errors.h"
#include "services/cli/json.h"
#include "services/cli/operator.h"
#include "services/cli/rating_text.h"
#include "services/cli/staff_client.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

// What the commands have in common. A moderator gives a key of theirs instead of the operator's.
struct Options {
  std::string operator_key;
  bool json = false;
  std::string player, key, game, reason, word, label;
  std::vector<std::string> scopes;
  double days = 0;
  double capacity = -1;
  int count = 50;
};
using OptionsPtr = std::shared_ptr<Options>;

OptionsPtr Common(CLI::App& app) {
  auto options = std::make_shared<Options>();
  AddOperatorKey(app, options->operator_key);
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return options;
}

void AddPlayer(CLI::App& app, Options& options) {
  app.add_option("PLAYER", options.player, "A name or an id")->required();
}

void AddReason(CLI::App& app, Options& options) {
  app.add_option("--reason", options.reason, "Why, for the audit")->required();
}

struct ScopeWord {
  std::string_view word;
  v1::KeyScope scope;
};
constexpr std::array kScopeWords = {
    ScopeWord{"read", v1::KEY_SCOPE_READ},         ScopeWord{"play", v1::KEY_SCOPE_PLAY},
    ScopeWord{"account", v1::KEY_SCOPE_ACCOUNT},   ScopeWord{"direct", v1::KEY_SCOPE_DIRECT},
    ScopeWord{"moderate", v1::KEY_SCOPE_MODERATE}, ScopeWord{"operate", v1::KEY_SCOPE_OPERATE}};

std::string ScopesText(const v1::ApiKey& key) {
  std::vector<std::string> words;
  for (const ScopeWord& known : kScopeWords) {
    if (std::ranges::find(key.scopes(), known.scope) != key.scopes().end()) {
      words.emplace_back(known.word);
    }
  }
  return Join(words, ",");
}

absl::StatusOr<std::unique_ptr<StaffClient>> Connect(Context& context, const Options& options) {
  const auto client = AsOperator(context, options.operator_key);
  if (!client.ok()) return client.status();
  return std::make_unique<StaffClient>((*client)->options());
}

google::protobuf::Timestamp InDays(double days) {
  google::protobuf::Timestamp time;
  time.set_seconds(static_cast<int64_t>(std::time(nullptr)) + static_cast<int64_t>(days * 86'400));
  return time;
}

// Makes the call and prints its answer: as JSON, or with `print`.
template <typename Request, typename Print>
absl::Status Run(Context& context, const Options& options, const Request& request, Print print) {
  const auto client = Connect(context, options);
  if (!client.ok()) return client.status();
  const auto answer = (*client)->Call(request);
  if (!answer.ok()) return answer.status();
  if (options.json) {
    context.out() << JsonDocument(*answer) << "\n";
  } else {
    print(*answer);
  }
  return absl::OkStatus();
}

// The same for a call about a player, who is named.
template <typename Request, typename Print>
absl::Status RunFor(Context& context, const Options& options, Request request, Print print) {
  const auto player = FindPlayer(context.Anonymous(), options.player);
  if (!player.ok()) return player.status();
  request.set_player_id(player->player_id());
  return Run(context, options, request, [&](const auto& answer) { print(*player, answer); });
}

std::string NumberText(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// As `admin mode` takes it: read-only.
std::string ModeWord(v1::ServerMode mode) {
  std::string word = v1::ServerMode_Name(mode);
  constexpr std::string_view kPrefix = "SERVER_MODE_";
  if (word.starts_with(kPrefix)) word.erase(0, kPrefix.size());
  std::ranges::transform(word, word.begin(), [](unsigned char c) {
    return c == '_' ? '-' : static_cast<char>(std::tolower(c));
  });
  return word;
}

void PrintInfo(Context& context, const v1::GetServerInfoResponse& info) {
  context.out() << "version " << info.version() << ", node " << info.node() << ", mode "
                << ModeWord(info.mode())
                << (info.limits_enforced() ? "" : ", calls are not limited") << "\n\n";
  std::vector<std::vector<std::string>> rows = {{"LIMIT", "A SECOND", "MOST", ""}};
  for (const v1::ServerLimit& limit : info.limits()) {
    rows.push_back({limit.name(), limit.per_second() == 0 ? "-" : NumberText(limit.per_second()),
                    NumberText(limit.most()), limit.description()});
  }
  context.out() << TableText(rows);
}

absl::Status RunMode(Context& context, const Options& options) {
  v1::SetServerModeRequest request;
  request.set_reason(options.reason);
  if (options.word == "normal") request.set_mode(v1::SERVER_MODE_NORMAL);
  if (options.word == "draining") request.set_mode(v1::SERVER_MODE_DRAINING);
  if (options.word == "read-only") request.set_mode(v1::SERVER_MODE_READ_ONLY);
  if (options.capacity >= 0) request.set_capacity_per_second(options.capacity);
  return Run(context, options, request, [&](const v1::SetServerModeResponse& answer) {
    context.out() << ModeWord(answer.mode()) << ", capacity "
                  << (answer.capacity_per_second() == 0
                          ? "unlimited"
                          : NumberText(answer.capacity_per_second()) + " a second")
                  << "\n";
  });
}

absl::Status RunKeysNew(Context& context, const Options& options) {
  v1::CreatePlayerApiKeyRequest request;
  request.set_label(options.label);
  request.set_reason(options.reason);
  if (options.days > 0) *request.mutable_expire_time() = InDays(options.days);
  for (const std::string& word : options.scopes) {
    const auto* known = std::ranges::find(kScopeWords, word, &ScopeWord::word);
    if (known == kScopeWords.end()) return UsageError("there is no scope " + word);
    request.add_scopes(known->scope);
  }
  return RunFor(context, options, request,
                [&](const v1::Player& player, const v1::CreatePlayerApiKeyResponse& answer) {
                  context.out() << answer.api_key() << "\n";
                  context.err() << "A key of " << player.name() << " for "
                                << ScopesText(answer.key()) << "; it is not shown again.\n";
                });
}

absl::Status RunKeysList(Context& context, const Options& options) {
  v1::ListPlayerApiKeysRequest request;
  request.set_page_size(options.count);
  return RunFor(
      context, options, request,
      [&](const v1::Player& /*player*/, const v1::ListPlayerApiKeysResponse& answer) {
        std::vector<std::vector<std::string>> rows = {
            {"KEY", "LABEL", "SCOPES", "CREATED", "EXPIRES", "REVOKED"}};
        for (const v1::ApiKey& key : answer.keys()) {
          rows.push_back({key.key_id(), key.label(), ScopesText(key), TimeText(key.create_time()),
                          TimeText(key.expire_time()), TimeText(key.revoke_time())});
        }
        context.out() << TableText(rows);
      });
}

absl::Status RunRestrict(Context& context, const Options& options) {
  v1::RestrictPlayerRequest request;
  request.set_reason(options.reason);
  if (options.word == "none") request.set_restriction(v1::PLAYER_RESTRICTION_NONE);
  if (options.word == "no-new-games") {
    request.set_restriction(v1::PLAYER_RESTRICTION_NO_NEW_GAMES);
  }
  if (options.word == "ban") request.set_restriction(v1::PLAYER_RESTRICTION_BANNED);
  if (options.days > 0) *request.mutable_until_time() = InDays(options.days);
  return RunFor(context, options, request, [&](const v1::Player& player, const auto& /*answer*/) {
    context.out() << player.name() << ": " << options.word << "\n";
  });
}

absl::Status RunAudit(Context& context, const Options& options) {
  v1::ListAuditEntriesRequest request;
  request.set_page_size(options.count);
  request.set_subject(options.word);
  return Run(context, options, request, [&](const v1::ListAuditEntriesResponse& answer) {
    std::vector<std::vector<std::string>> rows = {{"TIME", "BY", "ACTION", "SUBJECT", "REASON"}};
    for (const v1::AuditEntry& entry : answer.entries()) {
      rows.push_back({TimeText(entry.time()),
                      entry.actor_id().empty() ? "operator" : entry.actor_id(), entry.action(),
                      entry.subject(), entry.reason()});
    }
    context.out() << TableText(rows);
  });
}

}  // namespace

Action DefineAdminInfo(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "Print the server's answer as JSON");
  return [json](Context& context) -> absl::Status {
    const auto answer = StaffClient(context.Anonymous().options()).Call(v1::GetServerInfoRequest());
    if (!answer.ok()) return answer.status();
    if (*json) {
      context.out() << JsonDocument(*answer) << "\n";
    } else {
      PrintInfo(context, *answer);
    }
    return absl::OkStatus();
  };
}

Action DefineAdminMode(CLI::App& app) {
  auto options = Common(app);
  app.add_option("MODE", options->word, "normal, draining or read-only (default: as it is)")
      ->check(CLI::IsMember({"normal", "draining", "read-only"}));
  app.add_option("--capacity", options->capacity,
                 "Calls a second that may change something; 0: any number")
      ->check(CLI::Range(0.0, 1e6));
  AddReason(app, *options);
  return [options](Context& context) { return RunMode(context, *options); };
}

Action DefineAdminKeysNew(CLI::App& app) {
  auto options = Common(app);
  AddPlayer(app, *options);
  app.add_option("--scopes", options->scopes,
                 "play, account, direct, moderate, operate (default: reading only)")
      ->delimiter(',');
  app.add_option("--label", options->label, "What its owner calls it");
  app.add_option("--days", options->days, "How long it is good (default: for ever)")
      ->check(CLI::PositiveNumber);
  AddReason(app, *options);
  return [options](Context& context) { return RunKeysNew(context, *options); };
}

Action DefineAdminKeysList(CLI::App& app) {
  auto options = Common(app);
  AddPlayer(app, *options);
  app.add_option("--count", options->count, "At most so many, the newest")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  return [options](Context& context) { return RunKeysList(context, *options); };
}

Action DefineAdminKeysRevoke(CLI::App& app) {
  auto options = Common(app);
  AddPlayer(app, *options);
  app.add_option("KEY", options->key, "The id of the key, as `admin keys list` shows it")
      ->required();
  AddReason(app, *options);
  return [options](Context& context) {
    v1::RevokePlayerApiKeyRequest request;
    request.set_key_id(options->key);
    request.set_reason(options->reason);
    return RunFor(context, *options, request,
                  [&](const v1::Player& player, const auto& /*answer*/) {
                    context.out() << "Revoked a key of " << player.name() << ".\n";
                  });
  };
}

Action DefineAdminPlayersRestrict(CLI::App& app) {
  auto options = Common(app);
  AddPlayer(app, *options);
  app.add_option("RESTRICTION", options->word, "none, no-new-games or ban")
      ->required()
      ->check(CLI::IsMember({"none", "no-new-games", "ban"}));
  app.add_option("--days", options->days, "How long (default: for ever)")
      ->check(CLI::PositiveNumber);
  AddReason(app, *options);
  return [options](Context& context) { return RunRestrict(context, *options); };
}

Action DefineAdminPlayersExport(CLI::App& app) {
  auto options = Common(app);
  AddPlayer(app, *options);
  return [options](Context& context) {
    return RunFor(context, *options, v1::ExportPlayerRequest(),
                  [&](const v1::Player& /*player*/, const v1::ExportPlayerResponse& answer) {
                    context.out() << answer.json() << "\n";
                  });
  };
}

Action DefineAdminPlayersErase(CLI::App& app) {
  auto options = Common(app);
  AddPlayer(app, *options);
  AddReason(app, *options);
  return [options](Context& context) {
    v1::ErasePlayerRequest request;
    request.set_reason(options->reason);
    return RunFor(context, *options, request,
                  [&](const v1::Player& player, const auto& /*answer*/) {
                    context.out() << player.name() << " is erased; its games stay.\n";
                  });
  };
}

Action DefineAdminGamesAnnul(CLI::App& app) {
  auto options = Common(app);
  app.add_option("GAME", options->game, "The game's id")->required();
  AddReason(app, *options);
  return [options](Context& context) {
    v1::AnnulGameRequest request;
    request.set_game_id(options->game);
    request.set_reason(options->reason);
    return Run(context, *options, request, [&](const auto& /*answer*/) {
      context.out() << "The game has ended without a result.\n";
    });
  };
}

Action DefineAdminGamesAdjudicate(CLI::App& app) {
  auto options = Common(app);
  app.add_option("GAME", options->game, "The game's id")->required();
  app.add_option("LOSER", options->player, "Who loses it: a name or an id")->required();
  AddReason(app, *options);
  return [options](Context& context) {
    v1::AdjudicateGameRequest request;
    request.set_game_id(options->game);
    request.set_reason(options->reason);
    return RunFor(context, *options, request,
                  [&](const v1::Player& player, const auto& /*answer*/) {
                    context.out() << player.name() << " has lost the game.\n";
                  });
  };
}

Action DefineAdminAudit(CLI::App& app) {
  auto options = Common(app);
  app.add_option("SUBJECT", options->word, "The id of a player, game or server (default: all)");
  app.add_option("--count", options->count, "At most so many, the newest")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  return [options](Context& context) { return RunAudit(context, *options); };
}

}  // namespace astragal::cli
