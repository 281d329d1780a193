#include "services/base/crypto.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace astragal::base {
namespace {

std::string HexOf(const Bytes32& bytes) { return Hex(AsView(bytes)); }

// FIPS 180-4 examples and the NIST "million a" vector.
TEST(Sha256, PublishedVectors) {
  const struct {
    std::string text;
    const char* digest;
  } cases[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1'000'000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  for (const auto& [text, digest] : cases) EXPECT_EQ(HexOf(Sha256(text)), digest);
}

// RFC 4231, cases 1, 2, 3, 6 and 7.
TEST(HmacSha256, PublishedVectors) {
  const struct {
    int number;
    std::string key;
    std::string message;
    const char* digest;
  } cases[] = {
      {1, std::string(20, '\x0b'), "Hi There",
       "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
      {2, "Jefe", "what do ya want for nothing?",
       "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
      {3, std::string(20, '\xaa'), std::string(50, '\xdd'),
       "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
      {6, std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First",
       "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
      {7, std::string(131, '\xaa'),
       "This is a test using a larger than block-size key and a larger than block-size data. The "
       "key needs to be hashed before being used by the HMAC algorithm.",
       "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"},
  };
  for (const auto& [number, key, message, digest] : cases) {
    const std::vector<uint8_t> bytes(key.begin(), key.end());
    EXPECT_EQ(HexOf(HmacSha256(bytes, message)), digest) << "case " << number;
  }
}

TEST(ConstantTimeEqual, ComparesAll) {
  EXPECT_TRUE(ConstantTimeEqual("", ""));
  EXPECT_TRUE(ConstantTimeEqual("abc", "abc"));
  EXPECT_FALSE(ConstantTimeEqual("abc", "abd"));
  EXPECT_FALSE(ConstantTimeEqual("abc", "bbc"));
  EXPECT_FALSE(ConstantTimeEqual("abc", "ab"));
}

TEST(Hex, WritesEveryByte) { EXPECT_EQ(Hex(std::string_view("\x00\x7f\x80\xff", 4)), "007f80ff"); }

class SecretBoxTest : public testing::Test {
 protected:
  static Bytes32 Key(uint8_t value) {
    Bytes32 key{};
    key.fill(value);
    return key;
  }
  SystemRandom random_;
  const SecretBox box_{Key(1)};
};

TEST_F(SecretBoxTest, OpensWhatItSealed) {
  for (const std::string& plain :
       {std::string(), std::string("x"), std::string(32, '\0'), std::string(4'000, 'z')}) {
    const std::string sealed = box_.Seal(plain, "game 1", random_);
    EXPECT_EQ(sealed.size(), 12 + plain.size() + 16);
    const absl::StatusOr<std::string> opened = box_.Open(sealed, "game 1");
    ASSERT_TRUE(opened.ok());
    EXPECT_EQ(*opened, plain);
  }
}

TEST_F(SecretBoxTest, SealsTheSameTextDifferently) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) seen.insert(box_.Seal("secret", "", random_));
  EXPECT_EQ(seen.size(), 100u);
  for (const std::string& sealed : seen) EXPECT_EQ(sealed.find("secret"), std::string::npos);
}

TEST_F(SecretBoxTest, EveryFlippedBitIsFound) {
  const std::string sealed = box_.Seal("a small secret", "game 1", random_);
  for (size_t bit = 0; bit < 8 * sealed.size(); ++bit) {
    std::string tampered = sealed;
    tampered[bit / 8] = static_cast<char>(tampered[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_EQ(box_.Open(tampered, "game 1").status().code(), absl::StatusCode::kDataLoss) << bit;
  }
}

TEST_F(SecretBoxTest, OtherTextKeyOrContextDoesNotOpen) {
  const std::string sealed = box_.Seal("a small secret", "game 1", random_);
  const struct {
    const char* name;
    absl::StatusOr<std::string> opened;
  } cases[] = {
      {"another context", box_.Open(sealed, "game 2")},
      {"no context", box_.Open(sealed, "")},
      {"another key", SecretBox(Key(2)).Open(sealed, "game 1")},
      {"cut short", box_.Open(sealed.substr(0, sealed.size() - 1), "game 1")},
      {"longer", box_.Open(sealed + "x", "game 1")},
      {"too short to be anything", box_.Open(sealed.substr(0, 27), "game 1")},
      {"empty", box_.Open("", "game 1")},
  };
  for (const auto& [name, opened] : cases) {
    EXPECT_EQ(opened.status().code(), absl::StatusCode::kDataLoss) << name;
  }
}

class KeyFileTest : public testing::Test {
 protected:
  KeyFileTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "astragal-key-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~KeyFileTest() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& bytes, mode_t mode) {
    std::ofstream(path(), std::ios::binary) << bytes;
    ASSERT_EQ(chmod(path().c_str(), mode), 0);
  }
  std::string path() const { return folder_ + "/key"; }
  size_t Files() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder_),
                                             std::filesystem::directory_iterator()));
  }

  std::string folder_;
  SystemRandom random_;
};

TEST_F(KeyFileTest, IsCreatedOnceAndReadAfterwards) {
  const absl::StatusOr<SecretBox> first = SecretBox::FromKeyFile(path(), random_);
  ASSERT_TRUE(first.ok()) << first.status();
  struct stat info {};
  ASSERT_EQ(stat(path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_EQ(info.st_size, 32);
  EXPECT_EQ(Files(), 1u) << "a draft was left behind";

  const absl::StatusOr<SecretBox> second = SecretBox::FromKeyFile(path(), random_);
  ASSERT_TRUE(second.ok());
  const std::string sealed = first->Seal("secret", "c", random_);
  EXPECT_EQ(*second->Open(sealed, "c"), "secret");
}

TEST_F(KeyFileTest, ManyWhoStartAtOnceShareOneKey) {
  std::vector<std::thread> threads;
  std::vector<absl::StatusOr<SecretBox>> boxes(8, absl::UnknownError("not run"));
  for (size_t i = 0; i < boxes.size(); ++i) {
    threads.emplace_back([&, i] {
      SystemRandom random;
      boxes[i] = SecretBox::FromKeyFile(path(), random);
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(boxes[0].ok()) << boxes[0].status();
  const std::string sealed = boxes[0]->Seal("secret", "c", random_);
  for (const absl::StatusOr<SecretBox>& box : boxes) {
    ASSERT_TRUE(box.ok()) << box.status();
    EXPECT_TRUE(box->Open(sealed, "c").ok());
  }
  EXPECT_EQ(Files(), 1u);
}

TEST_F(KeyFileTest, UnfitFilesAreRefused) {
  const struct {
    const char* name;
    size_t size;
    mode_t mode;
    bool good;
  } cases[] = {
      {"right", 32, 0600, true},
      {"read-only", 32, 0400, true},
      {"group may read", 32, 0640, false},
      {"others may read", 32, 0604, false},
      {"others may write", 32, 0602, false},
      {"empty", 0, 0600, false},
      {"too short", 31, 0600, false},
      {"too long", 33, 0600, false},
  };
  for (const auto& [name, size, mode, good] : cases) {
    std::filesystem::remove(path());
    Write(std::string(size, 'k'), mode);
    const absl::StatusOr<SecretBox> box = SecretBox::FromKeyFile(path(), random_);
    EXPECT_EQ(box.ok(), good) << name;
    if (good) continue;
    EXPECT_EQ(box.status().code(), absl::StatusCode::kFailedPrecondition) << name;
    EXPECT_EQ(std::filesystem::file_size(path()), size) << name << ": the file was changed";
  }
}

TEST_F(KeyFileTest, WhatIsNoFileIsRefused) {
  std::filesystem::create_directory(path());
  EXPECT_FALSE(SecretBox::FromKeyFile(path(), random_).ok());
  std::filesystem::remove(path());
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);  // must not wait for a writer
  EXPECT_FALSE(SecretBox::FromKeyFile(path(), random_).ok());
  EXPECT_FALSE(SecretBox::FromKeyFile(folder_ + "/missing/key", random_).ok());
}

}  // namespace
}  // namespace astragal::base
