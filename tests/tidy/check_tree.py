#!/usr/bin/env python3
"""check_tree.py ROOT: the shape of the tree. Its findings:

top level  an entry that is neither a room nor what an ecosystem expects there
readme     a room without README.md, or one with other headings than the four
words      text that only makes sense on somebody's machine: its folders, its package servers
lock       a lock file that names a server, or a JavaScript package without a lock file
size       a source file too long to have one subject
budget     the steps of deploy/budgets.txt add up to more than promised
"""

import json
import os
import re
import sys

import check_arrows
import tree

TOP_LEVEL = {"CMakeLists.txt", "README.md", "proto", "services", "plugins", "storage", "deploy",
             "tests", "LICENSE", "CMakePresets.json"}
# Made by tools, never committed; .gitignore names them.
TOP_LEVEL_MADE = re.compile(r"^(build.*|node_modules|compile_commands\.json|__pycache__)$")

HEADINGS = ["What lives here", "May depend on", "Read first", "How it is tested"]
# Rooms beside those of arrows.txt. plugins/template is an author's, with a README of its own kind.
MORE_ROOMS = {"proto", "deploy", "tests", "tests/bench", "tests/clients", "tests/deploy", "tests/e2e", "tests/faults",
              "tests/fuzz", "tests/proto", "tests/support", "tests/tidy"}
NOT_ROOMS = {"plugins/template"}

# The patterns are written so that they do not find themselves.
FORBIDDEN = (
    ("a folder of somebody's machine", re.compile(r"(?<![\w.$}])/(?:wor[k]|home/[a-z]\w*)/")),
    ("a folder outside the project", re.compile(r"\.\./share[d]\b")),
    ("a package server", re.compile(r"\b(?:registr[y]|de[b]|deb-src|mirrors?|proxy)\.[\w-]+\.(?:org|com|io|net|dev)\b")),
)

MAX_LINES = {".h": 450, ".cc": 500, ".c": 500, ".py": 400}
GENERATED_OR_DATA = re.compile(r"(^|/)data/")

BUDGETS_S = {"short": 25 * 60, "full": 60 * 60}


def check_top_level(root):
    return [f"{name}: does not belong at the top level"
            for name in sorted(os.listdir(root))
            if name not in TOP_LEVEL and not name.startswith(".") and not TOP_LEVEL_MADE.match(name)]


def rooms(root, arrows):
    """The rooms that exist: a folder with at least one file in it or below."""
    names = (set(arrows.rooms) | MORE_ROOMS) - NOT_ROOMS
    paths = tree.files(root)
    return sorted(name for name in names if any(path.startswith(name + "/") for path in paths))


def check_readmes(root, arrows):
    findings = []
    for room in rooms(root, arrows):
        path = f"{room}/README.md"
        if not os.path.exists(os.path.join(root, path)):
            findings.append(f"{path}: missing; a room says what it is under four headings")
            continue
        headings = re.findall(r"^## +(.*?) *$", tree.read(root, path), re.MULTILINE)
        if headings != HEADINGS:
            findings.append(f"{path}: its headings are {headings}, not {HEADINGS}")
    return findings


def check_words(root):
    findings = []
    for path in tree.files(root):
        for number, line in enumerate(tree.read(root, path).splitlines(), 1):
            for what, pattern in FORBIDDEN:
                match = pattern.search(line)
                if match:
                    findings.append(f"{path}:{number}: names {what}: {match.group(0)}")
    return findings


def check_locks(root):
    findings = []
    for path in tree.files(root):
        name = os.path.basename(path)
        if name == "package.json":
            lock = os.path.join(os.path.dirname(path), "package-lock.json")
            if not os.path.exists(os.path.join(root, lock)):
                findings.append(f"{path}: has no package-lock.json beside it")
            pinned = json.loads(tree.read(root, path))
            for kind in ("dependencies", "devDependencies"):
                for package, version in pinned.get(kind, {}).items():
                    if not re.match(r"^\d+\.\d+\.\d+$", version):
                        findings.append(f"{path}: {package} is not pinned: '{version}'")
        if name == "package-lock.json":
            for package, entry in json.loads(tree.read(root, path)).get("packages", {}).items():
                if "resolved" in entry:
                    findings.append(f"{path}: '{package}' names a server; install with "
                                    "--omit-lockfile-registry-resolved")
    return findings


def check_sizes(root):
    findings = []
    for path in tree.files(root):
        limit = MAX_LINES.get(os.path.splitext(path)[1])
        if limit is None or GENERATED_OR_DATA.search(path):
            continue
        lines = tree.read(root, path).count("\n")
        if lines > limit:
            findings.append(f"{path}: {lines} lines; a file with one subject has at most {limit}")
    return findings


def check_budgets(root):
    path = "deploy/budgets.txt"
    if not os.path.exists(os.path.join(root, path)):
        return [f"{path}: missing"]
    totals = {"short": 0, "full": 0}
    for line in tree.read(root, path).splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        seconds = int(words[5])
        totals["full"] += seconds
        if words[1] == "short":
            totals["short"] += seconds
    return [f"{path}: the {when} steps may take {total} s together, more than {BUDGETS_S[when]} s"
            for when, total in totals.items() if total > BUDGETS_S[when]]


def check(root, arrows):
    return (check_top_level(root) + check_readmes(root, arrows) + check_words(root)
            + check_locks(root) + check_sizes(root) + check_budgets(root))


def main(root):
    table = os.path.join(os.path.dirname(os.path.abspath(__file__)), "arrows.txt")
    with open(table, encoding="utf-8") as file:
        arrows = check_arrows.Arrows(file.read())
    return tree.report("tree", check(root, arrows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
