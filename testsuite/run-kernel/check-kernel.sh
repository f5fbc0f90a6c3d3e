#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-kernel.sh - runs scripts as kernel modules in guests: each configuration is booted once and
# runs all of them.
#
# A test is one of
#   NAME.stp here, or in testsuite/run-user without "#@ only: user";
#   losses_NAME: testsuite/losses/NAME.stp, which runs in the guest by testsuite/losses/guest;
#   example_NAME: examples/SUBJECT/NAME.stp, which has its directives in NAME.meta, as lines
#   "test-trigger: does 3 fork" (see testsuite/examples/check.sh), and is judged as there.
# Files beside it:
#   NAME.out    expected standard output, or NAME.check, a shell script run as `NAME.check OUT ERR
#               STATUS` on the host
#   NAME.guest optional: a shell script run in the guest instead of lapwing-run; module.ko and the
#   triggers are in its current directory
# Directives are comments in the script:
#   #@ trigger: getppid 4 10000    -c, a program of testsuite/triggers
#   #@ options: -D MAXERRORS=3     to lapwing          #@ run: --only-target     to lapwing-run
#   #@ given: n=5 name=x           -G n=5 -G name=x to lapwing; n=5 name=x to lapwing-run
#   #@ input: one\ntwo\n          standard input, with printf's escapes
#   #@ status: 1                   expected exit status (0)
#   #@ arch: amd64                 only on amd64; or arm64
#   #@ debug: no                   not on a debug kernel
#   #@ configs: 6.1                only on these
#   #@ only: kernel                not in the user runtime
#   #@ kmod: chain                 the guest script gets chain.ko, built from
#                                  testsuite/triggers/kernel/chain.c
#   #@ goldens: yes                the guest script also gets kit/NAME.ko and kbuild/NAME.ko for
#                                  every script of testsuite/emit
#   #@ oops: yes                   the kernel may complain
#   #@ runtime: user               the script runs in the guest's user runtime, with the C library
#                                  of this machine: amd64 only
#   #@ record: yes                 with `runtime: user', the guest also gets lapwing-record and
#                                  lapwing-report
#   #@ module: probed              the script and the guest get a module of
#                                  testsuite/triggers/module; plain: without BTF
#   #@ program: yes                the trigger is probed: it is the file /NAME
#   #@ shared: yes                 the program `uses` and its libraries are probed: /uses, /lib
#   #@ held: yes                   $1 is the pid of a process of the trigger `held`, whose file is
#                                  removed; the guest gets the pid in held.pid
#   #@ twice: yes                  the guest script also gets module2.ko, the same script under
#                                  another module name; user: on amd64 module2.so, the same
#                                  script for the user runtime, with the C library of this machine
#   #@ ctl: yes                    the guest gets lapwing-ctl
#   #@ own: yes                    the module is named as lapwing names its own: each session gets a
#                                  name of its own, so sessions can run side by side
#   #@ clock: instructions         the test depends on exact times: it runs with --icount only
# The configuration 6.1-debug (make debug-kernel) has KASAN, lockdep and kmemleak, 6.12-rt-debug
# (make rt-kernel) PREEMPT_RT with lockdep, 6.12-clang (make clang-kernel) LTO and kCFI; they are
# built once, which takes an hour, and are not run by default.
# The test `share` checks the kernel's own lists, without a script.
# A guest's CPU may stand still for long while it holds a lock that another wants: scripts wait for
# locks, unless they give -D MAXTRYLOCK themselves. Two configurations run side by side.
# After each test the kernel log is searched for BUG, WARNING, Oops and the like.
# LAPWING_CYCLES=N makes the test `cycles` load and unload N times (make soak: 10,000).
# With --icount the guest's clock counts instructions, and only tests that need such a clock run.
# Usage: check-kernel.sh [--icount] [-c CONFIG]... [NAME]...   Results go to stdout and to
#                                                              $LAPWING_TEST_RESULTS.
set -u
cd "$(dirname "$0")/../.." || exit 1
top=$PWD
vm=runtime/vm/lapwing-vm
complaints='BUG|WARNING:|INFO: |Oops|Call Trace|general protection|RCU stall|soft lockup'
configs=() only=() clock=
while [ $# -gt 0 ]; do
	case $1 in
	-c) configs+=("$2"); shift 2;;
	--icount) clock=instructions; shift;;
	*) only+=("$1"); shift;;
	esac
done
[ ${#configs[@]} -gt 0 ] || configs=(6.1 newest 6.1-arm64)
results=${LAPWING_TEST_RESULTS:-/dev/null}
stage=$(mktemp -d) || exit 1
trap 'rm -rf "$stage"' EXIT
: > "$stage/results"

result() {	# result PASS|FAIL|SKIP NAME [REASON]
	printf '%s\n' "$*" | tee -a "$results" "$stage/results"
}

example_directive() {	# example_directive META NAME: as directive, for an example
	local value
	value=$(sed -n "s/^test-$2: *//p" "$1" | head -1)
	case $2 in
	run) [ "$value" = none ] || echo "${value:---only-target}";;
	arch) echo "${value:-amd64}";;
	only) ! grep -q '^runtime: user' "$1" || echo user;;
	*) echo "$value";;
	esac
}

directive() {	# directive FILE NAME: its value, empty when absent
	[ ! -f "${1%.stp}.meta" ] || { example_directive "${1%.stp}.meta" "$2"; return; }
	sed -n "s/^#@ $2: *//p" "$1" | head -1
}

name_of() {	# name_of SCRIPT: prints its test's name
	case $1 in
	testsuite/losses/*) echo "losses_$(basename "$1" .stp)";;
	examples/*) echo "example_$(basename "$1" .stp)";;
	*) basename "$1" .stp;;
	esac
}

wanted() {	# wanted SCRIPT CONFIG
	local name on arch=amd64
	name=$(name_of "$1")
	[[ "$1" != examples/* || -n "$(directive "$1" trigger)" &&
		"$(directive "$1" guest)" != no ]] || return 1
	[ "$(directive "$1" only)" != user ] && [ "$(directive "$1" clock)" = "$clock" ] || return 1
	[[ $2 != *-arm64 ]] || arch=arm64
	on=$(directive "$1" arch)
	[[ "${on:-$arch}" = "$arch" && "$(directive "$1" debug)$2" != no*-debug ]] || return 1
	on=$(directive "$1" configs)
	[ -z "$on" ] || [[ " $on " == *" $2 "* ]] || return 1
	[ ${#only[@]} -eq 0 ] || [[ " ${only[*]} " == *" $name "* ]]
}

# hold DIR: starts what `held` describes, which is known as /proc/NUMBER/exe then, here and in the
# guest; prints the pid.
hold() {
	local pid
	cp "$1/held" "$1/gone" || return 1
	"$1/gone" > /dev/null &
	pid=$!
	until [ "$(readlink "/proc/$pid/exe")" = "$1/gone" ]; do :; done
	rm "$1/gone"
	echo "$pid" | tee "$1/held.pid"
}

# build CONFIG SCRIPT DIR MODULE-NAME FILE [RUNTIME]: makes DIR/FILE.ko, or DIR/FILE.so for the user
# runtime. The script is read from its place in the tree, so that messages name it the same way
# everywhere; -m leaves the module in the current directory.
build() {
	local release runtime
	release=$("$vm" path "$1" release) runtime=${6:-$(directive "$2" runtime)}
	mkdir -p "$3/build" && cd "$3/build" || return 1
	local -x SYSTEMTAP_DEBUGINFO_PATH=$3
	local held=
	[ -z "$(directive "$top/$2" held)" ] || held=$(hold "$3")
	ln -sf "$top/$2" . && { [ ! -f "$top/${2%.stp}.meta" ] ||
		ln -sf "$top/${2%.stp}.meta" .; } &&
		"$top/lapwing" ${runtime:+--runtime=$runtime} -p4 -r "$release" -a "$(cd "$top" &&
			"$vm" path "$1" arch)" -m "$4" \
			$([ -z "$(directive "$(basename "$2")" program)$(directive "$(basename \
			"$2")" shared)" ] ||
				echo "--sysroot=$stage/triggers-$(cd "$top" &&
					"$vm" path "$1" arch)") \
			-D MAXTRYLOCK=100000000 $(directive "$(basename "$2")" options) \
			"$(basename "$2")" \
			$(directive "$(basename "$2")" arguments) $held > out 2> "$3/build.err"
	local status=$?
	[ -z "$held" ] || kill "$held"
	cd "$top" && [ $status -eq 0 ] || return 1
	if [ -n "$runtime" ]; then
		mv "$3/build/$4.so" "$3/$5.so" && cp lapwing-run $(ldd lapwing-run |
			grep -o '/[^ ]*') "$3/" &&
			{ [ -z "$(directive "$top/$2" record)" ] ||
				cp lapwing-record lapwing-report \
				$(ldd lapwing-record lapwing-report | grep -o '/[^ :]*[.]so[^ :]*' |
				sort -u) "$3/"; }
	else
		mv "$3/build/$4.ko" "$3/$5.ko"
	fi
}

# build_goldens CONFIG DIR: builds every script of testsuite/emit as a module, once the default way
# (which must not use kbuild), once with kbuild alone.
build_goldens() {
	local release arch way s name
	release=$("$vm" path "$1" release) arch=$("$vm" path "$1" arch)
	mkdir -p "$2/kit" "$2/kbuild" "$2/build"
	for s in testsuite/emit/*.stp; do
		name=$(basename "$s" .stp)
		for way in kit kbuild; do
			(cd "$2/$way" && "$top/lapwing" -v -p4 $([ $way = kit ] ||
				echo --disable-cache) -r "$release" -a "$arch" -m "g_$name" \
				"$top/$s" > /dev/null 2> "../build/$name.$way") ||
				{ cat "$2/build/$name.$way" > "$2/build.err"; return 1; }
			mv "$2/$way/g_$name.ko" "$2/$way/$name.ko"
		done
		! grep 'kbuild builds' "$2/build/$name.kit" > "$2/build.err" || return 1
	done
}

# build_kmod CONFIG NAME DIR: builds a trigger module, with plain kbuild.
build_kmod() {
	mkdir -p "$3/build/kmod" && cp "testsuite/triggers/kernel/$2.c" \
		testsuite/triggers/kernel/Kbuild "$3/build/kmod/" &&
		make -s -C "$("$vm" path "$1" headers)" M="$3/build/kmod" KMOD="$2" ARCH="$("$vm" \
			path "$1" arch)" KCFLAGS=-g0 \
			CROSS_COMPILE="$(case $1 in *arm64) echo aarch64-linux-gnu-;
			esac)" modules > "$3/build.err" 2>&1 &&
		cp "$3/build/kmod/$2.ko" "$3/"
}

# build_probed CONFIG: builds the module that scripts probe, with DWARF and with BTF based on the
# kernel's.
build_probed() {
	local dir=$stage/probed-$1
	[ ! -d "$dir" ] || return 0
	cp -r testsuite/triggers/module "$dir" &&
		make -s -C "$("$vm" path "$1" headers)" M="$dir" modules > "$dir/log" 2>&1 &&
		mkdir "$dir/plain" && cp "$dir/probed.ko" "$dir/plain/" &&
		pahole -J --btf_base "$("$vm" path "$1" vmlinux-or-btf)" \
			"$dir/probed.ko" >> "$dir/log" 2>&1 || { cat "$dir/log"; return 1; }
}

# prepare CONFIG SCRIPT NUMBER: makes the directory of one test in $stage/CONFIG and builds the
# module.
prepare() {
	local config=$1 script=$2 name module dir arch trigger kmod
	name=$(name_of "$script") module=t_${name//[^a-zA-Z0-9]/_}
	[ -z "$(directive "$script" own)" ] || module=lapwing_00000000
	dir=$(printf '%s/%s/%03d-%s' "$stage" "$config" "$3" "$name")
	arch=$("$vm" path "$config" arch)
	mkdir -p "$dir" && cp "$script" "$dir/script.stp"
	trigger=$(directive "$script" trigger)
	if [ -n "$trigger" ]; then
		cp "$stage/triggers-$arch/${trigger%% *}" "$dir/" || return 1
		printf './%s' "$trigger" > "$dir/trigger"
	fi
	kmod=$(directive "$script" kmod)
	[ -z "$(directive "$script" ctl)" ] || cp "$stage/triggers-$arch/lapwing-ctl" "$dir/" ||
		return 1
	[ -z "$(directive "$script" shared)" ] ||
		cp -r "$stage/triggers-$arch/"{uses,lib} "$dir/" || return 1
	case $(directive "$script" module) in
	probed) cp "$stage/probed-$config/probed.ko" "$dir/";;
	plain) cp "$stage/probed-$config/plain/probed.ko" "$dir/";;
	esac || return 1
	build "$config" "$script" "$dir" "$module" module &&
		{ [ -z "$kmod" ] || build_kmod "$config" "$kmod" "$dir"; } &&
		{ [ -z "$(directive "$script" goldens)" ] || build_goldens "$config" "$dir"; } &&
		case $(directive "$script" twice)$arch in
		yes*) build "$config" "$script" "$dir" "${module}_2" module2;;
		userx86_64) build "$config" "$script" "$dir" "${module}_2" module2 user;;
		esac ||
		{ rm -rf "$dir.failed"; mv "$dir" "$dir.failed"; return 1; }
	if [ -f "${script%.stp}.guest" ]; then
		cp "${script%.stp}.guest" "$dir/run"
	elif [ -f "$(dirname "$script")/guest" ]; then
		cp "$(dirname "$script")/run.sh" "$dir/" &&
			cp "$(dirname "$script")/guest" "$dir/run"
	else
		printf '%b' "$(directive "$script" input)" > "$dir/in"
		local runner='lapwing-run' module=module.ko
		[ -z "$(directive "$script" runtime)" ] ||
			runner='./ld-linux-x86-64.so.2 --library-path . ./lapwing-run' \
				module=module.so
		[ -z "$(directive "$script" program)" ] ||
			printf '#!/bin/sh\nln -sf "$PWD/%s" /\n' "${trigger%% *}" > "$dir/run"
		printf '#!/bin/sh\nexec %s %s%s ./%s %s < in\n' "$runner" "$(directive "$script" \
			run)" \
			"${trigger:+ -c \"./$trigger\"}" "$module" "$(directive "$script" \
			given)" >> "$dir/run"
	fi
	[ -z "${LAPWING_CYCLES:-}" ] || echo "$LAPWING_CYCLES" > "$dir/cycles"
	chmod +x "$dir/run"
}

# judge CONFIG SCRIPT NUMBER: prints the result of one test
judge() {
	local config=$1 script=$2 name dir base expect
	name=$(name_of "$script")
	dir=$(printf '%s/%s/%03d-%s' "$stage" "$config" "$3" "$name")
	base=${script%.stp}
	if [ -d "$dir.failed" ]; then
		result FAIL "kernel/$config/$name" "does not build"; cat "$dir.failed/build.err"
		return
	fi
	[ -f "$dir/status" ] || { result FAIL "kernel/$config/$name" "the guest never ran it"
	return; }
	expect=$(directive "$script" status)
	if [ "$(cat "$dir/status")" != "${expect:-0}" ]; then
		result FAIL "kernel/$config/$name" "exit status $(cat \
			"$dir/status"), not ${expect:-0}"; head -20 "$dir/err"; return
	fi
	if [ -z "$(directive "$script" oops)" ] &&
		grep -E -m 1 -A 40 "$complaints" "$dir/klog" > "$dir/complaint"; then
		result FAIL "kernel/$config/$name" "the kernel complains"; cat "$dir/complaint"
		return
	fi
	if [[ "$script" = examples/* ]]; then
		if ! sh testsuite/examples/judge.sh "${script%.stp}.meta" "$dir/out"; then
			result FAIL "kernel/$config/$name" "see above"; head -5 "$dir/err"; return
		fi
	elif [ -f "$(dirname "$script")/guest" ]; then
		if ! sh "$(dirname "$script")/judge-guest.sh" "$script" "$dir/out"; then
			result FAIL "kernel/$config/$name" "see above"; head -5 "$dir/err"; return
		fi
	elif [ -f "$base.check" ]; then
		if ! sh "$base.check" "$dir/out" "$dir/err" "$(cat "$dir/status")"; then
			result FAIL "kernel/$config/$name" "$(basename "$base.check") failed"
			head -20 "$dir/out" "$dir/err"; return
		fi
	elif ! diff -u "$base.out" "$dir/out" > "$dir/diff"; then
		result FAIL "kernel/$config/$name" "output differs"; head -40 "$dir/diff"
		head -5 "$dir/err"; return
	fi
	result PASS "kernel/$config/$name"
}

# build_shared ARCH CC: builds the program and the libraries for `shared`; the C library is the
# compiler's.
build_shared() {
	local to=$stage/triggers-$1 from=testsuite/triggers/shared loader=ld-linux-x86-64.so.2
	[ "$1" != arm64 ] || loader=ld-linux-aarch64.so.1
	mkdir -p "$to/lib" && cp "$("$2" -print-file-name=libc.so.6)" "$to/lib/" &&
		cp "$("$2" -print-file-name=$loader)" "$to/lib/ld.so" &&
		"$2" -g -O1 -shared -fPIC -o "$to/lib/libused.so" "$from/used.c" &&
			cp "$to/lib/libused.so" "$to/lib/libopened.so" &&
		"$2" -g -O1 -o "$to/uses" "$from/uses.c" -L "$to/lib" \
			-lused -Wl,-rpath,/lib,--dynamic-linker,/lib/ld.so
}

build_triggers() {	# build_triggers ARCH CC: once
	[ ! -d "$stage/triggers-$1" ] || return 0
	mkdir -p "$stage/triggers-$1" && build_shared "$@" || return 1
	"$2" -std=gnu11 -D_GNU_SOURCE -I. -static -o "$stage/triggers-$1/lapwing-ctl" \
		cmd/ctl.c runtime/run/{control,folder,leftovers}.c lib/{options,distance}.c ||
		return 1
	for c in testsuite/triggers/*.c; do
		"$2" -g -O1 -static -pthread -o "$stage/triggers-$1/$(basename "$c" .c)" "$c" ||
			return 1
	done
}

# share CONFIG: checks that the arguments are known for 99.5 % of those traceable functions that BTF
# can describe.
share() {
	local said
	said=$(testsuite/unit/share_driver "$("$vm" path "$1" arch)" "$("$vm" path "$1" symbols)" \
		"$("$vm" path "$1" vmlinux-or-btf)") &&
		result PASS "kernel/$1/share" || result FAIL "kernel/$1/share" "too few"
	printf '%s\n' "$said"
}

# fetch_config CONFIG: fetches its kernel and builds the triggers, which configurations of one
# architecture share
fetch_config() {
	local arch cc=gcc
	"$vm" fetch "$1" > "$stage/release" && arch=$("$vm" path "$1" arch) ||
		{ result FAIL "kernel/$1" "no kernel: see above"; return 1; }
	[ "$arch" != arm64 ] || cc=aarch64-linux-gnu-gcc
	build_triggers "$arch" $cc || { result FAIL "kernel/$1" "triggers do not build"; return 1; }
}

run_config() {
	local config=$1 arch scripts=() i=0 s runner room
	[[ -n "$clock" || ${#only[@]} -gt 0 && " ${only[*]} " != *" share "* ]] || share "$config"
	arch=$("$vm" path "$config" arch)
	case $arch in
	arm64) runner=lapwing-run-static-arm64;;
	*) runner=lapwing-run-static;;
	esac
	mkdir -p "$stage/$config"
	for s in testsuite/run-kernel/*.stp testsuite/run-user/*.stp testsuite/losses/*.stp \
		examples/*/*.stp \
		testsuite/run-kernel/last/*.stp; do
		[ -f "$s" ] && wanted "$s" "$config" && scripts+=("$s")
	done
	[ ${#scripts[@]} -gt 0 ] || { result FAIL "kernel/$config" "no tests match"; return; }
	for s in "${scripts[@]}"; do
		[ -z "$(directive "$s" module)" ] || build_probed "$config" ||
			result FAIL "kernel/$config" "the probed module does not build"
	done
	for s in "${scripts[@]}"; do
		i=$((i + 1))
		while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n; done
		prepare "$config" "$s" "$i" &
	done
	wait
	mkdir -p "$stage/failed-$config"
	case $config in
	*-debug) room=(--mem 2048 --timeout 7200 --test-timeout 1800);;
	*) room=(--timeout 3000 --test-timeout 400);;
	esac
	[ "${LAPWING_CYCLES:-0}" -le 200 ] || room+=(--timeout 86400 --test-timeout 86400)
	"$vm" run ${clock:+--icount} "${room[@]}" --file "$top/$runner:/bin/lapwing-run" \
		--kernel-log "$stage/$config.klog" \
		--batch "$stage/$config" "$config" < /dev/null ||
		result FAIL "kernel/$config" "the guest ended with status $?"
	i=0
	for s in "${scripts[@]}"; do
		i=$((i + 1))
		judge "$config" "$s" "$i"
	done
}

# A guest keeps one CPU busy, so two run side by side. The output of a configuration is printed in
# one piece. A kernel that has two names, such as `newest', runs once.
make -s testsuite/unit/share_driver
started=()
declare -A named
for config in "${configs[@]}"; do
	fetch_config "$config" || continue
	release=$(cat "$stage/release")
	[ -z "${named[$release]:-}" ] || { echo "$config is ${named[$release]}"; continue; }
	named[$release]=$config
	while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n; done
	run_config "$config" > "$stage/$config.said" 2>&1 &
	started+=("$config")
done
wait
for config in "${started[@]}"; do
	cat "$stage/$config.said"
done
! grep -q '^FAIL' "$stage/results"
