#!/usr/bin/env python3
"""check_arrows.py ROOT: every #include follows an arrow of arrows.txt, or is a finding."""

import collections
import fnmatch
import os
import re
import sys

import tree

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
# Copied out of this project by whoever begins with it: its files name each other from beside.
STANDS_ALONE = {"plugins/template"}
STANDARD_HEADER = re.compile(r"^[a-z_0-9]+$")


class Arrows:
    """The table: groups of headers, what a room may include, and how many files may."""

    def __init__(self, text):
        self.patterns = []
        self.rooms = {}
        self.limits = {}
        for line in text.splitlines():
            words = line.split("#", 1)[0].split()
            if not words:
                continue
            kind, rest = words[0], words[1:]
            if kind == "header":
                self.patterns += [(pattern, rest[0]) for pattern in rest[1:]]
            elif kind == "room":
                self.rooms[rest[0]] = rest[1:]
            elif kind == "files":
                self.limits[(rest[1], rest[2])] = int(rest[0])
            else:
                raise ValueError(f"arrows.txt: unknown line '{line}'")

    def room_of(self, path):
        """The longest room that holds the path, or None."""
        folders = path.split("/")[:-1]
        while folders:
            room = "/".join(folders)
            if room in self.rooms:
                return room
            folders.pop()
        return None

    def group_of(self, header):
        """The group of an include that is no file of this project, or None."""
        for pattern, group in self.patterns:
            if fnmatch.fnmatchcase(header, pattern):
                return group
        return "std" if STANDARD_HEADER.match(header) else None

    def allows(self, room, target):
        """Whether files of a room may include a group, or a room or one within it."""
        allowed = self.rooms[room]
        return (
            target == room
            or "*" in allowed
            or any(target == name or target.startswith(name + "/") for name in allowed)
        )


def target_of(arrows, root, path, quoted, header):
    """What an include leads to: (room or group, None) or (None, what is wrong with it)."""
    if quoted and ".." in header.split("/"):
        return None, "is written with '..'; write it from the root of the project"
    if quoted and os.path.exists(os.path.join(root, header)):
        target = arrows.room_of(header)
        return (target, None) if target else (None, "is in no room of arrows.txt")
    beside = os.path.join(os.path.dirname(path), header)
    if quoted and os.path.exists(os.path.join(root, beside)):
        if os.path.dirname(path) in STANDS_ALONE:
            return arrows.room_of(path), None
        return None, f"is a file beside this one; write it from the root: {beside}"
    target = arrows.group_of(header)
    return (target, None) if target else (None, "is in no header group of arrows.txt")


def check(root, arrows):
    """Returns the findings, each as 'path:line: text'."""
    findings = []
    users = collections.defaultdict(set)
    for path in tree.sources(root):
        room = arrows.room_of(path)
        if room is None:
            findings.append(f"{path}:1: is in no room of arrows.txt")
            continue
        text = tree.read(root, path)
        for match in INCLUDE.finditer(text):
            line = text.count("\n", 0, match.start(2)) + 1
            header = match.group(2)
            target, wrong = target_of(arrows, root, path, match.group(1) == '"', header)
            if wrong:
                findings.append(f"{path}:{line}: '{header}' {wrong}")
            elif not arrows.allows(room, target):
                findings.append(f"{path}:{line}: {room} may not include '{header}' ({target})")
            else:
                users[(room, target)].add(path)
    for (room, group), limit in sorted(arrows.limits.items()):
        paths = users[(room, group)]
        if len(paths) > limit:
            findings.append(
                f"{room}: {group} may be included in {limit} of its files, not in "
                f"{len(paths)}: {', '.join(sorted(paths))}"
            )
    return findings


def main(root):
    table = os.path.join(os.path.dirname(os.path.abspath(__file__)), "arrows.txt")
    with open(table, encoding="utf-8") as file:
        return tree.report("arrows", check(root, Arrows(file.read())))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
