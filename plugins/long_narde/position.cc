#include "plugins/long_narde/position.h"

#include <bit>
#include <cstring>

namespace astragal::long_narde {
namespace {

// Outcome of the throw kind "roll" to its dice, high first; the order of the labels in about.cc.
struct Roll {
  uint8_t high;
  uint8_t low;
};
constexpr int kRolls = 21;
struct RollTable {
  Roll roll[kRolls];
};
constexpr RollTable kRollTable = [] {
  RollTable table{};
  int outcome = 0;
  for (uint8_t high = 1; high <= 6; ++high) {
    for (uint8_t low = 1; low <= high; ++low) table.roll[outcome++] = {high, low};
  }
  return table;
}();

// Where effects go: nowhere while playing, into the caller's list when asked for.
struct NoLog {
  void Add(uint32_t, int32_t, int32_t = -1, int32_t = -1, int32_t = -1, int64_t = 0) {}
};
struct EffectLog {
  sdk::Sink<astragal_effect>& out;
  void Add(uint32_t kind, int32_t seat, int32_t piece = -1, int32_t from = -1, int32_t to = -1,
           int64_t amount = 0) {
    out.Add({0, kind, seat, piece, from, to, amount});
  }
};

constexpr int32_t kChecker = 0;

}  // namespace

bool Position::Start(std::span<const int64_t> options, sdk::Error&) {
  for (uint32_t i = 0; i < kOptionCount; ++i) option[i] = static_cast<uint8_t>(options[i]);
  for (int seat : {kWhite, kBlack}) {
    count[seat][kHead] = kCheckers;
    first_turn[seat] = 1;
  }
  const bool roll_off = option[kFirstPlayer] == kRollOff;
  phase = roll_off ? kOpening : kRoll;
  mover = option[kFirstPlayer] == kBlackBegins ? kBlack : kWhite;
  opener = roll_off ? kNobody : mover;
  Derive();
  return true;
}

void Position::Options(std::span<int64_t> out) const {
  for (uint32_t i = 0; i < kOptionCount; ++i) out[i] = option[i];
}

void Position::Derive() {
  for (int seat : {kWhite, kBlack}) {
    points[seat] = 0;
    for (int i = 0; i < kPoints; ++i) {
      if (count[seat][i] > 0) points[seat] |= Bit(i);
    }
  }
  legal[0] = legal[1] = 0;
  if (phase == kMove) PlanSteps();
}

int Position::HeadAllowance() const {
  const bool two =
      first_turn[mover] != 0 && AllowsTwoFromHead(option[kHeadFirstTurn], dice[0], dice[1]);
  return two ? 2 : 1;
}

void Position::PlanSteps() {
  const int enemy = 1 - mover;
  Side side;
  side.own = points[mover];
  side.enemy = OtherSet(points[enemy]);
  side.windows = ForbiddenWindows(option[kPrimeRule], points[enemy], off[enemy]);
  side.on_board = kCheckers - off[mover];
  side.head_left = HeadAllowance() - head_moves;
  side.judged_at_end = option[kPrimeCheck] == kTurnEnd;
  std::memcpy(side.count, count[mover], sizeof(side.count));
  const Steps steps = Plan(side, {dice[0], dice[1], left[0], left[1]});
  legal[0] = steps.high;
  legal[1] = steps.low;
}

// ---- Actions.

void Position::Actions(sdk::Sink<int64_t>& out) const {
  // Ascending numbers: own points from 1 up are indices from 23 down, then the smaller die first.
  for (uint32_t rest = legal[0] | legal[1]; rest != 0;) {
    const int index = std::bit_width(rest) - 1;
    rest &= ~Bit(index);
    if ((legal[1] & Bit(index)) != 0) out.Add(StepAction(index, dice[1]));
    if ((legal[0] & Bit(index)) != 0) out.Add(StepAction(index, dice[0]));
  }
}

bool Position::IsLegal(int64_t action) const {
  if (!IsStep(action)) return false;
  const uint32_t from = Bit(StepIndex(action));
  return (StepDie(action) == dice[0] && (legal[0] & from) != 0) ||
         (StepDie(action) == dice[1] && (legal[1] & from) != 0);
}

bool Position::Apply(int32_t actor, int64_t action, sdk::Error& error) {
  NoLog log;
  if (actor == ASTRAGAL_CHANCE) {
    Throw(action, log);
    return true;
  }
  if (!IsLegal(action)) {
    if (!IsStep(action)) return error.Refuse("action", "This number is no step of a checker.");
    const int from = OwnPoint(StepIndex(action));
    if (count[mover][StepIndex(action)] == 0) {
      return error.Refuse("action", "You have no checker on ", from, ".");
    }
    return error.Refuse("action", "A checker from ", from, " cannot be played with a ",
                        StepDie(action), " now.");
  }
  Step(action, log);
  return true;
}

void Position::Effects(int32_t actor, int64_t action, sdk::Sink<astragal_effect>& out) const {
  EffectLog log{out};
  Position draft = *this;
  if (actor == ASTRAGAL_CHANCE) {
    draft.Throw(action, log);
  } else if (IsLegal(action)) {
    draft.Step(action, log);
  }
}

template <class Log>
void Position::Throw(int64_t action, Log& log) {
  const int outcome = static_cast<int>(ASTRAGAL_CHANCE_OUTCOME(action));
  if (phase == kOpening) {
    const int white = outcome / 6 + 1;
    const int black = outcome % 6 + 1;
    log.Add(ASTRAGAL_EFFECT_THROW, kWhite, 0, -1, -1, white);
    log.Add(ASTRAGAL_EFFECT_THROW, kBlack, 0, -1, -1, black);
    if (white == black) {
      log.Add(ASTRAGAL_EFFECT_EXTRA_THROW, -1);
      return;
    }
    mover = opener = white > black ? kWhite : kBlack;
    phase = kRoll;
    log.Add(ASTRAGAL_EFFECT_TURN, mover);
    return;
  }
  const Roll roll = kRollTable.roll[outcome];
  const bool twice = roll.high == roll.low;
  dice[0] = roll.high;
  dice[1] = roll.low;
  left[0] = twice ? 4 : 1;
  left[1] = twice ? 0 : 1;
  phase = kMove;
  log.Add(ASTRAGAL_EFFECT_THROW, mover, 0, -1, -1, roll.high);
  log.Add(ASTRAGAL_EFFECT_THROW, mover, twice ? 1 : 0, -1, -1, roll.low);
  PlanSteps();
  if ((legal[0] | legal[1]) == 0) GoOn(true, log);
}

template <class Log>
void Position::Step(int64_t action, Log& log) {
  const int die = StepDie(action);
  const int from = StepIndex(action);
  const int to = from + die;
  uint8_t* const own = count[mover];
  if (--own[from] == 0) points[mover] &= ~Bit(from);
  if (to < kPoints) {
    ++own[to];
    points[mover] |= Bit(to);
    log.Add(ASTRAGAL_EFFECT_MOVE, mover, kChecker, AbsolutePoint(mover, from),
            AbsolutePoint(mover, to));
  } else {
    ++off[mover];
    log.Add(ASTRAGAL_EFFECT_BEAR_OFF, mover, kChecker, AbsolutePoint(mover, from),
            mover == kWhite ? kWhiteTray : kBlackTray);
  }
  if (from == kHead) ++head_moves;
  --left[die == dice[0] ? 0 : 1];
  if (off[mover] == kCheckers) return Finish(log);
  legal[0] = legal[1] = 0;
  if (left[0] != 0 || left[1] != 0) PlanSteps();
  if ((legal[0] | legal[1]) == 0) GoOn(false, log);
}

// The turn is over and the game is not: the next one begins, or the extra turn was in vain.
template <class Log>
void Position::GoOn(bool passed, Log& log) {
  if (passed) {
    log.Add(ASTRAGAL_EFFECT_PASS, mover);
  } else {
    for (int die : {0, 1}) {
      for (int i = 0; i < left[die]; ++i) {
        log.Add(ASTRAGAL_EFFECT_DISCARD, mover, -1, -1, -1, dice[die]);
      }
    }
  }
  first_turn[mover] = 0;
  head_moves = 0;
  dice[0] = dice[1] = left[0] = left[1] = 0;
  legal[0] = legal[1] = 0;
  if (last_turn != 0) return EndGame(log);
  mover = static_cast<uint8_t>(1 - mover);
  phase = kRoll;
  log.Add(ASTRAGAL_EFFECT_TURN, mover);
}

// The mover has borne off its last checker.
template <class Log>
void Position::Finish(Log& log) {
  const int other = 1 - mover;
  const bool extra_turn = option[kLastRoll] == kSecondPlayer && last_turn == 0 && mover == opener &&
                          off[other] == kCheckers - 1;
  first_turn[mover] = 0;
  head_moves = 0;
  dice[0] = dice[1] = left[0] = left[1] = 0;
  legal[0] = legal[1] = 0;
  if (!extra_turn) return EndGame(log);
  last_turn = 1;
  mover = static_cast<uint8_t>(other);
  phase = kRoll;
  log.Add(ASTRAGAL_EFFECT_TURN, mover);
}

template <class Log>
void Position::EndGame(Log& log) {
  phase = kOver;
  const int winner = Winner();
  for (int seat : {kWhite, kBlack}) {
    log.Add(ASTRAGAL_EFFECT_FINISH, seat, -1, -1, -1, winner < 0 || winner == seat ? 1 : 2);
  }
}

// ---- Results.

int Position::Winner() const {
  if (off[kWhite] == off[kBlack]) return -1;
  return off[kWhite] > off[kBlack] ? kWhite : kBlack;
}

int64_t Position::PointsOfWin(int winner) const {
  const int loser = 1 - winner;
  if (option[kScoring] == kWinOnly || off[loser] > 0) return 1;
  // The winner's home and head, in the loser's indices.
  constexpr uint32_t kKoksPoints = 0x3Fu << OtherIndex(kHome) | 1u << OtherIndex(kHead);
  return option[kScoring] == kMarsKoks && (points[loser] & kKoksPoints) != 0 ? 3 : 2;
}

void Position::Result(std::span<astragal_seat_result> out) const {
  if (phase != kOver) return;
  const int winner = Winner();
  for (int seat : {kWhite, kBlack}) {
    out[seat].place = winner < 0 || winner == seat ? 1 : 2;
    out[seat].points = winner == seat ? PointsOfWin(seat) : 0;
  }
}

bool Position::Concession(int32_t seat, astragal_concession& out) const {
  // In the extra turn the other seat has finished; it has nothing left to give up.
  if (phase == kOver || off[seat] == kCheckers) return false;
  constexpr int64_t kMost[] = {2, 3, 1};
  out.fewest = 1;
  out.most = off[seat] > 0 ? 1 : kMost[option[kScoring]];
  return true;
}

int Position::Pips(int seat) const {
  int pips = 0;
  for (int i = 0; i < kPoints; ++i) pips += count[seat][i] * OwnPoint(i);
  return pips;
}

// ---- The other side of the table.

Position Position::Mirrored() const {
  constexpr uint8_t kOtherFirst[] = {kRollOff, kBlackBegins, kWhiteBegins};
  Position other = *this;
  for (int seat : {kWhite, kBlack}) {
    other.points[seat] = points[1 - seat];
    other.off[seat] = off[1 - seat];
    other.first_turn[seat] = first_turn[1 - seat];
    std::memcpy(other.count[seat], count[1 - seat], sizeof(count[0]));
  }
  // Before the roll-off nobody moves; the mover is White by convention.
  if (phase != kOpening) other.mover = static_cast<uint8_t>(1 - mover);
  if (opener != kNobody) other.opener = static_cast<uint8_t>(1 - opener);
  other.option[kFirstPlayer] = kOtherFirst[option[kFirstPlayer]];
  return other;
}

int64_t Position::MirrorAction(int32_t actor, int64_t action) const {
  if (actor != ASTRAGAL_CHANCE || ASTRAGAL_CHANCE_KIND(action) != kOpeningThrow) return action;
  const int64_t outcome = ASTRAGAL_CHANCE_OUTCOME(action);
  return ASTRAGAL_CHANCE_ACTION(kOpeningThrow, outcome % 6 * 6 + outcome / 6);
}

}  // namespace astragal::long_narde
