// Reference positions of Ashtapada: throws, what remains of them, and every legal action.
#include "tests/plugins/ashtapada/vectors.h"
#include "tests/support/vector_check/library.h"
#include "tests/support/vector_check/subcommands.h"

namespace astragal::vector_check {

void CheckAshtapada(const Context& context, std::istream& file, Report& report) {
  const Library library(context.plugin_folder, "ashtapada");
  ForEachLine(file, report, [&](const nlohmann::json& record) {
    for (const std::string& difference : ashtapada_test::CompareRecord(library.table(), record)) {
      report.Differ(difference);
    }
  });
}

}  // namespace astragal::vector_check
