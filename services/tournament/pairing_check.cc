#include "services/tournament/pairing_check.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "services/algorithms/pairing/explain.h"
#include "services/algorithms/pairing/fast.h"
#include "services/base/status.h"
#include "services/base/tournament_reasons.h"
#include "services/core/tournaments/rounds.h"

namespace astragal::tournament {
namespace {

using algorithms::Crosstable;
using algorithms::kNobody;
using algorithms::Outcome;
using algorithms::Pairing;
using algorithms::RoundEntry;
using algorithms::Side;
using algorithms::SwissField;

constexpr int64_t kPatienceMs = 20'000;

// The crosstable with the pairs of this round behind the ones that it follows from. What they came
// to does not matter: pairs are as good as drawn.
Crosstable TableWith(const core::TournamentState& then, size_t round) {
  const auto number = static_cast<int>(round);
  Crosstable table = core::CrosstableOf(then, number, core::OpenBoards::kDrawn);
  table.rounds_played = number + 1;
  for (algorithms::Entrant& player : table.players) player.rounds.resize(round + 1);
  const bool sides = then.terms.sides == core::SidePolicy::kAlternate;
  const auto enter = [&](int player, int opponent, Side side, Outcome outcome) {
    RoundEntry& entry = table.players[static_cast<size_t>(player)].rounds[round];
    entry.opponent = opponent;
    entry.side = sides ? side : Side::kNone;
    entry.outcome = outcome;
  };
  for (const core::TournamentBoard& board : then.rounds[round].boards) {
    if (board.IsBye()) {
      enter(board.first, kNobody, Side::kNone, board.first_outcome);
      continue;
    }
    enter(board.first, board.second, Side::kFirst, Outcome::kDraw);
    enter(board.second, board.first, Side::kSecond, Outcome::kDraw);
  }
  return table;
}

// The engine that paired the round, until the clock says that it has taken too long.
algorithms::PairField EngineOf(const core::TournamentRound& round, const base::Clock& clock) {
  const int64_t end = clock.Now().micros + kPatienceMs * 1'000;
  const algorithms::GoOn go_on = [&clock, end] {
    return clock.Now().micros < end ? absl::OkStatus() : absl::DeadlineExceededError("too long");
  };
  if (round.engine == static_cast<int>(core::PairingEngine::kFast)) {
    return [go_on](const SwissField& field) { return algorithms::PairFast(field, {}, go_on); };
  }
  return [go_on](const SwissField& field) { return algorithms::PairDutch(field, go_on); };
}

// Pairs of `some` that are not among `others`; without sides the order within a pair is nothing.
void AddMissing(const std::vector<Pairing>& some, const std::vector<Pairing>& others, bool sides,
                google::protobuf::RepeatedPtrField<v1::NumberPair>& out) {
  const auto key = [sides](const Pairing& pair) {
    const bool turned = !sides && pair.second != kNobody && pair.second < pair.first;
    return turned ? std::pair{pair.second, pair.first} : std::pair{pair.first, pair.second};
  };
  std::set<std::pair<int, int>> known;
  for (const Pairing& pair : others) known.insert(key(pair));
  for (const Pairing& pair : some) {
    if (known.contains(key(pair))) continue;
    v1::NumberPair& missing = *out.Add();
    missing.set_first(key(pair).first + 1);
    missing.set_second(pair.second == kNobody ? 0 : key(pair).second + 1);
  }
}

absl::Status CheckRounds(const core::TournamentState& then, size_t round) {
  if (round < then.rounds.size()) return absl::OkStatus();
  return base::Error(base::Reason::kInternal, "the round is not where the log says");
}

bool HasSides(const core::TournamentState& then) {
  return then.terms.sides == core::SidePolicy::kAlternate;
}

// The round's pairs as indices of the field, the better player first.
std::vector<Pairing> PairsIn(const SwissField& field, const core::TournamentState& then,
                             size_t round) {
  std::vector<int> place(then.players.size(), kNobody);
  for (int i = 0; i < field.size(); ++i) place[static_cast<size_t>(field[i].player)] = i;
  std::vector<Pairing> pairs;
  for (const core::TournamentBoard& board : then.rounds[round].boards) {
    const int first = place[static_cast<size_t>(board.first)];
    if (first == kNobody) continue;
    const int second = board.IsBye() ? kNobody : place[static_cast<size_t>(board.second)];
    const bool turned = second != kNobody && second < first;
    pairs.push_back(turned ? Pairing{second, first} : Pairing{first, second});
  }
  return pairs;
}

}  // namespace

absl::Status ExplainRound(const core::TournamentState& then, size_t round,
                          v1::ExplainPairingResponse& response) {
  if (then.terms.format != core::TournamentFormat::kSwiss) return absl::OkStatus();
  if (absl::Status there = CheckRounds(then, round); !there.ok()) return there;
  const Crosstable before =
      algorithms::BeforeRound(TableWith(then, round), static_cast<int>(round) + 1);
  const SwissField field(before, HasSides(then));
  const auto number = [&field](int index) {
    return index == kNobody ? 0 : field[index].player + 1;
  };
  for (const algorithms::PairingNote& note :
       algorithms::ExplainPairing(field, PairsIn(field, then, round))) {
    v1::PairingNote& out = *response.add_notes();
    out.set_first(number(note.pairing.first));
    out.set_second(number(note.pairing.second));
    out.set_first_score_tenths(note.upper_score);
    out.set_second_score_tenths(note.lower_score);
    out.set_natural(number(note.natural));
    if (note.reason != algorithms::PairingReason::kNone) {
      out.set_why(std::string(algorithms::TextOf(note.reason)));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckRound(const core::TournamentState& then, size_t round, const base::Clock& clock,
                        v1::CheckPairingResponse& response) {
  if (then.terms.format != core::TournamentFormat::kSwiss) {
    return base::Error(base::kTournamentState, "only rounds of Swiss tournaments can be checked");
  }
  if (absl::Status there = CheckRounds(then, round); !there.ok()) return there;
  const bool sides = HasSides(then);
  const algorithms::RoundCheck check =
      algorithms::CheckRound(TableWith(then, round), static_cast<int>(round) + 1, sides,
                             EngineOf(then.rounds[round], clock));
  for (const std::string& fault : check.faults) response.add_faults(fault);
  response.set_not_compared(check.expected.empty() && !check.played.empty());
  if (response.not_compared()) return absl::OkStatus();
  AddMissing(check.played, check.expected, sides, *response.mutable_only_played());
  AddMissing(check.expected, check.played, sides, *response.mutable_only_expected());
  response.set_same(response.only_played().empty() && response.only_expected().empty());
  return absl::OkStatus();
}

}  // namespace astragal::tournament
