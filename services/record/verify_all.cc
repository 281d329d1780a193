// RecordService: the verification of the whole store, a second's worth a call.
#include "services/base/status.h"
#include "services/core/verification.h"
#include "services/record/record_service.h"

namespace astragal::record {
namespace {

constexpr size_t kPage = 256;
constexpr int64_t kForUs = 1'000'000;

storage::HistoryFilter Everything() {
  storage::HistoryFilter filter;
  filter.which = storage::HistoryFilter::kEverything;
  return filter;
}

// Verifies one game and notes a difference. What cannot be read is no reason to stop: the operator
// wants to know of all.
absl::Status VerifyOne(const core::World& world, base::GameId id,
                       v1::VerifyGamesResponse& response) {
  const auto found = core::VerifyGame(world, id);
  if (!found.ok() && base::IsTransient(found.status())) return found.status();
  response.set_games(response.games() + 1);
  response.set_last_game_id(id.ToText());
  if (found.ok()) response.set_events(response.events() + found->events);
  if (found.ok() && found->verified()) {
    response.set_verified(response.verified() + 1);
    return absl::OkStatus();
  }
  v1::Difference& difference = *response.add_differences();
  difference.set_game_id(id.ToText());
  difference.set_sequence(found.ok() ? found->sequence : 0);
  difference.set_what(found.ok() ? found->difference : std::string(found.status().message()));
  return absl::OkStatus();
}

}  // namespace

absl::Status RecordService::VerifyNext(const v1::VerifyGamesRequest& request,
                                       v1::VerifyGamesResponse& response) {
  base::GameId after;
  if (!request.after_game_id().empty()) {
    const auto read = rpc::ReadId<base::GameId>(request.after_game_id(), "after_game");
    if (!read.ok()) return read.status();
    after = *read;
  }
  const int64_t until = world_.clock.Now().micros + kForUs;
  bool goes_on = true;
  while (goes_on) {
    const auto page = store_.GamesAfter(Everything(), after, kPage);
    if (!page.ok()) return page.status();
    if (page->empty()) break;
    for (const base::GameId id : *page) {
      const absl::Status done = VerifyOne(world_, id, response);
      // What was verified is told; the next call meets the failure again.
      if (!done.ok()) return response.games() > 0 ? absl::OkStatus() : done;
      after = id;
      const bool has_stopped = request.stop_at_difference() && response.differences_size() > 0;
      goes_on = !has_stopped && world_.clock.Now().micros < until;
      if (!goes_on) break;
    }
  }
  const auto left = store_.CountAfter(Everything(), after);
  if (!left.ok()) return left.status();
  response.set_games_left(*left);
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* RecordService::VerifyGames(grpc::CallbackServerContext* context,
                                                     const v1::VerifyGamesRequest* request,
                                                     v1::VerifyGamesResponse* response) {
  return calls_.Identified(context, *request,
                           [this, request, response](const core::Identity& /*operator*/) {
                             return VerifyNext(*request, *response);
                           });
}

}  // namespace astragal::record
