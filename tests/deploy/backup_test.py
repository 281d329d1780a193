"""deploy/backup on a store that is played on: dumped, restored, proven; and what it must find wrong.

usage: backup_test.py BUILD_DIR
"""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest

import stand

BUILD = sys.argv.pop(1)


class Backup(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        """One dump for all, written while games are played; the service is gone afterwards."""
        cls.stand = stand.Stand(BUILD)
        cls.addClassCleanup(cls.stand.close)
        service = cls.stand.service("first")
        cls.port = service.port  # the keys of players are kept by address
        cls.game = cls.running_game(service.address)
        cls.dump = cls.stand.folder / "dump"
        player = stand.Neighbours(cls.stand, service.address)
        player.start()
        try:
            stand.wait_for("a whole game", lambda: player.games or player.failure)
            cls.made = cls.backup("dump", cls.dump, "--data", service.data)
        finally:
            player.stop()
        assert not player.failure, player.failure
        assert service.stop() == 0, service.text()

    @classmethod
    def running_game(cls, server):
        """A game of alice and bob that goes on; returns its id."""
        for name in ("alice", "bob"):
            cls.astragal("player", "new", name, server=server)
        game = cls.astragal("--player", "alice", "new", "long_narde", server=server).split()[0]
        cls.astragal("--player", "bob", "join", game, server=server)
        return game

    @classmethod
    def astragal(cls, *arguments, server):
        done = cls.stand.client(*arguments, server=server)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @classmethod
    def backup(cls, *arguments):
        path = f"{cls.stand.build}/bin:{os.environ['PATH']}"
        return subprocess.run([stand.ROOT / "deploy/backup", *map(str, arguments)],
                              env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=stand.LIMIT_S)

    def restored(self, name):
        """A database of its own that the dump was restored into, and a data directory with the keys."""
        database = self.stand.database(name)
        data = self.stand.folder / f"{name}-data"
        done = self.backup("restore", self.dump, "--database-url", database.url, "--data", data)
        self.assertEqual(done.returncode, 0, done.stderr)
        return database, data

    def check(self, database, data):
        done = self.backup("check", "--database-url", database.url, "--data", data)
        return done.returncode, json.loads(done.stdout), done.stderr

    def test_a_dump_is_proven(self):
        self.assertEqual(self.made.returncode, 0, self.made.stderr)
        self.assertEqual((self.stand.folder / "dump.keys").stat().st_mode & 0o77, 0, "keys are private")
        done = self.backup("prove", self.dump, "--work", self.stand.folder)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        report = json.loads(done.stdout)
        self.assertGreaterEqual(report["games"], 2)
        self.assertGreaterEqual(report["running"], 1)
        self.assertGreater(report["events"], 100)
        self.assertGreater(report["throws"], 50)
        self.assertEqual(report["differences"], [])
        self.assertEqual(list(self.stand.folder.glob("astragal-prove.*")), [], "it cleans up")
        print(f"proven: {done.stdout.strip()}")

    def test_a_restored_store_plays_on(self):
        data = self.stand.folder / "second"
        done = self.backup("restore", self.dump, "--data", data)
        self.assertEqual(done.returncode, 0, done.stderr)
        service = self.stand.service("second", self.port)
        # The players' keys are those of before, and the key file opens the dice of their game.
        self.astragal("--player", "alice", "resign", self.game, "--yes", server=service.address)
        self.astragal("demo", server=service.address)
        info = json.loads(self.astragal("admin", "info", "--json", server=service.address))
        self.assertGreater(int(info["restore_epoch"]), 0, "clients see that it was restored")
        self.assertEqual(service.stop(), 0)
        done = self.backup("check", "--data", data)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        self.assertGreaterEqual(json.loads(done.stdout)["games"], 3)

    @unittest.skipUnless(os.geteuid() == 0, "only root can come as somebody else")
    def test_root_comes_as_the_account_of_the_service(self):
        database, data = self.restored("known")
        # Whoever names no role asks for that of his account, and there is none for root.
        url = database.url.replace("postgres@", "")
        dump = self.stand.folder / "known-dump"
        self.assertEqual(self.backup("dump", dump, "--database-url", url, "--data", data).returncode, 2)
        shutil.chown(data, "postgres")
        for command in (("dump", dump), ("mark-restored",)):
            done = self.backup(*command, "--database-url", url, "--data", data)
            self.assertEqual(done.returncode, 0, done.stderr)
        into = self.stand.database("known-again").url.replace("postgres@", "")
        done = self.backup("restore", dump, "--database-url", into, "--data", data)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_nothing_is_overwritten_and_what_is_wrong_is_found(self):
        database, data = self.restored("bad")
        done = self.backup("restore", self.dump, "--database-url", database.url, "--data", data)
        self.assertEqual(done.returncode, 2)
        self.assertIn("not empty", done.stderr)
        code, report, log = self.check(database, data)
        self.assertEqual((code, report["different"]), (0, 0), log)
        over = database.sql("SELECT game_id FROM events GROUP BY 1 ORDER BY count(*) DESC LIMIT 1")
        alterations = {
            "an event is another one": f"UPDATE events SET number = number + 1 WHERE game_id = '{over}'"
                                       " AND sequence = 20",
            "an event is missing": f"DELETE FROM events WHERE game_id = '{over}' AND sequence = 30",
            "the end is missing": f"DELETE FROM events WHERE game_id = '{over}' AND sequence ="
                                  f" (SELECT max(sequence) FROM events WHERE game_id = '{over}')",
        }
        for name, statement in alterations.items():
            with self.subTest(name):
                url = re.sub("/postgres$", "/altered", database.url)
                database.sql("CREATE DATABASE altered TEMPLATE postgres", re.sub(
                    "/postgres$", "/template1", database.url))
                # Who means harm drops the triggers first.
                database.sql(f"SET session_replication_role = replica; {statement}", url)
                done = self.backup("check", "--database-url", url, "--data", data)
                self.assertEqual(done.returncode, 1, done.stderr + done.stdout)
                self.assertEqual(json.loads(done.stdout)["different"], 1)
                database.sql("DROP DATABASE altered")
        with self.subTest("another key"):
            (data / "secrets.key").write_bytes(b"\x5a" * 32)
            code, report, _ = self.check(database, data)
            self.assertEqual(code, 1)
            self.assertIn("key file", report["differences"][0]["what"])

    def test_a_broken_dump_is_no_backup(self):
        broken = self.stand.folder / "broken"
        shutil.copy(self.dump, broken)
        with open(broken, "r+b") as file:
            file.truncate(self.dump.stat().st_size * 2 // 3)
        done = self.backup("prove", broken, "--keys", self.stand.folder / "dump.keys",
                           "--work", self.stand.folder)
        self.assertEqual(done.returncode, 2, done.stderr + done.stdout)

    def test_no_key_in_a_dump_works(self):
        script = subprocess.run([stand.POSTGRES / "pg_restore", "-f", "-", self.dump],
                                capture_output=True, check=True).stdout.decode()
        kept = (self.stand.folder / "keys/astragal/keys").read_text()
        operator = (self.stand.folder / "first/operator.key").read_text()
        keys = re.findall("ast_(?:op_)?([0-9a-f]{64})", kept + operator)
        self.assertEqual(len(keys), 3, "of alice, bob and the operator")
        for key in keys:
            self.assertNotIn(key, script)


if __name__ == "__main__":
    unittest.main(verbosity=2)
