#include "services/algorithms/pairing/explain.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/algorithms/pairing/matching.h"

namespace astragal::algorithms {
namespace {

constexpr std::string_view kTexts[] = {
    "half a score group below",
    "has met the one half a score group below",
    "must not meet the one half a score group below",
    "needs the same side as the one half a score group below",
    "would like the same side as the one half a score group below",
    "one of the two left the score group, or had floated before",
    "the one half a score group below was needed elsewhere",
};

PairingReason ReasonOf(const SwissField& field, const Pairing& pair, int natural) {
  const SwissPlayer& upper = field[pair.first];
  const SwissPlayer& wanted = field[natural];
  if (field.Met(pair.first, natural)) return PairingReason::kMet;
  if (field.Forbidden(pair.first, natural)) return PairingReason::kForbidden;
  if (!field.MayMeet(pair.first, natural)) return PairingReason::kSides;
  if (upper.wanted != Side::kNone && upper.wanted == wanted.wanted) return PairingReason::kWishes;
  const bool floats = pair.second == kNobody || upper.score != field[pair.second].score;
  return floats ? PairingReason::kFloats : PairingReason::kOthers;
}

// The boards of a round as it was played, as field indices.
std::vector<Pairing> PlayedPairs(const SwissField& field, const Crosstable& table, int round) {
  std::vector<int> index_of(table.players.size(), kNobody);
  for (int i = 0; i < field.size(); ++i) index_of[field[i].player] = i;
  std::vector<Pairing> pairs;
  for (int i = 0; i < field.size(); ++i) {
    const RoundEntry entry = EntryOf(table.players[field[i].player], round - 1);
    const int other = entry.opponent == kNobody ? kNobody : index_of[entry.opponent];
    if (other == kNobody || other > i) pairs.push_back({i, other});
  }
  return pairs;
}

std::vector<std::string> FaultsOf(const SwissField& field, const Crosstable& table,
                                  const std::vector<Pairing>& pairs) {
  std::vector<std::string> faults;
  const auto number = [&](int index) { return table.players[field[index].player].number; };
  for (const Pairing& pair : pairs) {
    if (pair.second == kNobody) {
      if (field[pair.first].may_have_bye) continue;
      faults.push_back(
          absl::StrCat(number(pair.first), " has had a win without play and gets a bye"));
      continue;
    }
    const std::string who = absl::StrCat(number(pair.first), " and ", number(pair.second));
    if (field.Met(pair.first, pair.second)) {
      faults.push_back(who + " have met before");
    } else if (field.Forbidden(pair.first, pair.second)) {
      faults.push_back(who + " must not meet");
    } else if (!field.MayMeet(pair.first, pair.second)) {
      faults.push_back(who + " both need the same side");
    }
  }
  return faults;
}

// With the sides that were played.
std::vector<Pairing> PlayedBoards(const SwissField& field, const Crosstable& table, int round,
                                  const std::vector<Pairing>& pairs) {
  std::vector<Pairing> boards = BoardsOf(field, pairs);
  for (Pairing& board : boards) {
    if (!field.sides() || board.second == kNobody) continue;
    const Side side = EntryOf(table.players[board.first], round - 1).side;
    if (side == Side::kSecond) std::swap(board.first, board.second);
  }
  return boards;
}

}  // namespace

std::string_view TextOf(PairingReason reason) { return kTexts[static_cast<size_t>(reason)]; }

std::vector<PairingNote> ExplainPairing(const SwissField& field,
                                        const std::vector<Pairing>& pairs) {
  std::vector<int> natural(static_cast<size_t>(field.size()), kNobody);
  for (int begin = 0, end = 0; begin < field.size(); begin = end) {
    while (end < field.size() && field[end].score == field[begin].score) ++end;
    const int half = (end - begin) / 2;
    for (int i = begin; i < begin + half; ++i) natural[i] = i + half;
  }
  std::vector<PairingNote> notes;
  for (const Pairing& pair : pairs) {
    PairingNote note{pair, field[pair.first].score, 0, natural[pair.first], PairingReason::kNone};
    if (pair.second != kNobody) note.lower_score = field[pair.second].score;
    const bool floats = pair.second == kNobody || note.upper_score != note.lower_score;
    if (note.natural == kNobody) {
      if (floats) note.reason = PairingReason::kFloats;
    } else if (note.natural != pair.second) {
      note.reason = ReasonOf(field, pair, note.natural);
    }
    notes.push_back(note);
  }
  return notes;
}

std::vector<int> LeftAlone(const SwissField& field) {
  std::vector<std::pair<int, int>> edges;
  const bool bye = field.size() % 2 != 0;
  for (int a = 0; a < field.size(); ++a) {
    for (int b = a + 1; b < field.size(); ++b) {
      if (field.MayMeet(a, b)) edges.emplace_back(a, b);
    }
    if (bye && field[a].may_have_bye) edges.emplace_back(a, field.size());
  }
  const std::vector<int> mates = LargestMatching(field.size() + bye, edges);
  std::vector<int> alone;
  for (int i = 0; i < field.size(); ++i) {
    if (mates[i] == kNobody) alone.push_back(i);
  }
  return alone;
}

Crosstable BeforeRound(const Crosstable& table, int round) {
  Crosstable before = table;
  before.rounds_played = round - 1;
  for (Entrant& player : before.players) {
    const bool paired = EntryOf(player, round - 1).Paired();
    player.rounds.resize(static_cast<size_t>(round) - 1);
    if (paired) continue;
    player.rounds.resize(static_cast<size_t>(round));
    player.rounds.back().outcome = Outcome::kZeroBye;
  }
  return before;
}

RoundCheck CheckRound(const Crosstable& table, int round, bool sides, const PairField& engine) {
  const Crosstable before = BeforeRound(table, round);
  const SwissField field(before, sides);
  const std::vector<Pairing> played = PlayedPairs(field, table, round);
  RoundCheck check;
  check.round = round;
  check.faults = FaultsOf(field, table, played);
  check.played = PlayedBoards(field, table, round, played);
  const absl::StatusOr<std::vector<Pairing>> expected =
      engine != nullptr ? engine(field) : PairDutch(field);
  if (expected.ok()) check.expected = BoardsOf(field, *expected);
  return check;
}

}  // namespace astragal::algorithms
