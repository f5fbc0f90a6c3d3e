#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-kernel.sh - runs scripts as kernel modules in guests: a few boots of each configuration run all of them.
#
# A test is NAME.stp here, or one of testsuite/run-user without "#@ only: user", or losses_NAME, testsuite/losses/NAME.stp, which run there
# as testsuite/losses/guest says. Beside it:
#   NAME.out    expected standard output, or NAME.check, a shell script run as `NAME.check OUT ERR STATUS` on the host
#   NAME.guest  optional: a shell script run in the guest instead of lapwing-run; finds module.ko and the triggers here
# Directives are comments in the script:
#   #@ trigger: getppid 4 10000    -c, a program of testsuite/triggers
#   #@ options: -D MAXERRORS=3     to lapwing          #@ run: --only-target     to lapwing-run
#   #@ given: n=5 name=x           -G n=5 -G name=x to lapwing; n=5 name=x to lapwing-run
#   #@ input: one\ntwo\n          standard input, with printf's escapes
#   #@ status: 1                   expected exit status (0)
#   #@ configs: 6.1                only there          #@ not: 6.1-debug         not there
#   #@ arch: x86_64                on such machines    #@ only: kernel           not in the user runtime
#   #@ kmod: chain                 the guest script finds chain.ko, built of testsuite/triggers/kernel/chain.c
#   #@ drivers: sd_mod nfsd        of the kernel's own package: the guest finds them and those they need, and the file `drivers`, which
#                                  names all of them in the order to load them in; scripts may probe them
#   #@ goldens: yes                the guest script also gets kit/NAME.ko and kbuild/NAME.ko of every script of testsuite/emit
#   #@ oops: yes                   the kernel may complain
#   #@ runtime: user               the script runs in the guest's user runtime, with the C library of this machine: amd64 only
#   #@ record: yes                 with that, the guest finds lapwing-record, lapwing-watch and lapwing-report too
#   #@ module: probed              a module of testsuite/triggers/module is there: for the script and the guest; plain: without BTF
#   #@ program: yes               the trigger is probed: it is the file /NAME
#   #@ held: yes                   $1 is the number of a process of the trigger `held`, whose file is gone; the guest finds it in held.pid
#   #@ twice: yes                  the guest script also gets module2.ko, the same script under another module name; twice: user: on amd64
#                                  module2.so, the same script for the user runtime, with the C library of this machine
#   #@ ctl: yes                   the guest finds lapwing-ctl here
#   #@ own: yes                    the module is named as lapwing names its own: each session gets a name, and they can be side by side
#   #@ guard: yes                  with the guard against overload, which others run without: what share of a slow guest's
#                                  processor handlers take is not the script's
#   #@ clock: instructions         its times mean something: it runs in a guest whose clock counts instructions (--icount, or by name)
#   #@ long: FAULT                 not in the gate; FAULT is what it alone would catch
# The configuration 6.1-debug (make debug-kernel) has KASAN, lockdep and kmemleak; it takes an hour and is not run by default.
# The test `share` is of the kernel's own lists, without a script.
# A guest's processor may stop for long while another wants its lock: scripts wait for locks, unless they say -D MAXTRYLOCK themselves.
# After each test the kernel log is searched for what a kernel complains with (complaints.sh).
# LAPWING_CYCLES=N makes the test `cycles` load and unload N times (make soak: 10,000).
# With --icount the guest's clock counts instructions, and only tests run that want such a clock. With --gate those run that are short.
# --names prints the tests that would run, and runs none.
# Usage: check-kernel.sh [--icount] [--gate] [--names] [-c CONFIG]... [NAME]...   Results go to stdout and to $LAPWING_TEST_RESULTS,
# what failed tests left to $LAPWING_TEST_LOGS.
set -u
. "$(dirname "$0")/../common.sh"
top=$PWD
vm=runtime/vm/lapwing-vm
configs=() only=() clock= gate= names=
while [ $# -gt 0 ]; do
	case $1 in
	-c) configs+=("$2"); shift 2;;
	--icount) clock=instructions; shift;;
	--gate) gate=yes; shift;;
	--names) names=yes; shift;;
	*) only+=("$1"); shift;;
	esac
done
[ ${#configs[@]} -gt 0 ] || configs=(6.1 6.12 6.1-arm64)
results=${LAPWING_TEST_RESULTS:-/dev/null} logs=${LAPWING_TEST_LOGS:-} seconds=${LAPWING_TEST_SECONDS:-/dev/null}
logs=${logs:-$work/logs}

result() {	# result PASS|FAIL|FLAKY|SKIP NAME [REASON]
	printf '%s\n' "$*" | tee -a "$results"
	[ "$1" != FAIL ] || failed=$((failed + 1))
}

name_of() {	# name_of SCRIPT: its test's name
	local name=${1##*/}
	[[ $1 != testsuite/losses/* ]] || name=losses_$name
	echo "${name%.stp}"
}

# scripts_of CONFIG: those that are wanted there, in the order in which they run
scripts_of() {
	local arch=x86_64
	[[ $1 != *-arm64 ]] || arch=arm64
	awk -v config="$1" -v arch=$arch -v clock="$clock" -v gate="$gate" '
		function decide() {
			if (said["only"] != "user" && said["clock"] == clock && (gate == "" || said["long"] == "") &&
				(said["arch"] == "" || said["arch"] == arch) && !index(" " said["not"] " ", " " config " ") &&
				(said["configs"] == "" || index(" " said["configs"] " ", " " config " "))) print script
		}
		FNR == 1 && script { decide() }
		FNR == 1 { script = FILENAME; split("", said) }
		sub(/^#@ /, "") { colon = index($0, ":"); said[substr($0, 1, colon - 1)] = substr($0, colon + 2) }
		END { decide() }' testsuite/{run-kernel,run-user,losses,run-kernel/last}/*.stp |
		while read -r script; do
			[ ${#only[@]} -gt 0 ] && [[ " ${only[*]} " != *" $(name_of "$script") "* ]] || echo "$script"
		done
}

# shared: does the test `share` run?
shared() { [ -z "$clock" ] && { [ ${#only[@]} -eq 0 ] || [[ " ${only[*]} " == *" share "* ]]; }; }

# names_of CONFIG
names_of() {
	local script
	! shared || echo "kernel/$1/share"
	for script in $(scripts_of "$1"); do echo "kernel/$1/$(name_of "$script")"; done
}

# hold DIR: starts what `held` says, which is known as /proc/NUMBER/exe then, here and in the guest; prints the number.
hold() {
	local pid
	cp "$1/held" "$1/gone" || return 1
	# A small number may be that of a kernel thread in the guest. (SIGTERM is lost where this shell's child has not become the program yet.)
	while [ "${pid:-0}" -lt 1000 ]; do
		[ -z "${pid:-}" ] || { kill -KILL "$pid"; wait "$pid"; } 2> /dev/null
		"$1/gone" > /dev/null &
		pid=$!
	done
	until [ "$(readlink "/proc/$pid/exe")" = "$1/gone" ]; do :; done
	rm "$1/gone"
	echo "$pid" | tee "$1/held.pid"
}

# build CONFIG SCRIPT DIR MODULE-NAME FILE [RUNTIME]: DIR/FILE.ko, or DIR/FILE.so for the user runtime. The script is read where and as it
# stands in the tree, so that messages name it the same way everywhere; -m leaves the module in the current directory.
build() {
	local release runtime
	release=$("$vm" path "$1" release) runtime=${6:-$(directive "$2" runtime)}
	mkdir -p "$3/build" && cd "$3/build" || return 1
	local -x SYSTEMTAP_DEBUGINFO_PATH=$3
	local held= guard="-D STP_NO_OVERLOAD"
	[ -z "$(directive "$top/$2" guard)" ] || guard=
	[ -z "$(directive "$top/$2" held)" ] || held=$(hold "$3")
	ln -sf "$top/$2" . &&
		"$top/lapwing" ${runtime:+--runtime=$runtime} -p4 -r "$release" -a "$(cd "$top" && "$vm" path "$1" arch)" -m "$4" \
			$([ -z "$(directive "$(basename "$2")" program)$(directive "$(basename "$2")" shared)" ] ||
				echo "--sysroot=$work/triggers-$(cd "$top" && "$vm" path "$1" arch)") \
			-D MAXTRYLOCK=100000000 $guard $(directive "$(basename "$2")" options) "$(basename "$2")" $held > out 2> "$3/build.err"
	local status=$?
	[ -z "$held" ] || kill "$held"
	cd "$top" && [ $status -eq 0 ] || return 1
	if [ -n "$runtime" ]; then
		mv "$3/build/$4.so" "$3/$5.so" && cp lapwing-run $(ldd lapwing-run | grep -o '/[^ ]*') "$3/" &&
			{ [ -z "$(directive "$top/$2" record)" ] || cp lapwing-record lapwing-watch lapwing-report \
				$(ldd lapwing-record lapwing-watch lapwing-report | grep -o '/[^ :]*[.]so[^ :]*' | sort -u) "$3/"; }
	else
		mv "$3/build/$4.ko" "$3/$5.ko"
	fi
}

# build_goldens CONFIG DIR: every script of testsuite/emit as a module, once as usual (and then not through kbuild), once by kbuild alone.
build_goldens() {
	local release arch way s name
	release=$("$vm" path "$1" release) arch=$("$vm" path "$1" arch)
	mkdir -p "$2/kit" "$2/kbuild" "$2/build"
	for s in testsuite/emit/*.stp; do
		name=$(basename "$s" .stp)
		for way in kit kbuild; do
			(cd "$2/$way" && "$top/lapwing" -v -p4 $([ $way = kit ] || echo --disable-cache) -r "$release" -a "$arch" -m "g_$name" \
				"$top/$s" > /dev/null 2> "../build/$name.$way") || { cat "$2/build/$name.$way" > "$2/build.err"; return 1; }
			mv "$2/$way/g_$name.ko" "$2/$way/$name.ko"
		done
		! grep 'kbuild builds' "$2/build/$name.kit" > "$2/build.err" || return 1
	done
}

# The compiler that a kernel's modules are built by: words for make
compiler_of() {
	case $1 in
	*-clang) echo LLVM=-16;;
	*-arm64) echo CROSS_COMPILE=aarch64-linux-gnu-;;
	esac
}

# build_kmod CONFIG NAME DIR: a trigger module, by plain kbuild.
build_kmod() {
	mkdir -p "$3/build/kmod" && cp "testsuite/triggers/kernel/$2.c" "$3/build/kmod/" && echo "obj-m := $2.o" > "$3/build/kmod/Makefile" &&
		make -s -C "$("$vm" path "$1" headers)" M="$3/build/kmod" ARCH="$("$vm" path "$1" arch)" KCFLAGS=-g0 \
			$(compiler_of "$1") modules > "$3/build.err" 2>&1 &&
		cp "$3/build/kmod/$2.ko" "$3/"
}

# build_probed CONFIG: the module that scripts probe, with DWARF and, on top of the kernel's, BTF.
build_probed() {
	local dir=$work/probed-$1
	[ ! -d "$dir" ] || return 0
	cp -r testsuite/triggers/module "$dir" &&
		make -s -C "$("$vm" path "$1" headers)" M="$dir" $(compiler_of "$1") modules > "$dir/log" 2>&1 &&
		mkdir "$dir/plain" && cp "$dir/probed.ko" "$dir/plain/" &&
		pahole -J --btf_base "$("$vm" path "$1" vmlinux-or-btf)" "$dir/probed.ko" >> "$dir/log" 2>&1 || { cat "$dir/log"; return 1; }
}

# copy_drivers CONFIG DIR NAME...: the kernel's own modules of these names, after those that they need.
copy_drivers() {
	local modules name file
	[ $# -gt 2 ] || return 0
	modules=$("$vm" path "$1" modules)/lib/modules || return 1
	for name in "${@:3}"; do
		file=$(find "$modules" -name "${name//[-_]/[-_]}.ko" -print -quit) name=$(basename "$file" .ko)
		[ ! -e "$2/$name.ko" ] || continue
		# shellcheck disable=SC2046 # words
		[ -n "$file" ] && copy_drivers "$1" "$2" $(modinfo -F depends "$file" | tr , ' ') &&
			cp "$file" "$2/" && echo "$name" >> "$2/drivers" || return 1
	done
}

# prepare CONFIG SCRIPT DIR: the directory of one test, module built; DIR.failed when it does not build.
prepare() {
	local config=$1 script=$2 dir=$3 name module arch trigger kmod
	name=$(name_of "$script") module=t_${name//[^a-zA-Z0-9]/_}
	[ -z "$(directive "$script" own)" ] || module=lapwing_00000000
	arch=$("$vm" path "$config" arch)
	mkdir -p "$dir" && cp "$script" "$dir/script.stp"
	trigger=$(directive "$script" trigger)
	if [ -n "$trigger" ]; then
		cp "$work/triggers-$arch/${trigger%% *}" "$dir/" || return 1
		printf './%s' "$trigger" > "$dir/trigger"
	fi
	kmod=$(directive "$script" kmod)
	[ -z "$(directive "$script" ctl)" ] || cp "$work/triggers-$arch/lapwing-ctl" "$dir/" || return 1
	[ -z "$(directive "$script" shared)" ] || cp -r "$work/triggers-$arch/"{uses,lib} "$dir/" || return 1
	case $(directive "$script" module) in
	probed) cp "$work/probed-$config/probed.ko" "$dir/";;
	plain) cp "$work/probed-$config/plain/probed.ko" "$dir/";;
	esac || return 1
	# shellcheck disable=SC2046 # words
	copy_drivers "$config" "$dir" $(directive "$script" drivers) || return 1
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
		cp "$(dirname "$script")/run.sh" "$work/triggers-$arch/lapwing-ctl" "$dir/" && cp "$(dirname "$script")/guest" "$dir/run"
	else
		printf '%b' "$(directive "$script" input)" > "$dir/in"
		local runner='lapwing-run' module=module.ko
		[ -z "$(directive "$script" runtime)" ] || runner='./ld-linux-x86-64.so.2 --library-path . ./lapwing-run' module=module.so
		[ -z "$(directive "$script" program)" ] || printf '#!/bin/sh\nln -sf "$PWD/%s" /\n' "${trigger%% *}" > "$dir/run"
		printf '#!/bin/sh\nexec %s %s%s ./%s %s < in\n' "$runner" "$(directive "$script" run)" \
			"${trigger:+ -c \"./$trigger\"}" "$module" "$(directive "$script" given)" >> "$dir/run"
	fi
	[ -z "${LAPWING_CYCLES:-}" ] || echo "$LAPWING_CYCLES" > "$dir/cycles"
	chmod +x "$dir/run"
}

# judge SCRIPT DIR: 0 when it passed; else 1, the reason in DIR/reason and what shows it in DIR/evidence
judge() {
	local script=$1 dir=$2 base=${1%.stp} expect
	: > "$dir/evidence"
	expect=$(directive "$script" status)
	if [ ! -f "$dir/status" ]; then
		echo "the guest never ran it" > "$dir/reason"
	elif [ "$(cat "$dir/status")" != "${expect:-0}" ]; then
		echo "exit status $(cat "$dir/status"), not ${expect:-0}" > "$dir/reason"
	elif [ -z "$(directive "$script" oops)" ] && ! sh testsuite/run-kernel/complaints.sh "$dir" > "$dir/evidence"; then
		echo "the kernel complains" > "$dir/reason"
	elif [ -f "$(dirname "$script")/guest" ]; then
		sh "$(dirname "$script")/judge-guest.sh" "$script" "$dir/out" > "$dir/evidence" && return
		echo "its books or values are wrong" > "$dir/reason"
	elif [ -f "$base.check" ]; then
		sh "$base.check" "$dir/out" "$dir/err" "$(cat "$dir/status")" > "$dir/evidence" 2>&1 && return
		echo "$(basename "$base.check") says no" > "$dir/reason"
	else
		diff -u "$base.out" "$dir/out" > "$dir/evidence" && return
		echo "output differs" > "$dir/reason"
	fi
	return 1
}

# record DIR LOG: all that a failed test left, for whoever reads the results
record() {
	local part
	mkdir -p "$(dirname "$2")"
	for part in klog out err evidence reason; do
		[ ! -s "$1/$part" ] || { echo "--- $part"; tail -n 200 "$1/$part"; }
	done > "$2"
}

# build_shared ARCH CC: what `shared` says; the C library is the compiler's.
build_shared() {
	local to=$work/triggers-$1 from=testsuite/triggers/shared loader=ld-linux-x86-64.so.2
	[ "$1" != arm64 ] || loader=ld-linux-aarch64.so.1
	mkdir -p "$to/lib" && cp "$("$2" -print-file-name=libc.so.6)" "$to/lib/" && cp "$("$2" -print-file-name=$loader)" "$to/lib/ld.so" &&
		"$2" -g -O1 -shared -fPIC -o "$to/lib/libused.so" "$from/used.c" && cp "$to/lib/libused.so" "$to/lib/libopened.so" &&
		"$2" -g -O1 -o "$to/uses" "$from/uses.c" -L "$to/lib" -lused -Wl,-rpath,/lib,--dynamic-linker,/lib/ld.so
}

build_triggers() {	# build_triggers ARCH CC: those of `scripts`
	local to=$work/triggers-$1 name linked
	mkdir -p "$to" || return 1
	! grep -q '^#@ shared:' "${scripts[@]}" || build_shared "$@" || return 1
	"$2" -std=gnu11 -D_GNU_SOURCE -I. -static -o "$to/lapwing-ctl" \
		$(sed -n 's/^lapwing_ctl_SOURCES = //p' cmd/local.mk | grep -o '[^ ]*\.c') || return 1
	for name in $(sed -n 's/^#@ trigger: *\([^ ]*\).*/\1/p' "${scripts[@]}" | sort -u); do
		linked=$(sed -n 's/^ \* Linked: //p' "testsuite/triggers/$name.c")
		"$2" -g -O1 ${linked:--static} -pthread -o "$to/$name" "testsuite/triggers/$name.c" || return 1
	done
}

# share CONFIG: of how many functions that can be traced are the arguments known? At least 99 % of the source's own.
share() {
	local said
	make -s testsuite/unit/share_driver
	said=$(testsuite/unit/share_driver "$("$vm" path "$1" arch)" "$("$vm" path "$1" symbols)" "$("$vm" path "$1" vmlinux-or-btf)") &&
		result PASS "kernel/$1/share" || result FAIL "kernel/$1/share" "too few"
	printf '%s\n' "$said"
}

# The tests of a configuration are run in some boots, so that the modules of the next are built while a guest runs: 16, then 48 at a time.
boot_of() {	# boot_of INDEX
	echo $(($1 < 16 ? 0 : 1 + ($1 - 16) / 48))
}

place_of() {	# place_of CONFIG INDEX: the directory of a test of `scripts`
	printf '%s/%s/%s/%03d-%s' "$work" "$1" "$(boot_of "$2")" "$2" "$(name_of "${scripts[$2]}")"
}

# prepare_boot CONFIG BOOT: builds its tests, two at a time
prepare_boot() {
	local i
	for i in "${!scripts[@]}"; do
		[ "$(boot_of "$i")" = "$2" ] || continue
		while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n; done
		prepare "$1" "${scripts[i]}" "$(place_of "$1" "$i")" &
	done
	wait
}

run_guest() {	# run_guest CONFIG DIR-OF-TESTS
	local room=(--timeout 5000 --test-timeout 600)
	[[ $1 != *-debug ]] || room=(--mem 2048 --timeout 7200 --test-timeout 1800)
	[ "${LAPWING_CYCLES:-0}" -le 200 ] || room=(--timeout 86400 --test-timeout 86400)
	(set -o pipefail
	"$vm" run ${clock:+--icount} "${room[@]}" --file "$top/$runner:/bin/lapwing-run" --kernel-log "$2.klog" --batch "$2" "$1" < /dev/null |
		tee "$2.said")
}

# conclude CONFIG INDEX: a test that failed beside others is run once more, alone in a fresh boot. Passing then is FLAKY, which is no pass.
conclude() {
	local name script=${scripts[$2]} dir again reason status
	dir=$(place_of "$1" "$2") again=$work/again/$1/$2
	name=kernel/$1/$(name_of "$script")
	if [ -d "$dir.failed" ]; then
		cp "$dir.failed/build.err" "$dir.failed/evidence"
		record "$dir.failed" "$logs/$name.log"
		result FAIL "$name" "does not build"; head -40 "$dir.failed/build.err"; return
	fi
	awk -v name="$name" -v dir="$(basename "$dir")" '$1 == dir { print name, $3 }' "$(dirname "$dir").said" >> "$seconds"
	! judge "$script" "$dir" || { result PASS "$name"; return; }
	reason=$(cat "$dir/reason")
	record "$dir" "$logs/$name.log"
	if [ ${#scripts[@]} -gt 1 ] && [ $((++repeated)) -le 6 ]; then
		echo "$name failed ($reason): once more, alone"
		mkdir -p "$again" && prepare "$1" "$script" "$again/000-again" && run_guest "$1" "$again"
		judge "$script" "$again/000-again" && status=0 || status=1
		record "$again/000-again" "$logs/$name.again.log"
		[ $status -ne 0 ] || { result FLAKY "$name" "$reason"; return; }
	fi
	result FAIL "$name" "$reason"; head -40 "$dir/evidence"; head -20 "$dir/err"
}

run_config() {
	local config=$1 arch scripts=($(scripts_of "$1")) i=0 s runner boots repeated=0
	"$vm" fetch "$config" > "$work/release" || { result FAIL "kernel/$config" "no kernel: see above"; return; }
	! shared || share "$config"
	[ "${only[*]}" != share ] || return
	[ ${#scripts[@]} -gt 0 ] || { result FAIL "kernel/$config" "no tests match"; return; }
	arch=$("$vm" path "$config" arch)
	case $arch in
	arm64) build_triggers arm64 aarch64-linux-gnu-gcc; runner=lapwing-run-static-arm64;;
	*) build_triggers "$arch" gcc; runner=lapwing-run-static;;
	esac || { result FAIL "kernel/$config" "triggers do not build"; return; }
	for s in "${scripts[@]}"; do
		[ -z "$(directive "$s" module)" ] || build_probed "$config" || result FAIL "kernel/$config" "the probed module does not build"
	done
	boots=$(($(boot_of $((${#scripts[@]} - 1))) + 1))
	prepare_boot "$config" 0 &
	for ((i = 0; i < boots; i++)); do
		wait $!
		prepare_boot "$config" $((i + 1)) &
		mkdir -p "$work/$config/$i"
		run_guest "$config" "$work/$config/$i" || result FAIL "kernel/$config" "the guest of boot $i ended with status $?"
	done
	wait
	for i in "${!scripts[@]}"; do
		conclude "$config" "$i"
	done
}

for config in "${configs[@]}"; do
	if [ -n "$names" ]; then names_of "$config"; else run_config "$config"; fi
done
[ "$failed" -eq 0 ]
