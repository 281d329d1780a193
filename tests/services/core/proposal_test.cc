// The layouts of proposals are for ever: these goldens may never change.
#include "services/core/proposal.h"

#include <gtest/gtest.h>

#include <string>

#include "services/base/status.h"
#include "tests/support/golden.h"

namespace astragal::core {
namespace {

using base::Reason;

base::IdBytes Id(uint8_t from) {
  base::IdBytes bytes{};
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(from + i);
  return bytes;
}

ProposalTerms Plain() {
  ProposalTerms terms;
  terms.ruleset = "long_narde";
  terms.rules_version = 0x01020304;
  return terms;
}

ProposalTerms Everything() {
  ProposalTerms terms = Plain();
  terms.preset = "federation";
  terms.options = {{"first_player", "black"}, {"scoring", "match"}};
  terms.seat = 1;
  terms.visibility = storage::Visibility::kPrivate;
  terms.rated = true;
  terms.clock = {storage::ClockKind::kFischer, 120'000, 8'000, 30'000};
  terms.last_opponent = PlayerId(Id(0x60));
  terms.match =
      MatchTerms{storage::MatchKind::kBestOf, 0x0103, storage::FirstMover::kLoser, true, true};
  return terms;
}

ProposalTerms Inviting() {
  ProposalTerms terms = Plain();
  terms.invite_contributions = true;
  return terms;
}

ProposalTerms Demanding() {
  ProposalTerms terms = Plain();
  terms.least_completion = 90;
  terms.missed = 15;
  return terms;
}

storage::ProposalRecord Record() {
  storage::ProposalRecord record;
  record.id = ProposalId(Id(0x10));
  record.kind = storage::ProposalKind::kChallenge;
  record.state = storage::ProposalState::kTaken;
  record.player = PlayerId(Id(0x30));
  record.opponent = PlayerId(Id(0x40));
  record.terms = EncodeTerms(Plain());
  record.rating = 1'623;
  record.created_at = {1'700'000'000'123'456};
  record.expires_at = {1'700'000'009'123'456};
  record.game = GameId(Id(0x50));
  return record;
}

TEST(ProposalLayout, IsTheGoldenOne) {
  std::string text;
  text += "plain " + base::Hex(EncodeTerms(Plain())) + "\n";
  text += "everything " + base::Hex(EncodeTerms(Everything())) + "\n";
  text += "inviting " + base::Hex(EncodeTerms(Inviting())) + "\n";
  text += "demanding " + base::Hex(EncodeTerms(Demanding())) + "\n";
  text += "answer " + base::Hex(EncodeProposal(Record())) + "\n";
  tests::ExpectGolden(text, "tests/services/core/data/proposal_layout.txt");
}

TEST(ProposalLayout, IsReadBack) {
  EXPECT_EQ(DecodeTerms(EncodeTerms(Plain())).value(), Plain());
  EXPECT_EQ(DecodeTerms(EncodeTerms(Everything())).value(), Everything());
  EXPECT_EQ(DecodeTerms(EncodeTerms(Inviting())).value(), Inviting());
  EXPECT_EQ(DecodeTerms(EncodeTerms(Demanding())).value(), Demanding());
  ProposalTerms both = Demanding();
  both.invite_contributions = true;
  EXPECT_EQ(DecodeTerms(EncodeTerms(both)).value(), both);
  ProposalTerms nobody_said = Everything();
  nobody_said.match->first_mover.reset();
  EXPECT_EQ(DecodeTerms(EncodeTerms(nobody_said)).value(), nobody_said);
  EXPECT_EQ(DecodeProposal(EncodeProposal(Record())).value(), Record());
}

TEST(ProposalLayout, OtherBytesAreRefused) {
  for (const std::string& bytes : {EncodeTerms(Plain()), EncodeTerms(Inviting()),
                                   EncodeTerms(Demanding()), EncodeTerms(Everything())}) {
    for (size_t length = 0; length < bytes.size(); ++length) {
      EXPECT_FALSE(DecodeTerms(bytes.substr(0, length)).ok()) << length;
    }
    EXPECT_FALSE(DecodeTerms(bytes + '\0').ok());
    EXPECT_FALSE(DecodeTerms('\4' + bytes.substr(1)).ok());
  }
  std::string beyond = EncodeTerms(Demanding());
  beyond.back() = 101;
  EXPECT_FALSE(DecodeTerms(beyond).ok());
  const std::string answer = EncodeProposal(Record());
  EXPECT_FALSE(DecodeProposal(answer.substr(1)).ok());
  EXPECT_FALSE(DecodeProposal(answer.substr(0, answer.size() - 1)).ok());
}

TEST(CheckTerms, NamesWhatIsWrong) {
  struct Case {
    const char* field;
    void (*spoil)(ProposalTerms&);
  };
  const Case cases[] = {
      {"terms.ruleset_id", [](ProposalTerms& terms) { terms.ruleset.clear(); }},
      {"terms.ruleset_id", [](ProposalTerms& terms) { terms.ruleset.assign(256, 'x'); }},
      {"terms.preset", [](ProposalTerms& terms) { terms.preset.assign(256, 'x'); }},
      {"terms.options", [](ProposalTerms& terms) { terms.options.resize(65); }},
      {"terms.options",
       [](ProposalTerms& terms) {
         terms.options = {{"x", std::string(256, 'x')}};
       }},
      {"terms.options",
       [](ProposalTerms& terms) {
         terms.options.assign(10, {"x", std::string(250, 'x')});
       }},
      {"terms.seat", [](ProposalTerms& terms) { terms.seat = 2; }},
      {"terms.seat", [](ProposalTerms& terms) { terms.seat = -1; }},
      {"terms.min_completion_percent", [](ProposalTerms& terms) { terms.least_completion = 101; }},
      {"terms.min_completion_percent", [](ProposalTerms& terms) { terms.least_completion = -1; }},
      {"terms.match.length", [](ProposalTerms& terms) { terms.match->length = 0; }},
      {"terms.match.length", [](ProposalTerms& terms) { terms.match->length = 1'000; }},
      {"terms.match.match_clock",
       [](ProposalTerms& terms) {
         terms.clock = {storage::ClockKind::kPerTurn, 0, 60'000, 0};
       }},
      {"terms.match.timeout_loses",
       [](ProposalTerms& terms) {
         terms.clock = {};
         terms.match->match_clock = false;
       }},
  };
  EXPECT_TRUE(CheckTerms(Everything()).ok());
  for (const Case& each : cases) {
    ProposalTerms terms = Everything();
    each.spoil(terms);
    const absl::Status refused = CheckTerms(terms);
    EXPECT_EQ(base::ReasonOf(refused), Reason::kBadField) << each.field;
    EXPECT_EQ(base::DetailsOf(refused)["field"], each.field) << refused;
  }
}

}  // namespace
}  // namespace astragal::core
