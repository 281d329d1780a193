#include "services/record/export_stream.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "services/algorithms/game_record.h"
#include "services/base/history_reasons.h"
#include "services/core/record_log.h"
#include "services/record/record_extras.h"
#include "services/rpc/instants.h"
#include "services/rpc/nouns.h"

namespace astragal::record {
namespace {

using algorithms::GameRecord;

// Who sat where, by name.
absl::StatusOr<std::vector<std::string>> NamesOf(const storage::StoredGame& game,
                                                 core::Accounts& accounts) {
  std::vector<base::PlayerId> players;
  for (const storage::SeatRecord& seat : game.seats) players.push_back(seat.player);
  const auto known = accounts.Names(players);
  if (!known.ok()) return known.status();
  std::vector<std::string> names;
  for (const base::PlayerId& player : players) {
    const auto found = known->find(player);
    names.push_back(found == known->end() ? "" : found->second);
  }
  return names;
}

// Everybody may export; the logs that an archive is to take are the operator's business.
absl::Status CheckMayArchive(const core::Identity& viewer) {
  if (viewer.scopes.Has(core::Scope::kOperate)) return absl::OkStatus();
  if (viewer.scopes.bits() == 0) {
    return base::Error(base::Reason::kTokenMissing,
                       "this call needs metadata `authorization: Bearer KEY`");
  }
  const std::string scope(core::WordOf(core::Scope::kOperate));
  return base::Error(base::Reason::kScopeMissing, "this needs a key with scope " + scope)
      .With("scope", scope);
}

}  // namespace

absl::Status ExportStream::TakeNamed() {
  if (request_.game_ids_size() > kMaxNamed) {
    return rpc::BadField("game_ids", "has more than 1,000 entries");
  }
  for (const std::string& text : request_.game_ids()) {
    const auto id = rpc::ReadId<base::GameId>(text, "game");
    if (!id.ok()) return id.status();
    ids_.push_back(*id);
  }
  in_all_ = ids_.size();
  return ReadExtras();
}

// One question for many games: it would be a third of what each costs.
absl::Status ExportStream::ReadExtras() {
  auto extras = store_.Extras(std::vector<base::GameId>(ids_.begin(), ids_.end()));
  if (extras.ok()) extras_ = *std::move(extras);
  return extras.status();
}

absl::Status ExportStream::ReadFilter() {
  if (!request_.after_game_id().empty()) {
    const auto after = rpc::ReadId<base::GameId>(request_.after_game_id(), "after_game");
    if (!after.ok()) return after.status();
    after_ = *after;
  }
  if (!request_.ruleset_id().empty()) filter_.ruleset = request_.ruleset_id();
  if (!request_.player_id().empty()) {
    const auto player = rpc::ReadId<base::PlayerId>(request_.player_id(), "player");
    if (!player.ok()) return player.status();
    filter_.player = *player;
  }
  if (request_.has_ended_until()) {
    filter_.ended_until = rpc::ReadInstant(request_.ended_until());
  }
  const auto count = store_.CountAfter(filter_, after_);
  if (!count.ok()) return count.status();
  in_all_ = *count;
  return absl::OkStatus();
}

absl::Status ExportStream::Open(const core::Identity& viewer) {
  viewer_ = viewer.player;
  if (request_.for_archive()) {
    if (absl::Status refused = CheckMayArchive(viewer); !refused.ok()) return refused;
    if (!request_.ruleset_id().empty() || !request_.player_id().empty()) {
      return rpc::BadField("for_archive", "does not go with ruleset_id or player_id");
    }
    filter_.which = storage::HistoryFilter::kForArchive;
  }
  if (!v1::RecordFormat_IsValid(request_.format())) return rpc::BadField("format", "is unknown");
  return request_.game_ids().empty() ? ReadFilter() : TakeNamed();
}

absl::StatusOr<bool> ExportStream::TakeNext() {
  if (ids_.empty() && request_.game_ids().empty()) {
    const auto page = store_.GamesAfter(filter_, after_, kPage);
    if (!page.ok()) return page.status();
    ids_.assign(page->begin(), page->end());
    if (absl::Status read = ReadExtras(); !read.ok()) return read;
  }
  if (ids_.empty()) return false;
  after_ = ids_.front();
  ids_.pop_front();
  return true;
}

absl::StatusOr<rpc::Next> ExportStream::MakeNext(v1::ExportGamesResponse& message) {
  while (true) {
    const absl::StatusOr<bool> taken = TakeNext();
    if (!taken.ok()) return taken.status();
    if (!*taken) return rpc::Next::kEnd;
    absl::StatusOr<std::string> record = Record(after_);
    // Archived since the page was read: not one of those asked for any more.
    const bool is_gone = base::ReasonOf(record.status()) == base::kLogArchived;
    if (is_gone && request_.game_ids().empty()) continue;
    if (!record.ok()) return record.status();
    message.set_game_id(after_.ToText());
    message.set_games_in_all(in_all_);
    message.set_record(*std::move(record));
    return rpc::Next::kMessage;
  }
}

// Two questions for some games, not two for each.
absl::StatusOr<storage::StoredLog> ExportStream::TakeLog(base::GameId id) {
  if (!logs_.contains(id)) {
    logs_.clear();
    std::vector<base::GameId> next = {id};
    for (const base::GameId& other : ids_) {
      if (next.size() == kLogs) break;
      next.push_back(other);
    }
    auto logs = world_.store.Logs(next);
    if (!logs.ok()) return logs.status();
    for (storage::StoredLog& log : *logs) logs_.insert_or_assign(log.game.facts.id, std::move(log));
  }
  auto found = logs_.extract(id);
  if (found.empty()) return core::NoSuchGame();
  return std::move(found.mapped());
}

absl::StatusOr<std::string> ExportStream::Record(base::GameId id) {
  absl::StatusOr<storage::StoredLog> log = TakeLog(id);
  if (!log.ok()) return log.status();
  const storage::StoredGame* const stored = &log->game;
  if (!request_.for_archive() && !core::MaySee(stored->facts, stored->seats, viewer_)) {
    return core::NoSuchGame();
  }
  const bool in_columns = request_.format() == v1::RECORD_FORMAT_COLUMNS;
  if (in_columns && stored->facts.seats != 2) {
    return rpc::BadField("format", "of two columns is for games of two seats");
  }
  absl::StatusOr<GameRecord> record = core::RecordOf(world_, *stored, std::move(log->events));
  if (!record.ok()) return record.status();
  if (in_columns) {
    const auto names = NamesOf(*stored, calls().accounts());
    if (!names.ok()) return names.status();
    return algorithms::WriteColumns(*record, *names);
  }
  if (const auto extras = extras_.find(id); extras != extras_.end()) {
    AddExtras(extras->second, *record);
  }
  return request_.format() == v1::RECORD_FORMAT_TEXT ? algorithms::WriteText(*record)
                                                     : algorithms::WriteLines(*record);
}

}  // namespace astragal::record
