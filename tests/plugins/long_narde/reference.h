// An independent generator of legal steps: slow, and as close to the words of the rules as code can
// be. It shares nothing with the ruleset but the meaning of the options: boards are 24 signed
// counts by absolute point, a turn is every sequence of steps, and nothing is cut short.
#ifndef ASTRAGAL_TESTS_PLUGINS_LONG_NARDE_REFERENCE_H_
#define ASTRAGAL_TESTS_PLUGINS_LONG_NARDE_REFERENCE_H_

#include <array>
#include <compare>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace astragal::long_narde::reference {

struct Rules {
  std::string prime_rule;  // the names of the options
  std::string prime_check;
};

struct Board {
  std::array<signed char, 25> points{};  // [1..24]: white positive; [0] is not used
  std::array<signed char, 2> off{};
  auto operator<=>(const Board&) const = default;
};

struct Step {
  int from;  // absolute point
  int die;
  auto operator<=>(const Step&) const = default;
};

// A moment inside a turn.
struct Moment {
  Board board;
  std::vector<int> dice;  // still to be played, ascending
  int from_head = 0;      // checkers that may still leave the head
  auto operator<=>(const Moment&) const = default;
};

class Turn {
 public:
  Turn(const Rules& rules, int mover) : rules_(rules), mover_(mover) {}

  // Steps that begin a complete turn.
  std::set<Step> LegalSteps(const Moment& moment);

  // Every board after a complete turn, and how many dice the longest one uses.
  std::set<Board> Ends(const Moment& moment);
  int DiceUsed(const Moment& moment);

  // What one step makes of a moment.
  Moment After(const Moment& moment, const Step& step) const;

 private:
  // What the sequences from here can come to: the numbers of further steps of those that end
  // lawfully, and whether one of them bears off the last checker.
  struct Outlook {
    std::set<int> lengths;
    bool finishes = false;
  };

  const Outlook& Look(const Moment& moment);
  std::vector<Step> SingleSteps(const Moment& moment) const;
  bool HasForbiddenBlock(const Board& board) const;
  bool AllHome(const Board& board) const;
  int Sign() const { return mover_ == 0 ? 1 : -1; }
  int Head() const { return mover_ == 0 ? 24 : 12; }
  int PipsToOff(int point) const;

  Rules rules_;
  int mover_;
  std::map<Moment, Outlook> seen_;
};

}  // namespace astragal::long_narde::reference

#endif  // ASTRAGAL_TESTS_PLUGINS_LONG_NARDE_REFERENCE_H_
