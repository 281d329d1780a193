// A position as one line that a person can type:
//
//   white 24:14 18:1 black 24:15 move white 6-3 left 3 head 1 first both began white
//
//   white, black   own point:checkers; what is not named is off
//   opening | roll SEAT | move SEAT DICE | over SEAT      what comes next; over: who moved last
//   left 3-3       dice still to be played, when not all are
//   head N         checkers that left the head in this turn
//   first S        whose first turn is still ahead or under way: white, black or both
//   began SEAT     who moved first in this game; unless given, the seat that is to act
//   last           the second player's extra turn
//   option=value   options that differ from their defaults
#include <utility>

#include "plugins/long_narde/position.h"

namespace astragal::long_narde {
namespace {

constexpr const char* kPhases[] = {"opening", "roll", "move", "over"};
constexpr const char* kFirsts[] = {"white", "black", "both"};

// One clause begins with its word; each reads the words after it.
class PositionReader {
 public:
  PositionReader(std::string_view text, Position& position, sdk::Error& error)
      : reader_(text), position_(position), error_(error) {}

  bool Read() {
    position_.opener = kNobody;
    for (uint32_t i = 0; i < kOptionCount; ++i) {
      position_.option[i] = static_cast<uint8_t>(kOptions[i].default_value);
    }
    for (std::string_view word = Next(); !word.empty(); word = Next()) {
      if (!ReadClause(word)) return false;
    }
    if (!seen_phase_) {
      return error_.Refuse("", "What comes next is missing: 'opening', 'roll', 'move' or 'over'.");
    }
    for (int seat : {kWhite, kBlack}) {
      if (!seen_seat_[seat]) {
        return error_.Refuse(kSeatNames[seat], "The checkers of ", kSeatNames[seat],
                             " are missing.");
      }
    }
    return Complete();
  }

 private:
  std::string_view Next() {
    if (!pending_.empty()) return std::exchange(pending_, {});
    return reader_.TakeWord();
  }

  bool ReadClause(std::string_view word) {
    if (const int seat = sdk::IndexOf(kSeatNames, word); seat >= 0) return ReadCheckers(seat);
    if (const int phase = sdk::IndexOf(kPhases, word); phase >= 0) return ReadPhase(phase);
    if (sdk::SameWord(word, "left")) return ReadLeft();
    if (sdk::SameWord(word, "head")) return ReadHead();
    if (sdk::SameWord(word, "first")) return ReadFirst();
    if (sdk::SameWord(word, "began")) return ReadSeat("began", position_.opener);
    if (sdk::SameWord(word, "last")) {
      position_.last_turn = 1;
      return true;
    }
    return ReadOption(word);
  }

  bool ReadCheckers(int seat) {
    if (seen_seat_[seat])
      return error_.Refuse(kSeatNames[seat], kSeatNames[seat], " stands here twice.");
    seen_seat_[seat] = true;
    int checkers = 0;
    for (std::string_view word = Next(); !word.empty(); word = Next()) {
      if (!sdk::IsDigit(word.front())) {
        pending_ = word;
        break;
      }
      sdk::Reader entry(word);
      int own = 0;
      int number = 0;
      if (!entry.TakeSmall(1, kPoints, own) || !entry.Take(':') ||
          !entry.TakeSmall(1, kCheckers, number) || !entry.AtEnd()) {
        return error_.Refuse(kSeatNames[seat], "'", word.substr(0, 40),
                             "' is not point:checkers, as in 24:15.");
      }
      uint8_t& count = position_.count[seat][IndexOfOwn(own)];
      if (count != 0) return error_.Refuse(kSeatNames[seat], "Point ", own, " stands here twice.");
      count = static_cast<uint8_t>(number);
      checkers += number;
    }
    if (checkers > kCheckers) {
      return error_.Refuse(kSeatNames[seat], "A side has ", kCheckers, " checkers, not ", checkers,
                           ".");
    }
    position_.off[seat] = static_cast<uint8_t>(kCheckers - checkers);
    return true;
  }

  bool ReadSeat(const char* field, uint8_t& seat) {
    const int index = sdk::IndexOf(kSeatNames, Next());
    if (index < 0) return error_.Refuse(field, "After '", field, "' comes white or black.");
    seat = static_cast<uint8_t>(index);
    return true;
  }

  bool ReadPhase(int phase) {
    if (seen_phase_) return error_.Refuse(kPhases[phase], "What comes next stands here twice.");
    seen_phase_ = true;
    position_.phase = static_cast<uint8_t>(phase);
    if (phase == kOpening) return true;
    if (!ReadSeat(kPhases[phase], position_.mover)) return false;
    return phase != kMove || ReadDice();
  }

  bool ReadDice() {
    sdk::Reader entry(Next());
    uint8_t a = 0;
    uint8_t b = 0;
    if (!entry.TakeSmall(1, 6, a) || !entry.Take('-') || !entry.TakeSmall(1, 6, b) ||
        !entry.AtEnd()) {
      return error_.Refuse("move", "After the seat come its dice, as in 6-3.");
    }
    position_.dice[0] = a > b ? a : b;
    position_.dice[1] = a > b ? b : a;
    return true;
  }

  // The dice may stand after this clause: kept until the end.
  bool ReadLeft() {
    sdk::Reader entry(Next());
    left_count_ = 0;
    do {
      if (left_count_ == 4 || !entry.TakeSmall(1, 6, left_[left_count_])) {
        return error_.Refuse("left", "After 'left' come the dice still to be played, as in 3-3.");
      }
      ++left_count_;
    } while (entry.Take('-'));
    return entry.AtEnd() || error_.Refuse("left", "Dice are written as in 3-3.");
  }

  bool ReadHead() {
    sdk::Reader entry(Next());
    return (entry.TakeSmall(0, 2, position_.head_moves) && entry.AtEnd()) ||
           error_.Refuse("head", "After 'head' comes 0, 1 or 2.");
  }

  bool ReadFirst() {
    const int which = sdk::IndexOf(kFirsts, Next());
    if (which < 0) return error_.Refuse("first", "After 'first' comes white, black or both.");
    position_.first_turn[kWhite] = which != kBlack;
    position_.first_turn[kBlack] = which != kWhite;
    return true;
  }

  bool ReadOption(std::string_view word) {
    const size_t equal = word.find('=');
    if (equal == std::string_view::npos) {
      return error_.Refuse("", "'", word.substr(0, 40), "' is not known here.");
    }
    const std::string_view name = word.substr(0, equal);
    for (uint32_t i = 0; i < kOptionCount; ++i) {
      if (!sdk::SameWord(name, kOptions[i].name)) continue;
      const std::span<const char* const> choices(kOptions[i].choices, kOptions[i].choice_count);
      const int value = sdk::IndexOf(choices, word.substr(equal + 1));
      if (value < 0) {
        return error_.Refuse(kOptions[i].name, "There is no '", word.substr(0, 60), "'.");
      }
      position_.option[i] = static_cast<uint8_t>(value);
      return true;
    }
    return error_.Refuse("", "There is no option '", name.substr(0, 40), "'.");
  }

  bool Complete() {
    Position& p = position_;
    if (p.opener == kNobody && p.phase != kOpening) p.opener = p.mover;
    if (p.phase == kMove) {
      const bool twice = p.dice[0] == p.dice[1];
      if (left_count_ < 0) {
        p.left[0] = twice ? 4 : 1;
        p.left[1] = twice ? 0 : 1;
      }
      for (int i = 0; i < left_count_; ++i) {
        if (left_[i] != p.dice[0] && left_[i] != p.dice[1]) {
          return error_.Refuse("left", "No die shows ", left_[i], ".");
        }
        ++p.left[left_[i] == p.dice[0] ? 0 : 1];
      }
    } else if (left_count_ >= 0) {
      return error_.Refuse("left", "Only who moves has dice left.");
    }
    if (!Disjoint()) return false;
    p.Derive();
    return true;
  }

  // Derive() plans steps, which needs a board that is one.
  bool Disjoint() {
    for (int i = 0; i < kPoints; ++i) {
      if (position_.count[kWhite][i] > 0 && position_.count[kBlack][OtherIndex(i)] > 0) {
        return error_.Refuse("white", "Both sides stand on White's ", OwnPoint(i), ".");
      }
    }
    return true;
  }

  sdk::Reader reader_;
  Position& position_;
  sdk::Error& error_;
  std::string_view pending_;
  bool seen_seat_[2] = {};
  bool seen_phase_ = false;
  int left_[4] = {};
  int left_count_ = -1;
};

void PutCheckers(const Position& position, int seat, sdk::TextSink& out) {
  out.Put(kSeatNames[seat]);
  for (int i = 0; i < kPoints; ++i) {
    if (position.count[seat][i] == 0) continue;
    out.Put(' ').Put(OwnPoint(i)).Put(':').Put(position.count[seat][i]);
  }
}

void PutDice(const Position& position, sdk::TextSink& out) {
  out.Put(' ').Put(position.dice[0]).Put('-').Put(position.dice[1]);
  const int all = position.dice[0] == position.dice[1] ? 4 : 2;
  if (position.left[0] + position.left[1] == all) return;
  const char* between = " left ";
  for (int i : {0, 1}) {
    for (int n = 0; n < position.left[i]; ++n) {
      out.Put(between).Put(position.dice[i]);
      between = "-";
    }
  }
}

}  // namespace

void Position::FormatPosition(sdk::TextSink& out) const {
  PutCheckers(*this, kWhite, out);
  out.Put(' ');
  PutCheckers(*this, kBlack, out);
  out.Put(' ').Put(kPhases[phase]);
  if (phase != kOpening) out.Put(' ').Put(kSeatNames[mover]);
  if (phase == kMove) PutDice(*this, out);
  if (head_moves > 0) out.Put(" head ").Put(head_moves);
  const int firsts = first_turn[kWhite] + 2 * first_turn[kBlack];
  if (firsts > 0) out.Put(" first ").Put(kFirsts[firsts - 1]);
  if (opener != kNobody) out.Put(" began ").Put(kSeatNames[opener]);
  if (last_turn != 0) out.Put(" last");
  for (uint32_t i = 0; i < kOptionCount; ++i) {
    if (option[i] == kOptions[i].default_value) continue;
    out.Put(' ').Put(kOptions[i].name).Put('=').Put(kOptions[i].choices[option[i]]);
  }
}

bool Position::ParsePosition(std::string_view text, sdk::Error& error) {
  return PositionReader(text, *this, error).Read();
}

}  // namespace astragal::long_narde
