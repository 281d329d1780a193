#!/bin/sh
# install_test.sh BUILD_DIR TEST_SOURCE_DIR CXX CC: installs the SDK, builds the teaching ruleset
# against it out of tree, and checks that the library exports its entry and nothing else.
set -eu
build=$1
tests=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --component ruleset-sdk --prefix "$work/sdk" > "$work/log"
mkdir "$work/author"
cp "$tests/teaching_ruleset.cc" "$work/author/"
cat > "$work/author/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(teaching LANGUAGES CXX)
find_package(astragal-ruleset 1 REQUIRED)
astragal_add_ruleset(teaching teaching_ruleset.cc)
target_compile_options(teaching PRIVATE -Wall -Wextra -Wpedantic -Werror)
EOF
cmake -S "$work/author" -B "$work/out" -G Ninja -DCMAKE_PREFIX_PATH="$work/sdk" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$3" > "$work/log"
cmake --build "$work/out" > "$work/log" || { cat "$work/log"; exit 1; }
exported=$(nm -D --defined-only "$work/out/libteaching.so" | awk '{print $3}' | grep -v '^ASTRAGAL_1$' | sed 's/@@.*//')
if [ "$exported" != astragal_ruleset_v1 ]; then
  echo "FAILED: the library exports: $exported"
  exit 1
fi

# The headers alone, in both languages.
printf '#include <astragal/ruleset.h>\nint unused(void);\n' > "$work/c.c"
printf '#include <astragal/ruleset.hpp>\n' > "$work/cc.cc"
"$4" -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$work/sdk/include" "$work/c.c"
"$3" -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror \
  -fsyntax-only -I "$work/sdk/include" "$work/cc.cc"
echo "installed, built out of tree, exports $exported only"
