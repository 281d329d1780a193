#include "services/cli/match_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "services/cli/errors.h"

namespace astragal::cli {
namespace {

constexpr int kLongest = 999;

constexpr std::array kKinds = {
    std::pair{std::string_view("points"), v1::MATCH_KIND_POINTS},
    std::pair{std::string_view("best"), v1::MATCH_KIND_BEST_OF},
    std::pair{std::string_view("games"), v1::MATCH_KIND_GAMES},
};
constexpr std::array kFirstMovers = {
    std::pair{std::string_view("rules"), v1::MATCH_FIRST_MOVER_RULES},
    std::pair{std::string_view("winner"), v1::MATCH_FIRST_MOVER_WINNER},
    std::pair{std::string_view("loser"), v1::MATCH_FIRST_MOVER_LOSER},
    std::pair{std::string_view("alternate"), v1::MATCH_FIRST_MOVER_ALTERNATE},
};

// The value of this word; nullopt: it is none of them.
template <typename Table>
auto ValueOf(const Table& table, std::string_view word)
    -> std::optional<decltype(table.front().second)> {
  const auto found = std::ranges::find(table, word, [](const auto& each) { return each.first; });
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

CLI::Option* AddMatchOptions(CLI::App& app, MatchOptions& options) {
  CLI::Option* const match =
      app.add_option("--match", options.match, "A match: points:N, best:N or games:N");
  std::vector<std::string> words;
  for (const auto& each : kFirstMovers) words.emplace_back(each.first);
  app.add_option("--first", options.first,
                 "Who begins the next game of the match (default: the match rules of the game)")
      ->check(CLI::IsMember(words))
      ->needs(match);
  app.add_flag("--match-clock", options.match_clock, "Reserves go on from game to game")
      ->needs(match);
  app.add_flag("--timeout-loses", options.timeout_loses, "Out of time loses the match")
      ->needs(match);
  return match;
}

absl::Status ReadMatch(const MatchOptions& options, v1::MatchTerms& match) {
  const std::string_view typed = options.match;
  const size_t colon = std::min(typed.find(':'), typed.size());
  const auto kind = ValueOf(kKinds, typed.substr(0, colon));
  int length = 0;
  const std::string number(typed.substr(std::min(colon + 1, typed.size())));
  if (!kind || !absl::SimpleAtoi(number, &length) || length < 1 || length > kLongest) {
    return UsageError("A match is points:N, best:N or games:N, for example points:7.");
  }
  match.set_kind(*kind);
  match.set_length(length);
  if (const auto first = ValueOf(kFirstMovers, options.first)) match.set_first_mover(*first);
  match.set_match_clock(options.match_clock);
  match.set_timeout_loses(options.timeout_loses);
  return absl::OkStatus();
}

}  // namespace astragal::cli
