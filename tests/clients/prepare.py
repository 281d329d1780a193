#!/usr/bin/env python3
"""Prepares what the clients need, as their README says.

    prepare.py node PACKAGE_FOLDER FOLDER    installs what the lock file pins; again only if it changed
    prepare.py stubs PROTO_FOLDER FOLDER     generates the Python modules
"""
import pathlib
import shutil
import subprocess
import sys


def run(*command, cwd):
    subprocess.run(command, cwd=cwd, check=True, stdin=subprocess.DEVNULL)


def node(package, folder):
    folder.mkdir(parents=True, exist_ok=True)
    lock = (package / "package-lock.json").read_bytes()
    installed = folder / "installed-lock.json"
    if installed.exists() and installed.read_bytes() == lock:
        return "the packages are there"
    for name in ("package.json", "package-lock.json"):
        shutil.copy(package / name, folder / name)
    run("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", cwd=folder)
    installed.write_bytes(lock)
    return "installed the packages"


def stubs(protos, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    plugin = shutil.which("grpc_python_plugin")
    files = [str(path.relative_to(protos)) for part in ("astragal/v1", "google/rpc")
             for path in sorted((protos / part).glob("*.proto"))]
    run("protoc", "-I.", f"--python_out={folder}", f"--grpc_python_out={folder}",
        f"--plugin=protoc-gen-grpc_python={plugin}", *files, cwd=protos)
    return f"generated modules from {len(files)} files"


def main(what, source, folder):
    said = dict(node=node, stubs=stubs)[what](pathlib.Path(source), pathlib.Path(folder).resolve())
    print(f"prepare: {said}")


if __name__ == "__main__":
    main(*sys.argv[1:])
