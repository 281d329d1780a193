// Old logs go to a file and out of the store.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "services/cli/context.h"
#include "services/cli/day.h"
#include "services/cli/json.h"
#include "services/cli/operator.h"
#include "services/cli/progress.h"
#include "services/cli/record_client.h"
#include "services/cli/record_commands.h"

namespace astragal::cli {
namespace {

constexpr size_t kAtOnce = 1'000;  // games of one call

struct ArchiveOptions {
  std::string until;
  std::string output;
  std::string name;
  std::string operator_key;
};

// Writes what the store has to the file; the games are those that are whole in it.
absl::Status Write(Context& context, RecordClient& client, const ArchiveOptions& options,
                   std::vector<std::string>& games) {
  v1::ExportGamesRequest request;
  request.set_for_archive(true);
  const absl::Status read = ReadDay(options.until, *request.mutable_ended_until());
  if (!read.ok()) return read;
  std::ofstream file(options.output, std::ios::binary | std::ios::trunc);
  Progress progress(context.err(), "games");
  const absl::Status status = client.Export(request, [&](const v1::ExportGamesResponse& game) {
    file << game.record();
    games.push_back(game.game_id());
    progress.Show(games.size(), game.games_in_all());
    return static_cast<bool>(file);
  });
  file.close();
  if (!file) return absl::InvalidArgumentError("cannot write " + options.output);
  return status;
}

// Until it is on the disk nothing may be forgotten.
absl::Status Settle(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool settled = file >= 0 && ::fsync(file) == 0;
  if (file >= 0) ::close(file);
  return settled ? absl::OkStatus() : absl::InvalidArgumentError("cannot keep " + path);
}

absl::Status Forget(RecordClient& client, const std::string& archive,
                    const std::vector<std::string>& games, int64_t& archived) {
  for (size_t from = 0; from < games.size(); from += kAtOnce) {
    v1::ArchiveGamesRequest request;
    request.set_archive(archive);
    const size_t until = std::min(games.size(), from + kAtOnce);
    for (size_t i = from; i < until; ++i) request.add_game_ids(games[i]);
    const auto answer = client.Call(request);
    if (!answer.ok()) return answer.status();
    archived += answer->archived();
  }
  return absl::OkStatus();
}

absl::Status RunArchive(Context& context, const ArchiveOptions& options) {
  if (std::filesystem::exists(options.output)) {
    return absl::InvalidArgumentError(options.output + " is there already; name a new file");
  }
  context.SetTimeout(kOperatorLimit);
  const auto known = AsOperator(context, options.operator_key);
  if (!known.ok()) return known.status();
  RecordClient client((*known)->options());
  std::vector<std::string> games;
  int64_t archived = 0;
  absl::Status status = Write(context, client, options, games);
  if (status.ok()) status = Settle(options.output);
  const std::string name = options.name.empty()
                               ? std::filesystem::path(options.output).filename().string()
                               : options.name;
  if (status.ok()) status = Forget(client, name, games, archived);
  context.err() << games.size() << " games written, " << archived << " logs archived as " << name
                << "\n";
  return status;
}

}  // namespace

Action DefineArchive(CLI::App& app) {
  auto options = std::make_shared<ArchiveOptions>();
  app.add_option("--until", options->until, "Games that ended before this day (UTC): 2026-01-01")
      ->required();
  app.add_option("-o,--output", options->output, "A new file, of JSON Lines")->required();
  app.add_option("--name", options->name,
                 "What the server tells whoever asks for such a log (default: the file's name)");
  AddOperatorKey(app, options->operator_key);
  return [options](Context& context) { return RunArchive(context, *options); };
}

}  // namespace astragal::cli
