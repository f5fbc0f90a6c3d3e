# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.sh: part of lapwing-vm.  The verb `run`: options, the files a run brings along, the QEMU command line.
#
# Input:  the arguments of `run`; a cache entry (fetch.sh).
# Output: none; the process becomes the relay (relay.c), which does the rest.
#
# The initramfs of a run is an open file without a name by then, so that nothing needs to be removed after any death.

# split_pair WORD: HOST[:GUEST] into the globals from and to
split_pair()
{
	from=$1 to=
	if [ ! -e "$from" ] && [[ $from == *:/* ]]; then
		to=/${from##*:/}
		from=${from%:/*}
	fi
	[ -e "$from" ] || fail 2 "'$from' does not exist"
	[ -n "$to" ] || to=$(realpath -s "$from")
}

# add_file HOST GUEST: directories are merged into what is there
add_file()
{
	mkdir -p "$stage$(dirname "$2")" || fail_stage
	if [ -d "$1" ]; then
		mkdir -p "$stage$2" && cp -a "$1/." "$stage$2/" || fail_stage
	else
		cp -L --preserve=mode,timestamps "$1" "$stage$2" || fail_stage
	fi
}

fail_stage()
{
	fail 125 "cannot prepare the guest's files in '${TMPDIR:-/tmp}': make room there or set TMPDIR"
}

# find_library NAME OBJECT: where the loader on this machine would find it; rpath of the object first.  Prints the path
# and, for an rpath, keeps it; any other library goes to the guest's standard folder, as it has no ld.so.cache
find_library()
{
	local dir paths

	paths=$(readelf -dW "$2" | sed -nE 's/.*\((RPATH|RUNPATH)\).*\[(.*)\].*/\2/p' | tr ':' '\n')
	while read -r dir; do
		dir=${dir//'${ORIGIN}'/\$ORIGIN}
		dir=${dir//'$ORIGIN'/$(dirname "$(realpath "$2")")}
		[ -n "$dir" ] && [ -e "$dir/$1" ] && echo "$dir/$1 $(realpath -s "$dir/$1")" && return
	done <<<"$paths"
	for dir in "/lib/$triplet" "/usr/lib/$triplet" "/usr/$triplet/lib"; do
		[ -e "$dir/$1" ] && echo "$dir/$1 /lib/$triplet/$1" && return
	done
	dir=$(/sbin/ldconfig -p | awk -v name="$1" -v mark="$abi" \
		'$1 == name && index($0, mark) { print $NF; exit }')
	[ -n "$dir" ] && echo "$dir /lib/$triplet/$1"
}

# add_elf PROGRAM GUEST: the program, its interpreter and every library it needs, without running it
add_elf()
{
	local queue=("$1") object name found interpreter triplet=$triplet abi=${arch/_/-}
	local -A seen=()

	case $arch:$(readelf -hW "$1" 2>/dev/null | sed -n 's/ *Machine: *//p') in
	*:*"$machine"*) ;;
	x86_64:'Intel 80386')	triplet=i386-linux-gnu abi='(libc6)' ;;
	arm64:ARM)		triplet=arm-linux-gnueabihf abi=hard-float ;;
	*)	fail 2 "'$1' is not an ELF program for $arch (scripts and data: --file)" ;;
	esac
	add_file "$1" "$2"
	interpreter=$(readelf -lW "$1" | sed -n 's/.*program interpreter: \(.*\)\]/\1/p')
	if [ -n "$interpreter" ]; then
		found=$interpreter
		[ -e "$found" ] || found=/usr/$triplet/lib/$(basename "$interpreter")
		[ -e "$found" ] || fail 125 "the interpreter '$interpreter' of '$1' is not on this machine"
		add_file "$found" "$interpreter"
		seen[$(basename "$interpreter")]=1
	fi
	while [ ${#queue[@]} -gt 0 ]; do
		object=${queue[0]}
		queue=("${queue[@]:1}")
		while read -r name; do
			[ -z "${seen[$name]:-}" ] || continue
			seen[$name]=1
			found=$(find_library "$name" "$object") ||
				fail 125 "'$object' needs '$name', which is not on this machine"
			add_file "${found% *}" "${found##* }"
			queue+=("${found% *}")
		done < <(readelf -dW "$object" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
	done
}

# How long a loop takes, as this machine's kernel has measured it: the guest has its time stamp counter. Processors but the first one would
# measure it while another one runs, as 1 in 2,600 of what it is: no delay would delay, and who waits for a lock would give up at once.
loops()
{
	local hz

	hz=$(cat "$cache/kernels/$release"/tree/usr/src/*/.config 2> /dev/null | sed -n 's/^CONFIG_HZ=//p' | head -1)
	[ -n "$hz" ] && [ -z "$icount" ] || return
	awk -v hz="$hz" '$1 == "bogomips" { printf " lpj=%d", $3 * 500000 / hz; exit }' /proc/cpuinfo
}

# The machine of each architecture: the PVH entry of an ELF kernel on x86, a core with a usual PMU on arm64.
# Multi-threaded TCG patches x86 code unsafely across processors, which kills guests that attach probes. It emulates `rep stosb` byte by
# byte: without erms the kernel clears and copies pages by words, in an eighth of the time
set_machine()
{
	append="quiet mitigations=off nokaslr oops=panic panic=-1 random.trust_cpu=on cryptomgr.notests"
	case $arch in
	x86_64)
		need qemu-system-x86_64 qemu-system-x86
		qemu=(qemu-system-x86_64 -M "q35,sata=off,smbus=off,hpet=off" -accel "tcg,thread=single,tb-size=256"
			-cpu "${cpu:-max,la57=off,erms=off,fsrm=off}")
		append="console=ttyS0 $append tsc=reliable clocksource=tsc no_timer_check noreplace-smp reboot=t$(loops)"
		triplet=x86_64-linux-gnu machine=X86-64 ;;
	arm64)
		need qemu-system-aarch64 qemu-system-arm
		qemu=(qemu-system-aarch64 -M virt -accel "tcg,tb-size=256${icount:+,thread=single}"
			-cpu "${cpu:-neoverse-n1}")
		append="console=ttyAMA0 $append"
		triplet=aarch64-linux-gnu machine=AArch64 ;;
	esac
}

# number OPTION VALUE
number()
{
	[[ $2 =~ ^[1-9][0-9]*$ ]] || fail 2 "$1 takes a positive number, not '$2'"
}

parse_run_options()
{
	smp= mem= seconds= test_seconds=60 cpu= icount= log= batch= extra= fd3= files=() programs=()
	while [ $# -gt 0 ]; do
		case $1 in
		--icount) icount=1; shift; continue ;;
		--) break ;;
		--*) [ $# -ge 2 ] || fail 2 "$1 takes a value (see --help)" ;;
		*) break ;;
		esac
		case $1 in
		--file)		files+=("$2") ;;
		--elf)		programs+=("$2") ;;
		--smp)		number "$1" "$2"; smp=$2 ;;
		--mem)		number "$1" "$2"; mem=$2 ;;
		--timeout)	number "$1" "$2"; seconds=$2 ;;
		--test-timeout)	number "$1" "$2"; test_seconds=$2 ;;
		--cpu)		cpu=$2 ;;
		--kernel-log)	log=$2 ;;
		--append)	extra=$2 ;;
		--fd3)		fd3=$2 ;;
		--batch)	[ -d "$2" ] || fail 2 "'$2' is not a directory of tests"; batch=$(realpath "$2") ;;
		*)		fail 2 "'$1' is not an option of run (see --help)" ;;
		esac
		shift 2
	done
	kver=${1:-}
	[ -n "$kver" ] && [ "$kver" != -- ] || fail 2 "run takes a KVER (see --help)"
	shift
	[ "${1:-}" != -- ] || shift
	command=("$@")
	[ -z "$icount" ] || smp=${smp:-1}
	if [ -n "$batch" ]; then
		[ $# = 0 ] || fail 2 "run takes a command or --batch, not both"
	else
		[ $# -gt 0 ] || fail 2 "run takes a command after -- (see --help)"
	fi
}

# Everything a run lays over the base: init, files, programs, tests
fill_stage()
{
	local word init

	init=$(part "guest-$arch") || fail 125 "the guest's init for $arch is not built: install" \
		"gcc-${triplet//_/-}, and libc6-dev-arm64-cross for arm64, then configure and make again"
	chmod 755 "$stage"
	add_file "$init" /init
	for word in "${files[@]}"; do
		split_pair "$word"
		add_file "$from" "$to"
	done
	for word in "${programs[@]}"; do
		[[ $word == */* ]] || word=$(command -v "$word") || fail 2 "'$word' is not a program of this machine"
		split_pair "$word"
		add_elf "$from" "$to"
	done
	[ -z "$batch" ] || add_file "$batch" /batch
}

run_guest()
{
	local relay entry size relay_options=()

	parse_run_options "$@"
	fetch_kernel "$kver" || exit
	set_machine
	need cpio cpio
	need readelf binutils
	relay=$(part relay) || fail 125 "'relay' is not built: run make"
	entry=$cache/kernels/$release
	stage=$(mktemp -d -t lapwing-vm.XXXXXX) || fail_stage
	trap 'rm -rf "$stage" "$stage.initrd"' EXIT
	fill_stage
	{ cat "$entry/initrd" && pack_tree "$stage"; } >"$stage.initrd" || fail_stage
	size=$(($(stat -c %s "$stage.initrd") / 1048576))
	exec 9<"$stage.initrd"
	rm -rf "$stage" "$stage.initrd"
	qemu+=(-smp "${smp:-2}" -m "${mem:-$((size > 64 ? 512 + 3 * size : 512))}"
		-nodefaults -no-user-config -display none -vga none -nic none -serial stdio -no-reboot
		-chardev "socket,id=link,fd=3" -device virtio-serial-pci -device "virtserialport,chardev=link,nr=1,name=lapwing"
		-kernel "$entry/image" -initrd /proc/self/fd/9 -append "$append $extra")
	[ -z "$icount" ] || qemu+=(-icount "shift=0,sleep=off")
	[ -z "$log" ] || relay_options+=(-k "$log")
	[ -z "$fd3" ] || relay_options+=(-f "$fd3")
	[ -z "$batch" ] || relay_options+=(-b "$batch" -T "$test_seconds")
	relay_options+=(-t "${seconds:-$([ -n "$batch" ] && echo 3600 || echo 300)}")
	exec "$relay" "${relay_options[@]}" -- "${qemu[@]}" -- "${command[@]}"
}
