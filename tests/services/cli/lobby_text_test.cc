// How clocks and proposals are typed and shown.
#include "services/cli/lobby_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "services/cli/clock_text.h"

namespace astragal::cli {
namespace {

TEST(Clocks, AreShownAsTheyAreTyped) {
  for (const char* typed : {"fischer:5m+3s", "bronstein:6m+12s", "delay:90s", "turn:3d", "turn:20s",
                            "fischer:1h+1500ms"}) {
    EXPECT_EQ(ClockText(ReadClockPolicy(typed).value()), typed);
  }
}

TEST(Proposals, SayWhatIsNotAsUsual) {
  v1::Proposal proposal;
  proposal.set_proposal_id("abc");
  proposal.set_kind(v1::PROPOSAL_KIND_SEEK);
  proposal.set_player_name("alice");
  proposal.mutable_terms()->set_ruleset_id("long_narde");
  proposal.mutable_terms()->set_preset("standard");
  EXPECT_EQ(ProposalText(proposal), "abc  alice to anybody: long_narde");
  v1::ProposalTerms& terms = *proposal.mutable_terms();
  terms.set_preset("federation");
  (*terms.mutable_options())["scoring"] = "match";
  (*terms.mutable_options())["first_player"] = "black";
  *terms.mutable_clock_policy() = ReadClockPolicy("fischer:5m+3s").value();
  terms.mutable_match()->set_kind(v1::MATCH_KIND_POINTS);
  terms.mutable_match()->set_length(7);
  terms.mutable_match()->set_first_mover(v1::MATCH_FIRST_MOVER_WINNER);
  terms.set_seat(0);
  terms.set_rated(true);
  terms.set_visibility(v1::GAME_VISIBILITY_PRIVATE);
  proposal.set_kind(v1::PROPOSAL_KIND_CHALLENGE);
  proposal.set_opponent_name("bob");
  EXPECT_EQ(ProposalText(proposal),
            "abc  alice to bob: long_narde, federation, first_player=black, scoring=match, "
            "fischer:5m+3s, to 7 points, winner begins, in seat 0, rated, private");
  EXPECT_EQ(ProposalRow(proposal).size(), ProposalHeading().size());
  EXPECT_EQ(ProposalStateWord(v1::PROPOSAL_STATE_TAKEN), "taken");
}

}  // namespace
}  // namespace astragal::cli
