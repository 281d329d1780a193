"""A small checkout with the real deploy scripts and stand-ins for the programs they start."""

import os
import shutil
import socket
import subprocess
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
TIMEOUT_S = 60


class Sandbox:
    """Owns a temporary folder; close() deletes it."""

    def __init__(self):
        self.root = tempfile.mkdtemp()
        shutil.copytree(os.path.join(ROOT, "deploy"), os.path.join(self.root, "deploy"))
        self.home = os.path.join(self.root, "tmp")
        os.mkdir(self.home)

    def close(self):
        shutil.rmtree(self.root)

    def write(self, path, text):
        """Writes a file; one that starts with #! can be run."""
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)
        if text.startswith("#!"):
            os.chmod(full, 0o755)

    def start(self, *command, **environment):
        """Starts a command in the sandbox, both outputs in one pipe."""
        return subprocess.Popen(
            command, cwd=self.root, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env={**os.environ, "TMPDIR": self.home, **environment})

    def run(self, *command, **environment):
        """Runs a command to its end; returns (exit code, output)."""
        process = self.start(*command, **environment)
        output, _ = process.communicate(timeout=TIMEOUT_S)
        return process.returncode, output


def free_address():
    """An address that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"
