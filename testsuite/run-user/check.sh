#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - scripts through the whole pipeline in the user runtime: NAME.stp with NAME.out (standard output) or NAME.check (a shell
# script run as `NAME.check OUT ERR STATUS`). Directives as in testsuite/run-kernel/check-kernel.sh, which runs the same scripts in guests.
# Besides these, "bits: 32": where this kernel runs no 32-bit programs (the trigger exits with 77), the script runs in a guest.
# BLESS=1 records NAME.out. Names as arguments run only those.
. "$(dirname "$0")/../common.sh"
cd testsuite/run-user || exit 2
top=../.. ran=0

# run COMMAND...: its status. This kernel does not record each context switch, so that what a thread counted may be another one's (pmu.c of
# the runtime). The run says how many it missed; if it also prints something else than it should, it is repeated, three times at most.
run() {
	tries=0
	while :; do
		"$@" < "$work/in" > "$work/out" 2> "$work/err"
		status=$?
		[ -f "$name.out" ] && ! cmp -s "$name.out" "$work/out" &&
			grep -q 'switches were not seen: .*: the kernel did not tell of them' "$work/err" && [ $((tries += 1)) -lt 3 ] ||
			return $status
		echo "$name: once more: $(grep 'were not seen' "$work/err")"
	done
}

for script in *.stp; do
	name=${script%.stp}
	[ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue;; esac
	[ "$(directive "$script" only)" != kernel ] || continue
	trigger=$(directive "$script" trigger)
	given=$(directive "$script" given | sed 's/\([^ ][^ ]*\)/-G \1/g')
	printf '%b' "$(directive "$script" input)" > "$work/in"
	target=
	if [ -n "$trigger" ]; then
		[ -e "$work/${trigger%% *}" ] ||
			${CC:-cc} -g -O1 -static -pthread -o "$work/${trigger%% *}" "$top/testsuite/triggers/${trigger%% *}.c" || exit 2
		[ -z "$(directive "$script" bits)" ] || "$work/$trigger" 2> /dev/null
		[ $? -ne 77 ] || target=--target=vm:6.1
		run $top/lapwing --runtime=user $target $(directive "$script" options) $given $(directive "$script" run) \
			-c "$work/$trigger" "$script"
	else
		run $top/lapwing --runtime=user $(directive "$script" options) $given $(directive "$script" run) "$script"
	fi
	status=$?
	ran=$((ran + 1))
	expect=$(directive "$script" status)
	[ -z "${BLESS:-}" ] || [ -f "$name.check" ] || cp "$work/out" "$name.out"
	if [ $status -ne "${expect:-0}" ]; then
		fail "$name: exit status $status, not ${expect:-0}"; head -5 "$work/err"
	elif [ -f "$name.check" ]; then
		sh "$name.check" "$work/out" "$work/err" $status && echo "PASS $name" ||
			{ fail "$name: $name.check says no"; cat "$work/out" "$work/err"; }
	elif diff -u "$name.out" "$work/out"; then
		echo "PASS $name"
	else
		fail "$name: output differs"; head -5 "$work/err"
	fi
done
echo "run-user: $ran scripts, $failed failed"
[ $failed -eq 0 ] && [ $ran -gt 0 ]
