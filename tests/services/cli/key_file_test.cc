// Keys on disk: who can read them, what is found, what two programs at once leave behind.
#include "services/cli/key_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace astragal::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kHere[] = "127.0.0.1:7420";
constexpr char kThere[] = "example.net:443";

class KeyFileTest : public testing::Test {
 protected:
  KeyFileTest() {
    std::string name = testing::TempDir() + "key_file_test.XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~KeyFileTest() override { std::filesystem::remove_all(folder_); }

  std::string Path() const { return folder_ + "/config/astragal/keys"; }
  KeyFile File() const { return KeyFile(Path()); }
  void Write(const std::string& text, mode_t mode) {
    std::filesystem::create_directories(folder_ + "/config/astragal");
    std::ofstream(Path()) << text;
    chmod(Path().c_str(), mode);
  }
  static std::vector<std::string> Names(const KeyFile& file, const std::string& server) {
    std::vector<std::string> names;
    const auto players = file.List(server);
    EXPECT_TRUE(players.ok()) << players.status();
    for (const StoredPlayer& player : *players) {
      names.push_back(player.name + (player.current ? "*" : ""));
    }
    return names;
  }

  std::string folder_;
};

TEST_F(KeyFileTest, NothingIsFoundWithoutAFile) {
  EXPECT_THAT(Names(File(), kHere), IsEmpty());
  const auto found = File().Find(kHere, "");
  ASSERT_TRUE(found.ok());
  EXPECT_FALSE(found->has_value());
}

TEST_F(KeyFileTest, ANewPlayerIsTheCurrentOneOfItsServerAlone) {
  ASSERT_TRUE(File().Add(kHere, {"alice", "p1", "ast_1"}).ok());
  ASSERT_TRUE(File().Add(kHere, {"bob", "p2", "ast_2"}).ok());
  ASSERT_TRUE(File().Add(kThere, {"alice", "p3", "ast_3"}).ok());
  EXPECT_THAT(Names(File(), kHere), ElementsAre("alice", "bob*"));
  EXPECT_THAT(Names(File(), kThere), ElementsAre("alice*"));
  EXPECT_EQ((*File().Find(kHere, ""))->key, "ast_2");
  EXPECT_EQ((*File().Find(kHere, "ALICE"))->key, "ast_1");
  EXPECT_EQ((*File().Find(kThere, ""))->player_id, "p3");
}

TEST_F(KeyFileTest, AnotherPlayerCanBeUsed) {
  ASSERT_TRUE(File().Add(kHere, {"alice", "p1", "ast_1"}).ok());
  ASSERT_TRUE(File().Add(kHere, {"bob", "p2", "ast_2"}).ok());
  ASSERT_TRUE(File().Use(kHere, "Alice").ok());
  EXPECT_THAT(Names(File(), kHere), ElementsAre("alice*", "bob"));
  const absl::Status unknown = File().Use(kHere, "carol");
  EXPECT_EQ(unknown.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(unknown.message()), HasSubstr("player list"));
}

TEST_F(KeyFileTest, APlayerAddedAgainReplacesTheOldKey) {
  ASSERT_TRUE(File().Add(kHere, {"alice", "p1", "ast_1"}).ok());
  ASSERT_TRUE(File().Add(kHere, {"Alice", "p9", "ast_9"}).ok());
  EXPECT_THAT(Names(File(), kHere), ElementsAre("Alice*"));
  EXPECT_EQ((*File().Find(kHere, "alice"))->key, "ast_9");
}

TEST_F(KeyFileTest, OnlyTheOwnerCanReadIt) {
  ASSERT_TRUE(File().Add(kHere, {"alice", "p1", "ast_1"}).ok());
  struct stat facts {};
  ASSERT_EQ(stat(Path().c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
}

TEST_F(KeyFileTest, AFileThatOthersCanReadIsRefusedWithTheCure) {
  Write(R"({"servers": {}})", 0644);
  const auto found = File().Find(kHere, "");
  EXPECT_EQ(found.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(found.status().message()), HasSubstr("chmod 600"));
}

TEST_F(KeyFileTest, WhatIsNoKeyFileIsRefusedAndLeftAlone) {
  for (const std::string text :
       {"", "hello", "[]", R"({"servers": []})", R"({"servers": {"a": 1}})",
        R"({"servers": {"a": {"players": {"x": {"key": 1}}}}})",
        R"({"servers": {"a": {"players": {}, "current": 7}}})"}) {
    Write(text, 0600);
    EXPECT_EQ(File().List(kHere).status().code(), absl::StatusCode::kFailedPrecondition) << text;
    EXPECT_FALSE(File().Add(kHere, {"alice", "p1", "ast_1"}).ok()) << text;
    std::ifstream file(Path());
    EXPECT_EQ(std::string((std::istreambuf_iterator<char>(file)), {}), text);
  }
}

TEST_F(KeyFileTest, AnUnwritablePlaceIsFoundOutBeforehand) {
  std::ofstream(folder_ + "/config") << "a file where the folder should be";
  EXPECT_EQ(File().CheckWritable().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(KeyFileTest, ProgramsAtOnceLoseNothing) {
  constexpr int kThreads = 8;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([this, i] {
      const std::string name = "player" + std::to_string(i);
      EXPECT_TRUE(File().Add(kHere, {name, "p", "k"}).ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Names(File(), kHere).size(), size_t{kThreads});
}

TEST(KeyFilePathTest, FollowsTheEnvironment) {
  setenv("HOME", "/users/alice", 1);
  unsetenv("XDG_CONFIG_HOME");
  EXPECT_EQ(KeyFile::DefaultPath(), "/users/alice/.config/astragal/keys");
  setenv("XDG_CONFIG_HOME", "/etc/alice", 1);
  EXPECT_EQ(KeyFile::DefaultPath(), "/etc/alice/astragal/keys");
  setenv("XDG_CONFIG_HOME", "relative paths are to be ignored", 1);
  EXPECT_EQ(KeyFile::DefaultPath(), "/users/alice/.config/astragal/keys");
}

}  // namespace
}  // namespace astragal::cli
