// What callers of a good ruleset see.
#include "plugins/host/ruleset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "absl/hash/hash.h"
#include "plugins/host/text_check.h"
#include "plugins/host/trial.h"
#include "tests/plugins/host/folder.h"

namespace astragal::host {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class RulesetTest : public testing::Test {
 protected:
  Position Standard() const { return ruleset_->Start(ruleset_->about().presets[0].values).value(); }
  Position AfterThrowOf2() const {
    Position position = Standard();
    EXPECT_TRUE(ruleset_->Apply(position, kChance, ChanceAction(0, 1)).ok());
    return position;
  }

  const std::shared_ptr<const Ruleset> ruleset_ = OpenOdd("good");
};

TEST_F(RulesetTest, AboutIsCopiedOut) {
  const About& about = ruleset_->about();
  EXPECT_EQ(about.id, "tiny");
  EXPECT_EQ(about.rules_version, 1u);
  EXPECT_THAT(about.seat_names, ElementsAre("white", "black"));
  ASSERT_EQ(about.options.size(), 3u);
  EXPECT_EQ(about.options[1].name, "stakes");
  EXPECT_TRUE(about.options[1].keeps_balance);
  EXPECT_THAT(about.options[1].choices, ElementsAre("none", "coins"));
  ASSERT_EQ(about.presets.size(), 2u);
  EXPECT_THAT(about.presets[1].values, ElementsAre(12, 1, 0));
  EXPECT_THAT(about.throw_kinds[0].weights, ElementsAre(1, 2, 1));
  EXPECT_EQ(about.throw_kinds[0].total_weight, 4u);
  EXPECT_EQ(about.first_player->option, 2u);
  EXPECT_EQ(about.limits.position_bytes, 16u);
  EXPECT_EQ(about.FindPreset("long"), 1u);
  EXPECT_EQ(about.FindOption("nothing"), std::nullopt);
}

// Whatever this thread has called before: of any 61 calls one is timed, and stands for all.
TEST_F(RulesetTest, OneCallInSixtyOneIsTimedForAll) {
  const Usage& usage = ruleset_->usage();
  const Position position = AfterThrowOf2();
  const uint64_t calls = usage.calls;
  const uint64_t nanos = usage.nanos;
  for (uint32_t i = 0; i < 10 * Usage::kTimedOneIn; ++i)
    ASSERT_TRUE(ruleset_->Actions(position).ok());
  EXPECT_EQ(usage.calls - calls, 10 * Usage::kTimedOneIn);
  EXPECT_GT(usage.nanos, nanos);
}

TEST_F(RulesetTest, OptionsComeFromPresetAndNames) {
  EXPECT_THAT(ruleset_->ResolveOptions("", {}).value(), ElementsAre(6, 0, 0));
  const std::vector<std::pair<std::string, std::string>> changes = {{"first", "black"},
                                                                    {"length", "9"}};
  EXPECT_THAT(ruleset_->ResolveOptions("long", changes).value(), ElementsAre(9, 1, 1));
  EXPECT_EQ(ruleset_->OptionText(1, 1), "coins");
  EXPECT_EQ(ruleset_->OptionText(0, 9), "9");
}

TEST_F(RulesetTest, BadOptionsNameTheirField) {
  struct {
    const char* preset;
    std::vector<std::pair<std::string, std::string>> changes;
    const char* field;
  } const cases[] = {
      {"nonsense", {}, "preset"},
      {"", {{"colour", "red"}}, "colour"},
      {"", {{"length", "3"}}, "length"},
      {"", {{"length", "13"}}, "length"},
      {"", {{"length", "nine"}}, "length"},
      {"", {{"length", ""}}, "length"},
      {"", {{"length", "+9"}}, "length"},
      {"", {{"length", "09"}}, "length"},
      {"", {{"length", " 9"}}, "length"},
      {"", {{"length", "9 "}}, "length"},
      {"", {{"", "9"}}, "options"},
      {"", {{"", ""}}, "options"},
      {"", {{"stakes", "1"}}, "stakes"},
      {"", {{"stakes", "none"}, {"stakes", "coins"}}, "stakes"},
  };
  for (const auto& c : cases) {
    const auto options = ruleset_->ResolveOptions(c.preset, c.changes);
    EXPECT_EQ(ReasonOf(options.status()), kBadOption) << c.field;
    EXPECT_EQ(FieldOf(options.status()), c.field);
    EXPECT_EQ(options.status().code(), absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(FieldOf(ruleset_->Start({6, 0}).status()), "options");
  EXPECT_EQ(FieldOf(ruleset_->Start({6, 0, 2}).status()), "first");
  const absl::Status combination = ruleset_->Start({12, 0, 0}).status();
  EXPECT_EQ(FieldOf(combination), "stakes");
  EXPECT_EQ(combination.message(), "Twelve cells are played for coins.");
}

TEST_F(RulesetTest, AnswersAboutTheFirstPositions) {
  const Position start = Standard();
  EXPECT_EQ(ruleset_->Actor(start), kChance);
  EXPECT_EQ(ruleset_->Seats(start), 2);
  EXPECT_EQ(ruleset_->ThrowKind(start), 0);
  EXPECT_TRUE(ruleset_->Actions(start).value().empty());
  EXPECT_THAT(ruleset_->Options(start), ElementsAre(6, 0, 0));
  EXPECT_EQ(ruleset_->FormatPosition(start).value(), "6 0 0 -1 0 0 0 0 0 0 0 0 0 0");

  const Position thrown = AfterThrowOf2();
  EXPECT_EQ(ruleset_->Actor(thrown), 0);
  EXPECT_EQ(ruleset_->ThrowKind(thrown), std::nullopt);
  EXPECT_THAT(ruleset_->Actions(thrown).value(), ElementsAre(0));
  EXPECT_EQ(ruleset_->Format(thrown, 0, 0).value(), "hand");
  EXPECT_EQ(ruleset_->Format(start, kChance, ChanceAction(0, 1)).value(), "2");
  EXPECT_EQ(ruleset_->Parse(thrown, 0, " HAND ").value(), 0);
  EXPECT_EQ(ruleset_->Concession(thrown, 1)->most, 2);
  EXPECT_EQ(ruleset_->Evaluate(thrown, 0), 500);
  EXPECT_EQ(ruleset_->Places(thrown)->size(), 9u);
  EXPECT_THAT(ruleset_->Pieces(thrown).value(),
              ElementsAre(Piece{12, 0, 0, 2}, Piece{14, 1, 0, 2}));
  EXPECT_EQ(ruleset_->Throws(thrown)->at(0).value, 2);
  EXPECT_THAT(ruleset_->Text(thrown).value(), HasSubstr("white off 0"));
  EXPECT_THAT(ruleset_->Effects(thrown, 0, 0).value(),
              ElementsAre(Effect{EffectKind::kEnter, 0, 0, 12, 2, 0},
                          Effect{EffectKind::kTurn, 1, -1, -1, -1, 0}));
}

TEST_F(RulesetTest, ActionsIntoABufferOfTheCaller) {
  int64_t buffer[3];
  EXPECT_EQ(ruleset_->Actions(AfterThrowOf2(), absl::MakeSpan(buffer)).value(), 1u);
  EXPECT_EQ(ruleset_->Actions(AfterThrowOf2(), absl::MakeSpan(buffer, 2)).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(RulesetTest, RefusalsLeaveThePosition) {
  const Position start = Standard();
  const Position thrown = AfterThrowOf2();
  struct {
    const Position& position;
    int actor;
    int64_t action;
  } const cases[] = {
      {start, 0, 0},  // a throw comes first
      {start, kChance, ChanceAction(0, 3)},
      {start, kChance, ChanceAction(1, 0)},
      {start, kChance, -1},
      {start, kChance, int64_t{1} << 62},
      {start, kChance, INT64_MAX},
      {start, kOver, 0},
      {thrown, kChance, 0},
      {thrown, 1, 0},
      {thrown, 2, 0},
      {thrown, 0, 1},
      {thrown, 0, -1},
      {thrown, 0, INT64_MAX},
      {thrown, INT32_MAX, 0},
      {thrown, INT32_MIN, 0},
  };
  for (const auto& c : cases) {
    Position position = c.position;
    const absl::Status status = ruleset_->Apply(position, c.actor, c.action);
    EXPECT_EQ(ReasonOf(status), kIllegalAction) << c.actor << " " << c.action;
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(position, c.position);
    EXPECT_FALSE(ruleset_->Effects(c.position, c.actor, c.action).ok());
  }
  Position position = thrown;
  EXPECT_EQ(ReasonOf(ruleset_->Leave(position, 0)), kIllegalAction);
  EXPECT_EQ(position, thrown);
}

TEST_F(RulesetTest, UnreadableTextIsBadNotation) {
  const Position thrown = AfterThrowOf2();
  for (const std::string& text :
       {std::string(), std::string("far"), std::string("12"), std::string("\xC3\x28"),
        std::string("1\n"), std::string("1\0", 2), std::string(65, '1'),
        std::string(100000, 'x')}) {
    EXPECT_EQ(ReasonOf(ruleset_->Parse(thrown, 0, text).status()), kBadNotation);
    EXPECT_EQ(ReasonOf(ruleset_->ParsePosition(text).status()), kBadNotation);
  }
  EXPECT_EQ(FieldOf(ruleset_->Parse(thrown, 0, "").status()), "notation");
  EXPECT_EQ(FieldOf(ruleset_->Parse(thrown, 0, "far").status()), "cell");
  EXPECT_EQ(ReasonOf(ruleset_->Format(thrown, 0, 99).status()), kBadNotation);
  EXPECT_EQ(ReasonOf(ruleset_->Format(thrown, 0, -1).status()), kBadNotation);
}

TEST_F(RulesetTest, PositionsFromOutsideAreChecked) {
  const Position thrown = AfterThrowOf2();
  EXPECT_EQ(ruleset_->FromBytes(thrown.bytes()).value(), thrown);
  std::string bytes(thrown.bytes());
  EXPECT_EQ(ReasonOf(ruleset_->FromBytes(bytes + "x").status()), kBadNotation);
  EXPECT_EQ(ReasonOf(ruleset_->FromBytes("").status()), kBadNotation);
  EXPECT_EQ(ReasonOf(ruleset_->FromBytes(std::string(1 << 20, 'x')).status()), kBadNotation);
  bytes[0] = 77;
  const absl::Status bad = ruleset_->FromBytes(bytes).status();
  EXPECT_EQ(ReasonOf(bad), kBadNotation);
  EXPECT_EQ(FieldOf(bad), "options");
}

TEST_F(RulesetTest, APositionOfAnotherSizeIsNeverRead) {
  const Position other(size_t{8});
  Position changed = other;
  EXPECT_EQ(ruleset_->Actor(other), kBroken);
  EXPECT_EQ(ruleset_->Seats(other), 0);
  EXPECT_TRUE(ruleset_->Options(other).empty());
  EXPECT_EQ(ReasonOf(ruleset_->Apply(changed, 0, 0)), kRulesetFault);
  EXPECT_EQ(ReasonOf(ruleset_->Actions(other).status()), kRulesetFault);
  EXPECT_EQ(ReasonOf(ruleset_->Text(other).status()), kRulesetFault);
  EXPECT_EQ(ReasonOf(ruleset_->Result(other).status()), kRulesetFault);
  EXPECT_EQ(ReasonOf(ruleset_->Pieces(other).status()), kRulesetFault);
  EXPECT_EQ(ruleset_->Evaluate(other, 0), std::nullopt);
}

TEST_F(RulesetTest, AtTheEndThereAreResultsAndNothingToConcede) {
  const Position over = ruleset_->ParsePosition("6 1 0 -2 0 9 6 6 0 1 6 4 0 1").value();
  EXPECT_EQ(ruleset_->Actor(over), kOver);
  EXPECT_THAT(ruleset_->Result(over).value(), ElementsAre(SeatResult{1, 2}, SeatResult{2, 0}));
  EXPECT_EQ(ReasonOf(ruleset_->Concession(over, 1).status()), kGameOver);
}

TEST_F(RulesetTest, MirrorCommutesWithApply) {
  const Mirror* mirror = ruleset_->Mirror();
  ASSERT_NE(mirror, nullptr);
  Position position = AfterThrowOf2();
  Position mirrored = mirror->Of(position);
  EXPECT_EQ(ruleset_->Actor(mirrored), mirror->SeatOf(position, 0));
  ASSERT_TRUE(ruleset_->Apply(mirrored, 1, mirror->ActionOf(position, 0, 0)).ok());
  ASSERT_TRUE(ruleset_->Apply(position, 0, 0).ok());
  EXPECT_EQ(mirror->Of(position), mirrored);
}

TEST_F(RulesetTest, ManyThreadsPlayAtOnce) {
  const Position shared = AfterThrowOf2();
  std::vector<std::thread> threads;
  std::atomic<int> failed{0};
  for (uint64_t seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      for (uint64_t round = 0; round < 50; ++round) {
        if (ruleset_->Actions(shared)->size() != 1 || !ruleset_->Text(shared).ok()) ++failed;
        if (!PlayTrial(*ruleset_, 40, seed * 1000 + round).ok()) ++failed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 0);
}

TEST(Reason, SurvivesInTheStatus) {
  const absl::Status status = ReasonError(kBadOption, "no", "length");
  EXPECT_EQ(ReasonOf(status), "BAD_OPTION");
  EXPECT_EQ(FieldOf(status), "length");
  EXPECT_EQ(ReasonOf(absl::OkStatus()), "");
  EXPECT_EQ(ReasonError(kRulesetFault, "x").code(), absl::StatusCode::kInternal);
  EXPECT_EQ(ReasonError(kGameOver, "x").code(), absl::StatusCode::kFailedPrecondition);
}

TEST(PositionValue, CopiesMovesAndCompares) {
  for (const size_t size :
       {size_t{0}, size_t{1}, size_t{16}, size_t{128}, size_t{129}, size_t{1024}}) {
    std::string bytes(size, 'a');
    const Position a{absl::string_view(bytes)};
    Position b = a;
    EXPECT_EQ(a, b);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(b.data()) % 8, 0u);
    EXPECT_EQ(absl::Hash<Position>{}(a), absl::Hash<Position>{}(b));
    if (size > 0) {
      static_cast<char*>(b.data())[size - 1] = 'b';
      EXPECT_FALSE(a == b);
    }
    Position c = std::move(b);
    EXPECT_TRUE(b.empty());  // NOLINT: the state after a move is promised
    b = a;
    c = b;
    EXPECT_EQ(c, a);
    c = Position(size_t{5});
    EXPECT_EQ(c.size(), 5u);
    c = std::move(b);
    EXPECT_EQ(c.bytes(), bytes);
  }
}

TEST(TextCheck, TakesUtf8WithoutControlCharacters) {
  struct {
    std::string text;
    bool line;
    bool lines;
  } const cases[] = {
      {"", true, true},
      {"plain", true, true},
      {"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x8E\xB2", true, true},
      {"two\nlines", false, true},
      {"tab\t", false, false},
      {std::string("\0", 1), false, false},
      {"\x7F", false, false},
      {"\xC2\x85", false, false},          // a control character of two bytes
      {"\xC0\x80", false, false},          // not the shortest form
      {"\xE0\x80\xAF", false, false},      // nor this
      {"\xF0\x80\x80\xAF", false, false},  // nor this
      {"\xED\xA0\x80", false, false},      // a surrogate
      {"\xF4\x90\x80\x80", false, false},  // beyond Unicode
      {"\xF5\x80\x80\x80", false, false},
      {"\xE2\x82", false, false},  // cut off
      {"\x80", false, false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(IsCleanText(c.text, Lines::kOne), c.line) << testing::PrintToString(c.text);
    EXPECT_EQ(IsCleanText(c.text, Lines::kMany), c.lines) << testing::PrintToString(c.text);
  }
  EXPECT_TRUE(IsName("long_narde2"));
  EXPECT_FALSE(IsName("2long"));
  EXPECT_FALSE(IsName(""));
  EXPECT_FALSE(IsName("Long"));
}

}  // namespace
}  // namespace astragal::host
