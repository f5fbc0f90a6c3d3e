#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - programs that put something else where their files were, while they are recorded: every run ends by itself, and knows what it
# knows without them. What a program is replaced by: see hostile.c. Only root can still open files that are no longer there by their name.
. "$(dirname "$0")/../common.sh"
there=
trap '[ -z "$there" ] || kill -9 $there 2> /dev/null; rm -rf "$work"' EXIT
for form in hostile library; do
	flags=; [ $form = hostile ] || flags="-shared -fPIC"
	# Without debug information, so that it is looked for; frame pointers, so that callers are found.
	${CC:-cc} -O1 -fno-omit-frame-pointer $flags -o "$work/$form.built" testsuite/hostile/$form.c -ldl || exit 2
done
fresh() {
	rm -rf "$work"/hostile "$work"/hostile.was "$work"/library.so*
	cp "$work/hostile.built" "$work/hostile"
	cp "$work/library.built" "$work/library.so"
}
# ends COMMAND...: with status 0. What hangs is ended with this test.
ends() { "$@" > "$work/out" 2> "$work/err"; }
verdict() { if [ $? -eq 0 ]; then echo "PASS $1"; else fail "$1: $(head -20 "$work/out" "$work/err")"; fi; }
# names WORD...: all of them are in the output, where files can be opened without their names.
names() {
	local word
	[ "$(id -u)" = 0 ] || return 0
	for word; do grep -qw -e "$word" "$work/out" || return 1; done
}
for how in fifo folder zero tty sparse cut perfmap; do
	[ $how != perfmap ] || [ "$(uname -m)" = x86_64 ] || continue
	known="busy library_work"
	[ $how != cut ] || known=busy
	fresh
	ends ./lapwing record -g -o "$work/c" -- "$work/hostile" $how "$work/library.so" && ends ./lapwing report "$work/c" && names $known
	verdict "record: $how"
	fresh
	ends ./lapwing --runtime=user --only-target -c "$work/hostile $how $work/library.so" \
		-e 'global n, s probe timer.profile { n[usymname(uaddr())]++; s[ubacktrace()]++ } probe end { foreach (f in n-) println(f, " ", n[f])
			foreach (b in s- limit 3) print_usyms(b) }' && names $known
	verdict "a script: $how"
done
# What it says its debug information is in is another pipe.
fresh
echo > "$work/hostile.debug"
objcopy --add-gnu-debuglink="$work/hostile.debug" "$work/hostile" && rm "$work/hostile.debug" && mkfifo "$work/hostile.debug" || exit 2
ends ./lapwing record -g -o "$work/c" -- "$work/hostile" folder "$work/library.so" && ends ./lapwing report "$work/c" && names busy
verdict "record: debug information in a pipe"
# The library's unwind tables are in use when they go.
fresh
ends ./lapwing record --call-graph dwarf -o "$work/c" -- "$work/hostile" cut "$work/library.so" &&
	ends ./lapwing report "$work/c" && names busy
verdict "record: tables that are cut off"
fresh
ends ./lapwing --runtime=user --user-unwind=dwarf --only-target -c "$work/hostile cut $work/library.so" \
	-e 'global n probe timer.profile { n[ubacktrace()]++ } probe end { foreach (b in n- limit 3) print_usyms(b) }' && names busy
verdict "a script: tables that are cut off"

if [ "$(id -u)" = 0 ]; then
	for how in fifo sparse; do
		fresh
		rm -f "$work/ready"
		"$work/hostile" $how "$work/library.so" "$work/ready" &
		there=$!
		await '[ -e "$work/ready" ]'
		rm -f "$work/c"
		./lapwing record -g -o "$work/c" -p $there > "$work/out" 2> "$work/err" &
		await 'sampled "$work/c" cpu-clock' && await_work $there 50 && kill -TERM $! && wait $! && ends ./lapwing report "$work/c" &&
			names busy library_work
		verdict "record -p: $how"
		ends ./lapwing --runtime=user --only-target -x $there \
			-e 'global n probe timer.profile { n[usymname(uaddr())]++; if (++all == 300) exit() } global all
			    probe end { foreach (f in n-) println(f) }' && names busy library_work
		verdict "a script, -x: $how"
		kill -9 $there
		wait $there 2> /dev/null
		there=
	done
	# Anybody can write to /tmp: who the file is of must be who the process is of.
	if [ "$(uname -m)" = x86_64 ]; then
		fresh
		ends ./lapwing record -g -o "$work/c" -- "$work/hostile" liar "$work/library.so" && ends ./lapwing report "$work/c" &&
			names busy && ! grep -qw impostor "$work/out"
		verdict "a perf map of somebody else's"
	fi
fi
[ $failed -eq 0 ]
