// Files, folders, versions and builds.
#include "plugins/host/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <chrono>
#include <thread>

#include "plugins/host/sha256.h"
#include "tests/plugins/host/folder.h"

namespace astragal::host {
namespace {

class CatalogTest : public testing::Test {
 protected:
  void Put(const std::string& kind, const std::string& name) {
    std::filesystem::copy_file(OddPath(kind), plugins_ + "/" + name,
                               std::filesystem::copy_options::overwrite_existing);
  }
  // As if the file had been written so many seconds after the others.
  void Later(const std::string& name, int seconds) {
    const std::filesystem::path path = plugins_ + "/" + name;
    std::filesystem::last_write_time(
        path, std::filesystem::last_write_time(path) + std::chrono::seconds(seconds));
  }
  LoadReport Load() { return catalog_.Load(plugins_).value(); }
  static std::string Sha(const std::string& kind) { return Sha256Hex(ReadFile(OddPath(kind))); }
  std::string Stored(const std::string& kind) { return StoredPath(folder_ / "store", Sha(kind)); }

  // The only refusal of a load.
  Refusal Refused() {
    const LoadReport report = Load();
    EXPECT_EQ(report.refused.size(), 1u) << report.ToString();
    return report.refused.empty() ? Refusal::kProbeFailed : report.refused[0].refusal;
  }

  const Folder folder_;
  const std::string plugins_ = folder_.Sub("plugins");
  const CatalogOptions options_{folder_ / "store", ProbePath(), absl::Seconds(20)};
  Catalog catalog_{options_};
};

TEST_F(CatalogTest, LoadsWhatIsNamedLikeALibraryAndNothingElse) {
  Put("good", "libtiny.so");
  Put("twin", "libtwin.so");
  Put("good", "tiny.so");
  Put("good", "libtiny.so.bak");
  WriteFile(plugins_ + "/notes.txt", "x");
  const LoadReport report = Load();
  EXPECT_EQ(report.loaded.size(), 2u) << report.ToString();
  EXPECT_TRUE(report.refused.empty()) << report.ToString();
  ASSERT_NE(catalog_.Find("tiny"), nullptr);
  EXPECT_EQ(catalog_.Find("tiny")->build().sha256, Sha("good"));
  EXPECT_EQ(catalog_.Find("tiny")->build().path, Stored("good"));
  EXPECT_EQ(catalog_.FindBuild(Sha("twin"))->about().id, "twin");
  EXPECT_EQ(catalog_.Find("nothing"), nullptr);
  EXPECT_EQ(catalog_.Find("tiny", 7), nullptr);
  EXPECT_EQ(catalog_.FindBuild("nothing"), nullptr);
  EXPECT_THAT(report.ToString(), testing::HasSubstr("libtwin.so: twin rules 1 build"));
}

TEST_F(CatalogTest, ProgramIsFoundNextToTests) {
  Catalog catalog({folder_ / "store2", "", absl::Seconds(20)});
  Put("good", "libtiny.so");
  EXPECT_TRUE(catalog.Load(plugins_)->refused.empty());
}

TEST_F(CatalogTest, WithoutTheProbeNothingIsLoaded) {
  Put("good", "libtiny.so");
  Catalog catalog({folder_ / "store", folder_ / "no_such_program", absl::Seconds(20)});
  EXPECT_EQ(catalog.Load(plugins_)->refused.at(0).refusal, Refusal::kProbeFailed);
}

TEST_F(CatalogTest, AMissingFolderIsNotFound) {
  EXPECT_EQ(catalog_.Load(folder_ / "nowhere").status().code(), absl::StatusCode::kNotFound);
}

TEST_F(CatalogTest, FilesThatAreNoLibraries) {
  const std::string file = plugins_ + "/libodd.so";
  const std::string good = ReadFile(OddPath("good"));
  const auto changed = [&](size_t at, char byte) {
    std::string bytes = good;
    bytes[at] = byte;
    return bytes;
  };
  struct {
    const char* name;
    std::string bytes;
    Refusal refusal;
  } const cases[] = {
      {"empty", "", Refusal::kNotElf},
      {"text", "#!/bin/sh\n", Refusal::kNotElf},
      {"magic only", good.substr(0, 4), Refusal::kTruncated},
      {"half a header", good.substr(0, 30), Refusal::kTruncated},
      {"header only", good.substr(0, 64), Refusal::kTruncated},
      {"half", good.substr(0, good.size() / 2), Refusal::kTruncated},
      {"all but one byte", good.substr(0, good.size() - 1), Refusal::kTruncated},
      {"32 bits", changed(4, 1), Refusal::kWrongArchitecture},
      {"big-endian", changed(5, 2), Refusal::kWrongArchitecture},
      {"another machine", changed(18, 0x28), Refusal::kWrongArchitecture},
      {"an executable", changed(16, 2), Refusal::kNotLibrary},
      {"an object file", changed(16, 1), Refusal::kNotLibrary},
      {"a program", ReadFile(ProbePath()), Refusal::kCannotLoad},
  };
  for (const auto& c : cases) {
    WriteFile(file, c.bytes);
    EXPECT_EQ(RefusalName(Refused()), RefusalName(c.refusal)) << c.name;
  }
  std::filesystem::resize_file(file, kMaxLibraryBytes + 1);
  EXPECT_EQ(Refused(), Refusal::kTooLarge);
}

TEST_F(CatalogTest, ThingsThatAreNoFiles) {
  const std::string file = plugins_ + "/libodd.so";
  std::filesystem::create_directory(file);
  EXPECT_EQ(Refused(), Refusal::kNotRegularFile);
  std::filesystem::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_EQ(Refused(), Refusal::kNotRegularFile);
  std::filesystem::remove(file);
  std::filesystem::create_symlink("gone.so", file);
  EXPECT_EQ(Refused(), Refusal::kUnreadable);
  std::filesystem::remove(file);
  std::filesystem::create_symlink(OddPath("good"), file);
  EXPECT_EQ(Load().loaded.size(), 1u);
}

TEST_F(CatalogTest, WhatAnybodyMayWriteIsRefused) {
  Put("good", "libtiny.so");
  chmod((plugins_ + "/libtiny.so").c_str(), 0666);
  EXPECT_EQ(Refused(), Refusal::kWorldWritable);
  chmod((plugins_ + "/libtiny.so").c_str(), 0644);
  chmod(plugins_.c_str(), 0777);
  EXPECT_EQ(Refused(), Refusal::kWorldWritable);
  chmod(plugins_.c_str(), 0755);
  std::filesystem::create_directory(folder_ / "store");
  chmod((folder_ / "store").c_str(), 0777);
  EXPECT_EQ(Refused(), Refusal::kStoreFailed);
  chmod((folder_ / "store").c_str(), 0755);
  EXPECT_EQ(Load().loaded.size(), 1u);
}

TEST_F(CatalogTest, AStoreThatCannotBeWrittenIsSaid) {
  Put("good", "libtiny.so");
  WriteFile(folder_ / "store", "a file where a folder should be");
  EXPECT_EQ(Refused(), Refusal::kStoreFailed);
}

TEST_F(CatalogTest, ADamagedCopyIsReplaced) {
  Put("good", "libtiny.so");
  std::filesystem::create_directories(std::filesystem::path(Stored("good")).parent_path());
  WriteFile(Stored("good"), "not what the hash says");
  EXPECT_EQ(Load().loaded.size(), 1u);
  EXPECT_EQ(ReadFile(Stored("good")), ReadFile(OddPath("good")));
}

TEST_F(CatalogTest, RulesVersionsStandSideBySide) {
  Put("version_2", "libtiny2.so");
  Put("good", "libtiny1.so");
  Load();
  EXPECT_EQ(catalog_.Find("tiny")->about().rules_version, 2u);
  EXPECT_EQ(catalog_.Find("tiny", 1)->build().sha256, Sha("good"));
  EXPECT_EQ(catalog_.Find("tiny", 2)->build().sha256, Sha("version_2"));
  ASSERT_EQ(catalog_.List().size(), 2u);
  EXPECT_EQ(catalog_.List()[0]->about().rules_version, 2u);
  // Both play.
  for (const uint32_t version : {1u, 2u}) {
    const auto ruleset = catalog_.Find("tiny", version);
    EXPECT_TRUE(ruleset->Start(ruleset->about().presets[0].values).ok());
  }
}

TEST_F(CatalogTest, OfTwoBuildsTheNewestIsPreferredAndBothStay) {
  Put("good", "libb.so");
  Put("rebuilt", "liba.so");
  Later("liba.so", 10);
  Load();
  EXPECT_EQ(catalog_.Find("tiny")->build().sha256, Sha("rebuilt"));
  EXPECT_NE(catalog_.FindBuild(Sha("good")), nullptr);
  Later("libb.so", 20);
  const LoadReport again = Load();
  EXPECT_EQ(again.loaded.size(), 2u);
  EXPECT_TRUE(again.loaded[0].was_loaded && again.loaded[1].was_loaded);
  EXPECT_EQ(catalog_.Find("tiny", 1)->build().sha256, Sha("good"));
  EXPECT_EQ(catalog_.List().size(), 2u);
}

TEST_F(CatalogTest, AnotherBuildGoesOnWithAGame) {
  Put("good", "libtiny.so");
  Load();
  const auto old = catalog_.Find("tiny");
  Position position = old->Start(old->about().presets[1].values).value();
  ASSERT_TRUE(old->Apply(position, kChance, ChanceAction(0, 0)).ok());
  Put("rebuilt", "libtiny.so");
  Load();
  const auto now = catalog_.Find("tiny", 1);
  EXPECT_NE(now, old);
  Position there = now->FromBytes(position.bytes()).value();
  EXPECT_TRUE(now->Apply(there, 0, 0).ok());
  EXPECT_TRUE(old->Apply(position, 0, 0).ok());
  EXPECT_EQ(there, position);
}

// The file is overwritten in place, in the worst way: what runs must not notice.
TEST_F(CatalogTest, OverwritingAFileUnderARunningProcessIsHarmless) {
  Put("good", "libtiny.so");
  Load();
  const auto running = catalog_.Find("tiny");
  WriteFile(plugins_ + "/libtiny.so", std::string(100000, '\0'));
  for (const Preset& preset : running->about().presets) {
    Position position = running->Start(preset.values).value();
    EXPECT_TRUE(running->Apply(position, kChance, ChanceAction(0, 2)).ok());
    EXPECT_TRUE(running->Text(position).ok());
  }
  EXPECT_EQ(Refused(), Refusal::kNotElf);
  EXPECT_EQ(catalog_.Find("tiny"), running);
  std::filesystem::remove(plugins_ + "/libtiny.so");
  Put("version_2", "libtiny.so");
  Load();
  EXPECT_EQ(catalog_.Find("tiny")->about().rules_version, 2u);
  EXPECT_EQ(catalog_.Find("tiny", 1), running);
}

// The store keeps every build by its hash: what an operator copies back goes on with its games.
TEST_F(CatalogTest, OldBuildsComeBackFromTheStore) {
  Put("version_2", "libtiny.so");
  Load();
  std::filesystem::remove(plugins_ + "/libtiny.so");
  Put("good", "libtiny.so");
  Catalog later(options_);
  ASSERT_TRUE(later.Load(plugins_).ok());
  EXPECT_EQ(later.Find("tiny", 2), nullptr);
  ASSERT_EQ(Sha256Hex(ReadFile(Stored("version_2"))), Sha("version_2"));
  std::filesystem::copy_file(Stored("version_2"), plugins_ + "/libtiny_2.so");
  const LoadReport report = later.Load(plugins_).value();
  EXPECT_TRUE(report.refused.empty()) << report.ToString();
  ASSERT_NE(later.Find("tiny", 2), nullptr);
  EXPECT_EQ(later.Find("tiny", 2)->build().sha256, Sha("version_2"));
  EXPECT_EQ(later.Find("tiny", 1)->build().sha256, Sha("good"));
}

TEST_F(CatalogTest, RetiredBuildsGetNoGames) {
  Put("good", "libb.so");
  Put("rebuilt", "liba.so");
  Later("liba.so", 10);
  Load();
  EXPECT_TRUE(catalog_.Retire(Sha("rebuilt")).ok());
  EXPECT_EQ(catalog_.Find("tiny", 1)->build().sha256, Sha("good"));
  EXPECT_TRUE(catalog_.Retire(Sha("good")).ok());
  EXPECT_EQ(catalog_.Find("tiny"), nullptr);
  EXPECT_TRUE(catalog_.IsRetired(Sha("good")));
  EXPECT_NE(catalog_.FindBuild(Sha("good")), nullptr);
  EXPECT_EQ(catalog_.List().size(), 2u);
  EXPECT_EQ(catalog_.Retire("nothing").code(), absl::StatusCode::kNotFound);
  Load();
  EXPECT_NE(catalog_.Find("tiny"), nullptr);
  EXPECT_FALSE(catalog_.IsRetired(Sha("good")));
}

// Both have a global type `Position` with the same members; only the number of coins differs.
TEST_F(CatalogTest, TypesOfTheSameNameDoNotMeet) {
  Put("good", "libtiny.so");
  Put("twin", "libtwin.so");
  Load();
  const auto tiny = catalog_.Find("tiny");
  const auto twin = catalog_.Find("twin");
  ASSERT_NE(twin, nullptr);
  const auto coins = [](const Ruleset& ruleset) {
    const Position position = ruleset.Start({6, 1, 0}).value();
    return ruleset.Counters(position)->at(0).value;
  };
  EXPECT_EQ(coins(*tiny), 5);
  EXPECT_EQ(coins(*twin), 9);
  const Position position = twin->Start({6, 1, 0}).value();
  EXPECT_EQ(ReasonOf(tiny->FromBytes(position.bytes()).status()), kBadNotation);
}

TEST_F(CatalogTest, APluginOfTheOtherCompilerPlaysTheSame) {
  if (!std::filesystem::exists(OddPath("other_compiler"))) {
    GTEST_SKIP() << "there is no other compiler here, or this is a build with sanitizers";
  }
  Put("other_compiler", "libother.so");
  Put("good", "libtiny.so");
  const LoadReport report = Load();
  EXPECT_TRUE(report.refused.empty()) << report.ToString();
  const auto other = catalog_.Find("other");
  const auto tiny = catalog_.Find("tiny");
  ASSERT_NE(other, nullptr);
  Position a = other->Start({9, 1, 1}).value();
  Position b = tiny->Start({9, 1, 1}).value();
  for (int step = 0; tiny->Actor(b) != kOver; ++step) {
    const int actor = tiny->Actor(b);
    ASSERT_EQ(other->Actor(a), actor);
    const int64_t action = actor == kChance ? ChanceAction(0, step % 3) : tiny->Actions(b)->at(0);
    ASSERT_TRUE(other->Apply(a, actor, action).ok());
    ASSERT_TRUE(tiny->Apply(b, actor, action).ok());
    ASSERT_EQ(a, b) << "after step " << step;
  }
}

TEST_F(CatalogTest, FindingGoesOnWhileFilesAreLoaded) {
  Put("good", "libtiny.so");
  Load();
  std::atomic<bool> done{false};
  std::atomic<int> lost{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (!done) {
        if (catalog_.Find("tiny") == nullptr || catalog_.List().empty()) ++lost;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
  }
  threads.emplace_back([&] { EXPECT_TRUE(catalog_.Load(plugins_).ok()); });
  Put("version_2", "libtiny2.so");
  Put("twin", "libtwin.so");
  EXPECT_TRUE(catalog_.Load(plugins_)->refused.empty());
  threads.back().join();
  threads.pop_back();
  done = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(lost, 0);
  EXPECT_EQ(catalog_.List().size(), 3u);
}

}  // namespace
}  // namespace astragal::host
