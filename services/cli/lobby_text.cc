#include "services/cli/lobby_text.h"

#include <array>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/cli/match_text.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

constexpr std::array kClocks = {
    std::pair{v1::CLOCK_KIND_DELAY, "delay"},
    std::pair{v1::CLOCK_KIND_BRONSTEIN, "bronstein"},
    std::pair{v1::CLOCK_KIND_FISCHER, "fischer"},
    std::pair{v1::CLOCK_KIND_PER_TURN, "turn"},
};
constexpr std::array kStates = {
    std::pair{v1::PROPOSAL_STATE_OPEN, "open"},
    std::pair{v1::PROPOSAL_STATE_TAKEN, "taken"},
    std::pair{v1::PROPOSAL_STATE_WITHDRAWN, "withdrawn"},
    std::pair{v1::PROPOSAL_STATE_DECLINED, "declined"},
    std::pair{v1::PROPOSAL_STATE_EXPIRED, "expired"},
};

template <typename Words, typename Value>
std::string_view WordOf(const Words& words, Value value) {
  for (const auto& [number, word] : words) {
    if (number == value) return word;
  }
  return "unknown";
}

// In the largest unit that says it exactly.
std::string DurationText(int64_t ms) {
  constexpr std::pair<int64_t, const char*> kUnits[] = {
      {86'400'000, "d"}, {3'600'000, "h"}, {60'000, "m"}, {1'000, "s"}};
  for (const auto& [unit, name] : kUnits) {
    if (ms > 0 && ms % unit == 0) return absl::StrCat(ms / unit, name);
  }
  return absl::StrCat(ms, "ms");
}

}  // namespace

std::string ClockText(const v1::ClockPolicy& clock) {
  std::string text = absl::StrCat(std::string(WordOf(kClocks, clock.kind())), ":");
  if (clock.kind() == v1::CLOCK_KIND_PER_TURN) return text + DurationText(clock.increment_ms());
  text += DurationText(clock.reserve_ms());
  if (clock.increment_ms() > 0) text += "+" + DurationText(clock.increment_ms());
  return text;
}

std::string TermsText(const v1::ProposalTerms& terms) {
  std::vector<std::string> parts;
  if (!terms.preset().empty() && terms.preset() != "standard") parts.push_back(terms.preset());
  const std::map<std::string, std::string> options(terms.options().begin(), terms.options().end());
  for (const auto& [name, value] : options) parts.push_back(absl::StrCat(name, "=", value));
  if (terms.has_clock_policy()) parts.push_back(ClockText(terms.clock_policy()));
  if (terms.has_match()) parts.push_back(MatchTermsText(terms.match()));
  if (terms.has_seat()) parts.push_back(absl::StrCat("in seat ", terms.seat()));
  if (terms.rated()) parts.emplace_back("rated");
  if (terms.invite_contributions()) parts.emplace_back("contributions to the dice");
  if (terms.min_completion_percent() > 0) {
    parts.push_back(absl::StrCat("completes ", terms.min_completion_percent(), "%"));
  }
  if (terms.visibility() == v1::GAME_VISIBILITY_UNLISTED) parts.emplace_back("unlisted");
  if (terms.visibility() == v1::GAME_VISIBILITY_PRIVATE) parts.emplace_back("private");
  return parts.empty() ? "-" : Join(parts, ", ");
}

std::string_view ProposalStateWord(v1::ProposalState state) { return WordOf(kStates, state); }

std::vector<std::string> ProposalHeading() {
  return {"PROPOSAL", "FROM", "TO", "RULESET", "TERMS", "ENDS (UTC)"};
}

std::vector<std::string> ProposalRow(const v1::Proposal& proposal) {
  std::string to = proposal.opponent_name();
  if (proposal.kind() == v1::PROPOSAL_KIND_SEEK) to = "anybody";
  if (proposal.kind() == v1::PROPOSAL_KIND_TICKET) to = "the queue";
  return {
      proposal.proposal_id(),        proposal.player_name(),      std::move(to),
      proposal.terms().ruleset_id(), TermsText(proposal.terms()), TimeText(proposal.expire_time())};
}

std::string ProposalText(const v1::Proposal& proposal) {
  const std::vector<std::string> row = ProposalRow(proposal);
  return absl::StrCat(row[0], "  ", row[1], " to ", row[2], ": ", row[3],
                      row[4] == "-" ? "" : ", " + row[4]);
}

}  // namespace astragal::cli
