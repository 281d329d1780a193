#!/usr/bin/env python3
"""core_sim_test.py CORE_SIM: some hundred seeds pass, one seed is one trace, and planted faults of the
store are found, with a line that repeats the failure."""

import re
import subprocess
import sys
import unittest

CORE_SIM = sys.argv.pop(1)


def run(*arguments):
    done = subprocess.run([CORE_SIM, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout


class CoreSim(unittest.TestCase):
    def test_seeds(self):
        code, out = run("--from", "1", "--count", "300", "--seconds", "45")
        self.assertEqual(code, 0, out)
        passed = int(re.search(r"core_sim: (\d+) passed, 0 failed", out).group(1))
        self.assertGreaterEqual(passed, 10, "a busy machine, or a slow simulator")
        print(f"{passed} seeds\n{out}")
        if passed == 300:
            self.check_drawn(out)

    def check_drawn(self, out):
        """Every kind of event came up but a change of build, and every ending but those that take
        days of simulated time."""
        counts = {name: dict(map(int, item.split("=")) for item in re.search(
            rf"{name}:((?: \d+=\d+)+)", out).group(1).split()) for name in ("event kinds", "endings")}
        self.assertEqual([kind for kind, count in counts["event kinds"].items() if count == 0], [8])
        self.assertEqual([end for end, count in counts["endings"].items() if count == 0], [4, 9])
        self.assertGreater(int(re.search(r"lag given back: (\d+)", out).group(1)), 0)

    def test_one_seed_is_one_trace(self):
        # In two processes: addresses and hash seeds differ between them.
        for seed in ("7", "8"):
            first, second = run(seed, "--trace"), run(seed, "--trace")
            self.assertEqual(first, second)
            self.assertGreater(len(first[1].splitlines()), 100)
        self.assertNotEqual(run("7", "--trace")[1], run("8", "--trace")[1])

    def test_planted_faults_are_found(self):
        for bug in ("no-head-guard", "forgets-requests", "false-commit"):
            code, out = run("--from", "1", "--count", "40", "--bug", bug)
            self.assertEqual(code, 1, bug)
            line = re.search(r"repeat it with: core_sim (\d+) --trace --bug (\S+)", out)
            self.assertIsNotNone(line, out)
            code, out = run(line.group(1), "--trace", "--bug", line.group(2))
            self.assertEqual(code, 1, out[-300:])
            self.assertIn("FAILED: ", out)

    def test_wrong_use(self):
        self.assertEqual(run("--bug", "unheard-of")[0], 2)
        self.assertEqual(run("--count")[0], 2)


if __name__ == "__main__":
    unittest.main(verbosity=1)
