#include "services/cli/app.h"

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <utility>

#include "services/cli/command.h"
#include "services/cli/errors.h"

#ifndef ASTRAGAL_VERSION
#error "the build says which version this is"
#endif

namespace astragal::cli {
namespace {

constexpr std::string_view kAbout =
    "astragal: play, watch and replay race games on an Astragal server.";
constexpr std::string_view kFirstSteps =
    "First steps:\n"
    "  astragal player new alice      create a player; its key is kept on this machine\n"
    "  astragal new long_narde        create a game; prints its id\n"
    "  astragal play GAME             play it\n"
    "  astragal demo                  see two random players play\n"
    "\n"
    "Exit codes: 0 done, 1 refused, 2 typed wrongly, 3 the server cannot be reached.";

std::string Footer(std::string_view examples) {
  std::string footer = "Examples:\n";
  size_t begin = 0;
  while (begin <= examples.size()) {
    const size_t end = std::min(examples.find('\n', begin), examples.size());
    footer += "  " + std::string(examples.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return footer;
}

void AddGlobalOptions(CLI::App& app, GlobalOptions& global) {
  app.add_option("--server", global.server,
                 "Where astragald serves: HOST:PORT, or https://HOST[:PORT] for TLS")
      ->envname("ASTRAGAL_SERVER")
      ->capture_default_str();
  app.add_option("--player", global.player,
                 "Act for this player of the key file; ASTRAGAL_KEY, if set, goes before it");
  app.add_option("--timeout", global.timeout_s,
                 "Seconds until a call that gets no good answer is given up")
      ->check(CLI::Range(0.05, 3600.0))
      ->capture_default_str();
  app.set_version_flag("--version", "astragal " ASTRAGAL_VERSION);
}

// Adds every command of the table; `chosen` becomes the action of the one that was typed.
void AddCommands(CLI::App& app, Action& chosen) {
  std::map<std::string, CLI::App*, std::less<>> groups;
  const auto add = [&](std::string_view path, std::string_view summary) {
    const size_t space = path.rfind(' ');
    CLI::App* parent = &app;
    if (space != std::string_view::npos) {
      parent = groups.find(path.substr(0, space))->second;
      path.remove_prefix(space + 1);
    }
    return parent->add_subcommand(std::string(path), std::string(summary));
  };
  for (const CommandGroup& group : CommandGroups()) {
    CLI::App* added = add(group.name, group.summary);
    added->require_subcommand(1);
    added->fallthrough();
    added->footer("");
    groups.emplace(group.name, added);
  }
  for (const Command& command : Commands()) {
    CLI::App* added = add(command.path, command.summary);
    added->fallthrough();  // global options may follow the command
    added->footer(Footer(command.examples));
    Action action = command.define(*added);
    added->callback([&chosen, action = std::move(action)] { chosen = action; });
  }
}

// What CLI11 has to say: help and version to standard output, mistakes to standard error.
int Answer(const CLI::App& app, const CLI::ParseError& error, Terminal& terminal) {
  const int code = app.exit(error, terminal.out, terminal.err);
  return code == 0 ? kExitOk : kExitUsage;
}

}  // namespace

int Run(int argc, const char* const* argv, Terminal terminal) {
  Context context(terminal);
  Action chosen;
  CLI::App app{std::string(kAbout), "astragal"};
  app.footer(std::string(kFirstSteps));
  app.require_subcommand(1);
  AddGlobalOptions(app, context.global());
  AddCommands(app, chosen);
  if (argc < 2) {
    terminal.err << app.help();
    return kExitUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return Answer(app, error, terminal);
  }
  const absl::Status status = chosen(context);
  terminal.out.flush();
  if (!status.ok()) terminal.err << "astragal: " << Explain(status) << "\n" << std::flush;
  return ExitCodeOf(status);
}

}  // namespace astragal::cli
