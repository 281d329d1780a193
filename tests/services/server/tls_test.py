"""astragald behind TLS: who gets in, what is refused at the start, and a certificate that is renewed.

usage: tls_test.py ASTRAGALD ASTRAGAL
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ASTRAGALD, ASTRAGAL = sys.argv[1:3]
RENEWED_WITHIN_S = 30


def run(*command, **environment):
    return subprocess.run(command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120)


def make_certificate(folder, name):
    """A certificate for localhost that is its own authority: NAME.pem and NAME.key."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    made = run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
               "-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext",
               "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key),
               "-out", str(certificate))
    assert made.returncode == 0, made.stderr
    key.chmod(0o600)
    return certificate, key


class Server:
    def __init__(self, folder, *options, listen="127.0.0.1:0"):
        self.log = folder / "astragald.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [ASTRAGALD, "--listen", listen, "--data-dir", str(folder / "data"), *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)

    def port(self):
        for _ in range(1200):
            for line in self.log.read_text().splitlines():
                if "INFO serving" in line:
                    return line.split("port=")[1].split()[0]
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.05)
        raise AssertionError("it does not serve:\n" + self.log.read_text())

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


def health(server, authority=None, timeout="5"):
    """What `astragal health` says, which trusts this authority alone."""
    roots = {"GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": str(authority)} if authority else {}
    return run(ASTRAGAL, "--server", server, "--timeout", timeout, "health", **roots)


def shut_out(server, authority=None):
    """Whether it gets no answer; a client tries again until its time is up."""
    return health(server, authority, "1").returncode != 0


class Tls(unittest.TestCase):
    def setUp(self):
        # Not below a folder of root alone: PostgreSQL runs as another user.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="astragal-tls-", dir="/tmp"))
        self.folder.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def refused(self, *options, listen="127.0.0.1:0"):
        server = Server(self.folder, *options, listen=listen)
        self.assertEqual(server.process.wait(60), 1)
        return server.log.read_text()

    def test_serves_and_reads_a_renewed_certificate(self):
        first, first_key = make_certificate(self.folder, "first")
        second, second_key = make_certificate(self.folder, "second")
        serving, serving_key = self.folder / "tls.pem", self.folder / "tls.key"
        shutil.copy(first, serving)
        shutil.copy(first_key, serving_key)  # with its mode
        server = Server(self.folder, "--tls-cert", str(serving), "--tls-key", str(serving_key))
        self.addCleanup(server.stop)
        address = f"https://localhost:{server.port()}"

        good = health(address, first)
        self.assertEqual(good.returncode, 0, good.stderr)
        self.assertTrue(shut_out(address, second), "a stranger's certificate")
        self.assertTrue(shut_out(address.removeprefix("https://")), "plain text")
        created = run(ASTRAGAL, "--server", address, "player", "new", "Anna",
                      XDG_CONFIG_HOME=str(self.folder), HOME=str(self.folder),
                      GRPC_DEFAULT_SSL_ROOTS_FILE_PATH=str(first))
        self.assertEqual(created.returncode, 0, created.stderr)

        # Both files at once, as renewal tools do it: by renaming.
        shutil.copy(second_key, self.folder / "new.key")
        shutil.copy(second, self.folder / "new.pem")
        os.replace(self.folder / "new.key", serving_key)
        os.replace(self.folder / "new.pem", serving)
        give_up = time.monotonic() + RENEWED_WITHIN_S
        while health(address, second).returncode != 0:
            self.assertLess(time.monotonic(), give_up, "the new certificate is not served")
        self.assertTrue(shut_out(address, first), "the old one is still served")

    def test_whoever_shows_a_certificate_of_the_operators_authority_is_an_operator(self):
        serving, serving_key = make_certificate(self.folder, "serving")
        operator, operator_key = make_certificate(self.folder, "operator")
        stranger, stranger_key = make_certificate(self.folder, "stranger")
        server = Server(self.folder, "--tls-cert", str(serving), "--tls-key", str(serving_key),
                        "--operator-ca", str(operator))
        self.addCleanup(server.stop)
        address = f"https://localhost:{server.port()}"

        def builds(certificate=None, key=None):
            mine = {} if certificate is None else {"ASTRAGAL_CLIENT_CERT": str(certificate),
                                                   "ASTRAGAL_CLIENT_KEY": str(key)}
            return run(ASTRAGAL, "--server", address, "--timeout", "5", "admin", "rulesets", "list",
                       "--operator-key", str(self.folder / "none"), **mine,
                       GRPC_DEFAULT_SSL_ROOTS_FILE_PATH=str(serving))

        shown = builds(operator, operator_key)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertNotEqual(builds(stranger, stranger_key).returncode, 0)
        self.assertNotEqual(builds().returncode, 0)
        self.assertEqual(health(address, serving).returncode, 0, "players need no certificate")

    def test_what_is_unsafe_does_not_start(self):
        certificate, key = make_certificate(self.folder, "one")
        _, other_key = make_certificate(self.folder, "other")
        readable = self.folder / "readable.key"
        shutil.copy(key, readable)
        readable.chmod(0o640)
        empty = self.folder / "empty.pem"
        empty.write_text("")
        for name, options, words in (
                ("key that others read", (certificate, readable), "chmod 600"),
                ("key of another", (certificate, other_key), "fits the certificate"),
                ("no certificate", (empty, key), "no certificate"),
                ("no such key", (certificate, self.folder / "none"), "No such file")):
            with self.subTest(name):
                said = self.refused("--tls-cert", str(options[0]), "--tls-key", str(options[1]))
                self.assertIn(words, said)

    def test_plain_text_stays_on_this_machine_unless_told(self):
        said = self.refused(listen="0.0.0.0:0")
        self.assertIn("--tls-cert", said)
        server = Server(self.folder, "--plain-text-anywhere", listen="0.0.0.0:0")
        self.addCleanup(server.stop)
        self.assertEqual(health(f"127.0.0.1:{server.port()}").returncode, 0)

    def test_a_certificate_needs_its_key(self):
        certificate, _ = make_certificate(self.folder, "one")
        alone = run(ASTRAGALD, "--tls-cert", str(certificate))
        self.assertEqual(alone.returncode, 2)
        self.assertIn("--tls-key", alone.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
