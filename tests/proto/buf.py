#!/usr/bin/env python3
"""buf.py TOOLS COMMAND: the gates of proto/, with the buf that package-lock.json pins.

TOOLS is a folder outside the source tree where the npm package is installed.

install          installs buf into TOOLS unless it is there; the only step that needs the network
lint             proto/ follows the rules of proto/buf.yaml
breaking         proto/ breaks nothing of the released contract, proto/released/astragal.json
release          writes that file from proto/: do this when a version is released, never to silence
                 the gate
"""

import filecmp
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PROTO = os.path.join(HERE, "..", "..", "proto")
RELEASED = os.path.join(PROTO, "released", "astragal.json")
NPM_TRIES = 3


def buf(tools, *arguments, cwd=PROTO):
    """Runs buf in a folder; returns (exit code, what it printed)."""
    done = subprocess.run(
        [os.path.join(tools, "node_modules", ".bin", "buf"), *arguments], cwd=cwd, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, "BUF_CACHE_DIR": os.path.join(tools, "cache")}, check=False)
    return done.returncode, done.stdout


def install(tools):
    """Copies the lock file last, so that a broken installation is no installation."""
    lock = os.path.join(HERE, "package-lock.json")
    copy = os.path.join(tools, "installed-lock.json")
    if os.path.exists(copy) and filecmp.cmp(lock, copy, shallow=False):
        print("buf is there")
        return 0
    os.makedirs(tools, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(os.path.join(HERE, name), tools)
    for _ in range(NPM_TRIES):
        done = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
                              cwd=tools, stdin=subprocess.DEVNULL, check=False)
        if done.returncode == 0:
            shutil.copy(lock, copy)
            return 0
    return 1


def lint(tools, proto=PROTO, *more):
    return buf(tools, "lint", *more, cwd=proto)


def breaking(tools, proto=PROTO, released=RELEASED):
    return buf(tools, "breaking", "--against", os.path.abspath(released), cwd=proto)


def release(tools, proto=PROTO, released=RELEASED):
    os.makedirs(os.path.dirname(released), exist_ok=True)
    code, text = buf(tools, "build", "--exclude-source-info", "-o", os.path.abspath(released),
                     cwd=proto)
    if code == 0:
        # One fact a line, so that a release can be reviewed as a difference.
        with open(released, encoding="utf-8") as file:
            image = json.load(file)
        with open(released, "w", encoding="utf-8") as file:
            json.dump(image, file, indent=1)
            file.write("\n")
    return code, text


def main(tools, command):
    tools = os.path.abspath(tools)
    if command == "install":
        return install(tools)
    code, text = {"lint": lint, "breaking": breaking, "release": release}[command](tools)
    print(text, end="")
    print(f"{command}: {'1 passed, 0 failed' if code == 0 else '0 passed, 1 failed'}")
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
