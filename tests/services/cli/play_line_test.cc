// What is typed at the board.
#include "services/cli/play_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace astragal::cli {
namespace {

using testing::ElementsAreArray;

struct Case {
  std::string name;
  std::string typed;
  PlayLine::Kind kind;
  std::vector<std::string> actions = {};
  bool maybe_one = false;
};

v1::ListLegalActionsResponse Legal() {
  v1::ListLegalActionsResponse legal;
  for (const char* notation : {"24/18", "in 3 cw", "b"})
    legal.add_actions()->set_notation(notation);
  return legal;
}

class PlayLineTest : public testing::TestWithParam<Case> {};

TEST_P(PlayLineTest, Reads) {
  const PlayLine read = ReadPlayLine(GetParam().typed, Legal());
  EXPECT_EQ(read.kind, GetParam().kind);
  EXPECT_THAT(read.actions, ElementsAreArray(GetParam().actions));
  EXPECT_EQ(read.maybe_one, GetParam().maybe_one);
}

using Kind = PlayLine::Kind;
INSTANTIATE_TEST_SUITE_P(
    Lines, PlayLineTest,
    testing::Values(Case{"empty", "", Kind::kNothing}, Case{"blank", " \t ", Kind::kNothing},
                    Case{"comment", "# a note", Kind::kNothing},
                    Case{"question", " ? ", Kind::kHelp}, Case{"help", "Help", Kind::kHelp},
                    Case{"board", "board", Kind::kBoard}, Case{"resign", "resign", Kind::kResign},
                    Case{"quit", "q", Kind::kQuit}, Case{"exit", "EXIT", Kind::kQuit},
                    Case{"one", "24/18", Kind::kActions, {"24/18"}},
                    Case{"two", "24/18 18/15", Kind::kActions, {"24/18", "18/15"}, true},
                    Case{"commas", "24/18, 18 / 15;", Kind::kActions, {"24/18", "18 / 15"}},
                    Case{"tabs", "24/18\t\t18/15", Kind::kActions, {"24/18", "18/15"}, true},
                    Case{"remark", "24/18 # the long one", Kind::kActions, {"24/18"}},
                    Case{"listed_with_spaces", "IN 3 cw", Kind::kActions, {"IN 3 cw"}},
                    Case{
                        "unlisted_with_spaces", "in 4 cw", Kind::kActions, {"in", "4", "cw"}, true},
                    Case{"listed_goes_before_words", "b", Kind::kActions, {"b"}},
                    Case{"only_separators", ",;", Kind::kNothing}),
    [](const testing::TestParamInfo<Case>& the) { return the.param.name; });

}  // namespace
}  // namespace astragal::cli
