#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-hardened.sh - hardened kernels: what works there counts what it counts elsewhere; what does
# not work names the cause and a remedy, with an exit status other than 0. Three guests, each runs
# all of its cases in one boot: module.sig_enforce with kernel.kptr_restrict=2 and
# kernel.perf_event_paranoid=4; lockdown=integrity; lockdown=confidentiality.
# Results: PASS|FAIL hardened/BOOT/CASE on stdout and in $LAPWING_TEST_RESULTS.
# Usage: check-hardened.sh [-c KVER] [BOOT]...
set -u
. "$(dirname "$0")/../common.sh"
top=$PWD vm=$PWD/runtime/vm/lapwing-vm kver=6.1
[ "${1:-}" != -c ] || { kver=$2; shift 2; }
boots=("$@")
[ ${#boots[@]} -gt 0 ] || boots=(signed integrity confidentiality)
release=$("$vm" path "$kver" release) || exit 1
mkdir -p "$work/t" "$work/root/t" "$work/passwd" || exit 1
printf 'root:x:0:0:root:/root:/bin/sh\nuser:x:1000:1000:user:/tmp:/bin/sh\n' > "$work/passwd/passwd"
for c in getppid work; do
	gcc -g -O1 -static -pthread -o "$work/t/$c" "testsuite/triggers/$c.c" || exit 1
done
cp "$work/t/work" "$work/root/t/"

# script NAME RUNTIME TEXT: builds $work/t/NAME.so or .ko
script() {
	(cd "$work/t" && "$top/lapwing" --runtime="$2" -p4 -r "$release" -a x86_64 -m "$1" \
		--sysroot="$work/root" -e "$3" > /dev/null) || exit 1
}
script hello kernel 'probe begin { println("hello"); exit() }'
script calls user \
	'global n, names probe kernel.function("__x64_sys_getppid") { n++; names[symname(addr())]++ }
	probe end { println(n); foreach (s in names) println(isinstr(s, "getppid") ? "a name" : substr(s, 0, 2)) }'
script point user \
	'global n probe kernel.trace("sched:sched_process_fork") { n++ } probe end { println(n > 0) }'
script program user \
	'global n probe process("/t/work").function("work") { n++ } probe end { println(n) }'
script profile user 'global n probe timer.profile { n++ } probe end { println(n > 0) }'
script events user \
	'global n probe perf.sw.page_faults.sample(1) { n++ } probe end { println(n > 0) }'
script alone user 'probe begin { println("alone"); exit() }'

# Cases of a boot: NAME|WHO|COMMAND in /t|STATUS|STANDARD OUTPUT, with \n|text of standard error
loads='lapwing-run ./hello.ko; status=$?; grep hello /proc/modules; ls /dev \| grep hello; exit $status'
profiles="lapwing-run -c './work 2 100' ./profile.so"
root_works="calls|root|lapwing-run -v -c './getppid 2 1000' ./calls.so|0|2000\na name|COMPLETE
point|root|lapwing-run -v -c ./getppid ./point.so|0|1|COMPLETE
program|root|lapwing-run -v -c './work 2 100' ./program.so|0|1000|COMPLETE"
clock_works="profile|root|$profiles|0|1|samples expected
alone|root|lapwing-run ./alone.so|0|alone|"
user_cannot="module_of_user|user|lapwing-run ./hello.ko|1||does not load: only root may
calls_of_user|user|lapwing-run -c ./getppid ./calls.so|1||tracefs, which only root can read: run as root"
ask_signed="-e '^missing  signatures' -e 'sign NAME.ko with' -e '^limited  symbols' -e 'sysctl kernel.*'"
told_signed='missing  signatures\nsign NAME.ko with\nlimited  symbols\nsysctl kernel.kptr_restrict=1'
ask_integrity="-e '^missing  lockdown' -e '^ok       tracefs' -e 'kernel lockdown allows signed modules only'"
told_integrity='missing  lockdown\nok       tracefs\nkernel lockdown allows signed modules only'
ask_confidentiality="-e '^missing  lockdown' -e '^missing  tracefs' -e 'lockdown=integrity or none'"
told_confidentiality='missing  lockdown\nmissing  tracefs\nlockdown=integrity or none'
doctor='lapwing-doctor \| grep -o'
level="perf_event_open is refused (kernel.perf_event_paranoid is 4): run as root or with CAP_PERFMON, or set it to 2 and"
empty='need tracefs, which kernel lockdown (confidentiality) keeps empty: boot with lockdown=integrity or none'
cases_of_signed="module|root|$loads|1||loads signed modules only (module.sig_enforce): sign it (scripts/sign-file) and enrol the key
calls|root|lapwing-run -c './getppid 2 1000' ./calls.so|0|2000\n0x|(kernel.kptr_restrict is 2: sysctl kernel.kptr_restrict=1)
program|root|lapwing-run -v -c './work 2 100' ./program.so|0|1000|COMPLETE
record|root|lapwing-record -o /tmp/c -- ./work 2 100|0||kernel symbols are hidden, the profile has addresses (kernel.kptr_restrict is 2
$clock_works
$user_cannot
profile_of_user|user|$profiles|1||$level sample your own program
own_of_user|user|lapwing-run --only-target -c './work 2 100' ./profile.so|1||$level sample your own program
event_of_user|user|lapwing-run -c ./getppid ./events.so|1||$level count your own program
record_of_user|user|lapwing-record -o /tmp/d -- ./work 2 100|1||$level
doctor|root|$doctor $ask_signed|0|$told_signed|"
cases_of_integrity="module|root|$loads|1||kernel lockdown forbids unsigned modules (its mode is integrity): sign it
$root_works
$clock_works
$user_cannot
doctor|root|$doctor $ask_integrity|0|$told_integrity|"
cases_of_confidentiality="module|root|$loads|1||kernel lockdown forbids unsigned modules (its mode is confidentiality): sign it
calls|root|lapwing-run -c ./getppid ./calls.so|1||$empty
point|root|lapwing-run -c ./getppid ./point.so|1||$empty
program|root|lapwing-run -c ./work ./program.so|1||$empty
$clock_works
module_of_user|user|lapwing-run ./hello.ko|1||does not load: only root may
calls_of_user|user|lapwing-run -c ./getppid ./calls.so|1||$empty
doctor|root|$doctor $ask_confidentiality|0|$told_confidentiality|"

# words BOOT: prints the additions to the kernel's command line
words() {
	case $1 in
	signed) echo module.sig_enforce=1;;
	*) echo "lsm=lockdown lockdown=$1";;
	esac
}
# prepare BOOT: prints the commands to run before each case. With lockdown=integrity the mode is
# read from securityfs; with confidentiality that is not mounted, and the mode is read from the
# command line.
prepare() {
	case $1 in
	signed) echo \
		'echo 2 > /proc/sys/kernel/kptr_restrict; echo 4 > /proc/sys/kernel/perf_event_paranoid';;
	integrity) echo \
		'[ -e /sys/kernel/security/lockdown ] || mount -t securityfs securityfs /sys/kernel/security';;
	esac
}

# lines BOOT: prints its cases
lines() {
	local cases=cases_of_$1
	printf '%s\n' "${!cases}" | sed 's/\\|/\x01/g'
}

# stage BOOT: makes the directory of a batch
stage() {
	local n=0 name who command dir
	while IFS='|' read -r name who command _; do
		n=$((n + 1))
		dir=$(printf '%s/%s/%03d-%s' "$work" "$1" $n "$name")
		mkdir -p "$dir"
		printf '%s\n' "${command//$'\x01'/|}" > "$dir/command"
		printf \
			'#!/bin/sh\n%s\nexport PATH=/w:$PATH\ncase=$PWD/command\nchmod -R a+rX /t "$PWD"; cd /t\n%s\n' "$(prepare "$1")" \
			"$([ "$who" = root ] && echo 'exec sh "$case"' ||
			echo 'exec su user -c "PATH=$PATH sh $case"')" > "$dir/run"
		chmod +x "$dir/run"
	done < <(lines "$1")
}

# judge BOOT: compares the results with the cases
judge() {
	local n=0 name command status out err dir why
	while IFS='|' read -r name _ command status out err; do
		n=$((n + 1)) why=
		dir=$(printf '%s/%s/%03d-%s' "$work" "$1" $n "$name")
		[ "$(cat "$dir/status" 2> /dev/null)" = "$status" ] ||
			why="exit status $(cat "$dir/status" 2> /dev/null), not $status"
		[ "$(cat "$dir/out" 2> /dev/null)" = "$(printf '%b' "$out")" ] ||
			why="$why; standard output"
		grep -qF -- "$err" "$dir/err" 2> /dev/null || [ -z "$err" ] || why="$why; no '$err'"
		! grep -E -m 1 'BUG|WARNING:|Oops' "$dir/klog" 2> /dev/null ||
			why="$why; the kernel complains"
		[ -z "$why" ] && echo "PASS hardened/$1/$name" ||
			{ fail "hardened/$1/$name: $why"; head -n 20 "$dir"/{out,err}; }
	done < <(lines "$1") | tee -a "${LAPWING_TEST_RESULTS:-/dev/null}" > "$work/said"
	cat "$work/said"
	! grep -q '^FAIL' "$work/said" || failed=1
}

for boot in "${boots[@]}"; do
	stage "$boot"
	"$vm" run --timeout 600 --test-timeout 120 --append "$(words "$boot")" \
		--elf "$top/lapwing-run:/w/lapwing-run" \
		--elf "$top/lapwing-record:/w/lapwing-record" \
		--elf "$top/lapwing-doctor:/w/lapwing-doctor" --file "$work/t:/t" \
		--file "$work/passwd/passwd:/etc/passwd" --batch "$work/$boot" "$kver" \
		< /dev/null > "$work/log" 2>&1 ||
		{ cat "$work/log"; fail "hardened/$boot: the guest ended with status $?"; }
	judge "$boot"
done
[ $failed -eq 0 ]
