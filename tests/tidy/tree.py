"""The files of the project, as the checks of this folder see them.

Everything below a root is looked at but build folders, installed npm packages and git's own files, so
that the checks say the same in a clone, in an archive and in a folder with uncommitted files.
"""

import os
import re

IGNORED_FOLDERS = re.compile(r"^(build.*|node_modules|\.git|\.cache|__pycache__)$")
SOURCE_SUFFIXES = (".h", ".hpp", ".c", ".cc", ".cpp")


def files(root):
    """Yields the paths of all files, relative to root, with slashes, in order."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not IGNORED_FOLDERS.match(name)]
        for name in names:
            # A worktree's .git is a file.
            if name != ".git":
                found.append(os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/"))
    return sorted(found)


def sources(root):
    """Yields the C and C++ files among them."""
    return [path for path in files(root) if path.endswith(SOURCE_SUFFIXES)]


def read(root, path):
    """Returns the text of a file; bytes that are not UTF-8 are replaced."""
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def report(name, findings):
    """Prints findings, one a line, and a closing line; returns an exit code."""
    for finding in findings:
        print(finding)
    if findings:
        print(f"{name}: 0 passed, 1 failed, with {len(findings)} findings")
        return 1
    print(f"{name}: 1 passed, 0 failed")
    return 0
