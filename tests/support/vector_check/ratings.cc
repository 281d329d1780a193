// Reference data of ratings: one JSON document with groups of cases. A group is recognised by its
// name, and where that is unknown each case by the fields it has.
//
// Tolerances come from the file ("suggested_tolerance"). Sequences are compared with what the
// formulas say, without the rounding that stored ratings have.
#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <string>
#include <vector>

#include "services/algorithms/fibs.h"
#include "services/algorithms/glicko2.h"
#include "services/algorithms/weng_lin.h"
#include "tests/support/vector_check/numbers.h"
#include "tests/support/vector_check/rating_sequences.h"
#include "tests/support/vector_check/subcommands.h"

namespace astragal::vector_check {
namespace {

using nlohmann::json;

// ---- Glicko-2

Glicko ReadGlicko(const json& in) {
  return {Number(in.at("rating")), Number(in.at("rd")), Number(in, "volatility", 0.06)};
}

void CheckSteps(const json& expected, const algorithms::GlickoSteps& steps, Comparison& compare) {
  const std::pair<const char*, double> singles[] = {
      {"mu", steps.mu},          {"phi", steps.phi},           {"v", steps.v},
      {"delta", steps.delta},    {"phi_star", steps.phi_star}, {"phi_new", steps.phi_after},
      {"mu_new", steps.mu_after}};
  // What depends on the volatility is as exact as ratings are, on the paper's scale.
  const double tolerance = std::max(compare.tolerances().mu_sigma,
                                    compare.tolerances().rating / algorithms::kGlickoScale);
  for (const auto& [name, value] : singles) {
    if (!expected.contains(name)) continue;
    compare.Near(std::string("intermediate ") + name, Number(expected.at(name)), value,
                 tolerance * std::max(1.0, std::abs(value)));
  }
  const std::pair<const char*, const std::vector<double>*> lists[] = {{"g", &steps.g},
                                                                      {"E", &steps.e}};
  for (const auto& [name, values] : lists) {
    if (!expected.contains(name)) continue;
    compare.NearAll(std::string("intermediate ") + name, expected.at(name), *values, tolerance);
  }
}

void CheckGlickoBatch(const json& in, const json&, Comparison& compare) {
  std::vector<algorithms::GlickoGame> games;
  for (const json& game : in.at("games")) {
    games.push_back({Number(game.at("opp_rating")), Number(game.at("opp_rd")),
                     Number(game.at("score")), Number(game, "information_scale", 1),
                     Number(game, "advantage", 0)});
  }
  algorithms::GlickoSteps steps;
  const Glicko after =
      algorithms::UpdateGlicko(ReadGlicko(in.at("player")), games, Number(in, "tau", 0.5),
                               Number(in, "elapsed_periods", 1), &steps);
  compare.Rating("", in.at("expected"), after);
  if (in.contains("intermediate")) CheckSteps(in.at("intermediate"), steps, compare);
}

// A list of rating, deviation and volatility as somebody printed them.
void CheckPrinted(const json& in, const char* who, const Glicko& after, Comparison& compare) {
  if (!in.contains("published_rounded") || !in.at("published_rounded").contains(who)) return;
  const json& printed = in.at("published_rounded").at(who);
  const double values[] = {after.rating, after.deviation, after.volatility};
  const char* names[] = {"rating", "rd", "volatility"};
  for (size_t i = 0; i < printed.size() && i < 3; ++i) {
    compare.Near(std::string("published ") + who + ' ' + names[i], Number(printed[i]), values[i],
                 HalfLastDigit(printed[i]));
  }
}

// Two players, named as in the case, the first one with this score and advantage.
void CheckPair(const json& in, const std::array<const char*, 2>& names, double score,
               double advantage, Comparison& compare) {
  const Glicko players[] = {ReadGlicko(in.at(names[0])), ReadGlicko(in.at(names[1]))};
  const double information = Number(in, "information_scale", 1);
  for (const int i : {0, 1}) {
    const Glicko& other = players[1 - i];
    const algorithms::GlickoGame game{other.rating, other.deviation, i == 0 ? score : 1 - score,
                                      information, i == 0 ? advantage : -advantage};
    const Glicko after = algorithms::UpdateGlicko(players[i], {&game, 1}, Number(in, "tau", 0.5),
                                                  Number(in, "elapsed_periods", 0));
    compare.Rating(names[i], in.at(std::string("expected_") + names[i]), after);
    CheckPrinted(in, names[i], after, compare);
  }
}

void CheckGlickoGame(const json& in, const json&, Comparison& compare) {
  CheckPair(in, {"first", "second"}, Number(in.at("score_first")),
            Number(in, "first_player_advantage", 0), compare);
}

void CheckGlickoMatch(const json& in, const json&, Comparison& compare) {
  CheckPair(in, {"winner", "loser"}, Number(in, "score_winner", 1), 0, compare);
}

void CheckExpectedScore(const json& in, const json&, Comparison& compare) {
  const Glicko first{Number(in.at("r1")), Number(in.at("rd1")), 0.06};
  const Glicko second{Number(in.at("r2")), Number(in.at("rd2")), 0.06};
  const double information = Number(in, "information_scale", 1);
  const double score = algorithms::ExpectedGlickoScore(first, second, information);
  compare.Near("expected_score_1", Number(in.at("expected_score_1")), score,
               compare.tolerances().mu_sigma);
  if (in.contains("expected_score_2")) {
    compare.Near("expected_score_2", Number(in.at("expected_score_2")), 1 - score,
                 compare.tolerances().mu_sigma);
  }
}

// ---- Weng-Lin

std::vector<WengLin> ReadSeats(const json& in) {
  std::vector<WengLin> seats;
  for (const json& player : in.at("players")) {
    seats.push_back({Number(player.at("mu")), Number(player.at("sigma"))});
  }
  return seats;
}

// Of the case, else of the group's "defaults".
double Constant(const json& in, const json& group, const char* name, double otherwise) {
  if (group.is_object() && group.contains("defaults")) {
    otherwise = Number(group.at("defaults"), name, otherwise);
  }
  return Number(in, name, otherwise);
}

template <typename Update>
void CheckTable(const json& in, const json& group, Update update, Comparison& compare) {
  const algorithms::WengLinConstants constants{Constant(in, group, "beta", 25.0 / 6),
                                               Constant(in, group, "tau", 0),
                                               Constant(in, group, "kappa", 0.0001)};
  const std::vector<WengLin> before = ReadSeats(in);
  const auto places = in.at("ranks").get<std::vector<int>>();
  const json& expected = in.at("expected");
  if (places.size() != before.size() || expected.size() != before.size() || before.empty()) {
    return compare.Differ("has not one rank and one expectation for each player");
  }
  const std::vector<WengLin> after = update(before, places, constants);
  for (size_t i = 0; i < after.size(); ++i) {
    compare.Skill("player " + std::to_string(i + 1), expected[i], after[i]);
  }
}

void CheckPlackettLuce(const json& in, const json& group, Comparison& compare) {
  CheckTable(in, group, algorithms::UpdatePlackettLuce, compare);
}

void CheckBradleyTerry(const json& in, const json& group, Comparison& compare) {
  CheckTable(in, group, algorithms::UpdateBradleyTerry, compare);
}

void CheckFirstPlace(const json& in, const json& group, Comparison& compare) {
  std::vector<WengLin> seats;
  const json& sigma = in.at("sigma");
  for (const json& mu : in.at("mu")) {
    seats.push_back({Number(mu), Number(sigma.is_array() ? sigma.at(seats.size()) : sigma)});
  }
  if (seats.empty()) return compare.Differ("has no player");
  compare.NearAll("first_place_probability", in.at("first_place_probability"),
                  algorithms::FirstPlaceChances(seats, Constant(in, group, "beta", 25.0 / 6)),
                  compare.tolerances().mu_sigma);
}

// ---- FIBS

void CheckFibsColumn(const json& in, const char* name, algorithms::FibsExperience experience,
                     Comparison& compare) {
  if (!in.contains(name)) return;
  const algorithms::Fibs players[] = {{Number(in.at("rating1")), Number(in.at("experience1"))},
                                      {Number(in.at("rating2")), Number(in.at("experience2"))}};
  const int winner = in.at("winner").get<int>() - 1;
  if (winner != 0 && winner != 1) return compare.Differ("winner is neither 1 nor 2");
  const algorithms::FibsChange change = algorithms::UpdateFibs(
      players[winner], players[1 - winner], Number(in.at("match_length")), experience);
  const auto of = [&](int player, double winners, double losers) {
    return player == winner ? winners : losers;
  };
  const json& expected = in.at(name);
  const auto near = [&](const std::string& field, double value) {
    if (!expected.contains(field)) return;
    compare.Near(std::string(name) + ' ' + field, Number(expected.at(field)), value,
                 compare.tolerances().fibs);
  };
  near("p_upset", change.upset_chance);
  near("P", change.surprise);
  for (const int player : {0, 1}) {
    const std::string number = std::to_string(player + 1);
    near("K" + number, of(player, change.winner_factor, change.loser_factor));
    near("change" + number, of(player, change.winner_change, change.loser_change));
    near("rating" + number, of(player, change.winner.rating, change.loser.rating));
    near("experience" + number, of(player, change.winner.experience, change.loser.experience));
  }
}

void CheckFibs(const json& in, const json&, Comparison& compare) {
  CheckFibsColumn(in, "expected_K_experience_before", algorithms::FibsExperience::kBefore, compare);
  CheckFibsColumn(in, "expected_K_experience_after", algorithms::FibsExperience::kAfter, compare);
  CheckFibsColumn(in, "expected", algorithms::FibsExperience::kAfter, compare);
}

constexpr double kOldHand = 10'000;  // an experience that makes K 1

// Rows of a printed table: the favourite's chance by rating difference, a column a match length.
void CheckBattingAverages(const json& in, Comparison& compare) {
  const json& lengths = in.at("columns");
  for (const auto& [gap, row] : in.at("rows").items()) {
    for (size_t i = 0; i < row.size(); ++i) {
      const double chance = 1 - algorithms::FibsUpsetChance(std::stod(gap), Number(lengths.at(i)));
      compare.Near(gap + " points, match to " + lengths[i].dump(), Number(row[i]), chance, 0.00051);
    }
  }
}

// Rows of a printed table: by how much the opponent is better, then match length, then what a win
// gives and a loss costs. One entry of the known table is rounded the wrong way there.
void CheckChangeTable(const json& in, Comparison& compare) {
  for (const auto& [gap, row] : in.at("rows").items()) {
    for (const auto& [length, printed] : row.items()) {
      const algorithms::Fibs own{1500, kOldHand};
      const algorithms::Fibs other{1500 + std::stod(gap), kOldHand};
      const double n = std::stod(length);
      const double win = algorithms::UpdateFibs(own, other, n).winner_change;
      const double loss = algorithms::UpdateFibs(other, own, n).loser_change;
      const std::string where = gap + " points, match to " + length;
      compare.Near(where + ", win", Number(printed.at(0)), win, 0.051);
      const bool misprint = gap == "500" && length == "5";
      compare.Near(where + ", loss", Number(printed.at(1)), loss, misprint ? 0.07 : 0.051);
    }
  }
}

void CheckFibsPrinted(const json& in, const json&, Comparison& compare) {
  if (in.contains("columns")) return CheckBattingAverages(in, compare);
  if (in.contains("rows")) return CheckChangeTable(in, compare);
  if (in.contains("change")) {
    const double change =
        4 * Number(in.at("K")) * std::sqrt(Number(in, "match_length", 1)) * Number(in.at("P"));
    return compare.Near("change", Number(in.at("change")), change,
                        Number(in, "tolerance", compare.tolerances().fibs));
  }
  const double chance = 1 - algorithms::FibsUpsetChance(Number(in.at("d")), Number(in.at("n")));
  compare.Near("value", Number(in.at("value")), chance,
               Number(in, "tolerance", compare.tolerances().fibs));
}

// ---- Which is which

using Check = void (*)(const json& in, const json& group, Comparison& compare);

struct Kind {
  const char* group;                // its name begins so; nullptr: only known by its fields
  std::vector<const char*> fields;  // that tell a case of it; none: its name alone does
  Check check;
};

const std::vector<Kind>& Kinds() {
  static const auto* const kinds = new std::vector<Kind>{
      {"glicko2_batch", {"player", "games"}, CheckGlickoBatch},
      {"glicko2_per_game", {"first", "second", "score_first"}, CheckGlickoGame},
      {"glicko2_match", {"winner", "loser"}, CheckGlickoMatch},
      {"glicko2_expected_score", {"r1", "r2"}, CheckExpectedScore},
      {"fibs", {"rating1", "rating2", "match_length"}, CheckFibs},
      {"weng_lin_bradley_terry", {}, CheckBradleyTerry},
      {"weng_lin_plackett_luce", {"players", "ranks", "expected"}, CheckPlackettLuce},
      {"plackett_luce_first_place", {"mu", "first_place_probability"}, CheckFirstPlace},
      {nullptr, {"what"}, CheckFibsPrinted},
  };
  return *kinds;
}

bool HasFields(const json& in, const Kind& kind) {
  if (kind.fields.empty()) return false;
  return std::ranges::all_of(kind.fields, [&](const char* field) { return in.contains(field); });
}

const Kind* KindOf(const std::string& group, const json& in) {
  if (!in.is_object()) return nullptr;
  if (in.contains("what")) return &Kinds().back();
  for (const Kind& kind : Kinds()) {
    if (kind.group != nullptr && group.starts_with(kind.group)) return &kind;
  }
  for (const Kind& kind : Kinds()) {
    if (HasFields(in, kind)) return &kind;
  }
  return nullptr;
}

std::string NameOf(const std::string& group, const json& in, size_t index) {
  for (const char* field : {"id", "what"}) {
    if (in.is_object() && in.contains(field) && in.at(field).is_string()) {
      return group + ' ' + in.at(field).get<std::string>();
    }
  }
  return group + " #" + std::to_string(index + 1);
}

class Document {
 public:
  Document(const json& all, Report& report) : report_(report) {
    if (all.contains("suggested_tolerance")) tolerances_.Read(all.at("suggested_tolerance"));
  }

  void CheckGroup(const std::string& name, const json& group) {
    if (group.is_array()) return CheckCases(name, group, group);
    if (!group.is_object()) return Unknown(name);
    if (IsSequence(group)) return CheckSequence(name, group, tolerances_, report_);
    bool any = false;
    for (const char* field : {"cases", "published_checks", "vectors"}) {
      if (!group.contains(field) || !group.at(field).is_array()) continue;
      CheckCases(name, group.at(field), group);
      any = true;
    }
    if (!any) Unknown(name);
  }

  void CheckConstants(const json& constants) {
    if (!constants.is_object() || !constants.contains("glicko_scale")) return;
    report_.Begin("constants");
    Comparison(tolerances_, report_)
        .Near("glicko_scale", Number(constants.at("glicko_scale")), algorithms::kGlickoScale, 0);
  }

 private:
  void Unknown(const std::string& name) {
    report_.Begin(name);
    report_.Differ("is no kind of vector that is known here");
  }

  void CheckCases(const std::string& name, const json& cases, const json& group) {
    for (size_t i = 0; i < cases.size(); ++i) {
      const json& in = cases[i];
      if (in.is_object() && IsSequence(in)) {
        CheckSequence(NameOf(name, in, i), in, tolerances_, report_);
        continue;
      }
      report_.Begin(NameOf(name, in, i));
      const Kind* kind = KindOf(name, in);
      if (kind == nullptr) {
        report_.Differ("is no kind of vector that is known here");
        continue;
      }
      Comparison compare(tolerances_, report_);
      try {
        kind->check(in, group, compare);
      } catch (const std::exception& error) {
        report_.Differ(error.what());
      }
      if (compare.compared() == 0) report_.Differ("has nothing to compare");
    }
  }

  Tolerances tolerances_;
  Report& report_;
};

}  // namespace

void CheckRatings(const Context&, std::istream& file, Report& report) {
  const json all = json::parse(file);
  if (all.is_array()) {
    Document document(json::object(), report);
    return document.CheckGroup("case", all);
  }
  Document document(all, report);
  for (const auto& [name, group] : all.items()) {
    if (name == "suggested_tolerance" || name == "reference_only") continue;
    // "about", a version, a source: what is no group says nothing to compare.
    if (group.is_primitive()) continue;
    if (name == "constants") {
      document.CheckConstants(group);
    } else {
      document.CheckGroup(name, group);
    }
  }
}

}  // namespace astragal::vector_check
