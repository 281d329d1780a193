// Lines from a file descriptor, without ever waiting for more than one read: what an interactive
// program needs when it listens to a game at the same time.
#ifndef ASTRAGAL_SERVICES_CLI_LINES_H_
#define ASTRAGAL_SERVICES_CLI_LINES_H_

#include <cstddef>
#include <deque>
#include <string>

namespace astragal::cli {

// Not thread-safe. Does not own the descriptor.
class Lines {
 public:
  // Longer lines are cut: no move is that long.
  static constexpr size_t kMaxLength = 4'096;

  explicit Lines(int fd) : fd_(fd) {}

  int fd() const { return fd_; }
  // Reads once; waits if there is nothing. A last line without a line break counts.
  void Read();
  bool HasLine() const { return !lines_.empty(); }
  // The next line, without white space at its ends; HasLine must be true.
  const std::string& Front() const { return lines_.front(); }
  std::string Take();
  // No more will come.
  bool at_end() const { return at_end_; }
  // Waits for a whole line; false at the end.
  bool Wait();

 private:
  void Put(char c);
  void EndLine();

  const int fd_;
  std::string partial_;
  std::deque<std::string> lines_;
  bool at_end_ = false;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_LINES_H_
