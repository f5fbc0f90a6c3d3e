# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# toolchain.sh: part of lapwing-vm. If a kernel is of another release of Debian than this machine:
# the compiler that its headers name, and the libraries that that release's kbuild tools need.
#
# Input:  the headers package of $release (fetch.sh); the machine's own apt sources.
# Output: in the cache toolchains/CODENAME-ARCH-GCC/{root,bin,complete}: unpacked packages, and
#         scripts that start their programs; the headers' tree, changed so that kbuild runs them.
#
# A program of a later release does not start with this machine's C library, so the script runs it
# with that release's dynamic linker and C library, and gcc starts cc1, as and collect2 the same
# way. A program of an earlier release runs with this machine's C library and finds other libraries
# by LD_LIBRARY_PATH. Nothing is installed, and root is not needed.

# The version of the gcc that built the kernel, from the dependencies of its headers
gcc_of_headers()
{
	depends_of "linux-headers-$release:$debarch" |
		sed -nE 's/(.*[, ])?(linux-compiler-)?gcc-([0-9]+).*/\3/p'
}

# The package of that gcc, for the kernel's architecture
gcc_package()
{
	if [ "$debarch" = "$host_debarch" ]; then
		echo "gcc-$gcc"
	else
		echo "gcc-$gcc-${arch/arm64/aarch64}-linux-gnu"
	fi
}

# download_closure CODENAME PACKAGE...: downloads packages of a release of Debian, with all their
# dependencies, into $work/toolchain
download_closure()
{
	local codename=$1 lists=$cache/apt/closure options

	shift
	options=("${apt_options[@]}" -o Dir::State::lists="$lists/lists" \
		-o Dir::Etc::sourcelist=/dev/null
		-o Dir::Etc::sourceparts="$lists/sources.d" -o Dir::Cache="$lists"
		-o Dir::Cache::archives="$work/toolchain" -o Dir::Log="$lists" \
			-o APT::Install-Recommends=false)
	[ -e "$cache/apt/sources.d/lapwing-derived.list" ] || derive_sources
	rm -rf "$lists" && mkdir -p "$lists"/{lists/partial,sources.d} "$work/toolchain/partial" ||
		fail_write
	grep -h " $codename\(-backports\|-security\)\? main" \
		"$cache/apt/sources.d/lapwing-derived.list" \
		>"$lists/sources.d/closure.list"
	apt-get "${options[@]}" update >"$cache/apt/log" 2>&1
	apt-get "${options[@]}" install -y --download-only "$@" >>"$cache/apt/log" 2>&1 ||
		fail 125 \
			"cannot download $* of Debian $codename, which Linux $release is built with:" \
			"is the network up? $(complaint log)"
}

# starter ELF OUT DIR [WORD...]: writes a script that starts ELF with the libraries of the toolchain
# DIR; WORDs are its first arguments
starter()
{
	local elf=$1 out=$2 root=$3/root libraries=

	shift 3
	libraries=$root/lib/x86_64-linux-gnu:$root/usr/lib/x86_64-linux-gnu
	printf '#!/bin/sh\n' >"$out" || fail_write
	if [ -n "$own_libc" ]; then
		printf 'exec %q --argv0 %q --library-path %q %q' \
			"$root/lib64/ld-linux-x86-64.so.2" "${elf%.elf}" "$libraries" "$elf"
	else
		printf 'LD_LIBRARY_PATH=%q exec %q' "$libraries" "$elf"
	fi >>"$out"
	[ $# = 0 ] || printf ' %q' "$@" >>"$out"
	# shellcheck disable=SC2016 # the program's own arguments
	printf ' "$@"\n' >>"$out" && chmod 755 "$out" || fail_write
}

# make_starters DIR PREFIX NEW: fills NEW/bin, which will be DIR/bin, with scripts that start gcc
# and binutils of DIR/root
make_starters()
{
	local dir=$1 prefix=$2 elf name libraries wrapper=()

	libraries=$dir/root/lib/x86_64-linux-gnu:$dir/root/usr/lib/x86_64-linux-gnu
	[ -z "$own_libc" ] || wrapper=(-wrapper \
		"$dir/root/lib64/ld-linux-x86-64.so.2,--library-path,$libraries")
	mkdir -p "$3/bin" || fail_write
	for elf in "$3/root/usr/bin/$prefix"*; do
		name=${elf##*/}
		elf=$dir/root/usr/bin/$name
		case $name in
		"${prefix}gcc-$gcc")
			starter "$elf" "$3/bin/$name" "$dir" -B "$dir/root/usr/bin/$prefix" \
				"${wrapper[@]}" ;;
		"$prefix"*-[0-9]*)	;;
		*)	starter "$elf" "$3/bin/$name" "$dir" ;;
		esac
	done
	[ -e "$3/bin/${prefix}gcc-$gcc" ]
}

# True if the C library of a package is later than this machine's
is_later_libc()
{
	dpkg --compare-versions "$(dpkg-deb -f "$1" Version)" gt "$(dpkg-query -W -f '${Version}' \
		libc6)"
}

# unpack_closure NEW FINAL: unpacks what download_closure got into NEW/root, which will be
# FINAL/root. Sets the caller's own_libc if the programs need the C library of that release
unpack_closure()
{
	local deb link

	mkdir -p "$1/root" "$cache/toolchains" || fail_write
	for deb in "$work"/toolchain/*.deb; do
		case ${deb##*/} in
		linux-*|perl*|python*) continue ;;
		libc6_*) is_later_libc "$deb" && own_libc=yes || continue ;;
		esac
		dpkg-deb -x "$deb" "$1/root" ||
			fail_unpack "cannot unpack ${deb##*/}: run the command again to download it anew"
	done
	[ -e "$1/root/lib64" ] || ln -s usr/lib64 "$1/root/lib64"
	[ -e "$1/root/lib" ] || ln -s usr/lib "$1/root/lib"
	while read -r link; do
		ln -sfn "$2/root$(readlink "$link")" "$link" || fail_write
	done < <(find "$1/root" -type l -lname '/*')
	rm -rf "$1/root/usr/share" "$2"
}

# Moves $work/new to $toolchain
install_toolchain()
{
	touch "$work/new/complete" && mv "$work/new" "$toolchain" || fail_write
}

# Sets toolchain: the folder of the toolchain for $release, created if needed; empty if this
# machine's own tools can be used. Sets own_libc: not empty if its programs need a later C library
# than this machine has
fetch_toolchain()
{
	local codename gcc own prefix=${arch/arm64/aarch64}-linux-gnu- kbuild

	toolchain=
	codename=$(codename_of "linux-headers-$release:$debarch")
	own=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	gcc=$(gcc_of_headers)
	[ -n "$codename" ] && [ -n "$gcc" ] && [ "$codename" != "$own" ] || return 0
	[ "$host_debarch" = amd64 ] ||
		fail 125 \
			"the tools in the headers of Linux $release, of Debian $codename, run on amd64 machines only"
	toolchain=$cache/toolchains/$codename-$debarch-gcc-$gcc
	own_libc=$([ -e "$toolchain/root/lib64/ld-linux-x86-64.so.2" ] && echo yes)
	[ ! -e "$toolchain/complete" ] || return 0
	note "fetching gcc-$gcc of Debian $codename (once)"
	kbuild=$(header_packages | sed -n '/^linux-kbuild/s/:.*//p')
	download_closure "$codename" "$(gcc_package)" "$kbuild"
	unpack_closure "$work/new" "$toolchain"
	make_starters "$toolchain" "$prefix" "$work/new" ||
		fail_unpack "the packages of Debian $codename have no ${prefix}gcc-$gcc"
	install_toolchain
}

# use_toolchain HEADERS: makes kbuild run $toolchain's compiler, and its own tools with $toolchain's
# libraries if this machine's are too old
use_toolchain()
{
	local elf final

	[ -n "$toolchain" ] || return 0
	printf 'override CROSS_COMPILE = %s-linux-gnu-\n' \
		"$toolchain/bin/${arch/arm64/aarch64}" >>"$1/.kernelvariables" ||
		fail_write
	[ -n "$own_libc" ] || return 0
	while read -r elf; do
		[ "$(piece "$elf" 1 3)" = ELF ] || continue
		final=$cache/kernels/$release/${elf#"$work/entry/"}
		mv "$elf" "$elf.elf" && starter "$final.elf" "$elf" "$toolchain"
	done < <(find "$work/entry/tree/usr/lib/" -path '*linux-kbuild-*' -type f -perm -100)
}
