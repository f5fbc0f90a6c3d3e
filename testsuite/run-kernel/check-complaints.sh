#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-complaints.sh - complaints.sh on made-up logs: what a kernel says that spins, of one whose machine was elsewhere, and the rest.
. "$(dirname "$0")/../common.sh"

# log LINE...: the log of a test
log() { printf '[   99.000000] %s\n' "$@" > "$work/klog"; }
# busy LIFE CPU...: rows of QEMU; the log came with the last
busy() { printf '%s %s 0\n' "$@" | sed "\$s/0\$/$(wc -c < "$work/klog")/" > "$work/busy"; }
# judged STATUS TEXT WHAT [PATTERN]: the first line that is printed has the text; nothing is printed where it is empty
judged() {
	sh testsuite/run-kernel/complaints.sh "$work" ${4+"$4"} > "$work/out"
	[ $? -eq "$1" ] && [[ -n $2 || ! -s $work/out ]] && { [ -z "$2" ] || head -1 "$work/out" | grep -q "$2"; } || fail "$3: $(cat "$work/out")"
}
stall=('rcu: INFO: rcu_preempt self-detected stall on CPU' 'Sending NMI' 'Call Trace:' ' <IRQ>')
log "${stall[@]}"
busy 10 5 11 6 33 27
judged 1 'INFO: rcu_preempt self' 'a processor spins'
[ "$(wc -l < "$work/out")" = 4 ] || fail "not the whole report: $(cat "$work/out")"
busy 10 5 11 6 33 12.4
judged 1 'INFO: rcu_preempt self' 'a processor spins where others are busy'
busy 10 5 11 6 32 6.9
judged 0 'not counted, as QEMU had a processor for 0.9 of 20 s: .*INFO' 'the machine stood still'
busy 11 6 12 7 15 9
judged 1 'INFO: rcu_preempt self' 'the machine is not known for long enough'
rm "$work/busy"
judged 1 'INFO: rcu_preempt self' 'the machine is not known'
for said in 'rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:' 'watchdog: BUG: soft lockup - CPU#0 stuck for 25s! [exe:1622]' \
	'rcu: INFO: rcu_preempt detected expedited stalls on CPUs/tasks: { 0-...D } 5252 jiffies s: 81 root: 0x1/.'; do
	log "$said" 'Call Trace:'
	busy 10 5 11 6 33 27
	judged 1 "${said:0:20}" "$said"
	busy 10 5 11 6 32 6.9
	judged 0 "^not counted.*${said:0:20}" "$said, which is the machine's"
	log "$said" 'Call Trace:' 'WARNING: CPU: 0 PID: 1 at kernel/kprobes.c:1'
	judged 1 '^not counted' "$said, and a complaint behind it"
	grep -q 'WARNING: CPU' "$work/out" || fail "the complaint is not shown"
done
log 'lapwing says four' 'INFO: NMI handler (nmi_cpu_backtrace_handler) took too long to run: 3.1 msecs' 'hrtimer: interrupt took 4 ns'
busy 10 5 11 6
judged 0 '' 'no complaint'
log 'INFO: task exe:17 blocked for more than 120 seconds.'
judged 1 'blocked for more' 'a task that waits for ever'
log 'Call Trace:' 'Oops: 0000'
judged 1 'Oops' 'a pattern' 'Oops'
[ $failed -eq 0 ]
