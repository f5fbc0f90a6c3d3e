#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""compare.py - are the exits of functions, as exits_driver prints them, those that objdump shows?

Input: what exits_driver printed (standard input), the file, and the objdump for its machine.
Output: how many functions were accepted and refused, by reason, and every difference; exit 1 if
there is one. Of functions in parts objdump's symbols and frames (FDEs) say where these are. Whether
a function ought to have been accepted is not judged.

Usage: exits_driver FILE | compare.py FILE [OBJDUMP]
"""
import bisect
import collections
import re
import subprocess
import sys

JUMP = re.compile(r"(?:(?:bnd|notrack|data16|cs|ds|addr32) )*"
                  r"(j[a-z]+|loop[a-z]*|xbegin|b|b\.[a-z]+|cbn?z|tbn?z)(?:,p[tn])?\s")
ANYWHERE = re.compile(r"(?:(?:bnd|notrack|data16) )*jmp.*\*|br[a-z]*\s|ret\s+x")
TARGET = re.compile(r"(?:^|[\s,])(?:0x)?([0-9a-f]+)$")
RETURN = re.compile(r"(?:(?:repz|bnd|rep|repnz) )?ret(?:$|\s+\$|q|aa|ab|\s*$)")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=True).stdout


class File:
    def __init__(self, path, objdump):
        self.address, self.text = [], []
        for line in run(objdump, "-d", "-w", "--no-show-raw-insn", path).splitlines():
            at, colon, text = line.partition(":\t")
            if colon and at[:1] == " ":
                self.address.append(int(at, 16))
                self.text.append(re.split(r"\s+(?:# |// |<)", text)[0].strip())
        self.frames = sorted((int(a, 16), int(b, 16)) for a, b in
                             re.findall(r" FDE .*pc=([0-9a-f]+)\.\.([0-9a-f]+)", run(objdump, "--dwarf=frames", path)))
        self.parts = collections.defaultdict(list)
        for line in run(objdump, "-t", path).splitlines():
            found = re.match(r"([0-9a-f]+) .{7} \S+\s+([0-9a-f]+) (?:\.hidden )?(\S+)\.cold(?:\.\d+)?$", line)
            if found:
                self.parts[found[3]].append((int(found[1], 16), int(found[1], 16) + int(found[2], 16)))

    def frame(self, address):
        i = bisect.bisect_right(self.frames, (address, 1 << 64)) - 1
        return self.frames[i] if i >= 0 and self.frames[i][0] <= address < self.frames[i][1] else None

    def at(self, address):
        i = bisect.bisect_left(self.address, address)
        return self.text[i] if i < len(self.address) and self.address[i] == address else ""

    def target(self, address, text):
        """None, too, where the linker has put a single instruction elsewhere: so it does on arm64."""
        to = target_of(text)
        return None if to is not None and target_of(self.at(to + 4)) == address + 4 else to

    def instructions(self, ranges):
        for start, end in ranges:
            for i in range(bisect.bisect_left(self.address, start), bisect.bisect_left(self.address, end)):
                yield self.address[i], self.text[i]


def target_of(text):
    if not JUMP.match(text + " ") or "*" in text:
        return None
    found = TARGET.search(text)
    return int(found[1], 16) if found else None


def within(ranges, address):
    return any(start <= address < end for start, end in ranges)


def ranges_of(file, function):
    """The function, and the parts of it that it jumps to, where it does not say that it leaves there."""
    ranges = [(function.start, function.start + function.size)]
    parts = file.parts[re.sub(r"\.cold(\.\d+)?$", "", function.name)]
    while True:
        more = {file.target(at, text) for at, text in file.instructions(ranges)
                if at not in function.leaves} - {None}
        more |= set(function.returns) | set(function.leaves)
        more = [to for to in more if not within(ranges, to)]
        found = [part for part in parts if any(within([part], to) for to in more)]
        found = found or [file.frame(to) for to in more if file.frame(to)]
        if not found:
            return ranges
        ranges += set(found)


class Function:
    def __init__(self, name, start, size):
        self.name, self.start, self.size, self.returns, self.leaves = name, int(start, 16), int(size, 16), [], []


def check(file, function):
    ranges = ranges_of(file, function)
    returns, leaves, anywhere, begin = set(), set(), set(), set()
    for at, text in file.instructions(ranges):
        to = file.target(at, text)
        begin.add(at)
        if RETURN.match(text):
            returns.add(at)
        elif to is not None and not within(ranges, to):
            leaves.add(at)
        elif ANYWHERE.match(text):
            anywhere.add(at)
    told_returns, told_leaves = set(function.returns), set(function.leaves)
    wrong = [("a return that is none", told_returns - returns), ("no return", returns - told_returns),
             ("a jump that does not leave", told_leaves - leaves - anywhere),
             ("no jump that leaves", leaves - told_leaves)]
    for what, found in wrong:
        for at in sorted(found):
            where = "" if at in begin else " (no instruction begins there)"
            print("DIFFERENT %s: %s: %x%s" % (function.name, what, at, where))
    return sum(len(found) for what, found in wrong)


def main():
    file = File(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "objdump")
    functions, refused = [], collections.Counter()
    for line in sys.stdin:
        word = line.split()
        if word[0] == "function":
            functions.append(Function(*word[1:]))
        elif word[0] == "refused":
            refused[line.split(": ", 1)[1].strip()] += 1
        else:
            exits = functions[-1].returns if word[0] == "return" else functions[-1].leaves
            exits.append(int(word[1], 16))
    wrong = sum(check(file, f) for f in functions)
    n = len(functions) + sum(refused.values())
    exits = sum(len(f.returns) + len(f.leaves) for f in functions)
    print("%s: %d of %d functions (%.1f %%), %d exits, %d differences" % (
        sys.argv[1], len(functions), n, 100 * len(functions) / max(n, 1), exits, wrong))
    for why, count in refused.most_common():
        print("%6d  %s" % (count, why))
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
