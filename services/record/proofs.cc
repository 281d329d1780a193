// RecordService: what proves a game: its dice, its receipt, its replay on this and on other
// builds.
#include <utility>

#include "services/base/status.h"
#include "services/core/receipts.h"
#include "services/core/replay.h"
#include "services/core/verification.h"
#include "services/record/record_service.h"
#include "services/rpc/nouns.h"
#include "services/rpc/receipts.h"

namespace astragal::record {
namespace {

std::string Text(std::span<const uint8_t> bytes) { return std::string(base::AsView(bytes)); }

void FillProof(const algorithms::FairnessProof& proof, v1::FairnessProof& out) {
  out.set_game_id(proof.game.ToText());
  out.set_ruleset_id(proof.ruleset);
  out.set_rules_version(proof.rules_version);
  out.set_restore_epoch(proof.restore_epoch);
  out.set_commitment(Text(proof.commitment));
  out.set_secret(Text(proof.secret));
  for (const algorithms::FairnessProof::Seat& seat : proof.seats) {
    v1::FairnessSeat& entry = *out.add_seats();
    entry.set_player_id(seat.player_id);
    entry.set_contribution_sha256(seat.pledge);
    entry.set_contribution(seat.contribution);
  }
  for (const algorithms::FairnessProof::Kind& kind : proof.kinds) {
    v1::ThrowKind& entry = *out.add_throw_kinds();
    entry.set_name(kind.name);
    for (size_t i = 0; i < kind.weights.size(); ++i) {
      entry.add_outcomes()->set_weight(kind.weights[i]);
      entry.mutable_outcomes()->rbegin()->set_label(kind.labels[i]);
    }
  }
  for (const algorithms::FairnessProof::Throw& made : proof.throws) {
    v1::FairnessThrow& entry = *out.add_throws();
    entry.set_sequence(made.sequence);
    entry.set_kind(made.kind);
    entry.set_outcome(made.outcome);
  }
}

// The game, if `viewer` may see it.
absl::StatusOr<storage::StoredGame> LoadFor(const core::World& world, const std::string& game_id,
                                            base::PlayerId viewer) {
  const absl::StatusOr<base::GameId> id = rpc::ReadId<base::GameId>(game_id, "game");
  if (!id.ok()) return id.status();
  absl::StatusOr<storage::StoredGame> stored = world.store.Load(*id);
  if (!stored.ok()) return stored;
  if (!core::MaySee(stored->facts, stored->seats, viewer)) return core::NoSuchGame();
  return stored;
}

// The rules that a game is to be compared with.
absl::StatusOr<std::shared_ptr<const host::Ruleset>> OtherRules(
    const host::Catalog& catalog, const storage::GameFacts& facts,
    const v1::CompareBuildsRequest& request) {
  if (request.build_sha256().empty()) {
    storage::GameFacts wanted = facts;
    if (request.rules_version() != 0) wanted.rules_version = request.rules_version();
    return core::RulesetOf(catalog, wanted);
  }
  std::shared_ptr<const host::Ruleset> found = catalog.FindBuild(request.build_sha256());
  if (found != nullptr && found->about().id == facts.ruleset) return found;
  return base::Error(base::Reason::kRulesetVersionUnavailable, "no such build is loaded")
      .With("ruleset", facts.ruleset);
}

}  // namespace

grpc::ServerUnaryReactor* RecordService::GetFairnessProof(
    grpc::CallbackServerContext* context, const v1::GetFairnessProofRequest* request,
    v1::GetFairnessProofResponse* response) {
  return calls_.Viewed(context, *request,
                       [this, request, response](base::PlayerId viewer) -> absl::Status {
                         const auto id = rpc::ReadId<base::GameId>(request->game_id(), "game");
                         if (!id.ok()) return id.status();
                         const auto proof = core::ProofOf(world_, viewer, *id);
                         if (!proof.ok()) return proof.status();
                         FillProof(*proof, *response->mutable_proof());
                         return absl::OkStatus();
                       });
}

grpc::ServerUnaryReactor* RecordService::GetReceipt(grpc::CallbackServerContext* context,
                                                    const v1::GetReceiptRequest* request,
                                                    v1::GetReceiptResponse* response) {
  return calls_.Viewed(
      context, *request, [this, request, response](base::PlayerId viewer) -> absl::Status {
        const auto stored = LoadFor(world_, request->game_id(), viewer);
        if (!stored.ok()) return stored.status();
        const core::Receipt receipt = receipts_.Sign(stored->facts.id, stored->head.sequence,
                                                     stored->head.chain_hash, world_.clock.Now());
        *response->mutable_receipt() = rpc::ToProto(receipt);
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* RecordService::ListReceiptKeys(grpc::CallbackServerContext* context,
                                                         const v1::ListReceiptKeysRequest* request,
                                                         v1::ListReceiptKeysResponse* response) {
  return calls_.Open(context, *request, [this, response] {
    for (const base::Bytes32& key : receipts_.PublicKeys()) {
      v1::ReceiptKey& out = *response->add_keys();
      out.set_key_id(core::KeyName(key));
      out.set_public_key(Text(key));
    }
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* RecordService::VerifyGame(grpc::CallbackServerContext* context,
                                                    const v1::VerifyGameRequest* request,
                                                    v1::VerifyGameResponse* response) {
  return calls_.Viewed(context, *request,
                       [this, request, response](base::PlayerId viewer) -> absl::Status {
                         const auto stored = LoadFor(world_, request->game_id(), viewer);
                         if (!stored.ok()) return stored.status();
                         const auto verified = core::VerifyGame(world_, stored->facts.id);
                         if (!verified.ok()) return verified.status();
                         response->set_verified(verified->verified());
                         response->set_events(verified->events);
                         response->set_throws_checked(verified->throws_checked);
                         response->set_build_sha256(verified->build);
                         response->set_same_build(verified->same_build);
                         if (verified->verified()) return absl::OkStatus();
                         v1::Difference& difference = *response->mutable_difference();
                         difference.set_game_id(request->game_id());
                         difference.set_sequence(verified->sequence);
                         difference.set_what(verified->difference);
                         return absl::OkStatus();
                       });
}

grpc::ServerUnaryReactor* RecordService::CompareBuilds(grpc::CallbackServerContext* context,
                                                       const v1::CompareBuildsRequest* request,
                                                       v1::CompareBuildsResponse* response) {
  return calls_.Viewed(
      context, *request, [this, request, response](base::PlayerId viewer) -> absl::Status {
        const auto stored = LoadFor(world_, request->game_id(), viewer);
        if (!stored.ok()) return stored.status();
        const auto own = core::BuildOf(world_.catalog, *stored);
        if (!own.ok()) return own.status();
        const auto other = OtherRules(world_.catalog, stored->facts, *request);
        if (!other.ok()) return other.status();
        const auto compared = core::CompareRules(world_, stored->facts.id, *own, *other);
        if (!compared.ok()) return compared.status();
        response->set_same(compared->what.empty());
        response->set_events(compared->events);
        response->set_sequence(compared->sequence);
        response->set_what(compared->what);
        response->set_one(compared->one);
        response->set_other(compared->other);
        response->set_build_sha256((*own)->build().sha256);
        response->set_other_build_sha256((*other)->build().sha256);
        return absl::OkStatus();
      });
}

}  // namespace astragal::record
