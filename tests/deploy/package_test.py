"""The Debian packages: made by CPack, looked into, unpacked, and the service run from there.

usage: package_test.py BUILD_DIR
"""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import stand

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
WANTED = """
./usr/bin/astragal
./usr/bin/astragal-backup
./usr/bin/astragald
./usr/bin/ruleset_check
./usr/lib/astragal/bin/astragald
./usr/lib/astragal/bin/ruleset_probe
./usr/lib/astragal/plugins/libashtapada.so
./usr/lib/astragal/plugins/liblong_narde.so
./usr/lib/astragal/plugins/libpatolli.so
./usr/lib/systemd/system/astragal-backup.service
./usr/lib/systemd/system/astragal-backup.timer
./usr/lib/systemd/system/astragald@.service
./usr/share/astragal/dashboard/alerts.yaml
./usr/share/astragal/dashboard/grafana.json
./usr/share/astragal/proto/astragal/v1/game_service.proto
./usr/share/astragal/proxy/haproxy.cfg
./usr/share/doc/astragal/CHANGELOG.md
./usr/share/doc/astragal/OPERATING.md
./usr/share/doc/astragal/copyright
""".split()


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, text=True,
                          capture_output=True, timeout=stand.LIMIT_S, **options)
    if done.returncode:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


class Package(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.stand = stand.Stand(BUILD)
        cls.addClassCleanup(cls.stand.close)
        packages = cls.stand.folder / "packages"
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", packages, cwd=BUILD)
        cls.packages = {run("dpkg-deb", "-f", path, "Package").strip(): path
                        for path in packages.glob("*.deb")}
        cls.root = cls.stand.folder / "root"
        run("dpkg-deb", "-x", cls.packages["astragal"], cls.root)
        cls.version = re.search(r"project\(astragal VERSION (\S+)",
                                (stand.ROOT / "CMakeLists.txt").read_text())[1]

    def test_what_is_in_it(self):
        self.assertEqual(sorted(self.packages), ["astragal", "astragal-ruleset-dev"])
        contents = run("dpkg-deb", "-c", self.packages["astragal"])
        names = {line.split()[5] for line in contents.splitlines()}
        self.assertEqual([name for name in WANTED if name not in names], [])
        self.assertEqual([name for name in names if "test" in name or "bench" in name], [])
        for line in contents.splitlines():
            mode, owner = line.split()[:2]
            self.assertEqual(owner, "root/root", line)
            # Nobody but root may change what the service runs; of links only the target counts.
            self.assertTrue(mode[0] == "l" or mode[5] == mode[8] == "-", line)
        authors = run("dpkg-deb", "-c", self.packages["astragal-ruleset-dev"])
        self.assertIn("/include/astragal/ruleset.h", authors)

    def test_what_it_says_about_itself(self):
        fields = dict(line.split(": ", 1) for line in run(
            "dpkg-deb", "-f", self.packages["astragal"]).splitlines() if ": " in line)
        self.assertEqual(fields["Version"], self.version)
        for library in ("libc6", "libgrpc++1.51", "libpqxx-6.4", "adduser"):
            self.assertIn(library, fields["Depends"])
        self.assertIn("haproxy", fields["Recommends"])
        self.assertIn(f"## {self.version}", (self.root / "usr/share/doc/astragal/CHANGELOG.md").read_text())
        control = run("dpkg-deb", "-I", self.packages["astragal"], "postinst")
        self.assertIn("adduser --system", control)

    def test_every_program_says_its_version(self):
        for program in ("astragald", "astragal"):
            self.assertIn(self.version, run(self.root / "usr/bin" / program, "--version"))
        run(self.root / "usr/bin/astragal-backup", "--help")

    def test_the_unpacked_service_is_played_on_and_checked(self):
        # Where it finds its rulesets is not said here.
        port = stand.free_port()
        data = self.stand.folder / "data"
        service = self.stand.keep(stand.Process(
            [self.root / "usr/bin/astragald", "--listen", f"127.0.0.1:{port}", "--data-dir", data],
            self.stand.folder / "log"))
        stand.wait_for("it serves", lambda: "INFO serving" in service.text()
                       or service.child.poll() is not None)
        self.assertIn("INFO serving", service.text())
        environment = {**self.stand.client_environment(), "PATH": f"{self.root}/usr/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
        run("astragal", "--server", f"127.0.0.1:{port}", "demo", env=environment)
        self.assertEqual(service.stop(), 0)
        checked = run("astragal-backup", "check", "--data", data, env=environment)
        self.assertIn('"games":1,', checked)

    def test_the_units(self):
        analyze = shutil.which("systemd-analyze")
        self.assertIsNotNone(analyze, "deploy/install --for test brings it")
        units = self.stand.folder / "units"
        shutil.copytree(self.root / "usr/lib/systemd/system", units)
        for unit in units.iterdir():
            text = unit.read_text()
            unit.write_text(text.replace("/usr/bin/astragal", f"{self.root}/usr/bin/astragal"))
        (units / "astragald@.service").rename(units / "astragald@7420.service")
        for unit in units.iterdir():
            said = subprocess.run([analyze, "verify", "--man=no", unit], capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, timeout=stand.LIMIT_S)
            self.assertEqual((said.returncode, said.stdout + said.stderr), (0, ""), unit.name)
        exposure = run(analyze, "security", "--offline=true", "--no-pager", "--threshold=20",
                       units / "astragald@7420.service")
        self.assertIn("Overall exposure level", exposure)


if __name__ == "__main__":
    unittest.main(verbosity=2)
