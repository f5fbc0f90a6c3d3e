#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - values in handlers of the user runtime are those at the hit, or are counted as unread:
# programs pass values in arguments of system calls and change them right after
# (testsuite/triggers/tells.c).
. "$(dirname "$0")/../common.sh"

gcc -g -O1 -static -pthread -o "$work/tells" testsuite/triggers/tells.c || exit 1

# tell ARGUMENTS SCRIPT [OPTION]...: runs tells with the script; results are in $work/out, err, json
tell() {
	local arguments=$1 script=$2
	shift 2
	./lapwing -v --runtime=user --only-target --json-summary "$work/json" "$@" \
		-c "$work/tells $arguments" -e "$script" \
		> "$work/out" 2> "$work/err" ||
		{ fail "tells $arguments: exit status"; cat "$work/err"; }
}

# said NUMBER WHAT: the report and the summary count WHAT as unread NUMBER times, and the verdict is
# PARTIAL if NUMBER is not 0
said() {
	local number=$1 what=$2 verdict=COMPLETE line
	[ "$number" -eq 0 ] || verdict=PARTIAL
	line=$(sed -n "s/^WARNING: probe .*: $what not read at \([0-9]*\) hits\{0,1\}: .*/\1/p" \
		"$work/err")
	[ "${line:-0}" -eq "$number" ] ||
		fail "$what: $number values are unread, the report says ${line:-0}"
	hits='"unread": { "hits": \([0-9]*\)'
	line=$(sed -n "s/.*$hits, \"what\": { \"$what\": \([0-9]*\) } }.*/\1 \2/p" "$work/json")
	[ "${line:-0 0}" = "$number $number" ] ||
		fail "$what: $number values are unread, the summary says ${line:-nothing}"
	grep -q "^$verdict" "$work/err" && grep -q "\"verdict\": \"$verdict\"" "$work/json" ||
		{ fail "$what: $number values are unread, but not $verdict"; cat "$work/err"; }
}

# judge N WHAT: the output is N lines "right" or "unread", and the books have those that are unread
judge() {
	local right unread
	right=$(grep -cx right "$work/out")
	unread=$(grep -cx unread "$work/out")
	[ $((right + unread)) -eq "$1" ] && [ "$(wc -l < "$work/out")" -eq "$1" ] ||
		{ fail "$2: of $1 values $right right, $unread not read"; sort "$work/out" |
			uniq -c | sort -rn | head -5; }
	said "$unread" "$2"
}

# ---- memory of a process ----
tell "opens 2000 $work" 'probe syscall.openat { println(filename) }'
awk -v folder="$work" '$0 == "\"" folder "/" NR - 1 "\"" { print "right"; next }
	/^0x[0-9a-f]+$/ { print "unread"; next } { print }' "$work/out" > "$work/judged"
mv "$work/judged" "$work/out"
judge 2000 filename

tell 'opens 2000' 'probe syscall.openat { n++ } global n'
[ "$(cat "$work/out")" = n=2000 ] || fail "opens: $(cat "$work/out")"
said 0 filename					# the script does not use it

tell 'execs 500' 'probe syscall.execve { if (argstr != "") println(argstr) }'
sed -i 1d "$work/out"				# the exec of the trigger itself
awk '$0 == "\"/no/such/" NR - 1 "\", [\"a-" NR - 1 "\"], [/* 1 vars */]" { print "right"; next }
     /^0x[0-9a-f]+, 0x[0-9a-f]+, 0x[0-9a-f]+$/ { print "unread"; next } { print }' \
     	"$work/out" > "$work/judged"
unread=$(grep -cx unread "$work/judged")
grep -vxE 'right|unread' "$work/judged" &&
	fail "execs: $(grep -cvxE 'right|unread' "$work/judged") texts that no call passed"
[ "$(wc -l < "$work/judged")" -eq 500 ] || fail "execs: $(wc -l < "$work/judged") of 500"
[ "$unread" -eq 0 ] || said $((unread + 1)) 'filename, args, env_str'

tell 'execs 20' 'probe syscall.execve {
	try { text = user_string(syscall_arg(1)) } catch (why) { text = substr(why, 0, 23) }
	println(text == "user string copy fault " ? "unread" : "right")
}'
judge 21 'user_string()'
tell 'execs 20' 'probe syscall.execve {
	unread = cmdline_str() == "<unknown>" && env_var("PATH") == "<unknown>"
	println(unread ? "unread" : "right")
}'
judge 21 'cmdline_str(), env_var()'
tell 'names 20' 'probe kprocess.exit { println(@defined(code) ? "wrong" : "right") }'
judge 21 code
./lapwing -p2 --runtime=user -e 'probe kprocess.exit { println(code) }' > "$work/out" 2>&1 &&
	fail "code, which no event has, is accepted"
grep -q "'code' of 'kprocess.exit' has no value here: events have no such field" "$work/out" ||
	{ fail "code, which no event has"; cat "$work/out"; }

# At the entry of a function of the program, memory is read at the hit.
tell 'calls 2000' "probe process(\"$work/tells\").function(\"work\") {
	println(user_string(pointer_arg(1)) == sprintf(\"text-%d\", n++) ? \"right\" : \"wrong\")
} global n"
judge 2000 'user_string()'

# ---- names ----
words='function told(is, want) { return is == want ? "right" : is == "<unknown>" ? "unread" : is }
function told_id(is, want) {
	return is == want ? "right" : is == -1 ? "unread" : sprintf("%d, not %d", is, want)
}'
names="$words"' probe syscall.getpgid { println(told(execname(), sprintf("c-%d", pid))) }'
tell 'names 500' "$names"
judge 500 'execname()'
tell 'names 500' \
	"$words"' global n probe kprocess.exit {
		if (execname() != "tells") println(told(execname(), sprintf("c-%d", n++))) }'
judge 500 'execname()'

tell 'heirs 200' "$names"
judge 200 'execname()'

# The reader is stopped until records of names are lost; after it has continued, names become known
# again.
cat > "$work/stops" <<EOF
kill -STOP \$PPID
$work/tells renames 2000
kill -CONT \$PPID
runs=2000
until [ "\$(tail -1 "$work/out")" = right ] && [ \$(wc -l < "$work/out") -gt 2000 ]; do
	$work/tells names 1
	runs=\$((runs + 1))
	echo \$runs > "$work/runs"
done
EOF
./lapwing -v --runtime=user -s 1 --only-target --json-summary "$work/json" \
	-c "exec sh $work/stops" -e "$names" > "$work/out" 2> "$work/err"
[ "$(grep -cx unread "$work/out")" -gt 0 ] ||
	fail "renames: no record was lost, so nothing was tested"
judge "$(cat "$work/runs")" 'execname()'

older() {	# older N: starts the process $older with N threads that wait
	"$work/tells" threads "$1" "$work/gate" &
	older=$!
	exec 4> "$work/gate"
	until [ "$(grep -lx 'o-[0-9]*' /proc/$older/task/*/comm 2> /dev/null |
		wc -l)" -eq "$1" ]; do kill -0 $older || break; done
}

# Threads that existed before the run: they are renamed and exit before a handler uses their names.
mkfifo "$work/gate"
older 200
./lapwing -v --runtime=user --json-summary "$work/json" \
	-c "head -c 200 /dev/zero >&4; while kill -0 $older 2> /dev/null; do :; done" \
	-e "$words global seen
		probe syscall.getpgid {
			if (pid() == $older) {
				name = sprintf(\"%s-%d\", seen[pid]++ ? \"c\" : \"o\", pid)
				println(told(execname(), name))
			}
		}
		probe end { delete seen }" > "$work/out" 2> "$work/err" 4>&4
exec 4>&-
judge 400 'execname()'

# A process that existed before the run, and exits before a handler checks which program it runs.
older 1
./lapwing -v --runtime=user -c "echo >&4; while kill -0 $older 2> /dev/null; do :; done" \
	-e "global n
		probe process(\"$work/tells\").syscall {
			n += \$syscall == syscall_num(\"getpgid\") }" \
	> "$work/out" 2> "$work/err" 4>&4
exec 4>&-
[ "$(cat "$work/out")" = n=2 ] ||
	{ fail "an existing process: $(cat "$work/out"), not 2 calls"; cat "$work/err"; }

# ---- ids ----
tell 'users 500' "$words probe syscall.getpgid { println(told_id(euid(), pid)) }"
judge 1000 'euid()'
tell 'groups 300' "$words probe syscall.getsid { println(told_id(pgrp(), pid)) }"
judge 1500 'pgrp()'
# The last processes may outlive the run, so that only 590 of 600 calls count.
tell 'parents 300' "$words global n
	probe syscall.sched_getscheduler { if (n++ < 590) println(told_id(ppid(), pid)) }"
judge 590 'ppid()'
tell 'names 100' 'probe syscall.getpgid {
	println(uid() == 0 && gid() == 0 && pgrp() > 0 && ppid() == target() ? "right" : "wrong")
}'
judge 100 'uid()'

[ $failed -eq 0 ] && echo "unread: passed"
[ $failed -eq 0 ]
