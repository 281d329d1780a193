# What the deploy scripts share. Source it; it runs nothing.
# shellcheck shell=bash

ASTRAGAL_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

# say TEXT: what is being done now. To stderr, so that stdout stays what was asked for.
say() { printf '==> %s\n' "$*" >&2; }

# die TEXT: what went wrong and what to do about it.
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# usage FILE: the comment at the head of a script is its help.
usage() { sed -n '2,/^[^#]/{/^#/!d;s/^# \{0,1\}//;p}' "$1"; }

# need_value OPTION COUNT: an option that takes a value is not the last word.
need_value() { [[ $2 -ge 2 ]] || die "$1 needs a value; see --help"; }

jobs_default() { nproc 2>/dev/null || echo 2; }
