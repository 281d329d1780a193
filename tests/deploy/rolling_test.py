"""Two services on one database behind the delivered proxy, restarted in turn while games are played.

usage: rolling_test.py BUILD_DIR

ASTRAGAL_ROLLING=full restarts both 20 times.
"""

import os
import shutil
import sys
import unittest
import urllib.request

import stand

BUILD = sys.argv.pop(1)
ROUNDS = 20 if os.environ.get("ASTRAGAL_ROLLING") == "full" else 1
GAMES_AT_ONCE = 3


class Rolling(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.stand = stand.Stand(BUILD)
        self.addCleanup(self.stand.close)
        self.database = self.stand.database()
        self.nodes = {"node1": None, "node2": None}
        for name in self.nodes:
            self.start(name)
            # The second opens what the first has sealed.
            self.share_keys("node1", "node2")
        # Programs play faster from one address than people.
        self.address = self.stand.start_proxy(*(node.address for node in self.nodes.values()),
                                              ASTRAGAL_PROXY_CALLS="1000000")

    def share_keys(self, source, target):
        folder = self.stand.folder / target
        folder.mkdir(exist_ok=True)
        for key in ("secrets.key", "operator.key"):
            if not (folder / key).exists():
                shutil.copy(self.stand.folder / source / key, folder / key)  # with its mode

    def start(self, name):
        port = self.nodes[name].port if self.nodes[name] else None
        self.nodes[name] = self.stand.service(name, port, "--database-url", self.database.url)

    def is_up(self, name):
        """Whether the proxy has seen it serving."""
        with urllib.request.urlopen("http://%s:%d/metrics" % self.stand.stats) as metrics:
            return (f'haproxy_server_status{{proxy="services",server="{name}",state="UP"}} 1'
                    in metrics.read().decode().splitlines())

    def test_no_action_fails(self):
        players = [stand.Neighbours(self.stand, f"https://localhost:{self.address[1]}")
                   for _ in range(GAMES_AT_ONCE)]
        for player in players:
            player.start()
            self.addCleanup(player.stop)
        for _ in range(ROUNDS):
            for name in self.nodes:
                self.assertEqual(self.nodes[name].stop(), 0, self.nodes[name].text())
                # Not before the proxy has noticed: it would take its first state for the old one.
                stand.wait_for(f"{name} is down", lambda: not self.is_up(name))
                self.start(name)
                stand.wait_for(f"{name} is up", lambda: self.is_up(name))
        for player in players:
            player.stop()
        self.assertEqual([player.failure for player in players], [""] * GAMES_AT_ONCE)
        actions = sum(player.actions for player in players)
        print(f"{ROUNDS} times both restarted: {actions} actions in "
              f"{sum(player.games for player in players)} games, 0 failed")
        self.assertGreater(actions, 100)
        # What the database has of it: every game's log without a hole.
        holes = self.database.sql("SELECT count(*) FROM (SELECT game_id FROM events GROUP BY game_id"
                                  " HAVING max(sequence) <> count(*)) AS holes")
        self.assertEqual(holes, "0")


if __name__ == "__main__":
    unittest.main(verbosity=2)
