#!/usr/bin/env python3
"""deploy/test with a stand-in for the build: what it runs, counts, times and returns."""

import os
import unittest

import sandbox

BUDGETS = """
build  short  build  release  -      30
unit   short  tests  release  unit   30
tidy   short  tests  release  tidy   30
slow   full   build  clang    -      30
again  full   tests  clang    unit   30
"""

GTEST_PASSED = "[  PASSED  ] 7 tests."
GTEST_FAILED = "[  FAILED  ] 2 tests, listed below:"


def entry(name, label, output, code=0):
    """A test of ctest that prints something and ends with a code."""
    return (f'add_test({name} sh -c "echo \\"{output}\\"; exit {code}")\n'
            f'set_tests_properties({name} PROPERTIES LABELS "{label}")\n')


class Test(unittest.TestCase):

    def setUp(self):
        self.box = sandbox.Sandbox()
        self.addCleanup(self.box.close)
        self.box.write("deploy/build", "#!/bin/sh\necho built $@ >>builds\n")
        self.box.write("deploy/budgets.txt", BUDGETS)
        self.tests(entry("a", "unit", GTEST_PASSED), entry("b", "tidy", "Ran 3 tests in 0.1s"))

    def tests(self, *entries):
        for folder in ("build", "build-clang"):
            self.box.write(f"{folder}/CTestTestfile.cmake", "".join(entries))

    def run_test(self, *arguments):
        return self.box.run("deploy/test", "--no-install", *arguments)

    def builds(self):
        with open(os.path.join(self.box.root, "builds"), encoding="utf-8") as file:
            return file.read().splitlines()

    def test_short_steps_pass(self):
        code, output = self.run_test()
        self.assertEqual(code, 0, output)
        for line in ("100% tests passed, 0 tests failed out of 1", "unit: 7 passed, 0 failed",
                     "tidy: 3 passed, 0 failed", "steps: 3 passed, 0 failed"):
            self.assertIn(line + "\n", output)
        self.assertEqual(self.builds(), ["built --preset release --tests"])

    def test_full_adds_steps(self):
        code, output = self.run_test("--full")
        self.assertEqual(code, 0, output)
        self.assertIn("steps: 5 passed, 0 failed\n", output)
        self.assertEqual(self.builds()[1], "built --preset clang --tests")

    def test_one_step_and_its_build(self):
        code, output = self.run_test("--only", "again")
        self.assertEqual(code, 0, output)
        self.assertIn("steps: 2 passed, 0 failed\n", output)
        self.assertEqual(self.builds(), ["built --preset clang --tests"])

    def test_a_failure_fails_and_the_rest_still_runs(self):
        self.tests(entry("a", "unit", GTEST_FAILED, 1), entry("b", "tidy", "Ran 3 tests in 0.1s"))
        code, output = self.run_test()
        self.assertEqual(code, 1, output)
        self.assertIn("unit: 0 passed, 2 failed\n", output)
        self.assertIn("tidy: 3 passed, 0 failed\n", output)
        self.assertIn("steps: 2 passed, 1 failed\n", output)

    def test_a_failed_build_runs_no_test(self):
        self.box.write("deploy/build", "#!/bin/sh\nexit 1\n")
        code, output = self.run_test()
        self.assertEqual(code, 1)
        self.assertIn("not run", output)
        self.assertIn("steps: 0 passed, 3 failed\n", output)

    def test_a_step_without_tests_fails(self):
        self.tests(entry("a", "unit", GTEST_PASSED))
        self.assertEqual(self.run_test()[0], 1)

    def test_a_label_that_no_step_runs_fails(self):
        self.tests(entry("a", "unit", GTEST_PASSED), entry("b", "tidy", "Ran 3 tests in 0.1s"),
                   entry("c", "forgotten", GTEST_PASSED))
        code, output = self.run_test()
        self.assertEqual(code, 1)
        self.assertIn("forgotten", output)

    def test_more_than_the_budget_is_said(self):
        self.box.write("deploy/budgets.txt", BUDGETS.replace("unit   30", "unit   0"))
        self.tests(entry("a", "unit", GTEST_PASSED + '\\"; sleep 1.1; echo \\"'),
                   entry("b", "tidy", "Ran 3 tests in 0.1s"))
        code, output = self.run_test()
        self.assertEqual(code, 0, output)
        self.assertIn("OVER BUDGET", output)

    def test_campaigns(self):
        self.box.write("deploy/campaigns/short", '#!/bin/sh\n# short: a campaign\necho "got $@"\n')
        self.assertIn("short: a campaign\n", self.run_test("--long", "list")[1])
        self.assertEqual(self.run_test("--long", "short", "a", "--b"), (0, "got a --b\n"))
        self.assertEqual(self.run_test("--long", "../install")[0], 1)

    def test_unknown_steps_and_options(self):
        self.assertEqual(self.run_test("--only", "nothing")[0], 1)
        self.assertEqual(self.run_test("--wrong")[0], 1)
        self.assertEqual(self.run_test("--help")[0], 0)


if __name__ == "__main__":
    unittest.main()
