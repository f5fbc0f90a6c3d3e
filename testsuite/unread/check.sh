#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - what handlers of the user runtime are told is as it was at the hit, or not told, and counted: programs that say the truth in
# arguments of system calls, and change it right after (testsuite/triggers/tells.c).
. "$(dirname "$0")/../common.sh"

gcc -g -O1 -static -pthread -o "$work/tells" testsuite/triggers/tells.c || exit 1

# Root need not mount tracefs. (In a namespace of its own: the machine's stays as it is.)
if [ "$(id -u)" = 0 ]; then
	unshare --mount --propagation private sh -c 'while umount -R /sys/kernel/tracing || umount -R /sys/kernel/debug; do :; done 2> /dev/null
		[ ! -e /sys/kernel/tracing/events ] && ./lapwing --runtime=user -l syscall.openat' > "$work/out"
	[ "$(cat "$work/out")" = syscall.openat ] || fail "without tracefs syscall.openat is not there: $(cat "$work/out")"
fi

tell() {	# tell ARGUMENTS SCRIPT [OPTION]...: runs tells with the script: $work/out, err, json
	local arguments=$1 script=$2
	shift 2
	./lapwing --runtime=user --only-target --json-summary "$work/json" "$@" -c "$work/tells $arguments" -e "$script" \
		> "$work/out" 2> "$work/err" ||
		{ fail "tells $arguments: exit status"; cat "$work/err"; }
}

said() {	# said NUMBER WHAT: so often the books have it as not read, in both forms, and the verdict knows
	local number=$1 what=$2 verdict=COMPLETE line
	[ "$number" -eq 0 ] || verdict=PARTIAL
	line=$(sed -n "s/^WARNING: probe .*: $what not read at \([0-9]*\) hits\{0,1\}: .*/\1/p" "$work/err")
	[ "${line:-0}" -eq "$number" ] || fail "$what: $number values are not there, the report says ${line:-0}"
	line=$(sed -n "s/.*\"unread\": { \"hits\": \([0-9]*\), \"what\": { \"$what\": \([0-9]*\) } }.*/\1 \2/p" "$work/json")
	[ "${line:-0 0}" = "$number $number" ] || fail "$what: $number values are not there, the summary says ${line:-nothing}"
	grep -q "^$verdict" "$work/err" && grep -q "\"verdict\": \"$verdict\"" "$work/json" ||
		{ fail "$what: $number not there, and no $verdict"; cat "$work/err"; }
}

judge() {	# judge N WHAT: N lines "right" or "unread", nothing else; what is not there is in the books
	local right unread
	right=$(grep -cx right "$work/out")
	unread=$(grep -cx unread "$work/out")
	[ $((right + unread)) -eq "$1" ] && [ "$(wc -l < "$work/out")" -eq "$1" ] ||
		{ fail "$2: of $1 values $right right, $unread not read"; sort "$work/out" | uniq -c | sort -rn | head -5; }
	said "$unread" "$2"
}

# The dump shows a field of an event by the script's name of it.
./lapwing --runtime=user -v -p2 -e 'probe kernel.trace("sched:sched_process_exit") { println($pid) }' 2> "$work/err" > "$work/out"
grep -qF 'println($pid);' "$work/out" || fail "a dump of an event's field: $(cat "$work/out" "$work/err")"

# ---- memory of a process ----
tell "opens 2000 $work" 'probe syscall.openat { println(filename) }'
awk -v folder="$work" '$0 == "\"" folder "/" NR - 1 "\"" { print "right"; next }
	/^0x[0-9a-f]+$/ { print "unread"; next } { print }' "$work/out" > "$work/judged"
mv "$work/judged" "$work/out"
judge 2000 filename

tell 'opens 2000' 'probe syscall.openat { n++ } global n'
[ "$(cat "$work/out")" = n=2000 ] || fail "opens: $(cat "$work/out")"
said 0 filename					# nobody asked for it

tell 'execs 500' 'probe syscall.execve { if (argstr != "") println(argstr) }'
sed -i 1d "$work/out"				# of the program itself
awk '$0 == "\"/no/such/" NR - 1 "\", [\"a-" NR - 1 "\"], [\"b=" NR - 1 "\"]" { print "right"; next }
     /^0x[0-9a-f]+, \[0x[0-9a-f]+\], \[0x[0-9a-f]+\]$/ { print "unread"; next } { print }' "$work/out" > "$work/judged"
unread=$(grep -cx unread "$work/judged")
grep -vxE 'right|unread' "$work/judged" && fail "execs: $(grep -cvxE 'right|unread' "$work/judged") texts are of no call"
[ "$(wc -l < "$work/judged")" -eq 500 ] || fail "execs: $(wc -l < "$work/judged") of 500"
[ "$unread" -eq 0 ] || said $((unread + 1)) 'filename, args, env_str'

tell 'execs 20' 'probe syscall.execve {
	try { text = user_string(syscall_arg(1)) } catch (why) { text = substr(why, 0, 23) }
	println(text == "user string copy fault " ? "unread" : "right")
}'
judge 21 'user_string()'

# Found through functions that call themselves, and through 40 that each call the next one twice.
tell 'opens 20' 'function text(n, at) { return n ? text(n - 1, at) : user_string(at) }
	probe syscall.openat {
		try { text(3, syscall_arg(2)); println("right") } catch (why) { println("unread") }
	}'
judge 20 'user_string()'
tell 'opens 20' "$(for i in $(seq 40); do echo "function f$i(n) { return n ? f$((i + 1))(n - 1) + f$((i + 1))(n - 1) : 0 }"; done)
	function f41(n) { return n ? strlen(user_string(n)) : 0 }
	probe syscall.openat { println(f1(0) ? \"wrong\" : \"right\") }"
judge 20 'user_string()'

tell 'execs 20' 'probe syscall.execve { println(cmdline_str() == "<unknown>" && env_var("PATH") == "<unknown>" ? "unread" : "right") }'
judge 21 'cmdline_str(), env_var()'

# At the entry of a function of the program's own it is read at the hit.
tell 'calls 2000' "probe process(\"$work/tells\").function(\"work\") {
	println(user_string(pointer_arg(1)) == sprintf(\"text-%d\", n++) ? \"right\" : \"wrong\")
} global n"
judge 2000 'user_string()'

# ---- names ----
words='function told(is, want) { return is == want ? "right" : is == "<unknown>" ? "unread" : is }
function told_id(is, want) { return is == want ? "right" : is == -1 ? "unread" : sprintf("%d, not %d", is, want) }'
names="$words"' probe syscall.getpgid { println(told(execname(), sprintf("c-%d", pid))) }'
tell 'names 500' "$names"
judge 500 'execname()'
tell 'names 500' "$words"' probe kprocess.exit { if (execname() != "tells") println(told(execname(), sprintf("c-%d", n++))) } global n'
judge 500 'execname()'

tell 'heirs 200' "$names"
judge 200 'execname()'

# The reader stands still until records of names are lost; when it reads again, names are known again.
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
./lapwing --runtime=user -s 1 --only-target --json-summary "$work/json" -c "exec sh $work/stops" -e "$names" > "$work/out" 2> "$work/err"
[ "$(grep -cx unread "$work/out")" -gt 0 ] || fail "renames: no record was lost, so nothing was tested"
judge "$(cat "$work/runs")" 'execname()'

older() {	# older N: begins $older, with N threads that wait
	"$work/tells" threads "$1" "$work/gate" &
	older=$!
	exec 4> "$work/gate"
	until [ "$(grep -lx 'o-[0-9]*' /proc/$older/task/*/comm 2> /dev/null | wc -l)" -eq "$1" ]; do kill -0 $older || break; done
}

# Threads that are older than the run: renamed, and gone before a handler asks for the first time.
mkfifo "$work/gate"
older 200
./lapwing --runtime=user --json-summary "$work/json" -c "head -c 200 /dev/zero >&4; while kill -0 $older 2> /dev/null; do :; done" \
	-e "$words global seen
		probe syscall.getpgid { if (pid() == $older) println(told(execname(), sprintf(\"%s-%d\", seen[pid]++ ? \"c\" : \"o\", pid))) }
		probe end { delete seen }" > "$work/out" 2> "$work/err" 4>&4
exec 4>&-
judge 400 'execname()'

# A name may hold any byte: of processes that are older than the run, in scripts and in recordings.
gcc -O1 -o "$work/named" testsuite/triggers/named.c || exit 1
bearers=()
for name in 'a) R 1 (b' $'line\nbreak' $'\303\274)\\x(\t1' 'two words '; do
	"$work/named" "$name" "$work/gate" &
	bearers+=($!)
done
exec 4> "$work/gate"
await '[ "$(for pid in "${bearers[@]}"; do readlink /proc/$pid/fd/3; done | grep -cxF "$work/gate")" -eq 4 ]'
./lapwing --runtime=user -c "printf 1111 >&4; while :; do :; done" -e 'global n, all
	probe syscall.getpgid { if (pid() == $1 || pid() == $2 || pid() == $3 || pid() == $4) { n[execname()]++; if (++all == 4) exit() } }
	probe end { foreach (e in n) println(string_quoted(e), " ", n[e]) }' "${bearers[@]}" 2> "$work/err" 4>&4 | LC_ALL=C sort > "$work/out"
printf '"%s" 1\n' '\u00fc)\\x(\t1' 'a) R 1 (b' 'line\nbreak' 'two words ' | diff - "$work/out" ||
	{ fail "names of any bytes"; cat "$work/err"; }
./lapwing record -q -p "$(IFS=,; echo "${bearers[*]}")" -o "$work/capture" 4>&- 2> "$work/err" &
recording=$!
await 'sampled "$work/capture" cpu-clock'
for pid in "${bearers[@]}"; do await_work "$pid" 20; done
exec 4>&-
wait $recording
./lapwing report -b name --csv "$work/capture" | sed -n 's/^[0-9].*,[0-9]*,//p' | LC_ALL=C sort > "$work/out"
printf '%s\n' 'a) R 1 (b' 'line\012break' 'two words ' $'\303\274)\\x(\\0111' | diff - "$work/out" ||
	{ fail "recorded names"; cat "$work/err"; }

# A program that is older than the run, and gone before a handler asks what it ran.
older 1
./lapwing --runtime=user -c "echo >&4; while kill -0 $older 2> /dev/null; do :; done" \
	-e "probe process(\"$work/tells\").syscall { n += \$syscall == syscall_num(\"getpgid\") } global n" > "$work/out" 2> "$work/err" 4>&4
exec 4>&-
[ "$(cat "$work/out")" = n=2 ] || { fail "a program that is older: $(cat "$work/out"), not 2 calls"; cat "$work/err"; }

# ---- ids ----
tell 'users 500' "$words probe syscall.getpgid { println(told_id(euid(), pid)) }"
judge 1000 'euid()'
tell 'groups 300' "$words probe syscall.getsid { println(told_id(pgrp(), pid)) }"
judge 1500 'pgrp()'
tell 'parents 300' "$words probe syscall.sched_getscheduler { println(told_id(ppid(), pid)) }"
judge 600 'ppid()'
tell 'names 100' 'probe syscall.getpgid {
	println(uid() == 0 && gid() == 0 && pgrp() > 0 && ppid() == target() ? "right" : "wrong")
}'
judge 100 'uid()'

[ $failed -eq 0 ] && echo "unread: all as it should be"
[ $failed -eq 0 ]
