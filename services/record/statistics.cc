// RecordService: what games were like in numbers, and whether their throws look like chance.
#include <algorithm>
#include <map>
#include <utility>

#include "services/base/history_reasons.h"
#include "services/core/throw_counts.h"
#include "services/record/record_service.h"
#include "services/rpc/nouns.h"

namespace astragal::record {
namespace {

constexpr int32_t kUsualGames = 200;
constexpr int32_t kMostGames = 1'000;

// How many of the latest games are looked at.
absl::StatusOr<size_t> HowMany(int32_t games) {
  if (games < 0) return rpc::BadField("games", "must not be negative");
  return static_cast<size_t>(games == 0 ? kUsualGames : std::min(games, kMostGames));
}

// The seat that has the first place alone; nothing if it is shared.
std::optional<int> WinnerOf(const std::vector<storage::SeatRecord>& seats) {
  std::optional<int> winner;
  for (const storage::SeatRecord& seat : seats) {
    if (seat.place != 1) continue;
    if (winner) return std::nullopt;
    winner = seat.seat;
  }
  return winner;
}

// The one in the middle, the lower of two; `values` may not be empty.
template <typename T>
T MedianOf(std::vector<T>& values) {
  const auto middle = values.begin() + static_cast<int64_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void FillNumbers(const std::vector<storage::GameSummary>& games,
                 v1::GetGameStatisticsResponse& out) {
  out.set_games(static_cast<int32_t>(games.size()));
  std::map<storage::Ending, int32_t> endings;
  std::map<int, int32_t> wins;
  std::vector<uint32_t> events;
  std::vector<int64_t> durations_ms;
  int seats = 0;
  for (const storage::GameSummary& game : games) {
    ++endings[game.ending];
    seats = std::max(seats, static_cast<int>(game.seats.size()));
    events.push_back(game.sequence);
    durations_ms.push_back((game.updated_at.micros - game.created_at.micros) / 1'000);
    if (!storage::HasResult(game.ending)) continue;
    if (const std::optional<int> winner = WinnerOf(game.seats)) {
      ++wins[*winner];
    } else {
      out.set_draws(out.draws() + 1);
    }
  }
  for (const auto& [ending, count] : endings) {
    v1::EndingCount& entry = *out.add_endings();
    entry.set_ending(static_cast<v1::GameEnding>(ending));
    entry.set_games(count);
  }
  for (int seat = 0; seat < seats; ++seat) out.add_wins_by_seat(wins[seat]);
  if (games.empty()) return;
  const auto [least, most] = std::ranges::minmax(events);
  out.set_least_events(least);
  out.set_most_events(most);
  out.set_median_events(MedianOf(events));
  out.set_median_duration_ms(MedianOf(durations_ms));
}

void FillTests(const algorithms::ThrowStatistics& statistics, const v1::ThrowKind& kind,
               v1::ThrowKindStatistics& out) {
  *out.mutable_kind() = kind;
  for (const uint64_t count : statistics.faces()) out.add_counts(count);
  for (const algorithms::ThrowTest& test : statistics.Tests()) {
    v1::ThrowTest& entry = *out.add_tests();
    entry.set_name(test.name);
    entry.set_statistic(test.statistic);
    entry.set_degrees(test.degrees);
    entry.set_p_value(test.p);
  }
}

}  // namespace

absl::Status RecordService::CountGames(const v1::GetGameStatisticsRequest& request,
                                       base::PlayerId viewer,
                                       v1::GetGameStatisticsResponse& response) {
  const absl::StatusOr<size_t> most = HowMany(request.games());
  if (!most.ok()) return most.status();
  const absl::StatusOr<storage::GameSearch> search = Read(request.conditions(), viewer);
  if (!search.ok()) return search.status();
  const auto found = store_.Find(*search, base::GameId(), *most);
  if (!found.ok()) return found.status();
  FillNumbers(found->games, response);
  response.set_has_more(found->go_on.has_value());
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* RecordService::GetGameStatistics(
    grpc::CallbackServerContext* context, const v1::GetGameStatisticsRequest* request,
    v1::GetGameStatisticsResponse* response) {
  return calls_.Viewed(context, *request, [this, request, response](base::PlayerId viewer) {
    return CountGames(*request, viewer, *response);
  });
}

absl::Status RecordService::CountThrows(const v1::GetThrowStatisticsRequest& request,
                                        v1::GetThrowStatisticsResponse& response) {
  const std::shared_ptr<const host::Ruleset> ruleset = world_.catalog.Find(request.ruleset_id());
  if (ruleset == nullptr) return rpc::BadField("ruleset_id", "names no loaded ruleset");
  const absl::StatusOr<size_t> most = HowMany(request.games());
  if (!most.ok()) return most.status();
  storage::GameSearch search;
  search.ruleset = request.ruleset_id();
  if (!request.player_id().empty()) {
    const auto player = rpc::ReadId<base::PlayerId>(request.player_id(), "player");
    if (!player.ok()) return player.status();
    search.player = *player;
  }
  const auto found = store_.Find(search, base::GameId(), *most);
  if (!found.ok()) return found.status();
  const uint32_t version = ruleset->about().rules_version;
  std::vector<algorithms::ThrowStatistics> kinds = core::NewThrowStatistics(*ruleset);
  int32_t games = 0;
  for (const storage::GameSummary& game : found->games) {
    if (game.rules_version != version) continue;
    const absl::Status added =
        core::AddThrows(world_, game.id, search.player.value_or(base::PlayerId()), kinds);
    if (base::ReasonOf(added) == base::kLogArchived) continue;
    if (!added.ok()) return added;
    ++games;
  }
  response.set_games(games);
  response.set_rules_version(version);
  const v1::Ruleset described = rpc::ToProto({ruleset});
  for (size_t i = 0; i < kinds.size(); ++i) {
    FillTests(kinds[i], described.throw_kinds(static_cast<int>(i)), *response.add_kinds());
  }
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* RecordService::GetThrowStatistics(
    grpc::CallbackServerContext* context, const v1::GetThrowStatisticsRequest* request,
    v1::GetThrowStatisticsResponse* response) {
  return calls_.Open(context, *request,
                     [this, request, response] { return CountThrows(*request, *response); });
}

}  // namespace astragal::record
