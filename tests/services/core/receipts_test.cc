#include "services/core/receipts.h"

#include <gtest/gtest.h>

namespace astragal::core {
namespace {

const base::SecretBox kBox(base::Sha256("a key for tests"));
const base::GameId kGame(base::IdBytes{1, 2, 3});

Receipt Some(const Receipts& receipts) {
  return receipts.Sign(kGame, 17, base::Sha256("log"), {1'700'000'000'123'456});
}

TEST(Receipts, AreGenuineUntilABitIsChanged) {
  const Receipt good = Some(Receipts(kBox, 1));
  ASSERT_TRUE(IsGenuine(good));
  for (size_t bit = 0; bit < 256; ++bit) {
    const auto mask = static_cast<uint8_t>(1 << bit % 8);
    Receipt bad = good;
    bad.log_hash[bit / 8] ^= mask;
    EXPECT_FALSE(IsGenuine(bad)) << "log hash " << bit;
    bad = good;
    bad.signature[bit / 8] ^= mask;
    EXPECT_FALSE(IsGenuine(bad)) << "signature " << bit;
    bad = good;
    bad.public_key[bit / 8] ^= mask;
    EXPECT_FALSE(IsGenuine(bad)) << "key " << bit;
  }
  Receipt bad = good;
  ++bad.sequence;
  EXPECT_FALSE(IsGenuine(bad));
  bad = good;
  --bad.at.micros;
  EXPECT_FALSE(IsGenuine(bad));
  bad = good;
  bad.game = base::GameId();
  EXPECT_FALSE(IsGenuine(bad));
}

TEST(Receipts, KeysFollowFromTheKeyFileAndTheirNumber) {
  const Receipts first(kBox, 1);
  const Receipts third(kBox, 3);
  ASSERT_EQ(third.PublicKeys().size(), 3u);
  EXPECT_EQ(third.PublicKeys().back(), first.PublicKeys().front()) << "old receipts stay good";
  EXPECT_NE(third.PublicKeys().front(), first.PublicKeys().front());
  EXPECT_EQ(Some(first).public_key, first.PublicKeys().front());
  EXPECT_EQ(Some(Receipts(kBox, 1)).signature, Some(first).signature) << "another node";
  EXPECT_NE(Receipts(base::SecretBox(base::Sha256("another")), 1).PublicKeys(), first.PublicKeys());
  EXPECT_EQ(KeyName(first.PublicKeys().front()).size(), 16u);
}

// RFC 8032, section 7.1, test 1.
TEST(SigningKey, SignsAsTheStandardSays) {
  const auto bytes = [](std::string_view hex) {
    base::Bytes32 out{};
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<uint8_t>(std::stoi(std::string(hex.substr(2 * i, 2)), nullptr, 16));
    }
    return out;
  };
  const base::SigningKey key(
      bytes("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"));
  EXPECT_EQ(base::Hex(base::AsView(key.public_key())),
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  EXPECT_EQ(
      base::Hex(base::AsView(key.Sign(""))),
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9"
      "b46bd25bf5f0595bbe24655141438e7a100b");
  EXPECT_TRUE(base::IsSignatureOf(key.public_key(), "", key.Sign("")));
  EXPECT_FALSE(base::IsSignatureOf(key.public_key(), "x", key.Sign("")));
}

}  // namespace
}  // namespace astragal::core
