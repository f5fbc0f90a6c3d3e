# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# toolchain.sh: part of lapwing-vm.  The compiler that a kernel's headers name, and the libraries that kbuild's tools
# of that release of Debian want, where this machine has another release.
#
# Input:  the headers package of $release (fetch.sh); the machine's own apt sources.
# Output: in the cache toolchains/CODENAME-ARCH-GCC/{root,bin,complete}: packages unpacked, and programs that start them
#         with their own C library; the headers' tree changed so that kbuild runs them.
#
# A program of a later release cannot start with this machine's C library, so each runs through the dynamic linker of
# its own, and gcc starts cc1, as and collect2 the same way; one of an earlier release runs with this machine's, and
# finds the other libraries by LD_LIBRARY_PATH.  Nothing is installed, and no root is needed.

# The number of the gcc that built the kernel, as its headers depend on it
gcc_of_headers()
{
	depends_of "linux-headers-$release:$debarch" | sed -nE 's/(.*[, ])?(linux-compiler-)?gcc-([0-9]+).*/\3/p'
}

# The package of that gcc, for the machine that the kernel is for
gcc_package()
{
	if [ "$debarch" = "$host_debarch" ]; then
		echo "gcc-$gcc"
	else
		echo "gcc-$gcc-${arch/arm64/aarch64}-linux-gnu"
	fi
}

# Packages with all that they depend on, out of one release of Debian, into $work/toolchain
download_closure()
{
	local codename=$1 lists=$cache/apt/closure options

	shift
	options=(-o Dir::State::lists="$lists/lists" -o Dir::Etc::sourcelist=/dev/null
		-o Dir::Etc::sourceparts="$lists/sources.d" -o Dir::Cache="$lists"
		-o Dir::Cache::archives="$work/toolchain" -o Dir::Log="$lists" -o APT::Install-Recommends=false)
	[ -e "$cache/apt/sources.d/lapwing-derived.list" ] || derive_sources
	rm -rf "$lists" && mkdir -p "$lists"/{lists/partial,sources.d} "$work/toolchain/partial" || fail_write
	grep -h " $codename\(-backports\|-security\)\? main" "$cache/apt/sources.d/lapwing-derived.list" \
		>"$lists/sources.d/closure.list"
	progress_begin "downloading gcc-$gcc of Debian $codename"
	apt_get "${options[@]}" update >"$cache/apt/log" 2>&1
	apt_get "${options[@]}" install -y --download-only "$@" >>"$cache/apt/log" 2>&1 ||
		fail 125 "cannot download $* of Debian $codename, which Linux $release is built with:" \
			"is the network up? $(update_complaint)"
}

# starter ELF OUT DIR [WORD...]: a program that starts ELF with the libraries of the toolchain DIR; WORDs come first
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

# Fills DIR/bin with gcc and binutils of DIR/root
make_starters()
{
	local dir=$1 prefix=$2 elf name libraries wrapper=()

	libraries=$dir/root/lib/x86_64-linux-gnu:$dir/root/usr/lib/x86_64-linux-gnu
	[ -z "$own_libc" ] || wrapper=(-wrapper "$dir/root/lib64/ld-linux-x86-64.so.2,--library-path,$libraries")
	mkdir -p "$3/bin" || fail_write
	for elf in "$3/root/usr/bin/$prefix"*; do
		name=${elf##*/}
		elf=$dir/root/usr/bin/$name
		case $name in
		"${prefix}gcc-$gcc")
			starter "$elf" "$3/bin/$name" "$dir" -B "$dir/root/usr/bin/$prefix" "${wrapper[@]}" ;;
		"$prefix"*-[0-9]*)	;;
		*)	starter "$elf" "$3/bin/$name" "$dir" ;;
		esac
	done
	[ -e "$3/bin/${prefix}gcc-$gcc" ]
}

# Is the C library of a package the later one?
is_later_libc()
{
	dpkg --compare-versions "$(dpkg-deb -f "$1" Version)" gt "$(dpkg-query -W -f '${Version}' libc6)"
}

# Sets toolchain: the folder of the toolchain for $release, made when it is not there; empty: this machine's own tools do.
# Sets own_libc: not empty where its programs need a later C library than this machine has
fetch_toolchain()
{
	local codename gcc own prefix=${arch/arm64/aarch64}-linux-gnu- kbuild deb link

	toolchain=
	codename=$(codename_of "linux-headers-$release:$debarch")
	own=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	gcc=$(gcc_of_headers)
	[ -n "$codename" ] && [ -n "$gcc" ] && [ "$codename" != "$own" ] || return 0
	[ "$host_debarch" = amd64 ] ||
		fail 125 "the headers of Linux $release are of Debian $codename: their tools run on amd64 machines only"
	toolchain=$cache/toolchains/$codename-$debarch-gcc-$gcc
	own_libc=$([ -e "$toolchain/root/lib64/ld-linux-x86-64.so.2" ] && echo yes)
	[ ! -e "$toolchain/complete" ] || return 0
	note "fetching gcc-$gcc of Debian $codename (once)"
	kbuild=$(header_packages | sed -n '/^linux-kbuild/s/:.*//p')
	download_closure "$codename" "$(gcc_package)" "$kbuild"
	progress_begin "unpacking gcc-$gcc of Debian $codename"
	mkdir -p "$work/new/root" "$cache/toolchains" || fail_write
	for deb in "$work"/toolchain/*.deb; do
		case ${deb##*/} in
		linux-*|perl*|python*) continue ;;
		libc6_*) is_later_libc "$deb" && own_libc=yes || continue ;;
		esac
		dpkg-deb -x "$deb" "$work/new/root" || fail_write
	done
	[ -e "$work/new/root/lib64" ] || ln -s usr/lib64 "$work/new/root/lib64"
	[ -e "$work/new/root/lib" ] || ln -s usr/lib "$work/new/root/lib"
	while read -r link; do
		ln -sfn "$toolchain/root$(readlink "$link")" "$link" || fail_write
	done < <(find "$work/new/root" -type l -lname '/*')
	rm -rf "$work/new/root/usr/share" "$toolchain"
	make_starters "$toolchain" "$prefix" "$work/new" && touch "$work/new/complete" && mv "$work/new" "$toolchain" ||
		fail_write
}

# use_toolchain HEADERS: kbuild runs $toolchain's compiler, and its own tools with $toolchain's libraries where this
# machine's are too old
use_toolchain()
{
	local elf final

	[ -n "$toolchain" ] || return 0
	printf 'override CROSS_COMPILE = %s-linux-gnu-\n' "$toolchain/bin/${arch/arm64/aarch64}" >>"$1/.kernelvariables" ||
		fail_write
	[ -n "$own_libc" ] || return 0
	while read -r elf; do
		[ "$(piece "$elf" 1 3)" = ELF ] || continue
		final=$cache/kernels/$release/${elf#"$work/entry/"}
		mv "$elf" "$elf.elf" && starter "$final.elf" "$elf" "$toolchain"
	done < <(find "$work/entry/tree/usr/lib/" -path '*linux-kbuild-*' -type f -perm -100)
}
