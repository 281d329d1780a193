#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/json.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

struct RulesetsOptions {
  std::string id;
  bool json = false;
};

std::string SeatCount(const v1::Ruleset& ruleset) {
  if (ruleset.min_seats() == ruleset.max_seats()) return std::to_string(ruleset.min_seats());
  return std::to_string(ruleset.min_seats()) + "-" + std::to_string(ruleset.max_seats());
}

absl::StatusOr<v1::ListRulesetsResponse> AllRulesets(Client& client) {
  v1::ListRulesetsResponse all;
  v1::ListRulesetsRequest request;
  do {
    auto page = client.Call(request);
    if (!page.ok()) return page.status();
    all.MergeFrom(*page);
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  all.clear_next_page_token();
  return all;
}

absl::Status ListAll(Context& context, bool json) {
  const auto all = AllRulesets(context.Anonymous());
  if (!all.ok()) return all.status();
  if (json) {
    context.out() << JsonDocument(*all) << "\n";
    return absl::OkStatus();
  }
  std::vector<std::vector<std::string>> rows = {{"RULESET", "NAME", "SEATS", "RULES", "PRESETS"}};
  for (const v1::Ruleset& ruleset : all->rulesets()) {
    std::vector<std::string> presets;
    for (const v1::RulesetPreset& preset : ruleset.presets()) presets.push_back(preset.name());
    rows.push_back({ruleset.ruleset_id(), ruleset.name(), SeatCount(ruleset),
                    "v" + std::to_string(ruleset.rules_version()), Join(presets, ", ")});
  }
  context.out() << TableText(rows);
  if (all->rulesets().empty()) context.err() << "The server has loaded no ruleset.\n";
  return absl::OkStatus();
}

std::string ValuesOf(const v1::RulesetOption& option) {
  if (option.choices().empty()) {
    return std::to_string(option.minimum()) + " to " + std::to_string(option.maximum());
  }
  return Join({option.choices().begin(), option.choices().end()}, " | ");
}

void PrintOptions(Context& context, const v1::Ruleset& ruleset) {
  context.out() << "\nOptions (astragal new " << ruleset.ruleset_id() << " --option NAME=VALUE):\n";
  for (const v1::RulesetOption& option : ruleset.options()) {
    context.out() << "  " << context.terminal().Bold(option.name()) << " = " << ValuesOf(option)
                  << "  (default " << option.default_value() << ")\n"
                  << WrapText(option.description(), context.terminal().width, 6);
  }
}

void PrintPresets(Context& context, const v1::Ruleset& ruleset) {
  context.out() << "\nPresets (astragal new " << ruleset.ruleset_id() << " --preset NAME):\n";
  for (const v1::RulesetPreset& preset : ruleset.presets()) {
    // In the ruleset's order of options: a map has none of its own.
    std::vector<std::string> values;
    for (const v1::RulesetOption& option : ruleset.options()) {
      const auto found = preset.options().find(option.name());
      if (found != preset.options().end()) values.push_back(found->first + "=" + found->second);
    }
    context.out() << "  " << context.terminal().Bold(preset.name()) << "  "
                  << (values.empty() ? "(all defaults)" : Join(values, " ")) << "\n"
                  << WrapText(preset.description(), context.terminal().width, 6);
  }
}

absl::Status ShowOne(Context& context, const RulesetsOptions& options) {
  v1::GetRulesetRequest request;
  request.set_ruleset_id(options.id);
  const auto answer = context.Anonymous().Call(request);
  if (!answer.ok()) return answer.status();
  const v1::Ruleset& ruleset = answer->ruleset();
  if (options.json) {
    context.out() << JsonDocument(ruleset) << "\n";
    return absl::OkStatus();
  }
  const int width = context.terminal().width;
  context.out() << context.terminal().Bold(ruleset.name()) << " (" << ruleset.ruleset_id()
                << ", rules version " << ruleset.rules_version() << ")\n"
                << WrapText(ruleset.summary(), width, 0) << "\nSeats: " << SeatCount(ruleset)
                << " (" << Join({ruleset.seat_names().begin(), ruleset.seat_names().end()}, ", ")
                << ")\n";
  PrintOptions(context, ruleset);
  PrintPresets(context, ruleset);
  context.out() << "\nHow actions are written:\n" << WrapText(ruleset.notation(), width, 2);
  return absl::OkStatus();
}

}  // namespace

Action DefineRulesets(CLI::App& app) {
  auto options = std::make_shared<RulesetsOptions>();
  app.add_option("RULESET", options->id, "Show everything about this one");
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) {
    return options->id.empty() ? ListAll(context, options->json) : ShowOne(context, *options);
  };
}

}  // namespace astragal::cli
