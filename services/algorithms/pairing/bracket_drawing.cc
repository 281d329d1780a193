// Brackets as SVG.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "services/algorithms/pairing/grid.h"
#include "services/algorithms/svg.h"

namespace astragal::algorithms {
namespace {

// Pixels.
constexpr double kWidth = 180;  // of a match
constexpr double kHeight = 40;
constexpr double kColumn = 220;  // from a round to the next
constexpr double kRow = 52;      // from a board to the next
constexpr double kMargin = 16;
constexpr double kTitle = 24;

class BracketDrawing {
 public:
  BracketDrawing(const BracketPlan& plan, const BracketState& state,
                 const std::vector<std::string>& names)
      : plan_(plan), state_(state), names_(names), svg_(LayOut()) {}

  std::string Draw() {
    for (size_t i = 0; i < plan_.matches.size(); ++i) DrawMatch(i);
    return svg_.Finish();
  }

 private:
  struct Area {  // of a stage
    int rounds = 0;
    int boards = 0;  // of the widest round
    double top = 0;
  };

  const Area& AreaOf(const BracketMatch& match) const {
    return areas_[static_cast<size_t>(match.stage)];
  }

  // Stages one below the other.
  Svg LayOut() {
    for (const BracketMatch& match : plan_.matches) {
      Area& area = areas_[static_cast<size_t>(match.stage)];
      area.rounds = std::max(area.rounds, match.round + 1);
      area.boards = std::max(area.boards, match.board + 1);
    }
    double height = kMargin;
    int rounds = 0;
    for (Area& area : areas_) {
      if (area.boards == 0) continue;
      area.top = height + kTitle;
      height += kTitle + area.boards * kRow + kMargin;
      rounds = std::max(rounds, area.rounds);
    }
    return Svg(2 * kMargin + rounds * kColumn, height);
  }

  // The matches of the same stage whose winners play here.
  std::vector<Point> Feeders(const BracketMatch& match) const {
    std::vector<Point> feeders;
    for (const BracketSlot& slot : match.slots) {
      if (slot.from != BracketSlot::From::kWinnerOf) continue;
      if (plan_.matches[slot.index].stage == match.stage) feeders.push_back(corners_[slot.index]);
    }
    return feeders;
  }

  void DrawMatch(size_t index) {
    const BracketMatch& match = plan_.matches[index];
    const BracketMatchState& now = state_.matches[index];
    const std::vector<Point> feeders = Feeders(match);
    Point corner{kMargin + match.round * kColumn, AreaOf(match).top + match.board * kRow};
    if (!feeders.empty()) corner.y = (feeders.front().y + feeders.back().y) / 2;
    corners_.push_back(corner);
    if (match.round == 0 && match.board == 0) {
      svg_.Text({kMargin, AreaOf(match).top - kTitle / 2}, NameOf(match.stage),
                {"#333", 14, Anchor::kStart, true});
    }
    for (const Point& feeder : feeders) Connect(feeder, corner);
    svg_.Rect(corner, kWidth, kHeight, 3, {"#fff", "#555", 1});
    for (const int slot : {0, 1}) {
      const int player = now.players[slot];
      const bool won = player != kNobody && player == now.winner;
      svg_.Text({corner.x + 8, corner.y + kHeight * (slot == 0 ? 0.28 : 0.74)},
                NameInBracket(names_, player), {"#111", 12, Anchor::kStart, won});
    }
  }

  void Connect(Point from, Point to) {
    const Paint paint{"", "#999", 1};
    const double from_y = from.y + kHeight / 2;
    const double to_y = to.y + kHeight / 2;
    const double middle = to.x - (kColumn - kWidth) / 2;
    svg_.Line({from.x + kWidth, from_y}, {middle, from_y}, paint);
    svg_.Line({middle, from_y}, {middle, to_y}, paint);
    svg_.Line({middle, to_y}, {to.x, to_y}, paint);
  }

  const BracketPlan& plan_;
  const BracketState& state_;
  const std::vector<std::string>& names_;
  std::array<Area, 6> areas_;  // before svg_, which is made from it
  std::vector<Point> corners_;
  Svg svg_;
};

}  // namespace

std::string DrawBracket(const BracketPlan& plan, const BracketState& state,
                        const std::vector<std::string>& names) {
  return BracketDrawing(plan, state, names).Draw();
}

}  // namespace astragal::algorithms
