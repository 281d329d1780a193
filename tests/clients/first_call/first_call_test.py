#!/usr/bin/env python3
"""Runs first_call.js against a service of its own: first_call_test.py BUILD_DIR PROTO_DIR TOOLS_DIR.

Installs the client's npm packages, as pinned by the lock file, into TOOLS_DIR the first time.
"""
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
START_LIMIT_S = 60


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def install(tools: pathlib.Path) -> None:
    tools.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json", "first_call.js"):
        shutil.copy(HERE / name, tools / name)
    if not (tools / "node_modules" / "@grpc" / "grpc-js").exists():
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=tools,
                       check=True, stdin=subprocess.DEVNULL)


def wait_for(port: int, service: subprocess.Popen) -> None:
    for _ in range(START_LIMIT_S * 10):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if service.poll() is not None:
            sys.exit(f"astragald ended with {service.returncode}")
        time.sleep(0.1)
    sys.exit("astragald did not serve in time")


def main() -> None:
    build, protos, tools = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    install(tools)
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="astragal-first-call.") as data:
        pathlib.Path(data).chmod(0o755)  # PostgreSQL's own user must reach it
        service = subprocess.Popen(
            [build / "bin/astragald", "--listen", f"127.0.0.1:{port}", "--data-dir", data,
             "--plugins", build / "plugins"], stdin=subprocess.DEVNULL)
        try:
            wait_for(port, service)
            answer = subprocess.run(["node", "first_call.js", f"127.0.0.1:{port}", protos],
                                    cwd=tools, check=True, capture_output=True, text=True,
                                    timeout=60).stdout
        finally:
            service.terminate()
            service.wait(timeout=30)
    listed = {line.split(" - ")[0] for line in answer.splitlines()}
    expected = {path.stem.removeprefix("lib") for path in (build / "plugins").glob("lib*.so")}
    if not expected or not expected <= listed:
        sys.exit(f"listed {sorted(listed)}, loaded {sorted(expected)}")
    print("1 passed, 0 failed")


main()
