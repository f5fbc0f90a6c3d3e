# SPDX-License-Identifier: GPL-2.0-or-later
# common.sh - how check scripts begin, sourced by them: in the top folder, with a folder of their own that goes when they do, counting
# what fails. It ends nothing: a script's last line is [ $failed -eq 0 ]. What has failed in a subshell, as in a part of a pipe, is not in
# its $failed, but its exit status says so.
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 2
leave() {	# leave STATUS
	[ "$1" -ne 0 ] || [ ! -e "$work/.failed" ]
	set -- $(($? | $1))
	rm -rf "$work"
	exit "$1"
}
trap 'leave $?' EXIT
failed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); : > "$work/.failed"; }
# directive SCRIPT NAME: what the comment "#@ NAME: ..." in it says, empty when absent
directive() { sed -n "/^#@ $2: */{s///p;q}" "$1"; }
# honest REPORT: its books balance: every sample that was expected came, was lost or is of an idle CPU, and the verdict says whether any
# was lost. That some are is no fault: a clock's ticks are late on a machine that stalls. Nor is that one fell into a few instructions
# without call frame information, as libraries begin with.
honest() {
	awk '/^samples / { received = $2; expected = $5; lost = $7; asleep = match($0, /[0-9]+ not taken/) ? substr($0, RSTART) + 0 : 0 }
		/^(COMPLETE|PARTIAL)/ { verdict = /the innermost caller is not proven/ && !lost ? "COMPLETE" : $1 }
		END {
			if (received + lost + asleep != expected || !received || verdict != (lost + 0 ? "PARTIAL:" : "COMPLETE")) {
				print received, "received", expected, "expected", lost, "lost", asleep, "asleep", verdict; exit 1
			}
		}' "$1" || fail "the books do not balance: $(cat "$1")"
}
# ticks_of PID: $worked_ticks is the CPU time that it and what it has waited for have had, in hundredths of a second.
ticks_of() {
	stat=
	read -r -d '' stat < "/proc/$1/stat"		# a name may hold a line break
	[ -n "$stat" ] || return
	set -- ${stat##*) }
	worked_ticks=$((${12} + ${13} + ${14} + ${15}))
}
# await CONDITION: until that command succeeds; it is tried every 10 ms. Given up when trying has taken 15 s of this shell's CPU time, which
# a stalled or busy machine does not use up as it does seconds of a clock.
await() {
	ticks_of self
	awaited=$worked_ticks
	until eval "$1"; do
		ticks_of self
		[ $((worked_ticks - awaited)) -lt 1500 ] || { echo "never: $1" >&2; return 1; }
		sleep 0.01
	done
}
# await_work PID TICKS: until a process has had so much more CPU time.
await_work() {
	ticks_of "$1" || return
	await_until=$((worked_ticks + $2))
	await "! ticks_of $1 || [ \$worked_ticks -ge $await_until ]" && [ -e "/proc/$1" ]
}
# sampled CAPTURE WORD: what has been written of it until now has samples of that.
sampled() { ./lapwing report "$1" 2>&1 | grep -w -e "$2" > /dev/null; }
# paranoid LEVEL: kernel.perf_event_paranoid is that until the script ends; others that need one wait meanwhile. 1, and said: it cannot be.
paranoid() {
	levels=/proc/sys/kernel/perf_event_paranoid
	exec 9< $levels && flock 9 || return
	level=$(cat $levels)
	[ "$level" = "$1" ] && return
	trap 'status=$?; echo $level > $levels; leave $status' EXIT
	echo "$1" > $levels || { echo "SKIP kernel.perf_event_paranoid is $level, not $1"; return 1; }
}
