"""Point-in-time recovery as deploy/OPERATING.md tells it: a base backup, an archive of the log, and the
store as it was at the middle one of three marks.

usage: pitr_test.py BUILD_DIR
"""

import json
import os
import re
import subprocess
import sys
import unittest

import stand

BUILD = sys.argv.pop(1)
MARKS = ("first", "second", "third")


def settings_of_the_page(archive):
    """The lines that the operator's page says belong into postgresql.conf, with this archive."""
    page = (stand.ROOT / "deploy/OPERATING.md").read_text()
    block = re.search(r"```ini\n(archive_mode.*?)```", page, re.DOTALL)[1]
    recovery = re.search(r"```ini\n(restore_command.*?)```", page, re.DOTALL)[1]
    return [text.replace("/srv/archive", str(archive)).splitlines() for text in (block, recovery)]


class PointInTime(unittest.TestCase):

    def test_the_store_as_it_was_at_a_mark(self):
        on_stand = stand.Stand(BUILD)
        self.addCleanup(on_stand.close)
        archive = stand.private_folder(on_stand.folder / "archive")
        archiving, recovering = settings_of_the_page(archive)
        live = on_stand.database("live", archiving)
        service = on_stand.service("data", None, "--database-url", live.url)

        self.play(on_stand, service)
        base = stand.private_folder(on_stand.folder / "restored")
        live.tool("pg_basebackup", "-d", live.url, "-D", base / "data", "-c", "fast", "-X", "stream")
        events = {}
        for mark in MARKS:
            self.play(on_stand, service)
            # Nobody plays at this moment, so this is what must be there.
            events[mark] = self.events(live)
            live.sql(f"SELECT pg_create_restore_point('{mark}')")
        self.assertEqual(service.stop(), 0)
        # The segment with the last mark is in the archive.
        last = live.sql("SELECT pg_walfile_name(pg_switch_wal())")
        stand.wait_for("the log is archived", lambda: (archive / last).exists())
        live.stop("immediate")

        (base / "data" / "recovery.signal").touch()
        restored = on_stand.database(
            "restored", [line.replace("MARK", "second") for line in recovering])
        stand.wait_for("recovery ends", lambda: restored.sql("SELECT pg_is_in_recovery()") == "f")
        self.assertEqual(self.events(restored), events["second"])
        self.assertLess(events["first"], events["second"])
        self.assertLess(events["second"], events["third"])
        checked = subprocess.run(
            [stand.ROOT / "deploy/backup", "check", "--database-url", restored.url, "--data",
             on_stand.folder / "data"],
            env={**os.environ, "PATH": f"{on_stand.build}/bin:{os.environ['PATH']}"},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=stand.LIMIT_S)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        self.assertEqual(json.loads(checked.stdout)["events"], events["second"])
        # And it is played on.
        service = on_stand.service("data", None, "--database-url", restored.url)
        self.play(on_stand, service)
        self.assertGreater(self.events(restored), events["second"])

    def play(self, on_stand, service):
        game = on_stand.client("demo", server=service.address)
        self.assertEqual(game.returncode, 0, game.stderr)

    @staticmethod
    def events(database):
        return int(database.sql("SELECT count(*) FROM events"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
