#include "services/cli/verify_command.h"

#include <CLI/CLI.hpp>
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

namespace astragal::cli {
namespace {

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

}  // namespace

Action DefineVerify(CLI::App& app) {
  auto files = std::make_shared<std::vector<std::string>>();
  app.add_option("FILE", *files,
                 "Proofs of dice or receipts, one JSON object a line (-: standard input)")
      ->required();
  return [files](Context& context) { return VerifyFiles(context, *files); };
}

}  // namespace astragal::cli
