// Commands over tournament report files, as they are typed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "services/cli/errors.h"
#include "tests/services/cli/run_words.h"

namespace astragal::cli {
namespace {

using testing::HasSubstr;

std::string Data(const std::string& name) {
  return std::string(ASTRAGAL_SOURCE_DIR) + "/tests/services/algorithms/data/" + name;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

tests::RanWords RunTournament(std::vector<std::string> words) {
  words.insert(words.begin(), "tournament");
  return tests::RunWords(words);
}

TEST(TrfCommandsTest, PairsAsTheReferenceDoes) {
  const std::string file = Data("swiss/race_n033_r04.trf");
  const auto on = RunTournament({"pair-trf", file, "--engine", "dutch"});
  EXPECT_EQ(on.code, kExitOk) << on.err;
  EXPECT_EQ(on.out, ReadFile(Data("swiss/race_n033_r04.pairs")));
  const auto off = RunTournament({"pair-trf", file, "--sides", "off"});
  EXPECT_EQ(off.out, ReadFile(Data("swiss/race_n033_r04.colourless.pairs")));
  EXPECT_EQ(RunTournament({"pair-trf", file, "--engine", "fast"}).code, kExitOk);
}

TEST(TrfCommandsTest, SaysWhyItDoesNotPair) {
  const auto none = RunTournament({"pair-trf", Data("swiss/nopair_n004_r04.trf")});
  EXPECT_EQ(none.code, kExitRefused);
  EXPECT_THAT(none.err, HasSubstr("No valid pairing exists"));
  EXPECT_EQ(none.out, "");
  const auto nothing = RunTournament({"pair-trf", Data("swiss/none.trf")});
  EXPECT_EQ(nothing.code, kExitRefused);
  EXPECT_THAT(nothing.err, HasSubstr("There is no file"));
  const auto other = RunTournament({"pair-trf", Data("berger_tables.json")});
  EXPECT_EQ(other.code, kExitOk) << "lines of other kinds are kept, and nobody is there";
}

TEST(TrfCommandsTest, StandingsEqualTheReference) {
  for (const char* name : {"race_n024", "rr_n06_double_s6"}) {
    const std::string file = Data(std::string("tiebreaks/") + name);
    const auto ran = RunTournament({"tiebreaks", file + ".trf"});
    EXPECT_EQ(ran.code, kExitOk) << ran.err;
    EXPECT_EQ(ran.out, ReadFile(file + ".tsv")) << name;
  }
  const auto odd =
      RunTournament({"tiebreaks", Data("tiebreaks/race_n008.trf"), "--order", "PTS,X"});
  EXPECT_EQ(odd.code, kExitUsage);
  EXPECT_THAT(odd.err, HasSubstr("There is no tie-break X"));
}

TEST(TrfCommandsTest, RoundsAreChecked) {
  const auto good = RunTournament({"check-trf", Data("swiss/race_n014_r04.trf")});
  EXPECT_EQ(good.code, kExitOk) << good.err;
  EXPECT_THAT(good.out, HasSubstr("round 3: as the rules pair it\n"));
  const auto bad = RunTournament({"check-trf", Data("swiss/race_n024_r07.trf"), "--sides", "off"});
  EXPECT_EQ(bad.code, kExitRefused);
  EXPECT_THAT(bad.out, HasSubstr("; the rules pair "));
}

}  // namespace
}  // namespace astragal::cli
