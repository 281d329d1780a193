// Position::Check: any bytes may come in. Nothing is used as an index before it was looked at.
#include <cstring>

#include "plugins/long_narde/position.h"

namespace astragal::long_narde {

bool Position::Check(sdk::Error& error) const {
  for (uint32_t i = 0; i < kOptionCount; ++i) {
    if (option[i] >= kOptions[i].choice_count) {
      return error.Refuse(kOptions[i].name, "There is no such value.");
    }
  }
  if (phase > kOver || mover > kBlack || opener > kNobody || last_turn > 1 || zero != 0 ||
      first_turn[kWhite] > 1 || first_turn[kBlack] > 1) {
    return error.Refuse("", "These bytes are no position of Long Narde.");
  }
  if (!CheckBoard(error) || !CheckPhase(error) || !CheckDice(error)) return false;
  Position same = *this;
  same.Derive();
  if (phase == kMove && (same.legal[0] | same.legal[1]) == 0) {
    return error.Refuse("move", "Nothing can be played with these dice: the turn is over.");
  }
  if (std::memcmp(&same, this, sizeof(same)) != 0) {
    return error.Refuse("", "The position does not agree with itself.");
  }
  return true;
}

bool Position::CheckBoard(sdk::Error& error) const {
  for (int seat : {kWhite, kBlack}) {
    int checkers = off[seat];
    for (int i = 0; i < kPoints; ++i) checkers += count[seat][i];
    if (checkers != kCheckers) {
      return error.Refuse(kSeatNames[seat], "A side has ", kCheckers, " checkers, not ", checkers,
                          ".");
    }
  }
  for (int i = 0; i < kPoints; ++i) {
    if (count[kWhite][i] > 0 && count[kBlack][OtherIndex(i)] > 0) {
      return error.Refuse("white", "Both sides stand on White's ", OwnPoint(i), ".");
    }
  }
  return true;
}

bool Position::CheckPhase(sdk::Error& error) const {
  if (phase == kOpening) return CheckOpening(error);
  if (opener == kNobody) return error.Refuse("began", "Who moved first is not known.");
  const bool finished[] = {off[kWhite] == kCheckers, off[kBlack] == kCheckers};
  const int second = 1 - opener;
  if (last_turn != 0 && (option[kLastRoll] != kSecondPlayer || !finished[opener] ||
                         off[second] < kCheckers - 1 || mover != second)) {
    return error.Refuse("last",
                        "The extra turn belongs to the second player with one checker left "
                        "after the first one finished.");
  }
  if (phase == kOver) {
    if (!finished[kWhite] && !finished[kBlack]) {
      return error.Refuse("over", "The game is not over: both sides have checkers left.");
    }
    if (last_turn != 0) return true;
    if (finished[kWhite] && finished[kBlack]) {
      return error.Refuse("over", "Both sides finish only in an extra turn.");
    }
    if (!finished[mover]) return error.Refuse("over", "The side that finished moved last.");
    if (option[kLastRoll] == kSecondPlayer && mover == opener && off[1 - mover] == kCheckers - 1) {
      return error.Refuse("over", "The second player still has an extra turn.");
    }
    return true;
  }
  if (finished[mover] || (finished[1 - mover] && last_turn == 0)) {
    return error.Refuse("off", "A side has finished: the game is over.");
  }
  return true;
}

bool Position::CheckOpening(sdk::Error& error) const {
  if (option[kFirstPlayer] != kRollOff) {
    return error.Refuse("first_player", "There is a roll-off only with first_player=roll_off.");
  }
  for (int seat : {kWhite, kBlack}) {
    if (count[seat][kHead] != kCheckers || first_turn[seat] == 0) {
      return error.Refuse("opening", "The roll-off comes before anything has moved.");
    }
  }
  if (mover != kWhite || opener != kNobody || last_turn != 0) {
    return error.Refuse("opening", "Nobody has moved before the roll-off.");
  }
  return true;
}

bool Position::CheckDice(sdk::Error& error) const {
  const int dice_left = left[0] + left[1];
  if (phase != kMove) {
    if (dice[0] != 0 || dice[1] != 0 || dice_left != 0 || head_moves != 0) {
      return error.Refuse("move", "There are dice although nobody plays.");
    }
    return true;
  }
  if (dice[1] < 1 || dice[0] > 6 || dice[0] < dice[1]) {
    return error.Refuse("move", "Dice show 1 to 6, the higher one first.");
  }
  const bool twice = dice[0] == dice[1];
  if (left[0] > (twice ? 4 : 1) || left[1] > (twice ? 0 : 1) || dice_left == 0) {
    return error.Refuse("left", "The dice left are not among those thrown.");
  }
  const int played = (twice ? 4 : 2) - dice_left;
  if (head_moves > played || head_moves > HeadAllowance() ||
      count[mover][kHead] + head_moves > kCheckers) {
    return error.Refuse("head", "More checkers left the head than this turn allows.");
  }
  return true;
}

}  // namespace astragal::long_narde
