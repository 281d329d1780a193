#!/usr/bin/env python3
"""dice_vectors.py [--check FILE]: the dice scheme, version 1, written a second time from its description.

Prints one vector a line: game id, secret, restore epoch, contributions (hexadecimal, comma between
seats, - for an empty one), index of the throw, weights, commitment, outcome. With --check it compares
them with FILE and exits 1 on a difference. Standard library only.
"""

import hashlib
import hmac
import random
import sys


def commitment(game, secret):
    return hashlib.sha256(b"astragal-commit-1" + game + secret).digest()


def outcome(game, secret, epoch, contributions, index, weights):
    """The outcome of throw `index`: as services/algorithms/dice.h describes it."""
    total = sum(weights)
    fair = 2**64 - 2**64 % total
    counter = 0
    while True:
        message = b"astragal-dice-1" + game + epoch.to_bytes(4, "little")
        for contribution in contributions:
            message += bytes([len(contribution)]) + contribution
        message += index.to_bytes(8, "little") + counter.to_bytes(4, "little")
        value = int.from_bytes(hmac.new(secret, message, hashlib.sha256).digest()[:8], "little")
        if value < fair:
            break
        counter += 1
    share = value % total
    for number, weight in enumerate(weights):
        if share < weight:
            return number
        share -= weight
    raise AssertionError("weights do not add up")


def vectors():
    """Yields the arguments of `outcome`: corners first, then drawn ones."""
    zero, ones = bytes(16), b"\xff" * 16
    key = bytes(range(32))
    yield zero, bytes(32), 0, [b"", b""], 0, [1, 1]
    yield zero, bytes(32), 0, [b"", b""], 1, [1, 1]
    yield zero, bytes(32), 1, [b"", b""], 0, [1] * 6
    yield ones, key, 2**32 - 1, [b"", b""], 2**64 - 1, [1] * 6
    yield zero, key, 0, [b"a", b""], 5, [1] * 36
    yield zero, key, 0, [b"", b"a"], 5, [1] * 36
    yield zero, key, 0, [b"\x00" * 32, b"\xff" * 32, b"x", b""], 7, [1, 4, 6, 4, 1]
    yield zero, key, 0, [b"", b""], 3, [65536]
    yield zero, key, 0, [b"", b""], 3, [65535, 1]
    yield zero, key, 0, [b"", b""], 3, [1, 65535]
    draw = random.Random(20240607)
    kinds = ([1] * 6, [1] * 36, [1, 5, 10, 10, 5, 1], [3, 1], [7] * 9, [1] * 4096)
    for index in range(190):
        seats = draw.randint(2, 4)
        contributions = [draw.randbytes(draw.choice((0, 0, 1, 16, 32))) for _ in range(seats)]
        yield (draw.randbytes(16), draw.randbytes(32), draw.randint(0, 3), contributions,
               draw.choice((index, draw.getrandbits(64))), draw.choice(kinds))


def lines():
    for game, secret, epoch, contributions, index, weights in vectors():
        given = ",".join(c.hex() or "-" for c in contributions)
        weighed = ",".join(map(str, weights)) if len(weights) < 100 else f"{len(weights)}x{weights[0]}"
        result = outcome(game, secret, epoch, contributions, index, weights)
        yield (f"{game.hex()} {secret.hex()} {epoch} {given} {index} {weighed} "
               f"{commitment(game, secret).hex()} {result}\n")


def main(arguments):
    text = "".join(lines())
    if arguments[:1] != ["--check"]:
        sys.stdout.write(text)
        return 0
    with open(arguments[1], encoding="utf-8") as file:
        same = file.read() == text
    print(f"{int(same)} passed, {int(not same)} failed")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
