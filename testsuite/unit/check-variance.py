#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# check-variance.py - checks @variance against exact rational arithmetic: many distributions, on up
# to eight CPUs, whose parts are merged in any order.
import os
import random
import subprocess
import sys
from fractions import Fraction

LOW, HIGH = -2**63, 2**63 - 1


def truth(values):
    if len(values) < 2:
        return 0
    mean = Fraction(sum(values), len(values))
    exact = sum((v - mean) ** 2 for v in values) / (len(values) - 1)
    return min(exact.numerator // exact.denominator, HIGH)


def distributions(rand):
    yield list(range(1000))
    yield list(range(1000, 0, -1))
    yield []
    for v in (0, 1, -1, LOW, HIGH):
        yield [v]
        yield [v] * 777
    yield [LOW, HIGH]
    yield [LOW, HIGH] * 500
    yield [LOW] * 999 + [HIGH]
    yield [HIGH - 1, HIGH] * 100                # the mean is 2^63 times the deviation
    yield [LOW, LOW + 1, LOW]
    yield [3037000499, -3037000499]             # the variance is just below 2^64: saturated
    yield [2147483647, -2147483647]             # and just below 2^63
    yield [10**12 + i % 2 for i in range(5000)]
    for bits in range(1, 65):                   # every size, about any mean
        about = rand.getrandbits(64) + LOW
        spread = rand.getrandbits(bits)
        yield [max(LOW, min(HIGH, about + rand.randint(-spread, spread)))
               for _ in range(rand.randint(2, 400))]
        yield [rand.getrandbits(bits) - 2**(bits - 1) for _ in range(rand.randint(2, 400))]
    for _ in range(200):
        yield [int(rand.lognormvariate(10, 3)) for _ in range(rand.randint(2, 300))]


def main():
    rand = random.Random(16)
    lines, expected = [], []
    for values in distributions(rand):
        for cpus in (1, 2, 8):
            lines.append(" ".join("%d:%d" % (rand.randrange(cpus), v) for v in values))
            expected.append(truth(values))
    program = os.path.join("testsuite", "unit", "variance")
    found = subprocess.run([program], input="\n".join(lines) + "\n", text=True, check=True,
                           stdout=subprocess.PIPE).stdout.split()
    wrong = [(e, f, l[:100]) for e, f, l in zip(expected, found, lines) if e != int(f)]
    for row in wrong[:10]:
        print("expected %d, found %s: %s ..." % row)
    print("%d of %d variances are wrong" % (len(wrong), len(expected)))
    sys.exit(1 if wrong or len(found) != len(expected) or len(expected) < 900 else 0)


main()
