#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# complaints.sh - does the kernel of a guest complain in the log of a test? Prints the first complaint and what follows it, and says no
# (status 1). That a processor makes no progress is reported after 20 seconds or more; it is a complaint where QEMU had a processor for 5 of
# the 20 seconds before: what spins or is locked up takes all that there is, and nothing of ours takes as many seconds in one piece, however
# slow the machine. With less, the machine was elsewhere: the report is named, and not counted.
# Usage: complaints.sh DIR [PATTERN]   DIR with the files klog and busy of lapwing-vm run --batch; PATTERN: other words that are complaints
[ -e "$1/busy" ] || : > "$1/busy"
LC_ALL=C awk -v words="${2:-BUG|WARNING:|INFO: |Oops|Call Trace|general protection|RCU stall|soft lockup|hard LOCKUP}" '
# The seconds that QEMU had in the 20 before that byte of the log had come; all of them where it is not known.
function had_before(at, row, from, i) {
	for (row = 1; row < rows && size[row] < at; row++) ;
	from = life[row] - 20
	if (!rows || life[1] > from) return 20
	for (i = 1; life[i + 1] <= from; i++) ;
	return cpu[row] - cpu[i] - (cpu[i + 1] - cpu[i]) * (from - life[i]) / (life[i + 1] - life[i])
}
FILENAME ~ /busy$/ { life[++rows] = $1; cpu[rows] = $2; size[rows] = $3; next }
{ bytes += length($0) + 1 }
said { if (said++ <= 40) print; next }
/INFO: .* stalls? on |RCU stall|soft lockup/ {
	had = had_before(bytes)
	if (had < 5) {
		printf("not counted, as QEMU had a processor for %.1f of 20 s: %s\n", had, $0)
		excused = 1
		next
	}
	said = 1
}
/Call Trace/ && excused { next }			# of such a report
/NMI handler .* took too long to run/ { next }		# a thousandth of a second
$0 ~ words { said = 1 }
said { print }
END { exit said > 0 }' "$1/busy" "$1/klog"
