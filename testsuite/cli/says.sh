# SPDX-License-Identifier: GPL-2.0-or-later
# says.sh - functions shared by the checks of command lines; sourced after common.sh.

# says NAME STATUS TEXT COMMAND...: runs COMMAND; checks its exit status, and that stdout or stderr
# contains TEXT
says() {
	name=$1 want=$2 text=$3
	shift 3
	"$@" > "$work/out" 2> "$work/err" < /dev/null
	status=$?
	[ $status -eq "$want" ] || fail "$name: exit status $status, not $want: $(cat "$work/err")"
	cat "$work/out" "$work/err" | grep -qF -e "$text" ||
		fail "$name: does not say '$text': $(cat "$work/out" "$work/err")"
}
lw=./lapwing
hello='probe begin { println("hello"); exit() }'
