// A ruleset as the subcommands use it: plugins/host with exceptions for errors. What the ruleset
// refuses, and what breaks its contract, becomes std::runtime_error with the host's words. The
// library is opened in this process without a trial and stays loaded.
#ifndef ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_LIBRARY_H_
#define ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_LIBRARY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plugins/host/ruleset.h"

namespace astragal::vector_check {

using host::Position;

class Library {
 public:
  // Loads FOLDER/lib<ruleset>.so. Throws when it cannot.
  Library(const std::string& folder, const std::string& ruleset);

  // For comparisons that are written against the C table.
  const astragal_ruleset& table() const { return ruleset_->raw_table(); }

  Position Parse(const std::string& text) const;
  int Actor(const Position& position) const { return ruleset_->Actor(position); }
  std::vector<int64_t> Actions(const Position& position) const;
  void Apply(Position& position, int actor, int64_t action) const;
  // The throw with this label; its kind is the one that is thrown now.
  void ApplyThrow(Position& position, const std::string& label) const;
  std::vector<host::Piece> Pieces(const Position& position) const;
  std::vector<host::SeatResult> Result(const Position& position) const;

 private:
  std::shared_ptr<const host::Ruleset> ruleset_;
};

}  // namespace astragal::vector_check

#endif  // ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_LIBRARY_H_
