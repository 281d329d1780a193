#!/usr/bin/env python3
"""count_cases.py NAME LOG: counts the cases within the programs that ctest ran.

ctest counts programs. This reads its LastTest.log, adds up the closing lines of the programs
(GoogleTest's, Python's unittest's, and lines 'N passed, N failed'), and prints one line
'NAME: N passed, N failed' (', N skipped' if there are any). It exits 1 if the log shows no case.
"""

import re
import sys

# Each pattern yields one number of one kind.
PATTERNS = (
    ("passed", re.compile(r"^\[  PASSED  \] (\d+) tests?\.$")),
    ("failed", re.compile(r"^\[  FAILED  \] (\d+) tests?, listed below:$")),
    ("skipped", re.compile(r"^\[  SKIPPED \] (\d+) tests?, listed below:$")),
    ("passed", re.compile(r"^Ran (\d+) tests? in ")),
    ("passed", re.compile(r"^(?:[\w-]+: )?(\d+) passed, \d+ failed")),
    ("failed", re.compile(r"^(?:[\w-]+: )?\d+ passed, (\d+) failed")),
)
# unittest counts failed cases among those that it ran.
UNITTEST_FAILED = re.compile(r"^FAILED \(.*?(?:failures|errors)=(\d+).*\)$")


def count(lines):
    """Returns {kind: number} over the lines of a log."""
    totals = {"passed": 0, "failed": 0, "skipped": 0}
    for line in lines:
        line = line.rstrip()
        for kind, pattern in PATTERNS:
            match = pattern.match(line)
            if match:
                totals[kind] += int(match.group(1))
        match = UNITTEST_FAILED.match(line)
        if match:
            totals["failed"] += int(match.group(1))
            totals["passed"] -= int(match.group(1))
    return totals


def main(name, path):
    with open(path, encoding="utf-8", errors="replace") as log:
        totals = count(log)
    closing = f"{name}: {totals['passed']} passed, {totals['failed']} failed"
    if totals["skipped"]:
        closing += f", {totals['skipped']} skipped"
    print(closing)
    return 0 if totals["passed"] + totals["failed"] > 0 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
