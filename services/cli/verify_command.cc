#include "services/cli/verify_command.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "services/algorithms/fairness_proof.h"
#include "services/algorithms/json_fields.h"
#include "services/base/bytes.h"
#include "services/base/signing.h"
#include "services/cli/context.h"
#include "services/cli/json.h"
#include "services/cli/operator.h"
#include "services/cli/progress.h"
#include "services/cli/record_client.h"

namespace astragal::cli {
namespace {

struct VerifyOptions {
  std::vector<std::string> what;
  bool all = false;
  std::string after;
  bool stop = false;
  bool json = false;
  std::string operator_key;
};

// ---- Files.

struct Verdict {
  bool good = false;
  std::string text;
};

Verdict JudgeProof(const std::string& line) {
  const absl::StatusOr<algorithms::FairnessProof> proof = algorithms::ReadProof(line);
  if (!proof.ok()) return {false, std::string(proof.status().message())};
  const algorithms::FairnessReport report = algorithms::CheckProof(*proof);
  const std::string game = proof->game.ToText();
  if (!report.faults.empty()) {
    return {false, absl::StrCat(game, ": ", report.faults.front(),
                                report.faults.size() > 1
                                    ? absl::StrCat(" (and ", report.faults.size() - 1, " more)")
                                    : "")};
  }
  std::string text =
      absl::StrCat(game, ": all ", proof->throws.size(), " throws are those of the secret");
  if (report.contributing_seats > 0) {
    absl::StrAppend(&text, " and what ", report.contributing_seats, " of ", proof->seats.size(),
                    " seats added");
  } else {
    text += "; no seat added to the dice";
  }
  if (report.withheld > 0) {
    absl::StrAppend(&text, "; ", report.withheld, " pledged and then sent nothing");
  }
  return {true, text};
}

Verdict JudgeReceipt(const algorithms::Json& json) {
  algorithms::JsonFields fields(json);
  fields.Text("format");
  const auto game = base::GameId::Parse(fields.Text("game_id"));
  if (!game) fields.Refuse("game_id", "is no id");
  const auto sequence = static_cast<uint32_t>(fields.Int("sequence", 1, INT32_MAX));
  const base::Bytes32 hash = fields.Hash<32>("log_hash");
  const int64_t at = fields.Int("signed_at_us", 0, INT64_MAX);
  const base::Bytes32 key = fields.Hash<32>("public_key");
  const base::Signature signature = fields.Hash<64>("signature");
  if (!fields.ok()) return {false, std::string(fields.status().message())};
  // As core::SignedBytes has it.
  base::ByteWriter message;
  message.Put(std::string_view("astragal-receipt-1")).Put(game->bytes()).Put(sequence);
  message.Put(hash).Put(at);
  const std::string name = base::Hex(base::AsView(base::Sha256(base::AsView(key))).substr(0, 8));
  if (!base::IsSignatureOf(key, message.bytes(), signature)) {
    return {false, game->ToText() + ": the signature is not of key " + name};
  }
  return {true, absl::StrCat(game->ToText(), ": key ", name, " signed event ", sequence,
                             " with log hash ", base::Hex(base::AsView(hash)))};
}

Verdict Judge(const std::string& line) {
  algorithms::Json json;
  if (absl::Status wrong = algorithms::ParseJson(line, json); !wrong.ok()) {
    return {false, std::string(wrong.message())};
  }
  const bool is_receipt =
      json.is_object() && json.contains("format") && json["format"] == "astragal-receipt-1";
  return is_receipt ? JudgeReceipt(json) : JudgeProof(line);
}

absl::Status VerifyFiles(Context& context, const std::vector<std::string>& files) {
  size_t good = 0;
  size_t all = 0;
  for (const std::string& path : files) {
    std::ifstream file;
    if (path != "-") file.open(path);
    if (path != "-" && !file) return absl::InvalidArgumentError("cannot read " + path);
    std::istream& in = path == "-" ? std::cin : file;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      if (line.find_first_not_of(" \r\t") == std::string::npos) continue;
      const Verdict verdict = Judge(line);
      ++all;
      if (verdict.good) ++good;
      context.out() << (verdict.good ? "good  " : "BAD   ") << path << ":" << number << ": "
                    << verdict.text << "\n";
    }
  }
  context.out() << good << " of " << all << " hold\n";
  if (all == 0) return absl::InvalidArgumentError("There is nothing to verify.");
  return good == all ? absl::OkStatus() : absl::DataLossError("Not everything holds.");
}

// ---- Games.

absl::Status VerifyGame(Context& context, const std::string& game, bool json, bool& good) {
  v1::VerifyGameRequest request;
  request.set_game_id(game);
  const auto answer = RecordClientFor(context).Call(request);
  if (!answer.ok()) return answer.status();
  good = answer->verified();
  if (json) {
    context.out() << JsonLine(*answer) << "\n";
  } else if (good) {
    context.out() << "good  " << game << ": " << answer->events() << " events and "
                  << answer->throws_checked() << " throws replay to the same hashes on "
                  << (answer->same_build() ? "the build that played them"
                                           : "another build of its rules")
                  << "\n";
  } else {
    context.out() << "BAD   " << game << ": event " << answer->difference().sequence() << ": "
                  << answer->difference().what() << "\n";
  }
  return absl::OkStatus();
}

absl::Status VerifyAll(Context& context, const VerifyOptions& options) {
  context.SetTimeout(kOperatorLimit);
  const auto known = AsOperator(context, options.operator_key);
  if (!known.ok()) return known.status();
  RecordClient client((*known)->options());
  v1::VerifyGamesRequest request;
  request.set_after_game_id(options.after);
  request.set_stop_at_difference(options.stop);
  uint64_t games = 0, verified = 0, events = 0;
  absl::Status failed;
  Progress progress(context.err(), "games");
  while (true) {
    const auto report = client.Call(request);
    failed = report.status();
    if (!report.ok() || report->last_game_id().empty()) break;
    games += report->games();
    verified += report->verified();
    events += report->events();
    request.set_after_game_id(report->last_game_id());
    for (const v1::Difference& difference : report->differences()) {
      progress.Clear();
      context.out() << "BAD   " << difference.game_id() << ": event " << difference.sequence()
                    << ": " << difference.what() << "\n"
                    << std::flush;
    }
    progress.Show(games, games + report->games_left());
    if (options.json) context.out() << JsonLine(*report) << "\n" << std::flush;
    if (options.stop && verified < games) break;
  }
  progress.Clear();
  if (!options.json) {
    context.out() << verified << " of " << games << " games verified, " << events << " events\n";
  }
  if (!failed.ok() && games > 0) {
    context.err() << "Go on with:  " << context.ProgramForOthers() << " verify --all --after "
                  << request.after_game_id() << "\n";
  }
  if (!failed.ok()) return failed;
  return verified == games ? absl::OkStatus() : absl::DataLossError("Some games differ.");
}

absl::Status RunVerify(Context& context, const VerifyOptions& options) {
  if (options.all) return VerifyAll(context, options);
  if (options.what.empty())
    return absl::InvalidArgumentError("Name a FILE or a GAME, or say --all.");
  std::vector<std::string> files;
  bool all_good = true;
  for (const std::string& what : options.what) {
    const bool is_game = base::GameId::Parse(what).has_value() && !std::filesystem::exists(what);
    if (!is_game) {
      files.push_back(what);
      continue;
    }
    bool good = false;
    if (absl::Status failed = VerifyGame(context, what, options.json, good); !failed.ok())
      return failed;
    all_good = all_good && good;
  }
  if (!files.empty()) {
    if (absl::Status bad = VerifyFiles(context, files); !bad.ok()) return bad;
  }
  return all_good ? absl::OkStatus() : absl::DataLossError("A stored game is not what it was.");
}

}  // namespace

Action DefineVerify(CLI::App& app) {
  auto options = std::make_shared<VerifyOptions>();
  app.add_option("WHAT", options->what,
                 "Files of `astragal proof` and `astragal receipt` (-: standard input), or games");
  auto* all = app.add_flag("--all", options->all, "Every game of the server's store");
  app.add_option("--after", options->after, "Begin after this game")->needs(all);
  app.add_flag("--stop", options->stop, "Stop at the first difference")->needs(all);
  app.add_flag("--json", options->json, "The server's answers as JSON, one a line");
  AddOperatorKey(app, options->operator_key);
  return [options](Context& context) { return RunVerify(context, *options); };
}

Action DefineAdminChecks(CLI::App& app) {
  auto options = std::make_shared<VerifyOptions>();
  app.add_option("--after", options->after, "Begin after this game");
  app.add_flag("--stop", options->stop, "Stop at the first difference");
  app.add_flag("--json", options->json, "The server's answers as JSON, one a line");
  AddOperatorKey(app, options->operator_key);
  return [options](Context& context) { return VerifyAll(context, *options); };
}

}  // namespace astragal::cli
