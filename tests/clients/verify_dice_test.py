#!/usr/bin/env python3
"""verify_dice_test.py FAIRNESS_GAMES [GAMES [SEED]]: the two verifiers agree, on honest games and on others.

Games of all rulesets are played on the service's dice; every proof must hold for both verifiers. Then a byte
of each is changed (secret, commitment, contribution, throw, order), and both must find it.
"""

import copy
import json
import random
import subprocess
import sys

from python import verify_dice


def flip(text, draw):
    """The same hexadecimal text with one bit of one byte changed."""
    data = bytearray.fromhex(text)
    data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    return data.hex()


def tampered(proof, draw):
    """Yields what was changed and the changed proof, for each way that this proof allows."""
    for key in ("secret", "commitment"):
        bad = copy.deepcopy(proof)
        bad[key] = flip(bad[key], draw)
        yield key, bad
    for number, seat in enumerate(proof["seats"]):
        for key in ("contribution", "contribution_sha256"):
            if seat["contribution"]:
                bad = copy.deepcopy(proof)
                bad["seats"][number][key] = flip(seat[key], draw)
                yield key, bad
    throws = proof["throws"]
    at = draw.randrange(len(throws))
    count = len(proof["throw_kinds"][throws[at]["kind"]]["weights"])
    bad = copy.deepcopy(proof)
    bad["throws"][at]["outcome"] = (throws[at]["outcome"] + draw.randrange(1, count)) % count
    yield "throw", bad
    pairs = [i for i in range(1, len(throws))
             if throws[i]["outcome"] != throws[i - 1]["outcome"]
             and throws[i]["kind"] == throws[i - 1]["kind"]]
    if pairs:
        at = draw.choice(pairs)
        bad = copy.deepcopy(proof)
        first, second = bad["throws"][at - 1], bad["throws"][at]
        first["outcome"], second["outcome"] = second["outcome"], first["outcome"]
        yield "order", bad


def other_verdicts(program, lines):
    """What the verifier in C++ says of each line."""
    done = subprocess.run([program, "--check"], input="\n".join(lines) + "\n", text=True,
                          capture_output=True, check=True)
    verdicts = [line == "ok" for line in done.stdout.split()]
    assert len(verdicts) == len(lines), (len(verdicts), len(lines))
    return verdicts


def main(program, games="90", seed="1"):
    print(f"seed {seed}")
    draw = random.Random(int(seed))
    made = subprocess.run([program, games, seed], text=True, capture_output=True, check=True)
    honest = made.stdout.splitlines()
    changes, counts = [], {}
    for line in honest:
        for what, bad in tampered(json.loads(line), draw):
            changes.append(json.dumps(bad))
            counts[what] = counts.get(what, 0) + 1
    failed = sum(bool(verify_dice.check_line(line)) for line in honest)
    failed += sum(not ok for ok in other_verdicts(program, honest))
    failed += sum(not verify_dice.check_line(line) for line in changes)
    failed += sum(other_verdicts(program, changes))
    throws = sum(len(json.loads(line)["throws"]) for line in honest)
    print(f"{len(honest)} games with {throws} throws hold for both; changes found by both: {counts}")
    checks = 2 * (len(honest) + len(changes))
    print(f"{checks - failed} passed, {failed} failed")
    return 1 if failed or len(honest) != int(games) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
