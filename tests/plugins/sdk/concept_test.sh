#!/bin/sh
# concept_test.sh CXX SOURCE_DIR: takes one member at a time from the teaching ruleset and expects
# the compiler to refuse it by the name of the concept that is missing.
set -eu
cxx=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0

# expect CONCEPT SED-SCRIPT
expect() {
  sed "$2" "$source/tests/plugins/sdk/teaching_ruleset.cc" > "$work/case.cc"
  if "$cxx" -std=c++20 -fsyntax-only -I "$source/plugins/sdk/include" "$work/case.cc" \
      > "$work/out" 2>&1; then
    echo "FAILED: it compiles without what $1 asks for"
    exit 1
  fi
  if ! grep -q "$1" "$work/out"; then
    echo "FAILED: the compiler does not name $1:"
    cat "$work/out"
    exit 1
  fi
  passed=$((passed + 1))
}

expect HasActions 's/void Actions(/void Acts(/'
expect HasApply 's/bool Apply(/bool Applies(/'
expect HasCheck 's/bool Check(/int Check(/'
expect HasAbout 's/About()/Info()/'
expect HasParsePosition 's/bool ParsePosition(/bool ReadPosition(/'
expect IsPlainBytes 's/uint8_t lead;/uint32_t lead;/'
echo "$passed of 6 concepts named"
