#include "services/base/operator_key.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace astragal::base {
namespace {

namespace fs = std::filesystem;

class OperatorKey : public testing::Test {
 protected:
  OperatorKey() {
    std::string pattern = (fs::temp_directory_path() / "astragal-key.XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    path_ = folder_ + "/operator.key";
  }
  ~OperatorKey() override { fs::remove_all(folder_); }

  void Write(const std::string& text, mode_t mode) {
    std::ofstream(path_, std::ios::binary) << text;
    ::chmod(path_.c_str(), mode);
  }

  SystemRandom random_;
  std::string folder_;
  std::string path_;
};

const std::string kGood = "ast_op_" + std::string(64, 'a');

TEST_F(OperatorKey, IsMadeOnceAndReadByItsOwnerOnly) {
  EXPECT_TRUE(absl::IsNotFound(ReadOperatorKey(path_).status()));
  const auto made = ReadOrMakeOperatorKey(path_, random_);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_TRUE(IsOperatorKey(*made)) << *made;
  struct stat info {};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  EXPECT_EQ(*ReadOrMakeOperatorKey(path_, random_), *made);
  EXPECT_EQ(*ReadOperatorKey(path_), *made);
  fs::remove(path_);
  EXPECT_NE(*ReadOrMakeOperatorKey(path_, random_), *made);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(OperatorKey, SeveralThatStartAtOnceAgree) {
  std::vector<std::string> keys(8);
  std::vector<std::thread> threads;
  for (std::string& key : keys) {
    threads.emplace_back([&] { key = ReadOrMakeOperatorKey(path_, random_).value_or("none"); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(), 1U);
  EXPECT_TRUE(IsOperatorKey(keys.front()));
}

TEST_F(OperatorKey, FilesThatAreRefused) {
  const struct {
    const char* name;
    std::string text;
    mode_t mode;
    const char* why;
  } cases[] = {
      {"group may read", kGood, 0640, "chmod 600"},
      {"everybody may read", kGood, 0604, "chmod 600"},
      {"empty", "", 0600, "is no key"},
      {"too short", kGood.substr(0, 70), 0600, "is no key"},
      {"too long", kGood + "a", 0600, "is no key"},
      {"two lines", kGood + "\n\n", 0600, "is no key"},
      {"a player's key", "ast_" + std::string(64, 'a'), 0600, "is no key"},
      {"capitals", "ast_op_" + std::string(64, 'A'), 0600, "is no key"},
  };
  for (const auto& [name, text, mode, why] : cases) {
    SCOPED_TRACE(name);
    fs::remove(path_);
    Write(text, mode);
    for (const auto& key : {ReadOperatorKey(path_), ReadOrMakeOperatorKey(path_, random_)}) {
      EXPECT_TRUE(absl::IsFailedPrecondition(key.status())) << key.status();
      EXPECT_NE(key.status().message().find(why), std::string::npos) << key.status();
      EXPECT_NE(std::string(key.status().message()).find(path_), std::string::npos);
    }
  }
  fs::remove(path_);
  Write(kGood, 0600);
  EXPECT_EQ(*ReadOperatorKey(path_), kGood) << "the end of the line may be missing";
  fs::remove(path_);
  fs::create_directory(path_);
  EXPECT_FALSE(ReadOrMakeOperatorKey(path_, random_).ok()) << "a folder";
}

}  // namespace
}  // namespace astragal::base
