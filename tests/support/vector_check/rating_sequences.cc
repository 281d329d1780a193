#include "tests/support/vector_check/rating_sequences.h"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <regex>
#include <stdexcept>
#include <vector>

namespace astragal::vector_check {
namespace {

using nlohmann::json;

struct Player {
  Glicko glicko;
  WengLin skill;
  int games = 0;
  double last_day = 0;
};

struct SeatStep {
  std::string player;
  Player before;  // aged
  Player after;
};

struct Step {
  json game;
  std::vector<SeatStep> seats;
};

struct History {
  std::vector<Step> steps;
  std::map<std::string, Player> players;
};

bool IsOfTables(const json& game) { return game.contains("players"); }

// ---- The fold

class Fold {
 public:
  explicit Fold(const json& profile) : profile_(profile) {}

  History Run(const json& games) {
    History history;
    for (const json& game : games) {
      history.steps.push_back(IsOfTables(game) ? Table(game, history.players)
                                               : Pair(game, history.players));
    }
    return history;
  }

 private:
  double Of(const char* name, double otherwise) const { return Number(profile_, name, otherwise); }

  Player& Find(const std::string& name, std::map<std::string, Player>& players) const {
    Player fresh;
    fresh.glicko = {Of("initial_rating", 1500), Of("initial_rd", 150),
                    Of("initial_volatility", 0.04)};
    fresh.skill = {Of("mu0", Of("initial_mu", 25)), Of("sigma0", Of("initial_sigma", 2.5))};
    return players.emplace(name, fresh).first->second;
  }

  Player Aged(Player player, double day) const {
    const double days = player.games == 0 ? 0 : std::max(0.0, day - player.last_day);
    const double grown =
        algorithms::AgedDeviation(player.glicko.deviation, player.glicko.volatility,
                                  days * Of("periods_per_day", 0.425558995234292));
    // A profile that does not name its bounds has none that its start breaks.
    const double most = Of("max_rd", std::max(150.0, Of("initial_rd", 150)));
    const double least = Of("min_rd", std::min(40.0, Of("initial_rd", 150)));
    player.glicko.deviation = std::clamp(grown, least, std::max(least, most));
    return player;
  }

  // As the game says it, or by the length of its match.
  double InformationOf(const json& game) const {
    const double longer = std::max(0.0, Number(game, "match_length", 1) - 1);
    return Number(game, "information_scale", 1 + Of("length_information", 1) * longer / 2);
  }

  Step Pair(const json& game, std::map<std::string, Player>& players) const {
    const double day = Number(game, "day", 0);
    const std::string names[] = {game.at("first"), game.at("second")};
    const Player before[] = {Aged(Find(names[0], players), day),
                             Aged(Find(names[1], players), day)};
    const double score = Number(game.at("score_first"));
    const double advantage = Number(game, "first_player_advantage", 0);
    Step step{game, {}};
    for (const int i : {0, 1}) {
      const Glicko& other = before[1 - i].glicko;
      const algorithms::GlickoGame seen{other.rating, other.deviation, i == 0 ? score : 1 - score,
                                        InformationOf(game), i == 0 ? advantage : -advantage};
      Player after = before[i];
      after.glicko = algorithms::UpdateGlicko(before[i].glicko, {&seen, 1}, Of("tau", 0.3), 0);
      const double start = Of("initial_volatility", 0.04);
      after.glicko.volatility =
          std::clamp(after.glicko.volatility, Of("min_volatility", std::min(0.01, start)),
                     Of("max_volatility", std::max(0.08, start)));
      ++after.games;
      after.last_day = day;
      step.seats.push_back({names[i], before[i], after});
    }
    for (const SeatStep& seat : step.seats) players[seat.player] = seat.after;
    return step;
  }

  Step Table(const json& game, std::map<std::string, Player>& players) const {
    const auto names = game.at("players").get<std::vector<std::string>>();
    const auto places = game.at("ranks").get<std::vector<int>>();
    if (names.size() != places.size() || names.empty()) {
      throw std::runtime_error("a game has not one rank for each player");
    }
    std::vector<WengLin> skills;
    Step step{game, {}};
    for (const std::string& name : names) {
      step.seats.push_back({name, Find(name, players), {}});
      skills.push_back(step.seats.back().before.skill);
    }
    skills = algorithms::UpdatePlackettLuce(
        skills, places, {Of("beta", 25.0 / 6), Of("tau", 25.0 / 600), Of("kappa", 0.0001)});
    for (size_t i = 0; i < names.size(); ++i) {
      SeatStep& seat = step.seats[i];
      seat.after = seat.before;
      seat.after.skill = skills[i];
      ++seat.after.games;
      seat.after.last_day = Number(game, "day", 0);
      players[seat.player] = seat.after;
    }
    return step;
  }

  const json& profile_;
};

// ---- Changes

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    std::string part = text.substr(at, end - at);
    part.erase(0, part.find_first_not_of(" \t"));
    part.erase(part.find_last_not_of(" \t") + 1);
    parts.push_back(part);
    at = end + 1;
  }
  return parts;
}

std::string IdOf(const json& id) { return id.is_string() ? id.get<std::string>() : id.dump(); }

size_t IndexOf(const json& games, const std::string& id) {
  for (size_t i = 0; i < games.size(); ++i) {
    if (IdOf(games[i].at("id")) == id) return i;
  }
  throw std::runtime_error("there is no game " + id);
}

void ChangeRanks(json& game, const std::vector<std::string>& names,
                 const std::vector<std::string>& ranks) {
  if (names.size() != ranks.size()) throw std::runtime_error("not one rank for each player");
  for (size_t i = 0; i < names.size(); ++i) {
    bool found = false;
    for (size_t seat = 0; seat < game.at("players").size(); ++seat) {
      if (game["players"][seat] != names[i]) continue;
      game["ranks"][seat] = std::stoi(ranks[i]);
      found = true;
    }
    if (!found) throw std::runtime_error(names[i] + " does not sit in the game");
  }
}

// What a sentence asks for.
void ChangeByWords(json& games, const std::string& words) {
  std::smatch match;
  static const std::regex kRemoved(R"(^game (\S+?):? (?:is |was )?(?:removed|annulled|void).*)");
  static const std::regex kScore(R"(^game (\S+?): score_first (?:becomes|=) ([0-9.]+).*)");
  static const std::regex kRanks(
      R"(^game (\S+?):.*ranks(?: of ([^=]+?))? (?:=|become|becomes) \[?([0-9, ]+)\]?.*)");
  if (std::regex_match(words, match, kRemoved)) {
    games.erase(IndexOf(games, match[1]));
  } else if (std::regex_match(words, match, kScore)) {
    games[IndexOf(games, match[1])]["score_first"] = std::stod(match[2]);
  } else if (std::regex_match(words, match, kRanks)) {
    json& game = games[IndexOf(games, match[1])];
    const std::vector<std::string> names =
        match[2].matched ? Split(match[2], ',') : game["players"].get<std::vector<std::string>>();
    ChangeRanks(game, names, Split(match[3], ','));
  } else {
    throw std::runtime_error("'" + words + "' is no change that is understood here");
  }
}

void ChangeByFields(json& games, const json& change) {
  const size_t index =
      IndexOf(games, IdOf(change.contains("game") ? change["game"] : change["id"]));
  if (change.value("removed", false) || change.value("annulled", false)) {
    games.erase(index);
    return;
  }
  for (const char* field : {"score_first", "players", "ranks", "day", "information_scale"}) {
    if (change.contains(field)) games[index][field] = change[field];
  }
}

json Changed(json games, const json& part) {
  const json& change = part.at("change");
  if (change.is_string()) {
    for (const std::string& words : Split(change, ';')) ChangeByWords(games, words);
  } else if (change.is_array()) {
    for (const json& one : change) {
      one.is_string() ? ChangeByWords(games, one) : ChangeByFields(games, one);
    }
  } else {
    ChangeByFields(games, change);
  }
  return games;
}

// ---- Comparing

void ComparePlayer(const std::string& who, const json& expected, const Player& actual,
                   Comparison& compare) {
  compare.Rating(who, expected, actual.glicko);
  compare.Skill(who, expected, actual.skill);
  if (expected.contains("games")) {
    compare.Near(who + " games", Number(expected["games"]), actual.games, 0);
  }
  if (expected.contains("last_day")) {
    compare.Near(who + " last_day", Number(expected["last_day"]), actual.last_day, 1e-9);
  }
}

void CompareStep(const json& expected, const Step& step, Comparison& compare) {
  if (IsOfTables(step.game)) {
    for (const auto& [field, after] : {std::pair("before", false), std::pair("after", true)}) {
      if (!expected.contains(field)) continue;
      const json& seats = expected.at(field);
      if (seats.size() != step.seats.size()) return compare.Differ("other seats");
      for (size_t i = 0; i < seats.size(); ++i) {
        const SeatStep& seat = step.seats[i];
        ComparePlayer(seat.player + ' ' + field, seats[i], after ? seat.after : seat.before,
                      compare);
      }
    }
    return;
  }
  const char* names[] = {"first", "second"};
  for (size_t i = 0; i < 2; ++i) {
    for (const auto& [suffix, after] : {std::pair("_before", false), std::pair("_after", true)}) {
      const std::string field = std::string(names[i]) + suffix;
      if (!expected.contains(field)) continue;
      const SeatStep& seat = step.seats[i];
      ComparePlayer(field, expected[field], after ? seat.after : seat.before, compare);
    }
  }
}

void CompareFinal(const json& expected, const History& history, Comparison& compare) {
  for (const auto& [name, player] : expected.items()) {
    const auto found = history.players.find(name);
    if (found == history.players.end()) {
      compare.Differ(name + " never played");
    } else {
      ComparePlayer(name, player, found->second, compare);
    }
  }
}

// One record, whatever goes wrong in it.
template <typename Body>
void Record(const std::string& name, const Tolerances& tolerances, Report& report, Body body) {
  report.Begin(name);
  Comparison compare(tolerances, report);
  try {
    body(compare);
  } catch (const std::exception& error) {
    report.Differ(error.what());
  }
  if (compare.compared() == 0) report.Differ("has nothing to compare");
}

void CheckSteps(const std::string& name, const json& steps, const History& history,
                const Tolerances& tolerances, Report& report) {
  for (size_t i = 0; i < steps.size(); ++i) {
    Record(name + " step " + std::to_string(i + 1), tolerances, report, [&](Comparison& compare) {
      size_t index = i;
      if (steps[i].contains("game")) {
        const std::string id = IdOf(steps[i]["game"]);
        index = 0;
        while (index < history.steps.size() && IdOf(history.steps[index].game.at("id")) != id) {
          ++index;
        }
      }
      if (index >= history.steps.size()) return compare.Differ("there is no such game");
      CompareStep(steps[i], history.steps[index], compare);
    });
  }
}

}  // namespace

bool IsSequence(const json& in) {
  if (!in.is_object() || !in.contains("games") || !in["games"].is_array()) return false;
  if (in.contains("player") || in["games"].empty()) return false;
  const json& game = in["games"].front();
  return game.contains("score_first") || (game.contains("players") && game.contains("ranks"));
}

void CheckSequence(const std::string& name, const json& in, const Tolerances& tolerances,
                   Report& report) {
  const json profile = in.contains("profile") ? in["profile"] : json::object();
  Fold fold(profile);
  std::optional<History> history;
  try {
    history = fold.Run(in.at("games"));
  } catch (const std::exception& error) {
    report.Begin(name);
    report.Differ(error.what());
    return;
  }
  if (in.contains("steps")) CheckSteps(name, in["steps"], *history, tolerances, report);
  if (in.contains("final")) {
    Record(name + " final", tolerances, report,
           [&](Comparison& compare) { CompareFinal(in["final"], *history, compare); });
  }
  for (const auto& [part_name, value] : in.items()) {
    const json parts = value.is_array() ? value : json::array({value});
    for (const json& part : parts) {
      if (!part.is_object() || !part.contains("change")) continue;
      Record(name + ' ' + part_name, tolerances, report, [&](Comparison& compare) {
        const History changed = fold.Run(Changed(in.at("games"), part));
        if (part.contains("final")) CompareFinal(part["final"], changed, compare);
        if (!part.contains("steps")) return;
        for (size_t i = 0; i < part["steps"].size() && i < changed.steps.size(); ++i) {
          CompareStep(part["steps"][i], changed.steps[i], compare);
        }
      });
    }
  }
}

}  // namespace astragal::vector_check
