#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The system calls of 32-bit programs on 64-bit kernels, as kernels' own headers have them: prints tapsets/syscalls32.tbl.

Usage: syscalls32.py SYSCALLS.TBL HEADERS...   or   syscalls32.py --check SYSCALLS32.TBL HEADERS...
HEADERS, the newest first, is a folder of a kernel's headers, as /usr/src/linux-headers-VERSION; for arm64 before 6.11 also that of linux-headers-VERSION-common.
--check: what the headers say, the table says too.
"""
import os
import re
import sys

HEAD = """# SPDX-License-Identifier: GPL-2.0-or-later
# syscalls32.tbl - the system calls of 32-bit programs on 64-bit kernels. Made by testsuite/library/syscalls32.py from the kernels' headers.
#
# Columns, separated by tabs:
#   i386/arm number   name   row of syscalls.tbl (- for none)   kernel's function on x86_64[/on arm64], without its sys_
# "compat:" is a function for 32-bit programs alone (__ia32_compat_sys_, __arm64_compat_sys_). - where the kernel has none.
# Where kernels differ, the functions are separated by commas, the newest kernel's first.
"""
RENAMED = {"sync_file_range2": "arm_sync_file_range"}
OTHER_ROWS = {"arm_sync_file_range": "sync_file_range"}


def lines(*path):
    try:
        with open(os.path.join(*path), encoding="utf-8") as file:
            return file.readlines()
    except FileNotFoundError:
        return []


def names_of(text):
    found = (re.match(r"#define\s+__NR_(?!compat32_|syscalls\b|compat_syscalls\b|syscall_max\b)(\w+)\s+(\d+)\s*(/\*.*)?$", line) for line in text)
    return {int(m[2]): m[1] for m in found if m}


def functions_of(text, names):
    numbers = {name: number for number, name in names.items()}
    found = (re.match(r"__SYSCALL\w*\((\w+), (\w+)(?:, (\w+))?\)", line) for line in text)
    rows = ((m[1], m[3] or m[2]) for m in found if m)
    calls = {int(n) if n.isdigit() else numbers.get(n.replace("__NR_", ""), -1): f for n, f in rows}
    return {n: re.sub(r"^sys_", "", re.sub(r"^compat_sys_", "compat:", f)) for n, f in calls.items() if f != "sys_ni_syscall"}


def tables(folder):
    """machine (0 for i386, 1 for arm), {number: name}, {number: function}"""
    made = os.path.join(folder, "arch/x86/include/generated")
    if os.path.exists(os.path.join(made, "asm/syscalls_32.h")):
        names = names_of(lines(made, "uapi/asm/unistd_32.h"))
        return 0, names, functions_of(lines(made, "asm/syscalls_32.h"), names)
    made = os.path.join(folder, "arch/arm64/include/generated/asm")
    text = lines(made, "unistd_32.h")
    if text:
        return 1, names_of(text), functions_of(lines(made, "syscall_table_32.h"), names_of(text))
    text = lines(folder, "arch/arm64/include/asm/unistd32.h")
    return 1, names_of(text), functions_of(text, names_of(text))


def rows_of(path):
    """Rows by the kernel's function, and by name."""
    by_function, by_name = {}, {}
    for line in lines(path):
        if line.startswith(("#", ">")) or not line.strip():
            continue
        names, _, function = line.split("\t")[1].strip().partition("=")
        names = names.split(",")
        if not function.startswith("compat:"):
            by_function.setdefault((function or names[0]).split(",")[0], names[0])
            for name in names:
                by_name.setdefault(name, names[0])
    return by_function, by_name


def row_of(name, function, by_function, by_name):
    function = function.replace("compat:", "")
    for text in (function, re.sub(r"^(ia32|aarch32|arm|old)_", "", function)):
        for one in (text, re.sub(r"_?(time32|time64)$", "", text), re.sub(r"(32|64)$", "", text), re.sub(r"64v2$", "2", text)):
            if one in by_function:
                return by_function[one]
    for one in (name, name.lstrip("_"), re.sub(r"_time64$", "", name), re.sub(r"(32|64)$", "", name)):
        if one in by_name:
            return by_name[one]
    return OTHER_ROWS.get(name, "-")


def make(rows, folders):
    found = {}
    for folder in folders:
        machine, names, functions = tables(folder)
        for number, name in names.items():
            name = RENAMED.get(name, name)
            one = found.setdefault(name, [["-", "-"], ["-", "-"]])
            one[0][machine] = str(number)
            known = [f for f in one[1][machine].split(",") if f != "-"]
            if number in functions and functions[number] not in known:
                one[1][machine] = ",".join(known + [functions[number]])
    print(HEAD, end="")
    for name, (numbers, functions) in sorted(found.items(), key=lambda i: [int(n) if n != "-" else 9999 for n in i[1][0]]):
        used = [f for f in functions if f != "-"]
        row = row_of(name, used[0].split(",")[0], *rows) if used else "-"
        print("/".join(numbers), name, row, functions[0] if functions[0] == functions[1] else "/".join(functions), sep="\t")


def check(path, folders):
    told = [{}, {}]
    wrong = checked = 0
    for line in lines(path):
        if line.startswith("#"):
            continue
        numbers, name, _, functions = line.rstrip("\n").split("\t")
        both = functions.split("/") * 2 if "/" not in functions else functions.split("/")
        for machine, number in enumerate(numbers.split("/")):
            if number != "-":
                told[machine][int(number)] = (name, both[machine])
    for folder in folders:
        machine, names, functions = tables(folder)
        checked += len(functions)
        for number, function in functions.items():
            name = names.get(number, "?")
            known = told[machine].get(number, ("", ""))
            if function not in known[1].split(",") or known[0] != RENAMED.get(name, name):
                print(f"{folder}: {number} is {name} by {function}, and not {known}")
                wrong += 1
    if checked < 300:
        print(f"only {checked} calls in all")
    return wrong or checked < 300


if sys.argv[1] == "--check":
    sys.exit(1 if check(sys.argv[2], sys.argv[3:]) else 0)
make(rows_of(sys.argv[1]), sys.argv[2:])
