#!/usr/bin/env python3
"""readme_test.py SERVICE_FOLDER README: the first calls of the project's README do what it says.

The blocks are run as they stand there, except for the address. Node finds its packages by NODE_PATH.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ADDRESS_IN_README = "127.0.0.1:7420"
RULESETS = ("ashtapada", "long_narde", "patolli")
LIMIT_S = 120


def only(pattern, text):
    found = re.findall(pattern, text, re.DOTALL | re.MULTILINE)
    if len(found) != 1:
        sys.exit(f"README has {len(found)} blocks like {pattern}")
    return found[0]


def check(name, command, code, folder):
    # `python3` of the README is the one with Debian's packages: the one that runs this.
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    said = subprocess.run(command, input=code, cwd=folder, stdout=subprocess.PIPE, text=True,
                          check=True, timeout=LIMIT_S, env={**os.environ, "PATH": path}).stdout
    missing = [ruleset for ruleset in RULESETS if ruleset not in said]
    if missing:
        sys.exit(f"{name}: {missing} missing in: {said}")
    print(f"{name}: lists {', '.join(RULESETS)}")


def main(service, readme):
    address = (pathlib.Path(service) / "address").read_text()
    readme = pathlib.Path(readme).resolve()
    text = readme.read_text()
    if text.count(ADDRESS_IN_README) < 3:
        sys.exit(f"README does not say {ADDRESS_IN_README} in both languages")
    text = text.replace(ADDRESS_IN_README, address)
    shell = only(r"^    mkdir client\n(?:    [^\n]*\n)+", text)
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(readme.parent / "proto", f"{folder}/proto")
        check("Python", ["bash", "-ec", shell], only(r"^```python\n(.*?)^```$", text), folder)
        check("Node", ["node", "-"], only(r"^```js\n(.*?)^```$", text), folder)
    print("2 passed, 0 failed")


if __name__ == "__main__":
    main(*sys.argv[1:])
