// The lobby: proposals, and the games they become.
//
// A proposal is accepted by creating a game under a request that is the proposal's own id, in one
// transaction with taking it: so there is at most one game of it, and whoever comes later, on any
// node, finds that one. Owns nothing but the key for seats; thread-safe. Methods marked (blocks)
// use the store on the caller's thread; the others go on by the scheduler, and call `done` exactly
// once. Must live until the scheduler has stopped.
#ifndef ASTRAGAL_SERVICES_CORE_LOBBY_H_
#define ASTRAGAL_SERVICES_CORE_LOBBY_H_

#include <functional>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "services/base/crypto.h"
#include "services/core/accounts.h"
#include "services/core/games.h"
#include "services/core/proposal.h"
#include "storage/lobby_store.h"
#include "storage/match_store.h"

namespace astragal::core {

struct NewProposal {
  storage::ProposalKind kind = storage::ProposalKind::kSeek;
  PlayerId opponent;  // of a challenge, somebody who exists
  ProposalTerms terms;
  int64_t open_ms = 0;  // 0: as long as is usual for its kind
  bool validate_only = false;
};

// A game that came of a proposal.
struct Acceptance {
  Proposal proposal;
  std::optional<CommandResult> game;  // unset: a rematch that waits for the other player
};

class Lobby {
 public:
  // A player's proposals that are open at a time.
  static constexpr size_t kMaxOpen = 20;
  static constexpr int64_t kSeekMs = int64_t{3600} * 1000;
  static constexpr int64_t kChallengeMs = 24 * kSeekMs;
  static constexpr int64_t kTicketMs = 300'000;
  static constexpr int64_t kMaxTicketMs = kSeekMs;
  static constexpr int64_t kMaxOpenMs = 14 * kChallengeMs;
  // How often a proposal is tried that is neither free nor taken: another node is at it.
  static constexpr int kMaxTries = 10;
  static constexpr int64_t kTryAgainMs = 20;

  using Done = std::function<void(absl::StatusOr<Acceptance>)>;
  // How much of his last rated games a player has completed, in percent (blocks): see completion.h.
  using FindCompletion = std::function<absl::StatusOr<int>(PlayerId)>;

  Lobby(Games& games, storage::LobbyStore& store, storage::MatchStore& matches,
        FindCompletion find_completion);

  // Makes a proposal of `stamp.account` (blocks). BAD_FIELD, BAD_OPTION, NOT_FOUND,
  // RULESET_VERSION_UNAVAILABLE, RATE_LIMITED, ALREADY_EXISTS, REQUEST_ID_REUSED.
  absl::StatusOr<Proposal> Propose(NewProposal asked, const MutationStamp& stamp);
  // One proposal as this player (nil: somebody unknown) may see it (blocks): without its game if
  // that is hidden from him. NOT_FOUND.
  absl::StatusOr<Proposal> Get(ProposalId id, PlayerId viewer);
  // Declines or withdraws for `stamp.account` (blocks). NOT_FOUND, PROPOSAL_CLOSED,
  // REQUEST_ID_REUSED.
  absl::StatusOr<Proposal> Close(ProposalId id, storage::ProposalState state,
                                 const MutationStamp& stamp);

  // Begins the game of a seek or challenge with `stamp.account` in the other seat. BAD_FIELD,
  // NOT_FOUND, PROPOSAL_CLOSED, COMPLETION_TOO_LOW, RULESET_VERSION_UNAVAILABLE,
  // REQUEST_ID_REUSED.
  void Accept(ProposalId id, const MutationStamp& stamp, Done done);
  // Challenges the other player of this game, or accepts his challenge; of a game of a match, to
  // another match. NOT_FOUND, NOT_SEATED, BAD_FIELD, GAME_STILL_RUNNING (the match, too),
  // PROPOSAL_CLOSED, REQUEST_ID_REUSED.
  void Rematch(GameId game, const MutationStamp& stamp, Done done);

  // The game of this proposal with `other` as the second player: the same on every node.
  CreateGame GameOf(const Proposal& proposal, PlayerId other);
  // Takes the game out of a proposal that this viewer may see, if it is hidden from him.
  static void HideGame(Proposal& proposal, PlayerId viewer, bool is_seated = false);

  Games& games() { return games_; }
  storage::LobbyStore& store() { return store_; }

 private:
  class Attempt;  // lobby_accept.cc
  using AttemptPtr = std::shared_ptr<Attempt>;

  absl::Status CheckAsked(NewProposal& asked, PlayerId player);
  absl::StatusOr<Proposal> Store(const NewProposal& asked, ProposalId id,
                                 const MutationStamp& stamp);
  PlayerId LastOpponent(PlayerId player);
  // COMPLETION_TOO_LOW, STORE_UNAVAILABLE.
  absl::Status CheckCompletion(const ProposalTerms& terms, PlayerId player);
  int SeatOfProposer(const Proposal& proposal) const;
  absl::Status CheckNotReused(const MutationStamp& stamp);
  static storage::Answer AnswerFor(const MutationStamp& stamp,
                                   const storage::ProposalRecord& record);
  // The proposal that a mutation was answered with, the first time if it was a repeat.
  static absl::StatusOr<Proposal> AnsweredWith(const absl::StatusOr<storage::Mutation>& mutation,
                                               const MutationStamp& stamp);

  void Go(const AttemptPtr& attempt, std::function<void(const AttemptPtr&)> step);
  void TryAccept(const AttemptPtr& attempt);
  void BeginGame(const AttemptPtr& attempt, const Proposal& proposal);
  void OnGame(const AttemptPtr& attempt, Proposal proposal,
              const absl::StatusOr<CommandResult>& result);
  void TryAgain(const AttemptPtr& attempt, const absl::Status& why);
  void TryRematch(const AttemptPtr& attempt, GameId game);
  absl::StatusOr<NewProposal> RematchOf(const GameState& game, PlayerId player);
  // A game as this player may see it, not older than this call unless it is over.
  absl::StatusOr<StatePtr> LatestOf(GameId game, PlayerId player);
  // The game itself; or of the match that it belongs to, once that is over, the first one.
  absl::StatusOr<StatePtr> FirstOfMatch(const StatePtr& game, PlayerId player,
                                        std::optional<MatchTerms>& terms);
  void AnswerOwnRematch(const AttemptPtr& attempt, const storage::ProposalRecord& record);

  Games& games_;
  storage::LobbyStore& store_;
  storage::MatchStore& matches_;
  const FindCompletion find_completion_;
  const base::Bytes32 seat_key_;
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_LOBBY_H_
