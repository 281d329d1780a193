// From core's values to the public nouns of the protos. Pure functions; any thread may call them.
#ifndef ASTRAGAL_SERVICES_RPC_NOUNS_H_
#define ASTRAGAL_SERVICES_RPC_NOUNS_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "astragal/v1/game.pb.h"
#include "astragal/v1/player.pb.h"
#include "astragal/v1/ruleset.pb.h"
#include "plugins/host/ruleset.h"
#include "services/core/affair.h"
#include "services/core/game_state.h"
#include "storage/game_store.h"
#include "storage/player_store.h"

namespace astragal::rpc {

using Names = absl::flat_hash_map<base::PlayerId, std::string>;

google::protobuf::Timestamp ToProto(base::Instant instant);
v1::Effect ToProto(const host::Effect& effect);
v1::Player ToProto(const storage::PlayerRecord& player);
v1::ApiKey ToProto(const storage::KeyRecord& key);
v1::Place ToProto(const host::Place& place);
v1::Event ToProto(const core::EventView& event);
// `builds` are those of one rules version, the preferred one first; at least one.
v1::Ruleset ToProto(const std::vector<std::shared_ptr<const host::Ruleset>>& builds);
v1::Game ToProto(const core::GameState& state, const Names& names);
v1::Game ToProto(const storage::GameSummary& summary, const Names& names);
// As that, and what its players want to know at a glance.
v1::Game ToProto(const core::GameAffair& affair, const Names& names);

// RULESET_FAULT when the plugin breaks its contract.
absl::Status Fill(const host::Ruleset& ruleset, const host::Position& position, v1::Position& out);
// As POSITION_VIEW_BASIC says.
void FillBasic(const host::Ruleset& ruleset, const host::Position& position, v1::Position& out);
// An action of `actor`; its effects only if it is legal.
absl::Status Fill(const host::Ruleset& ruleset, const host::Position& position, int actor,
                  int64_t action, bool legal, v1::Action& out);

}  // namespace astragal::rpc

#endif  // ASTRAGAL_SERVICES_RPC_NOUNS_H_
