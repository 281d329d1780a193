#include <ios>

#include "services/cli/app.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  return astragal::cli::Run(argc, argv, astragal::cli::Terminal::Standard());
}
