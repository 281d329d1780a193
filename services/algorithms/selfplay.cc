#include "services/algorithms/selfplay.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "services/algorithms/bots.h"

namespace astragal::algorithms {
namespace {

using host::Position;
using host::Ruleset;

// One game under way.
class Table {
 public:
  Table(const Ruleset& ruleset, std::vector<Bot*> bots, PlayRandom& random)
      : ruleset_(ruleset), bots_(std::move(bots)), random_(random) {}

  absl::Status PlayOut(Position position, SelfPlayReport& report) {
    int actor = ruleset_.Actor(position);
    for (; actor != host::kOver; actor = ruleset_.Actor(position)) {
      if (actor == host::kBroken) return absl::InternalError("nobody is to act");
      if (++length_ > ruleset_.about().limits.game_actions) {
        return absl::InternalError("a game is longer than the ruleset allows");
      }
      const absl::Status status =
          actor == host::kChance ? Throw(position, report) : Act(position, actor, report);
      if (!status.ok()) return status;
    }
    end_ = std::move(position);
    return absl::OkStatus();
  }

  const Position& end() const { return end_; }
  uint64_t length() const { return length_; }
  int first_mover() const { return first_mover_; }

 private:
  absl::Status Throw(Position& position, SelfPlayReport& report) {
    const std::optional<int> kind = ruleset_.ThrowKind(position);
    if (!kind) return absl::InternalError("chance is to act and nothing is thrown");
    const host::ThrowKind& thrown = ruleset_.about().throw_kinds[static_cast<size_t>(*kind)];
    uint64_t share = random_.Below(thrown.total_weight);
    size_t outcome = 0;
    while (share >= thrown.weights[outcome]) share -= thrown.weights[outcome++];
    ++report.throws;
    ++report.outcomes[static_cast<size_t>(*kind)][outcome];
    return ruleset_.Apply(position, host::kChance,
                          host::ChanceAction(*kind, static_cast<int>(outcome)));
  }

  absl::Status Act(Position& position, int seat, SelfPlayReport& report) {
    if (first_mover_ < 0) first_mover_ = seat;
    ++report.actions;
    const absl::StatusOr<int64_t> action =
        bots_[static_cast<size_t>(seat)]->Choose(ruleset_, position);
    if (!action.ok()) return action.status();
    return ruleset_.Apply(position, seat, *action);
  }

  const Ruleset& ruleset_;
  const std::vector<Bot*> bots_;
  PlayRandom& random_;
  Position end_;
  uint64_t length_ = 0;
  int first_mover_ = -1;
};

// The seat that is first alone; -1 when places are shared.
int WinnerOf(const std::vector<host::SeatResult>& result) {
  int winner = -1;
  for (size_t i = 0; i < result.size(); ++i) {
    if (result[i].place != 1) continue;
    if (winner >= 0) return -1;
    winner = static_cast<int>(i);
  }
  return winner;
}

void Count(const Table& table, const std::vector<host::SeatResult>& result,
           const std::vector<size_t>& bot_of_seat, SelfPlayReport& report) {
  const int winner = WinnerOf(result);
  if (winner < 0) {
    ++report.draws;
  } else {
    ++report.wins_by_seat[static_cast<size_t>(winner)];
    ++report.wins_by_bot[bot_of_seat[static_cast<size_t>(winner)]];
    if (winner == table.first_mover()) ++report.wins_of_first_mover;
  }
  for (size_t seat = 0; seat < result.size(); ++seat) {
    report.points_by_bot[bot_of_seat[seat]] += static_cast<uint64_t>(result[seat].points);
  }
  report.shortest = report.games == 0 ? table.length() : std::min(report.shortest, table.length());
  report.longest = std::max(report.longest, table.length());
  ++report.games;
}

SelfPlayReport EmptyReport(const Ruleset& ruleset, size_t seats) {
  SelfPlayReport report;
  report.wins_by_seat.resize(seats);
  report.wins_by_bot.resize(seats);
  report.points_by_bot.resize(seats);
  for (const host::ThrowKind& kind : ruleset.about().throw_kinds) {
    report.outcomes.emplace_back(kind.weights.size());
  }
  return report;
}

absl::StatusOr<std::vector<std::unique_ptr<Bot>>> MakeBots(const SelfPlay& play, size_t seats,
                                                           PlayRandom& random) {
  if (play.bots.size() != 1 && play.bots.size() != seats) {
    return absl::InvalidArgumentError("name one bot for all seats, or one for each seat");
  }
  std::vector<std::unique_ptr<Bot>> bots;
  for (size_t i = 0; i < seats; ++i) {
    const std::string& name = play.bots[play.bots.size() == 1 ? 0 : i];
    absl::StatusOr<std::unique_ptr<Bot>> bot = MakeBot(name, random.Next());
    if (!bot.ok()) return bot.status();
    bots.push_back(*std::move(bot));
  }
  return bots;
}

}  // namespace

absl::StatusOr<SelfPlayReport> RunSelfPlay(const Ruleset& ruleset, const SelfPlay& play) {
  const absl::StatusOr<Position> start = ruleset.Start(play.options);
  if (!start.ok()) return start.status();
  const auto seats = static_cast<size_t>(ruleset.Seats(*start));
  PlayRandom random(play.seed);
  const auto bots = MakeBots(play, seats, random);
  if (!bots.ok()) return bots.status();

  SelfPlayReport report = EmptyReport(ruleset, seats);
  for (uint64_t game = 0; game < play.games; ++game) {
    std::vector<size_t> bot_of_seat(seats);
    for (size_t bot = 0; bot < seats; ++bot) {
      bot_of_seat[play.rotate_seats ? (bot + game) % seats : bot] = bot;
    }
    std::vector<Bot*> seated;
    for (const size_t bot : bot_of_seat) seated.push_back((*bots)[bot].get());
    Table table(ruleset, std::move(seated), random);
    if (absl::Status status = table.PlayOut(*start, report); !status.ok()) return status;
    const absl::StatusOr<std::vector<host::SeatResult>> result = ruleset.Result(table.end());
    if (!result.ok()) return result.status();
    Count(table, *result, bot_of_seat, report);
    if (play.progress) play.progress(report.games);
  }
  return report;
}

}  // namespace astragal::algorithms
