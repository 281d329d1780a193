"""A whole deployment on this machine: a database, services, the proxy of deploy/proxy in front of them."""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROXY_CONFIGURATION = ROOT / "deploy/proxy/haproxy.cfg"
POSTGRES = pathlib.Path("/usr/lib/postgresql/15/bin")
LIMIT_S = 120  # for whatever should take a moment; generous, because machines are busy


def wait_for(what, condition, limit_s=LIMIT_S):
    """Returns the first true answer of `condition`."""
    give_up = time.monotonic() + limit_s
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > give_up:
            raise AssertionError(f"not within {limit_s} s: {what}")
        time.sleep(0.05)


def free_port(host="127.0.0.1"):
    with socket.socket() as probe:
        probe.bind((host, 0))
        return probe.getsockname()[1]


def make_certificate(folder):
    """A certificate for localhost that is its own authority; the second file has the key, too."""
    certificate, key, both = (folder / name for name in ("cert.pem", "key.pem", "proxy.pem"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
         "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-keyout", key, "-out", certificate], check=True, capture_output=True, stdin=subprocess.DEVNULL)
    both.write_bytes(certificate.read_bytes() + key.read_bytes())
    return certificate, both


class Process:
    """A program with a log that ends with the stand."""

    def __init__(self, command, log, **environment):
        self.log = log
        with open(log, "ab") as out:
            self.child = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL,
                                          stdout=out, stderr=out, env={**os.environ, **environment})

    def text(self):
        return self.log.read_text(errors="replace")

    def stop(self, limit_s=LIMIT_S):
        """Asks it to end; returns its exit code."""
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGTERM)
        return self.child.wait(limit_s)

    def status_kb(self, field):
        """VmRSS, or VmHWM: the most it ever was."""
        for line in pathlib.Path(f"/proc/{self.child.pid}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1])
        raise AssertionError("no " + field)


class Service(Process):
    """astragald. Given no port it takes a free one; returns from construction when it serves."""

    def __init__(self, build, data, port=None, *options):
        self.port = port or free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.data = data
        log = data.parent / f"{data.name}.log"
        super().__init__([build / "bin/astragald", "--listen", self.address, "--data-dir", data,
                          "--plugins", build / "plugins", *options], log)
        served = self.text().count("INFO serving")
        wait_for("astragald serves", lambda: self._serves(served))

    def _serves(self, before):
        if self.child.poll() is not None:
            raise AssertionError("astragald ended:\n" + self.text())
        return self.text().count("INFO serving") > before


def private_folder(folder):
    """A folder that belongs to PostgreSQL's user when we are root; returns it."""
    folder.mkdir(mode=0o700)
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    return folder


class Postgres:
    """A PostgreSQL server of the operator's own, on a free port of this machine. The folder is made and
    filled unless it has a cluster, such as a base backup. `settings` are lines of postgresql.conf."""

    def __init__(self, folder, settings=()):
        self.folder = folder
        self.data = folder / "data"
        self.port = free_port()
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"
        if not self.data.exists():
            private_folder(folder)
            self.tool("initdb", "-D", self.data, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync",
                      "-U", "postgres")
        with open(self.data / "postgresql.conf", "a", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in settings))
        self.tool("pg_ctl", "-D", self.data, "-l", folder / "log", "-w", "-t", str(LIMIT_S), "-o",
                  f"-p {self.port} -k '' -h 127.0.0.1", "start")

    @staticmethod
    def tool(name, *arguments):
        """Runs a program of PostgreSQL, as its own user when we are root; returns what it printed."""
        user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        # Files, not pipes: the server that pg_ctl starts keeps them.
        with tempfile.TemporaryFile() as out:
            code = subprocess.run([*user, POSTGRES / name, *arguments], cwd="/", stdout=out, stderr=out,
                                  stdin=subprocess.DEVNULL, timeout=LIMIT_S).returncode
            out.seek(0)
            text = out.read().decode(errors="replace")
        if code:
            raise AssertionError(f"{name} ended with {code}:\n{text}")
        return text

    def sql(self, text, url=None):
        """What a statement answers: rows as lines, columns parted by '|'."""
        return self.tool("psql", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", text,
                         url or self.url).strip()

    def stop(self, mode="fast"):
        self.tool("pg_ctl", "-D", self.data, "-w", "-t", str(LIMIT_S), "-m", mode, "stop")


class Stand:
    """Owns a folder below /tmp that other accounts can pass, and everything started in it."""

    def __init__(self, build):
        self.build = pathlib.Path(build).resolve()
        # PostgreSQL's own user must reach it, and sockets have short names.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="astragal-stand.", dir="/tmp"))
        self.folder.chmod(0o755)
        self.started = []
        self.databases = []
        self.proxy = None

    def close(self):
        for process in reversed(self.started):
            if process.child.poll() is None:
                process.stop()
        for database in self.databases:
            if (database.data / "postmaster.pid").exists():
                database.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def keep(self, process):
        self.started.append(process)
        return process

    def database(self, name="postgres", settings=()):
        self.databases.append(Postgres(self.folder / name, settings))
        return self.databases[-1]

    def service(self, name="data", port=None, *options):
        return self.keep(Service(self.build, self.folder / name, port, *options))

    def start_proxy(self, *nodes, **settings):
        """The proxy as it is delivered, but for its addresses and settings; returns where it listens."""
        self.certificate, both = make_certificate(self.folder)
        port, stats = free_port(), free_port()
        unused = f"127.0.0.1:{free_port()}"
        self.proxy = self.keep(Process(
            [shutil.which("haproxy", path=os.environ["PATH"] + ":/usr/sbin"), "-f",
             PROXY_CONFIGURATION],
            self.folder / "proxy.log",
            ASTRAGAL_PROXY_LISTEN=f"127.0.0.1:{port}", ASTRAGAL_PROXY_CERT=str(both),
            ASTRAGAL_PROXY_STATS=f"127.0.0.1:{stats}", ASTRAGAL_NODE_1=nodes[0],
            ASTRAGAL_NODE_2=nodes[1] if len(nodes) > 1 else unused, **settings))
        self.stats = ("127.0.0.1", stats)
        wait_for("the proxy listens", lambda: self._listens(port))
        return "127.0.0.1", port

    def _listens(self, port):
        if self.proxy.child.poll() is not None:
            raise AssertionError("haproxy ended:\n" + self.proxy.text())
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    def client(self, *arguments, server, limit_s=LIMIT_S):
        """Runs `astragal`; returns the finished process. Its keys are the stand's own."""
        return subprocess.run(self.client_command(*arguments, server=server),
                              env=self.client_environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=limit_s)

    def client_command(self, *arguments, server):
        return [str(self.build / "bin/astragal"), "--server", server, *arguments]

    def client_environment(self):
        environment = {**os.environ, "XDG_CONFIG_HOME": str(self.folder / "keys")}
        if self.proxy is not None:
            environment["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"] = str(self.certificate)
        return environment


class Neighbours(threading.Thread):
    """Whole games at a server, one after the other with a pause between them, until `stop`."""

    def __init__(self, on_stand, url, pause_s=0):
        super().__init__(daemon=True)
        self._stand, self._url, self._pause_s = on_stand, url, pause_s
        self._stopped = threading.Event()
        self.games = self.actions = 0
        self.failure = ""

    def run(self):
        while not self._stopped.is_set() and not self.failure:
            try:
                self._play()
            except Exception as error:  # a thread that died would look like a player who was served
                self.failure = repr(error)
            self._stopped.wait(self._pause_s)

    def _play(self):
        game = self._stand.client("--timeout", str(LIMIT_S), "demo", server=self._url, limit_s=5 * LIMIT_S)
        if game.returncode:
            self.failure = f"exit code {game.returncode}: {game.stderr}"
            return
        self.games += 1
        self.actions += int(re.search(r"(\d+) actions, \d+ events", game.stdout + game.stderr)[1])

    def stop(self):
        self._stopped.set()
        self.join()
