// Commands that need no server: draw, selfplay and the laboratory of ratings over the rulesets of
// the build.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "services/cli/errors.h"
#include "tests/services/cli/run_words.h"

namespace astragal::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Ran = tests::RanWords;

constexpr const char* kRulesets[] = {"long_narde", "patolli", "ashtapada"};

Ran RunLocal(std::vector<std::string> words) {
  words.insert(words.end(), {"--plugins", ASTRAGAL_BUILD_DIR "/plugins"});
  return tests::RunWords(words);
}

size_t CountOf(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

// A file name that does not exist yet, in a folder of its own that goes with the object.
class NewFile {
 public:
  explicit NewFile(const std::string& name) {
    std::string folder = testing::TempDir() + "local_test.XXXXXX";
    folder_ = mkdtemp(folder.data());
    path_ = folder_ + "/" + name;
  }
  ~NewFile() { std::filesystem::remove_all(folder_); }
  const std::string& path() const { return path_; }
  bool exists() const { return std::filesystem::exists(path_); }
  std::string Read() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::string folder_;
  std::string path_;
};

TEST(DrawTest, EveryRulesetIsDrawnToTheScreen) {
  std::set<std::string> pictures;
  for (const char* ruleset : kRulesets) {
    const Ran ran = RunLocal({"draw", "--ruleset", ruleset});
    EXPECT_EQ(ran.code, kExitOk) << ran.err;
    EXPECT_THAT(ran.out, StartsWith("<svg")) << ruleset;
    EXPECT_THAT(ran.out, HasSubstr("</svg>")) << ruleset;
    EXPECT_EQ(ran.err, "");
    pictures.insert(ran.out);
  }
  EXPECT_EQ(pictures.size(), std::size(kRulesets));
}

TEST(DrawTest, ThePositionDecidesThePicture) {
  const std::vector<std::string> draw = {"draw", "--ruleset", "patolli"};
  std::vector<std::string> one = draw;
  one.insert(one.end(), {"--position", "red plays 3; red anticlockwise on 12"});
  std::vector<std::string> two = draw;
  two.insert(two.end(), {"--position", "red plays 3; red anticlockwise on 12, 20"});
  const Ran start = RunLocal(draw);
  const Ran one_piece = RunLocal(one);
  const Ran two_pieces = RunLocal(two);
  EXPECT_EQ(one_piece.code, kExitOk) << one_piece.err;
  EXPECT_EQ(two_pieces.code, kExitOk) << two_pieces.err;
  EXPECT_NE(start.out, one_piece.out);
  EXPECT_NE(one_piece.out, two_pieces.out);
}

TEST(DrawTest, LabelsAndSizeCanBeChosen) {
  const Ran plain = RunLocal({"draw", "--ruleset", "ashtapada"});
  const Ran bare = RunLocal({"draw", "--ruleset", "ashtapada", "--no-labels"});
  const Ran small = RunLocal({"draw", "--ruleset", "ashtapada", "--unit", "20"});
  EXPECT_LT(CountOf(bare.out, "<text"), CountOf(plain.out, "<text"));
  EXPECT_EQ(small.code, kExitOk) << small.err;
  EXPECT_NE(small.out.substr(0, small.out.find('>')), plain.out.substr(0, plain.out.find('>')));
}

TEST(DrawTest, FilesAreSvgOrPngByTheirName) {
  const NewFile svg("board.svg");
  const Ran drawn = RunLocal({"draw", "--ruleset", "long_narde", "-o", svg.path()});
  EXPECT_EQ(drawn.code, kExitOk) << drawn.err;
  EXPECT_EQ(drawn.out, "");
  EXPECT_EQ(svg.Read(), RunLocal({"draw", "--ruleset", "long_narde"}).out);
  const NewFile png("board.png");
  EXPECT_EQ(RunLocal({"draw", "--ruleset", "long_narde", "-o", png.path()}).code, kExitOk);
  EXPECT_THAT(png.Read(), StartsWith("\x89PNG\r\n\x1a\n"));
  EXPECT_GT(png.Read().size(), 1000u);
}

struct Mistake {
  const char* name;
  std::vector<std::string> words;
  int code;
  const char* said;
};
class MistakeTest : public testing::TestWithParam<Mistake> {};

TEST_P(MistakeTest, IsRefusedAndNothingIsPrinted) {
  const Ran ran = RunLocal(GetParam().words);
  EXPECT_EQ(ran.code, GetParam().code) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr(GetParam().said));
  EXPECT_EQ(ran.out, "");
}

const Mistake kMistakes[] = {
    {"DrawNothing", {"draw"}, kExitUsage, "--ruleset"},
    {"DrawBoth", {"draw", "game", "--ruleset", "patolli"}, kExitUsage, "--ruleset"},
    {"DrawUnknownRuleset", {"draw", "--ruleset", "chess"}, kExitUsage, "chess"},
    {"DrawBadPosition", {"draw", "--ruleset", "patolli", "--position", "?"}, kExitRefused, "?"},
    {"DrawHugeUnit", {"draw", "--ruleset", "patolli", "--unit", "100000"}, kExitUsage, "--unit"},
    {"DrawUnwritable",
     {"draw", "--ruleset", "patolli", "-o", "/nowhere/board.png"},
     kExitRefused,
     "/nowhere/board.png"},
    {"SelfplayNothing", {"selfplay"}, kExitUsage, "RULESET"},
    {"SelfplayUnknownRuleset", {"selfplay", "chess"}, kExitUsage, "chess"},
    {"SelfplayUnknownBot", {"selfplay", "patolli", "--bots", "clever"}, kExitUsage, "greedy"},
    {"SelfplayTooManyBots",
     {"selfplay", "patolli", "--bots", "random,random,random"},
     kExitUsage,
     "one for each seat"},
    {"SelfplayNoGames", {"selfplay", "patolli", "--games", "0"}, kExitUsage, "--games"},
    {"SelfplayUnknownOption",
     {"selfplay", "patolli", "--option", "colour=red"},
     kExitRefused,
     "colour"},
    {"CalibrateUnknownRuleset", {"ratings", "calibrate", "chess"}, kExitUsage, "chess"},
    {"CalibrateUnknownBot",
     {"ratings", "calibrate", "patolli", "--strong", "clever", "--players", "2", "--rounds", "1"},
     kExitUsage,
     "greedy"},
    {"SelfplayUnknownPreset", {"selfplay", "patolli", "--preset", "x"}, kExitRefused, "preset"},
};
INSTANTIATE_TEST_SUITE_P(All, MistakeTest, testing::ValuesIn(kMistakes),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SelfplayTest, TheTablesNameBotsSeatsLengthsAndThrows) {
  const Ran ran = RunLocal({"selfplay", "patolli", "--games", "20", "--bots", "greedy,random"});
  EXPECT_EQ(ran.code, kExitOk) << ran.err;
  for (const char* word : {"BOT", "greedy", "random", "SEAT", "red", "green", "first mover",
                           "20 games", "actions and throws a game", "THROW", "EXPECTED"}) {
    EXPECT_THAT(ran.out, HasSubstr(word));
  }
  EXPECT_EQ(ran.err, "") << "progress is for terminals";
}

json Played(std::vector<std::string> words) {
  words.insert(words.begin(), "selfplay");
  words.push_back("--json");
  const Ran ran = RunLocal(words);
  EXPECT_EQ(ran.code, kExitOk) << ran.err;
  json report = json::parse(ran.out);
  report.erase("seconds");
  return report;
}

// A world of four: what it says of profiles is worth nothing, that it says it is.
TEST(RatingsTest, ASimulationComparesProfilesInEachWorld) {
  const std::vector<std::string> words = {"ratings",   "simulate", "--seeds",  "2",
                                          "--players", "8",        "--rounds", "10"};
  const tests::RanWords table = tests::RunWords(words);
  EXPECT_EQ(table.code, kExitOk) << table.err;
  for (const char* word : {"2 seats, 60 points", "4 seats, 0.35 nat", "guessing", "dice", "paper",
                           "lichess", "openskill", "errors"}) {
    EXPECT_THAT(table.out, HasSubstr(word));
  }
  std::vector<std::string> with_json = words;
  with_json.push_back("--json");
  const json report = json::parse(tests::RunWords(with_json).out);
  ASSERT_EQ(report.size(), 10u) << "three profiles of two seats, two of tables, two worlds each";
  EXPECT_NEAR(report[0]["guessing"].get<double>(), 0.6931, 1e-4);
  EXPECT_EQ(tests::RunWords(words).out, table.out) << "the same seeds are the same worlds";
  std::vector<std::string> checked = words;
  checked.push_back("--check");
  const tests::RanWords refused = tests::RunWords(checked);
  EXPECT_EQ(refused.code, kExitRefused) << "so little shows nothing clearly";
  EXPECT_THAT(refused.err, HasSubstr("not clearly better"));
}

TEST(RatingsTest, ACalibrationFindsADeviationAndDrawsIt) {
  const NewFile file("calibration.svg");
  const Ran ran = RunLocal({"ratings", "calibrate", "patolli", "--players", "8", "--rounds", "20",
                            "--duels", "20", "--json", "--svg", file.path()});
  ASSERT_EQ(ran.code, kExitOk) << ran.err;
  const json report = json::parse(ran.out);
  EXPECT_EQ(report["matches"], 80);
  EXPECT_GT(report["strong_share"].get<double>(), 0.5) << "greedy beats random";
  double best = 1e9;
  double deviation = 0;
  for (const json& point : report["points"]) {
    if (point["log_loss"].get<double>() >= best) continue;
    best = point["log_loss"];
    deviation = point["start_deviation"];
  }
  EXPECT_EQ(report["best_start_deviation"].get<double>(), deviation);
  EXPECT_THAT(file.Read(), HasSubstr("guessing"));
  EXPECT_THAT(file.Read(), HasSubstr("</svg>"));
}

uint64_t SumOf(const json& numbers) {
  uint64_t sum = 0;
  for (const json& number : numbers) sum += number.is_array() ? SumOf(number) : number.get<int>();
  return sum;
}

TEST(SelfplayTest, TheReportForProgramsAddsUp) {
  for (const char* ruleset : kRulesets) {
    const json report = Played({ruleset, "--games", "10", "--seed", "3"});
    EXPECT_EQ(report["games"], 10) << ruleset;
    const auto draws = report["draws"].get<uint64_t>();
    EXPECT_EQ(SumOf(report["wins_by_bot"]) + draws, 10u) << ruleset;
    EXPECT_EQ(SumOf(report["wins_by_seat"]) + draws, 10u) << ruleset;
    EXPECT_EQ(SumOf(report["outcomes"]), report["throws"].get<uint64_t>()) << ruleset;
    EXPECT_LE(report["shortest"], report["longest"]) << ruleset;
  }
}

TEST(SelfplayTest, TheSeedDecidesTheGames) {
  const json first = Played({"ashtapada", "--games", "5", "--seed", "1"});
  EXPECT_EQ(Played({"ashtapada", "--games", "5", "--seed", "1"}), first);
  EXPECT_NE(Played({"ashtapada", "--games", "5", "--seed", "2"}), first);
}

TEST(SelfplayTest, OptionsPresetsAndSeatsAreTaken) {
  const json four = Played({"ashtapada", "--games", "3", "--option", "players=4"});
  EXPECT_EQ(four["wins_by_seat"].size(), 4u);
  const json bell = Played({"patolli", "--games", "3", "--preset", "bell"});
  EXPECT_NE(bell["outcomes"], Played({"patolli", "--games", "3"})["outcomes"]);
  // The greedy player keeps South, or sits there half of the time.
  const std::vector<std::string> uneven = {"ashtapada", "--games", "20", "--bots", "greedy,random"};
  std::vector<std::string> fixed = uneven;
  fixed.push_back("--fixed-seats");
  const json kept = Played(fixed);
  EXPECT_EQ(kept["wins_by_bot"], kept["wins_by_seat"]);
  EXPECT_NE(Played(uneven)["wins_by_seat"], kept["wins_by_seat"]);
}

}  // namespace
}  // namespace astragal::cli
