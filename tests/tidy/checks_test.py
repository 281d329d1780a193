#!/usr/bin/env python3
"""The checks of this folder find what they are for: each case plants one fault in a small tree."""

import os
import shutil
import sys
import tempfile
import unittest

import check_arrows
import check_format
import check_tree

README = "# A room\n\n## What lives here\n\n## May depend on\n\n## Read first\n\n## How it is tested\n"

ARROWS = """
header absl  absl/*
header grpc  grpcpp/*
header sdk   astragal/*.h
room plugins/sdk   std sdk
room plugins/game  std sdk
room plugins/host  std sdk absl
room services/base std absl grpc
files 1 services/base grpc
room services/core std plugins/host services/base
room services/one  std services/core
room services/two  std services/core
room services/main std services
room tests *
"""

CLEAN = {
    "plugins/sdk/include/astragal/ruleset.h": "#include <stdint>\n",
    "plugins/game/game.cc": "#include <astragal/ruleset.h>\n\n#include <vector>\n",
    "plugins/host/host.h": "#include <astragal/ruleset.h>\n\n#include \"absl/status/status.h\"\n",
    "services/base/map.cc": "#include <grpcpp/grpcpp.h>\n",
    "services/core/core.h": "#include \"plugins/host/host.h\"\n",
    "services/one/one.h": "#include \"services/core/core.h\"\n",
    "services/two/two.h": "#include \"services/core/core.h\"\n",
    "services/main/main.cc": "#include \"services/one/one.h\"\n#include \"services/two/two.h\"\n",
    "deploy/budgets.txt": "build short build release - 600\n",
    **{f"{room}/README.md": README for room in (
        "deploy", "plugins/sdk", "plugins/game", "plugins/host", "services/base", "services/core",
        "services/one", "services/two", "services/main")},
}

LOCK_WITH_SERVER = '{"packages": {"node_modules/a": {"resolved": "https://x/a.tgz"}}}'

# name of the case, file, its text (None: the file is removed), what the finding says
ARROW_FAULTS = (
    ("a plugin sees the host", "plugins/game/game.cc", '#include "plugins/host/host.h"\n',
     "plugins/game/game.cc:1: plugins/game may not include 'plugins/host/host.h' (plugins/host)"),
    ("a plugin sees absl", "plugins/game/game.cc", '\n#include "absl/strings/cord.h"\n',
     "plugins/game/game.cc:2: plugins/game may not include 'absl/strings/cord.h' (absl)"),
    ("the core sees gRPC", "services/core/core.h", "#include <grpcpp/server.h>\n",
     "services/core may not include 'grpcpp/server.h' (grpc)"),
    ("a service sees a service", "services/one/one.h", '#include "services/two/two.h"\n',
     "services/one may not include 'services/two/two.h' (services/two)"),
    ("the base looks up", "services/base/map.cc", '#include "services/core/core.h"\n',
     "services/base may not include 'services/core/core.h'"),
    ("a second file with gRPC", "services/base/more.cc", "#include <grpcpp/grpcpp.h>\n",
     "services/base: grpc may be included in 1 of its files, not in 2"),
    ("spaces in the directive", "services/core/core.h", "#  include  <grpcpp/server.h>\n",
     "services/core may not include 'grpcpp/server.h'"),
    ("a path with dots", "services/one/one.h", '#include "../two/two.h"\n', "written with '..'"),
    ("a path from beside", "services/one/more.h", '#include "one.h"\n',
     "write it from the root: services/one/one.h"),
    ("an unknown library", "services/core/core.h", "#include <boost/any.hpp>\n",
     "'boost/any.hpp' is in no header group"),
    ("a file in no room", "services/three/three.h", "\n", "services/three/three.h:1: is in no room"),
)

TREE_FAULTS = (
    ("a folder at the top", "scripts/a.txt", "a\n", "scripts: does not belong at the top level"),
    ("a file at the top", "NOTES.md", "a\n", "NOTES.md: does not belong"),
    ("a room without README", "services/one/README.md", None, "services/one/README.md: missing"),
    ("a heading is missing", "services/one/README.md", README.replace("## Read first\n", ""),
     "services/one/README.md: its headings are"),
    ("a heading too many", "services/one/README.md", README + "## History\n",
     "services/one/README.md: its headings are"),
    ("a folder of a machine", "deploy/a.txt", "see /wor" "k/main\n", "deploy/a.txt:1: names a folder"),
    ("a home folder", "deploy/a.txt", "\nsee /hom" "e/anna/main\n", "deploy/a.txt:2: names a folder"),
    ("a folder outside", "deploy/a.txt", "see ../shar" "ed/x\n", "names a folder outside"),
    ("a package server", "deploy/a.txt", "https://registr" "y.example.org/\n", "a package server"),
    ("a lock with servers", "tests/proto/package-lock.json", LOCK_WITH_SERVER, "names a server"),
    ("no lock", "tests/js/package.json", "{}", "has no package-lock.json"),
    ("an open version", "tests/js/package.json", '{"devDependencies": {"a": "^1.0.0"}}',
     "a is not pinned"),
    ("a long file", "services/one/one.cc", "\n" * 501, "501 lines"),
    ("too much time", "deploy/budgets.txt", "a short build release - 1501\n", "1501 s together"),
    ("too much time in full", "deploy/budgets.txt",
     "a short build release - 1000\nb full tests asan * 2601\n", "full steps may take 3601 s"),
)


class PlantedFaults(unittest.TestCase):
    """A small clean tree in a folder of its own for each case."""

    def setUp(self):
        self.root = tempfile.mkdtemp()
        for path, text in CLEAN.items():
            self.write(path, text)
        self.arrows = check_arrows.Arrows(ARROWS)

    def tearDown(self):
        shutil.rmtree(self.root)

    def write(self, path, text):
        full = os.path.join(self.root, path)
        if text is None:
            os.remove(full)
            return
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def expect(self, findings, words):
        self.assertTrue(any(words in finding for finding in findings), findings)

    def test_clean_tree_has_no_finding(self):
        self.assertEqual(check_arrows.check(self.root, self.arrows), [])
        self.assertEqual(check_tree.check(self.root, self.arrows), [])

    def test_build_folders_are_not_looked_at(self):
        self.write("build/services/one/x.h", "#include <grpcpp/server.h>\n")
        self.write("build-asan/a.txt", "/wor" "k/main\n")
        self.write("tests/proto/node_modules/a/package.json", "{}")
        self.assertEqual(check_arrows.check(self.root, self.arrows), [])
        self.assertEqual(check_tree.check_words(self.root), [])
        self.assertEqual(check_tree.check_locks(self.root), [])

    def test_format_fault(self):
        self.write(".clang-format", "BasedOnStyle: Google\n")
        self.assertEqual(check_format.check(self.root), [])
        self.write("services/one/one.cc", "int  f( ) ;\n")
        self.expect(check_format.check(self.root), "services/one/one.cc:")


def plant(case, path, text, words, check):
    """Makes the test of one planted fault."""
    def test(self):
        self.write(path, text)
        self.expect(check(self), words)
    setattr(PlantedFaults, "test_" + case.replace(" ", "_"), test)


for fault in ARROW_FAULTS:
    plant(*fault, lambda self: check_arrows.check(self.root, self.arrows))
for fault in TREE_FAULTS:
    plant(*fault, lambda self: check_tree.check(self.root, self.arrows))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
