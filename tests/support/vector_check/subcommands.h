// vector_check has one subcommand for each kind of reference data: one function in one file, and a
// line in the table of main.cc.
#ifndef ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_SUBCOMMANDS_H_
#define ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_SUBCOMMANDS_H_

#include <functional>
#include <istream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/vector_check/report.h"

namespace astragal::vector_check {

struct Context {
  std::string plugin_folder;  // where lib<ruleset>.so is
};

// Reads all of `file` and reports on each record. May throw std::exception when nothing can be
// compared at all (for example a plugin that cannot be loaded).
using Subcommand = void (*)(const Context& context, std::istream& file, Report& report);

void CheckLongNarde(const Context& context, std::istream& file, Report& report);
void CheckPatolli(const Context& context, std::istream& file, Report& report);
void CheckAshtapada(const Context& context, std::istream& file, Report& report);
void CheckRatings(const Context& context, std::istream& file, Report& report);

// For JSON Lines: one record a line, named by its "id". A line that is no JSON, or that makes
// `check` throw, is a record that disagrees. Blank lines are skipped.
void ForEachLine(std::istream& file, Report& report,
                 const std::function<void(const nlohmann::json& record)>& check);

}  // namespace astragal::vector_check

#endif  // ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_SUBCOMMANDS_H_
