#!/usr/bin/env python3
"""check_format.py ROOT: every C and C++ file is as clang-format 14 writes it.

Other versions of clang-format differ in small things, so the version is fixed (deploy/packages.txt).
To repair: clang-format-14 -i FILE...
"""

import collections
import concurrent.futures
import os
import subprocess
import sys

import tree

CLANG_FORMAT = "clang-format-14"
FILES_AT_ONCE = 20


def check(root):
    """Returns a finding for each file that clang-format would change."""
    paths = tree.sources(root)
    chunks = [paths[i:i + FILES_AT_ONCE] for i in range(0, len(paths), FILES_AT_ONCE)]

    def run(chunk):
        return subprocess.run(
            [CLANG_FORMAT, "--dry-run", "--style=file", *chunk], cwd=root, text=True,
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True).stderr

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        lines = [line for text in pool.map(run, chunks) for line in text.splitlines()]
    wrong = collections.Counter(
        line.split(":", 1)[0] for line in lines if "[-Wclang-format-violations]" in line)
    return [f"{path}: {count} places differ" for path, count in sorted(wrong.items())]


def main(root):
    return tree.report("format", check(root))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
