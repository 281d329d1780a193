// What the operator of a server does with its rulesets while it serves.
#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/errors.h"
#include "services/cli/json.h"
#include "services/cli/operator.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

// Each new library may take 10 seconds to judge.
constexpr absl::Duration kLoadLimit = absl::Minutes(5);
// So much of a hash is shown, and enough to name a build.
constexpr size_t kShownDigits = 12;
constexpr size_t kFewestDigits = 8;

struct AdminOptions {
  std::string operator_key;  // a file, or the key itself
  bool json = false;
  std::string build;
};

std::shared_ptr<AdminOptions> AddOptions(CLI::App& app) {
  auto options = std::make_shared<AdminOptions>();
  AddOperatorKey(app, options->operator_key);
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return options;
}

std::string Short(const std::string& sha256) { return sha256.substr(0, kShownDigits); }

std::string RulesText(const v1::LoadedRulesetBuild& build) {
  return "v" + std::to_string(build.rules_version());
}

std::string ServesText(const v1::LoadedRulesetBuild& build) {
  if (build.retired()) return "retired";
  if (build.serves_new_games()) return "new games";
  return build.preferred() ? "running games" : "-";
}

absl::Status RunLoad(Context& context, const AdminOptions& options) {
  context.SetTimeout(kLoadLimit);
  const auto client = AsOperator(context, options.operator_key);
  if (!client.ok()) return client.status();
  const auto report = (*client)->Call(v1::LoadRulesetsRequest());
  if (!report.ok()) return report.status();
  if (options.json) {
    context.out() << JsonDocument(*report) << "\n";
  } else if (report->loaded().empty()) {
    context.err() << "No file of the server's plugins folder serves.\n";
  } else {
    std::vector<std::vector<std::string>> rows = {
        {"FILE", "RULESET", "RULES", "BUILD", "SERVES", ""}};
    for (const v1::LoadedRulesetFile& file : report->loaded()) {
      rows.push_back({file.file(), file.build().ruleset_id(), RulesText(file.build()),
                      Short(file.build().sha256()), ServesText(file.build()),
                      file.was_loaded() ? "" : "new"});
    }
    context.out() << TableText(rows);
  }
  for (const v1::RefusedRulesetFile& file : report->refused()) {
    context.err() << "Refused " << file.file() << ": " << file.reason() << ", " << file.message()
                  << "\n";
  }
  if (report->refused().empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(std::to_string(report->refused_size()) +
                                       " of the files were refused; the others serve.");
}

absl::StatusOr<v1::ListRulesetBuildsResponse> AllBuilds(Client& client) {
  v1::ListRulesetBuildsResponse all;
  v1::ListRulesetBuildsRequest request;
  do {
    auto page = client.Call(request);
    if (!page.ok()) return page.status();
    all.MergeFrom(*page);
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  all.clear_next_page_token();
  return all;
}

absl::Status RunList(Context& context, const AdminOptions& options) {
  const auto client = AsOperator(context, options.operator_key);
  if (!client.ok()) return client.status();
  const auto all = AllBuilds(**client);
  if (!all.ok()) return all.status();
  if (options.json) {
    context.out() << JsonDocument(*all) << "\n";
    return absl::OkStatus();
  }
  std::vector<std::vector<std::string>> rows = {{"RULESET", "RULES", "BUILD", "SERVES"}};
  for (const v1::LoadedRulesetBuild& build : all->builds()) {
    rows.push_back(
        {build.ruleset_id(), RulesText(build), Short(build.sha256()), ServesText(build)});
  }
  context.out() << TableText(rows);
  return absl::OkStatus();
}

// The one build whose hash begins with what was typed.
absl::StatusOr<std::string> FindBuild(Client& client, const std::string& typed) {
  if (typed.size() < kFewestDigits) {
    return UsageError("at least " + std::to_string(kFewestDigits) + " digits name a build");
  }
  const auto all = AllBuilds(client);
  if (!all.ok()) return all.status();
  std::vector<std::string> found;
  for (const v1::LoadedRulesetBuild& build : all->builds()) {
    if (build.sha256().starts_with(typed)) found.push_back(build.sha256());
  }
  if (found.size() == 1) return found.front();
  return absl::NotFoundError(
      (found.empty() ? "No build begins with " : "Several builds begin with ") + typed +
      "; `astragal admin rulesets list` shows them.");
}

absl::Status RunRetire(Context& context, const AdminOptions& options) {
  const auto client = AsOperator(context, options.operator_key);
  if (!client.ok()) return client.status();
  const absl::StatusOr<std::string> sha256 = FindBuild(**client, options.build);
  if (!sha256.ok()) return sha256.status();
  v1::RetireRulesetBuildRequest request;
  request.set_sha256(*sha256);
  const auto answer = (*client)->Call(request);
  if (!answer.ok()) return answer.status();
  if (options.json) {
    context.out() << JsonDocument(*answer) << "\n";
    return absl::OkStatus();
  }
  context.out() << "Retired build " << Short(*sha256) << " of " << answer->build().ruleset_id()
                << " " << RulesText(answer->build()) << ".\n";
  context.err() << "Take its file out of the plugins folder too: the next load or start of the "
                   "server takes it back.\n";
  return absl::OkStatus();
}

}  // namespace

Action DefineAdminRulesetsLoad(CLI::App& app) {
  auto options = AddOptions(app);
  return [options](Context& context) { return RunLoad(context, *options); };
}

Action DefineAdminRulesetsList(CLI::App& app) {
  auto options = AddOptions(app);
  return [options](Context& context) { return RunList(context, *options); };
}

Action DefineAdminRulesetsRetire(CLI::App& app) {
  auto options = AddOptions(app);
  app.add_option("BUILD", options->build, "The first digits of its hash, at least 8")->required();
  return [options](Context& context) { return RunRetire(context, *options); };
}

}  // namespace astragal::cli
