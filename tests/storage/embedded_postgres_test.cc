// The private PostgreSQL: made, stopped, adopted, recovered, and every way in which it says no.
#include "storage/embedded_postgres.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "absl/strings/str_cat.h"
#include "storage/database.h"
#include "tests/storage/games_for_tests.h"
#include "tests/support/test_folder.h"

namespace astragal::storage {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class EmbeddedPostgresTest : public testing::Test {
 protected:
  // One initdb for all tests but the first, which makes a cluster as a first start does.
  static void SetUpTestSuite() {
    master_ = new tests::TestFolder();
    EmbeddedPostgres::Options options;
    options.data_dir = master_->path();
    options.throw_away = true;
    ASSERT_TRUE(EmbeddedPostgres::Start(std::move(options)).ok());
  }
  static void TearDownTestSuite() { delete master_; }
  // As after an earlier start that ended well.
  void StartedBefore() {
    fs::create_directories(data_);
    ::chmod(data_.c_str(), 0711);
    const std::string copy = absl::StrCat("cp -a ", master_->path(), "/database \"", data_, "\"");
    ASSERT_EQ(std::system(copy.c_str()), 0);
  }

  EmbeddedPostgres::Options Options() {
    EmbeddedPostgres::Options options;
    options.data_dir = data_;
    options.throw_away = true;
    return options;
  }
  absl::StatusOr<std::unique_ptr<Database>> Open() {
    Database::Options options;
    options.data_dir = data_;
    options.node = "test";
    return Database::Open(std::move(options));
  }
  static std::string Message(const absl::Status& status) { return std::string(status.message()); }

  // Runs `work` in another process, which then kills itself without a farewell.
  template <typename Work>
  void RunAndKill(Work work) {
    const pid_t child = ::fork();
    if (child == 0) {
      work();
      ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
  }

  static inline tests::TestFolder* master_ = nullptr;
  tests::TestFolder folder_;
  std::string data_ = folder_.path() + "/data";
  ClusterPaths paths_ = PathsBelow(data_);
};

TEST_F(EmbeddedPostgresTest, ItIsMadeOnFirstStartAndStopsWithItsOwner) {
  tests::GameMaker make;
  const GameCommit created = make.Create();
  pid_t server = 0;
  {
    const auto database = Open();
    ASSERT_TRUE(database.ok()) << database.status();
    ASSERT_TRUE((*database)->Health().ok());
    ASSERT_TRUE((*database)->games().Commit({created}).ok());
    server = (*database)->embedded()->pid();
    EXPECT_FALSE((*database)->embedded()->adopted());
    // A session of its own, so that a Ctrl-C at our terminal does not reach it.
    EXPECT_EQ(::getsid(server), server);
    struct stat found {};
    ASSERT_EQ(::stat(paths_.cluster.c_str(), &found), 0);
    EXPECT_NE(found.st_uid, 0u) << "PostgreSQL must not run as root";
    EXPECT_EQ(found.st_mode & 0077, 0u);
    // Nothing of ours is open in it but the log.
    for (const auto& entry : fs::directory_iterator(absl::StrCat("/proc/", server, "/fd"))) {
      EXPECT_NE(fs::read_symlink(entry.path()).string(), data_ + "/lock");
    }
  }
  EXPECT_NE(::kill(server, 0), 0);
  EXPECT_FALSE(RunningPostmaster(paths_.cluster).has_value());
  const auto again = Open();
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ((*again)->games().Events(created.head.id, 0, 10).value(), created.events);
}

TEST_F(EmbeddedPostgresTest, OneLeftBehindByAKillIsAdoptedAndThenStopped) {
  StartedBefore();
  RunAndKill([this] {
    auto server = EmbeddedPostgres::Start(Options());
    if (!server.ok()) ::_exit(1);
    (void)server->release();  // nobody says goodbye to it
  });
  const std::optional<Postmaster> left = RunningPostmaster(paths_.cluster);
  ASSERT_TRUE(left.has_value());
  {
    auto adopted = EmbeddedPostgres::Start(Options());
    ASSERT_TRUE(adopted.ok()) << adopted.status();
    EXPECT_TRUE((*adopted)->adopted());
    EXPECT_EQ((*adopted)->pid(), left->pid);
    EXPECT_TRUE(Connection::Open({(*adopted)->Url("postgres")}).ok());
    // An adopted one is watched like our own.
    ::kill(left->pid, SIGKILL);
    while (::kill(left->pid, 0) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    absl::Status back;
    for (int tries = 0; tries < 10 && !(back = (*adopted)->EnsureRunning()).ok(); ++tries) {
    }
    ASSERT_TRUE(back.ok()) << back;
    EXPECT_NE((*adopted)->pid(), left->pid);
    EXPECT_TRUE(Connection::Open({(*adopted)->Url("postgres")}).ok());
  }
  EXPECT_FALSE(RunningPostmaster(paths_.cluster).has_value());
}

TEST_F(EmbeddedPostgresTest, OneThatDiesIsStartedAgainByTheNextCall) {
  StartedBefore();
  const auto database = Open();
  ASSERT_TRUE(database.ok()) << database.status();
  tests::GameMaker make;
  const GameCommit created = make.Create();
  ASSERT_TRUE((*database)->games().Commit({created}).ok());
  ::kill((*database)->embedded()->pid(), SIGKILL);
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  absl::Status health;
  while (!(health = (*database)->Health()).ok() && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_TRUE(health.ok()) << health;
  EXPECT_EQ((*database)->games().Events(created.head.id, 0, 10).value(), created.events);
}

TEST_F(EmbeddedPostgresTest, APidFileThatNowNamesAnotherProgramDoesNotMislead) {
  StartedBefore();
  for (const std::string& pid : {std::to_string(::getpid()), std::string("1"),
                                 std::string("2147483000"), std::string("garbage")}) {
    std::ofstream(paths_.cluster + "/postmaster.pid") << pid << "\n"
                                                      << paths_.cluster << "\n0\n5432\n"
                                                      << paths_.base << "/socket\n\n  0 0\nready\n";
    const auto server = EmbeddedPostgres::Start(Options());
    if (pid == "garbage") {
      // PostgreSQL itself refuses it; we say where to look.
      EXPECT_THAT(Message(server.status()), HasSubstr("postmaster.pid"));
    } else {
      ASSERT_TRUE(server.ok()) << pid << ": " << server.status();
      EXPECT_FALSE((*server)->adopted());
    }
  }
}

TEST_F(EmbeddedPostgresTest, ASecondServiceOnOneDataDirectoryIsRefused) {
  StartedBefore();
  const auto first = EmbeddedPostgres::Start(Options());
  ASSERT_TRUE(first.ok()) << first.status();
  const absl::Status second = EmbeddedPostgres::Start(Options()).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(second));
  EXPECT_THAT(Message(second), HasSubstr(absl::StrCat("in use by process ", ::getpid())));
  EXPECT_TRUE((*first)->EnsureRunning().ok());
}

TEST_F(EmbeddedPostgresTest, AnotherMajorVersionIsRefusedWithTheWayOut) {
  StartedBefore();
  std::ofstream(paths_.cluster + "/PG_VERSION") << "9\n";
  const absl::Status refused = EmbeddedPostgres::Start(Options()).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused));
  EXPECT_THAT(Message(refused), HasSubstr("made by PostgreSQL 9"));
  EXPECT_THAT(Message(refused), HasSubstr("pg_upgrade"));
  EXPECT_THAT(Message(refused), HasSubstr(paths_.cluster));
}

TEST_F(EmbeddedPostgresTest, AnInitdbThatNeverFinishedIsMadeAnew) {
  StartedBefore();
  fs::rename(paths_.cluster, paths_.fresh);
  fs::remove(paths_.fresh + "/PG_VERSION");
  const auto server = EmbeddedPostgres::Start(Options());
  EXPECT_TRUE(server.ok()) << server.status();
  EXPECT_FALSE(fs::exists(paths_.fresh));
}

TEST_F(EmbeddedPostgresTest, AFolderThatIsNoClusterIsLeftAlone) {
  StartedBefore();
  fs::remove(paths_.cluster + "/PG_VERSION");
  const absl::Status refused = EmbeddedPostgres::Start(Options()).status();
  EXPECT_THAT(Message(refused), HasSubstr("is not a PostgreSQL cluster"));
  EXPECT_TRUE(fs::exists(paths_.cluster + "/postgresql.conf"));
}

TEST_F(EmbeddedPostgresTest, ALongOrOddPathWorks) {
  const std::string shallow = data_;
  for (const std::string& name : {std::string(150, 'd'), std::string("with blank 'and' quote")}) {
    data_ = shallow + "/" + name;
    StartedBefore();
    std::string url;
    {
      const auto server = EmbeddedPostgres::Start(Options());
      ASSERT_TRUE(server.ok()) << server.status();
      url = (*server)->Url("postgres");
      const auto connection = Connection::Open({url});
      EXPECT_TRUE(connection.ok()) << connection.status();
    }
    const size_t start = url.find("/tmp/astragal-");
    if (name.size() < 100 || start == std::string::npos) continue;
    EXPECT_FALSE(fs::exists(url.substr(start, url.find('\'', start) - start)));
  }
}

TEST_F(EmbeddedPostgresTest, FoldersOfOthersAreRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to make folders of others";
  fs::create_directories(data_);
  ::chmod(data_.c_str(), 0700);
  EXPECT_THAT(Message(EmbeddedPostgres::Start(Options()).status()),
              HasSubstr(absl::StrCat("may not pass ", data_)));
  ::chmod(data_.c_str(), 0711);
  fs::create_directories(paths_.cluster);  // root's
  EXPECT_THAT(Message(EmbeddedPostgres::Start(Options()).status()),
              HasSubstr("belongs to another user"));
}

TEST_F(EmbeddedPostgresTest, ItsFilesCannotSwitchDurabilityOff) {
  StartedBefore();
  std::ofstream(paths_.cluster + "/postgresql.auto.conf", std::ios::app)
      << "fsync = off\nfull_page_writes = off\nsynchronous_commit = off\nlisten_addresses = '*'\n";
  const auto server = EmbeddedPostgres::Start(Options());
  ASSERT_TRUE(server.ok()) << server.status();
  const auto connection = Connection::Open({(*server)->Url("postgres")});  // checks the settings
  ASSERT_TRUE(connection.ok()) << connection.status();
  EXPECT_EQ((*connection)->Script("SHOW listen_addresses")->Text(0, 0), "");
}

}  // namespace
}  // namespace astragal::storage
