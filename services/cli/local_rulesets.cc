#include "services/cli/local_rulesets.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <utility>

#include "plugins/host/library.h"

namespace astragal::cli {
namespace {

namespace fs = std::filesystem;

fs::path FolderOf(const LocalGame& game) {
  if (!game.plugins.empty()) return game.plugins;
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path().parent_path() / "plugins";
}

}  // namespace

void AddLocalGameOptions(CLI::App& app, LocalGame& game) {
  app.add_option("--plugins", game.plugins, "Folder of ruleset libraries (default: this build's)");
  app.add_option("--preset", game.preset, "A named set of options");
  app.add_option("--option", game.options, "NAME=VALUE; may be repeated")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

absl::StatusOr<std::shared_ptr<const host::Ruleset>> OpenLocal(const LocalGame& game) {
  const bool is_path = game.ruleset.find('/') != std::string::npos;
  const fs::path file =
      is_path ? fs::path(game.ruleset) : FolderOf(game) / ("lib" + game.ruleset + ".so");
  std::error_code error;
  if (!fs::exists(file, error)) {
    return absl::InvalidArgumentError("There is no ruleset library " + file.string() +
                                      "; --plugins names another folder.");
  }
  absl::StatusOr<host::LibraryFile> read = host::ReadLibrary(file.string());
  if (!read.ok()) return read.status();
  return host::OpenLibrary({std::move(read->sha256), fs::absolute(file).string()});
}

absl::StatusOr<std::vector<int64_t>> OptionsOf(const LocalGame& game,
                                               const host::Ruleset& ruleset) {
  std::vector<std::pair<std::string, std::string>> changes;
  for (const std::string& typed : game.options) {
    const size_t equals = typed.find('=');
    if (equals == std::string::npos || equals == 0) {
      return absl::InvalidArgumentError("An option is NAME=VALUE, not '" + typed + "'.");
    }
    changes.emplace_back(typed.substr(0, equals), typed.substr(equals + 1));
  }
  return ruleset.ResolveOptions(game.preset, changes);
}

}  // namespace astragal::cli
