// RecordService: games by what they were.
#include <algorithm>
#include <utility>

#include "services/base/page_token.h"
#include "services/base/status.h"
#include "services/core/replay.h"
#include "services/record/record_service.h"
#include "services/rpc/instants.h"
#include "services/rpc/nouns.h"

namespace astragal::record {
namespace {

template <typename Id>
absl::Status ReadOptional(const std::string& text, std::string_view what, std::optional<Id>& id) {
  if (text.empty()) return absl::OkStatus();
  const absl::StatusOr<Id> read = rpc::ReadId<Id>(text, what);
  if (read.ok()) id = *read;
  return read.status();
}

// The values that are asked for, in the ruleset's order.
absl::StatusOr<std::vector<std::optional<int64_t>>> ReadOptions(
    const host::Catalog& catalog, const v1::GameConditions& conditions) {
  std::vector<std::optional<int64_t>> values;
  if (conditions.options().empty()) return values;
  const std::shared_ptr<const host::Ruleset> ruleset = catalog.Find(conditions.ruleset_id());
  if (ruleset == nullptr) return rpc::BadField("options", "need a ruleset_id that is loaded");
  const std::vector<std::pair<std::string, std::string>> wanted(conditions.options().begin(),
                                                                conditions.options().end());
  const absl::StatusOr<std::vector<int64_t>> all = ruleset->ResolveOptions("", wanted);
  if (!all.ok()) return all.status();
  for (size_t i = 0; i < all->size(); ++i) {
    const bool is_asked = conditions.options().contains(ruleset->about().options[i].name);
    values.push_back(is_asked ? std::optional<int64_t>((*all)[i]) : std::nullopt);
  }
  return values;
}

// Equal for equal conditions: a token goes on with those it was given for.
std::string ScopeOf(v1::FindGamesRequest request, base::PlayerId viewer) {
  request.clear_page_size();
  request.clear_page_token();
  const base::Bytes32 conditions = rpc::BodyHash("FindGames", request);
  return "FindGames " + base::Hex(base::AsView(conditions)) + " " + viewer.ToText();
}

}  // namespace

absl::Status RecordService::ReadMatches(const v1::GameConditions& conditions, base::PlayerId viewer,
                                        storage::GameSearch& search) const {
  std::optional<base::MatchId> match;
  std::optional<storage::TournamentId> tournament;
  if (absl::Status read = ReadOptional(conditions.match_id(), "match", match); !read.ok()) {
    return read;
  }
  absl::Status read = ReadOptional(conditions.tournament_id(), "tournament", tournament);
  if (!read.ok()) return read;
  if (match) search.matches = std::vector<base::MatchId>{*match};
  if (!tournament) return absl::OkStatus();
  absl::StatusOr<std::vector<base::MatchId>> matches = matches_of_tournament_(*tournament, viewer);
  if (!matches.ok()) return matches.status();
  if (match) std::erase_if(*matches, [&](base::MatchId other) { return other != *match; });
  search.matches = *std::move(matches);
  return absl::OkStatus();
}

absl::StatusOr<storage::GameSearch> RecordService::Read(const v1::GameConditions& conditions,
                                                        base::PlayerId viewer) const {
  storage::GameSearch search;
  for (const absl::Status& read :
       {ReadOptional(conditions.player_id(), "player", search.player),
        ReadOptional(conditions.opponent_id(), "opponent", search.opponent),
        ReadMatches(conditions, viewer, search)}) {
    if (!read.ok()) return read;
  }
  if (!search.player && search.opponent) return rpc::BadField("opponent_id", "needs player_id");
  if (!search.player && conditions.place() != 0) return rpc::BadField("place", "needs player_id");
  if (conditions.place() < 0) return rpc::BadField("place", "is counted from 1");
  if (!v1::GameEnding_IsValid(conditions.ending())) return rpc::BadField("ending", "is unknown");
  search.with_hidden = search.player && !viewer.is_nil() && *search.player == viewer;
  if (!conditions.ruleset_id().empty()) search.ruleset = conditions.ruleset_id();
  absl::StatusOr<std::vector<std::optional<int64_t>>> options =
      ReadOptions(world_.catalog, conditions);
  if (!options.ok()) return options.status();
  search.options = *std::move(options);
  if (conditions.place() != 0) search.place = conditions.place();
  if (conditions.ending() != 0) search.ending = static_cast<storage::Ending>(conditions.ending());
  if (conditions.has_ended_from()) search.ended_from = rpc::ReadInstant(conditions.ended_from());
  if (conditions.has_ended_until()) search.ended_until = rpc::ReadInstant(conditions.ended_until());
  constexpr uint32_t kMostEvents = INT32_MAX;
  if (conditions.least_events() > 0)
    search.least_events = std::min(conditions.least_events(), kMostEvents);
  if (conditions.most_events() > 0)
    search.most_events = std::min(conditions.most_events(), kMostEvents);
  return search;
}

absl::Status RecordService::Find(const v1::FindGamesRequest& request, base::PlayerId viewer,
                                 v1::FindGamesResponse& response) {
  const absl::StatusOr<size_t> size = base::PageSize(request.page_size());
  if (!size.ok()) return size.status();
  const absl::StatusOr<storage::GameSearch> search = Read(request.conditions(), viewer);
  if (!search.ok()) return search.status();
  const std::string scope = ScopeOf(request, viewer);
  const absl::StatusOr<std::string> token = calls_.pages().Read(scope, request.page_token());
  if (!token.ok()) return token.status();
  const base::GameId before = base::GameId::Parse(*token).value_or(base::GameId());
  const auto found = store_.Find(*search, before, *size);
  if (!found.ok()) return found.status();
  std::vector<base::PlayerId> players;
  for (const storage::GameSummary& game : found->games) {
    for (const storage::SeatRecord& seat : game.seats) players.push_back(seat.player);
  }
  const auto names = calls_.accounts().Names(players);
  if (!names.ok()) return names.status();
  for (const storage::GameSummary& game : found->games) {
    *response.add_games() = rpc::ToProto(game, *names);
  }
  if (found->go_on) {
    response.set_next_page_token(calls_.pages().Make(scope, found->go_on->ToText()));
  }
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* RecordService::FindSequence(grpc::CallbackServerContext* context,
                                                      const v1::FindSequenceRequest* request,
                                                      v1::FindSequenceResponse* response) {
  return calls_.Viewed(
      context, *request, [this, request, response](base::PlayerId viewer) -> absl::Status {
        if (!request->has_time()) return rpc::BadField("time", "is required");
        const auto id = rpc::ReadId<base::GameId>(request->game_id(), "game");
        if (!id.ok()) return id.status();
        absl::StatusOr<core::Replay> replay = core::Replay::OpenFor(viewer, world_, *id);
        if (!replay.ok()) return replay.status();
        const absl::Status skipped = replay->SkipToTime(rpc::ReadInstant(request->time()));
        if (!skipped.ok()) return skipped;
        response->set_sequence(replay->state().sequence);
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* RecordService::FindGames(grpc::CallbackServerContext* context,
                                                   const v1::FindGamesRequest* request,
                                                   v1::FindGamesResponse* response) {
  return calls_.Viewed(context, *request, [this, request, response](base::PlayerId viewer) {
    return Find(*request, viewer, *response);
  });
}

}  // namespace astragal::record
