// The store of the lobby: what players propose to each other. Same contract as GameStore: blocking,
// thread-safe, STORE_UNAVAILABLE changes nothing.
//
// A proposal changes once: it is closed here, or taken by the commit that creates its game
// (GameCommit::takes). Mutations take an Answer as those of PlayerStore do.
#ifndef ASTRAGAL_STORAGE_LOBBY_STORE_H_
#define ASTRAGAL_STORAGE_LOBBY_STORE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/base/clock.h"
#include "services/base/ids.h"
#include "storage/player_store.h"
#include "storage/records.h"

namespace astragal::storage {

// Numbers are for ever.
enum class ProposalKind : uint8_t {
  kSeek = 1,       // to anybody
  kChallenge = 2,  // to one player
  kTicket = 3,     // to whom the matchmaker finds
};

// Numbers are for ever.
enum class ProposalState : uint8_t {
  kOpen = 1,
  kTaken = 2,      // became a game
  kWithdrawn = 3,  // by its player
  kDeclined = 4,   // by the opponent
  kExpired = 5,
};

struct ProposalRecord {
  base::ProposalId id;
  ProposalKind kind = ProposalKind::kSeek;
  ProposalState state = ProposalState::kOpen;
  base::PlayerId player;    // who made it
  base::PlayerId opponent;  // of a challenge; otherwise nil
  std::string terms;        // bytes, at most 4,096: see core/proposal.h
  std::string pool;         // tickets of one pool may be paired; otherwise empty
  int32_t rating = 1'500;   // of the player when it was made
  base::Instant created_at;
  base::Instant expires_at;
  base::GameId game;  // once taken

  friend bool operator==(const ProposalRecord&, const ProposalRecord&) = default;
};

class LobbyStore {
 public:
  // Most proposals of one answer.
  static constexpr size_t kMaxListed = 1'000;

  virtual ~LobbyStore() = default;

  // RATE_LIMITED when its player has `most_open` open ones already (calls that race may pass
  // together). ALREADY_EXISTS with proposal_id when there is one of this id, or an open ticket of
  // this player in this pool.
  virtual absl::StatusOr<Mutation> CreateProposal(const ProposalRecord& proposal, size_t most_open,
                                                  const Answer& answer) = 0;
  // Closes an open one: kWithdrawn by its player, kDeclined by its opponent. NOT_FOUND for anybody
  // else; PROPOSAL_CLOSED with the state it has.
  virtual absl::StatusOr<Mutation> CloseProposal(base::ProposalId id, ProposalState state,
                                                 base::PlayerId by, const Answer& answer) = 0;
  // Keeps an answer whose effect was stored before; a repeat gives the one that is kept.
  virtual absl::StatusOr<Mutation> KeepAnswer(const Answer& answer) = 0;
  virtual absl::StatusOr<std::optional<Answer>> FindAnswer(base::PlayerId account,
                                                           base::RequestId request) = 0;

  // NOT_FOUND.
  virtual absl::StatusOr<ProposalRecord> GetProposal(base::ProposalId id) = 0;
  // Those of these that exist, in any order; at most kMaxListed.
  virtual absl::StatusOr<std::vector<ProposalRecord>> GetProposals(
      const std::vector<base::ProposalId>& ids) = 0;

  // Open ones that have not expired, newest first, ids below `before` (nil: from the start), at
  // most `limit`.
  virtual absl::StatusOr<std::vector<ProposalRecord>> ListSeeks(base::ProposalId before,
                                                                size_t limit) = 0;
  // Made by this player, or challenges to him.
  virtual absl::StatusOr<std::vector<ProposalRecord>> ListOf(base::PlayerId player,
                                                             base::ProposalId before,
                                                             size_t limit) = 0;
  // Open tickets that have not expired, by pool and then oldest first, from beyond this place.
  virtual absl::StatusOr<std::vector<ProposalRecord>> ListTickets(const std::string& after_pool,
                                                                  base::ProposalId after,
                                                                  size_t limit) = 0;

  // Marks at most `limit` open ones whose time is over as kExpired; returns how many.
  virtual absl::StatusOr<size_t> ExpireProposals(size_t limit) = 0;
  // Forgets at most `limit` that ended, or would have, more than `kept_ms` ago; returns how many.
  virtual absl::StatusOr<size_t> SweepProposals(int64_t kept_ms, size_t limit) = 0;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_LOBBY_STORE_H_
