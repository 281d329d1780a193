#include "services/algorithms/fairness_proof.h"

#include <numeric>

#include "absl/strings/str_cat.h"
#include "services/algorithms/dice.h"
#include "services/algorithms/json_fields.h"

namespace astragal::algorithms {
namespace {

constexpr std::string_view kFormat = "astragal-fairness-proof-1";
constexpr size_t kMaxSeats = 127;
constexpr size_t kMaxKinds = 256;
constexpr uint64_t kMaxTotalWeight = 65'536;
constexpr size_t kMaxThrows = 10'000'000;
constexpr size_t kMaxFaults = 20;  // more are not listed

void CheckSeats(const FairnessProof& proof, FairnessReport& report) {
  for (size_t i = 0; i < proof.seats.size(); ++i) {
    const FairnessProof::Seat& seat = proof.seats[i];
    if (seat.contribution.empty()) {
      if (!seat.pledge.empty()) ++report.withheld;
      continue;
    }
    ++report.contributing_seats;
    if (base::AsView(base::Sha256(seat.contribution)) == seat.pledge) continue;
    report.faults.push_back(absl::StrCat("seat ", i, ": the contribution is not the pledged one"));
  }
}

// What is wrong with the throw; empty: nothing.
std::string FaultOf(const FairnessProof& proof, const DiceSource& source, size_t index) {
  const FairnessProof::Throw& made = proof.throws[index];
  if (made.kind >= proof.kinds.size()) return "is of no kind";
  const std::vector<uint32_t>& weights = proof.kinds[made.kind].weights;
  const uint64_t total = std::accumulate(weights.begin(), weights.end(), uint64_t{0});
  if (total == 0 || total > kMaxTotalWeight) return "is of a kind without proper weights";
  if (index > 0 && made.sequence <= proof.throws[index - 1].sequence) {
    return "does not come after the one before it";
  }
  const int drawn = DrawOutcome(source, index, weights);
  if (made.outcome == static_cast<uint32_t>(drawn)) return "";
  return absl::StrCat("is outcome ", made.outcome, ", the secret and the contributions give ",
                      drawn);
}

Json TextsToJson(const std::vector<std::string>& texts) {
  Json out = Json::array();
  for (const std::string& text : texts) out.push_back(text);
  return out;
}

FairnessProof::Seat ReadSeat(const Json& json, absl::Status& status) {
  JsonFields fields(json);
  FairnessProof::Seat seat;
  seat.player_id = fields.Text("player_id");
  seat.pledge = fields.Hex("contribution_sha256", 0, 32);
  if (!seat.pledge.empty() && seat.pledge.size() != 32) {
    fields.Refuse("contribution_sha256", "must have 32 bytes, or none");
  }
  seat.contribution = fields.Hex("contribution", 0, 32);
  status.Update(fields.status());
  return seat;
}

FairnessProof::Kind ReadKind(const Json& json, absl::Status& status) {
  JsonFields fields(json);
  FairnessProof::Kind kind;
  kind.name = fields.Text("name");
  for (const Json& weight : fields.Array("weights", kMaxTotalWeight)) {
    const bool fits = weight.is_number_unsigned() && weight.get<uint64_t>() >= 1 &&
                      weight.get<uint64_t>() <= kMaxTotalWeight;
    if (!fits) fields.Refuse("weights", "has an entry that is no weight");
    kind.weights.push_back(fits ? weight.get<uint32_t>() : 1);
  }
  if (kind.weights.empty()) fields.Refuse("weights", "is empty");
  for (const Json& label : fields.Array("labels", kMaxTotalWeight)) {
    if (!label.is_string()) fields.Refuse("labels", "has an entry that is no text");
    kind.labels.push_back(label.is_string() ? label.get<std::string>() : "");
  }
  status.Update(fields.status());
  return kind;
}

FairnessProof::Throw ReadThrow(const Json& json, absl::Status& status) {
  JsonFields fields(json);
  FairnessProof::Throw made;
  made.sequence = static_cast<uint32_t>(fields.Int("sequence", 1, UINT32_MAX));
  made.kind = static_cast<uint32_t>(fields.Int("kind", 0, kMaxKinds));
  made.outcome = static_cast<uint32_t>(fields.Int("outcome", 0, kMaxTotalWeight));
  status.Update(fields.status());
  return made;
}

}  // namespace

FairnessReport CheckProof(const FairnessProof& proof) {
  FairnessReport report;
  if (DiceCommitment(proof.game, proof.secret) != proof.commitment) {
    report.faults.push_back("the secret is not the one that was committed to");
  }
  CheckSeats(proof, report);
  DiceSource source{proof.secret, proof.game, proof.restore_epoch, {}};
  for (const FairnessProof::Seat& seat : proof.seats) {
    source.contributions.push_back(seat.contribution);
  }
  for (size_t i = 0; i < proof.throws.size() && report.faults.size() < kMaxFaults; ++i) {
    const std::string fault = FaultOf(proof, source, i);
    if (fault.empty()) continue;
    report.faults.push_back(
        absl::StrCat("throw ", i, " (event ", proof.throws[i].sequence, ") ", fault));
  }
  return report;
}

std::string WriteProof(const FairnessProof& proof) {
  Json out;
  out["format"] = kFormat;
  out["game_id"] = proof.game.ToText();
  out["ruleset_id"] = proof.ruleset;
  out["rules_version"] = proof.rules_version;
  out["restore_epoch"] = proof.restore_epoch;
  out["commitment"] = base::Hex(base::AsView(proof.commitment));
  out["secret"] = base::Hex(base::AsView(proof.secret));
  out["seats"] = Json::array();
  for (const FairnessProof::Seat& seat : proof.seats) {
    out["seats"].push_back({{"player_id", seat.player_id},
                            {"contribution_sha256", base::Hex(seat.pledge)},
                            {"contribution", base::Hex(seat.contribution)}});
  }
  out["throw_kinds"] = Json::array();
  for (const FairnessProof::Kind& kind : proof.kinds) {
    out["throw_kinds"].push_back(
        {{"name", kind.name}, {"weights", kind.weights}, {"labels", TextsToJson(kind.labels)}});
  }
  out["throws"] = Json::array();
  for (const FairnessProof::Throw& made : proof.throws) {
    out["throws"].push_back(
        {{"sequence", made.sequence}, {"kind", made.kind}, {"outcome", made.outcome}});
  }
  return out.dump();
}

absl::StatusOr<FairnessProof> ReadProof(std::string_view json) {
  Json parsed;
  if (absl::Status wrong = ParseJson(json, parsed); !wrong.ok()) return wrong;
  JsonFields fields(parsed);
  if (fields.Text("format") != kFormat) fields.Refuse("format", "is unknown");
  FairnessProof proof;
  const std::optional<base::GameId> game = base::GameId::Parse(fields.Text("game_id"));
  if (!game) fields.Refuse("game_id", "is no id");
  proof.game = game.value_or(base::GameId());
  proof.ruleset = fields.Text("ruleset_id");
  proof.rules_version = static_cast<uint32_t>(fields.Int("rules_version", 0, UINT32_MAX));
  proof.restore_epoch = static_cast<uint32_t>(fields.Int("restore_epoch", 0, UINT32_MAX));
  proof.commitment = fields.Hash<32>("commitment");
  proof.secret = fields.Hash<32>("secret");
  absl::Status status;
  for (const Json& seat : fields.Array("seats", kMaxSeats)) {
    proof.seats.push_back(ReadSeat(seat, status));
  }
  for (const Json& kind : fields.Array("throw_kinds", kMaxKinds)) {
    proof.kinds.push_back(ReadKind(kind, status));
  }
  for (const Json& made : fields.Array("throws", kMaxThrows)) {
    proof.throws.push_back(ReadThrow(made, status));
  }
  status.Update(fields.status());
  if (!status.ok()) return status;
  return proof;
}

}  // namespace astragal::algorithms
