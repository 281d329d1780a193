#include "tests/support/test_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace astragal::tests {
namespace {

// Waits until nobody holds the pipe any more, then ends each server below the folder ($1) whose
// working directory it is, and removes the folder.
constexpr char kCleaner[] =
    "cat >/dev/null\n"
    "for file in \"$1\"/postmaster.pid \"$1\"/*/postmaster.pid \"$1\"/*/*/postmaster.pid"
    " \"$1\"/*/*/*/postmaster.pid; do\n"
    "  [ -f \"$file\" ] || continue\n"
    "  read -r pid <\"$file\"\n"
    "  case $(readlink \"/proc/$pid/cwd\") in \"$1\"/*) kill -QUIT \"$pid\";; *) continue;; esac\n"
    "  tries=0\n"
    "  while [ -d \"/proc/$pid\" ] && [ $tries -lt 100 ]; do sleep 0.05; tries=$((tries + 1)); "
    "done\n"
    "done\n"
    "rm -rf \"$1\"\n";

[[noreturn]] void Give(const char* what) {
  std::perror(what);
  std::abort();
}

}  // namespace

TestFolder::TestFolder() {
  char name[] = "/tmp/astragal-test-XXXXXX";
  if (::mkdtemp(name) == nullptr) Give("mkdtemp");
  path_ = name;
  ::chmod(name, 0711);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) Give("pipe2");
  helper_ = ::fork();
  if (helper_ < 0) Give("fork");
  if (helper_ == 0) {
    ::setsid();
    ::dup2(ends[0], 0);
    const int nothing = ::open("/dev/null", O_WRONLY);
    ::dup2(nothing, 1);
    ::dup2(nothing, 2);
    ::close_range(3, ~0U, 0);
    ::execl("/bin/sh", "sh", "-c", kCleaner, "sh", path_.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(ends[0]);
  alive_ = ends[1];
}

TestFolder::~TestFolder() {
  ::close(alive_);
  ::waitpid(helper_, nullptr, 0);
}

}  // namespace astragal::tests
