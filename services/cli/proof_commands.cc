// What proves a game: its dice, the server's signature, and another build that plays the same.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "services/algorithms/fairness_proof.h"
#include "services/base/crypto.h"
#include "services/cli/context.h"
#include "services/cli/json.h"
#include "services/cli/receipt_text.h"
#include "services/cli/record_client.h"
#include "services/cli/record_commands.h"

namespace astragal::cli {
namespace {

struct ProofOptions {
  std::vector<std::string> games;
  std::string output;
};

// Lines for a file, or for the screen when none is named.
absl::Status WriteTo(Context& context, const std::string& path, const std::string& text) {
  if (path.empty() || path == "-") {
    context.out() << text;
    return absl::OkStatus();
  }
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) return absl::InvalidArgumentError("cannot write " + path);
  context.err() << "Written to " << path << "\nCheck it with:  astragal verify " << path << "\n";
  return absl::OkStatus();
}

template <size_t N>
std::array<uint8_t, N> Fixed(const std::string& bytes) {
  std::array<uint8_t, N> out{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), N), out.begin());
  return out;
}

algorithms::FairnessProof FromProto(const v1::FairnessProof& proof) {
  algorithms::FairnessProof out;
  out.game = base::GameId::Parse(proof.game_id()).value_or(base::GameId());
  out.ruleset = proof.ruleset_id();
  out.rules_version = proof.rules_version();
  out.restore_epoch = proof.restore_epoch();
  out.commitment = Fixed<32>(proof.commitment());
  out.secret = Fixed<32>(proof.secret());
  for (const v1::FairnessSeat& seat : proof.seats()) {
    out.seats.push_back({seat.player_id(), seat.contribution_sha256(), seat.contribution()});
  }
  for (const v1::ThrowKind& kind : proof.throw_kinds()) {
    algorithms::FairnessProof::Kind& entry = out.kinds.emplace_back();
    entry.name = kind.name();
    for (const v1::ThrowOutcome& outcome : kind.outcomes()) {
      entry.weights.push_back(outcome.weight());
      entry.labels.push_back(outcome.label());
    }
  }
  for (const v1::FairnessThrow& made : proof.throws()) {
    out.throws.push_back({made.sequence(), made.kind(), made.outcome()});
  }
  return out;
}

absl::Status RunProof(Context& context, const ProofOptions& options) {
  std::string text;
  for (const std::string& game : options.games) {
    v1::GetFairnessProofRequest request;
    request.set_game_id(game);
    const auto answer = RecordClientFor(context).Call(request);
    if (!answer.ok()) return answer.status();
    text += algorithms::WriteProof(FromProto(answer->proof())) + "\n";
  }
  return WriteTo(context, options.output, text);
}

struct ReceiptOptions {
  std::string game;
  std::string output;
  bool keys = false;
};

absl::Status RunKeys(Context& context) {
  const auto keys = RecordClientFor(context).Call(v1::ListReceiptKeysRequest());
  if (!keys.ok()) return keys.status();
  for (const v1::ReceiptKey& key : keys->keys()) {
    context.out() << key.key_id() << "  " << base::Hex(key.public_key()) << "\n";
  }
  return absl::OkStatus();
}

absl::Status RunReceipt(Context& context, const ReceiptOptions& options) {
  if (options.keys) return RunKeys(context);
  if (options.game.empty()) return absl::InvalidArgumentError("Name a GAME, or say --keys.");
  v1::GetReceiptRequest request;
  request.set_game_id(options.game);
  const auto answer = RecordClientFor(context).Call(request);
  if (!answer.ok()) return answer.status();
  return WriteTo(context, options.output, ReceiptJson(answer->receipt()) + "\n");
}

struct CompareOptions {
  std::string game;
  uint32_t rules_version = 0;
  std::string build;
  bool json = false;
};

absl::Status RunCompare(Context& context, const CompareOptions& options) {
  v1::CompareBuildsRequest request;
  request.set_game_id(options.game);
  request.set_rules_version(options.rules_version);
  request.set_build_sha256(options.build);
  const auto answer = RecordClientFor(context).Call(request);
  if (!answer.ok()) return answer.status();
  if (options.json) {
    context.out() << JsonDocument(*answer) << "\n";
  } else {
    context.out() << "the game's build  " << answer->build_sha256() << "\nthe other build   "
                  << answer->other_build_sha256() << "\n";
    if (answer->same()) {
      context.out() << "No difference in " << answer->events()
                    << " events: actor, legal actions, notation, result and text.\n";
    } else {
      context.out() << "The first difference is in the " << answer->what() << " after event "
                    << answer->sequence() << ".\nthe game's:  " << answer->one()
                    << "\nthe other's: " << answer->other() << "\n";
    }
  }
  return answer->same() ? absl::OkStatus() : absl::DataLossError("The builds differ.");
}

}  // namespace

Action DefineProof(CLI::App& app) {
  auto options = std::make_shared<ProofOptions>();
  app.add_option("GAME", options->games, "Games that have ended")->required();
  app.add_option("-o,--output", options->output, "A file (default: the screen)");
  return [options](Context& context) { return RunProof(context, *options); };
}

Action DefineReceipt(CLI::App& app) {
  auto options = std::make_shared<ReceiptOptions>();
  app.add_option("GAME", options->game, "Any game");
  app.add_option("-o,--output", options->output, "A file (default: the screen)");
  app.add_flag("--keys", options->keys, "Instead: the server's public keys, the present one first");
  return [options](Context& context) { return RunReceipt(context, *options); };
}

Action DefineCompare(CLI::App& app) {
  auto options = std::make_shared<CompareOptions>();
  app.add_option("GAME", options->game, "Any game")->required();
  app.add_option("--rules-version", options->rules_version,
                 "Of the other build (default: the game's)");
  app.add_option("--build", options->build,
                 "SHA-256 of the other build (default: the preferred one)");
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) { return RunCompare(context, *options); };
}

}  // namespace astragal::cli
