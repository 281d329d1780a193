#!/usr/bin/env python3
"""history_test.py BUILD: what a player and an operator can prove, write down, and bring back.

Two servers with databases of their own. Games are played on the first; proofs, receipts, verification,
and records are made with the command line as people would, and the second server takes the
records over. The second one packs the logs of games at once, the first one after a day: whoever reads
cannot tell. Every number of what happened is printed.
"""
import base64
import calendar
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/clients/python"))
import verify_dice  # noqa: E402  (the other verifier)
sys.path.insert(0, str(ROOT / "tests/e2e"))
from astragald import Server  # noqa: E402

BUILD = None
PACK_LIMIT_S = 120
PLEDGE_TRIES = 5


def micros_of(text):
    """An instant of the protos' JSON in microseconds."""
    whole, _, rest = text.rstrip("Z").partition(".")
    seconds = calendar.timegm(time.strptime(whole, "%Y-%m-%dT%H:%M:%S"))
    return seconds * 1_000_000 + int((rest + "000000")[:6])


class History(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            cls.metrics = f"127.0.0.1:{listener.getsockname()[1]}"
        # Both start at once.
        servers = [Server(BUILD, "--metrics", cls.metrics), Server(BUILD, "--pack-after-hours", "0")]
        cls.first, cls.second = [server.serving() for server in servers]
        cls.environment = {**os.environ, "XDG_CONFIG_HOME": str(cls.folder), "NO_COLOR": "1",
                           "ASTRAGAL_SERVER": cls.first.address}
        cls.environment.pop("ASTRAGAL_KEY", None)
        for player in ("alice", "bob"):
            cls.run_program("player", "new", player)
        for ruleset, games in (("long_narde", 3), ("patolli", 2), ("ashtapada", 2)):
            cls.run_program("demo", "--ruleset", ruleset, "--games", str(games), "--seed", "11",
                            "--boards", "none")
        cls.games = cls.finished(cls.first)
        assert len(cls.games) == 7, cls.games

    @classmethod
    def tearDownClass(cls):
        cls.first.close()
        cls.second.close()
        shutil.rmtree(cls.folder, ignore_errors=True)

    @classmethod
    def start(cls, *words, server=None):
        environment = dict(cls.environment)
        if server:
            environment["ASTRAGAL_SERVER"] = server.address
            environment["ASTRAGAL_OPERATOR_KEY"] = str(server.folder / "data/operator.key")
        return subprocess.Popen([BUILD / "bin/astragal", *words], env=environment, cwd=cls.folder,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    @classmethod
    def run_program(cls, *words, code=0, server=None):
        process = cls.start(*words, server=server)
        out, err = process.communicate(timeout=120)
        if process.returncode != code:
            raise AssertionError(f"{words} ended with {process.returncode}:\n{out}{err}")
        return out + (err if code else "")

    @classmethod
    def finished(cls, server):
        words = ("games", "--status", "finished", "--limit", "100", "--json")
        out = cls.run_program(*words, server=server)
        return [game["game_id"] for game in json.loads(out)["games"]]

    def path(self, name, text=None):
        path = self.folder / name
        if text is not None:
            path.write_text(text)
        return path

    def test_proofs_hold_for_both_verifiers_and_changed_ones_for_neither(self):
        self.run_program("proof", *self.games, "-o", "all.proof")
        self.assertIn("7 of 7 hold", self.run_program("verify", "all.proof"))
        lines = self.path("all.proof").read_text().splitlines()
        self.assertEqual([verify_dice.check_line(line) for line in lines], [[]] * 7)
        throws = 0
        for line in lines:
            proof = json.loads(line)
            throws += len(proof["throws"])
            made = proof["throws"][len(proof["throws"]) // 2]
            weights = proof["throw_kinds"][made["kind"]]["weights"]
            made["outcome"] = (made["outcome"] + 1) % len(weights)
            bad = json.dumps(proof)
            self.assertTrue(verify_dice.check_line(bad))
            self.path("bad.proof", bad)
            self.assertIn("0 of 1 hold", self.run_program("verify", "bad.proof", code=1))
        print(f"{throws} throws of {len(lines)} games proven twice")

    def contribute_both(self):
        """A new game, and what the command line said to its two seats."""
        game = self.run_program("--player", "alice", "new", "long_narde").split()[0]
        alice = self.start("--player", "alice", "contribute", game)
        give_up = time.monotonic() + 20
        while "pledges" not in self.run_program("events", game) and time.monotonic() < give_up:
            time.sleep(0.1)
        self.run_program("--player", "bob", "join", game)
        bob = self.start("--player", "bob", "contribute", game)
        return game, [process.communicate(timeout=60)[0] for process in (alice, bob)]

    def test_both_seats_add_to_the_dice_and_nothing_leaks_before_the_end(self):
        # The service waits two seconds for a pledge; a busy machine may need another game.
        for _ in range(PLEDGE_TRIES):
            game, said = self.contribute_both()
            if all("with your bytes in its dice" in text for text in said):
                break
        for text in said:
            self.assertIn("with your bytes in its dice", text)
        self.assertIn("GAME_STILL_RUNNING", self.run_program("proof", game, code=1))
        self.assertIn("GAME_STILL_RUNNING", self.run_program("export", game, code=1))
        before = "".join(self.run_program(*words) for words in (
            ("events", game, "--json"), ("games", "--json"), ("position", game, "--json"),
            ("replay", game, "--json"), ("receipt", game), ("verify", game, "--json")))
        before += self.first.log.read_text()
        self.run_program("--player", "alice", "resign", game, "--yes")
        self.run_program("proof", game, "-o", "two.proof")
        proof = json.loads(self.path("two.proof").read_text())
        self.assertEqual(sum(bool(seat["contribution"]) for seat in proof["seats"]), 2)
        self.assertIn("what 2 of 2 seats added", self.run_program("verify", "two.proof"))
        for seat, text in zip(proof["seats"], said):
            self.assertIn(seat["contribution"], text)
            self.assertIn(proof["commitment"], text)
        secret = bytes.fromhex(proof["secret"])
        for form in (secret.hex(), base64.b64encode(secret).decode(), secret.hex().upper()):
            self.assertNotIn(form, before)
            self.assertNotIn(form, self.first.log.read_text())
        self.assertIn(base64.b64encode(secret).decode(), self.run_program("events", game, "--json"))

    def test_both_seats_of_a_match_from_the_lobby_see_no_secret_before_the_end(self):
        asked = self.run_program("--player", "alice", "challenge", "bob", "long_narde", "--match",
                                 "games:1", "--contributions", "--json")
        proposal = json.loads(asked)["proposal_id"]
        accepted = json.loads(self.run_program("--player", "bob", "accept", proposal, "--json"))
        game, match = accepted["game"]["game_id"], accepted["game"]["match_id"]
        looks = [self.answers(game, match)]  # while contributions are awaited, or soon after
        give_up = time.monotonic() + 60
        while '"started":' not in self.run_program("events", game, "--json"):
            self.assertLess(time.monotonic(), give_up, "the game does not begin")
        looks.append(self.answers(game, match))
        self.run_program("--player", "alice", "resign", game, "--yes")
        secret = bytes.fromhex(json.loads(self.run_program("proof", game))["secret"])
        forms = (secret.hex(), secret.hex().upper(), base64.b64encode(secret).decode())
        for look in looks:
            self.assertIn(game, look)
            for form in forms:
                self.assertNotIn(form, look)
        # Published, it is found where it stands now, and nowhere else.
        self.assertIn(forms[2], self.run_program("events", game, "--json"))
        for form in forms:
            self.assertNotIn(form, self.metrics_page() + self.first.log.read_text())

    def metrics_page(self):
        with urllib.request.urlopen(f"http://{self.metrics}/metrics", timeout=20) as page:
            text = page.read().decode()
        self.assertIn("astragal_", text)
        return text

    def answers(self, game, match):
        """All that can be asked of a game of a match, and what the server says of itself."""
        return "".join(self.run_program(*words) for words in (
            ("events", game, "--json"), ("games", "--json"), ("position", game, "--json"),
            ("replay", game, "--json"), ("receipt", game), ("verify", game, "--json"),
            ("match", "show", match, "--json"))) + self.metrics_page() + self.first.log.read_text()

    def test_a_watched_game_ends_with_its_receipt(self):
        game = self.games[0]
        last = json.loads(self.run_program("watch", game, "--json").splitlines()[-1])
        asked = json.loads(self.run_program("receipt", game))
        self.assertEqual(base64.b64decode(last["log_hash"]).hex(), asked["log_hash"])
        self.assertEqual(last["sequence"], asked["sequence"])
        given = {"format": "astragal-receipt-1", **asked,
                 "signature": base64.b64decode(last["signature"]).hex()}
        given["signed_at_us"] = micros_of(last["sign_time"])
        self.path("given.receipt", json.dumps(given))
        self.assertIn("1 of 1 hold", self.run_program("verify", "given.receipt"))

    def test_games_are_found_by_what_they_were(self):
        def found(*words):
            out = json.loads(self.run_program("find", *words, "--json"))
            return [game["game_id"] for game in out.get("games", [])]

        self.assertEqual(found("--ending", "played", "--limit", "7"), self.games)
        narde = found("--ruleset", "long_narde", "--ending", "played")
        self.assertEqual(len(narde), 3)
        whole = next(game for game in json.loads(self.run_program("find", "--json"))["games"]
                     if game["game_id"] == narde[0])
        seats = whole["seats"]
        winner = next(seat for seat in seats if seat["place"] == 1)
        loser = next(seat for seat in seats if seat["place"] != 1)
        won = ("--of", winner["player_name"], "--against", loser["player_name"])
        self.assertIn(narde[0], found(*won, "--place", "1"))
        self.assertNotIn(narde[0], found(*won, "--place", "2"))
        header = json.loads(self.run_program("export", narde[0]).splitlines()[0])
        option, value = sorted(header["options_text"].items())[0]
        self.assertIn(narde[0], found("--ruleset", "long_narde", "--option", f"{option}={value}"))
        events = str(whole["sequence"])
        self.assertIn(narde[0], found("--least-events", events, "--most-events", events))
        self.assertEqual(found("--least-events", "100000"), [])
        self.assertEqual(found("--until", "2020-01-01"), [])
        self.assertIn(narde[0], found("--since", "2020-01-01"))
        self.assertIn("BAD_OPTION", self.run_program("find", "--ruleset", "long_narde", "--option",
                                                     "no_such=1", code=1))

    def test_a_moment_is_found(self):
        game = self.games[0]
        lines = self.run_program("events", game, "--json").splitlines()
        event = json.loads(lines[len(lines) // 2])
        at = json.loads(self.run_program("position", game, "--moment", event["event_time"], "--json"))
        same = [number for number, line in enumerate(lines, 1)
                if json.loads(line)["event_time"] == event["event_time"]]
        self.assertEqual(at["sequence"], same[-1])
        self.assertEqual(at, json.loads(self.run_program("position", game, "--at", str(same[-1]), "--json")))
        self.assertIn("SEQUENCE_UNKNOWN", self.run_program(
            "position", game, "--moment", "2020-01-01", code=1))

    def test_games_are_counted(self):
        numbers = json.loads(self.run_program("find", "--ending", "played", "--numbers", "--json"))
        self.assertEqual(numbers["games"], 7)
        self.assertEqual(numbers["endings"], [{"ending": "GAME_ENDING_PLAYED", "games": 7}])
        decided = sum(numbers.get("wins_by_seat", [])) + numbers.get("draws", 0)
        self.assertEqual(decided, 7)
        games = json.loads(self.run_program("find", "--ending", "played", "--json"))["games"]
        lengths = sorted(game["sequence"] for game in games)
        self.assertEqual((numbers["least_events"], numbers["median_events"], numbers["most_events"]),
                         (lengths[0], lengths[3], lengths[-1]))
        self.assertIn("won by seat 0", self.run_program("find", "--numbers"))
        # Each player's name stands once in the result.
        self.assertNotRegex(self.run_program("find", "--ending", "played"), r"(\(\w+\)) \1")

    def test_throws_are_counted(self):
        answer = json.loads(self.run_program("throws", "long_narde", "--json"))
        self.assertGreaterEqual(answer["games"], 3)
        counted = sum(int(count) for kind in answer["kinds"] for count in kind["counts"])
        thrown = 0
        for game in json.loads(self.run_program("find", "--ruleset", "long_narde", "--json"))["games"]:
            events = self.run_program("events", game["game_id"], "--json")
            thrown += sum("throw" in json.loads(line) for line in events.splitlines())
        self.assertEqual(counted, thrown)
        self.assertTrue(all(0 <= test["p_value"] <= 1 for kind in answer["kinds"]
                            for test in kind["tests"]))
        self.assertIn("faces", self.run_program("throws", "long_narde"))

    def test_receipts_are_checked_without_a_server(self):
        self.run_program("receipt", self.games[0], "-o", "game.receipt")
        self.assertIn("1 of 1 hold", self.run_program("verify", "game.receipt"))
        receipt = json.loads(self.path("game.receipt").read_text())
        self.assertIn(receipt["public_key"], self.run_program("receipt", "--keys"))
        for key in ("log_hash", "signature"):
            bad = dict(receipt)
            bad[key] = ("0" if bad[key][0] != "0" else "1") + bad[key][1:]
            self.path("bad.receipt", json.dumps(bad))
            self.assertIn("0 of 1 hold", self.run_program("verify", "bad.receipt", code=1))
        bad = {**receipt, "sequence": receipt["sequence"] + 1}
        self.path("bad.receipt", json.dumps(bad))
        self.run_program("verify", "bad.receipt", code=1)

    def test_stored_games_are_verified(self):
        out = self.run_program("verify", *self.games)
        self.assertEqual(out.count("good"), 7)
        self.assertIn("on the build that played them", out)
        out = self.run_program("verify", "--all", server=self.first)
        count, _, of = out.split()[:3]
        self.assertEqual(count, of)
        self.assertGreaterEqual(int(count), 7)
        oldest = min(self.games)
        out = self.run_program("verify", "--all", "--after", oldest, server=self.first)
        self.assertEqual(int(out.split()[0]), int(count) - 1)
        self.assertIn("TOKEN_INVALID", self.run_program(
            "verify", "--all", "--operator-key", "ast_op_" + 64 * "0", code=1))
        self.assertIn("No difference", self.run_program("compare", self.games[0]))

    def test_records_go_from_one_server_to_another_and_come_back_the_same(self):
        self.run_program("export", *self.games, "-o", "some.rgl")
        self.run_program("export", *self.games, "--format", "text", "-o", "some.rgn")
        lines = self.path("some.rgl").read_text()
        text = self.path("some.rgn").read_text()

        # What is wrong is refused by line and reason, and nothing of it is stored.
        bad = lines.replace('"t":"started"', '"t":"begun"', 1)
        number = bad[:bad.index('"t":"begun"')].count("\n") + 1
        self.path("bad.rgl", bad)
        out = self.run_program("import", "bad.rgl", "--check", code=1, server=self.second)
        self.assertIn(f"bad.rgl:{number}:", out)
        self.assertIn('"t" is no kind of event', out)
        self.assertEqual(self.finished(self.second), [])

        self.run_program("import", "some.rgn", "--check", server=self.second)
        self.assertEqual(self.finished(self.second), [])
        self.run_program("import", "some.rgn", server=self.second)
        self.assertEqual(sorted(self.finished(self.second)), sorted(self.games))
        again = self.start("import", "some.rgl", server=self.second)
        self.assertIn("7 there already", again.communicate(timeout=60)[1])
        back = self.run_program("export", *self.games, server=self.second)
        self.assertEqual(back, lines)
        back = self.run_program("export", *self.games, "--format", "text", server=self.second)
        self.assertEqual(back, text)
        out = self.run_program("verify", "--all", server=self.second)
        self.assertTrue(out.startswith("7 of 7"), out)

        # An export of all goes on where its file ends, and cuts off half a game.
        self.run_program("export", "-o", "all.rgl", server=self.second)
        whole = self.path("all.rgl").read_text()
        self.path("all.rgl", whole[:len(whole) // 2])
        self.run_program("export", "-o", "all.rgl", server=self.second)
        self.assertEqual(self.path("all.rgl").read_text(), whole)
        self.assertEqual(whole.count('"t":"end"'), 7)
        self.archive_and_bring_back(whole)

        # Keys that are not ours come out again.
        noted = lines.splitlines(keepends=True)
        end = next(i for i, line in enumerate(noted) if '"t":"end"' in line)
        game = json.loads(noted[0])["game"]
        header = noted[0].replace("{", '{"Event":"Open",', 1).replace(
            '{"Event":"Open","format":"astragal-game-1",', '{"format":"astragal-game-1","Event":"Open",')
        closing = json.loads(noted[end])
        del closing["lines"]
        third = Server(BUILD).serving()
        try:
            self.path("noted.rgl", "".join([header, *noted[1:end], json.dumps(closing), "\n"]))
            self.run_program("import", "noted.rgl", server=third)
            self.assertIn('"Event":"Open"', self.run_program("export", game, server=third))
            self.assertIn('[Event "Open"]',
                          self.run_program("export", game, "--format", "text", server=third))
        finally:
            third.close()

    def archive_and_bring_back(self, whole):
        """The logs of the second server, which are packed as soon as it comes to it."""
        self.assertIn("TOKEN_INVALID", self.run_program(
            "archive", "--until", "2100-01-01", "-o", "no.rgl", "--operator-key",
            "ast_op_" + 64 * "0", code=1, server=self.second))
        files = []
        give_up = time.monotonic() + PACK_LIMIT_S
        while sum(path.read_text().count('"t":"end"') for path in files) < 7:
            self.assertLess(time.monotonic(), give_up, "the logs are not packed")
            files.append(self.path(f"old{len(files)}.rgl"))
            self.run_program("archive", "--until", "2100-01-01", "-o", files[-1].name,
                             "--name", "the old ones", server=self.second)
            time.sleep(0.2)
        game = self.games[0]
        for words in (("events", game), ("verify", game), ("replay", game), ("export", game)):
            out = self.run_program(*words, code=1, server=self.second)
            self.assertIn("LOG_ARCHIVED", out)
            self.assertIn("the old ones", out)
        self.assertEqual(sorted(self.finished(self.second)), sorted(self.games))
        self.assertEqual(self.run_program("export", server=self.second), "")
        for path in files:
            self.run_program("import", path.name, server=self.second)
        # Now every log is packed for certain.
        self.assertEqual(self.run_program("export", server=self.second), whole)
        self.assertTrue(self.run_program("verify", "--all", server=self.second).startswith("7 of 7"))
        for words in (("events", game, "--json"), ("position", game, "--at", "9", "--json"),
                      ("replay", game, "--json"), ("proof", game)):
            self.assertEqual(self.run_program(*words, server=self.second), self.run_program(*words))

    def test_columns_are_for_people(self):
        narde = next(game for game in self.games
                     if '"ruleset":"long_narde"' in self.run_program("export", game))
        out = self.run_program("export", narde, "--format", "columns")
        self.assertIn(" Game 1", out)
        self.assertRegex(out, r"\n  1\) +\d\d: \d+/")
        self.assertRegex(out, r"Wins \d point")


if __name__ == "__main__":
    BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(verbosity=2)
