#include "storage/embedded_postgres.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "storage/connection.h"

namespace astragal::storage {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Steady = std::chrono::steady_clock;

constexpr char kServerUser[] = "postgres";
constexpr char kRole[] = "astragal";
constexpr milliseconds kPoll(10);

// What must hold whatever the configuration files say.
constexpr const char* kSafeSettings[] = {
    "listen_addresses=",     "unix_socket_permissions=0700", "fsync=on",
    "full_page_writes=on",   "synchronous_commit=on",        "data_sync_retry=off",
    "logging_collector=off", "log_destination=stderr"};
constexpr const char* kUsualSettings[] = {"cluster_name=astragal", "max_wal_size=2GB",
                                          "log_line_prefix=%m [%p] "};

// The last thing the server had to say.
std::string LogTail(const std::string& path) {
  return absl::StrCat("; the end of ", path, ":\n", TailOf(path, 1'500));
}

}  // namespace

EmbeddedPostgres::EmbeddedPostgres(Options options) : options_(std::move(options)) {}

EmbeddedPostgres::~EmbeddedPostgres() {
  if (absl::Status stopped = Stop(); !stopped.ok()) Log(std::string(stopped.message()));
  if (lock_ >= 0) ::close(lock_);
}

void EmbeddedPostgres::Log(std::string_view line) const {
  if (options_.log) options_.log(line);
}

absl::StatusOr<std::unique_ptr<EmbeddedPostgres>> EmbeddedPostgres::Start(Options options) {
  std::unique_ptr<EmbeddedPostgres> server(new EmbeddedPostgres(std::move(options)));
  if (absl::Status opened = server->Open(); !opened.ok()) return opened;
  return server;
}

absl::Status EmbeddedPostgres::Open() {
  std::error_code error;
  data_dir_ = fs::absolute(options_.data_dir).lexically_normal().string();
  while (data_dir_.size() > 1 && data_dir_.back() == '/') data_dir_.pop_back();
  if (!fs::exists(data_dir_)) {
    fs::create_directories(data_dir_, error);
    // The server's user must be able to pass; it cannot list.
    if (!error) ::chmod(data_dir_.c_str(), ::geteuid() == 0 ? 0711 : 0700);
  }
  if (!error) data_dir_ = fs::canonical(data_dir_, error).string();
  if (error) {
    return absl::FailedPreconditionError(
        absl::StrCat("cannot make the data directory ", data_dir_, ": ", error.message()));
  }
  paths_ = PathsBelow(data_dir_);
  socket_dir_ = SocketFolder(paths_);
  std::lock_guard guard(mutex_);
  for (const auto step : {&EmbeddedPostgres::Lock, &EmbeddedPostgres::ChooseUser,
                          &EmbeddedPostgres::ChooseBinaries, &EmbeddedPostgres::Initialise}) {
    if (absl::Status done = (this->*step)(); !done.ok()) return done;
  }
  if (const std::optional<Postmaster> running = RunningPostmaster(paths_.cluster)) {
    pid_ = running->pid;
    socket_dir_ = running->socket_dir;
    adopted_ = true;
    Log(absl::StrCat("storage: adopted the private PostgreSQL, process ", pid_));
  } else if (absl::Status launched = Launch(); !launched.ok()) {
    return launched;
  }
  absl::Status ready = AwaitReady(kStartTimeoutMs);
  if (ready.ok() || absl::IsFailedPrecondition(ready)) return ready;
  return absl::FailedPreconditionError(ready.message());
}

absl::Status EmbeddedPostgres::Lock() {
  const std::string path = data_dir_ + "/lock";
  lock_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (lock_ < 0) {
    return absl::FailedPreconditionError(absl::StrCat("cannot write into the data directory ",
                                                      data_dir_, ": ", std::strerror(errno)));
  }
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    char owner[16] = "";
    (void)!::read(lock_, owner, sizeof owner - 1);
    return absl::FailedPreconditionError(
        absl::StrCat("the data directory ", data_dir_, " is in use by process ", owner,
                     ": stop it, or choose another data directory"));
  }
  const std::string self = std::to_string(::getpid());
  (void)!::ftruncate(lock_, 0);
  (void)!::pwrite(lock_, self.data(), self.size(), 0);
  return absl::OkStatus();
}

absl::Status EmbeddedPostgres::ChooseUser() {
  struct stat found {};
  const bool exists = ::stat(paths_.cluster.c_str(), &found) == 0;
  if (::geteuid() != 0) {
    absl::StatusOr<RunUser> self = UserWithId(::geteuid());
    if (!self.ok()) return self.status();
    user_ = *std::move(self);
  } else {
    // Whoever owns a cluster goes on with it.
    absl::StatusOr<RunUser> other =
        exists && found.st_uid != 0 ? UserWithId(found.st_uid) : UserNamed(kServerUser);
    if (!other.ok()) {
      return absl::NotFoundError(absl::StrCat("PostgreSQL does not run as root, and ",
                                              std::string(other.status().message()),
                                              ": apt-get install postgresql-common"));
    }
    user_ = *std::move(other);
  }
  if (exists && found.st_uid != user_.uid) {
    return absl::FailedPreconditionError(
        absl::StrCat(paths_.cluster, " belongs to another user than ", user_.name,
                     ": start as its owner, or choose another data directory"));
  }
  if (absl::Status reachable = CheckReachable(data_dir_, user_); !reachable.ok()) return reachable;
  if (absl::Status made = MakePrivateFolder(paths_.base, user_); !made.ok()) return made;
  return MakePrivateFolder(socket_dir_, user_);
}

absl::Status EmbeddedPostgres::ChooseBinaries() {
  const int major = ClusterMajor(paths_.cluster);
  absl::StatusOr<PostgresBinaries> binaries = FindPostgres(major);
  if (binaries.ok()) {
    binaries_ = *std::move(binaries);
    return absl::OkStatus();
  }
  absl::StatusOr<PostgresBinaries> newest = FindPostgres();
  if (major == 0 || !newest.ok()) return newest.status();
  // Only its own version can read it, so both ways out begin with that.
  return absl::FailedPreconditionError(absl::StrCat(
      "the database in ", paths_.cluster, " was made by PostgreSQL ", major, "; installed is ",
      newest->major, ". Go on with the old one: apt-get install postgresql-", major,
      ". Or upgrade with both installed and the service stopped, as user ", user_.name, ": ",
      newest->folder, "/initdb -U ", kRole, " -E UTF8 --locale=C.UTF-8 -D ", paths_.cluster, ".",
      newest->major, " && ", newest->folder, "/pg_upgrade -U ", kRole, " -b /usr/lib/postgresql/",
      major, "/bin -B ", newest->folder, " -d ", paths_.cluster, " -D ", paths_.cluster, ".",
      newest->major, ", then put the new folder in the old one's place"));
}

absl::Status EmbeddedPostgres::Initialise() {
  std::error_code error;
  fs::remove_all(paths_.fresh, error);
  if (ClusterMajor(paths_.cluster) != 0) return absl::OkStatus();
  if (fs::exists(paths_.cluster)) {
    return absl::FailedPreconditionError(
        absl::StrCat(paths_.cluster,
                     " is not a PostgreSQL cluster: move it away, or choose another data "
                     "directory"));
  }
  Log("storage: making a private PostgreSQL cluster (first start)");
  Program initdb{{binaries_.folder + "/initdb", "-D", paths_.fresh, "-U", kRole, "-A", "trust",
                  "-E", "UTF8", "--locale=C.UTF-8"},
                 user_,
                 paths_.base,
                 paths_.log};
  if (options_.throw_away) initdb.arguments.emplace_back("--no-sync");
  absl::StatusOr<int> code = RunProgram(initdb, kInitTimeoutMs);
  if (!code.ok()) return code.status();
  if (*code != 0) {
    return absl::FailedPreconditionError(absl::StrCat("initdb failed", LogTail(paths_.log)));
  }
  fs::rename(paths_.fresh, paths_.cluster, error);
  if (error) return absl::FailedPreconditionError(error.message());
  return absl::OkStatus();
}

absl::Status EmbeddedPostgres::Launch() {
  std::error_code ignored;
  if (const auto size = fs::file_size(paths_.log, ignored); !ignored && size > kMaxLogBytes) {
    fs::rename(paths_.log, paths_.log + ".1", ignored);
  }
  // The file beside the socket holds the same number, and keeps a new server out in the same way.
  if (RemoveMisleadingPidFile(paths_.cluster)) {
    fs::remove(absl::StrCat(socket_dir_, "/.s.PGSQL.", kClusterPort, ".lock"), ignored);
  }
  if (absl::Status made = MakePrivateFolder(socket_dir_, user_); !made.ok()) return made;
  Program server{
      {binaries_.folder + "/postgres", "-D", paths_.cluster}, user_, paths_.base, paths_.log};
  const auto add = [&server](const std::string& setting) {
    server.arguments.insert(server.arguments.end(), {"-c", setting});
  };
  for (const char* setting : kUsualSettings) add(setting);
  add(absl::StrCat("max_connections=", options_.max_connections));
  for (const std::string& setting : options_.settings) add(setting);
  add(absl::StrCat("port=", kClusterPort));
  add(absl::StrCat("unix_socket_directories=\"", socket_dir_, "\""));
  for (const char* setting : kSafeSettings) add(setting);
  absl::StatusOr<pid_t> started = StartProgram(server);
  if (!started.ok()) return started.status();
  pid_ = *started;
  child_ = true;
  return absl::OkStatus();
}

absl::Status EmbeddedPostgres::AwaitReady(int64_t timeout_ms) {
  const Steady::time_point give_up = Steady::now() + milliseconds(timeout_ms);
  while (Steady::now() < give_up) {
    const std::optional<Postmaster> running = RunningPostmaster(paths_.cluster);
    if (running && running->pid == pid_ && running->ready) return absl::OkStatus();
    if (!Alive()) {
      // Orphans of a killed server need a moment to notice; meanwhile a new one refuses to start.
      if (TailOf(paths_.log, 2'000).find("shared memory block") == std::string::npos) {
        return absl::FailedPreconditionError(
            absl::StrCat("PostgreSQL did not start", LogTail(paths_.log)));
      }
      std::this_thread::sleep_for(milliseconds(100));
      if (absl::Status launched = Launch(); !launched.ok()) return launched;
    }
    std::this_thread::sleep_for(kPoll);
  }
  return absl::UnavailableError("the private PostgreSQL is not ready yet");
}

bool EmbeddedPostgres::Alive() {
  if (pid_ == 0) return false;
  if (child_ ? !ExitOf(pid_).has_value()
             : RunningPostmaster(paths_.cluster).value_or(Postmaster{}).pid == pid_) {
    return true;
  }
  pid_ = 0;
  return false;
}

absl::Status EmbeddedPostgres::EnsureRunning() {
  std::lock_guard guard(mutex_);
  if (stopped_) return absl::UnavailableError("the private PostgreSQL was stopped");
  if (!Alive()) {
    Log("storage: the private PostgreSQL is gone, starting it again");
    if (absl::Status launched = Launch(); !launched.ok()) return launched;
  }
  return AwaitReady(kRestartWaitMs);
}

absl::Status EmbeddedPostgres::Stop() {
  std::lock_guard guard(mutex_);
  stopped_ = true;
  if (!Alive()) return absl::OkStatus();
  absl::Status stopped =
      Signal(SIGINT, kStopTimeoutMs);  // fast: sessions end, a checkpoint is made
  if (!stopped.ok()) {
    Log("storage: the private PostgreSQL does not stop, ending it at once");
    stopped = Signal(SIGQUIT, kStopTimeoutMs);
  }
  if (socket_dir_ != paths_.base + "/socket") ::rmdir(socket_dir_.c_str());
  return stopped;
}

absl::Status EmbeddedPostgres::Signal(int signal, int64_t timeout_ms) {
  const Steady::time_point give_up = Steady::now() + milliseconds(timeout_ms);
  if (::kill(pid_, signal) != 0 && errno != ESRCH) {
    return absl::PermissionDeniedError(absl::StrCat("kill: ", std::strerror(errno)));
  }
  while (Alive()) {
    if (Steady::now() > give_up) return absl::DeadlineExceededError("PostgreSQL does not stop");
    std::this_thread::sleep_for(kPoll);
  }
  return absl::OkStatus();
}

std::string EmbeddedPostgres::Url(const std::string& database) const {
  return EmbeddedUrl(socket_dir_, database);
}

std::string EmbeddedUrl(const std::string& socket_dir, const std::string& database) {
  return absl::StrCat("host=", QuoteConnectionValue(socket_dir), " port=", kClusterPort,
                      " user=", kRole, " dbname=", QuoteConnectionValue(database));
}

pid_t EmbeddedPostgres::pid() const {
  std::lock_guard guard(mutex_);
  return pid_;
}

}  // namespace astragal::storage
