#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# prove.sh - is the verdict the same whatever the machine does? Single tests that judged by the machine once, 20 times each while time is
# stolen, then the gate: twice on an idle machine, twice busy, three times with stolen time. --strict, so that no test may be FLAKY. The
# single tests run in two lanes as those of the gate do, the guests' in a clone. Each result is added, with the commit, to
# testsuite/results.proof, and what a failed run said is kept beside it; what is there for this commit is not done again. It takes hours.
#   idle     nothing else runs: it is for the caller to see to that
#   busy     two loops of normal priority beside it
#   stolen   its processes, QEMU included, stand still at random, 20 to 80 ms, 5 % of the time (a freezer cgroup: no signal is sent)
# Usage: prove.sh                        what is missing
#        prove.sh --table                the results for this commit
#        prove.sh --singles TEST...      these tests, 20 times each while time is stolen
#        prove.sh HOW COMMAND...         one command, disturbed; nothing is added
set -u
cd "$(dirname "$0")/.." || exit 1
export LAPWING_PROOF=${LAPWING_PROOF:-$PWD/testsuite/results.proof}
native=(
	testsuite/ctl/check.sh testsuite/nonroot/check.sh testsuite/hostile/check-signals.sh testsuite/report/check.sh
	testsuite/report/check-flame.sh testsuite/unread/check.sh testsuite/top/check.sh testsuite/notes/check.sh testsuite/killed/check.sh
	testsuite/uprobe/check.sh testsuite/cli/check.sh testsuite/pairs/check.sh testsuite/events/check.sh testsuite/losses/check.sh
	run-user/{about,counters,histogram,images,leaf,lives,notes,perf_points,stacks,unwound,works}
)
guest=(
	kernel/6.1/{about,books,cycles,hotplug,hotplug_events,hotplug_record,hotplug_user,network,nmi,profile,program_pid,returns}
	vm/6.1/timeout vm/6.1/batch
)
freezer= pids=() lane= clone=

# ---- disturbances -----------------------------------------------------------------

end() {
	[ ${#pids[@]} -eq 0 ] || { kill "${pids[@]}"; wait "${pids[@]}"; } 2> /dev/null
	pids=()
	[ -n "$freezer" ] || return
	thaw
	rmdir "$freezer" 2> /dev/null
	freezer=
}

end_lane() {
	[ -z "$lane" ] || { kill "$lane"; wait "$lane"; } 2> /dev/null
	[ -z "$clone" ] || rm -rf "$clone"
	lane= clone=
}
trap 'end; end_lane' EXIT
trap 'exit 130' INT TERM

make_freezer() {
	local top
	for top in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/freezer; do
		freezer=$top/lapwing-prove-$$
		mkdir "$freezer" 2> /dev/null || continue
		[ ! -w "$freezer/cgroup.freeze" ] && [ ! -w "$freezer/freezer.state" ] || return 0
		rmdir "$freezer"
	done
	freezer=
	echo "no cgroup can be made that freezes: root, and a cgroup file system, are needed" >&2
	return 1
}
freeze() { [ -w "$freezer/cgroup.freeze" ] && echo 1 > "$freezer/cgroup.freeze" || echo FROZEN > "$freezer/freezer.state"; }
thaw() { [ -w "$freezer/cgroup.freeze" ] && echo 0 > "$freezer/cgroup.freeze" || echo THAWED > "$freezer/freezer.state"; }

# sleep_ms LEAST MOST: at random between them
sleep_ms() {
	local ms=$(($1 + RANDOM % ($2 - $1 + 1)))
	sleep $((ms / 1000)).$(printf %03d $((ms % 1000)))
}

# 50 ms on average, with 950 ms between them.
steal() {
	trap 'exit 0' TERM
	while :; do
		sleep_ms 400 1500
		freeze
		sleep_ms 20 80
		thaw
	done
}

# disturbed HOW COMMAND...
disturbed() {
	local how=$1 status
	shift
	case $how in
	idle) "$@"; return;;
	busy)
		for _ in 1 2; do (while :; do :; done) & pids+=($!); done
		"$@"
		status=$?;;
	stolen)
		make_freezer || return 2
		steal & pids+=($!)
		(echo "$BASHPID" > "$freezer/cgroup.procs" && exec "$@")
		status=$?;;
	*) echo "'$how' is not one of idle, busy, stolen" >&2; return 2;;
	esac
	end
	return $status
}

# ---- the plan ---------------------------------------------------------------------

# once HOW WHAT NUMBER COMMAND...: unless it is there already
once() {
	local how=$1 what=$2 number=$3 began status machine
	shift 3
	! grep -qs "^$commit $how $what $number 0 " "$LAPWING_PROOF" || return 0
	began=$SECONDS
	disturbed "$how" "$@" > testsuite/results.proving 2>&1 < /dev/null
	status=$?
	machine=$(sed -n 's/^machine: //p' testsuite/results.proving)
	echo "$commit $how $what $number $status $((SECONDS - began)) s, $machine" | tee -a "$LAPWING_PROOF"
	[ $status -eq 0 ] || { cp testsuite/results.proving "$LAPWING_PROOF.${what//\//-}.$number"; failed=$((failed + 1)); }
}

singles() {	# singles TEST...
	local test
	for test; do once stolen "$test" 20-times ./runtests --strict --times 20 "$test"; done
}

prove() {
	local n
	clone=$(mktemp -d) && chmod 755 "$clone" && git clone -q --shared . "$clone/main" || exit 2
	"$clone/main/testsuite/prove.sh" --singles "${guest[@]}" & lane=$!
	singles "${native[@]}"
	wait "$lane" || failed=$((failed + 1))
	lane=
	end_lane
	for n in 1 2; do once idle gate $n ./runtests --strict; done
	for n in 1 2; do once busy gate $n ./runtests --strict; done
	for n in 1 2 3; do once stolen gate $n ./runtests --strict; done
}

commit=$(git rev-parse --short=7 HEAD) || exit 1
failed=0
case ${1:-} in
'' | --singles)
	[ -z "$(git status --porcelain --untracked-files=no)" ] || { echo "what is proven is a commit: commit first" >&2; exit 2; }
	if [ $# -eq 0 ]; then prove; else singles "${@:2}"; fi
	echo "$failed failed"
	[ $failed -eq 0 ];;
--table) grep "^$commit " "$LAPWING_PROOF";;
*) disturbed "$@";;
esac
