#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-other.sh - a capture of the other architecture gives here what it gives there: arm64.frames, whose reports are known (arm64.out),
# down to its instructions. BLESS=1 records them.
. "$(dirname "$0")/../common.sh"
testsuite/report/make-capture testsuite/report/arm64.frames "$work/c" || exit 2
# show WORDS...: a program's view of the capture
show() {
	echo "== $*"
	./lapwing "$@" "$work/c" || echo "exit status $?"
}
{
	show report --delayed
	show report --csv --by function,block,line,cpu
	show report -e cycles --csv
	show annotate -f countdown
	show annotate -f countdown --blocks
	show callgraph
	show export -f folded
} > "$work/out" 2>&1
[ -z "${BLESS:-}" ] || cp "$work/out" testsuite/report/arm64.out
diff -u testsuite/report/arm64.out "$work/out" || exit 1

# Threads too short for a clock's period are no loss, but said.
sed 's/expected: 5 /expected: 500 /' testsuite/report/arm64.frames > "$work/frames"
testsuite/report/make-capture "$work/frames" "$work/c" || exit 2
./lapwing report "$work/c" | grep -q '^short    495 periods (99 %) were cut short' ||
	{ echo "FAIL other: nothing of short threads"; exit 1; }

# The hottest function without code is passed over, unless it was asked for.
sed 's/\(weight: \[1000000, 1000000, 1000000, \)1/\19/' testsuite/report/arm64.frames > "$work/frames"
testsuite/report/make-capture "$work/frames" "$work/c" || exit 2
./lapwing annotate "$work/c" > "$work/out" 2> "$work/err" && grep -q '^countdown ' "$work/out" &&
	grep -q 'el0_svc: the capture has no code' "$work/err" ||
	{ echo "FAIL other: hottest function without code"; exit 1; }
./lapwing annotate -f el0_svc "$work/c" 2> "$work/err" && { echo "FAIL other: annotated what has no code"; exit 1; }

# A kernel's function without a name gets it from the kernel that runs, if that is the capture's: the same build, not started again.
address=$(awk '$2 == "T" && $3 == "schedule" { print $1 }' /proc/kallsyms)
if [ -n "${address//0/}" ]; then
	python3 - "0x$address" "$work" << 'END'
import sys
address, work = sys.argv[1:]
notes, at, found = open("/sys/kernel/notes", "rb").read(), 0, b""
while at < len(notes):
    name, size, kind = (int.from_bytes(notes[at + i:at + i + 4], sys.byteorder) for i in (0, 4, 8))
    start = at + 12 + (name + 3 & ~3)
    if kind == 3 and notes[at + 12:at + 12 + name] == b"GNU\0":
        found = notes[start:start + size]
    at = start + (size + 3 & ~3)
boot = open("/proc/sys/kernel/random/boot_id").read().strip()
for file, of in ("same", boot), ("again", "x" + boot[1:]), ("unknown", ""):
    open(work + "/" + file, "w").write("""header { version: 1 machine: "x86_64" host: "here" boot: "%s" start_ns: 1000 cpus: 1 program: "x"
 events { name: "cpu-clock" period: 1000000 unit: NANOSECONDS } }
--
image { kind: KERNEL path: "[kernel]" build_id: "%s" }
--
process { pid: 77 name: "p" start_ns: 1000 }
--
thread { process: 0 tid: 77 name: "p" }
--
places { image: [0] offset: [%d] }
--
stacks { parent: [0] place: [0] }
--
samples { time_ns: 2000 elapsed: [0] thread: [0] cpu: [0] stack: [1] event: [0] weight: [1000000] late: [0] cut: [false] }
""" % (of, "".join("\\x%02x" % b for b in found), int(address, 16)))
END
	for file in same again unknown; do
		testsuite/report/make-capture "$work/$file" "$work/c" || exit 2
		./lapwing report --csv --by function "$work/c" 2> /dev/null | tail -1
	done > "$work/out"
	[ "$(sed 's/.*,//' "$work/out" | paste -sd,)" = 'schedule,(no symbol),(no symbol)' ] ||
		{ echo "FAIL other: functions of a kernel: $(cat "$work/out")"; exit 1; }
fi
echo "other: passed"
