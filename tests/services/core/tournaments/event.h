// A tournament in memory and the log that it came from, for tests: commands in, state out.
#ifndef ASTRAGAL_TESTS_SERVICES_CORE_TOURNAMENTS_EVENT_H_
#define ASTRAGAL_TESTS_SERVICES_CORE_TOURNAMENTS_EVENT_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "services/core/tournaments/command.h"
#include "services/core/tournaments/rounds.h"

namespace astragal::core {

using algorithms::kNobody;
using algorithms::Outcome;
using Kind = TournamentEntryKind;

inline base::PlayerId PlayerNumber(int number) {
  base::IdBytes bytes{};
  bytes[0] = 1;
  bytes[15] = static_cast<uint8_t>(number);
  bytes[14] = static_cast<uint8_t>(number >> 8);
  return base::PlayerId(bytes);
}

inline const base::PlayerId kOwner = PlayerNumber(60'000);

inline TournamentTerms Terms(TournamentFormat format) {
  TournamentTerms terms;
  terms.name = "Open";
  terms.format = format;
  terms.losses = 2;
  terms.play.ruleset = "long_narde";
  return terms;
}

// A tournament and the log that it came from.
class Event {
 public:
  explicit Event(const TournamentTerms& terms) {
    TournamentEntry first;
    first.version = 1;
    first.by = kOwner;
    first.at = now_;
    first.detail = EncodeTerms(terms);
    EXPECT_TRUE(Apply(first, state_).ok());
    log_.push_back(first);
    EXPECT_TRUE(Do(By(kOwner, Kind::kRegistrationOpened)).ok());
  }

  TournamentCommand By(base::PlayerId who, Kind kind) {
    TournamentCommand command;
    command.kind = kind;
    command.by = who;
    command.reason = "because";
    if (!who.is_nil()) {
      command.request.bytes[0] = static_cast<uint8_t>(++requests_);
      command.request.bytes[1] = static_cast<uint8_t>(requests_ >> 8);
    }
    return command;
  }
  TournamentCommand By(base::PlayerId who, Kind kind, base::PlayerId player) {
    TournamentCommand command = By(who, kind);
    command.player = player;
    return command;
  }

  absl::Status Do(const TournamentCommand& command) {
    absl::StatusOr<TournamentPlan> plan = PlanCommand(state_, command, now_);
    if (!plan.ok()) return plan.status();
    log_.insert(log_.end(), plan->entries.begin(), plan->entries.end());
    state_ = std::move(plan->after);
    return absl::OkStatus();
  }
  void Register(int players) {
    for (int i = 1; i <= players; ++i) {
      TournamentCommand command = By(PlayerNumber(i), Kind::kRegistered);
      command.number = 2'000 - i;
      ASSERT_TRUE(Do(command).ok());
    }
  }
  // All that the server does by itself now.
  void Steps() {
    while (const auto next = NextStep(state_, now_)) {
      const absl::Status done = Do(*next);
      ASSERT_TRUE(done.ok()) << done << " " << static_cast<int>(next->kind);
    }
  }
  // Decides the boards of the last round that are open; draws if the format has them.
  void Play(std::mt19937& random, bool draws) {
    const TournamentRound& round = state_.rounds.back();
    TournamentCommand command = By({}, Kind::kResults);
    command.round = static_cast<int>(state_.rounds.size());
    for (size_t i = 0; i < round.boards.size(); ++i) {
      if (!round.boards[i].IsOpen()) continue;
      BoardResult result{static_cast<uint32_t>(i) + 1, Outcome::kWin, Outcome::kLoss};
      const auto kind = random() % 10;
      if (kind < 4) std::swap(result.first, result.second);
      if (kind == 9 && draws) result.first = result.second = Outcome::kDraw;
      if (kind == 8) result = {result.board, Outcome::kForfeitWin, Outcome::kForfeitLoss};
      command.results.push_back(result);
    }
    ASSERT_TRUE(Do(command).ok());
  }

  TournamentState Replayed() const {
    TournamentState state;
    for (const TournamentEntry& entry : log_) EXPECT_TRUE(Apply(entry, state).ok());
    return state;
  }
  // Decides an open board of a round (from 0).
  void Decide(std::mt19937& random, size_t round, size_t board, bool draws) {
    const TournamentBoard& played = state_.rounds[round].boards[board];
    TournamentCommand command = By({}, Kind::kResults);
    command.round = static_cast<int>(round) + 1;
    BoardResult result{static_cast<uint32_t>(board) + 1, Outcome::kWin, Outcome::kLoss};
    if (random() % 2 == 0) std::swap(result.first, result.second);
    if (draws && random() % 8 == 0) result.first = result.second = Outcome::kDraw;
    if (played.IsTable()) {
      result.first = result.second = Outcome::kNothing;
      for (size_t seat = 0; seat < played.Players().size(); ++seat) {
        result.places.push_back(static_cast<uint8_t>(seat + 1));
      }
      std::shuffle(result.places.begin(), result.places.end(), random);
    }
    command.results.push_back(result);
    ASSERT_TRUE(Do(command).ok());
  }
  void Later(int64_t ms) { now_.micros += ms * 1'000; }

  base::Instant now() const { return now_; }
  const TournamentState& state() const { return state_; }
  const std::vector<TournamentEntry>& log() const { return log_; }

 private:
  base::Instant now_{1'800'000'000'000'000};
  TournamentState state_;
  std::vector<TournamentEntry> log_;
  int requests_ = 0;
};

}  // namespace astragal::core

#endif  // ASTRAGAL_TESTS_SERVICES_CORE_TOURNAMENTS_EVENT_H_
