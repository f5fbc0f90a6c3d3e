# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# debug.sh: part of lapwing-vm.  The kernel with KASAN, lockdep, PROVE_RCU, DEBUG_ATOMIC_SLEEP and kmemleak that the
# kernel tests can be run on: built here, out of Debian's source package, as Debian has no such kernel.
#
# Input:  the KVER SERIES-debug; debug.config; the machine's own apt sources.
# Output: a cache entry like that of any other kernel.  It takes up to an hour on one processor, once.

# debug_release SERIES: named after the version of the newest source package
debug_release()
{
	local version

	version=$(package_field "linux-source-$1:all" 3 | sed 's/-.*//')
	[ -n "$version" ] && echo "$version-debug-amd64"
}

# The source, and pahole with its library, which makes the kernel's BTF
download_debug_source()
{
	local series wanted tool

	for tool in make gcc-12 flex bison bc ld; do
		need $tool "make gcc-12 flex bison bc binutils libelf-dev"
	done
	prepare_apt
	series=$(grep -lxF "$release" "$cache"/series/*-debug 2>/dev/null | head -n 1)
	series=$(basename "${series:-${release%.*}}" -debug)
	wanted=("linux-source-$series" pahole libbpf1)
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

# debug_make WORD...: in the source tree
debug_make()
{
	PATH=$work/packages/usr/bin:$PATH LD_LIBRARY_PATH=$work/packages/usr/lib/$(uname -m)-linux-gnu \
		make -s -C "$work/source" ARCH=x86_64 CC=gcc-12 HOSTCC=gcc-12 "$@" >>"$cache/debug.log" 2>&1
}

compile_debug_kernel()
{
	local config

	config=$(part debug.config) || fail 125 "'debug.config' is missing: install Lapwing again"
	progress_begin "building Linux $release"
	: >"$cache/debug.log" || fail_write
	debug_make KCONFIG_ALLCONFIG="$config" allnoconfig &&
		debug_make -j"${LAPWING_JOBS:-$(nproc)}" bzImage modules ||
		fail 125 "the debug kernel does not build: see $cache/debug.log"
}

# What stays of the source tree is what kbuild needs for modules of others; programs of the build stay, objects go
keep_debug_headers()
{
	local headers=$work/entry/tree/usr/src/linux-headers-$release

	mkdir -p "$work/entry/tree/usr/src" && mv "$work/source" "$headers" || fail_write
	find "$headers" -mindepth 1 -maxdepth 1 ! -name include ! -name scripts ! -name arch ! -name tools \
		! -name Makefile ! -name Kbuild ! -name Kconfig ! -name .config ! -name Module.symvers -exec rm -rf {} +
	find "$headers/arch" -mindepth 1 -maxdepth 1 ! -name x86 -exec rm -rf {} +
	find "$headers/tools" -mindepth 1 -maxdepth 1 ! -name objtool -exec rm -rf {} +
	find "$headers/arch" "$headers/tools" "$headers/include" \( -name '*.[coS]' -o -name '*.a' -o -name '.*.cmd' \) -delete
}

# Makes $work/entry out of the source package
build_debug_entry()
{
	note "building Linux $release out of its source (once, up to an hour; log: $cache/debug.log)"
	mkdir -p "$work"/{debs,packages,boot,entry} || fail_write
	download_debug_source
	compile_debug_kernel
	pack_debug_entry
}

# The ELF kernel cannot be started: its PVH entry runs code that KASAN has instrumented, before there is a shadow
pack_debug_entry()
{
	mv "$work/source/arch/x86/boot/bzImage" "$work/entry/image" &&
		objcopy --dump-section .BTF="$work/entry/btf" "$work/source/vmlinux" /dev/null || fail_write
	keep_debug_headers
	fetch_busybox
	make_base_initrd
	progress_end
}
