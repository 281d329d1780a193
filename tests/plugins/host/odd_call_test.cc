// Every way to answer wrongly once loaded: each answer becomes a status, and the position stays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plugins/host/folder.h"

namespace astragal::host {
namespace {

const std::vector<int64_t> kOptions = {6, 1, 0};

// A position of the good ruleset in which white is to act with a 2 and a piece stands on cell 2 and
// one on cell 3.
Position Middle() {
  static const std::shared_ptr<const Ruleset> good = OpenOdd("good");
  Position position = good->Start(kOptions).value();
  for (const auto& [actor, action] : std::vector<std::pair<int, int64_t>>{{kChance, 1},
                                                                          {0, 0},
                                                                          {kChance, 0},
                                                                          {1, 0},
                                                                          {kChance, 2},
                                                                          {0, 0},
                                                                          {kChance, 0},
                                                                          {1, 1},
                                                                          {kChance, 1}}) {
    if (!good->Apply(position, actor, action).ok()) throw std::runtime_error("Middle");
  }
  return position;
}

using Call = absl::Status (*)(const Ruleset&, Position&);

absl::Status StartCall(const Ruleset& r, Position&) { return r.Start(kOptions).status(); }
absl::Status CheckCall(const Ruleset& r, Position& p) { return r.Check(p); }
absl::Status FromBytesCall(const Ruleset& r, Position& p) {
  return r.FromBytes(p.bytes()).status();
}
absl::Status ActionsCall(const Ruleset& r, Position& p) { return r.Actions(p).status(); }
absl::Status ThrowCall(const Ruleset& r, Position&) {
  Position start = OpenOdd("good")->Start(kOptions).value();
  return r.Actions(start).status();
}
absl::Status ApplyCall(const Ruleset& r, Position& p) { return r.Apply(p, 0, 3); }
absl::Status ResultCall(const Ruleset& r, Position& p) { return r.Result(p).status(); }
absl::Status FormatCall(const Ruleset& r, Position& p) { return r.Format(p, 0, 3).status(); }
absl::Status ParseCall(const Ruleset& r, Position& p) { return r.Parse(p, 0, "3").status(); }
absl::Status TextCall(const Ruleset& r, Position& p) { return r.Text(p).status(); }
absl::Status PositionTextCall(const Ruleset& r, Position& p) {
  return r.FormatPosition(p).status();
}
absl::Status ReadPositionCall(const Ruleset& r, Position&) { return r.ParsePosition("x").status(); }
absl::Status EffectsCall(const Ruleset& r, Position& p) { return r.Effects(p, 0, 3).status(); }
absl::Status ConcessionCall(const Ruleset& r, Position& p) { return r.Concession(p, 0).status(); }
absl::Status PlacesCall(const Ruleset& r, Position& p) { return r.Places(p).status(); }
absl::Status PiecesCall(const Ruleset& r, Position& p) { return r.Pieces(p).status(); }
absl::Status ThrowsCall(const Ruleset& r, Position& p) { return r.Throws(p).status(); }
absl::Status CountersCall(const Ruleset& r, Position& p) { return r.Counters(p).status(); }

struct Case {
  const char* kind;
  Call call;
  absl::string_view reason;
  const char* message;  // part of it
};

const Case kCases[] = {
    {"start_throws", StartCall, kRulesetFault, "start throws an exception"},
    {"start_forgets_options", StartCall, kRulesetFault, "does not keep the options"},
    {"check_throws", CheckCall, kRulesetFault, "check throws an exception"},
    {"actor_throws", FromBytesCall, kRulesetFault, "throws an exception"},
    {"actor_throws", ApplyCall, kRulesetFault, "throws an exception"},
    {"seats_seven", StartCall, kRulesetFault, "seats returns 7"},
    {"actions_throw", ActionsCall, kRulesetFault, "actions throws an exception"},
    {"actions_too_many", ActionsCall, kRulesetFault, "returns 4, declared are at most 3"},
    {"actions_endless", ActionsCall, kRulesetFault, "returns 4294967295"},
    {"actions_none", ActionsCall, kRulesetFault, "lists 0 while actor is 0"},
    {"actions_for_chance", ThrowCall, kRulesetFault, "lists 1 while actor is -1"},
    {"actions_unsorted", ActionsCall, kRulesetFault, "not ascending"},
    {"actions_repeated", ActionsCall, kRulesetFault, "not ascending"},
    {"actions_negative", ActionsCall, kRulesetFault, "negative"},
    {"chances_seven", StartCall, kRulesetFault, "chances returns 7"},
    {"apply_throws", ApplyCall, kRulesetFault, "apply throws an exception"},
    {"apply_faults", ApplyCall, kRulesetFault, "an invariant broke"},
    {"apply_refuses_dirty", ApplyCall, kIllegalAction, "Not like this."},
    {"apply_code_77", ApplyCall, kRulesetFault, "returns 77"},
    {"apply_breaks_actor", ApplyCall, kRulesetFault, "actor returns 9"},
    {"error_not_utf8", ApplyCall, kIllegalAction, "without saying why"},
    {"error_unterminated", ApplyCall, kIllegalAction, "aaaa"},
    {"result_no_winner", ResultCall, kRulesetFault, ""},
    {"result_place_nine", ResultCall, kRulesetFault, "places that cannot be"},
    {"format_control", FormatCall, kRulesetFault, "control characters"},
    {"format_long", FormatCall, kRulesetFault, "returns 1000 bytes"},
    {"parse_negative", ParseCall, kRulesetFault, "action -7"},
    {"text_not_utf8", TextCall, kRulesetFault, "not UTF-8"},
    {"text_endless", TextCall, kRulesetFault, "returns 4294967295 bytes"},
    {"position_text_empty", PositionTextCall, kRulesetFault, "writes nothing"},
    {"parse_position_unchecked", ReadPositionCall, kRulesetFault, "that check refuses"},
    {"effect_unknown", EffectsCall, kRulesetFault, "malformed entry"},
    {"effect_seat_nine", EffectsCall, kRulesetFault, "malformed entry"},
    {"effects_endless", EffectsCall, kRulesetFault, "declared are at most 8"},
    {"concession_backwards", ConcessionCall, kRulesetFault, "3 to 1 points"},
    {"places_repeated", PlacesCall, kRulesetFault, "malformed entry"},
    {"place_label_unterminated", PlacesCall, kRulesetFault, "malformed entry"},
    {"pieces_unsorted", PiecesCall, kRulesetFault, "malformed entry"},
    {"pieces_none_here", PiecesCall, kRulesetFault, "malformed entry"},
    {"counter_name", CountersCall, kRulesetFault, "malformed entry"},
    {"throw_seat", ThrowsCall, kRulesetFault, "malformed entry"},
};

// A finished game, for the one answer that is only wrong at the end.
Position Over() {
  const std::shared_ptr<const Ruleset> good = OpenOdd("good");
  return good->ParsePosition("6 1 0 -2 0 9 6 6 0 1 6 4 0 1").value();
}

class OddCall : public testing::TestWithParam<Case> {};

TEST_P(OddCall, GivesAStatusAndLeavesThePosition) {
  const Case& c = GetParam();
  const std::shared_ptr<const Ruleset> odd = OpenOdd(c.kind);
  Position position = std::string(c.kind) == "result_no_winner" ? Over() : Middle();
  const Position before = position;
  const absl::Status status = c.call(*odd, position);
  EXPECT_EQ(ReasonOf(status), c.reason) << status;
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr(c.message));
  EXPECT_EQ(position, before);
}

INSTANTIATE_TEST_SUITE_P(All, OddCall, testing::ValuesIn(kCases), [](const auto& test) {
  return std::string(test.param.kind) + "_" + std::to_string(test.index);
});

TEST(OddCall, TheGoodOnePassesEveryCallOfTheTable) {
  const std::shared_ptr<const Ruleset> good = OpenOdd("good");
  for (const Case& c : kCases) {
    if (c.call == ReadPositionCall) continue;  // it is given a text that cannot be read
    Position position = Middle();
    const absl::Status status = c.call(*good, position);
    EXPECT_TRUE(status.ok()) << c.kind << ": " << status;
  }
}

TEST(OddCall, FaultsAreCounted) {
  const auto odd = OpenOdd("actor_throws");
  const uint64_t before = odd->faults();
  Position position = Middle();
  EXPECT_FALSE(odd->Apply(position, 0, 3).ok());
  EXPECT_GT(odd->faults(), before);
}

TEST(OddCall, AnEstimateOutOfBoundsIsCut) {
  EXPECT_EQ(OpenOdd("evaluate_huge")->Evaluate(Middle(), 0), 1000);
}

TEST(OddCall, AnActorThatThrowsReadsAsBroken) {
  EXPECT_EQ(OpenOdd("actor_throws")->Actor(Middle()), kBroken);
}

TEST(OddCall, UnterminatedErrorsAreCutAtTheirFields) {
  Position position = Middle();
  const absl::Status status = OpenOdd("error_unterminated")->Apply(position, 0, 3);
  EXPECT_EQ(status.message(), std::string(252, 'a'));
  EXPECT_EQ(FieldOf(status), std::string(64, 'b'));
}

}  // namespace
}  // namespace astragal::host
