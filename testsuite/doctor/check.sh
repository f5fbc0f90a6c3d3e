#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - every finding of lapwing-doctor in each of its states, on trees that look like a machine.
# The first machine has everything; each case takes something away and names the finding that must say so, the verdict and the mend.
. "$(dirname "$0")/../common.sh"
release=6.1.0-77-amd64
t=$work/machine

put() { mkdir -p "$t$(dirname "$1")" && printf '%b' "$2" > "$t$1"; }

machine() {	# the machine with everything, made once
	local f
	rm -rf "$t"
	[ ! -d "$t.made" ] || { cp -a "$t.made" "$t"; return; }
	put /proc/sys/kernel/osrelease "$release\n"
	put /proc/sys/kernel/arch 'x86_64\n'
	put /proc/self/status 'Name:\tx\nUid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\n'
	put /proc/modules 'ext4 1 0 - Live 0\n'
	put /proc/sys/kernel/modules_disabled '0\n'
	put /sys/module/module/parameters/sig_enforce 'N\n'
	put /sys/kernel/security/lockdown '[none] integrity confidentiality\n'
	put /sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c '\x06\0\0\0\0'
	for f in Makefile include/generated/autoconf.h scripts/mod/modpost; do put "/lib/modules/$release/build/$f" '\n'; done
	put "/lib/modules/$release/build/include/generated/utsrelease.h" "#define UTS_RELEASE \"$release\"\n"
	for f in gcc make qemu-system-x86_64 qemu-system-aarch64 aarch64-linux-gnu-gcc cpio readelf apt-get sudo; do
		put "/usr/bin/$f" '\n'
	done
	for f in lapwing-run-static-arm64 vm/guest-arm64; do put "/usr/libexec/lapwing/$f" '\n'; done
	put /sys/kernel/btf/vmlinux '\x9f\xeb\x01'
	put /proc/kallsyms \
	'ffffffff81000000 T _text\nffffffff81000100 T register_kprobe\nffffffff81000200 T register_ftrace_function\nffffffff81000300 T z\n'
	put /proc/sys/kernel/kptr_restrict '0\n'
	put /sys/bus/event_source/devices/uprobe/type '9\n'
	mkdir -p "$t/sys/kernel/tracing/events"
	put /proc/sys/kernel/perf_event_paranoid '2\n'
	tried
	put /proc/sys/kernel/nmi_watchdog '0\n'
	for f in 6.1.0-56-cloud-amd64 6.12.1-arm64; do
		put "/var/cache/lapwing/vm/kernels/$f/image" '\n'
		put "/var/cache/lapwing/vm/kernels/$f/initrd" '\n'
	done
	cp -a "$t" "$t.made"
}

# tried [WORD...]: all that is tried works, except these
tried() {
	local word
	printf '%s\n' cpu-clock all-cpus cycles 'counters 4' uprobe tracepoint uprobe-events kprobe-events script qemu-x86_64 qemu-arm64 \
		"linux-headers-$release" > "$t/tried"
	for word; do sed -i "/^$word\$/d" "$t/tried"; done
}

# says NAME STATUS WHAT...: each WHAT is a fixed text of the report
says() {
	local name=$1 status=$2 text got report
	shift 2
	./lapwing-doctor --root="$t" $program > "$work/out" 2> "$work/err"
	got=$?
	[ $got -eq "$status" ] || fail "$name: exit status $got, not $status: $(cat "$work/err")"
	report=$(tr -s ' ' < "$work/out")
	for text; do
		[[ $report == *"$text"* ]] || { fail "$name: does not say '$text':"; cat "$work/out"; }
	done
	cp "$work/out" "$work/reports/${name//\//-}.text"
	./lapwing-doctor --json --root="$t" $program > "$work/reports/${name//\//-}.json" 2>> "$work/err"
}

mkdir "$work/reports"
program=
machine
says everything 0 "kernel runtime yes" "user runtime yes" \
	"x86_64 guests yes: 6.1 (here), 6.12 (fetched at first use)" "arm64 guests yes" 'kernel.function("vfs_read")'
! grep -qE '^(limited|missing)' "$work/out" || fail "the machine with everything lacks something: $(cat "$work/out")"
[ "$(grep -cE '^(ok|untried)' "$work/out")" -eq "$(grep -c '^FINDING' cmd/doctor/findings.def)" ] || fail "not every finding is printed"
grep '^untried' "$work/out" | grep -qvE 'debuginfo|returns' && fail "untried on the machine with everything: $(cat "$work/out")"

# Who asks: a user, root of a container, root of a user namespace.
machine; put /proc/self/status 'Uid:\t1000\nCapEff:\t0\n'
tried all-cpus tracepoint uprobe uprobe-events kprobe-events
says not-root 0 "limited privileges" "sudo" "kernel runtime no: only root" "limited perf" "limited modules" "missing uprobes" \
	"limited tracefs" "missing kprobes" "user runtime yes: your own programs only" \
	"missing watch" "CAP_PERFMON: no (samples of all CPUs and of the kernel); CAP_SYS_PTRACE: no" \
	"the user runtime (your own programs only), x86_64 guests, arm64 guests. Begin with: lapwing profile --runtime=user -- sh -c"
machine; put /proc/self/status 'Uid:\t1000\nCapEff:\t4000080000\n'
says some-capabilities 0 "limited watch" "CAP_PERFMON: yes" "CAP_SYS_PTRACE: yes" "CAP_DAC_READ_SEARCH: no (names in files" \
	"CAP_SYSLOG: no" "to mend: systemctl start lapwing-watch"
machine; put /proc/self/status 'Uid:\t1000\nCapEff:\t0\n'
rm "$t/usr/bin/sudo"
says no-sudo 0 "to mend: run lapwing as root"
machine; put /proc/self/status 'Uid:\t0\nCapEff:\t00000000a80425fb\n'
says container 0 "limited privileges" "CAP_SYS_MODULE" "kernel runtime no: this root may load no modules"
machine; put /proc/self/uid_map '0 1000 1\n'
says user-namespace 0 "limited privileges" "without CAP_SYS_MODULE" "kernel runtime no: this root"
machine; rm "$t/proc/modules"
says no-modules 0 "missing modules" "built without loadable modules" "untried signatures" \
	"kernel runtime no: this kernel loads no modules" "Begin with: lapwing profile --runtime=user -a"
machine; put /proc/sys/kernel/modules_disabled '1\n'
says modules-disabled 0 "missing modules" "modules_disabled: 1" "kernel runtime no: module loading is switched off"
machine; put /sys/module/module/parameters/sig_enforce 'Y\n'
says signatures 0 "missing signatures" "sign-file" "kernel runtime no: the kernel takes signed modules only"
machine; put /sys/kernel/security/lockdown 'none [integrity] confidentiality\n'
says lockdown 0 "missing lockdown" "lockdown: integrity" "kernel runtime no: the kernel is locked down"
machine; put /sys/kernel/security/lockdown 'none integrity [confidentiality]\n'
says confidentiality 0 "lockdown: confidentiality"
machine; rm "$t/sys/kernel/security/lockdown"; put /proc/filesystems 'nodev\tsecurityfs\n'
says no-securityfs 0 "untried lockdown" "cannot be seen"
put /proc/self/mounts 'securityfs /sys/kernel/security securityfs rw 0 0\n'
says no-lockdown 0 "ok lockdown"
machine; put /sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c '\x06\0\0\0\x01'
says secure-boot 0 "limited secure_boot" "mokutil" "kernel runtime yes"
rm -r "$t/sys/firmware/efi/efivars"
says no-efivars 0 "untried secure_boot"

# Headers: a package is offered if this machine knows of it.
machine; rm -r "$t/lib/modules"
says no-headers 0 "missing headers" "apt-get install linux-headers-$release" "kernel runtime no: the kernel's headers"
tried "linux-headers-$release"
says no-package 0 "missing headers" "no package linux-headers-$release is known here" "--target=vm"
! grep -q 'apt-get install linux-headers' "$work/out" || fail "no-package: offered: $(cat "$work/out")"
rm "$t/usr/bin/qemu-system-x86_64"
says no-guest-either 0 "to mend: --runtime=user needs no module"
rm "$t/proc/modules"
says no-need 0 "untried headers" "not needed"
machine; put "/lib/modules/$release/build/include/generated/utsrelease.h" '#define UTS_RELEASE "6.1.0-76-amd64"\n'
says old-headers 0 "missing headers" "of another kernel" "kernel runtime no: the kernel's headers"
machine; rm "$t/lib/modules/$release/build/scripts/mod/modpost"
says no-modpost 0 "missing headers" "no /lib/modules/$release/build/scripts/mod/modpost"

machine; rm "$t/usr/bin/make"
says no-make 0 "limited compiler" "apt-get install make" "kernel runtime no: gcc and make" "user runtime yes"
machine; rm "$t/usr/bin/gcc" "$t/usr/bin/aarch64-linux-gnu-gcc"
says no-compiler 4 "missing compiler" "apt-get install gcc" "user runtime no: gcc" "x86_64 guests no" \
	"Nothing works here yet: begin with apt-get install gcc make."
machine; tried script
says no-script 0 "missing compiler" "no script can be built and run by you" "user runtime no: no script"
machine; rm "$t/sys/kernel/btf/vmlinux"
says no-btf 0 "missing btf" "CONFIG_DEBUG_INFO_BTF" "--target=vm"
put /sys/kernel/btf/vmlinux 'ELF'
says bad-btf 0 "missing btf" "not BTF"
machine; put /proc/kallsyms 'ffffffff81000000 T _text\n'
says no-kprobes 0 "missing kprobes" "--target=vm runs the script in a guest; here it takes a kernel with CONFIG_KPROBES" \
	"kernel runtime no: modules load, but"
rm -r "$t/var"
says no-kprobes-here 0 "to mend: a kernel with CONFIG_KPROBES"
machine; put /proc/kallsyms 'ffffffff81000000 T register_kprobe\nffffffff81000000 T z\n'
says no-ftrace 0 "limited kprobes" "no register_ftrace_function" "CONFIG_FUNCTION_TRACER" "kernel runtime yes"
machine; put /proc/sys/kernel/ftrace_enabled '0\n'
says ftrace-off 0 "limited kprobes" "no probe at the entry" "sysctl kernel.ftrace_enabled=1"
machine; put /proc/kallsyms '0000000000000000 T register_kprobe\n0000000000000000 T register_ftrace_function\n0000000000000000 T z\n'
says hidden 0 "limited symbols" "addresses are 0" "sysctl kernel.kptr_restrict"
machine; rm "$t/proc/kallsyms"
says no-kallsyms 0 "missing symbols" "CONFIG_KALLSYMS"
machine; rm -r "$t/sys/bus/event_source"; tried uprobe
says no-uprobes 0 "missing uprobes" "CONFIG_UPROBE_EVENTS"
machine; tried uprobe-events
says uprobe-events 0 "missing uprobes" "uprobe_events of tracefs cannot be written"
machine; echo 'nop5 breaks' >> "$t/tried"
says nop5 0 "limited nop5" "5-byte nops break programs" "ba2bfc97b462"
machine; echo 'nop5 unknown' >> "$t/tried"
says nop5-unknown 0 "limited nop5" "is unknown" "CONFIG_UPROBE_EVENTS"
machine; tried tracepoint
says tracepoint-refused 0 "limited tracefs" "run it on the host"
rm -r "$t/sys/kernel/tracing"
says no-tracefs 0 "limited tracefs" "CONFIG_FTRACE"
machine; rm "$t/proc/sys/kernel/perf_event_paranoid"
says no-perf 0 "missing perf" "CONFIG_PERF_EVENTS"
machine; tried cpu-clock all-cpus cycles
says perf-refused 0 "missing perf" "missing watch" "run it on the host" "user runtime no: perf events are refused" "untried pmu"
machine; tried cycles
says no-pmu 0 "missing pmu" "virtual PMU" "user runtime yes"
machine; sed -i 's/^counters .*/counters 1/' "$t/tried"
says few-counters 0 "limited pmu" "1 free hardware counter"
machine; put /proc/sys/kernel/nmi_watchdog '1\n'
says watchdog 0 "limited nmi_watchdog" "sysctl kernel.nmi_watchdog=0"

# Guests.
machine; rm "$t/usr/bin/qemu-system-x86_64"
says no-qemu 0 "missing qemu_x86" "apt-get install qemu-system-x86" "x86_64 guests no: no qemu-system-x86_64"
machine; tried qemu-x86_64
says bad-qemu 0 "missing qemu_x86" "does not start" "x86_64 guests no: its QEMU does not start"
arm64='apt-get install qemu-system-arm gcc-aarch64-linux-gnu libc6-dev-arm64-cross make cpio binutils'
arm64="$arm64, then build lapwing again: ./configure && make"
for f in qemu-system-aarch64 aarch64-linux-gnu-gcc; do
	machine; rm "$t/usr/bin/$f"
	says "no-$f" 0 qemu_arm64 "to mend: $arm64" "arm64 guests no: no $f"
done
for f in lapwing-run-static-arm64 vm/guest-arm64; do
	machine; rm "$t/usr/libexec/lapwing/$f"
	says "no-$f" 0 "limited qemu_arm64" "to mend: $arm64" "arm64 guests no: no $f"
done
machine; rm -r "$t/var"
says no-guests 0 "limited guests" "lapwing --target=vm ... fetches it" "x86_64 guests no: no kernel of it is here yet"
rm "$t/usr/bin/apt-get"
says no-archive 0 "limited guests" "it takes apt-get"
machine; rm "$t/var/cache/lapwing/vm/kernels/6.1.0-56-cloud-amd64/initrd"
says no-initrd 0 "x86_64 guests no: no kernel of it is here yet"
machine; rm "$t/proc/modules"; tried cpu-clock all-cpus
says guests-only 0 "kernel runtime no" "user runtime no" "Begin with: lapwing --target=vm:6.1 -c"
rm "$t/usr/bin/qemu-system-x86_64"
says arm64-only 0 "Begin with: lapwing --target=vm:6.12-arm64 -c"
rm -r "$t/var"
says nothing 4 "Nothing works here yet: mend what is missing above."

# Programs: with debug information, with a symbol table, stripped, without symbols, with a separate debug file, none.
machine
echo 'int f(int x) { return x; } int main(void) { return f(0); }' > "$work/p.c"
${CC:-gcc} -g -o "$t/usr/bin/debug" "$work/p.c" && ${CC:-gcc} -o "$t/usr/bin/plain" "$work/p.c" &&
	${CC:-gcc} -s -o "$t/usr/bin/stripped" "$work/p.c" && ${CC:-gcc} -static -s -o "$t/usr/bin/bare" \
	"$work/p.c" || fail "cannot compile"
program=debug;		says debug 0 "ok debuginfo" "/usr/bin/debug: .debug_info"
program=plain;		says plain 0 "limited debuginfo" ".symtab, no .debug_info" "-dbgsym"
program=/usr/bin/stripped; says stripped 0 "limited debuginfo" ".dynsym only"
program=bare;		says bare 0 "missing debuginfo" "no symbols"
program=gone;		says gone 0 "missing debuginfo" "gone: not found"
echo '#include <ucontext.h>
int main(void) { static ucontext_t c; return swapcontext(&c, &c); }' > "$work/p.c"
${CC:-gcc} -o "$t/usr/bin/coroutines" "$work/p.c" || fail "cannot compile"
program=plain;		says replaced 0 "ok returns" "plain: no coroutines, no exceptions"
program=coroutines;	says instructions 0 "ok returns" "coroutines: it switches stacks (swapcontext)"
program=gone;		says gone-returns 0 "missing returns" "gone: not found"
put /usr/bin/text 'not a program\n'
program=text;		says text 0 "missing debuginfo" "text: no ELF file"
id=$(file "$t/usr/bin/stripped" 2> "$work/file" | sed -n 's/.*BuildID\[sha1\]=\([0-9a-f]*\).*/\1/p')
[ -n "$id" ] || id=$(readelf -n "$t/usr/bin/stripped" | sed -n 's/.*Build ID: //p')
put "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" '\n'
program=stripped;	says separate 0 "ok debuginfo" "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"

# What has no package has no package's mend.
cp "$t/usr/bin/plain" "$work/plain"; mkdir -p "$t/home" && cp "$work/plain" "$t/home/plain"
program=/home/plain;	says own 0 "limited debuginfo" "to mend: build it with -g"
program=

# This machine, as who runs this and as nobody, in a folder that only its owner reads: what is said to be ok works, what is not does not,
# and so does the command. Nobody changes what perf allows meanwhile (paranoid in common.sh).
top=$PWD
mkdir -m 711 "$work/closed" && chmod 711 "$work" && cp "$t/usr/bin/debug" "$work/debug"
[ ! -e /proc/sys/kernel/perf_event_paranoid ] || { exec 9< /proc/sys/kernel/perf_event_paranoid && flock 9; }
nobody() { setpriv --reuid nobody --regid "$(id -g nobody)" --clear-groups env HOME=/nonexistent "$@"; }
# agrees FINDING COMMAND SCRIPT: it is ok if, and only if, the script has a hit while the command runs; WHO is a prefix
agrees() {
	local state hit=
	state=$(sed -n "s/^\([a-z]*\) *$1 .*/\1/p" "$work/out")
	$who "$top/lapwing" --runtime=user --disable-cache -c "$2" -e "$3" > "$work/ran" 2> "$work/err" && hit=$(grep hit "$work/ran")
	[ "${state/#ok/hit}" = "$hit" ] || { [ "$state" != ok ] && [ -z "$hit" ]; } ||
		fail "${who:-I}: doctor says '$state' of $1, a script has '$hit': $(cat "$work/err")"
}
tells_the_truth() {
	local command
	$who "$top/lapwing" doctor > "$work/out" 2> "$work/err" || grep -q 'Nothing works' "$work/out" ||
		fail "${who:-I}: $(cat "$work/out" "$work/err")"
	agrees uprobes "$work/debug" "probe process(\"$work/debug\").function(\"f\") { println(\"hit\") }"
	agrees tracefs true 'probe kernel.trace("sched:sched_process_exit") { println("hit"); exit() }'
	agrees perf 'while :; do :; done' 'probe timer.profile { println("hit"); exit() }'
	command=$(sed -n '$s/.* Begin with: //p' "$work/out")
	case $command in ''|*--target=vm*) return ;; esac
	$who bash -c "$command" > "$work/ran" 2> "$work/err" || fail "${who:-I}: '$command' fails: $(cat "$work/err")"
	[ -s "$work/ran" ] || fail "${who:-I}: '$command' prints nothing: $(cat "$work/err")"
}
cd "$work/closed" || exit 2
who=
tells_the_truth
if [ "$(id -u)" = 0 ]; then
	unshare -m bash -c 'umount -a -t tracefs; before=$(cat /proc/self/mountinfo); "$0" doctor
		[ "$before" = "$(cat /proc/self/mountinfo)" ] || echo mounted' "$top/lapwing" > "$work/out" 2> "$work/err"
	grep -q "^ok *tracefs" "$work/out" && ! grep -q '^mounted' "$work/out" || fail "tracefs, not mounted: $(cat "$work/out" "$work/err")"
fi
who=nobody
if [ "$(id -u)" = 0 ] && nobody test -x "$top/lapwing"; then tells_the_truth; fi
cd "$top" || exit 2

# The reports of all machines are the same in JSON, and every finding that is limited or missing names its mend.
python3 - "$work"/reports/*.json << 'END' || fail 'a report in JSON'
import json, re, sys
for path in sys.argv[1:]:
    said, text = json.load(open(path)), open(path.replace(".json", ".text")).read()
    assert said["schema"] == "lapwing-doctor/1", path
    findings = said["findings"]
    assert [f["state"] for f in findings] == re.findall("^(ok|limited|missing|untried) ", text, re.M), path
    assert [f["fix"] for f in findings if f["fix"]] == re.findall("^ *to mend: (.*)", text, re.M), path
    for f in findings:
        assert (f["fix"] is not None) == (f["state"] in ("limited", "missing")), (path, f)
        assert f["evidence"] in text and f["means"] in text, (path, f)
    ways = [*said["runtimes"].values(), *said["guests"].values()]
    for words in [*(w.get(name) for w in ways for name in ("reason", "limits")), said["working"], said["command"], said["next"]]:
        assert words is None or words in text, (path, words)
END

# The findings as CSV; what cannot be written.
machine
./lapwing-doctor --json --root="$t" > "$work/json"
./lapwing-doctor --csv --root="$t" > "$work/csv"
testsuite/formats.py "$work/json" "$work/csv" findings || fail "--csv: $(cat "$work/csv")"
./lapwing-doctor --json --root="$t" > /dev/full 2> "$work/err"
[ $? -eq 1 ] && grep -qxF 'lapwing doctor: cannot write standard output: No space left on device [lapwing explain E1007]' "$work/err" ||
	fail "a full disk: $(cat "$work/err")"

# The kernels of guests: those in a cache, where the archive is not asked.
for f in 6.1.0-77-cloud-amd64/tree 6.16.1-arm64 6.1.0-77-rt-amd64/tree 6.1.0-77-debug-amd64/tree; do
	mkdir -p "$work/kernels/vm/kernels/$f"
done
kernels() { LAPWING_CACHE=$work/kernels LAPWING_VM_OFFLINE=1 ./lapwing doctor --kernels "$@"; }
kernels > "$work/out" && printf '%s\n' '6.1 6.1.0-77-cloud-amd64 yes both' '6.1-debug 6.1.0-77-debug-amd64 yes both' \
	'6.1-rt 6.1.0-77-rt-amd64 yes both' '6.16-arm64 6.16.1-arm64 yes user' |
	cmp -s - <(tr -s ' ' < "$work/out" | grep '^6' | sort) || fail "kernels: $(cat "$work/out")"
kernels --json > "$work/json" && kernels --csv > "$work/csv" && testsuite/formats.py "$work/json" "$work/csv" &&
	[ "$(grep -c '"cached": true' "$work/json")" -eq 4 ] || fail "kernels as JSON: $(cat "$work/json")"
LAPWING_CACHE=$work/empty LAPWING_VM_OFFLINE=1 ./lapwing doctor --kernels --json > "$work/out" 2> "$work/err"
[ $? -eq 1 ] && [ ! -s "$work/out" ] &&
	grep -q "^lapwing-vm: no kernels are in the cache '$work/empty/vm', and .*LAPWING_VM_OFFLINE" "$work/err" ||
	fail "no kernels: $(cat "$work/out" "$work/err")"
for wrong in "--root=$t" ./lapwing; do
	kernels "$wrong" > "$work/out" 2>&1; [ $? -eq 2 ] || fail "--kernels $wrong is taken"
done

# Wrong calls.
./lapwing doctor --jsno > "$work/out" 2>&1; [ $? -eq 2 ] || fail "a wrong option is taken"
./lapwing doctor --json --csv > "$work/out" 2>&1; [ $? -eq 2 ] && grep -q 'only one of them' "$work/out" ||
	fail "--json and --csv: $(cat "$work/out")"
[ $failed -eq 0 ] && echo "doctor: all as it should be"
[ $failed -eq 0 ]
