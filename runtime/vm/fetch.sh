# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fetch.sh: part of lapwing-vm.  A KVER becomes an entry of the cache.
#
# Input:  a KVER; the machine's apt sources.
# Output: the globals release and arch, and in the cache
#   series/KVER              the release name a series stands for
#   kernels/RELEASE/         made under a temporary name, so it is there whole or not at all:
#     tree/usr/{src,lib}     headers and kbuild tools as Debian lays them out, made relocatable
#     image btf initrd       see image.sh
#     modules/lib/modules/   the kernel's own, once somebody asks: uncompressed; modules.dep names them, without dependencies
#   busybox/ARCH             static busybox
#   apt/                     private package lists; the machine's own package state is neither read nor changed
#
# It runs no guest and installs nothing.

# With these apt works on the private lists, for both guest architectures, without being root
set_apt_options()
{
	apt_options=(-q -o Dir::State::lists="$cache/apt/lists" -o Dir::State::status=/dev/null -o Dir::Cache="$cache/apt"
		-o Dir::Cache::archives=archives -o Debug::NoLocking=1 -o APT::Sandbox::User=root
		-o APT::Architecture="$host_debarch" -o APT::Architectures::=amd64 -o APT::Architectures::=arm64
		-o Acquire::Languages=none -o Acquire::Retries=3)
	[ ! -d "$cache/apt/sources.d" ] || apt_options+=(-o Dir::Etc::sourceparts="$cache/apt/sources.d")
}

# Package lists, at most an hour old.  apt reports a dead mirror but exits 0, so the log is kept for update_complaint
update_lists()
{
	if [ -z "$(find "$cache/apt/updated" -mmin -60 2>/dev/null)" ]; then
		mkdir -p "$cache/apt/lists/partial" "$cache/apt/archives/partial" || fail_write
		apt-get "${apt_options[@]}" update >"$cache/apt/log" 2>&1
		touch "$cache/apt/updated"
	fi
}

update_complaint()
{
	grep -m 1 -E '^(E|W|Err)' "$cache/apt/log"
}

# The sources may lack the suite that has the kernel (backports, security, Debian 12 on a later one): derive it from the
# mirror of a configured suite, for the private lists only.  Never a later release: its kernels need its compiler
derive_sources()
{
	local key=/usr/share/keyrings/debian-archive-keyring.gpg codename uri parts= name suite

	codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
	eval "$(apt-config shell parts Dir::Etc::sourceparts/d)"
	rm -rf "$cache/apt/sources.d"
	mkdir -p "$cache/apt/sources.d" || fail_write
	for name in "$parts"/*.list "$parts"/*.sources; do
		[ -e "$name" ] && ln -s "$name" "$cache/apt/sources.d/"
	done
	[ -e "$key" ] && key=" signed-by=$key" || key=
	# shellcheck disable=SC2016 # apt's own substitution
	while read -r uri name; do
		for suite in "$codename"-{backports,security} bookworm bookworm-security; do
			case $suite in
			*-security) name=${uri%/}-security ;;
			*) name=$uri ;;
			esac
			configured_suites | grep -qxF "$suite" || echo "deb [arch=amd64,arm64$key] $name $suite main"
		done
	done < <(configured_mirrors "$codename") | sort -u >"$cache/apt/sources.d/lapwing-derived.list"
	set_apt_options
	rm -f "$cache/apt/updated"
	update_lists
}

configured_suites()
{
	# shellcheck disable=SC2016 # apt's own substitution
	apt-get "${apt_options[@]}" indextargets --format '$(RELEASE)' 'Created-By: Packages' | sort -u
}

configured_mirrors()
{
	# shellcheck disable=SC2016 # apt's own substitution
	apt-get "${apt_options[@]}" indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
		sed -n "s/^$1 //p" | sort -u
}

has_package()
{
	apt-cache "${apt_options[@]}" show --no-all-versions "$1" >/dev/null 2>&1
}

# The image package of a release: the signed one where it exists
image_package()
{
	local name

	for name in "linux-image-$1:$2" "linux-image-$1-unsigned:$2"; do
		has_package "$name" && echo "$name" && return
	done
	return 1
}

# Sets image, of its caller
find_image_package()
{
	image=$(image_package "$release" "$debarch") ||
		{ derive_sources; image=$(image_package "$release" "$debarch"); }
}

# newest_release SERIES DEBARCH FLAVOUR
newest_release()
{
	local candidate series=${1//./\\.}

	[ "$3" != debug ] || { debug_release "$1"; return; }
	while read -r candidate; do
		candidate=${candidate#linux-headers-}
		has_package "linux-headers-$candidate:$2" && image_package "$candidate" "$2" >/dev/null &&
			echo "$candidate" && return
	done < <(apt-cache "${apt_options[@]}" pkgnames "linux-headers-$1." |
		grep -E "^linux-headers-$series\.[0-9]+[-+][0-9a-z]+(-[0-9]+)?-$3\$" | sort -rV)
	return 1
}

# Sets release and arch from a KVER; a series is looked up in the archive once
resolve_kver()
{
	local kver=$1 renew=${2:-} flavour=cloud-amd64 series=${1%-*}

	release=
	if [[ $kver =~ ^[0-9]+\.[0-9]+\.[0-9a-z.+~-]*-(amd64|arm64)$ ]]; then
		release=$kver
	elif ! [[ $kver =~ ^[0-9]+\.[0-9]+(-arm64|-debug)?$ ]]; then
		fail 2 "'$kver' is not a kernel version: 6.1, 6.12-arm64, 6.1-debug or a full release name is expected"
	fi
	[[ $kver != *-arm64 ]] || flavour=arm64
	[[ $kver != *-debug ]] || flavour=debug
	if [ -z "$release" ]; then
		[ -z "$renew" ] && release=$(cat "$cache/series/$kver" 2>/dev/null) || release=$(look_up_series) || exit
	fi
	case $release in
	*-arm64) arch=arm64 debarch=arm64 ;;
	*) arch=x86_64 debarch=amd64 ;;
	esac
}

# For resolve_kver alone, whose variables it uses
look_up_series()
{
	local found

	lock_cache
	prepare_apt
	[ -z "$renew" ] || { rm -f "$cache/apt/updated"; update_lists; }
	found=$(newest_release "$series" "${flavour#cloud-}" "$flavour") ||
		{ derive_sources; found=$(newest_release "$series" "${flavour#cloud-}" "$flavour"); } ||
		fail 125 "no kernel $kver in the package archive: is the network up, and does the archive have" \
			"linux-headers-$series.*-$flavour? $(update_complaint)"
	echo "$found" >"$cache/series/.$kver.new" && mv "$cache/series/.$kver.new" "$cache/series/$kver" || fail_write
	echo "$found"
}

prepare_apt()
{
	need apt-get apt
	need dpkg-deb dpkg
	host_debarch=$(dpkg --print-architecture)
	set_apt_options
	update_lists
}

# One fetch at a time; who waits finds the work done.  The lock goes with the process that opened it
lock_cache()
{
	need flock util-linux
	exec 8>"$cache/lock" || fail_write
	flock -n 8 && return
	note "waiting for another lapwing-vm that is fetching"
	flock 8
}

fail_write()
{
	fail 125 "cannot write to the cache '$cache' ($(df -hP "$cache" | awk 'END { print $4 }') free):" \
		"make room (about 500 MB per kernel) or set LAPWING_CACHE"
}

# fetch_kernel KVER [renew]: sets release and arch; the entry is in the cache afterwards
fetch_kernel()
{
	resolve_kver "$@"
	[ ! -d "$cache/kernels/$release" ] || return 0
	(
		lock_cache
		[ ! -d "$cache/kernels/$release" ] || exit 0
		rm -rf "$cache"/tmp.*
		work=$(mktemp -d "$cache/tmp.XXXXXX") || fail_write
		trap 'rm -rf "$work"' EXIT
		trap 'exit 130' INT
		trap 'exit 143' TERM
		if [[ $release == *-debug-amd64 ]]; then
			build_debug_entry
		else
			build_entry
		fi
		mv "$work/entry" "$cache/kernels/$release" || fail_write
	)
}

# Makes $work/entry out of packages
build_entry()
{
	note "fetching Linux $release (once)"
	mkdir -p "$work/debs" "$work/entry/tree" || fail_write
	download_packages
	unpack_headers
	unpack_image
	fetch_busybox
	make_base_initrd
}

# Names with versions of the packages the headers package depends on: the common headers and kbuild's tools, which are
# programs and so must be of this machine's architecture
header_packages()
{
	local depends

	depends=$(apt-cache "${apt_options[@]}" show --no-all-versions "linux-headers-$release:$debarch" |
		sed -n 's/^Depends: //p')
	grep -oE 'linux-headers-[^ ,]+-common' <<<"$depends" | head -n 1
	grep -oE 'linux-kbuild-[^ ,]+' <<<"$depends" | head -n 1 | sed "s/\$/:$host_debarch/"
	echo "linux-headers-$release:$debarch"
}

download_packages()
{
	local wanted image

	prepare_apt
	find_image_package ||
		fail 125 "no kernel $release in the package archive; newer ones: lapwing-vm fetch --renew SERIES." \
			"$(update_complaint)"
	mapfile -t wanted < <(header_packages)
	[ ${#wanted[@]} = 3 ] || fail 125 "the headers of $release are not in the package archive: ${wanted[*]}"
	[ -e "$cache/busybox/$arch" ] || wanted+=("busybox-static:$debarch")
	if ! (cd "$work/debs" && apt-get "${apt_options[@]}" download "$image" "${wanted[@]}") >"$cache/apt/log" 2>&1; then
		rm -f "$cache/apt/updated"
		fail 125 "cannot download the packages of Linux $release: is the network up and the disk not full" \
			"($(df -hP "$cache" | awk 'END { print $4 }') free)? $(update_complaint)"
	fi
}

# unpack PATTERN DIR [TAR-WORD...]: the files of one downloaded package
unpack()
{
	local deb dir=$2

	deb=$(find "$work/debs" -name "$1" | head -n 1)
	shift 2
	dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$dir" --no-same-owner "$@"
}

# Debian's headers name /usr/src in one place; the arch folders of other machines are a third of the files.  A vmlinux
# (BTF alone, from 6.12 on) would make kbuild ask for pahole to give every module BTF
unpack_headers()
{
	local tree=$work/entry/tree pattern common headers dir

	for pattern in "linux-headers-*-common_*" "linux-kbuild-*" "linux-headers-${release}_*"; do
		unpack "$pattern" "$tree" --exclude=./usr/share --exclude=./usr/lib/linux-image* || fail_write
	done
	rm -f "$tree/usr/src/linux-headers-$release/vmlinux"
	common=$(cd "$tree/usr/src" && echo linux-headers-*-common)
	headers=$tree/usr/src/linux-headers-$release
	# shellcheck disable=SC2016 # make's own substitution
	printf 'include $(dir $(lastword $(MAKEFILE_LIST)))../%s/Makefile\n' "$common" >"$headers/Makefile" || fail_write
	if [ "$debarch" != "$host_debarch" ]; then
		printf 'override CROSS_COMPILE = %s-linux-gnu-\n' "${arch/arm64/aarch64}" >>"$headers/.kernelvariables" ||
			fail_write
	fi
	for dir in "$tree/usr/src/$common"/arch/*/; do
		case "$arch:$(basename "$dir")" in
		x86_64:x86|arm64:arm64|arm64:arm) ;;
		*) rm -rf "$dir" ;;
		esac
	done
}

fetch_busybox()
{
	[ ! -e "$cache/busybox/$arch" ] || return 0
	mkdir -p "$work/busybox" &&
		unpack "busybox-static_*_$debarch.deb" "$work/busybox" &&
		mv "$(find "$work/busybox" -type f -path '*/bin/busybox')" "$cache/busybox/$arch" || fail_write
}

fetch_modules()
{
	local dir=$cache/kernels/$release/modules image

	[ ! -d "$dir" ] || return 0
	[[ $release != *-debug-amd64 ]] || fail 125 "Linux $release has no modules but those it needs to start"
	(
		lock_cache
		[ ! -d "$dir" ] || exit 0
		note "fetching the modules of Linux $release (once)"
		work=$(mktemp -d "$cache/tmp.XXXXXX") || fail_write
		trap 'rm -rf "$work"' EXIT
		prepare_apt
		mkdir "$work/debs" "$work/modules" || fail_write
		find_image_package && (cd "$work/debs" && apt-get "${apt_options[@]}" download "$image") >"$cache/apt/log" 2>&1 ||
			fail 125 "cannot download the modules of Linux $release: is it still in the package archive, and the network up?" \
				"$(update_complaint)"
		unpack "linux-image-*" "$work/modules" --wildcards "./lib/modules/*" &&
			cd "$work/modules/lib/modules/$release" || fail_write
		find . -name '*.ko.xz' -exec xz -d {} + && find kernel -name '*.ko' -printf '%p:\n' >modules.dep || fail_write
		chmod -R a+rX "$work/modules" && mv -T "$work/modules" "$dir" || fail_write
	)
}
