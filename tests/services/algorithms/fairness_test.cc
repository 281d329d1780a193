// Proofs of fairness: an honest one holds, and whatever is changed in one is found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "services/algorithms/dice.h"
#include "services/algorithms/fairness_proof.h"
#include "tests/services/algorithms/fairness_games.h"
#include "tests/services/algorithms/rulesets.h"

namespace astragal::algorithms {
namespace {

using testing::HasSubstr;

FairnessProof SomeProof(uint64_t seed = 7) {
  std::mt19937_64 random(seed);
  const auto ruleset = tests::OpenRuleset("long_narde");
  FairnessProof proof = tests::ProofOfGame(*ruleset, random);
  // Both seats contribute, whatever was drawn.
  DiceSource source{proof.secret, proof.game, proof.restore_epoch, {}};
  for (FairnessProof::Seat& seat : proof.seats) {
    seat.contribution = tests::RandomBytes(random, 32);
    seat.pledge = base::AsView(base::Sha256(seat.contribution));
    source.contributions.push_back(seat.contribution);
  }
  for (size_t i = 0; i < proof.throws.size(); ++i) {
    proof.throws[i].outcome =
        static_cast<uint32_t>(DrawOutcome(source, i, proof.kinds[proof.throws[i].kind].weights));
  }
  return proof;
}

bool Holds(const FairnessProof& proof) { return CheckProof(proof).faults.empty(); }

TEST(CheckProof, AnHonestGameOfEachRulesetHolds) {
  std::mt19937_64 random(20240607);
  for (const char* id : {"long_narde", "patolli", "ashtapada"}) {
    const auto ruleset = tests::OpenRuleset(id);
    const FairnessProof proof = tests::ProofOfGame(*ruleset, random);
    const FairnessReport report = CheckProof(proof);
    EXPECT_TRUE(report.faults.empty()) << id << ": " << report.faults.front();
    EXPECT_GT(proof.throws.size(), 10u) << id;
  }
}

TEST(CheckProof, EveryFlippedBitOfSecretCommitmentAndContributionIsFound) {
  const FairnessProof good = SomeProof();
  ASSERT_TRUE(Holds(good));
  int flipped = 0;
  const auto expect_found = [&](const char* what, const std::function<void(FairnessProof&)>& flip) {
    FairnessProof bad = good;
    flip(bad);
    ++flipped;
    EXPECT_FALSE(Holds(bad)) << what << " " << flipped;
  };
  for (size_t bit = 0; bit < 256; ++bit) {
    const auto mask = static_cast<uint8_t>(1 << bit % 8);
    const size_t at = bit / 8;
    expect_found("secret", [&](FairnessProof& p) { p.secret[at] ^= mask; });
    expect_found("commitment", [&](FairnessProof& p) { p.commitment[at] ^= mask; });
    for (size_t seat = 0; seat < good.seats.size(); ++seat) {
      const auto flip = [&](std::string& bytes) {
        bytes[at] = static_cast<char>(static_cast<uint8_t>(bytes[at]) ^ mask);
      };
      expect_found("contribution", [&](FairnessProof& p) { flip(p.seats[seat].contribution); });
      expect_found("pledge", [&](FairnessProof& p) { flip(p.seats[seat].pledge); });
    }
  }
  EXPECT_EQ(flipped, 256 * 6);
}

TEST(CheckProof, EveryOtherOutcomeOfEveryThrowIsFound) {
  const FairnessProof good = SomeProof();
  for (size_t i = 0; i < good.throws.size(); ++i) {
    const auto outcomes = static_cast<uint32_t>(good.kinds[good.throws[i].kind].weights.size());
    for (uint32_t step = 1; step < outcomes; ++step) {
      FairnessProof bad = good;
      bad.throws[i].outcome = (bad.throws[i].outcome + step) % outcomes;
      EXPECT_FALSE(Holds(bad)) << "throw " << i << " +" << step;
    }
  }
}

TEST(CheckProof, OrderAndNumberOfThrowsAreFound) {
  const FairnessProof good = SomeProof();
  int swapped = 0;
  for (size_t i = 1; i < good.throws.size(); ++i) {
    FairnessProof bad = good;
    std::swap(bad.throws[i - 1].outcome, bad.throws[i].outcome);
    if (good.throws[i - 1].outcome == good.throws[i].outcome) continue;  // the same throws
    ++swapped;
    EXPECT_FALSE(Holds(bad)) << "throws " << i - 1 << " and " << i << " in each other's place";
    bad = good;
    std::swap(bad.throws[i - 1], bad.throws[i]);
    EXPECT_FALSE(Holds(bad)) << "events " << i - 1 << " and " << i << " in each other's place";
  }
  EXPECT_GT(swapped, 20);
  FairnessProof bad = good;
  bad.throws.erase(bad.throws.begin() + 3);
  EXPECT_FALSE(Holds(bad)) << "a throw is left out";
  bad = good;
  bad.throws.insert(bad.throws.begin() + 3, bad.throws[3]);
  EXPECT_FALSE(Holds(bad)) << "a throw twice";
  bad = good;
  std::swap(bad.seats[0], bad.seats[1]);
  EXPECT_FALSE(Holds(bad)) << "contributions of one seat for another's";
}

TEST(CheckProof, SaysWhoContributed) {
  FairnessProof proof = SomeProof();
  EXPECT_EQ(CheckProof(proof).contributing_seats, 2);
  EXPECT_EQ(CheckProof(proof).withheld, 0);
  proof.seats[0].contribution.clear();
  const FairnessReport report = CheckProof(proof);
  EXPECT_EQ(report.contributing_seats, 1);
  EXPECT_EQ(report.withheld, 1) << "pledged and not given";
  EXPECT_FALSE(report.faults.empty()) << "the throws were made with it";
}

TEST(CheckProof, NonsenseIsAFaultAndNoCrash) {
  const FairnessProof good = SomeProof();
  const struct {
    const char* name;
    std::function<void(FairnessProof&)> change;
  } cases[] = {
      {"a kind that is none", [](FairnessProof& p) { p.throws[0].kind = 9; }},
      {"no weights", [](FairnessProof& p) { p.kinds[0].weights.clear(); }},
      {"zero weights", [](FairnessProof& p) { p.kinds[0].weights.assign(36, 0); }},
      {"heavy weights", [](FairnessProof& p) { p.kinds[0].weights.assign(36, 65'536); }},
      {"an outcome that is none", [](FairnessProof& p) { p.throws[0].outcome = 40'000; }},
      {"sequences go back", [](FairnessProof& p) { p.throws[1].sequence = 1; }},
  };
  for (const auto& [name, change] : cases) {
    FairnessProof bad = good;
    change(bad);
    EXPECT_FALSE(Holds(bad)) << name;
  }
}

TEST(ProofFile, ReadsWhatItWrites) {
  const FairnessProof proof = SomeProof();
  const std::string text = WriteProof(proof);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const absl::StatusOr<FairnessProof> read = ReadProof(text);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(WriteProof(*read), text);
  EXPECT_TRUE(Holds(*read));
}

TEST(ProofFile, SaysWhichFieldIsWrong) {
  const std::string good = WriteProof(SomeProof());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  const struct {
    std::string text;
    const char* says;
  } cases[] = {
      {"", "is no JSON"},
      {good.substr(0, good.size() / 2), "is no JSON"},
      {"[]", "is no JSON object"},
      {with("fairness-proof-1", "fairness-proof-9"), "\"format\" is unknown"},
      {with("\"secret\":\"", "\"secret\":\"zz"), "\"secret\" must be 32 bytes"},
      {with("\"secret\"", "\"sekret\""), "\"secret\" is missing"},
      {with("\"restore_epoch\":", "\"restore_epoch\":-1"), "\"restore_epoch\""},
      {with("\"sequence\":", "\"sequence\":\"x\",\"was\":"), "\"sequence\" is no integer"},
      {with("\"weights\":[1", "\"weights\":[0"), "no weight"},
      {with("\"game_id\":\"", "\"game_id\":\"u"), "\"game_id\" is no id"},
      {with("\"throws\":[", "\"throws\":[7,"), "is no JSON object"},
  };
  for (const auto& [text, says] : cases) {
    const absl::StatusOr<FairnessProof> read = ReadProof(text);
    ASSERT_FALSE(read.ok()) << says;
    EXPECT_THAT(std::string(read.status().message()), HasSubstr(says));
  }
  EXPECT_TRUE(ReadProof(with("{\"format\"", "{\"new\":[1],\"format\"")).ok()) << "unknown keys";
}

}  // namespace
}  // namespace astragal::algorithms
