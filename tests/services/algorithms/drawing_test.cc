#include "services/algorithms/drawing.h"

#include <gtest/gtest.h>

#include <string>

#include "services/algorithms/svg.h"
#include "tests/services/algorithms/rulesets.h"
#include "tests/support/golden.h"

namespace astragal::algorithms {
namespace {

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

absl::StatusOr<Scene> StartOf(const char* id) {
  const auto ruleset = tests::OpenRuleset(id);
  if (ruleset == nullptr) return absl::NotFoundError(id);
  const auto start = ruleset->Start(*ruleset->ResolveOptions("", {}));
  if (!start.ok()) return start.status();
  return SceneOf(*ruleset, *start);
}

TEST(DrawingTest, LongNardeAtTheStart) {
  const auto scene = StartOf("long_narde");
  ASSERT_TRUE(scene.ok()) << scene.status();
  tests::ExpectGolden(DrawSvg(*scene), "tests/services/algorithms/data/long_narde_start.svg");
}

TEST(DrawingTest, ShowsEveryPieceAndEveryPlace) {
  const auto scene = StartOf("long_narde");
  ASSERT_TRUE(scene.ok()) << scene.status();
  const std::string svg = DrawSvg(*scene);
  EXPECT_EQ(Count(svg, "<polygon"), 24u);
  // A token is three circles; thirty checkers and the two in the legend.
  EXPECT_EQ(Count(svg, "<circle"), 3u * (30 + 2));
  EXPECT_EQ(Count(svg, ">15</text>"), 3u);  // two stacks of fifteen, and the label of a point
}

TEST(DrawingTest, MarksAreDrawn) {
  Scene scene;
  host::Place place;
  place.width = place.height = 1000;
  scene.places = {place};
  const std::string plain = DrawSvg(scene);
  for (const uint32_t mark : {host::kMarkSafe, host::kMarkPenalty, host::kMarkExtra,
                              host::kMarkCentre, host::kMarkDark}) {
    scene.places[0].marks = mark;
    EXPECT_NE(DrawSvg(scene), plain) << mark;
  }
}

TEST(DrawingTest, TheEndSaysWhoWon) {
  EXPECT_EQ(CaptionOfEnd({"white", "black"}, {1, 2}), "game over: white won");
  EXPECT_EQ(CaptionOfEnd({"south", "north", "west"}, {2, 3, 1}), "game over: west won");
  EXPECT_EQ(CaptionOfEnd({"white", "black"}, {1, 1}), "game over: white and black drew");
  EXPECT_EQ(CaptionOfEnd({"white", "black"}, {0, 0}), "game over");
  EXPECT_EQ(CaptionOfEnd({}, {}), "game over");
}

TEST(DrawingTest, NamesOfStrangersCannotBreakTheDocument) {
  Scene scene;
  scene.title = "<script>\"&";
  scene.seat_names = {"a<b", "c&d"};
  const std::string svg = DrawSvg(scene);
  EXPECT_EQ(svg.find("<script>"), std::string::npos);
  EXPECT_NE(svg.find("&lt;script&gt;&quot;&amp;"), std::string::npos);
  EXPECT_NE(svg.find("a&lt;b"), std::string::npos);
}

TEST(DrawingTest, AHundredPiecesInOneTrayBecomeANumber) {
  Scene scene;
  host::Place tray;
  tray.id = 1;
  tray.width = tray.height = 1000;
  tray.shape = host::Shape::kTray;
  scene.places = {tray};
  scene.pieces = {{1, 0, 0, 100}};
  EXPECT_EQ(Count(DrawSvg(scene), ">100</text>"), 1u);
}

TEST(SvgTest, NumbersHaveOneDecimalAtMost) {
  Svg svg(10, 10.25);
  svg.Circle({1.0 / 3, -0.04}, 2, {"#fff"});
  const std::string text = svg.Finish();
  EXPECT_NE(text.find("cx=\"0.3\""), std::string::npos) << text;
  EXPECT_NE(text.find("cy=\"0\""), std::string::npos) << text;
  EXPECT_NE(text.find("height=\"10.3\""), std::string::npos) << text;
}

}  // namespace
}  // namespace astragal::algorithms
