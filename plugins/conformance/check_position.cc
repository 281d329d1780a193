// What holds in every position: check, head, pieces, coins, result; board, concession and estimate.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "plugins/conformance/checks.h"
#include "plugins/conformance/raw_call.h"
#include "plugins/host/guard.h"

namespace astragal::conformance {
namespace {

using host::Counter;
using host::Piece;
using host::Place;
using host::Position;
using host::SeatResult;

using Census = std::map<std::pair<int, int>, int64_t>;

Census CountPieces(const std::vector<Piece>& pieces) {
  Census census;
  for (const Piece& piece : pieces) census[{piece.seat, piece.kind}] += piece.count;
  return census;
}

std::optional<int64_t> CountCoins(const std::vector<Counter>& counters) {
  std::optional<int64_t> sum;
  for (const Counter& counter : counters) {
    if (counter.name == "coins" || counter.name == "pot") sum = sum.value_or(0) + counter.value;
  }
  return sum;
}

std::string PlacesText(const std::vector<Place>& places) {
  std::string text;
  for (const Place& p : places) {
    absl::StrAppend(&text, p.id, ":", p.x, ":", p.y, ":", p.width);
    absl::StrAppend(&text, ":", p.height, ":", static_cast<int>(p.shape), ":", p.marks, ":");
    absl::StrAppend(&text, p.seat, ":", p.label, "\n");
  }
  return text;
}

bool Covers(const Place& big, const Place& small) {
  return std::abs(big.x - small.x) * 2 < big.width && std::abs(big.y - small.y) * 2 < big.height;
}

void CheckHead(Session& session, const Position& position, const GameFacts& facts) {
  session.Doing(Duty::kHead);
  session.Expect(Duty::kHead, session.ruleset().Actor(position) != host::kBroken, "actor is nobody",
                 &position);
  session.Expect(Duty::kHead, session.ruleset().Seats(position) == facts.seats,
                 "the number of seats changes in the game", &position);
  session.Expect(Duty::kHead, session.ruleset().Options(position) == facts.options,
                 "the options change in the game", &position);
}

void CheckPieces(Session& session, const Position& position, const GameFacts& facts) {
  session.Doing(Duty::kPieces);
  const absl::StatusOr<std::vector<Piece>> pieces = session.ruleset().Pieces(position);
  if (!session.ExpectOk(Duty::kPieces, pieces.status(), "pieces", &position)) return;
  for (const Piece& piece : *pieces) {
    if (facts.place_ids.contains(piece.place)) continue;
    session.Expect(Duty::kPieces, false, absl::StrCat("there is no place ", piece.place),
                   &position);
  }
  session.Expect(Duty::kPiecesConserved, CountPieces(*pieces) == facts.pieces,
                 "the number of pieces of a seat changes", &position);
}

void CheckCoins(Session& session, const Position& position, const GameFacts& facts) {
  if (!facts.coins) {
    session.report().NotApplicable(Duty::kCoinsConserved);
    return;
  }
  session.Doing(Duty::kCoinsConserved);
  const absl::StatusOr<std::vector<Counter>> counters = session.ruleset().Counters(position);
  if (!counters.ok()) return;  // that is `shown`
  const std::optional<int64_t> coins = CountCoins(*counters);
  session.Expect(Duty::kCoinsConserved, coins == facts.coins,
                 absl::StrCat("coins and pot add up to ", coins.value_or(0), ", not to ",
                              *facts.coins, " as at first"),
                 &position);
}

// Ranks as they are counted in sports: one more than the number of seats that are better.
bool AreRanks(const std::vector<SeatResult>& results) {
  return std::all_of(results.begin(), results.end(), [&](const SeatResult& one) {
    const auto better = std::count_if(results.begin(), results.end(),
                                      [&](const SeatResult& r) { return r.place < one.place; });
    return one.place == better + 1;
  });
}

void CheckFinalResult(Session& session, const Position& position,
                      const std::vector<SeatResult>& results) {
  session.Expect(Duty::kResult, AreRanks(results), "the final places are no ranks", &position);
  for (const SeatResult& a : results) {
    for (const SeatResult& b : results) {
      if (&a == &b) continue;
      session.Expect(Duty::kResult, a.place != b.place || session.about().has_draws,
                     "seats share a place, which the ruleset does not declare", &position);
      session.Expect(Duty::kResult, a.place >= b.place || a.points >= b.points,
                     "a better place has fewer points", &position);
    }
  }
}

void CheckResult(Session& session, const Position& position) {
  session.Doing(Duty::kResult);
  const absl::StatusOr<std::vector<SeatResult>> results = session.ruleset().Result(position);
  if (!session.ExpectOk(Duty::kResult, results.status(), "result", &position)) return;
  if (session.ruleset().Actor(position) == host::kOver) {
    return CheckFinalResult(session, position, *results);
  }
  const bool somebody = std::any_of(results->begin(), results->end(),
                                    [](const SeatResult& r) { return r.place == 0; });
  session.Expect(Duty::kResult, somebody, "all places are given while the game goes on", &position);
}

}  // namespace

GameFacts FactsOf(Session& session, const Position& start) {
  const host::Ruleset& ruleset = session.ruleset();
  GameFacts facts;
  facts.seats = ruleset.Seats(start);
  facts.options = ruleset.Options(start);
  session.Doing(Duty::kPlaces);
  const absl::StatusOr<std::vector<Place>> places = ruleset.Places(start);
  if (session.ExpectOk(Duty::kPlaces, places.status(), "places", &start)) {
    facts.places = PlacesText(*places);
    for (const Place& place : *places) facts.place_ids.insert(place.id);
  }
  session.Doing(Duty::kPieces);
  const absl::StatusOr<std::vector<Piece>> pieces = ruleset.Pieces(start);
  if (pieces.ok()) facts.pieces = CountPieces(*pieces);
  session.Doing(Duty::kShown);
  const absl::StatusOr<std::vector<Counter>> counters = ruleset.Counters(start);
  if (counters.ok()) facts.coins = CountCoins(*counters);
  return facts;
}

void CheckEveryPosition(Session& session, const Position& position, const GameFacts& facts) {
  session.Doing(Duty::kCheckReached);
  session.ExpectOk(Duty::kCheckReached, session.ruleset().Check(position), "check", &position);
  CheckHead(session, position, facts);
  CheckPieces(session, position, facts);
  CheckCoins(session, position, facts);
  CheckResult(session, position);
}

void CheckBoard(Session& session, const Position& position, const GameFacts& facts) {
  session.Doing(Duty::kPlaces);
  const absl::StatusOr<std::vector<Place>> places = session.ruleset().Places(position);
  if (session.ExpectOk(Duty::kPlaces, places.status(), "places", &position)) {
    session.Expect(Duty::kPlaces, PlacesText(*places) == facts.places,
                   "the geometry changes in the game", &position);
    for (const Place& a : *places) {
      for (const Place& b : *places) {
        if (&a == &b || a.shape == host::Shape::kTray || b.shape == host::Shape::kTray) continue;
        if (!Covers(a, b)) continue;
        session.Expect(Duty::kPlaces, false,
                       absl::StrCat("place ", a.id, " covers the centre of ", b.id), &position);
      }
    }
  }
  session.Doing(Duty::kShown);
  session.ExpectOk(Duty::kShown, session.ruleset().Throws(position).status(), "throws", &position);
  session.ExpectOk(Duty::kShown, session.ruleset().Counters(position).status(), "counters",
                   &position);
  const absl::StatusOr<std::string> text = session.ruleset().Text(position);
  if (session.ExpectOk(Duty::kShown, text.status(), "text", &position)) {
    session.Expect(Duty::kShown, absl::EndsWith(*text, "\n"),
                   "the board text does not end its last line", &position);
  }
}

// A seat that waits for the others with all its pieces beside the board has nothing to give up.
std::set<int> SeatsOnTheBoard(Session& session, const Position& position) {
  std::set<int> seats = {session.ruleset().Actor(position)};
  std::set<int> trays;
  const auto places = session.ruleset().Places(position);
  const auto pieces = session.ruleset().Pieces(position);
  if (!places.ok() || !pieces.ok()) return seats;
  for (const Place& place : *places) {
    if (place.shape == host::Shape::kTray) trays.insert(place.id);
  }
  for (const Piece& piece : *pieces) {
    if (!trays.contains(piece.place)) seats.insert(piece.seat);
  }
  return seats;
}

void CheckConcession(Session& session, const Position& position) {
  session.Doing(Duty::kConcession);
  const std::set<int> on_board = SeatsOnTheBoard(session, position);
  const bool over = session.ruleset().Actor(position) == host::kOver;
  const absl::StatusOr<std::vector<SeatResult>> results = session.ruleset().Result(position);
  for (int seat = 0; seat < session.ruleset().Seats(position); ++seat) {
    const auto range = session.ruleset().Concession(position, seat);
    const bool refused = absl::IsFailedPrecondition(range.status());
    const bool finished = !on_board.contains(seat) ||
                          (results.ok() && (*results)[static_cast<size_t>(seat)].place != 0);
    if (over) {
      session.Expect(Duty::kConcession, refused, "a seat may concede after the end", &position);
    } else if (!(refused && finished)) {
      session.ExpectOk(Duty::kConcession, range.status(), "concession", &position);
    }
  }
}

void CheckEvaluate(Session& session, const Position& position) {
  if (session.raw().evaluate == nullptr) return session.report().NotApplicable(Duty::kEvaluate);
  session.Doing(Duty::kEvaluate);
  for (int seat = 0; seat < session.ruleset().Seats(position); ++seat) {
    int32_t estimate = -1;
    const bool returned =
        host::Returns([&] { estimate = session.raw().evaluate(position.data(), seat); });
    session.Expect(Duty::kEvaluate, returned && estimate >= 0 && estimate <= 1000,
                   absl::StrCat("the estimate for seat ", seat, " is ", estimate), &position);
  }
}

}  // namespace astragal::conformance
