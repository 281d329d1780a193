#!/usr/bin/env python3
"""export_wire.py BUILD [SECONDS]: games a second that `astragal export` takes from a server over the wire.

A server of its own takes the corpus in, and the command line exports 1,000 games a call, again and again, for
SECONDS (default: 20): once while their logs are events, once when they are packed. What a program needs that
exports one game (its start, the connection) is taken off. Fails below 1,000 games a second.
"""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests/services/core/data/records"
LEAST = 1000
NAMED = 1000
START_LIMIT_S = 120
PACK_LIMIT_S = 300


class Server:
    """astragald with a private database on a free port. Owns its process and its folder."""

    def __init__(self, build, *options):
        self.build = build
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="astragal-export."))
        self.folder.chmod(0o755)
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{listener.getsockname()[1]}"
        self.log = open(self.folder / "log", "wb")
        self.process = subprocess.Popen(
            [build / "bin/astragald", "--listen", self.address, "--data-dir", self.folder / "data",
             "--plugins", build / "plugins", *options],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def __enter__(self):
        host, port = self.address.split(":")
        give_up = time.monotonic() + START_LIMIT_S
        while time.monotonic() < give_up and self.process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex((host, int(port))) == 0:
                    return self
            time.sleep(0.05)
        raise RuntimeError("astragald does not serve:\n" + (self.folder / "log").read_text())

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(40)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *words):
        environment = {**os.environ, "XDG_CONFIG_HOME": str(self.folder), "NO_COLOR": "1",
                       "ASTRAGAL_SERVER": self.address,
                       "ASTRAGAL_OPERATOR_KEY": str(self.folder / "data/operator.key")}
        environment.pop("ASTRAGAL_KEY", None)
        return subprocess.run([self.build / "bin/astragal", *words], env=environment, check=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout

    def seconds(self, games):
        began = time.monotonic()
        lines = self.run("export", *games).count(b'"format":')
        took = time.monotonic() - began
        if lines != len(games):
            raise RuntimeError(f"{lines} of {len(games)} games came")
        return took


def ids():
    found = []
    for path in sorted(CORPUS.glob("*.rgl")):
        for line in path.read_text().splitlines():
            if line.startswith('{"format":'):
                found.append(line.split('"game":"')[1].split('"')[0])
    return found


def measure(server, games, seconds):
    """Games a second."""
    start = min(server.seconds(games[:1]) for _ in range(5))
    named = (games * (NAMED // len(games) + 1))[:NAMED]
    server.seconds(named)
    count, took = 0, 0.0
    while took < seconds:
        took += max(server.seconds(named) - start, 1e-6)
        count += NAMED
    return count / took


def pack(server, count):
    """Only packed logs go to an archive, and they come back packed."""
    give_up = time.monotonic() + PACK_LIMIT_S
    files = []
    while sum(path.read_text().count('"t":"end"') for path in files) < count:
        if time.monotonic() > give_up:
            raise RuntimeError("the logs were not packed")
        files.append(server.folder / f"old{len(files)}.rgl")
        server.run("archive", "--until", "2100-01-01", "-o", str(files[-1]))
        time.sleep(0.5)
    for path in files:
        server.run("import", str(path))


def main(build, seconds="20"):
    games = ids()
    slow = 0
    for form, options in (("events", ()), ("packed", ("--pack-after-hours", "0"))):
        with Server(pathlib.Path(build).resolve(), *options) as server:
            for path in sorted(CORPUS.glob("*.rgl")):
                server.run("import", str(path))
            if options:
                pack(server, len(games))
            rate = measure(server, games, float(seconds) / 2)
        print(f"export over the wire, logs as {form}: {rate:.0f} games/s of {len(games)} whole games")
        slow += rate < LEAST
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
