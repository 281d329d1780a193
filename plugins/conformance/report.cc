#include "plugins/conformance/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace astragal::conformance {
namespace {

using nlohmann::json;

absl::string_view StateWord(State state) {
  constexpr absl::string_view kWords[] = {"not_checked", "not_applicable", "kept", "broken"};
  return kWords[static_cast<int>(state)];
}

json FindingsJson(const Outcome& outcome) {
  json list = json::array();
  for (const Finding& finding : outcome.findings) {
    list.push_back(
        {{"where", finding.where}, {"position", finding.position}, {"what", finding.what}});
  }
  return list;
}

// A plugin's text may be anything; a report is UTF-8.
std::string Dump(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

void AddFindings(const Outcome& outcome, std::string& text) {
  for (const Finding& finding : outcome.findings) {
    absl::StrAppend(&text, "        ", finding.what, "\n");
    if (!finding.where.empty()) absl::StrAppend(&text, "          in ", finding.where, "\n");
    if (!finding.position.empty()) absl::StrAppend(&text, "          at ", finding.position, "\n");
  }
  const uint64_t more = outcome.failures - outcome.findings.size();
  if (more > 0) absl::StrAppend(&text, "        and ", more, " more\n");
}

}  // namespace

void Report::Fail(Duty duty, Finding finding) {
  Outcome& outcome = At(duty);
  ++outcome.failures;
  if (outcome.findings.size() < kMaxFindings) outcome.findings.push_back(std::move(finding));
}

bool Report::NoneBroken() const {
  return std::none_of(outcomes_.begin(), outcomes_.end(),
                      [](const Outcome& outcome) { return outcome.state() == State::kBroken; });
}

bool Report::AllKept() const {
  for (const Outcome& outcome : outcomes_) {
    if (outcome.state() == State::kBroken || outcome.state() == State::kNotChecked) return false;
  }
  return true;
}

void Report::Merge(const Report& other) {
  for (size_t i = 0; i < outcomes_.size(); ++i) {
    const Outcome& theirs = other.outcomes_[i];
    Outcome& ours = outcomes_[i];
    ours.checks += theirs.checks;
    ours.failures += theirs.failures;
    ours.not_applicable |= theirs.not_applicable;
    for (const Finding& finding : theirs.findings) {
      if (ours.findings.size() < kMaxFindings) ours.findings.push_back(finding);
    }
  }
}

std::string Report::ToLine() const {
  json line = json::array();
  for (const Outcome& outcome : outcomes_) {
    line.push_back(
        {outcome.checks, outcome.failures, outcome.not_applicable, FindingsJson(outcome)});
  }
  return Dump(line, -1);
}

bool Report::MergeLine(const std::string& line) {
  const json read = json::parse(line, nullptr, false);
  if (!read.is_array() || read.size() != outcomes_.size()) return false;
  Report other;
  for (size_t i = 0; i < outcomes_.size(); ++i) {
    const json& entry = read[i];
    if (!entry.is_array() || entry.size() != 4) return false;
    Outcome& outcome = other.outcomes_[i];
    outcome.checks = entry[0].get<uint64_t>();
    outcome.failures = entry[1].get<uint64_t>();
    outcome.not_applicable = entry[2].get<bool>();
    for (const json& finding : entry[3]) {
      outcome.findings.push_back(
          {finding.value("where", ""), finding.value("position", ""), finding.value("what", "")});
    }
  }
  Merge(other);
  return true;
}

std::string Report::ToText(const Title& title) const {
  std::string text = absl::StrCat(title.plugin, "\n");
  if (!title.ruleset.empty()) {
    absl::StrAppend(&text, title.ruleset, " rules ", title.rules_version, ", build ",
                    title.sha256.substr(0, 12), "; presets ", absl::StrJoin(title.presets, ", "),
                    "; ", title.games, " games of each, seed ", title.seed, "\n");
  }
  absl::StrAppend(&text, "\n");
  int kept = 0;
  int broken = 0;
  for (const Obligation& obligation : Obligations()) {
    const Outcome& outcome = Of(obligation.duty);
    const State state = outcome.state();
    kept += state == State::kKept || state == State::kNotApplicable ? 1 : 0;
    broken += state == State::kBroken ? 1 : 0;
    constexpr const char* kMarks[] = {"  ?   ", "  -   ", "  ok  ", "BROKEN"};
    absl::StrAppendFormat(&text, "%s %2d %-18s %s\n", kMarks[static_cast<int>(state)],
                          static_cast<int>(obligation.duty), std::string(obligation.word),
                          std::string(obligation.text));
    AddFindings(outcome, text);
  }
  absl::StrAppendFormat(&text, "\n%d of %d obligations kept, %d broken, %d not checked; %.1f s\n",
                        kept, kDutyCount, broken, kDutyCount - kept - broken, title.seconds);
  return text;
}

std::string Report::ToJson(const Title& title) const {
  json obligations = json::array();
  for (const Obligation& obligation : Obligations()) {
    const Outcome& outcome = Of(obligation.duty);
    obligations.push_back({{"number", static_cast<int>(obligation.duty)},
                           {"word", std::string(obligation.word)},
                           {"text", std::string(obligation.text)},
                           {"state", std::string(StateWord(outcome.state()))},
                           {"checks", outcome.checks},
                           {"failures", outcome.failures},
                           {"findings", FindingsJson(outcome)}});
  }
  const json report = {{"plugin", title.plugin},
                       {"ruleset", title.ruleset},
                       {"rules_version", title.rules_version},
                       {"build", title.sha256},
                       {"presets", title.presets},
                       {"games", title.games},
                       {"seed", title.seed},
                       {"seconds", title.seconds},
                       {"ok", AllKept()},
                       {"obligations", obligations}};
  return Dump(report, 2) + "\n";
}

}  // namespace astragal::conformance
