#include "services/cli/record_commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "services/algorithms/game_record.h"
#include "services/cli/context.h"
#include "services/cli/json.h"
#include "services/cli/operator.h"
#include "services/cli/progress.h"
#include "services/cli/record_client.h"

namespace astragal::cli {
namespace {

constexpr size_t kImportBytes = 768 * 1024;  // of one call
constexpr size_t kTailBytes = 16 * 1024 * 1024;

struct ExportOptions {
  std::vector<std::string> games;
  std::string format = "lines";
  std::string ruleset;
  std::string player;
  std::string after;
  std::string output;
};

v1::RecordFormat FormatOf(const std::string& word) {
  if (word == "text") return v1::RECORD_FORMAT_TEXT;
  if (word == "columns") return v1::RECORD_FORMAT_COLUMNS;
  return v1::RECORD_FORMAT_LINES;
}

// Cuts a file after its last whole record and returns that record's game: there an export goes on
// that was stopped. Empty: it begins anew. Only the end of a long file is read.
std::string LastWhole(const std::string& path) {
  std::error_code missing;
  const uint64_t size = std::filesystem::file_size(path, missing);
  if (missing || size == 0) return "";
  const uint64_t begin = size > kTailBytes ? size - kTailBytes : 0;
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(begin));
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  std::vector<algorithms::RecordPart> parts = algorithms::SplitRecords(text);
  if (begin > 0 && !parts.empty()) parts.erase(parts.begin());  // it began before
  uint64_t whole = 0;
  std::string last;
  for (const algorithms::RecordPart& part : parts) {
    const algorithms::ReadRecord read = algorithms::ReadPart(part);
    if (!read.record || part.text.back() != '\n') break;
    last = read.game.ToText();
    whole = begin + static_cast<uint64_t>(part.text.data() - text.data()) + part.text.size();
  }
  std::error_code failed;
  std::filesystem::resize_file(path, whole, failed);
  return last;
}

absl::Status RunExport(Context& context, const ExportOptions& options) {
  v1::ExportGamesRequest request;
  for (const std::string& game : options.games) request.add_game_ids(game);
  request.set_format(FormatOf(options.format));
  request.set_ruleset_id(options.ruleset);
  request.set_player_id(options.player);
  request.set_after_game_id(options.after);
  const bool to_file = !options.output.empty() && options.output != "-";
  const bool many = options.games.empty();
  if (to_file && many && options.after.empty() && request.format() != v1::RECORD_FORMAT_COLUMNS) {
    request.set_after_game_id(LastWhole(options.output));
    if (!request.after_game_id().empty()) {
      context.err() << "Going on after " << request.after_game_id() << "\n";
    }
  }
  std::ofstream file;
  if (to_file) {
    file.open(options.output, std::ios::binary | (many ? std::ios::app : std::ios::trunc));
    if (!file) return absl::InvalidArgumentError("cannot write " + options.output);
  }
  std::ostream& out = to_file ? file : context.out();
  uint64_t games = 0;
  Progress progress(context.err(), "games");
  const absl::Status status =
      RecordClientFor(context).Export(request, [&](const v1::ExportGamesResponse& game) {
        out << game.record();
        if (request.format() != v1::RECORD_FORMAT_LINES) out << "\n";
        ++games;
        progress.Show(games, game.games_in_all());
        return static_cast<bool>(out);
      });
  out << std::flush;
  progress.Clear();
  if (!out) return absl::InvalidArgumentError("cannot write " + options.output);
  if (to_file || many) context.err() << games << " games written\n";
  return status;
}

struct ImportOptions {
  std::vector<std::string> files;
  bool check = false;
  bool json = false;
  std::string operator_key;
};

struct Totals {
  uint64_t imported = 0;
  uint64_t there = 0;
  uint64_t refused = 0;
};

// Sends some records, the first of which begins at `first_line` of the file.
absl::Status Send(Context& context, RecordClient& client, const ImportOptions& options,
                  const std::string& path, std::string records, uint32_t first_line, Totals& totals,
                  Progress& progress) {
  v1::ImportGamesRequest request;
  request.set_records(std::move(records));
  request.set_validate_only(options.check);
  const auto answer = client.Call(request);
  if (!answer.ok()) return answer.status();
  for (v1::ImportedGame game : answer->games()) {
    if (game.line() > 0) game.set_line(game.line() + first_line - 1);
    if (game.outcome() == v1::ImportedGame::OUTCOME_IMPORTED) ++totals.imported;
    if (game.outcome() == v1::ImportedGame::OUTCOME_ALREADY_THERE) ++totals.there;
    if (game.outcome() == v1::ImportedGame::OUTCOME_REFUSED) {
      ++totals.refused;
      progress.Clear();
      context.err() << path << ":" << game.line() << ": " << game.game_id()
                    << (game.game_id().empty() ? "" : ": ") << game.reason() << "\n";
    }
    if (options.json) context.out() << JsonLine(game) << "\n";
  }
  return absl::OkStatus();
}

// A file in pieces of whole records, each as large as one call may be.
class RecordFile {
 public:
  explicit RecordFile(const std::string& path) : file_(path, std::ios::binary) {}

  bool is_open() const { return file_.is_open(); }
  // Where `records` begin in the file, in lines from 1; false at the end.
  bool Next(std::string& records, uint32_t& first_line) {
    first_line = line_;
    while (buffer_.size() < kImportBytes && file_) {
      const size_t had = buffer_.size();
      buffer_.resize(had + kImportBytes);
      file_.read(buffer_.data() + had, static_cast<std::streamsize>(kImportBytes));
      buffer_.resize(had + static_cast<size_t>(file_.gcount()));
    }
    // The last record may go on in what is not read yet.
    const std::vector<algorithms::RecordPart> parts = algorithms::SplitRecords(buffer_);
    const bool keeps_last = static_cast<bool>(file_) && parts.size() > 1;
    const size_t end = keeps_last ? static_cast<size_t>(parts.back().text.data() - buffer_.data())
                                  : buffer_.size();
    records = buffer_.substr(0, end);
    buffer_.erase(0, end);
    line_ += static_cast<uint32_t>(std::ranges::count(records, '\n'));
    read_ += end;
    return !records.empty();
  }
  uint64_t read() const { return read_; }  // bytes given out

 private:
  std::ifstream file_;
  std::string buffer_;
  uint32_t line_ = 1;
  uint64_t read_ = 0;
};

absl::Status ImportFile(Context& context, RecordClient& client, const ImportOptions& options,
                        const std::string& path, Totals& totals) {
  RecordFile file(path);
  if (!file.is_open()) return absl::InvalidArgumentError("cannot read " + path);
  std::error_code unknown;
  const uint64_t bytes = std::filesystem::file_size(path, unknown);
  Progress progress(context.err(), "KiB");
  std::string records;
  uint32_t first_line = 1;
  while (file.Next(records, first_line)) {
    const absl::Status sent =
        Send(context, client, options, path, std::move(records), first_line, totals, progress);
    if (!sent.ok()) return sent;
    progress.Show(file.read() / 1'024, unknown ? 0 : bytes / 1'024);
  }
  return absl::OkStatus();
}

absl::Status RunImport(Context& context, const ImportOptions& options) {
  context.SetTimeout(kOperatorLimit);
  const auto known = AsOperator(context, options.operator_key);
  if (!known.ok()) return known.status();
  RecordClient client((*known)->options());
  Totals totals;
  absl::Status status;
  for (const std::string& path : options.files) {
    status = ImportFile(context, client, options, path, totals);
    if (!status.ok()) break;
  }
  context.err() << totals.imported << (options.check ? " could be imported, " : " imported, ")
                << totals.there << " there already, " << totals.refused << " refused\n";
  if (!status.ok()) return status;
  return totals.refused == 0 ? absl::OkStatus() : absl::DataLossError("Some records were refused.");
}

}  // namespace

Action DefineExport(CLI::App& app) {
  auto options = std::make_shared<ExportOptions>();
  app.add_option("GAME", options->games, "Games that have ended (default: all public ones)");
  app.add_option("--format", options->format,
                 "lines: JSON Lines; text: tags and turns; columns: two columns, for people only")
      ->check(CLI::IsMember({"lines", "text", "columns"}))
      ->capture_default_str();
  app.add_option("--ruleset", options->ruleset, "Only of this ruleset");
  app.add_option("--of", options->player, "Only with this player, by id");
  app.add_option("--after", options->after, "Begin after this game");
  app.add_option("-o,--output", options->output,
                 "A file (default: the screen); an export of many goes on where the file ends");
  return [options](Context& context) { return RunExport(context, *options); };
}

Action DefineImport(CLI::App& app) {
  auto options = std::make_shared<ImportOptions>();
  app.add_option("FILE", options->files, "Records, lines or text")->required();
  app.add_flag("--check", options->check, "Check everything, store nothing");
  app.add_flag("--json", options->json, "One JSON object a line: what became of each record");
  AddOperatorKey(app, options->operator_key);
  return [options](Context& context) { return RunImport(context, *options); };
}

}  // namespace astragal::cli
