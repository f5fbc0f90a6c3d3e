#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""endbr.py MODULE... - checks that modules work in a kernel with IBT.

With IBT, the target of a call through a pointer must begin with endbr64. So each function of the
modules whose address is taken, in data or in code, must begin with it. The kernel may have sealed
the functions that lapwing-run binds (removed their endbr64), so these must be called directly:
their address must not be in data.

Prints errors and exits with 1, or prints the number of functions that it checked.
"""
import struct
import sys

ENDBR64 = b"\xf3\x0f\x1e\xfa"
R_64, R_PC32, R_32S = 1, 2, 11
ALLOC, EXEC = 2, 4
LISTS = ("__mcount_loc", "__patchable_function_entries", ".return_sites", ".retpoline_sites",
         ".call_sites", ".cfi_sites", ".ibt_endbr_seal", ".orc", "__bug_table", "__jump_table",
         ".altinstr", ".smp_locks", "__ex_table", ".static_call")
BOUND = "rethook_"


def text(data, at):
    return data[at:data.index(b"\0", at)].decode()


class Module:
    def __init__(self, path):
        self.data = data = open(path, "rb").read()
        at, = struct.unpack_from("<Q", data, 0x28)
        n, strings = struct.unpack_from("<HH", data, 0x3c)
        rows = [struct.unpack_from("<IIQQQQIIQQ", data, at + 64 * i) for i in range(n)]
        self.sections = [dict(name=text(data, rows[strings][4] + r[0]), type=r[1], flags=r[2],
                              at=r[4], size=r[5], link=r[6], info=r[7]) for r in rows]
        table = next(s for s in self.sections if s["type"] == 2)
        names = self.sections[table["link"]]["at"]
        self.symbols = []
        for i in range(table["size"] // 24):
            name, info, _, section, value, _ = struct.unpack_from(
                "<IBBHQQ", data, table["at"] + 24 * i)
            self.symbols.append((text(data, names + name), info & 15, section, value))
        self.starts = {(s, v): n for n, kind, s, v in self.symbols if kind == 2 and s}

    def references(self):
        """Yields (referring section, type, symbol, section, offset) for each taken address."""
        for r in self.sections:
            if r["type"] != 4 or not self.sections[r["info"]]["flags"] & ALLOC:
                continue
            user = self.sections[r["info"]]
            if user["name"].startswith(LISTS):
                continue
            for at in range(r["at"], r["at"] + r["size"], 24):
                place, info, addend = struct.unpack_from("<QQq", self.data, at)
                name, _, section, value = self.symbols[info >> 32]
                kind = info & 0xffffffff
                if kind == R_PC32 and user["flags"] & EXEC and self.is_branch(user["at"] + place):
                    continue
                yield user, kind, name, section, value + addend + (4 if kind == R_PC32 else 0)

    def is_branch(self, at):
        """True if the 4 bytes at `at` are the target of a direct call or jump."""
        return (self.data[at - 1] in (0xe8, 0xe9) or
                self.data[at - 2] == 0x0f and self.data[at - 1] & 0xf0 == 0x80)

    def has_endbr(self, section, offset):
        at = self.sections[section]["at"] + offset
        return self.data[at:at + 4] == ENDBR64


def main():
    wrong, looked = [], set()
    for path in sys.argv[1:]:
        m = Module(path)
        for user, kind, name, section, offset in m.references():
            in_data = not user["flags"] & EXEC
            if in_data and name.startswith(BOUND):
                wrong.append(f"{path}: {user['name']} holds the address of {name}")
            if kind not in (R_64, R_32S, R_PC32) or (section, offset) not in m.starts:
                continue
            cold = m.starts[section, offset].endswith(".cold")      # reached by a branch
            if cold or in_data and kind != R_64 or user["name"].startswith((".init.", ".exit.")):
                continue
            function = m.starts[section, offset]
            looked.add(function)
            if not m.has_endbr(section, offset):
                wrong.append(
                    f"{path}: {function}, whose address {user['name']} takes, lacks endbr64")
    for line in sorted(set(wrong)):
        print(line)
    print(f"{len(looked)} functions whose addresses are taken")
    return 1 if wrong or len(looked) < 50 else 0


sys.exit(main())
