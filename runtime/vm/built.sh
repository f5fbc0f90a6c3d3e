# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# built.sh: part of lapwing-vm. Builds kernels that Debian does not have from its source package:
#   SERIES-debug     KASAN, lockdep, DEBUG_ATOMIC_SLEEP and kmemleak
#   SERIES-rt-debug  PREEMPT_RT with lockdep and DEBUG_ATOMIC_SLEEP
#   SERIES-clang     clang's LTO, kCFI and IBT
#
# Input:  the KVER; built.config and KIND.config; the machine's own apt sources.
# Output: a cache entry like that of any other kernel, and built-RELEASE.log. A build takes up to an
# hour, once.
#
# A build holds a lock of its own, and holds the cache's lock only while it downloads, so that
# others can fetch meanwhile.

clang_version=19

# built_release SERIES KIND: release name, from the version of the newest source package
built_release()
{
	local version

	version=$(package_field "linux-source-$1:all" 3 | sed 's/-.*//')
	[ -n "$version" ] && echo "$version-$2-amd64"
}

own_codename()
{
	. /etc/os-release && echo "${VERSION_CODENAME:-stable}"
}

# Sets kind: that of $release if it is built here, empty if the archive has it
find_kind()
{
	kind=
	[[ ! $release =~ ^[0-9.]+-(debug|rt-debug|clang)-amd64$ ]] || kind=${BASH_REMATCH[1]}
}

# Downloads the source of $release, and pahole with its library, which generates the kernel's BTF
# and runs with this machine's C library
download_source()
{
	local series version tool wanted

	for tool in make gcc-12 flex bison bc ld; do
		need $tool "make gcc-12 flex bison bc binutils libelf-dev"
	done
	prepare_apt
	series=$(cut -d. -f 1,2 <<<"$release")
	version=$(grep "^linux-source-$series:all" "$cache/apt/kernels" | cut -f 3 |
		grep "^${release%%-*}-" | sort -V | tail -n 1)
	[ -n "$version" ] ||
		fail 125 \
			"no source of Linux ${release%%-*} in the package archive; newer: lapwing-vm fetch --renew $series-$kind"
	wanted=("linux-source-$series=$version" "pahole/$(own_codename)" "libbpf1/$(own_codename)")
	[ -e "$cache/busybox/$arch" ] || wanted+=("busybox-static:$debarch")
	(cd "$work/debs" && apt-get "${apt_options[@]}" download "${wanted[@]}") >"$cache/apt/log" \
		2>&1 ||
		fail 125 \
			"cannot download the source of Linux $release: is the network up? $(complaint log)"
	[ "$kind" != clang ] || fetch_clang
}

unpack_source()
{
	local package

	for package in "$work"/debs/{pahole,libbpf1,linux-source}*.deb; do
		dpkg-deb -x "$package" "$work/packages" || fail_write
	done
	tar -x -f "$(find "$work/packages" -name "linux-source-*.tar.xz")" -C "$work" || fail_write
	mv "$work"/linux-source-* "$work/source"
}

# Sets toolchain: the folder of clang, its linker and its binutils, from this machine's release of
# Debian
fetch_clang()
{
	local own name own_libc=

	own=$(own_codename)
	toolchain=$cache/toolchains/$own-$debarch-clang-$clang_version
	[ ! -e "$toolchain/complete" ] || return 0
	note "fetching clang-$clang_version of Debian $own (once)"
	download_closure "$own" clang-$clang_version lld-$clang_version llvm-$clang_version
	unpack_closure "$work/new" "$toolchain"
	mkdir -p "$work/new/bin" || fail_write
	for name in clang ld.lld llvm-{ar,nm,strip,objcopy,objdump,readelf}; do
		starter "$toolchain/root/usr/bin/$name-$clang_version" "$work/new/bin/$name" \
			"$toolchain"
	done
	install_toolchain
}

# Sets compiler: make variables that select the compiler and its tools
set_compiler()
{
	compiler=(CC=gcc-12)
	[ "$kind" = clang ] || return 0
	compiler=("CC=$toolchain/bin/clang" "LD=$toolchain/bin/ld.lld")
	for name in AR NM STRIP OBJCOPY OBJDUMP READELF; do
		compiler+=("$name=$toolchain/bin/llvm-${name,,}")
	done
}

# built_make WORD...: in the source tree
built_make()
{
	PATH=$work/packages/usr/bin:$PATH LD_LIBRARY_PATH=$work/packages/usr/lib/$(uname \
		-m)-linux-gnu \
		make -s -C "$work/source" ARCH=x86_64 HOSTCC=gcc-12 "${compiler[@]}" "$@" >>"$log" \
		2>&1
}

# A requested option that is missing from .config is an error: the kernel would not be of its kind
check_config()
{
	local line

	while read -r line; do
		grep -qxF "$line" "$work/source/.config" ||
			fail 125 "Linux $release has no '$line' ($log)"
	done < <(grep '=' "$(part "$kind.config")")
}

compile_kernel()
{
	local base config

	base=$(part built.config) && config=$(part "$kind.config") ||
		fail 125 "'$kind.config' is missing: reinstall Lapwing"
	cat "$base" "$config" >"$work/config" && : >"$log" || fail_write
	built_make KCONFIG_ALLCONFIG="$work/config" allnoconfig ||
		fail 125 "Linux $release cannot be configured: see $log"
	check_config
	built_make -j"${LAPWING_JOBS:-$(nproc)}" bzImage modules ||
		fail 125 "Linux $release does not build: see $log"
}

# Keeps what kbuild needs of the source tree to build external modules; keeps programs of the build,
# removes objects
keep_headers()
{
	local headers=$work/entry/tree/usr/src/linux-headers-$release word

	mkdir -p "$work/entry/tree/usr/src" && mv "$work/source" "$headers" || fail_write
	find "$headers" -mindepth 1 -maxdepth 1 ! -name include ! -name scripts ! -name arch ! \
		-name tools \
		! -name Makefile ! -name Kbuild ! -name Kconfig ! -name .config ! \
		-name Module.symvers -exec rm -rf {} +
	find "$headers/arch" -mindepth 1 -maxdepth 1 ! -name x86 -exec rm -rf {} +
	find "$headers/tools" -mindepth 1 -maxdepth 1 ! -name objtool -exec rm -rf {} +
	find "$headers/arch" "$headers/tools" "$headers/include" \( -name '*.[coS]' -o -name '*.a' \
		-o -name '.*.cmd' \) -delete
	[ "$kind" = clang ] || return 0
	for word in "${compiler[@]}"; do
		printf 'override %s = %s\n' "${word%%=*}" "${word#*=}"
	done >"$headers/.kernelvariables" || fail_write
}

# Makes $work/entry. It has the bzImage, as the ELF kernel of a debug kind cannot be started: its
# PVH entry runs code instrumented by KASAN before the shadow memory exists
pack_built_entry()
{
	mv "$work/source/arch/x86/boot/bzImage" "$work/entry/image" &&
		objcopy --dump-section .BTF="$work/entry/btf" "$work/source/vmlinux" /dev/null ||
			fail_write
	keep_headers
	fetch_busybox
	make_base_initrd
}

# Makes the cache entry of $release, which is of kind $kind
build_kernel()
{
	local toolchain compiler log=$cache/built-$release.log

	exec 7>"$cache/build-$release.lock" || fail_write
	flock 7
	[ ! -d "$cache/kernels/$release" ] || return 0
	work=$cache/build-$release
	rm -rf "$work"
	trap 'rm -rf "$work" "$work.lock"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	note "building Linux $release from its source (once, up to an hour; log: $log)"
	mkdir -p "$work"/{debs,packages,boot,entry} || fail_write
	lock_cache
	download_source
	exec 8>&-
	unpack_source
	set_compiler
	compile_kernel
	lock_cache
	pack_built_entry
	mv "$work/entry" "$cache/kernels/$release" || fail_write
}
