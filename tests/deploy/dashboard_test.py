"""The dashboard and the alerts ask for what service and proxy export.

usage: dashboard_test.py BUILD_DIR
"""

import json
import re
import shutil
import subprocess
import sys
import unittest
import urllib.request

import stand

BUILD = sys.argv.pop(1)
FOLDER = stand.ROOT / "deploy/dashboard"
NAME = re.compile(r"\b(?:astragal|haproxy)_[a-z_]+")


def exported(address):
    """The names on a page of metrics; a summary has a sum and a count."""
    with urllib.request.urlopen("http://%s:%d/metrics" % address, timeout=stand.LIMIT_S) as page:
        kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", page.read().decode(), re.MULTILINE))
    return set(kinds) | {name + part for name, kind in kinds.items() if kind == "summary"
                         for part in ("_sum", "_count")}


class Dashboard(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.dashboard = json.loads((FOLDER / "grafana.json").read_text())
        cls.alerts = (FOLDER / "alerts.yaml").read_text()

    def test_every_metric_is_exported(self):
        on_stand = stand.Stand(BUILD)
        self.addCleanup(on_stand.close)
        metrics = ("127.0.0.1", stand.free_port())
        service = on_stand.service("data", None, "--metrics", "%s:%d" % metrics)
        on_stand.start_proxy(service.address)
        # One call, for what is counted by method.
        self.assertEqual(on_stand.client("rulesets", server=service.address).returncode, 0)
        there = exported(metrics) | exported(on_stand.stats)
        asked = {name for panel in self.dashboard["panels"] for target in panel["targets"]
                 for name in NAME.findall(target["expr"])}
        alerted = set(NAME.findall(self.alerts))
        self.assertGreater(len(asked), 10)
        self.assertGreater(len(alerted), 8)
        self.assertEqual(sorted((asked | alerted) - there), [])
        # And the other way round: what the service counts can be seen.
        counted = {name for name in there if name.startswith("astragal_")}
        seen = asked | {re.sub("_(sum|count)$", "", name) for name in asked}
        unseen = {re.sub("_(sum|count)$", "", name) for name in counted} - seen
        self.assertEqual(sorted(unseen - {"astragal_capacity_per_second"}), [])

    def test_panels_have_places_of_their_own(self):
        taken = set()
        for panel in self.dashboard["panels"]:
            place = panel["gridPos"]
            cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                     for y in range(place["y"], place["y"] + place["h"])}
            self.assertLessEqual(place["x"] + place["w"], 24, panel["title"])
            self.assertFalse(cells & taken, panel["title"])
            taken |= cells
            self.assertTrue(panel["title"] and panel["description"])
        numbers = [panel["id"] for panel in self.dashboard["panels"]]
        self.assertEqual(len(numbers), len(set(numbers)))

    def test_every_alert_says_what_to_do(self):
        names = re.findall(r"^      - alert: (\w+)$", self.alerts, re.MULTILINE)
        self.assertEqual(len(names), len(set(names)))
        for field in ("expr:", "labels: {severity:", "summary:", "action:"):
            self.assertEqual(len(re.findall(rf"^ +{re.escape(field)}", self.alerts, re.MULTILINE)),
                             len(names), field)

    @unittest.skipUnless(shutil.which("promtool"), "Debian's package prometheus has it")
    def test_prometheus_reads_it(self):
        done = subprocess.run(["promtool", "check", "rules", FOLDER / "alerts.yaml"],
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
