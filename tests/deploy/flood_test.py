"""Attacks on the delivered proxy with a service behind it, while others play.

usage: flood_test.py BUILD_DIR [CASE...]

ASTRAGAL_FLOODS=full makes them long. Attackers come from other addresses of this machine than the
players, as 127.0.0.0/8 has enough of them.
"""

import gzip
import multiprocessing
import os
import resource
import socket
import sys
import time
import unittest
import urllib.request

import h2
import stand

FULL = os.environ.get("ASTRAGAL_FLOODS") == "full"
BUILD = sys.argv.pop(1)
SERVICE_LIMIT_KB = 256 * 1024
# What deploy/proxy/haproxy.cfg promises.
CONNECTIONS_OF_AN_ADDRESS = 128
CALLS_OF_AN_ADDRESS = 3000  # in ten seconds
HANDSHAKE_LIMIT_S = 15

GAMES = "/astragal.v1.GameService/ListGames"


def attack_with_resets(address, source, streams, at_once, path):
    """Opens and resets streams until it is cut off; `at_once` puts each reset behind its stream."""
    headers = h2.call_headers(path)
    try:
        with h2.Connection(address, source) as connection:
            for _ in range(0, streams, 100):
                opened, reset = [], []
                for _ in range(100):
                    stream = connection.next_stream()
                    opened.append(h2.frame(h2.HEADERS, h2.END_HEADERS, stream, headers))
                    (opened if at_once else reset).append(
                        h2.frame(h2.RST_STREAM, 0, stream, b"\0\0\0\x08"))
                connection.send(b"".join(opened))
                connection.send(b"".join(reset))
    except (h2.Closed, OSError):
        pass


def attack_with_frames(address, source, frames, seconds):
    """Sends the same frames over and over and reads nothing."""
    try:
        with h2.Connection(address, source, timeout=5) as connection:
            connection.open()
            give_up = time.monotonic() + seconds
            while time.monotonic() < give_up:
                connection.send(frames * 50)
    except (h2.Closed, OSError):
        pass


class Floods(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.stand = stand.Stand(BUILD)
        cls.addClassCleanup(cls.stand.close)
        cls.service = cls.stand.service()
        cls.address = cls.stand.start_proxy(cls.service.address)
        # A game is some 500 calls: with a pause they stay below what an address may.
        cls.neighbours = stand.Neighbours(cls.stand, f"https://localhost:{cls.address[1]}", pause_s=3)
        cls.neighbours.start()
        cls.addClassCleanup(cls.neighbours.stop)
        # They stay while the other attacks go on.
        cls.slow_since = time.monotonic()
        cls.slow = cls.slow_clients()

    def setUp(self):
        self.neighbour = h2.Connection(self.address, timeout=stand.LIMIT_S)
        self.addCleanup(self.neighbour.close)

    def served(self):
        """A client that was there, and one that comes now."""
        self.assertEqual(self.neighbour.call()[0], h2.SERVING)
        with h2.Connection(self.address, timeout=stand.LIMIT_S) as newcomer:
            self.assertEqual(newcomer.call()[0], h2.SERVING)

    def others_were_not_hurt(self):
        self.served()
        self.assertEqual(self.neighbours.failure, "")
        self.assertIsNone(self.service.child.poll())
        self.assertLess(self.service.status_kb("VmHWM"), SERVICE_LIMIT_KB)
        self.assertLess(self.stand.proxy.status_kb("VmHWM"), SERVICE_LIMIT_KB)

    def run_attackers(self, *attackers):
        """Runs (function, arguments...) side by side; others are served at all times."""
        processes = [multiprocessing.Process(target=function, args=arguments)
                     for function, *arguments in attackers]
        for process in processes:
            process.start()
        while any(process.is_alive() for process in processes):
            self.served()
            time.sleep(0.1)

    # The attacks.

    @classmethod
    def slow_clients(cls):
        """Connections that stopped on their way to a first call, by where they stopped."""
        hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
        slow = {}
        for name, first_bytes in (("not a byte", b""), ("half a handshake", hello)):
            slow[name] = socket.create_connection(cls.address, 1, ("127.0.2.1", 0))
            slow[name].sendall(first_bytes)
        for name, first_bytes in (("half a preface", h2.PREFACE[:10]),
                                  ("half the headers", h2.PREFACE + h2.frame(h2.SETTINGS) + h2.frame(
                                      h2.HEADERS, h2.END_HEADERS, 1, h2.call_headers())[:20])):
            connection = h2.Connection(cls.address, "127.0.2.1", preface=False)
            connection.send(first_bytes)
            slow[name] = connection.socket
        return slow

    def test_slow_handshakes_are_ended(self):
        for name, connection in self.slow.items():
            with self.subTest(name), connection:
                connection.settimeout(stand.LIMIT_S)
                try:
                    while connection.recv(4096):
                        pass  # what the server had to say meanwhile
                except TimeoutError:
                    raise
                except OSError:
                    pass
        # Generous: the limit is the proxy's, the clock is that of a busy machine.
        self.assertLess(time.monotonic() - self.slow_since, 8 * HANDSHAKE_LIMIT_S)
        stand.wait_for("a whole game", lambda: self.neighbours.games or self.neighbours.failure)
        self.others_were_not_hurt()

    def hold(self, count, sources):
        """Connects so many times, and holds what it gets; returns the sockets."""
        held = []
        for number in range(count):
            try:
                connection = socket.create_connection(self.address, 10,
                                                      (sources[number % len(sources)], 0))
                self.addCleanup(connection.close)
                held.append(connection)
            except ConnectionError:
                pass
        return held

    def test_connection_flood_of_one_address(self):
        held = self.hold(5000 if FULL else 400, ["127.0.3.1"])
        self.served()
        alive = 0
        for connection in held:
            connection.settimeout(0.01)
            try:
                connection.recv(1)
            except TimeoutError:
                alive += 1
            except ConnectionError:
                pass
        self.assertLessEqual(alive, CONNECTIONS_OF_AN_ADDRESS)
        self.others_were_not_hurt()

    def test_connection_flood_of_many_addresses(self):
        for _ in range(20 if FULL else 1):
            held = self.hold(2000 if FULL else 1000, [f"127.0.4.{number}" for number in range(1, 21)])
            self.served()
            for connection in held:
                connection.close()
            self.served()
        self.others_were_not_hurt()

    def test_open_and_reset_flood_of_one_connection(self):
        streams = 100_000 if FULL else 6_000
        for number, (at_once, path) in enumerate(
                ((True, h2.HEALTH), (False, h2.HEALTH), (True, GAMES), (False, GAMES)), 1):
            self.run_attackers((attack_with_resets, self.address, f"127.0.5.{number}", streams,
                                at_once, path))
        self.others_were_not_hurt()

    def test_open_and_reset_flood_of_many(self):
        streams = 100_000 if FULL else 1_500
        self.run_attackers(*((attack_with_resets, self.address, f"127.0.6.{number}", streams,
                              number % 2 == 0, GAMES) for number in range(1, 21)))
        self.others_were_not_hurt()

    def test_flooders_are_cut_off(self):
        streams = 8_000
        before, began = self.passed_on(), time.monotonic()
        attack_with_resets(self.address, "127.0.7.1", streams, True, h2.HEALTH)
        attack_with_resets(self.address, "127.0.7.1", streams, False, h2.HEALTH)
        periods = 1 + (time.monotonic() - began) / 10
        # The others' calls are the last thousands.
        self.assertLess(self.passed_on() - before, CALLS_OF_AN_ADDRESS * periods + 4000)
        self.others_were_not_hurt()

    def passed_on(self):
        """How many calls have reached the service."""
        with urllib.request.urlopen("http://%s:%d/metrics" % self.stand.stats) as metrics:
            for line in metrics.read().decode().splitlines():
                if line.startswith('haproxy_backend_http_requests_total{proxy="services"}'):
                    return int(line.split()[1])
        raise AssertionError("the proxy does not count")

    def test_frame_floods(self):
        seconds = 60 if FULL else 1
        ping = h2.frame(h2.PING, 0, 0, b"8 octets")
        attacks = {
            "ping": ping,
            "settings": h2.frame(h2.SETTINGS, 0, 0, b"\0\x03\0\0\0\x64"),
            "empty data": h2.frame(h2.DATA, 0, 1),
            "window": h2.frame(h2.WINDOW_UPDATE, 0, 0, b"\0\0\0\1"),
            "headers without an end": h2.frame(h2.HEADERS, 0, 3, h2.call_headers()) + 20 * h2.frame(
                h2.CONTINUATION, 0, 3, h2.literal("x", "y" * 1000)),
        }
        self.run_attackers(*((attack_with_frames, self.address, f"127.0.8.{number}", frames, seconds)
                             for number, frames in enumerate(attacks.values(), 1)))
        self.others_were_not_hurt()

    def test_oversized_messages(self):
        field = b"\x1a"  # of bytes; what it means does not matter
        # What is said to each: of the service, or the end of the connection by the proxy.
        cases = (
            ("just too much", dict(body=field + b"\xff\xff\x03" + b"x" * 0xFFFF), "64 KiB"),
            ("4 MiB", dict(body=b"\0" * (4 * 1024 * 1024 + 1)), "larger than max"),
            ("2 GiB, and nothing comes", dict(length=2**31 - 1), "grpc-status"),
            ("256 MiB in a compressed megabyte",
             dict(body=gzip.compress(field + b"\0" * 2**28, 1), compressed=True,
                  more=[("grpc-encoding", "gzip")]), "compressed requests are not taken"),
            ("16 kB of metadata", dict(more=[("x-more", "y" * 17_000)]), None),
            ("1,000 entries", dict(more=[(f"x-{number}", "y") for number in range(1000)]), None),
        )
        for name, call, said in cases:
            with self.subTest(name), h2.Connection(self.address, timeout=stand.LIMIT_S) as client:
                if said is None:
                    with self.assertRaises(h2.Closed):
                        client.call(GAMES, **call)
                    continue
                answer, heads = client.call(GAMES, **call)
                self.assertEqual(answer, b"")
                self.assertIn(said, heads.decode("latin-1"))
        self.others_were_not_hurt()


if __name__ == "__main__":
    # A flood is many sockets.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    unittest.main(verbosity=2)
