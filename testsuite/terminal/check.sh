#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - text of traced programs on a terminal: control characters are printed as escapes, not
# sent. Files and pipes get the bytes. The terminal is a pseudo-terminal of script(1), which ends
# lines with CR LF. BLESS=1 rewrites values.terminal.
cd "$(dirname "$0")" || exit 2
top=../..
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
check() {	# check NAME COMMAND...: passes if the command succeeds
	name=$1
	shift
	"$@" && echo "PASS $name" || { echo "FAIL $name"; failed=1; }
}

# A table of values: on a terminal, in a pipe, in a file, and in a pipe that leads to a terminal (as
# that of a guest; --terminal says so).
cat > "$work/on_terminal" << EOF
exec $top/lapwing --runtime=user values.stp
EOF
script -qec "sh $work/on_terminal" /dev/null < /dev/null | tr -d '\r' | cat -v > "$work/terminal"
[ -z "$BLESS" ] || cp "$work/terminal" values.terminal
check terminal diff -a "$work/terminal" values.terminal
$top/lapwing --runtime=user values.stp 2> "$work/err" > "$work/pipe"
$top/lapwing --runtime=user -o "$work/file" values.stp 2> /dev/null
printf '6: escape at the end \033.\n' > "$work/line"
check pipe grep -aqxF -f "$work/line" "$work/pipe"
check file cmp "$work/pipe" "$work/file"
printf 'WARNING: w\007\n' > "$work/line"
check 'pipe stderr' grep -aqxF -f "$work/line" "$work/err"
$top/lapwing --runtime=user -p4 -m values values.stp > /dev/null && mv values.so "$work/"
$top/lapwing-run --terminal 1 "$work/values.so" 2> "$work/err" | tr -d '\r' | cat -v > "$work/told"
grep -v '^WARNING' values.terminal > "$work/expected"
check told diff -a "$work/told" "$work/expected"
check 'told stderr' grep -aqxF -f "$work/line" "$work/err"

# A program that gives itself a hostile name.
cat > "$work/hostile" << 'EOF'
printf '\033]0;x\007\033[1m\302\233' > /proc/$$/comm
n=0
while [ $n -lt 100000 ]; do n=$((n + 1)); done
exit 0
EOF
cat > "$work/name.stp" << 'EOF'
probe process.end { if (pid() == target()) printf("name %s.\n", execname()) }
EOF
cat > "$work/on_terminal" << EOF
exec $top/lapwing --runtime=user -c "sh $work/hostile" $work/name.stp
EOF
script -qec "sh $work/on_terminal" /dev/null < /dev/null | tr -d '\r' > "$work/terminal"
printf 'name \\033]0;x\\007\033[1m\\302\\233.\n' > "$work/line"
check comm grep -aqxF -f "$work/line" "$work/terminal"

# A report of a program whose file has such a name prints no control characters, not even to a file.
program=$work/$(printf '\033]0;x\007')
cp "$(command -v sh)" "$program" && $top/lapwing record -o "$work/cap" -- "$program" \
	"$work/hostile" > /dev/null 2>&1
$top/lapwing report --by name "$work/cap" > "$work/report" 2>&1
check 'report has the name' grep -qF '\033]0;x\007' "$work/report"
check 'report sends no control characters' sh \
	-c "! LC_ALL=C tr -d '\\n\\t' < $work/report | LC_ALL=C grep -aq '[[:cntrl:]]'"
exit $failed
