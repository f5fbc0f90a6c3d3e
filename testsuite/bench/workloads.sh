# SPDX-License-Identifier: GPL-2.0-or-later
# workloads.sh - what lapwing watch is measured beside, sourced by watch.sh, week.sh and beside.sh: a folder of their own, $work, which goes
# when they do, with many.c, a file to compile; SECONDS_EACH=N: $seconds (20); and loads of all CPUs.
work=$(mktemp -d) || exit 2
trap 'stop_load; rm -rf "$work"' EXIT
seconds=${SECONDS_EACH:-20} load=
awk 'BEGIN { for (i = 0; i < 300; i++)
	printf "int f%d(int *a, int n) { int s = %d; for (int i = 0; i < n; i++) s += a[i] * (s ^ i); return s; }\n", i, i }' \
	> "$work/many.c"
# shellcheck disable=SC2016 # for the shell that runs them
builds='while :; do gcc -O2 -c -o "$0.o" "$0"; done' requests='while :; do sed s/a/b/ "$0" | sort | uniq -c; done > /dev/null'
start_load() {	# start_load idle|builds|requests
	[ "$1" != idle ] || return 0
	# shellcheck disable=SC2016
	setsid sh -c 'for i in $(seq '"$(nproc)"'); do sh -c "$1" "$0" & done; wait' "$work/many.c" "${!1}" & load=$!
}
stop_load() {
	[ -z "$load" ] || { kill -- -"$load"; wait "$load"; } 2> /dev/null
	load=
}
