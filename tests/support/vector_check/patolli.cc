// Reference positions of Patolli: a throw, and what every legal action then does.
#include "tests/plugins/patolli/vectors.h"
#include "tests/support/vector_check/library.h"
#include "tests/support/vector_check/subcommands.h"

namespace astragal::vector_check {

void CheckPatolli(const Context& context, std::istream& file, Report& report) {
  const Library library(context.plugin_folder, "patolli");
  ForEachLine(file, report, [&](const nlohmann::json& record) {
    for (const std::string& difference : patolli_test::CompareRecord(library.table(), record)) {
      report.Differ(difference);
    }
  });
}

}  // namespace astragal::vector_check
