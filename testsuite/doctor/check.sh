#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - every finding of lapwing-doctor in each of its states, on trees that look like a machine.
# The first machine has everything; each case takes something away and names the finding that must say so, the verdict and the mend.
. "$(dirname "$0")/../common.sh"
release=6.1.0-77-amd64
t=$work/machine

put() { mkdir -p "$t$(dirname "$1")" && printf '%b' "$2" > "$t$1"; }

machine() {	# the machine with everything
	local f
	rm -rf "$t"
	put /proc/sys/kernel/osrelease "$release\n"
	put /proc/sys/kernel/arch 'x86_64\n'
	put /proc/self/status 'Name:\tx\nUid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\n'
	put /proc/modules 'ext4 1 0 - Live 0\n'
	put /proc/sys/kernel/modules_disabled '0\n'
	put /sys/module/module/parameters/sig_enforce 'N\n'
	put /sys/kernel/security/lockdown '[none] integrity confidentiality\n'
	put /sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c '\x06\0\0\0\0'
	put "/lib/modules/$release/build/Makefile" '\n'
	for f in gcc make qemu-system-x86_64 qemu-system-aarch64 aarch64-linux-gnu-gcc; do put "/usr/bin/$f" '\n'; done
	put /sys/kernel/btf/vmlinux '\n'
	put /proc/kallsyms \
	'ffffffff81000000 T _text\nffffffff81000100 T register_kprobe\nffffffff81000200 T register_ftrace_function\nffffffff81000300 T z\n'
	put /proc/sys/kernel/kptr_restrict '0\n'
	put /sys/bus/event_source/devices/uprobe/type '9\n'
	mkdir -p "$t/sys/kernel/tracing/events"
	put /proc/sys/kernel/perf_event_paranoid '2\n'
	put /perf 'cpu-clock\ncycles\ncounters 4\n'
	put /proc/sys/kernel/nmi_watchdog '0\n'
	put /var/cache/lapwing/vm/kernels/6.1.0-56-cloud-amd64/image '\n'
}

# says NAME STATUS WHAT...: each WHAT is a fixed text of the report
says() {
	local name=$1 status=$2 text got
	shift 2
	./lapwing-doctor --root="$t" $program > "$work/out" 2> "$work/err"
	got=$?
	[ $got -eq "$status" ] || fail "$name: exit status $got, not $status: $(cat "$work/err")"
	for text; do
		tr -s ' ' < "$work/out" | grep -qF -e "$text" || { fail "$name: does not say '$text':"; cat "$work/out"; }
	done
	sane "$name"
}

# The report is the same in JSON, and every finding that is not ok names its mend.
sane() {
	local states
	./lapwing-doctor --json --root="$t" $program > "$work/json" 2>> "$work/err"
	states=$(sed -n 's/.*"state" : "\(.*\)",/\1/p' "$work/json")
	[ "$states" = "$(sed -n 's/^\(ok\|limited\|missing\) .*/\1/p' "$work/out")" ] || fail "$1: --json differs"
	[ "$(grep -c 'to mend:' "$work/out")" -eq "$(echo "$states" | grep -vc ok)" ] || fail "$1: a finding has no mend, or one too many"
}

program=
machine
says everything 0 "kernel runtime yes" "user runtime yes" \
	"x86_64 guests yes: 6.1 (here), 6.12 (fetched at first use)" "arm64 guests yes" 'kernel.function("vfs_read")'
! grep -qE '^(limited|missing)' "$work/out" || fail "the machine with everything lacks something: $(cat "$work/out")"
[ "$(grep -c '^ok' "$work/out")" -eq "$(grep -c '^FINDING' cmd/doctor/findings.def)" ] || fail "not every finding is printed"

machine; put /proc/self/status 'Uid:\t1000\nCapEff:\t0\n'
says not-root 0 "limited privileges" "sudo" "kernel runtime no: only root" "limited perf"
rmdir "$t/sys/kernel/tracing/events"
says not-root-tracefs 0 "limited tracefs" "/sys/kernel/tracing is root's"
machine; put /proc/self/status 'Uid:\t0\nCapEff:\t00000000a80425fb\n'
says container 0 "limited privileges" "CAP_SYS_MODULE"
machine; rm "$t/proc/modules"
says no-modules 0 "missing modules" "built without loadable modules" \
	"kernel runtime no: this kernel loads no modules" "lapwing --runtime=user"
machine; put /proc/sys/kernel/modules_disabled '1\n'
says modules-disabled 0 "missing modules" "modules_disabled: 1" "kernel runtime no: module loading is switched off"
machine; put /sys/module/module/parameters/sig_enforce 'Y\n'
says signatures 0 "missing signatures" "sign-file" "kernel runtime no: the kernel takes signed modules only"
machine; put /sys/kernel/security/lockdown 'none [integrity] confidentiality\n'
says lockdown 0 "missing lockdown" "lockdown: integrity" "kernel runtime no: the kernel is locked down"
machine; put /sys/kernel/security/lockdown 'none integrity [confidentiality]\n'
says confidentiality 0 "lockdown: confidentiality"
machine; put /sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c '\x06\0\0\0\x01'
says secure-boot 0 "limited secure_boot" "mokutil" "kernel runtime yes"
machine; rm -r "$t/lib/modules"
says no-headers 0 "missing headers" "apt-get install linux-headers-$release" "kernel runtime no: the kernel's headers"
machine; rm "$t/usr/bin/make"
says no-make 0 "limited compiler" "apt-get install make" "kernel runtime no: gcc and make" "user runtime yes"
machine; rm "$t/usr/bin/gcc"
says no-compiler 1 "missing compiler" "apt-get install gcc" "user runtime no: gcc" "x86_64 guests no" "Nothing works here yet"
machine; rm "$t/sys/kernel/btf/vmlinux"
says no-btf 0 "missing btf" "CONFIG_DEBUG_INFO_BTF"
machine; put /proc/kallsyms 'ffffffff81000000 T _text\n'
says no-kprobes 0 "missing kprobes" "CONFIG_KPROBES" "kernel runtime no: modules load, but"
machine; put /proc/kallsyms 'ffffffff81000000 T register_kprobe\nffffffff81000000 T z\n'
says no-ftrace 0 "limited kprobes" "no register_ftrace_function" "CONFIG_FUNCTION_TRACER" "kernel runtime yes"
machine; put /proc/kallsyms '0000000000000000 T register_kprobe\n0000000000000000 T register_ftrace_function\n0000000000000000 T z\n'
says hidden 0 "limited symbols" "addresses are 0" "kptr_restrict"
machine; rm "$t/proc/kallsyms"
says no-kallsyms 0 "missing symbols" "CONFIG_KALLSYMS"
machine; rm -r "$t/sys/bus/event_source"
says no-uprobes 0 "missing uprobes" "CONFIG_UPROBE_EVENTS"
machine; put /perf 'cpu-clock\ncycles\ncounters 4\nnop5 breaks\n'
says nop5 0 "limited nop5" "5-byte nops break programs" "ba2bfc97b462"
machine; put /perf 'cpu-clock\ncycles\ncounters 4\nnop5 unknown\n'
says nop5-unknown 0 "limited nop5" "is unknown" "CONFIG_UPROBE_EVENTS"
machine; rm -r "$t/sys/kernel/tracing/events"
says unmounted-tracefs 0 "ok tracefs" "mounted when it is needed"
machine; rm -r "$t/sys/kernel/tracing"
says no-tracefs 0 "limited tracefs" "mount -t tracefs"
mkdir -p "$t/sys/kernel/debug/tracing/events"
says old-tracefs 0 "ok tracefs" "/sys/kernel/debug/tracing/events"
machine; rm "$t/proc/sys/kernel/perf_event_paranoid"
says no-perf 0 "missing perf" "CONFIG_PERF_EVENTS"
machine; put /perf 'none\n'
says perf-refused 0 "missing perf" "seccomp" "user runtime no: perf events are refused" "missing pmu"
machine; put /perf 'cpu-clock\n'
says no-pmu 0 "missing pmu" "virtual PMU" "user runtime yes"
machine; put /perf 'cpu-clock\ncycles\ncounters 1\n'
says few-counters 0 "limited pmu" "1 free hardware counter"
machine; put /proc/sys/kernel/nmi_watchdog '1\n'
says watchdog 0 "limited nmi_watchdog" "sysctl kernel.nmi_watchdog=0"
machine; rm "$t/usr/bin/qemu-system-x86_64"
says no-qemu 0 "missing qemu_x86" "apt-get install qemu-system-x86" "x86_64 guests no: its QEMU"
machine; rm "$t/usr/bin/qemu-system-aarch64"
says no-qemu-arm 0 "missing qemu_arm64" "apt-get install qemu-system-arm" "arm64 guests no: its QEMU"
machine; rm "$t/usr/bin/aarch64-linux-gnu-gcc"
says no-cross 0 "limited qemu_arm64" "apt-get install gcc-aarch64-linux-gnu" "arm64 guests no: its cross compiler"
machine; rm -r "$t/var"
says no-guests 0 "limited guests" "6.1 (fetched at first use)"
machine; rm "$t/proc/modules"; put /perf '\n'
says guests-only 0 "kernel runtime no" "user runtime no" "lapwing --target=vm -c"

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

# This machine, and wrong calls.
./lapwing doctor > "$work/out" || ./lapwing doctor | grep -q 'Nothing works' || fail "this machine: $(cat "$work/out")"
./lapwing doctor --jsno > "$work/out" 2>&1; [ $? -eq 2 ] || fail "a wrong option is taken"
[ $failed -eq 0 ] && echo "doctor: all as it should be"
[ $failed -eq 0 ]
