// A program under test: started with pipes, driven and read like a person would.
//
// Owns the process; destruction kills it. Not thread-safe.
#ifndef ASTRAGAL_TESTS_SERVICES_CLI_PROGRAM_H_
#define ASTRAGAL_TESTS_SERVICES_CLI_PROGRAM_H_

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace astragal::tests {

class Program {
 public:
  using Environment = std::map<std::string, std::string>;

  // `environment` is added to that of the test. Standard output and error come through one pipe.
  Program(const std::vector<std::string>& words, const Environment& environment);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void Type(const std::string& text);
  void EndInput();
  // Waits until `text` is among what was printed since the last call that found something; false
  // after `limit_s` seconds or when the program ended without it.
  bool WaitFor(const std::string& text, int limit_s = 60);
  // What the last WaitFor passed, up to the end of its text.
  const std::string& passed() const { return passed_; }
  // Everything printed so far.
  const std::string& output() const { return output_; }
  void Signal(int number);
  // Ends the input, waits for the end and returns the exit code; -1 after `limit_s` seconds (the
  // program is killed then), 128 + the signal's number when one ended it.
  int Wait(int limit_s = 60);
  bool is_running();

 private:
  bool ReadSome(int limit_ms);
  bool Reap(bool wait);

  pid_t pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  int code_ = -1;
  std::string output_;
  size_t cursor_ = 0;
  std::string passed_;
};

// A folder of its own below the system's temporary one that other users may enter; deleted at the
// end.
class Folder {
 public:
  explicit Folder(const std::string& name);
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A port of this machine that nobody listened on a moment ago.
int FreePort();

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_CLI_PROGRAM_H_
