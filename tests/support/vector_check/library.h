// A ruleset library as vector_check uses it: the C table with strings and positions for arguments.
// What the ruleset refuses becomes std::runtime_error with its words. The library stays loaded.
#ifndef ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_LIBRARY_H_
#define ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_LIBRARY_H_

#include <astragal/ruleset.h>

#include <cstdint>
#include <string>
#include <vector>

namespace astragal::vector_check {

// A position as its bytes; equal positions are equal, and it can stand in a set.
using Position = std::vector<uint64_t>;

class Library {
 public:
  // Loads FOLDER/lib<ruleset>.so. Throws when it cannot.
  Library(const std::string& folder, const std::string& ruleset);

  const astragal_ruleset& table() const { return *table_; }
  Position Parse(const std::string& text) const;
  int Actor(const Position& position) const { return table_->actor(position.data()); }
  std::vector<int64_t> Actions(const Position& position) const;
  void Apply(Position& position, int actor, int64_t action) const;
  // The throw with this label; its kind is the one that is thrown now.
  void ApplyThrow(Position& position, const std::string& label) const;
  std::vector<astragal_piece> Pieces(const Position& position) const;
  std::vector<astragal_throw> Throws(const Position& position) const;
  std::vector<astragal_seat_result> Result(const Position& position) const;

 private:
  const astragal_ruleset* table_;
};

}  // namespace astragal::vector_check

#endif  // ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_LIBRARY_H_
