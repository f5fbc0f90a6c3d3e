#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-fetch.sh - which kernel lapwing-vm chooses for a KVER, with which packages and compiler:
# runs its functions on a fake index of packages (index_packages() in runtime/vm/fetch.sh); and what
# it does if an archive lists packages that it does not have, with a fake archive on this machine.
# shellcheck disable=SC2034 # variables that the functions under test read
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cache=$work host_debarch=amd64 failed=0
mkdir "$work/apt"
. runtime/vm/fetch.sh
. runtime/vm/toolchain.sh
. runtime/vm/built.sh

# index NAME:ARCH RELEASE VERSION DEPENDS: adds a package to the index
index() { printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" >> "$work/apt/kernels"; }
# kernel DEBIAN-RELEASE RELEASE ARCH GCC: adds a kernel with headers and an image in one package
kernel() {
	index "linux-headers-$2:$3" "$1" "1" \
		"linux-headers-${2%-*}-common (= 1), linux-kbuild-7 (>= 1), $4"
	index "linux-image-$2:$3" "$1" "1" "kmod, linux-base"
}
kernel bullseye 5.10.0-30-cloud-amd64 amd64 linux-compiler-gcc-10-x86
kernel bullseye 5.10.0-46-cloud-amd64 amd64 linux-compiler-gcc-10-x86
kernel bullseye 6.1.0-0.deb11.52-cloud-amd64 amd64 linux-compiler-gcc-10-x86
kernel bookworm 6.1.0-9-cloud-amd64 amd64 linux-compiler-gcc-12-x86
kernel bookworm 6.1.0-56-cloud-amd64 amd64 linux-compiler-gcc-12-x86
kernel bookworm 6.1.0-56-arm64 arm64 linux-compiler-gcc-12-arm
kernel bookworm 6.1.0-56-rt-amd64 amd64 linux-compiler-gcc-12-x86
kernel trixie 6.12.200+deb13-cloud-amd64 amd64 gcc-14
kernel bookworm 6.12.117+deb12-cloud-amd64 amd64 linux-compiler-gcc-12-x86
index linux-image-6.17.8+deb13-cloud-amd64:amd64 trixie 1 kmod
index linux-image-6.17.13+deb13-cloud-amd64:amd64 trixie 1 kmod
index linux-image-7.0.13+deb13-cloud-amd64:amd64 trixie 1 \
	'linux-modules-7.0.13+deb13-cloud-amd64 (= 1)'
kernel trixie 7.3.4+deb13-cloud-amd64 amd64 'gcc-14-for-host, linux-base'
kernel trixie 7.3.4+deb13-arm64 arm64 gcc-14-for-host
newer=7.3.4+deb13-cloud-amd64
parts="linux-binary-$newer (= 1), linux-modules-$newer (= 1)"
sed -i "s/^\(linux-image-$newer:amd64.*\)kmod/\1$parts/" "$work/apt/kernels"
index linux-binary-7.3.4+deb13-cloud-amd64:amd64 trixie 1 ''
index linux-modules-7.3.4+deb13-cloud-amd64:amd64 trixie 1 ''

check() {	# check TITLE EXPECTED GOT
	[ "$2" = "$3" ] && echo "PASS $1" || { echo "FAIL $1: '$3', not '$2'"; failed=1; }
}
newest() { newest_release "$@" || echo none; }
check 'newest of a series' 6.1.0-56-cloud-amd64 "$(newest 6.1 amd64 cloud-amd64)"
check 'of this Debian first' 6.12.117+deb12-cloud-amd64 "$(newest 6.12 amd64 cloud-amd64)"
check 'of a named Debian' 6.12.200+deb13-cloud-amd64 "$(newest 6.12 amd64 cloud-amd64 trixie)"
check 'of a named Debian, without headers' 6.17.13+deb13-cloud-amd64 \
	"$(newest 6.17 amd64 cloud-amd64 trixie)"
check 'not of that Debian' none "$(newest 5.10 amd64 cloud-amd64 trixie)"
check 'no image of that Debian' none "$(newest 6.17 amd64 cloud-amd64 bookworm)"
check 'of another Debian' 5.10.0-46-cloud-amd64 "$(newest 5.10 amd64 cloud-amd64)"
check 'without headers' 6.17.13+deb13-cloud-amd64 "$(newest 6.17 amd64 cloud-amd64)"
check 'an image without its modules' none "$(newest 7.0 amd64 cloud-amd64)"
check 'no such series' none "$(newest 6.2 amd64 cloud-amd64)"
check 'arm64 does not mean rt-arm64' 6.1.0-56-arm64 "$(newest 6.1 arm64 arm64)"
check 'rt' 6.1.0-56-rt-amd64 "$(newest 6.1 amd64 rt-amd64)"
check 'newest of all' 7.3.4+deb13-cloud-amd64 "$(newest newest amd64 cloud-amd64)"
check 'series' '5.10 6.1 6.12 6.17 7.0 7.3' "$(series_of cloud-amd64)"
check 'an image in several packages' \
	"linux-image-$newer:amd64 linux-binary-$newer:amd64 linux-modules-$newer:amd64" \
	"$(image_parts linux-image-$newer:amd64 | paste -sd' ')"
for row in '5.10.0-46-cloud-amd64 amd64 bullseye 10' '6.1.0-56-arm64 arm64 bookworm 12' \
	'7.3.4+deb13-cloud-amd64 amd64 trixie 14' \
	'6.12.200+deb13-cloud-amd64 amd64 trixie 14'; do
	read -r release debarch codename gcc <<< "$row"
	check "compiler of $release" "$codename $gcc" "$(codename_of \
		"linux-headers-$release:$debarch") $(gcc_of_headers)"
done

# Kernels that are built here are of the newest source; their names differ from the archive's.
index linux-source-6.12:all bookworm '6.12.107-1~deb12u1' binutils
index linux-source-6.12:all trixie 6.12.117-1 binutils
check 'built of the newest source' 6.12.117-rt-debug-amd64 "$(newest 6.12 amd64 rt-debug)"
check 'no source' none "$(newest 6.2 amd64 clang)"
for row in 6.12.117-rt-debug-amd64=rt-debug 6.1.176-debug-amd64=debug 6.12.117-clang-amd64=clang \
	6.12.117+deb12-rt-amd64= \
	6.1.0-56-cloud-amd64=; do
	release=${row%=*}
	find_kind
	check "kind of $release" "${row#*=}" "$kind"
	check "options of '$kind'" "${kind:+"CONFIG_LOCALVERSION=\"-$kind-amd64\""}" \
		"$([ -z "$kind" ] || grep LOCALVERSION "runtime/vm/$kind.config")"
done

# Resolution of names, with a cache that has no series yet.
resolved() {	# resolved KVER: prints release and arch
	release= arch=
	resolve_kver "$1" && echo "$release $arch"
}
lock_cache() { :; }
prepare_apt() { :; }
derive_sources() { :; }
fail() { shift; echo "$*"; exit 1; }
mkdir "$work/series"
check '6.12-trixie' '6.12.200+deb13-cloud-amd64 x86_64' "$(resolved 6.12-trixie)"
check '6.12-bookworm' '6.12.117+deb12-cloud-amd64 x86_64' "$(resolved 6.12-bookworm)"
check '7.3-trixie-arm64' '7.3.4+deb13-arm64 arm64' "$(resolved 7.3-trixie-arm64)"
check '6.1-rt' '6.1.0-56-rt-amd64 x86_64' "$(resolved 6.1-rt)"
check 'a full name' '6.12.117+deb12-arm64 arm64' "$(resolved 6.12.117+deb12-arm64)"
check 'newest' '7.3.4+deb13-cloud-amd64 x86_64' "$(resolved newest)"
for name in 6.1-bookworm-debug newest-trixie trixie 6 6.12-; do
	[[ $(resolved "$name") == *'is not a kernel version'* ]] && echo "PASS bad name $name" ||
		{ echo "FAIL '$name' is accepted as a kernel"; failed=1; }
done
rm -r "$work/series"

# The list of kernels with and without the archive; messages for unknown kernels and for packages
# that cannot be unpacked.
lock_cache() { :; }
prepare_apt() { :; }
derive_sources() { :; }
note() { echo "$*"; }
fail() { shift; echo "$*"; exit 125; }
mkdir -p "$work/kernels/6.1.0-56-cloud-amd64/tree/usr/src" "$work/kernels/6.5.0-1-cloud-amd64" \
	"$work/series"
echo 'Get:1' > "$work/apt/update-log"
listed=$(list_kernels | tr -s ' ' | sed 's/ $//')
check 'list, cached' '6.1 6.1.0-56-cloud-amd64 modules cached' "$(grep '^6.1 ' <<< "$listed")"
check 'list, available' '6.17 6.17.13+deb13-cloud-amd64 user' "$(grep '^6.17 ' <<< "$listed")"
check 'list, not in the archive' '6.5.0-1-cloud-amd64 6.5.0-1-cloud-amd64 user cached' "$(tail \
	-n 1 <<< "$listed")"
kver=6.2 flavour=cloud-amd64 debarch=amd64
check 'no such series' \
	"no kernel '6.2' in the package archive, which has 5.10 6.1 6.12 6.17 7.3: \
'lapwing-vm list' shows them all" "$(fail_series)"
echo 'Err:1 http://none InRelease' > "$work/apt/update-log"
check 'list without the archive' 'the package archive cannot be reached: Err:1 http://none InRelease
1' "$(list_kernels > "$work/listed"; status=$?; tail -n 1 "$work/listed"; echo $status)"
mv "$work/apt/kernels" "$work/apt/away" && : > "$work/apt/kernels"
check 'list of the cache' '6.1.0-56-cloud-amd64 6.5.0-1-cloud-amd64' "$(list_kernels |
	awk '/ cached$/ { print $1 }' | paste -sd' ')"
check 'no archive' \
	"no kernel '6.2': the package archive cannot be reached (Err:1 http://none InRelease); \
in the cache: 6.1.0-56-cloud-amd64 6.5.0-1-cloud-amd64" "$(fail_series)"
. runtime/vm/image.sh
arch=x86_64 debarch=amd64
mkdir -p "$work/debs" "$work/empty/DEBIAN" "$work/entry"
printf '%s\n' 'Package: linux-image-6.2' 'Version: 1' 'Architecture: amd64' \
	'Maintainer: x <x@x>' 'Description: x' > "$work/empty/DEBIAN/control"
dpkg-deb -b "$work/empty" "$work/debs/linux-image-6.2_1_amd64.deb" > "$work/out" || exit 2
release=6.2
check 'no vmlinuz' 'no vmlinuz in the packages of Linux 6.2: linux-image-6.2_1_amd64.deb' \
	"$(unpack_image)"
mkdir -p "$work/empty/boot" && echo none > "$work/empty/boot/vmlinuz-6.2" &&
	dpkg-deb -b "$work/empty" "$work/debs/linux-image-6.2_1_amd64.deb" > "$work/out"
check 'no kernel in vmlinuz' 'vmlinuz-6.2 of Linux 6.2 does not contain an ELF kernel' "$(unpack_image \
	2> "$work/err" | tail -n 1)"
free_kilobytes() { echo 12; }
check 'a full disk' \
	"cannot write to the cache '$work': the disk is full: make room (about 500 MB per kernel) \
or set LAPWING_CACHE" \
	"$(unpack_image 2> "$work/err" | tail -n 1)"

# An archive whose lists name releases that it has no files of (404), as Debian's has for 5.10 on
# arm64. Nothing is unpacked here: a cache entry only holds the names of the packages.
# make_archive DIR NAME...: makes a package for each NAME; -NAME is only listed, without its file
make_archive() {
	local dir=$1 name file arch
	shift
	mkdir -p "$dir/control/DEBIAN"
	for name; do
		[[ $name == *-arm64 || $name == busybox-static ]] && arch=arm64 || arch=all
		file=${name#-}_1_$arch.deb
		printf '%s\n' "Package: ${name#-}" 'Version: 1' "Architecture: $arch" \
			'Maintainer: x <x@x>' \
			'Description: x' > "$dir/control/DEBIAN/control"
		[[ $name != *linux-headers-*-arm64 ]] ||
			echo 'Depends: linux-headers-9.9-common, linux-kbuild-9.9, gcc-12' \
				>> "$dir/control/DEBIAN/control"
		dpkg-deb -b "$dir/control" "$dir/$file" >> "$work/out"
		cat "$dir/control/DEBIAN/control"
		printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "$file" "$(stat -c %s \
			"$dir/$file")" \
			"$(sha256sum "$dir/$file" | cut -d ' ' -f 1)"
		[[ $name != -* ]] || rm "$dir/$file"
	done > "$dir/Packages"
}
serve() {	# serve DIR: sets url
	python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$1" > "$work/port" \
		2> "$work/served" &
	server=$!
	trap 'kill $server; rm -rf "$work"' EXIT
	until url=$(grep -oE 'http://[0-9.:]+' "$work/port"); do kill -0 $server || exit 2; done
}
# vm COMMAND...: runs it in a subshell, with the real functions of lapwing-vm except those that
# unpack
vm() {
	(
		unset -f note fail
		eval "$(sed -n '/^note()/,/^}/p; /^fail()/,/^}/p; /^need()/,/^}/p' \
			runtime/vm/lapwing-vm)"
		. runtime/vm/fetch.sh
		cache=$work/fetched host_debarch=amd64
		unset http_proxy HTTP_PROXY
		build_entry() {
			mkdir -p "$work/debs" "$work/entry"
			download_packages
			(cd "$work/debs" && ls) > "$work/entry/debs"
		}
		derive_sources() { :; }
		"$@" && echo "$release"
	) 2>&1
}
make_archive "$work/archive" busybox-static linux-headers-9.9-common linux-kbuild-9.9 \
	linux-{headers,image}-9.9.0-{1,2}-arm64 -linux-headers-9.9.0-3-arm64 \
	linux-image-9.9.0-3-arm64 \
	linux-headers-9.9.0-4-arm64 -linux-image-9.9.0-4-arm64 -linux-{headers,image}-9.8.0-1-arm64
mkdir -p "$work/fetched"/{apt/sources.d,kernels,series,busybox}
serve "$work/archive"
echo "deb [trusted=yes] $url ./" > "$work/fetched/apt/sources.d/lapwing-derived.list"
gone() {
	echo "lapwing-vm: the package archive lists Linux 9.9.0-$1-arm64" \
		"and has no files of it (404):"
}
check 'the next older one' "$(gone 4) 9.9-arm64 is 9.9.0-3-arm64, until fetch --renew
$(gone 3) 9.9-arm64 is 9.9.0-2-arm64, until fetch --renew
9.9.0-2-arm64" "$(vm fetch_kernel 9.9-arm64)"
check 'its packages' \
	'headers-9.9-common headers-9.9.0-2-arm64 image-9.9.0-2-arm64 kbuild-9.9 static' \
	"$(sed -E 's/^[a-z]*-//; s/_.*//' "$work/fetched/kernels/9.9.0-2-arm64/debs" | sort |
	paste -sd' ')"
check 'the choice is kept' 9.9.0-2-arm64 "$(vm fetch_kernel 9.9-arm64)"
check 'the name of one without files' \
	"$(gone 3) of this series 9.9.0-2-arm64 can be had; lapwing-vm list shows others" \
	"$(vm fetch_kernel 9.9.0-3-arm64)"
check 'none has files' \
	"lapwing-vm: no kernel '9.8-arm64' can be had: the package archive lists 9.8.0-1-arm64 \
and has no files of them; it has 9.9: 'lapwing-vm list' shows them all" "$(vm fetch_kernel 9.8-arm64)"
check 'list without kernels that have no files' '9.9-arm64 9.9.0-2-arm64' \
	"$(vm list_kernels | awk '/-arm64 / { print $1, $2 }')"
kill $server
wait $server 2> "$work/err"
trap 'rm -rf "$work"' EXIT
rm -rf "$work/fetched/kernels/"* "$work/fetched/series/"* "$work/fetched/apt/gone"
check 'no network' \
	'lapwing-vm: cannot download the packages of Linux 9.9.0-4-arm64: is the network up' \
	"$(vm fetch_kernel 9.9-arm64 | sed 's/ and the disk not full.*//')"
check 'no network: none is marked as gone' '' "$(cat "$work/fetched/apt/gone" 2> "$work/err")"
exit $failed
