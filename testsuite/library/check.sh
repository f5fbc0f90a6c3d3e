#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - the library search: aliases, functions and macros of -I folders are part of the program
# if the script uses them, and nothing else is.
. "$(dirname "$0")/../common.sh"
export LAPWING_CACHE="$work/cache"
lw="./lapwing -w -I testsuite/library/lib --runtime=user"

# prints NAME EXPECTED OPTIONS...: the script prints EXPECTED when it runs
prints() {
	name=$1 want=$2
	shift 2
	got=$($lw "$@" 2> "$work/err" < /dev/null)
	[ "$got" = "$want" ] || fail "$name: prints '$got', not '$want': $(cat "$work/err")"
}
# dump NAME TEXT OPTIONS...: the output of -p2 contains TEXT
dump() {
	name=$1 want=$2
	shift 2
	$lw -v -p2 "$@" > "$work/out" 2> "$work/err" < /dev/null
	grep -qF -e "$want" "$work/out" || fail "$name: no '$want': $(cat "$work/out" "$work/err")"
}

prints function 11 -e 'probe begin { println(lib_two()); exit() }'
prints "the user's global of the same name is separate" "11 1" \
	-e 'global t = 1 probe begin { println(lib_two(), " ", t); exit() }'
prints "a library's global" "3 7" \
	-e 'probe begin { println(lib_two() - 8, " ", lib_level); exit() }'
prints NULL "0 1" -e 'probe begin { p = NULL; println(p, " ", p == NULL); exit() }'
! $lw -e 'probe begin { println(lib_hiden()) }' 2>&1 | grep lib_hidden ||
	fail "a private function of the library is suggested"
for pair in lib.tik:lib.tick libb.tock:lib.tock; do
	$lw -e "probe ${pair%:*} { println(1) }" 2>&1 |
		grep -qx "        hint: did you mean '${pair#*:}'?" ||
			fail "${pair%:*}: ${pair#*:} is not suggested"
done
prints "the user's function wins" 8 \
	-e 'function lib_one(x) { return 6 + x } probe begin { println(lib_two()); exit() }'
prints "next goes on to the library's" 101 \
	-e 'function lib_over:long(x:long) { next } probe begin { println(lib_over(1)); exit() }'
prints macros "7 100 101" -e '
	@define lib_inner %( 100 %)
	probe begin {
		println(@lib_twice(3), " ", @lib_inner, " ", @lib_twice(0) + @lib_inner)
		exit()
	}'
all='for (i = 1; i <= argc; i++) print(argv[i], ";")
	println(argv_1, argv_3, "[", argv[4], "]") exit()'
prints "arguments as globals" '3 x;y"z;w;xw[]' -e "probe begin { print(argc, \" \") $all }" x \
	'y"z' w
prints "arguments that -G gives" 'A;y;AC[]' -G argc=2 -G argv_1=A -G argv_3=C \
	-e "probe begin { $all }" x y z
./lapwing --runtime=user -p2 -e 'probe begin { println(argv_2) }' x y 2> "$work/err" > "$work/out"
[ -s "$work/err" ] && fail "an argument used by argv_2 counts as unused: $(cat "$work/err")"
prints "statistics" '@count=3 @min=0 @max=2 @sum=3 @avg=1
[a,1] @count=2 @min=0 @max=4 @sum=4 @avg=2
[b,0] @count=1 @min=7 @max=7 @sum=7 @avg=7
12
5' -e '
	global s, t
	probe begin {
		for (i = 0; i < 3; i++) s <<< i
		t["b", 0] <<< 7 t["a", 1] <<< 0 t["a", 1] <<< 4
		@prints(s) @prints2(t)
		@try_assign(x, strtol("12", 10), 5) println(x)
		@try_assign(x, 1 / (x - 12), 5) println(x)
		exit()
	}'
prints "choose_defined" 4 -e 'probe begin { println(@choose_defined($nonesuch, 4)); exit() }'
prints "embedded C for anybody" "1 2" --privilege=stapusr \
	-e 'probe begin { println(lib_anybody(), " ", lib_own()); exit() }'
$lw --privilege=stapusr -p2 -e 'probe begin { println(lib_root()) }' 2>&1 |
	grep -q 'function may not be used when --privilege=stapusr is specified' ||
	fail "embedded C without a pragma is not refused"
$lw --privilege=stapusr -p3 -e 'probe begin { println(lib_own(), lib_anybody()) }' 2>&1 |
	grep -c 'rt_own_process_only(c);' | grep -qx 1 ||
	fail "not exactly one check of the process's owner"
dump alias 'timer.s(1) /* <- lib.tock */' -e 'probe lib.tock { println(op, name, size) }'
dump wildcard 'timer.s(1) /* <- lib.tock */' -e 'probe lib.t* { println(name) }'
dump "a program in the folder that PATH/FOLDER names" \
	'process("/usr/bin/env").begin /* <- lib.program */' \
	-e 'probe lib.program { println(name) }'
dump "a wildcard matches aliases and families" 'begin /* <- begin */' \
	-e 'probe b* { println(1) }'
dump "a wildcard matches aliases of the library besides the script's" \
	'timer.s(1) /* <- lib.tick */' -e 'probe lib.mine = end { } probe lib.* { println(pn()) }'
dump "a wildcard matches the family's points besides aliases" 'end /* <- end */' \
	-e 'probe ending = begin { } probe end* { println(pn()) }'
dump "the library file's own probe is included" 'error /* <- error */' \
	-e 'probe lib.tick { println(name) }'
# '!' ends the list that it is in, also if the point is an alias.
$lw -p2 -e \
	'probe a = timer.s(1) { } probe b = nonesuch.a { }
	probe c = timer.s(3), timer.s(4) { } probe deep = b!, c!, timer.s(9) { }
	probe a!, c { println(1) } probe deep!, timer.s(7) { println(2) }
	probe b!, timer.s(5)!, timer.s(6) { println(3) }' |
	sed -n 's/^timer.s(\(.\)).*/\1/p' | tr '\n' ' ' > "$work/out"
[ "$(cat "$work/out")" = "1 3 4 5 " ] || fail "sufficient points: $(cat "$work/out")"
dump "the general folder" 'return "any"' -r 5.10.0-8-amd64 \
	-e 'probe begin { println(lib_kernel()) }'
dump "the version's folder" 'return "6.1"' -r 6.1.0-8-amd64 \
	-e 'probe begin { println(lib_kernel()) }'
dump "version and architecture" 'return "6.12 x86_64"' -r 6.12.1-amd64 -a x86_64 \
	-e 'probe begin { println(lib_kernel()) }'
! $lw -p2 -e 'probe lib.nothing { }' > "$work/out" 2>&1 || fail "an unknown alias is accepted"
! $lw -p2 -e 'probe begin { println(@lib_bad) }' > "$work/out" 2>&1 ||
	fail "a macro after a bad token is accepted"
./lapwing -I testsuite/library/lib -p1 -e 'probe begin { println(@lib_bad) }' 2>&1 |
	grep -q "unexpected token in library macro file" ||
	fail "no warning about a bad macro file"

# A user's function replaces the library's, which is not in the program then.
$lw -v -p2 -e 'function lib_over(x) { return x } probe begin { println(lib_over(1)) }' 2>&1 |
	grep -q '(100)' &&
	fail "an overridden function is not dropped"

# The index is private, and rebuilt when it is damaged or a file has changed; a script that needs no
# library makes no index.
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

# Indexes of other paths do not accumulate: only those used last are kept, this one among them.
for i in $(seq 40); do touch -d 2001-01-01 "$work/cache/tapsets-$i"; done
own=$(ls -t "$work"/cache/tapsets-* | head -1)
touch -d 2000-01-01 "$own"
prints "an old index" 77 -e 'probe begin { println(lib_new()); exit() }'
echo 'function lib_newer() { return 78 }' >> "$work/lib/tick.stp"
prints "a file changed again" 78 -e 'probe begin { println(lib_newer()); exit() }'
[ -e "$own" ] && [ "$(ls "$work"/cache/tapsets-* | wc -l)" -eq 16 ] ||
	fail "indexes that are kept: $(ls "$work/cache")"

# Values that an alias offers are not read if the script does not use them, even if reading might
# fail.
for call in openat execve connect; do
	./lapwing --runtime=user -p3 -e "global n probe syscall.$call { n++ }" > "$work/c" ||
		fail "syscall.$call"
	grep -n 'rt_syscall_arg\|rt_user_' "$work/c" &&
		fail "syscall.$call that only counts reads arguments"
done
./lapwing --runtime=user -p3 -e 'probe syscall.openat { println(filename) }' |
	grep -c 'rt_syscall_arg(c, [134])' > "$work/count"
[ "$(cat "$work/count")" -eq 0 ] || fail "syscall.openat reads more than the name that is used"

# Each public function and alias has a manual page that describes its arguments and variables.
doc/library check tapsets/*.stp tapsets/*.stpm tapsets/linux/*.stp > "$work/faults" ||
	fail "the comments of the library: $(head -20 "$work/faults")"

[ $failed -eq 0 ] && echo "library: passed"
[ $failed -eq 0 ]
