// A line on standard error that shows how far a long command is; silent where nobody looks.
// Used by one thread.
#ifndef ASTRAGAL_SERVICES_CLI_PROGRESS_H_
#define ASTRAGAL_SERVICES_CLI_PROGRESS_H_

#include <cstdint>
#include <ostream>
#include <string>

#include "absl/time/time.h"

namespace astragal::cli {

class Progress {
 public:
  static constexpr absl::Duration kEvery = absl::Milliseconds(200);

  // `what` is counted, for example "games".
  Progress(std::ostream& err, std::string what);
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `all` 0: nobody knows.
  void Show(uint64_t done, uint64_t all);
  // Makes room for another line.
  void Clear();

 private:
  std::ostream& err_;
  const std::string what_;
  const bool shown_;
  const absl::Time began_;
  absl::Time last_;
  size_t width_ = 0;
};

// "[#####.....]  50 %  1,234 of 2,468 games, 617 a second".
std::string ProgressText(uint64_t done, uint64_t all, const std::string& what, double seconds);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_PROGRESS_H_
