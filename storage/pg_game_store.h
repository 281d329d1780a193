// The store of games on PostgreSQL. Contract and failures: game_store.h.
//
// Owns nothing but a reference to the pool; thread-safe. Every query of it seeks in an index,
// whatever the number of games (a test reads the plans). One weaker spot is known: a list of one
// player's games with a ruleset or status walks that player's games.
#ifndef ASTRAGAL_STORAGE_PG_GAME_STORE_H_
#define ASTRAGAL_STORAGE_PG_GAME_STORE_H_

#include <atomic>
#include <string>
#include <vector>

#include "storage/game_store.h"
#include "storage/pool.h"

namespace astragal::storage {

class PgGameStore : public GameStore {
 public:
  // `node` names this process in notifications; others hear of its batches under it. No ':' in it.
  PgGameStore(Pool& pool, std::string node) : pool_(pool), node_(std::move(node)) {}

  absl::StatusOr<CommitReport> Commit(absl::Span<const GameCommit> batch) override;
  absl::StatusOr<StoredGame> Load(base::GameId id) override;
  absl::StatusOr<std::vector<StoredLog>> Logs(absl::Span<const base::GameId> games) override;
  absl::StatusOr<std::vector<EventRecord>> Events(base::GameId id, uint32_t after,
                                                  size_t limit) override;
  absl::StatusOr<std::optional<EventRecord>> FindRequest(base::GameId game, base::PlayerId player,
                                                         base::RequestId request) override;
  absl::StatusOr<std::optional<base::GameId>> FindCreated(base::PlayerId player,
                                                          base::RequestId request) override;
  absl::StatusOr<std::vector<HeadMark>> Heads(absl::Span<const base::GameId> games) override;
  absl::StatusOr<std::vector<base::GameId>> TakeDue(base::Instant until, size_t limit) override;
  absl::StatusOr<std::vector<Outage>> Beat(base::Instant known_until) override;
  absl::StatusOr<std::vector<GameSummary>> List(const GameFilter& filter, base::GameId before,
                                                size_t limit) override;

 private:
  // A commit of the batch and where its outcome goes.
  struct Item {
    const GameCommit* commit;
    CommitOutcome* outcome;
  };
  static std::vector<const GameCommit*> CommitsOf(absl::Span<const Item> items);
  static void Report(const Rows& rows, absl::Span<const Item> items, CommitReport& report);
  // What the notification of the next batch says.
  std::string Payload();
  // Stores what it can of `items` if all of them only play, and answers with the rest.
  absl::StatusOr<std::vector<Item>> CommitPlays(absl::Span<const Item> items, CommitReport& report);
  absl::Status CommitPart(absl::Span<const Item> items, CommitReport& report);

  Pool& pool_;
  const std::string node_;
  std::atomic<uint64_t> batches_{0};
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_PG_GAME_STORE_H_
