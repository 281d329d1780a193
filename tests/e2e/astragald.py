"""A real astragald for tests and measurements that are written in Python."""
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

START_LIMIT_S = 90


class Server:
    """astragald with a private database on a free port. Owns its process and its folder."""

    def __init__(self, build, *options):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="astragal-history."))
        self.folder.chmod(0o755)
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{listener.getsockname()[1]}"
        self.log = self.folder / "log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [build / "bin/astragald", "--listen", self.address, "--data-dir",
                 self.folder / "data", "--plugins", build / "plugins", *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def serving(self):
        """Itself, as soon as it serves."""
        host, port = self.address.split(":")
        give_up = time.monotonic() + START_LIMIT_S
        while time.monotonic() < give_up and self.process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex((host, int(port))) == 0:
                    return self
            time.sleep(0.05)
        raise RuntimeError("astragald does not serve:\n" + self.log.read_text())

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(40)
        shutil.rmtree(self.folder, ignore_errors=True)
