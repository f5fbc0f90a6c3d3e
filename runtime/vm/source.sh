# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# source.sh: part of lapwing-vm.  Kernels that Debian does not have, built here out of its source package: with KASAN,
# lockdep, PROVE_RCU, DEBUG_ATOMIC_SLEEP and kmemleak (debug), and by clang with LTO, kCFI and IBT (clang).
#
# Input:  the KVER SERIES-FLAVOUR; guest.config and FLAVOUR.config; the machine's own apt sources.
# Output: a cache entry like that of any other kernel.  It takes up to an hour on one processor, once.

# built_release SERIES FLAVOUR: named after the version of the newest source package
built_release()
{
	local version

	version=$(package_field "linux-source-$1:all" 3 | sed 's/-.*//')
	[ -n "$version" ] && echo "$version-$2-amd64"
}

# built_flavour RELEASE: of a kernel that is built here; fails for others
built_flavour()
{
	sed -nE 's/.*-(debug|clang)-amd64$/\1/p' <<<"$1" | grep .
}

# The source, and pahole with its library, which makes the kernel's BTF
download_source()
{
	local series wanted tool own compilers=gcc-12

	[ "$flavour" != clang ] || compilers='clang-16 ld.lld-16 llvm-nm-16'
	for tool in make $compilers flex bison bc ld; do
		need $tool "make $(sed 's/ld.lld-16 llvm-nm-16/lld-16 llvm-16/' <<<"$compilers") flex bison bc binutils libelf-dev"
	done
	prepare_apt
	series=$(grep -lxF "$release" "$cache"/series/*-"$flavour" 2>/dev/null | head -n 1)
	series=$(basename "${series:-${release%.*}}" "-$flavour")
	own=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	wanted=("linux-source-$series" "pahole${own:+/$own}" "libbpf1${own:+/$own}")	# programs: for this C library
	[ -e "$cache/busybox/$arch" ] || wanted+=("busybox-static:$debarch")
	progress_begin "downloading the source of Linux $release"
	(cd "$work/debs" && apt_get download "${wanted[@]}") >"$cache/apt/log" 2>&1 ||
		fail 125 "cannot download the source of Linux $release: is the network up? $(update_complaint)"
	progress_begin "unpacking the source of Linux $release"
	for tool in "$work"/debs/{pahole,libbpf1,linux-source}*.deb; do
		dpkg-deb -x "$tool" "$work/packages" || fail_write
	done
	tar -x -f "$(find "$work/packages" -name "linux-source-*.tar.xz")" -C "$work" || fail_write
	mv "$work"/linux-source-* "$work/source"
}

# source_make WORD...: in the source tree
source_make()
{
	local compiler=(CC=gcc-12 HOSTCC=gcc-12)

	[ "$flavour" != clang ] || compiler=(LLVM=-16)
	PATH=$work/packages/usr/bin:$PATH LD_LIBRARY_PATH=$work/packages/usr/lib/$(uname -m)-linux-gnu \
		make -s -C "$work/source" ARCH=x86_64 "${compiler[@]}" "$@" >>"$cache/source.log" 2>&1
}

compile_kernel()
{
	local config

	: >"$work/config" || fail_write
	for config in guest.config "$flavour.config"; do
		part "$config" >/dev/null || fail 125 "'$config' is missing: install Lapwing again"
		cat "$(part "$config")" >>"$work/config" || fail_write
	done
	progress_begin "building Linux $release"
	: >"$cache/source.log" || fail_write
	source_make KCONFIG_ALLCONFIG="$work/config" allnoconfig &&
		source_make -j"${LAPWING_JOBS:-$(nproc)}" bzImage modules ||
		fail 125 "the kernel does not build: see $cache/source.log"
}

# What stays of the source tree is what kbuild needs for modules of others; programs of the build stay, objects go
keep_headers()
{
	local headers=$work/entry/tree/usr/src/linux-headers-$release

	mkdir -p "$work/entry/tree/usr/src" && mv "$work/source" "$headers" || fail_write
	find "$headers" -mindepth 1 -maxdepth 1 ! -name include ! -name scripts ! -name arch ! -name tools \
		! -name Makefile ! -name Kbuild ! -name Kconfig ! -name .config ! -name Module.symvers -exec rm -rf {} +
	find "$headers/arch" -mindepth 1 -maxdepth 1 ! -name x86 -exec rm -rf {} +
	find "$headers/tools" -mindepth 1 -maxdepth 1 ! -name objtool -exec rm -rf {} +
	find "$headers/arch" "$headers/tools" "$headers/include" \( -name '*.[coS]' -o -name '*.a' -o -name '.*.cmd' \) -delete
}

# build_source_entry FLAVOUR: makes $work/entry out of the source package
build_source_entry()
{
	local flavour=$1

	note "building Linux $release out of its source (once, up to an hour; log: $cache/source.log)"
	mkdir -p "$work"/{debs,packages,boot,entry} || fail_write
	download_source
	compile_kernel
	pack_entry
}

# The ELF kernel cannot be started: its PVH entry runs code that KASAN has instrumented, before there is a shadow
pack_entry()
{
	mv "$work/source/arch/x86/boot/bzImage" "$work/entry/image" &&
		objcopy --dump-section .BTF="$work/entry/btf" "$work/source/vmlinux" /dev/null || fail_write
	keep_headers
	fetch_busybox
	make_base_initrd
	progress_end
}
