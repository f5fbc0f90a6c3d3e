#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - the library search: aliases, functions and macros of -I folders come in when a script names them, and nothing else does.
. "$(dirname "$0")/../common.sh"
export LAPWING_CACHE="$work/cache"
lw="./lapwing -w -I testsuite/library/lib --runtime=user"

# prints NAME EXPECTED OPTIONS...: what a script prints when it runs
prints() {
	name=$1 want=$2
	shift 2
	got=$($lw "$@" 2> "$work/err" < /dev/null)
	[ "$got" = "$want" ] || fail "$name: prints '$got', not '$want': $(cat "$work/err")"
}
# dump NAME TEXT OPTIONS...: what -p2 holds
dump() {
	name=$1 want=$2
	shift 2
	$lw -v -p2 "$@" > "$work/out" 2> "$work/err" < /dev/null
	grep -qF -e "$want" "$work/out" || fail "$name: no '$want': $(cat "$work/out" "$work/err")"
}

prints function 11 -e 'probe begin { println(lib_two()); exit() }'
prints "the user's global of the same name is another" "11 1" -e 'global t = 1 probe begin { println(lib_two(), " ", t); exit() }'
prints "a library's global" "3 7" -e 'probe begin { println(lib_two() - 8, " ", lib_level); exit() }'
prints NULL "0 1" -e 'probe begin { p = NULL; println(p, " ", p == NULL); exit() }'
! $lw -e 'probe begin { println(lib_hiden()) }' 2>&1 | grep lib_hidden || fail "a private function of the library is suggested"
for pair in lib.tik:lib.tick libb.tock:lib.tock; do
	$lw -e "probe ${pair%:*} { println(1) }" 2>&1 |
		grep -qx "        hint: did you mean '${pair#*:}'?" || fail "${pair%:*}: ${pair#*:} is not suggested"
done
prints "the user's function wins" 8 -e 'function lib_one(x) { return 6 + x } probe begin { println(lib_two()); exit() }'
prints "next goes on to the library's" 101 -e 'function lib_over:long(x:long) { next } probe begin { println(lib_over(1)); exit() }'
prints macros "7 100 101" -e '
	@define lib_inner %( 100 %) probe begin { println(@lib_twice(3), " ", @lib_inner, " ", @lib_twice(0) + @lib_inner); exit() }'
prints "choose_defined" 4 -e 'probe begin { println(@choose_defined($nonesuch, 4)); exit() }'
prints "embedded C for anybody" "1 2" --privilege=stapusr -e 'probe begin { println(lib_anybody(), " ", lib_own()); exit() }'
$lw --privilege=stapusr -p2 -e 'probe begin { println(lib_root()) }' 2>&1 |
	grep -q 'function may not be used when --privilege=stapusr is specified' ||
	fail "embedded C without a pragma is not refused"
for point in 'kernel.function("vfs_read")' 'kernel.trace("sched_switch")' 'kernel.data("jiffies").write' process.begin timer.profile \
	'process("/bin/true").function("main")' perf.sw.cpu_clock 'procfs("x").read'; do
	./lapwing -r 6.1.0-8-amd64 --privilege=stapusr -p2 -e "probe $point { println(1) }" 2>&1 | grep -q 'is not allowed .* E0415\]' ||
		fail "anybody may probe $point"
done
$lw --privilege=stapusr -p3 -e 'probe begin { println(lib_own(), lib_anybody()) }' 2>&1 | grep -c 'rt_own_process_only(c);' | grep -qx 1 ||
	fail "whose process it is, is not asked where it should be"
dump alias 'timer.s(1) /* <- lib.tock */' -e 'probe lib.tock { println(op, name, size) }'
dump wildcard 'timer.s(1) /* <- lib.tock */' -e 'probe lib.t* { println(name) }'
dump "a program of the folder that PATH names" 'process("/usr/bin/env").begin /* <- lib.program */' -e 'probe lib.program { println(name) }'
# A file of PATH/ is about the program it is named after; events of processes stay those of all.
mkdir -p "$work/own/PATH$work" && cc -O1 -o "$work/known" testsuite/triggers/known.c && cp "$work/known" "$work/other" || fail "no program"
printf 'probe own.%s { }\n' 'call = process.function("main")' 'begin = process.begin' 'named = process("other").function("main")' \
	'library = process.library("libc.so.6").function("malloc")' > "$work/own/PATH$work/known.stp"
for pair in call:known named:other; do
	for command in '' '-c /bin/true'; do
		dump "own.$pair $command" "process(\"$work/${pair#*:}\").function(\"main" $command -I "$work/own" \
			-e "probe own.${pair%:*} { println(1) }"
	done
done
dump "own.begin" 'process.begin /* <- own.begin */' -I "$work/own" -e "probe own.begin { println(1) }"
dump "own.library" 'libc.so.6").function("' -I "$work/own" -e "probe own.library { println(1) }"
dump "a wildcard is aliases of the script and the library, and families" 'begin /* <- begin */' -e 'probe b* { println(1) }'
dump "also where the script has some" 'timer.s(1) /* <- lib.tick */' -e 'probe lib.mine = end { } probe lib.* { println(pn()) }'
dump "the family's points besides aliases" 'end /* <- end */' -e 'probe ending = begin { } probe end* { println(pn()) }'
dump "the file's own probe comes along" 'error /* <- error */' -e 'probe lib.tick { println(name) }'
# '!' ends the list it stands in, also when an alias stands for the point.
$lw -p2 -e 'probe a = timer.s(1) { } probe b = nonesuch.a { } probe c = timer.s(3), timer.s(4) { } probe deep = b!, c!, timer.s(9) { }
	probe a!, c { println(1) } probe deep!, timer.s(7) { println(2) } probe b!, timer.s(5)!, timer.s(6) { println(3) }' |
	sed -n 's/^timer.s(\(.\)).*/\1/p' | tr '\n' ' ' > "$work/out"
[ "$(cat "$work/out")" = "1 3 4 5 " ] || fail "sufficient points: $(cat "$work/out")"
dump "the general folder" 'return "any"' -r 5.10.0-8-amd64 -e 'probe begin { println(lib_kernel()) }'
dump "the version's folder" 'return "6.1"' -r 6.1.0-8-amd64 -e 'probe begin { println(lib_kernel()) }'
dump "version and architecture" 'return "6.12 x86_64"' -r 6.12.1-amd64 -a x86_64 -e 'probe begin { println(lib_kernel()) }'
! $lw -p2 -e 'probe lib.nothing { }' > "$work/out" 2>&1 || fail "an alias nobody has is accepted"
! $lw -p2 -e 'probe begin { println(@lib_bad) }' > "$work/out" 2>&1 || fail "a macro behind a bad token is accepted"
./lapwing -I testsuite/library/lib -p1 -e 'probe begin { println(@lib_bad) }' 2>&1 | grep -q "unexpected token in library macro file" ||
	fail "a bad macro file is not warned about"

# A user's function stands in for the library's: the other is not in the program.
$lw -v -p2 -e 'function lib_over(x) { return x } probe begin { println(lib_over(1)) }' 2>&1 | grep -q '(100)' &&
	fail "an overridden function is left in"

# The index: private, rebuilt when damaged or when a file changed; nothing of it is read by a script that needs no library.
[ "$(stat -c %a "$work"/cache/tapsets-* | sort -u)" = 600 ] ||
	fail "the index is not private"
rm -rf "$work/cache"
./lapwing --runtime=user -p2 -e 'probe begin { println("hello") }' > /dev/null
ls "$work"/cache/tapsets-* > /dev/null 2>&1 && fail "hello, world makes an index"
cp -r testsuite/library/lib "$work/lib"
lw="./lapwing -w -I $work/lib --runtime=user"
prints "before" 101 -e 'probe begin { println(lib_over(1)); exit() }'
for index in "$work"/cache/tapsets-*; do
	sed -i 's/^f lib_over/f lib_0ver/' "$index"
done
prints "a damaged index" 101 -e 'probe begin { println(lib_over(1)); exit() }'
echo 'function lib_new() { return 77 }' >> "$work/lib/tick.stp"
prints "a changed file" 77 -e 'probe begin { println(lib_new()); exit() }'

# Indexes of other paths do not pile up: those used last are kept, this one among them.
for i in $(seq 40); do touch -d 2001-01-01 "$work/cache/tapsets-$i"; done
own=$(ls -t "$work"/cache/tapsets-* | head -1)
touch -d 2000-01-01 "$own"
prints "an old index" 77 -e 'probe begin { println(lib_new()); exit() }'
echo 'function lib_newer() { return 78 }' >> "$work/lib/tick.stp"
prints "a file changed again" 78 -e 'probe begin { println(lib_newer()); exit() }'
[ -e "$own" ] && [ "$(ls "$work"/cache/tapsets-* | wc -l)" -eq 16 ] || fail "indexes that are kept: $(ls "$work/cache")"

# What an alias cannot set is an error where the script reads it (testsuite/diag), and nowhere else; -L leaves it out.
prints "values that are there" 8 -I testsuite/library/unset -e 'probe unset.values { println(right); exit() }'
for option in -l -L; do ./lapwing -I testsuite/library/unset --runtime=user $option 'unset.*'; done > "$work/out"
printf 'unset.values%s\n' '' ' right:long' | diff - "$work/out" || fail "values that are not there are listed"

# An alias is probed as a whole: where a point that it needs is refused, a wildcard leaves all of it out, and a list does not have it.
parts='--runtime=user -I testsuite/library/unset'
prints "aliases that are there as a whole" 3 $parts -e 'probe parts.*, parts.needed ? { println(whole) exit() }'
[ "$(./lapwing $parts -l 'parts.*')" = parts.able ] || fail "an alias of which a point is refused is listed"
./lapwing $parts -p2 -e 'probe parts.n* {}' 2>&1 | grep -q "'nothing' at testsuite/library/unset" ||
	fail "why no alias of a pattern is there is not said"

# What an alias offers and nobody uses is not read, though it could fail.
for call in openat execve connect; do
	./lapwing --runtime=user -p3 -e "global n probe syscall.$call { n++ }" > "$work/c" || fail "syscall.$call"
	grep -n 'rt_syscall_arg\|rt_user_' "$work/c" && fail "syscall.$call that only counts reads arguments"
done
./lapwing --runtime=user -p3 -e 'probe syscall.openat { println(filename) }' | grep -c 'rt_syscall_arg(c, [134])' > "$work/count"
[ "$(cat "$work/count")" -eq 0 ] || fail "syscall.openat reads more than the name that is asked for"

[ $failed -eq 0 ] && echo "library: passed"
[ $failed -eq 0 ]
