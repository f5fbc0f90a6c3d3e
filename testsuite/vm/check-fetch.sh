#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-fetch.sh - which kernel lapwing-vm takes for a KVER, with which packages and compiler: its functions on a
# made-up index of packages (index_packages() in runtime/vm/fetch.sh). Nothing is fetched.
# shellcheck disable=SC2034 # what the functions under test read
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cache=$work host_debarch=amd64 failed=0
mkdir "$work/apt"
. runtime/vm/fetch.sh
. runtime/vm/toolchain.sh

# index NAME:ARCH RELEASE VERSION DEPENDS
index() { printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" >> "$work/apt/kernels"; }
# kernel RELEASE-OF-DEBIAN RELEASE ARCH GCC: with headers and an image of one piece
kernel() {
	index "linux-headers-$2:$3" "$1" "1" "linux-headers-${2%-*}-common${5:-} (= 1), linux-kbuild-7 (>= 1), $4"
	index "linux-image-$2:$3" "$1" "1" "kmod, linux-base"
}
kernel bullseye 5.10.0-30-cloud-amd64 amd64 linux-compiler-gcc-10-x86
kernel bullseye 5.10.0-46-cloud-amd64 amd64 linux-compiler-gcc-10-x86
kernel bullseye 6.1.0-0.deb11.52-cloud-amd64 amd64 linux-compiler-gcc-10-x86
kernel bookworm 6.1.0-9-cloud-amd64 amd64 linux-compiler-gcc-12-x86
kernel bookworm 6.1.0-56-cloud-amd64 amd64 linux-compiler-gcc-12-x86
kernel bookworm 6.1.0-56-arm64 arm64 linux-compiler-gcc-12-arm
kernel bookworm 6.1.0-56-rt-amd64 amd64 linux-compiler-gcc-12-x86 -rt
kernel trixie 6.12.200+deb13-cloud-amd64 amd64 gcc-14
kernel bookworm 6.12.117+deb12-cloud-amd64 amd64 linux-compiler-gcc-12-x86
index linux-image-6.17.8+deb13-cloud-amd64:amd64 trixie 1 kmod
index linux-image-6.17.13+deb13-cloud-amd64:amd64 trixie 1 kmod
index linux-image-7.0.13+deb13-cloud-amd64:amd64 trixie 1 'linux-modules-7.0.13+deb13-cloud-amd64 (= 1)'
kernel trixie 7.3.4+deb13-cloud-amd64 amd64 'gcc-14-for-host, linux-base'
kernel trixie 7.3.4+deb13-arm64 arm64 gcc-14-for-host
newer=7.3.4+deb13-cloud-amd64
sed -i "s/^\(linux-image-$newer:amd64.*\)kmod/\1linux-binary-$newer (= 1), linux-modules-$newer (= 1)/" "$work/apt/kernels"
index linux-binary-7.3.4+deb13-cloud-amd64:amd64 trixie 1 ''
index linux-modules-7.3.4+deb13-cloud-amd64:amd64 trixie 1 ''

check() {	# check WHAT EXPECTED GOT
	[ "$2" = "$3" ] && echo "PASS $1" || { echo "FAIL $1: '$3', not '$2'"; failed=1; }
}
newest() { newest_release "$@" || echo none; }
check 'newest of a series' 6.1.0-56-cloud-amd64 "$(newest 6.1 amd64 cloud-amd64)"
check 'of this Debian first' 6.12.117+deb12-cloud-amd64 "$(newest 6.12 amd64 cloud-amd64)"
check 'of another Debian' 5.10.0-46-cloud-amd64 "$(newest 5.10 amd64 cloud-amd64)"
check 'without headers' 6.17.13+deb13-cloud-amd64 "$(newest 6.17 amd64 cloud-amd64)"
check 'an image without its modules' none "$(newest 7.0 amd64 cloud-amd64)"
check 'no such series' none "$(newest 6.2 amd64 cloud-amd64)"
check 'arm64 is no rt-arm64' 6.1.0-56-arm64 "$(newest 6.1 arm64 arm64)"
check 'rt' 6.1.0-56-rt-amd64 "$(newest 6.1 amd64 rt-amd64)"
check 'newest of all' 7.3.4+deb13-cloud-amd64 "$(newest newest amd64 cloud-amd64)"
check 'series' '5.10 6.1 6.12 6.17 7.0 7.3' "$(series_of cloud-amd64)"
check 'series that can be had' '5.10 6.1 6.12 6.17 7.3' "$(fetchable_series amd64 cloud-amd64)"
check 'an image in parts' \
	'linux-image-7.3.4+deb13-cloud-amd64:amd64 linux-binary-7.3.4+deb13-cloud-amd64:amd64 linux-modules-7.3.4+deb13-cloud-amd64:amd64' \
	"$(image_parts linux-image-7.3.4+deb13-cloud-amd64:amd64 | paste -sd' ')"
for row in '5.10.0-46-cloud-amd64 amd64 bullseye 10' '6.1.0-56-arm64 arm64 bookworm 12' '7.3.4+deb13-cloud-amd64 amd64 trixie 14' \
	'6.12.200+deb13-cloud-amd64 amd64 trixie 14'; do
	read -r release debarch codename gcc <<< "$row"
	check "compiler of $release" "$codename $gcc" "$(codename_of "linux-headers-$release:$debarch") $(gcc_of_headers)"
done
for row in '6.1.0-56-cloud-amd64 6.1.0-56-cloud-common' '6.1.0-56-rt-amd64 6.1.0-56-rt-common-rt'; do
	read -r release common <<< "$row"
	debarch=amd64
	check "headers of $release" "linux-headers-$common linux-kbuild-7:amd64 linux-headers-$release:amd64" "$(header_packages | paste -sd' ')"
done
lock_cache() { :; }
prepare_apt() { :; }
mkdir -p "$work/apt/sources.d" "$work/series" && : > "$work/apt/sources.d/lapwing-derived.list"
check 'releases of a series' '6.1.0-0.deb11.52-cloud-amd64 6.1.0-9-cloud-amd64 6.1.0-56-cloud-amd64' "$(list_releases 6.1 | paste -sd' ')"
check 'releases of another architecture' 6.1.0-56-arm64 "$(list_releases 6.1-arm64)"
echo 6.1.0-56-cloud-amd64 > "$work/series/6.1"
check 'a series as it was looked up' 6.1.0-56-cloud-amd64 "$(chosen_release 6.1)"
printf '6.1-arm64 6.1.0-56-arm64\n6.1 6.1.0-9-cloud-amd64\n' > "$work/list"
check 'a series as a file says' 6.1.0-9-cloud-amd64 "$(LAPWING_VM_RELEASES=$work/list chosen_release 6.1)"
check 'a series that the file does not have' none "$(LAPWING_VM_RELEASES=$work/list chosen_release 6.12 || echo none)"
exit $failed
