#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - the command line as a user meets it: every row of cli.def, bad input, exit codes, output files, signals.
. "$(dirname "$0")/../common.sh"

. testsuite/cli/says
lw=./lapwing
hello='probe begin { println("hello"); exit() }'

# What is printed of the option tables is what is in doc/.
doc/options.sh table > "$work/table"
sed -n '/^| option/,$p' doc/cli.md | diff - "$work/table" > /dev/null || fail "doc/cli.md: its table is not doc/options.sh table"
[ "$(wc -l < "$work/table")" -gt 80 ] || fail "the table has too few rows"
for page in doc/man/*.1; do
	grep -qF 'Options: printed by doc/options.sh.' "$page" || continue
	name=$(basename "$page" .1)
	doc/options.sh man "$name" > "$work/man"
	sed -n '/Options: printed by doc\/options.sh/,/End of the options/p' "$page" | sed '1d; $d' | diff - "$work/man" > /dev/null ||
		fail "$page: its options are not doc/options.sh man $name"
	[ "$(grep -c '^\.TP' "$work/man")" -gt 3 ] || fail "$page has too few options"
	echo "$name" >> "$work/pages"
done
[ "$(wc -l < "$work/pages")" -eq 15 ] || fail "options of $(wc -l < "$work/pages") programs, not of 15, are in their manual pages"
for shell in bash:lapwing.bash zsh:_lapwing fish:lapwing.fish; do
	doc/options.sh "${shell%:*}" | diff - "doc/completions/${shell#*:}" > /dev/null ||
		fail "doc/completions/${shell#*:} is not doc/options.sh ${shell%:*}"
done
complete() {	# complete WANTED WORD...: what bash offers for the last word
	bash -c '. doc/completions/lapwing.bash; wanted=$1; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lapwing
		[ "${COMPREPLY[*]}" = "$wanted" ] || { echo "${COMPREPLY[*]}"; exit 1; }' - "$@" > "$work/offered" ||
		fail "completion of '$*': $(cat "$work/offered")"
}
complete record lapwing rec
complete '--off-cpu' lapwing record --off
complete '--list' lapwing-run --lis
complete '--off-cpu' lapwing-record --off
complete '' lapwing-record rec
complete 'on off' lapwing-ctl o
complete '--csv' lapwing-ctl status --json --c
complete 'on off' lapwing ctl o
complete '--only-target' lapwing -e x --only
complete '' lapwing report exa

# Ignored options say so, refused ones fail with their reason.
sed -n 's/^| `\(-[^`]*\)` | \(ignored\|refused\) | \(.*\) |$/\2\t\1\t\3/p' "$work/table" > "$work/rows"
while IFS="$(printf '\t')" read -r status option reason; do
	word=$(printf '%s' "$option" | sed 's/,.*//; s/\[.*//; s/[= ].*//')
	value=$(printf '%s' "$option" | sed 's|\[.*||' | grep -q '[= ][A-Z]' && echo x)
	if [ "$status" = ignored ]; then
		says "$word" 0 "$reason" $lw "$word" $value --runtime=user -e "$hello"
	else
		says "$word" 1 "$reason" $lw "$word" $value -e "$hello"
	fi
done < "$work/rows"
[ "$(wc -l < "$work/rows")" -gt 25 ] || fail "too few options are ignored or refused"

# Standard output that is closed or cannot be written is an error of every program; a reader who leaves is none.
for program in lapwing lapwing-run $(sed -n 's/^COMMAND(\([a-z]*\),.*/lapwing-\1/p' translator/driver/commands.def); do
	./$program --help >&- 2> "$work/err"
	[ $? -eq 1 ] && grep -q 'standard output is closed' "$work/err" || fail "$program: closed output: $(cat "$work/err")"
	./$program --help > /dev/full 2> "$work/err"
	[ $? -eq 1 ] && grep -q 'cannot write standard output: No space' "$work/err" || fail "$program: full disk: $(cat "$work/err")"
done
mkfifo "$work/pipe"
exec 8<> "$work/pipe" 9> "$work/pipe" 8>&-	# nobody reads 9
for way in 'true' "trap '' PIPE"; do
	for what in "-e 'probe begin { println(1) }'" "-l 'syscall.*'" --dump-functions --help; do
		sh -c "$way; $lw --runtime=user $what" >&9 2> "$work/err"
		[ $? -eq 141 ] && [ ! -s "$work/err" ] || fail "$what without a reader after $way: $(cat "$work/err")"
	done
done
exec 9>&-
bash -c "$lw --runtime=user -e 'probe timer.ms(1) { println(7) }' 2> $work/err | head -2; exit \${PIPESTATUS[0]}" > "$work/out"
[ $? -eq 141 ] && [ "$(tr '\n' ' ' < "$work/out")" = '7 7 ' ] && [ ! -s "$work/err" ] || fail "| head -2: $(cat "$work/err")"
$lw --runtime=user -e "$hello" <&- > "$work/out" 2>&- && [ "$(cat "$work/out")" = hello ] ||
	fail "closed standard input and error: $(cat "$work/out")"

# Options that work.
says help 0 "--only-target" $lw --help
# The version stands in configure.ac; NEWS begins with what it changed, and no manual page says which it is.
version=$(grep -m1 -x '[0-9][0-9.]*' NEWS)
for name in $(cat "$work/pages"); do
	./"$name" --version | grep -qx "$(echo "$name" | tr - .) ${version:-none}" ||
		fail "$name --version: $(./"$name" --version), not '$version' as in NEWS"
done
[ "$($lw version)" = "lapwing $version" ] || fail "lapwing version: $($lw version)"
! grep -n '^\.TH.*[0-9]\.[0-9]' doc/man/*.[1-8] || fail "manual pages have a version"
commands=$(sed -n 's/^COMMAND(\([a-z]*\),.*/\1/p' translator/driver/commands.def)
[ "$(echo "$commands" | wc -l)" -ge 15 ] || fail "commands.def has too few rows"
for command in $commands; do
	[ -e "doc/man/lapwing-$command.1" ] || fail "lapwing $command has no manual page"
	says "help of $command" 0 "lapwing $command" $lw $command --help
done
for command in $commands; do
	says "wrong use of $command" 2 "lapwing $command: unknown option '--bogus'" $lw $command --bogus
done
says 'a stopwatch of nothing' 2 "lapwing stopwatch: no function is named" $lw stopwatch
says 'a stopwatch to nothing' 2 "no function is named behind 'to'" $lw stopwatch ./x:work to
says 'a stopwatch in two forms' 2 "--json and --csv: only one of them" $lw stopwatch ./x:work --csv --json
says 'an option nearly right' 2 "did you mean '--raw'?" $lw stopwatch ./x:work --rav
says 'a profile by nothing' 2 "lapwing profile: 'by' needs keys" $lw profile by
says 'a profile of a word' 2 "'make' means nothing here: a command to run follows --" $lw profile make
says 'a profile at two rates' 2 "-F and -e exclude" $lw profile -F 9 -e cycles:1000
# What cannot run here has a status of its own, for commands: 1 as of stap for a script.
says 'embedded C that cannot run' 4 "embedded C is kernel code" \
	$lw --command-status --runtime=user -g -e 'probe begin { f() } function f() %{ %}'
says 'a stopwatch that cannot run' 4 "cannot be probed in the user runtime" $lw stopwatch vfs_read --runtime=user -- true
says 'a script that cannot run' 1 "cannot be probed in the user runtime" $lw --runtime=user -e 'probe kernel.function("vfs_read") {}'
says passes 0 "probe points to families" $lw --help=passes
for page in $(printf 'lapwing-%s ' $commands) lapwing-run lapwing; do
	"./$page" --help > "$work/help" || fail "$page --help: exit status $?"
	[ "$(wc -l < "$work/help")" -le 40 ] || fail "$page --help has $(wc -l < "$work/help") lines"
	awk 'length > 80 { exit 1 }' "$work/help" || fail "$page --help has lines of over 80 columns"
done
says more 0 "--poison-cache" $lw --help=all
./lapwing --help | grep -q poison-cache && fail "--help has what --help=all is for"

# The first word is a command, a script's file, or nearly a command.
says commands 0 "callgraph  " $lw help
says 'help of a command' 0 "Usage: lapwing record" $lw help record
says 'help of a command that there is not' 2 "did you mean 'record'" $lw help rcord
says 'nearly a command' 1 "there is no command 'rcord': did you mean 'record'?" $lw rcord
says 'nearly a word of its own' 1 "there is no command 'versoin': did you mean 'version'?" $lw versoin
says 'a word of perf' 1 "lapwing stopwatch" $lw stat
says 'a file, or nothing' 1 "cannot read 'nonsense'" $lw nonsense
cp "$work/hello.stp" "$work/rcord" 2> /dev/null || printf '%s\n' "$hello" > "$work/rcord"
says 'a script of that name' 0 hello env -C "$work" "$PWD/lapwing" --runtime=user rcord
./lapwing help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' | grep -vx -e help -e version > "$work/commands"
[ "$(wc -l < "$work/commands")" -gt 10 ] || fail "lapwing help names too few commands"
while read -r command; do
	[ -x "./lapwing-$command" ] || fail "lapwing help names '$command', which is no program"
	grep -qw "$command" doc/completions/lapwing.bash || fail "completions do not know $command"
done < "$work/commands"
says p1 0 "# parse tree dump" $lw -p1 -e "$hello"
says p2 0 "# probes" $lw -p2 -e "$hello"
says p3 0 "rt_script" $lw -p3 -e "$hello"
says 'the smallest rings' 0 hello $lw --runtime=user -s 0.0625 -e "$hello"
says 'smaller rings' 1 "-s: '0.06' is not a number from 0.0625 to 4095" $lw --runtime=user -s 0.06 -e "$hello"
says p4 0 ".so" $lw --runtime=user -p4 -e "$hello"
says dump 0 "begin" $lw --dump=locks -e "$hello"
says list 0 "timer.s(1)" $lw -l 'timer.s(1)'
says types 0 "timer.profile" $lw --dump-probe-types
says functions 0 "execname:string" $lw --dump-functions
# Options may be anywhere before --, as people write them behind a script's name; what follows -- is the script's.
echo 'global n = 0 probe begin { println(@1, " ", @2, " ", n, " ", target() > 1); exit() }' > "$work/args.stp"
says arguments-between 0 "7 x 3 1" $lw "$work/args.stp" --runtime=user 7 -c true x -G n=3
says arguments-behind 0 "-v --all 3 0" $lw "$work/args.stp" -G n=3 --runtime=user -- -v --all
# What SystemTap takes of the environment: options of a file that is its reader's or root's, and a folder of the library.
mkdir "$work/stap"
printf '# mine\n\n-G n=4 --runtime=user\n' > "$work/stap/rc"
echo 'function mine() { return 42 }' > "$work/stap/mine.stp"
says rc 0 "a b 5 0" env SYSTEMTAP_DIR="$work/stap" $lw -G n=5 "$work/args.stp" a b
says rc-alone 0 "a b 4 0" env SYSTEMTAP_DIR="$work/stap" $lw "$work/args.stp" a b
echo "-x 'y" >> "$work/stap/rc"
says rc-quote 1 "$work/stap/rc:4: " env SYSTEMTAP_DIR="$work/stap" $lw "$work/args.stp" a b
chmod g+w "$work/stap/rc"
says rc-others 0 "$work/stap/rc ignored: it is somebody else's, or others can write it" \
	env SYSTEMTAP_DIR="$work/stap" $lw --runtime=user "$work/args.stp" a b
mkdir -p "$work/dir/rc"
says rc-folder 0 "$work/dir/rc ignored: Is a directory" env SYSTEMTAP_DIR="$work/dir" $lw --runtime=user "$work/args.stp" a b
# Words are expanded as by a shell that runs no commands.
mkdir "$work/expanded"
printf '%s\n' "-G n=\$N --runtime=user  # the # is no option's" > "$work/expanded/rc"
says rc-variable 0 "a b 66 0" env N=66 SYSTEMTAP_DIR="$work/expanded" $lw "$work/args.stp" a b
says rc-unset 1 "$work/expanded/rc:1: an environment variable that is not set" env SYSTEMTAP_DIR="$work/expanded" $lw "$work/args.stp" a b
printf '%s\n' "-G n=\$(touch $work/run)" > "$work/expanded/rc"
says rc-command 1 "$work/expanded/rc:1: commands are not run here" env SYSTEMTAP_DIR="$work/expanded" $lw "$work/args.stp" a b
[ ! -e "$work/run" ] || fail "a command of the rc file was run"
# An option of it that is wrong is said with its file and line; one of the command line is not.
printf '%s\n' '# mine' '--runtime=user -P' '-S 0 -T 1' > "$work/expanded/rc"
says rc-option 1 "lapwing: $work/expanded/rc:3: -S '0': expected MB" env SYSTEMTAP_DIR="$work/expanded" $lw "$work/args.stp" a b
says rc-note 1 "lapwing: $work/expanded/rc:2: -P ignored: " env SYSTEMTAP_DIR="$work/expanded" $lw "$work/args.stp" a b
sed -i 3s/.*/--nosuch/ "$work/expanded/rc"
says rc-unknown 1 "lapwing: $work/expanded/rc:3: unknown option '--nosuch'" env SYSTEMTAP_DIR="$work/expanded" $lw "$work/args.stp" a b
sed -i 3s/.*/x/ "$work/expanded/rc"
says rc-not-of 1 "lapwing: -T '0': expected seconds" env SYSTEMTAP_DIR="$work/expanded" $lw -T 0 "$work/args.stp" a b
says two-scripts 1 '-e: one script at a time' $lw -e "$hello" -e "$hello"
says no-sysroot 1 "--sysroot=$work/nowhere: no such directory" $lw --sysroot="$work/nowhere" -p2 -e "$hello"
mkdir "$work/blank"
: > "$work/blank/rc"
says rc-empty 0 "a b 0 0" env SYSTEMTAP_DIR="$work/blank" $lw --runtime=user "$work/args.stp" a b
says tapset-none 0 "lapwing: -I $work/nowhere ignored: no such directory" $lw -I "$work/nowhere" --runtime=user -e "$hello"
grep -qx hello "$work/out" || fail "tapset-none: $(cat "$work/out")"
long=$(printf 'm%.0s' $(seq 80))
says module-long 0 "lapwing: -m: the name is cut to '${long%"${long#?????}"}" \
	env -C "$work" "$PWD/lapwing" --runtime=user -p4 -m "$long.ko" -e "$hello"
[ "$(expr length "$(cd "$work" && echo mmmmm*)")" -eq 58 ] || fail "module-long: $(ls "$work")"
says tapset 0 42 env SYSTEMTAP_TAPSET="$work/stap" $lw --runtime=user -e 'probe begin { println(mine()); exit() }'
says runtime 0 'SYSTEMTAP_RUNTIME ignored: ' env SYSTEMTAP_RUNTIME=/nowhere $lw --runtime=user -e "$hello"
# A build tree says its release, and how the kernel is configured.
mkdir -p "$work/built/include/generated" && echo '#define UTS_RELEASE "9.8.7-own"' > "$work/built/include/generated/utsrelease.h"
echo CONFIG_OURS=y > "$work/built/.config"
says tree 0 'println("ours")' $lw -p1 -r "$work/built" \
	-e '%( kernel_vr == "9.8.7-own" && CONFIG_OURS == "y" %? probe begin { println("ours") } %)'
says tree-none 1 'no build tree of a kernel' $lw -p1 -r "$work" -e "$hello"
# An example is found by its name, from anywhere.
says example 0 "probe" env -C "$work" "$PWD/lapwing" --example -p1 model-01.stp
says example-none 1 "there is no example 'none.stp'" $lw --example none.stp
says argv 0 "2 a b c 32 b c []" $lw --runtime=user -e 'probe begin {
	foreach (n in argv) count++
	printf("%d %s %s %d %s [%s]\n", argc, argv[1], argv[2], count, argv_2, argv_3)
	exit() }' a "b c"
says argv-unused 0 1 $lw --runtime=user -e 'probe begin { println(argc); exit() }' x
! grep -q WARNING "$work/err" || fail "argc: $(cat "$work/err")"
says arguments 0 "7 x" $lw --runtime=user -e 'probe begin { println($1, " ", @2); exit() }' 7 x
says define 1 "MAXACTION exceeded" $lw --runtime=user -D MAXACTION=1 -e 'probe begin { while (1) x++ }'
says define 0 "5" $lw --runtime=user -D MAXACTION=1000000000 -e 'probe begin { while (x < 5) x++ println(x) exit() }'
$lw --runtime=user --poison-cache -v -e "$hello" > "$work/out" 2> "$work/err"
memory='using [0-9]+virt/[0-9]+res/[0-9]+shr/[0-9]+data kb, in [0-9]+usr/[0-9]+sys/[0-9]+real ms\.'
times='in [0-9]+usr/[0-9]+sys/[0-9]+real ms\.'
for line in "Pass 1: parsed user script and 0 library scripts $memory" \
	"Pass 2: analyzed script: 1 probe, 0 functions, 0 embeds, 0 globals $memory" \
	"Pass 3: translated to C into \"[^\"]+\" $memory" "Pass 4: compiled C into \"[^\"]+\.so\" $times" \
	"Pass 5: starting run\." "Pass 5: run completed $times"; do
	grep -qxE "$line" "$work/err" || fail "-v: no line '$line': $(cat "$work/err")"
done
$lw --runtime=user --vp 0100 --vp=00001 -e "$hello" 2>&1 > "$work/out" | sed -n 's/^\(Pass .: [a-z]*\).*/\1/p' > "$work/err"
printf 'Pass 2: analyzed\nPass 5: starting\nPass 5: run\n' | diff - "$work/err" || fail "--vp: other passes than 2 and 5 say more"
says verbose-pass 1 "--vp=000001: expected a digit for each pass, at most 5" $lw --vp=000001 -e "$hello"
says cached 0 "Pass 4: using cached /" $lw --runtime=user -v -e "$hello"
says failed-run 1 "Pass 5: run failed.  [man error::pass5]" $lw --runtime=user -e 'probe begin { error("x") }'
says given 0 "8 x y" $lw --runtime=user -G n=8 -G t='x y' -e 'global n = 1, t probe begin { println(n, " ", t . ""); exit() }'
says given-form 1 "expected VAR=VAL" $lw -G n -e "$hello"
says given-none 1 "the script has no such global" $lw -G n=1 -e "$hello"
head -c 10000000 /dev/zero > "$work/given.so"	# what was there before is gone
(cd "$work" && "$OLDPWD/lapwing" --runtime=user -p4 -m given -e 'global n = 1 probe begin { println(n); exit() }' > given.out)
[ "$(stat -c %s "$work/given.so")" -lt 10000000 ] || fail "given-fresh: the old file shows through"
says given-run 0 8 ./lapwing-run "$work/given.so" n=8
says given-run-options 0 8 ./lapwing-run "$work/given.so" -T 60 n=8
mkdir "$work/names" && ln -s "$PWD/lapwing" "$work/names/stap" && ln -s "$PWD/lapwing-run" "$work/names/staprun"
says stap-usage 1 "unknown option" "$work/names/stap" --nosuch
says stap-command 1 "exited with status 7" "$work/names/stap" --runtime=user -c 'exit 7' -e 'probe end { println("end") }'
says stap-status 1 "exited with status 7" "$work/names/stap" --runtime=user --command-status -c 'exit 7' -e 'probe end { println("end") }'
says staprun-own 0 8 "$work/names/staprun" -b 1 -R "$work/given.so" n=8
says staprun-refused 1 "lapwing-ctl" "$work/names/staprun" -L "$work/given.so"
for option in L A 'M 1' 'N 1' 'F 1'; do
	says "staprun -$option" 1 "-${option% *} refused: " "$work/names/staprun" -$option "$work/given.so" n=8
done
says staprun-time 0 8 "$work/names/staprun" -T 1 -C never "$work/given.so" n=8
says staprun-time-note 0 '-T ignored' "$work/names/staprun" -T 1 "$work/given.so" n=8
says staprun-color 0 '-C always ignored' "$work/names/staprun" -C always "$work/given.so" n=8
says staprun-color-word 1 '-C often: expected' "$work/names/staprun" -C often "$work/given.so" n=8
if [ "$(id -u)" = 0 ]; then	# an installed module, by its name
	mkdir -p "$work/installed/lib/modules/$(uname -r)/systemtap" && cp lapwing-run-static "$work/installed/staprun" || fail "no folder"
	echo 'no module' > "$work/installed/lib/modules/$(uname -r)/systemtap/own.ko"
	says staprun-installed 1 "/systemtap/own.ko does not load: it is not a module" chroot "$work/installed" /staprun own
	says staprun-not-installed 1 "other: No such file" chroot "$work/installed" /staprun other
fi
says staprun-delete 1 "no module of lapwing's is called given" "$work/names/staprun" -d "$work/given.so"
says staprun-options 1 "unknown option" ./lapwing-run -D "$work/given.so"
says given-run-kind 1 "a number was expected" ./lapwing-run "$work/given.so" n=x
says given-run-none 1 "uses no such global" ./lapwing-run "$work/given.so" m=8
says given-run-form 1 "one module only" ./lapwing-run "$work/given.so" m
mkdir "$work/temporary"
says tmpdir 0 "\"$work/temporary/" $lw --runtime=user -k --tmpdir="$work/temporary" --disable-cache -e "$hello"
says tmpdir-none 1 "no such directory" $lw --tmpdir="$work/none" -e "$hello"
says rlimit 0 "Max cpu time              77" $lw --runtime=user --rlimit-cpu=77 -c 'cat /proc/self/limits' -e "probe end { println(1) }"
says rlimit-stack 0 "Max stack size            1048576" \
	$lw --runtime=user --rlimit-stack 1048576 -c 'cat /proc/self/limits' -e "probe end { println(1) }"
says rlimit-form 1 "expected a number" $lw --rlimit-as=-1 -e "$hello"
says rlimit-high 1 "--rlimit-fsize=18446744073709551616" $lw --rlimit-fsize=18446744073709551616 -e "$hello"
says timeout 0 "bye" $lw --runtime=user -T 0.2 -e 'probe end { println("bye") }'
says child 1 "Child process exited with status 3" $lw --runtime=user -c 'exit 3' -e 'probe end {}  probe begin { println("x") }'
says signal 1 "Child process exited with signal 9" $lw --runtime=user -c 'kill -9 $$' -e 'probe begin { println("x") }'
says target 0 "same" $lw --runtime=user -c true -e 'probe end { println(target() > 1 ? "same" : "none") }'
[ "$($lw --runtime=user -c "sh -c 'echo \$\$; (true)'" -e 'probe end { println(target()) }' | uniq | wc -l)" = 1 ] ||
	fail "target: a shell waits for a command in quotes"
says keep 0 "Keeping temporary directory" $lw --runtime=user -k -e "$hello"
rm -rf "$(sed -n 's/.*directory "\(.*\)"/\1/p' "$work/err")"
$lw --runtime=user -o "$work/file" -e "$hello"
[ "$(cat "$work/file")" = hello ] || fail "-o: $(cat "$work/file")"
$lw --runtime=user -o "$work/on-%Y-%%" -e "$hello"
[ "$(cat "$work/on-$(date +%Y)-%")" = hello ] || fail "-o with a date: $(ls "$work")"

gone() { ! grep -q '^State:[[:space:]][^ZX]' "/proc/$1/status" 2> "$work/gone"; }

# -S: files of at least 1 MB, each handler's output in one of them, the last two kept; SIGUSR2 begins another.
$lw --runtime=user -s 16 -o "$work/turn" -S 1,2 \
	-e 'global n probe timer.ms(1) { for (i = 0; i < 90; i++) printf("%0100d\n", n++) if (n > 45000) exit() }'
[ "$(cd "$work" && echo turn*)" = "turn.3 turn.4" ] || fail "-S: files $(cd "$work" && echo turn*)"
[ "$(wc -c < "$work/turn.3")" -ge 1048576 ] || fail "-S: a file ended too soon"
[ $(($(wc -l < "$work/turn.3") % 90)) -eq 0 ] || fail "-S: a handler's output is in two files"
cat "$work/turn.3" "$work/turn.4" | awk 'NR > 1 && $1 + 0 != last + 1 { exit 1 } { last = $1 + 0 }' || fail "-S: lines are missing"
$lw --runtime=user --disable-cache -o "$work/usr" -S 1 -e 'probe timer.ms(5) { println(n++) } global n' & run=$!
until [ -s "$work/usr.0" ]; do kill -0 $run || break; done
kill -USR2 $run
until [ -s "$work/usr.1" ]; do kill -0 $run || break; done
kill -TERM $run
wait $run || fail "-S: SIGUSR2 ends the run"
[ $(($(tail -1 "$work/usr.0") + 1)) -eq "$(head -1 "$work/usr.1")" ] || fail "-S: SIGUSR2 loses lines"
says rotate-form 1 "expected MB or MB,FILES" $lw -o "$work/f" -S 0 -e "$hello"
says rotate-alone 1 "-S needs -o FILE" $lw -S 1 -e "$hello"
says rotate-unrun 0 rt_script $lw -S 1 -F -p3 -e "$hello"
says rotate-guest 1 "with --target=vm" $lw --target=vm -S 1 -o "$work/f" -e "$hello"

# -b: a file per CPU, each with its CPU's lines in order; all lines are in one of them.
cat > "$work/bulk.stp" <<- 'END'
	global n, done
	probe timer.profile.freq.hz(500) { printf("%d %d\n", cpu(), n++); if (n == 400) exit() }
END
$lw --runtime=user -b -o "$work/bulk" "$work/bulk.stp" 2> "$work/err" || fail "-b: $(cat "$work/err")"
awk '{ if (FNR == 1) cpu = substr(FILENAME, match(FILENAME, /[0-9]*$/)); if ($1 != cpu || (FNR > 1 && $2 <= last)) exit 1; last = $2; n++ }
	END { exit n != 400 }' "$work"/bulk_* || fail "-b: $(head -3 "$work"/bulk_*)"
$lw --runtime=user -b -S 1,2 -o "$work/wide" \
	-e 'global n probe timer.ms(1) { for (i = 0; i < 90; i++) printf("%0100d\n", n++) if (n > 45000) exit() }' || fail "-b -S: fails"
[ "$(cd "$work" && echo wide_*)" = "wide_0.3 wide_0.4" ] || fail "-b -S: files $(cd "$work" && echo wide_*)"
mkdir "$work/alone"
says bulk-alone 0 "-b without -o: the output is in stpd_cpu0" env -C "$work/alone" "$PWD/lapwing" --runtime=user -b -e "$hello"
[ "$(cat "$work"/alone/stpd_cpu*)" = hello ] || fail "bulk-alone: files $(ls "$work/alone")"
run=$($lw --runtime=user -b -F -o "$work/away" -e 'probe begin { println("on") }') && kill -INT "$run" || fail "bulk-background"
until gone "$run"; do :; done
[ "$(cat "$work"/away_cpu*)" = on ] || fail "bulk-background: files $(ls "$work")"
says bulk-guest 1 "with --target=vm" $lw --target=vm -b -o "$work/f" -e "$hello"

# What happens while events are opened is not missed: nobody could record it. Once in three tries, as a ring may be full where the reader
# stands still for half a second.
# Somebody has to make system calls: on a machine that has nothing else to do there are none for hours.
while test -e "$work"; do :; done & caller=$!
for try in 1 2 3; do
	$lw --runtime=user -s 16 -e 'probe kernel.trace("sys_enter") { println("seen") exit() }' > "$work/out" 2> "$work/err"
	grep -q missed "$work/err" || break
done
kill $caller
grep -q seen "$work/out" && ! grep -q missed "$work/err" || fail "missed at the start: $(cat "$work/out" "$work/err")"

# The reader stands still while 50,000 events happen: none is lost that fits in -s.
${CC:-cc} -O1 -static -pthread -o "$work/getppid" testsuite/triggers/getppid.c && mkfifo "$work/go" || fail "stopped: no trigger"
exec 3<> "$work/go"		# a pipe whose ends are open keeps nobody waiting
$lw --runtime=user -s 16 --strict --only-target -o "$work/stopped" \
	-c "echo > $work/ready; read x < $work/go; $work/getppid 1 50000; echo > $work/done; read x < $work/go" \
	-e 'probe kernel.trace("raw_syscalls:sys_enter") { if (execname() == "getppid") n++ } global n probe end { println(n >= 50000) }' \
	2> "$work/err" 3>&- & run=$!
until [ -e "$work/ready" ]; do kill -0 $run || break; done
kill -STOP $run
echo >&3
until [ -e "$work/done" ]; do kill -0 $run || break; done
kill -CONT $run
echo >&3
wait $run || fail "stopped: status $?"
exec 3>&-
[ "$(tail -1 "$work/stopped")" = 1 ] && grep -qx COMPLETE "$work/err" || fail "stopped: $(cat "$work/stopped" "$work/err")"

# -F: armed when it returns, what it says later is in FILE.err, SIGINT ends it.
run=$($lw --runtime=user -F -o "$work/bg" -e 'probe begin { println("on") } probe end { println("off") warn("late") }' 2> "$work/err")
kill -0 "$run" || fail "-F: no process '$run': $(cat "$work/err")"
[ "$(cat "$work/bg")" = on ] || fail "-F: not armed when it returns"
kill -INT "$run"
until gone "$run"; do :; done
[ "$(tail -1 "$work/bg")" = off ] && [ "$(cat "$work/bg.err")" = "WARNING: late" ] || fail "-F: $(cat "$work/bg" "$work/bg.err")"
run=$($lw --runtime=user -F -o "$work/quiet" -c 'echo not here' -e 'probe end { println("off") }' 2> "$work/err")
until gone "$run"; do :; done
[ "$(cat "$work/quiet")" = off ] && [ ! -e "$work/quiet.err" ] || fail "-F: an empty FILE.err is left"
says background-fails 1 "ERROR: stop" $lw --runtime=user -F -o "$work/f" -e 'probe begin { error("stop") }'
says background-alone 1 "-F needs -o FILE" $lw -F -e "$hello"
says reason 0 "lapwing: runtime" $lw -v -e "$hello"

# Bad input: what, where, what to do.
says unknown 1 "did you mean '--only-target'" $lw --only-targt -e "$hello"
says missing 1 "cannot read 'nothing.stp'" $lw nothing.stp
: > "$work/empty.stp"
says empty 1 "is empty" $lw "$work/empty.stp"
says no-script 1 "no script" $lw
says point 1 "similar: begin" $lw -e 'probe begn { println(1) }'
says no-process 1 "there is no such process" $lw --runtime=user -x 1073741824 -e "$hello"
says why-none 1 "probe point mismatch" $lw -l foo.bar
says absent 0 on $lw --runtime=user -c true \
	-e 'probe process("nosuch").begin, process("/nosuch").syscall { println("never") } probe end { println("on") }'
[ "$(cat "$work/out")" = on ] || fail "absent: $(cat "$work/out")"
cp /bin/true "$work/a.out"
says here 0 "process(\"$work/a.out\").begin" env -C "$work" "$PWD/lapwing" --runtime=user -l 'process("a.out").begin'
says both 1 "You can't specify -c and -x together." $lw -c true -x 1 -e "$hello"
says vm-x 1 "a process of this machine is not in the guest" $lw --target=vm -x 1 -e "$hello"
says function 1 "--target=vm" $lw --runtime=user -e 'probe kernel.function("vfs_read") { println(1) }'
says full-disk 1 "No space left" $lw --runtime=user -o /dev/full -e "$hello"
says no-compiler 1 "apt-get install gcc" env PATH=/nowhere LAPWING_CACHE="$work/cache" $lw --runtime=user -e "$hello"
says no-headers 1 "--target=vm" env PATH=/usr/bin:/bin LAPWING_CACHE="$work/cache" $lw --runtime=kernel -e "$hello"
says unknown-kernel 1 "no package linux-headers-9.9.9 is known here" $lw -p4 -r 9.9.9 -e "$hello"
says other-build 0 'RT_KERNEL("' $lw -p3 -r "$(runtime/vm/lapwing-vm path 6.1 release)" -e 'probe begin {
	println(@cast(task_current(), "task_struct")->pid) }'
says other-kernel 0 "mismatch with host forces last-pass 4" $lw -r "$(runtime/vm/lapwing-vm path 6.1 release)" -e "$hello"
release=$(runtime/vm/lapwing-vm path 6.1 release)
modules=$work/root/lib/modules/$release
mkdir -p "$modules" && cc -g -O2 -c testsuite/debuginfo/calls.c -o "$modules/my-calls.ko" && echo my-calls.ko: > "$modules/modules.dep"
says other-module 0 'module("my_calls").function("both")' $lw -r "$release" --sysroot="$work/root" -l 'module("my-calls").function("b*")'
grep -qF 'module("my_calls").function("both@calls.c:37").inline' "$work/out" || fail "no inlined copies: $(cat "$work/out")"
cp -as /usr/bin "$work/no-qemu" && rm -f "$work"/no-qemu/qemu-*
says no-qemu 125 "apt-get install qemu-system-x86" env PATH="$work/no-qemu" $lw --target=vm -e "$hello"
says no-qemu-arm64 125 "[lapwing explain E1023]" \
	env PATH="$work/no-qemu" LAPWING_CACHE="$work/no-fetch" $lw --target=vm:6.1-arm64 -e "$hello"
mend=$(sed -n 's/.*no qemu-system-aarch64: arm64 guests need it: \(.*\) \[lapwing.*/\1/p' "$work/err")
[ "${mend#apt-get install qemu-system-arm gcc-aarch64}" != "$mend" ] || fail "no-qemu-arm64: $mend"
[ ! -e "$work/no-fetch" ] || fail "no-qemu-arm64: something was fetched first"
PATH=$work/no-qemu ./lapwing doctor | grep -qF "to mend: $mend" || fail "no-qemu-arm64: lapwing doctor has another mend"
# The list is complete, and so a success, where no module can be loaded.
says list-modules 0 "$([ -e /proc/modules ] || echo 'this kernel loads no modules')" ./lapwing-run --list
./lapwing-run --list --json > "$work/json" 2> "$work/err" && ./lapwing-run --list --csv > "$work/csv" 2>> "$work/err" &&
	testsuite/formats.py "$work/json" "$work/csv" &&
	grep -q "\"loads_modules\": $([ -e /proc/modules ] && echo true || echo false)," "$work/json" ||
	fail "lapwing-run --list --json: $(cat "$work/json" "$work/err")"
[ "$(id -u)" != 0 ] || says list-proc 1 "is /proc mounted? [lapwing explain E1006]" \
	unshare -m sh -c 'mount -t tmpfs none /proc && ./lapwing-run --list'
says list-word 1 "--list lists all modules: 'x.ko' is too much" ./lapwing-run --list x.ko
says json-of-a-run 1 "--json and --csv are of --list" ./lapwing-run --json x.ko
printf 'no module' > "$work/bad.ko"
says bad-module 1 "$work/bad.ko does not load: it is not a module that lapwing built [lapwing explain E0989]" \
	./lapwing-run "$work/bad.ko"
chmod 666 "$work/bad.ko"
says open-module 1 "other users own it or can write it [lapwing explain E0990]" ./lapwing-run "$work/bad.ko"
printf 'no object' > "$work/bad.so"
says bad-object 1 "file too short [lapwing explain E0993]" ./lapwing-run "$work/bad.so"
says static-object 1 "runs kernel modules only [lapwing explain E0992]" ./lapwing-run-static "$work/bad.so"
mkdir "$work/tiny"
if mount -t tmpfs -o size=16k tmpfs "$work/tiny" 2> "$work/mount"; then
	says full-tmp 1 "No space left" env TMPDIR="$work/tiny" LAPWING_CACHE="$work/cache" $lw --runtime=user -e "$hello"
	[ -z "$(ls "$work/tiny")" ] || fail "full-tmp: left behind: $(ls "$work/tiny")"
	mkdir -m 700 "$work/tiny/cache"
	says full-cache 0 hello env LAPWING_CACHE="$work/tiny/cache" $lw --runtime=user -e "$hello"
	umount "$work/tiny"
fi
says no-memory 1 "ERROR: global variable 'a' allocation failed [lapwing explain E0994]" $lw --runtime=user --rlimit-as=4294967296 \
	-e 'global a[900000000] probe timer.ms(1) { a[1] = 1 }'
says partial 1 "PARTIAL" $lw --runtime=user -e 'probe begin { println("got") error("stop") }'

# Accounting: what is missing is said and judged; --strict makes it count; --json-summary has all the books.
full='global a[5] probe timer.us(100) { try { a[n++] = 1 } catch { } if (n == 20) exit() } global n'
says verdict 0 "PARTIAL: 25.00 % of inserts" $lw --runtime=user --json-summary="$work/json" -e "$full"
says verdict-loop 0 "PARTIAL: 10.00 % of inserts" $lw --runtime=user --on-overflow=drop \
	-e 'global a[10] probe begin { for (i = 0; i < 100; i++) a[i] = 1 exit() } probe end { foreach (k in a) n++ println(n) }'
says refused 0 "WARNING: array a refused 15 inserts: it was full" $lw --runtime=user -e "$full"
says strict 1 "PARTIAL" $lw --runtime=user --strict -e "$full"
says complete 0 "COMPLETE" $lw --runtime=user --strict -e "$hello"
says quiet 0 "hello" $lw --runtime=user -e "$hello"
! grep -q COMPLETE "$work/err" || fail "quiet: a verdict of a run without events"
# Where all is there, a terminal is told so, or who asks for it; others see what the script prints.
ticks='probe timer.ms(1) { exit() }'
says complete-events 0 "COMPLETE" $lw --runtime=user -v -e "$ticks"
$lw -e "$ticks" 2> "$work/err" && [ ! -s "$work/err" ] || fail "complete, without a terminal: $(cat "$work/err")"
env -C "$work" "$PWD/lapwing" --runtime=user -p4 -m ticks -e "$ticks" > /dev/null || fail "ticks do not build"
says complete-terminal 0 "COMPLETE" ./lapwing-run --terminal 2 "$work/ticks.so"
./lapwing-run --terminal 2 -w "$work/ticks.so" 2> "$work/err" && [ ! -s "$work/err" ] || fail "complete -w: $(cat "$work/err")"
# -v adds nothing between the start of the run and the first output, -vv does.
$lw --runtime=user -v -e "$hello" > "$work/out" 2>&1
grep -A1 -x 'Pass 5: starting run.' "$work/out" | grep -qx hello || fail "-v: $(cat "$work/out")"
says verbose-run 0 'lapwing-run: 1 probes armed, 0 skipped' $lw --runtime=user -vv -e "$hello"

# Limits of time, as they are in the generated file.
limits() { $lw -p3 "$@" -e "$hello" | grep -A2 limits; }
limits | grep -q 'maxaction = 10000,.*maxtrylock = 100,' || fail "limits: not the usual ones"
limits -D STP_OVERLOAD_THRESHOLD=7 | grep -q 'overload_interval = 1000000000, .overload_threshold = 7,' || fail "overload: not as asked"
limits -D STP_NO_OVERLOAD | grep -q overload && fail "STP_NO_OVERLOAD: there is a guard"
limits -g --suppress-time-limits > "$work/out"
grep -q 'maxaction = 2147483647,.*maxtrylock = 2147483647,' "$work/out" && ! grep -q overload "$work/out" ||
	fail "--suppress-time-limits: $(cat "$work/out")"
says unguarded 1 "needs -g" $lw --suppress-time-limits -e "$hello"

json() { grep -qF -e "$1" "$work/json" || fail "--json-summary: no '$1': $(cat "$work/json")"; }
json '"verdict": "PARTIAL"'
json '"share": 0.250000'
json '{ "name": "a", "rows": 5, "refused": 15, "lock_timeouts": 0 }'
json '"point": "timer.us(100)", "where": "<input>:1:19", "entered": 20, "completed": 20, "in_flight": 0, "errors": 0,'
json '"cpu": 0, "records": 1, "lost": 0'
json '"schema": "lapwing-run/1"'
testsuite/formats.py "$work/json" || fail "--json-summary: doc/formats.md"
says json-complete 0 hello $lw --runtime=user --json-summary "$work/json" -e "$hello"
json '"verdict": "COMPLETE"'
says json-failed 1 "ERROR: stop" $lw --runtime=user --json-summary "$work/json" -e 'probe begin { error("stop") }'
json '"status": 1'
json '"ended_by_error": true'
says json-child 1 "status 3" $lw --runtime=user --json-summary "$work/json" -c 'exit 3' -e 'probe begin { println("x") }'
json '"status": 1'
says json-path 1 "No such file" $lw --runtime=user --json-summary "$work/none/json" -e "$hello"
says condition 0 "COMPLETE" $lw --runtime=user --strict --json-summary "$work/json" \
	-e 'global n probe timer.ms(1) if (n) { println(1) } probe timer.ms(5) { exit() }'
sed -n '/timer.ms(1)/{n;p}' "$work/json" | grep -q '"condition_off": [1-9]' || fail "condition_off: $(cat "$work/json")"
$lw --runtime=user --json-summary "$work/json" -o /dev/full -e 'probe timer.ms(1) { println(n++) } global n' 2> "$work/err" &&
	fail "full-disk: status 0"
grep -q 'PARTIAL: the run was ended by an error; 0.00 % of output' "$work/err" || fail "full-disk: $(cat "$work/err")"
awk '/timer.ms/ { if ($0 !~ /"entered": [1-9]/) bad = 1 } /"records"/ { sub(/.*"records": /, ""); records = $0 + 0 }
	/unwritten/ { sub(/.*unwritten": /, ""); exit !(!bad && records > 0 && records == $0 + 0) }' "$work/json" ||
	fail "full-disk: $(cat "$work/json")"

# After an error: the globals under one PARTIAL line, beside the output, or SystemTap's lines alone.
late='global n probe begin { n = 7; error("stop") } probe end { println(n) }'
$lw --runtime=user -e "$late" > "$work/out" 2> "$work/err" && fail "after an error: status 0"
[ ! -s "$work/out" ] && [ "$(grep -A1 'the globals hold' "$work/err")" = "PARTIAL: at the error the globals hold:
n=7" ] || fail "after an error: $(cat "$work/out" "$work/err")"
$lw --runtime=user --no-partial -e "$late" > "$work/out" 2> "$work/err" && fail "--no-partial: status 0"
[ ! -s "$work/out" ] && [ "$(cat "$work/err")" = "ERROR: stop near identifier 'error' at <input>:1:31
WARNING: Number of errors: 1, skipped probes: 0
Pass 5: run failed.  [man error::pass5]" ] || fail "--no-partial: $(cat "$work/out" "$work/err")"
$lw --runtime=user -e 'global a[20] probe begin { for (i = 0; i < 30; i++) a[i] = i }' > "$work/out" 2> "$work/err" &&
	fail "overflow: status 0"
[ "$(sed -n '/the globals hold/,/more rows/p' "$work/err" | sed -n '2p;11,$p')" = "a[19]=19
a[10]=10
a: 10 more rows" ] || fail "a full array: $(cat "$work/out" "$work/err")"
says one-error 1 "1 parse error." $lw --runtime=user -p1 -e 'probe begin { x = ; }
stopwatch process("a").function("f")
probe kernel.function("x").return, end { }'
says alias-variable 1 "the alias has a variable 'name' of its own" $lw --runtime=user -p2 -e 'global name
probe syscall.openat { name[execname()]++ }
probe end { foreach (n in name) println(n) }'
[ "$(grep -c E0507 "$work/err")" = 1 ] || fail "alias-variable: more than one error: $(cat "$work/err")"
says on-overflow 1 "expected stop, drop or wrap" $lw --on-overflow=no -e "$hello"

# Very many functions: a warning, a question on a terminal, or neither.
wide='probe kernel.function("g*"), kernel.function("t*") { n++ } global n'
says many 0 "'kernel.function(\"t*\")' matches 1" $lw -p2 -r "$release" -e "$wide"
[ "$(grep -cF '[lapwing explain W0110]' "$work/err")" -eq 1 ] && grep -q 's to build, .* s to arm' "$work/err" ||
	fail "many: $(cat "$work/err")"
says many-force 0 "# probes" $lw --force -p2 -r "$release" -e "$wide"
! grep -q W0110 "$work/err" || fail "--force: $(cat "$work/err")"
answered() { printf "$1\n" | script -qefc "env PATH=$work/no-qemu $lw --target=vm:6.1 -e '$wide'" /dev/null > "$work/out"; }
answered n && fail "many-no: status 0"
grep -q 'Go on? \[y/N\].*' "$work/out" && grep -qF "[lapwing explain E0414]" "$work/out" || fail "many-no: $(cat "$work/out")"
answered y && fail "many-yes: it ran without QEMU"
grep -q "apt-get install qemu-system-x86" "$work/out" || fail "many-yes: $(cat "$work/out")"

# Two sessions at once; an interrupt runs the end probes and is a success.
meets() { echo "echo > $work/$1.runs; until [ -e $work/$2.runs ]; do sleep 0.01; done"; }
$lw --runtime=user -c "$(meets one two)" -e 'probe end { println("one") }' > "$work/one" & first=$!
$lw --runtime=user -c "$(meets two one)" -e 'probe end { println("two") }' > "$work/two"
wait $first
[ "$(cat "$work/one" "$work/two")" = "one
two" ] || fail "two sessions at once"
$lw --runtime=user -e 'probe begin { println("on") } probe end { println("off") }' > "$work/int" & run=$!
until grep -q on "$work/int"; do kill -0 $run || break; done
kill -INT $run
wait $run && [ "$(tail -1 "$work/int")" = off ] || fail "SIGINT: $(cat "$work/int")"

# Installed, it runs from there, and a module is built from the installed runtime.
if [ -d installed ]; then		# testsuite/installed/suite.sh
	mkdir "$work/prefix" && (cd installed && cp -a --parents bin/lapwing* share/lapwing libexec/lapwing "$work/prefix")
else
	make -s install prefix="$work/prefix"
fi > "$work/install.log" 2>&1 || fail "installing: $(tail -3 "$work/install.log")"
says installed 0 hello env LAPWING_CACHE="$work/cache2" "$work/prefix/bin/lapwing" --runtime=user -e "$hello"
release=$(runtime/vm/lapwing-vm path 6.1 release)
says installed-kernel 0 .ko "$work/prefix/bin/lapwing" -p4 -v -r "$release" -e "$hello"
! grep -q 'kbuild builds' "$work/err" || fail "installed-kernel: $(cat "$work/err")"
says embedded-kernel 0 .ko "$work/prefix/bin/lapwing" -g -p4 -v -r "$release" -e 'probe begin { println(%{ current->pid %}) exit() }'
! grep -q kbuild "$work/err" || fail "embedded-kernel: $(cat "$work/err")"
says embedded-imports 0 'kbuild compiles the script' "$work/prefix/bin/lapwing" -g -p4 -v -r "$release" \
	-e 'probe begin { println(%{ strnstr("abc", "c", 3) != NULL %}) exit() }'
! grep -q 'kbuild builds' "$work/err" || fail "embedded-imports: $(cat "$work/err")"
says embedded-exports 1 'cannot export symbols' "$work/prefix/bin/lapwing" -g -p4 -r "$release" \
	-e '%{ int n; EXPORT_SYMBOL_GPL(n); %} probe begin { println(%{ n %}) exit() }'
says installed-cached 0 'using cached' "$work/prefix/bin/lapwing" -p4 -v -r "$release" -e "$hello"
touch "$work/prefix/share/lapwing/runtime/kernel/probes/life.c"
says installed-changed 0 .ko "$work/prefix/bin/lapwing" -p4 -v -r "$release" -e "$hello"
! grep -q 'using cached' "$work/err" || fail "installed-changed: a module of another runtime: $(cat "$work/err")"
says installed-doctor 0 "This works here" "$work/prefix/bin/lapwing" doctor
for command in $commands; do
	says "installed $command" 0 "lapwing $command" "$work/prefix/bin/lapwing" $command --help
done
says installed-explain 0 "# E0423" env -C "$work" prefix/bin/lapwing explain E0423
mv "$work/prefix/share/lapwing/doc/errors/E0423.md" "$work"
says installed-part 1 "is lapwing installed as a whole? [lapwing explain E1017]" env -C "$work" prefix/bin/lapwing explain E0423
mv "$work/E0423.md" "$work/prefix/share/lapwing/doc/errors"
gcc -O1 -pthread -o "$work/works" testsuite/triggers/works.c || exit 1
mkdir "$work/of ours" && cp "$work/works" "$work/of ours/works"
says guest-folder 0 "$work/of ours" env -C "$work/of ours" "$PWD/lapwing" --target=vm:6.1 \
	-c './works 1 5 1 && pwd' -e 'probe end { println("on") }'
grep -q '^5 calls' "$work/out" && grep -qx on "$work/out" || fail "guest-folder: $(cat "$work/out" "$work/err")"
gcc -O1 -static -o "$work/calls32" testsuite/triggers/calls32.c && "$work/calls32" write || exit 1
says guest-32bit 0 15 ./lapwing --target=vm:6.1 -c "$work/calls32.elf" \
	-e 'global n probe syscall.getppid { if (pid() == target()) n++ } probe end { println(n) }'
# Where fields of events are is what the guest's kernel says: this one's has others, and refuses what was made for that.
forked='global of_it, others probe kernel.trace("sched:sched_process_fork") { if ($parent_pid == pid()) of_it++; else others++ }
	probe end { println(of_it, " ", others) }'
says guest-events 0 '3 0' ./lapwing --target=vm:6.1 --runtime=user --only-target -c "sh -c '(:); (:); (:); :'" -e "$forked"
says other-layout 0 other.so env -C "$work" "$PWD/lapwing" --target=vm:6.1 --runtime=user -p4 -m other -e "$forked"
says other-layout-here 1 'the event has other fields on this kernel' ./lapwing-run "$work/other.so"
# Its calls are those of the tables of the tests' kernels whose headers are here.
headers=$(runtime/vm/lapwing-vm path 6.1 headers) tables=
for release in $(sed -n 's/^[^#].* //p' testsuite/kernels); do
	tables="$tables ${headers%/*/tree/*}/$release/tree/usr/src/linux-headers-*"
done
# shellcheck disable=SC2086 # patterns
python3 testsuite/library/syscalls32.py --check tapsets/syscalls32.tbl $tables ||
	fail "tapsets/syscalls32.tbl is not what kernels have"
says installed-stopwatch 0 "50 calls: 50 timed" env -C "$work" prefix/bin/lapwing stopwatch ./works:work --runtime=user -- ./works 1 50 1
says installed-callgraph 0 "arc 0 1 1 " env -C "$work" prefix/bin/lapwing --runtime=user -c './works 1 50 1' \
	-e "callgraph process(\"$work/works\").function(\"main\")"
says installed-profile 0 COMPLETE env -C "$work" prefix/bin/lapwing profile -F 1 --strict --runtime=user -- ./works 1 1 1

[ $failed -eq 0 ] && echo "cli: all as it should be"
[ $failed -eq 0 ]
