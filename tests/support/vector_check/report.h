// What vector_check found: how many records agree, and every difference as it is found.
//
// A subcommand calls Begin() before each record, then Differ() for each thing that is wrong with
// it. A record without a difference agrees. Not thread-safe.
#ifndef ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_REPORT_H_
#define ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_REPORT_H_

#include <ostream>
#include <string>

namespace astragal::vector_check {

class Report {
 public:
  explicit Report(std::ostream& out) : out_(out) {}

  void Begin(const std::string& record) {
    record_ = record;
    ++records_;
    differs_ = false;
  }

  // One line; long lists are cut by the caller.
  void Differ(const std::string& difference) {
    if (!differs_) ++differing_;
    differs_ = true;
    out_ << record_ << ": " << difference << '\n';
  }

  int records() const { return records_; }
  int agreeing() const { return records_ - differing_; }

 private:
  std::ostream& out_;
  std::string record_;
  int records_ = 0;
  int differing_ = 0;
  bool differs_ = false;
};

}  // namespace astragal::vector_check

#endif  // ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_REPORT_H_
