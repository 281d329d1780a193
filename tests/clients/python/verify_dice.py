#!/usr/bin/env python3
"""verify_dice.py FILE...: checks the throws of finished games, with Python's standard library alone.

FILE holds fairness proofs, one JSON object a line ("-": standard input), as `astragal proof` gives them. Written
from services/algorithms/FAIRNESS.md, not from the server's code.
Prints a line for each proof with a fault and one in the end; exits 0 if there was no fault, 1 if there was.
"""

import hashlib
import hmac
import json
import sys

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def game_bytes(text):
    """The 16 bytes that a game id stands for."""
    if len(text) != 26:
        raise ValueError("an id has 26 characters")
    number = 0
    for character in text.lower():
        number = number * 32 + ALPHABET.index(character)
    return number.to_bytes(16, "big")


def draw(secret, prefix, index, weights):
    """The outcome of throw `index`."""
    total = sum(weights)
    limit = 2**64 - 2**64 % total
    counter = 0
    while True:
        message = prefix + index.to_bytes(8, "little") + counter.to_bytes(4, "little")
        value = int.from_bytes(hmac.new(secret, message, hashlib.sha256).digest()[:8], "little")
        if value < limit:
            break
        counter += 1
    share = value % total
    for outcome, weight in enumerate(weights):
        if share < weight:
            return outcome
        share -= weight
    raise AssertionError("weights do not add up")


def faults_of(proof):
    """What is wrong with a proof, as a list of sentences."""
    if proof["format"] != "astragal-fairness-proof-1":
        return ["the format is unknown"]
    faults = []
    game, secret = game_bytes(proof["game_id"]), bytes.fromhex(proof["secret"])
    commitment = hashlib.sha256(b"astragal-commit-1" + game + secret).hexdigest()
    if commitment != proof["commitment"]:
        faults.append("the secret is not the one that was committed to")
    prefix = b"astragal-dice-1" + game + proof["restore_epoch"].to_bytes(4, "little")
    for number, seat in enumerate(proof["seats"]):
        given = bytes.fromhex(seat["contribution"])
        if given and hashlib.sha256(given).hexdigest() != seat["contribution_sha256"]:
            faults.append(f"seat {number}: the contribution is not the pledged one")
        prefix += bytes([len(given)]) + given
    before = 0
    for index, made in enumerate(proof["throws"]):
        if made["sequence"] <= before:
            faults.append(f"throw {index} does not come after the one before it")
        before = made["sequence"]
        drawn = draw(secret, prefix, index, proof["throw_kinds"][made["kind"]]["weights"])
        if drawn != made["outcome"]:
            faults.append(f"throw {index} (event {before}) is outcome {made['outcome']}, "
                          f"the secret and the contributions give {drawn}")
    return faults


def check_line(line):
    """Faults of one line; what cannot be read is a fault too."""
    try:
        return faults_of(json.loads(line))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError) as error:
        return [f"cannot be read: {error!r}"]


def main(paths):
    if not paths or paths[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if paths else 2
    good = bad = 0
    for path in paths:
        lines = sys.stdin if path == "-" else open(path, encoding="utf-8")
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            faults = check_line(line)
            good, bad = good + (not faults), bad + bool(faults)
            if faults:
                print(f"{path}:{number}: {faults[0]}"
                      + (f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""))
    print(f"{good} of {good + bad} proofs hold")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
