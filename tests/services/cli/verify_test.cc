// Proofs and receipts, checked without a server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "services/base/bytes.h"
#include "services/base/ids.h"
#include "services/base/signing.h"
#include "tests/services/cli/run_words.h"

namespace astragal::cli {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using tests::RanWords;
using tests::RunWords;

const std::string kProofs =
    ASTRAGAL_SOURCE_DIR "/tests/services/algorithms/data/fairness_proofs.jsonl";

std::string Write(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path) << text;
  return path;
}

TEST(VerifyTest, ProofsHoldAndChangedOnesDoNot) {
  const RanWords good = RunWords({"verify", kProofs});
  EXPECT_EQ(good.code, 0) << good.out << good.err;
  EXPECT_THAT(good.out, HasSubstr("3 of 3 hold"));
  std::ifstream file(kProofs);
  std::string line;
  std::getline(file, line);
  ordered_json proof = ordered_json::parse(line);
  std::swap(proof["throws"][0]["outcome"], proof["throws"][1]["outcome"]);
  proof["throws"][2]["outcome"] = proof["throws"][2]["outcome"] == 0 ? 1 : 0;
  const RanWords bad = RunWords({"verify", Write("bad.proof", proof.dump())});
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.out, HasSubstr("BAD"));
  EXPECT_THAT(bad.out, HasSubstr("0 of 1 hold"));
}

TEST(VerifyTest, ReceiptsHoldAndChangedOnesDoNot) {
  const base::SigningKey key(base::Sha256("a key for tests"));
  const base::GameId game(base::IdBytes{1, 2, 3});
  const base::Bytes32 hash = base::Sha256("a log");
  base::ByteWriter message;
  message.Put(std::string_view("astragal-receipt-1")).Put(game.bytes()).Put(uint32_t{17});
  message.Put(hash).Put(int64_t{1'700'000'000'123'456});
  ordered_json receipt;
  receipt["format"] = "astragal-receipt-1";
  receipt["game_id"] = game.ToText();
  receipt["sequence"] = 17;
  receipt["log_hash"] = base::Hex(base::AsView(hash));
  receipt["signed_at_us"] = 1'700'000'000'123'456;
  receipt["public_key"] = base::Hex(base::AsView(key.public_key()));
  receipt["signature"] = base::Hex(base::AsView(key.Sign(message.bytes())));
  const RanWords good = RunWords({"verify", Write("good.receipt", receipt.dump())});
  EXPECT_EQ(good.code, 0) << good.out << good.err;
  EXPECT_THAT(good.out, HasSubstr("signed event 17"));
  receipt["sequence"] = 18;
  const RanWords bad = RunWords({"verify", Write("bad.receipt", receipt.dump())});
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.out, HasSubstr("0 of 1 hold"));
}

TEST(VerifyTest, WhatIsNoProofIsRefused) {
  EXPECT_EQ(RunWords({"verify", Write("empty.proof", "")}).code, 2);
  EXPECT_EQ(RunWords({"verify", "/no/such/file"}).code, 2);
  EXPECT_EQ(RunWords({"verify"}).code, 2);
  EXPECT_EQ(RunWords({"verify", Write("text.proof", "hello")}).code, 1);
}

}  // namespace
}  // namespace astragal::cli
