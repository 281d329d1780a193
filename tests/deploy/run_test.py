#!/usr/bin/env python3
"""deploy/run with stand-ins for astragald and astragal: what it starts, says, stops and returns."""

import os
import signal
import unittest

import sandbox

# Serves until told to stop, and says so in a file, because its output may be in a log.
SERVICE = """#!/usr/bin/env python3
import signal, socket, sys
host, port = sys.argv[sys.argv.index("--listen") + 1].split(":")
server = socket.create_server((host, int(port)))
def stop(*_):
    open("stopped", "w").close()
    sys.exit(0)
signal.signal(signal.SIGTERM, stop)
open("started", "w").write(" ".join(sys.argv[1:]))
while True:
    server.accept()[0].close()
"""

CLIENT = """#!/usr/bin/env python3
import os, socket, sys
host, port = sys.argv[sys.argv.index("--server") + 1].split(":")
socket.create_connection((host, int(port)), 1).close()
if sys.argv[-1] == "demo":
    print("a demo game")
    sys.exit(int(os.environ["DEMO_RESULT"]))
"""


class Run(unittest.TestCase):

    def setUp(self):
        self.box = sandbox.Sandbox()
        self.addCleanup(self.box.close)
        self.box.write("deploy/build", "#!/bin/sh\nexit 0\n")
        self.box.write("build/bin/astragald", SERVICE)
        self.box.write("build/bin/astragal", CLIENT)
        self.listen = sandbox.free_address()
        self.command = ("deploy/run", "--no-install", "--listen", self.listen)

    def exists(self, name):
        return os.path.exists(os.path.join(self.box.root, name))

    def wait_for(self, process, words):
        """Reads output until a line has the words."""
        for line in process.stdout:
            if words in line:
                return
        self.fail(f"ended without saying '{words}'")

    def test_the_demo_ends_with_the_code_of_the_game(self):
        for result in (0, 3):
            with self.subTest(result=result):
                code, output = self.box.run(*self.command, "--demo", DEMO_RESULT=str(result))
                self.assertEqual(code, result, output)
                self.assertIn("a demo game", output)
                self.assertTrue(self.exists("stopped"))
                self.assertEqual(os.listdir(self.box.home), [], "the demo's data is deleted")

    def test_it_serves_until_it_is_told_to_stop(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(signal=number):
                data = os.path.join(self.box.root, "data")
                process = self.box.start(*self.command, "--data", data)
                self.wait_for(process, "Ctrl-C stops")
                process.send_signal(number)
                output, _ = process.communicate(timeout=sandbox.TIMEOUT_S)
                self.assertEqual(process.returncode, code, output)
                self.assertTrue(self.exists("stopped"))
                with open(os.path.join(self.box.root, "started"), encoding="utf-8") as file:
                    self.assertEqual(
                        file.read(), f"--listen {self.listen} --data-dir {data} "
                        f"--plugins {os.path.realpath(self.box.root)}/build/plugins")
                os.remove(os.path.join(self.box.root, "stopped"))

    def test_it_says_so_when_the_address_is_taken(self):
        first = self.box.start(*self.command, "--data", os.path.join(self.box.root, "data"))
        self.wait_for(first, "Ctrl-C stops")
        code, output = self.box.run(*self.command, "--demo", DEMO_RESULT="0")
        self.assertEqual(code, 1)
        self.assertIn("serves at", output)
        self.assertFalse(self.exists("stopped"), "the first service goes on")
        first.terminate()
        first.communicate(timeout=sandbox.TIMEOUT_S)

    def test_a_service_that_does_not_start_is_shown(self):
        self.box.write("build/bin/astragald", "#!/bin/sh\necho the reason\nexit 4\n")
        code, output = self.box.run(*self.command, "--demo", DEMO_RESULT="0")
        self.assertEqual(code, 1)
        self.assertIn("the reason", output)

    def test_a_build_that_fails_starts_nothing(self):
        self.box.write("deploy/build", "#!/bin/sh\nexit 1\n")
        code, _ = self.box.run(*self.command, "--demo", DEMO_RESULT="0")
        self.assertNotEqual(code, 0)
        self.assertFalse(self.exists("started"))

    def test_help_and_wrong_options(self):
        for arguments, code, words in ((("--help",), 0, "--demo"), (("--wrong",), 1, "--wrong"),
                                       (("--listen",), 1, "needs a value")):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.box.run("deploy/run", *arguments)[0], code)
                self.assertIn(words, self.box.run("deploy/run", *arguments)[1])


if __name__ == "__main__":
    unittest.main()
