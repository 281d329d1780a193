#!/usr/bin/env python3
"""export_wire.py BUILD [SECONDS]: games a second that `astragal export` takes from a server over the wire.

A server of its own takes the corpus in, and the command line exports 1,000 games a call, again and again, for
SECONDS (default: 20): once while their logs are events, once when they are packed. What a program needs that
exports one game (its start, the connection) is taken off. Fails below 1,000 games a second.
"""
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/e2e"))
from astragald import Server  # noqa: E402

CORPUS = ROOT / "tests/services/core/data/records"
LEAST = 1000
NAMED = 1000
PACK_LIMIT_S = 300


class Exporter:
    """The command line as a client of one server."""

    def __init__(self, build, server):
        self.build, self.server, self.folder = build, server, server.folder

    def run(self, *words):
        environment = {**os.environ, "XDG_CONFIG_HOME": str(self.folder), "NO_COLOR": "1",
                       "ASTRAGAL_SERVER": self.server.address,
                       "ASTRAGAL_OPERATOR_KEY": str(self.folder / "data/operator.key")}
        environment.pop("ASTRAGAL_KEY", None)
        return subprocess.run([self.build / "bin/astragal", *words], env=environment, check=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE).stdout

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


def measure(exporter, games, seconds):
    """Games a second."""
    start = min(exporter.seconds(games[:1]) for _ in range(5))
    named = (games * (NAMED // len(games) + 1))[:NAMED]
    exporter.seconds(named)
    count, took = 0, 0.0
    while took < seconds:
        took += max(exporter.seconds(named) - start, 1e-6)
        count += NAMED
    return count / took


def pack(exporter, count):
    """Only packed logs go to an archive, and they come back packed."""
    give_up = time.monotonic() + PACK_LIMIT_S
    files = []
    while sum(path.read_text().count('"t":"end"') for path in files) < count:
        if time.monotonic() > give_up:
            raise RuntimeError("the logs were not packed")
        files.append(exporter.folder / f"old{len(files)}.rgl")
        exporter.run("archive", "--until", "2100-01-01", "-o", str(files[-1]))
        time.sleep(0.5)
    for path in files:
        exporter.run("import", str(path))


def main(build, seconds="20"):
    build = pathlib.Path(build).resolve()
    games = ids()
    slow = 0
    for form, options in (("events", ()), ("packed", ("--pack-after-hours", "0"))):
        server = Server(build, *options)
        try:
            exporter = Exporter(build, server.serving())
            for path in sorted(CORPUS.glob("*.rgl")):
                exporter.run("import", str(path))
            if options:
                pack(exporter, len(games))
            rate = measure(exporter, games, float(seconds) / 2)
        finally:
            server.close()
        print(f"export over the wire, logs as {form}: {rate:.0f} games/s of {len(games)} whole games")
        slow += rate < LEAST
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
