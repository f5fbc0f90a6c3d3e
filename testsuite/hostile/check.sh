#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - programs that replace their own files while they are recorded: every run ends by itself
# and still symbolizes what it can without the files. hostile.c lists the replacements. Only root
# can open mapped files whose names are gone (/proc/PID/map_files).
. "$(dirname "$0")/../common.sh"
there=
trap '[ -z "$there" ] || kill -9 $there 2> /dev/null; rm -rf "$work"' EXIT
for form in hostile library; do
	flags=; [ $form = hostile ] || flags="-shared -fPIC"
	# No debug information, so that separate debug files are searched for; frame pointers, so
	# that stacks unwind.
	${CC:-cc} -O1 -fno-omit-frame-pointer $flags -o "$work/$form.built" \
		testsuite/hostile/$form.c -ldl || exit 2
done
fresh() {
	rm -rf "$work"/hostile "$work"/hostile.was "$work"/library.so*
	cp "$work/hostile.built" "$work/hostile"
	cp "$work/library.built" "$work/library.so"
}
# ends COMMAND...: runs it; true if it exits with status 0 within two minutes.
ends() { timeout -k 1 120 "$@" > "$work/out" 2> "$work/err"; }
verdict() { if [ $? -eq 0 ]; then echo "PASS $1"
else fail "$1: $(head -20 "$work/out" "$work/err")"; fi; }
# names WORD...: true if the output has all of them. Only checked for root, who can open files
# without their names.
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
	ends ./lapwing record -g -o "$work/c" -- "$work/hostile" $how "$work/library.so" &&
		ends ./lapwing report "$work/c" && names $known
	verdict "record: $how"
	fresh
	ends ./lapwing --runtime=user --only-target -c "$work/hostile $how $work/library.so" \
		-e 'global n, s probe timer.profile { n[usymname(uaddr())]++; s[ubacktrace()]++ }
			probe end {
				foreach (f in n-) println(f, " ", n[f])
				foreach (b in s- limit 3) print_usyms(b)
			}' && names $known
	verdict "a script: $how"
done
# The program's .gnu_debuglink names a pipe.
fresh
echo > "$work/hostile.debug"
objcopy --add-gnu-debuglink="$work/hostile.debug" "$work/hostile" && rm "$work/hostile.debug" &&
	mkfifo "$work/hostile.debug" || exit 2
ends ./lapwing record -g -o "$work/c" -- "$work/hostile" folder "$work/library.so" &&
	ends ./lapwing report "$work/c" && names busy
verdict "record: debug information in a pipe"
# The library's unwind tables are in use when the file is truncated.
fresh
ends ./lapwing record --call-graph dwarf -o "$work/c" -- "$work/hostile" cut "$work/library.so" &&
	ends ./lapwing report "$work/c" && names busy
verdict "record: truncated tables"
fresh
ends ./lapwing --runtime=user --user-unwind=dwarf \
	--only-target -c "$work/hostile cut $work/library.so" \
	-e 'global n probe timer.profile { n[ubacktrace()]++ }
		probe end { foreach (b in n- limit 3) print_usyms(b) }' && names busy
verdict "a script: truncated tables"

if [ "$(id -u)" = 0 ]; then
	for how in fifo sparse; do
		fresh
		rm -f "$work/ready"
		"$work/hostile" $how "$work/library.so" "$work/ready" &
		there=$!
		until [ -e "$work/ready" ]; do sleep 0.05; done
		ends ./lapwing record -g -o "$work/c" -p $there -d 0.5 &&
			ends ./lapwing report "$work/c" && names busy library_work
		verdict "record -p: $how"
		ends ./lapwing --runtime=user --only-target -x $there \
			-e 'global n, all
			    probe timer.profile { n[usymname(uaddr())]++; if (++all == 300) exit() }
			    probe end { foreach (f in n-) println(f) }' && names busy library_work
		verdict "a script, -x: $how"
		kill -9 $there
		wait $there 2> /dev/null
		there=
	done
	# Anybody can write to /tmp: a perf map counts only if the user of the process owns it.
	if [ "$(uname -m)" = x86_64 ]; then
		fresh
		ends ./lapwing record -g -o "$work/c" -- "$work/hostile" liar "$work/library.so" &&
			ends ./lapwing report "$work/c" &&
			names busy && ! grep -qw impostor "$work/out"
		verdict "a perf map of another user"
	fi
fi
[ $failed -eq 0 ]
