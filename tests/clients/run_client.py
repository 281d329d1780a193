#!/usr/bin/env python3
"""Runs a client and reads its last line, which says what it did.

    run_client.py plays SERVICE_FOLDER COMMAND...     over a bad network: wants every ruleset played,
                                                      and every event seen once all the same
    run_client.py notices SERVICE_FOLDER COMMAND...   through a server that leaves events out and
                                                      repeats others: wants the client to say so

COMMAND gets an address and a seed added.
"""
import pathlib
import re
import subprocess
import sys

SEED = 20
LIMIT_S = 380
CLOSING = re.compile(r"client-\w+: (\d+) games, (\d+) events, (\d+) resumes, (\d+) gaps, "
                     r"(\d+) repeats, (\d+) answers lost, (\d+) wrong")
# long_narde and patolli for two, ashtapada for two, three and four.
LEAST_GAMES = 5
NUMBERS = ("games", "events", "resumes", "gaps", "repeats", "lost", "wrong")


def run(command, address):
    """The client's exit code and the numbers of its last line."""
    client = subprocess.run([*command, address, str(SEED)], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, text=True, timeout=LIMIT_S)
    print(client.stdout, end="", flush=True)
    lines = client.stdout.splitlines()
    closing = CLOSING.fullmatch(lines[-1]) if lines else None
    if not closing:
        sys.exit(f"the client ended with {client.returncode}")
    return client.returncode, dict(zip(NUMBERS, map(int, closing.groups())))


def plays(address, command):
    import unsteady
    network = unsteady.Unsteady(address, SEED)
    try:
        code, did = run(command, network.address)
    finally:
        network.close()
    print(f"connections cut: {network.cuts}")
    if code or did["games"] < LEAST_GAMES or did["events"] < 100 * did["games"]:
        sys.exit("it did not play as it should")
    if did["gaps"] or did["repeats"]:
        sys.exit("it did not see every event once")
    if not did["resumes"] > network.cuts > 0 or not did["lost"]:
        sys.exit("too little went wrong to show anything")
    return did["games"]


def notices(address, command):
    import liar
    server = liar.Liar(address)
    try:
        code, did = run(command, server.address)
    finally:
        server.close()
    if not code or not did["gaps"] or not did["repeats"]:
        sys.exit("it believed a server that lied")
    return 1


def main(how, folder, *command):
    address = (pathlib.Path(folder) / "address").read_text()
    print(f"{dict(plays=plays, notices=notices)[how](address, command)} passed, 0 failed")


if __name__ == "__main__":
    main(*sys.argv[1:])
