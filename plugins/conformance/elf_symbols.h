// The names a library wants from others and gives to others.
#ifndef ASTRAGAL_PLUGINS_CONFORMANCE_ELF_SYMBOLS_H_
#define ASTRAGAL_PLUGINS_CONFORMANCE_ELF_SYMBOLS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace astragal::conformance {

struct ElfSymbols {
  std::vector<std::string> imported;  // undefined dynamic symbols
  std::vector<std::string> exported;  // defined ones that others can see
};

// Reads the table of dynamic symbols of a library that the host found to be one (CheckElf). Reads
// no byte outside of `bytes`; what is malformed gives fewer names.
ElfSymbols ReadElfSymbols(absl::string_view bytes);

// Why a ruleset has no business with this symbol, for example "clock"; empty when it may import it.
absl::string_view ForbiddenImport(absl::string_view symbol);

}  // namespace astragal::conformance

#endif  // ASTRAGAL_PLUGINS_CONFORMANCE_ELF_SYMBOLS_H_
