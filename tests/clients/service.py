#!/usr/bin/env python3
"""One service for all tests of this folder.

    service.py start BUILD_DIR FOLDER   starts astragald with a database of its own on a free port
    service.py stop FOLDER              ends it and checks that it ended well

FOLDER/address says where it listens, FOLDER/log what it said. It ends by itself when the program
that called `start` (ctest) is gone, however that ended.
"""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

START_LIMIT_S = 90
STOP_LIMIT_S = 40
POLL_S = 0.05


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def alive(pid):
    """A zombie counts as gone: its parent may take its time."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def keep(build, folder, port, caller):
    """Runs the service until `stop` is asked for or the caller is gone."""
    data = pathlib.Path(tempfile.mkdtemp(prefix="astragal-clients."))
    data.chmod(0o755)  # PostgreSQL's own user must reach it
    with open(folder / "log", "wb") as log:
        service = subprocess.Popen(
            [build / "bin/astragald", "--listen", f"127.0.0.1:{port}", "--data-dir", data / "data",
             "--plugins", build / "plugins"], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        while service.poll() is None and alive(caller) and not (folder / "stop").exists():
            time.sleep(POLL_S)
        service.terminate()
        try:
            code = service.wait(STOP_LIMIT_S / 2)
        except subprocess.TimeoutExpired:
            service.kill()
            code = service.wait()
    shutil.rmtree(data, ignore_errors=True)
    (folder / "exit_code").write_text(str(code))


def start(build, folder):
    caller = os.getppid()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    port = free_port()
    if os.fork() == 0:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):  # ctest waits until nobody holds its pipe
            os.dup2(nothing, stream)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        keep(build, folder, port, caller)
        os._exit(0)
    give_up = time.monotonic() + START_LIMIT_S
    while time.monotonic() < give_up and not (folder / "exit_code").exists():
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                (folder / "address").write_text(f"127.0.0.1:{port}")
                return "it listens"
        time.sleep(POLL_S)
    sys.exit("astragald does not serve:\n" + (folder / "log").read_text())


def stop(folder):
    (folder / "stop").touch()
    give_up = time.monotonic() + STOP_LIMIT_S
    while not (folder / "exit_code").exists():
        if time.monotonic() > give_up:
            sys.exit("astragald does not end")
        time.sleep(POLL_S)
    code = (folder / "exit_code").read_text()
    if code != "0":
        sys.exit(f"astragald ended with {code}:\n" + (folder / "log").read_text())
    return "it ended well"


def main(command, *paths):
    print(f"service: {dict(start=start, stop=stop)[command](*map(pathlib.Path, paths))}")


if __name__ == "__main__":
    main(*sys.argv[1:])
