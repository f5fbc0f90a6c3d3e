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
	[ ! -d "$cache/apt/sources.d" ] ||
		apt_options+=(-o Dir::Etc::sourceparts="$cache/apt/sources.d" -o Dir::Etc::sourcelist=/dev/null)
}

# After progress_begin
apt_get()
{
	apt-get "${apt_options[@]}" -o APT::Status-Fd=7 "$@"
}

# Package lists, at most an hour old.  apt reports a dead mirror but exits 0, so the log is kept for update_complaint
update_lists()
{
	if [ -z "$(find "$cache/apt/updated" -mmin -60 2>/dev/null)" ]; then
		mkdir -p "$cache/apt/lists/partial" "$cache/apt/archives/partial" || fail_write
		progress_begin "fetching the package lists"
		apt_get update >"$cache/apt/log" 2>&1
		# Some suites may be missing; where none answers, what is there is no list that is up to date.
		! grep -qE '^(Hit|Get):' "$cache/apt/log" || touch "$cache/apt/updated"
		rm -f "$cache/apt/kernels"
	fi
	[ -e "$cache/apt/kernels" ] || index_packages
	progress_end
}

update_complaint()
{
	grep -m 1 -E '^[EW]: ' "$cache/apt/log"
}

# The sources may lack the suite that has the kernel (another release of Debian, backports, security): derive all that may
# have it from the mirror of a configured suite, for the private lists only
derive_sources()
{
	local key=/usr/share/keyrings/debian-archive-keyring.gpg codename uri name suite

	codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
	mkdir -p "$cache/apt/sources.d" || fail_write
	[ -e "$key" ] && key=" signed-by=$key" || key=
	# shellcheck disable=SC2016 # apt's own substitution
	while read -r uri name; do
		for suite in "$codename"{,-updates,-backports,-security} \
			{bullseye,bookworm,trixie}{,-security} {bookworm,trixie}{-updates,-backports}; do
			case $suite in
			*-security) name=${uri%/}-security ;;
			*) name=$uri ;;
			esac
			echo "deb [arch=amd64,arm64$key] $name $suite main"
		done
	done < <(configured_mirrors "$codename") | sort -u >"$cache/apt/derived.list"
	mv "$cache/apt/derived.list" "$cache/apt/sources.d/lapwing-derived.list" || fail_write
	set_apt_options
	rm -f "$cache/apt/updated"
	update_lists
}

# By the machine's own sources
configured_mirrors()
{
	# shellcheck disable=SC2016 # apt's own substitution
	apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
		sed -n "s/^$1 //p" | sort -u
}

# The kernels' packages, one line each: name:architecture, release of Debian, version, dependencies.  apt-cache reads
# all lists at each call, which takes seconds
index_packages()
{
	local file suite

	progress_begin "reading the package lists"
	# shellcheck disable=SC2016 # apt's own substitution
	apt-get "${apt_options[@]}" indextargets --format '$(FILENAME) $(RELEASE)' 'Created-By: Packages' |
	while read -r file suite; do
		file=$(compgen -G "$file*" | head -n 1)
		[ -z "$file" ] || /usr/lib/apt/apt-helper cat-file "$file" |
			awk -v suite="${suite%%-*}" -v OFS='\t' '
			/^Package: / { name = $2 }
			/^Architecture: / { arch = $2 }
			/^Version: / { version = $2 }
			/^Depends: / { depends = substr($0, 10) }
			/^$/ { if (name ~ /^linux-(headers|image|binary|modules|kbuild|source)-/)
					print name ":" arch, suite, version, depends
				depends = "" }'
	done | sort -u >"$cache/apt/.kernels.new"
	mv "$cache/apt/.kernels.new" "$cache/apt/kernels" || fail_write
}

# package_field NAME:ARCH N: of the newest version; architecture `all` will do too
package_field()
{
	local line

	line=$(awk -F'\t' -v name="$1" -v all="${1%:*}:all" '$1 == name || $1 == all' "$cache/apt/kernels" |
		sort -t $'\t' -rV -k 3 | head -n 1)
	[ -n "$line" ] && cut -f "$2" <<<"$line"
}

has_package()
{
	package_field "$1" 1 >/dev/null
}

# The release of Debian that has a package: bookworm, trixie, also when it is in its backports or security updates
codename_of()
{
	package_field "$1" 2
}

depends_of()
{
	package_field "$1" 4
}

# image_parts PACKAGE: with those that it depends on: since 6.19 it is empty, another has the kernel, a third its modules
image_parts()
{
	echo "$1"
	depends_of "$1" | grep -oE 'linux-(binary|modules)-[^ ,]+' | sed "s/\$/:${1#*:}/"
}

# The image package of a release: the signed one where it exists, and all of its parts do
image_package()
{
	local name part

	for name in "linux-image-$1:$2" "linux-image-$1-unsigned:$2"; do
		has_package "$name" || continue
		for part in $(image_parts "$name"); do
			has_package "$part" || continue 2
		done
		echo "$name"
		return
	done
	return 1
}

# Sets image, of its caller
find_image_package()
{
	image=$(image_package "$release" "$debarch") ||
		{ derive_sources; image=$(image_package "$release" "$debarch"); }
}

# releases KIND FLAVOUR: of which the archive has a package linux-KIND, newest first
releases()
{
	sed -nE "s/^linux-$1-([0-9]+\.[0-9]+\.[0-9]+([-+](deb)?[0-9][0-9a-z.]*)*-$2)(-unsigned)?:.*/\1/p" "$cache/apt/kernels" | sort -ruV
}

# newest_release SERIES DEBARCH FLAVOUR: one that modules can be built for where there is one, of this machine's Debian
# where there is one; SERIES `newest` means any
newest_release()
{
	local candidate own elsewhere= series=${1//./\\.}

	[[ $3 != @(debug|clang) ]] || { built_release "$1" "$3"; return; }
	[ "$1" != newest ] || { releases headers "$3" | grep -m 1 .; return; }
	own=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	while read -r candidate; do
		image_package "$candidate" "$2" >/dev/null || continue
		[ "$(codename_of "linux-headers-$candidate:$2")" != "$own" ] || { echo "$candidate"; return; }
		elsewhere=${elsewhere:-$candidate}
	done < <(releases headers "$3" | grep "^$series\.")
	[ -z "$elsewhere" ] || { echo "$elsewhere"; return; }
	while read -r candidate; do
		! image_package "$candidate" "$2" >/dev/null || { echo "$candidate"; return; }
	done < <(releases image "$3" | grep "^$series\.")
	return 1
}

# Sets release, or series and flavour, from a KVER
split_kver()
{
	local kver=$1

	release= flavour=cloud-amd64 series=${1%-*}
	if [[ $kver =~ ^[0-9]+\.[0-9]+\.[0-9a-z.+~-]*-(amd64|arm64)$ ]]; then
		release=$kver
	elif ! [[ $kver =~ ^([0-9]+\.[0-9]+|newest)(-arm64|-rt|-debug|-clang)?$ ]]; then
		fail 2 "'$kver' is not a kernel version: 6.1, 6.12-arm64, 6.12-rt, 6.1-debug, 6.12-clang, newest or a full release name is" \
			"expected"
	fi
	case $kver in
	*-arm64) flavour=arm64 ;;
	*-rt)	flavour=rt-amd64 ;;
	*-debug | *-clang) flavour=${kver##*-} ;;
	*)	series=$kver ;;
	esac
}

# chosen_release KVER: by the file that LAPWING_VM_RELEASES names (lines KVER RELEASE), or as it was looked up before
chosen_release()
{
	awk -v kver="$1" '$1 == kver { print $2; found = 1; exit } END { exit !found }' "${LAPWING_VM_RELEASES:-/dev/null}" ||
		cat "$cache/series/$1" 2>/dev/null
}

# Sets release and arch from a KVER; a series is looked up in the archive once
resolve_kver()
{
	local kver=$1 renew=${2:-} flavour series

	split_kver "$kver"
	if [ -z "$release" ]; then
		[ -z "$renew" ] && release=$(chosen_release "$kver") || release=$(look_up_series) || exit
	fi
	case $release in
	*-arm64) arch=arm64 debarch=arm64 ;;
	*) arch=x86_64 debarch=amd64 ;;
	esac
}

# For resolve_kver alone, whose variables it uses. `newest` is of all suites.
look_up_series()
{
	local found= debarch=amd64 others

	[ "$flavour" != arm64 ] || debarch=arm64
	lock_cache
	prepare_apt
	[ -z "$renew" ] || { rm -f "$cache/apt/updated"; update_lists; }
	[ "$series" = newest ] || found=$(newest_release "$series" $debarch "$flavour") ||
		found=
	if [ -z "$found" ] && { derive_sources; ! found=$(newest_release "$series" $debarch "$flavour"); }; then
		others=$(fetchable_series $debarch "$flavour")
		[ -z "$others" ] || fail 125 "no kernel $kver in the package archive, which has $others"
		fail 125 "no kernel $kver in the package archive, which lists none: is the network up? $(update_complaint)"
	fi
	echo "$found" >"$cache/series/.$kver.new" && mv "$cache/series/.$kver.new" "$cache/series/$kver" || fail_write
	echo "$found"
}

# list_releases KVER: all of a series for which modules can be built, oldest first
list_releases()
{
	local release flavour series candidate debarch=amd64

	split_kver "$1"
	[ -z "$release" ] || fail 2 "releases takes a series, not '$1'"
	[ "$flavour" != arm64 ] || debarch=arm64
	lock_cache
	prepare_apt
	[ -e "$cache/apt/sources.d/lapwing-derived.list" ] || derive_sources
	while read -r candidate; do
		! image_package "$candidate" $debarch >/dev/null || echo "$candidate"
	done < <(releases headers "$flavour" | grep "^${series//./\\.}\." | tac)
}

# series_of FLAVOUR: the series of which the archive has a kernel, in one line
series_of()
{
	releases image "$1" | sed -E 's/^([0-9]+\.[0-9]+).*/\1/' | sort -uV | paste -sd' '
}

# fetchable_series DEBARCH FLAVOUR: those of which it has all packages, too
fetchable_series()
{
	local series

	for series in $(series_of "$2"); do
		! newest_release "$series" "$1" "$2" >/dev/null || echo "$series"
	done | paste -sd' '
}

# list_archive: what can be had, a line each: KVER, release, what it is good for
list_archive()
{
	local suffix flavour series candidate of

	prepare_apt
	[ -e "$cache/apt/sources.d/lapwing-derived.list" ] || derive_sources
	for suffix in '' -arm64 -rt; do
		flavour=cloud-amd64 of=amd64
		case $suffix in
		-arm64) flavour=arm64 of=arm64 ;;
		-rt) flavour=rt-amd64 ;;
		esac
		for series in $(series_of "$flavour"); do
			candidate=$(cat "$cache/series/$series$suffix" 2>/dev/null || newest_release "$series" $of "$flavour") || continue
			echo "$series$suffix $candidate $(has_package "linux-headers-$candidate:$of" && echo modules || echo user)"
		done
	done
}

# list_cache: what is there, likewise
list_cache()
{
	local folder release suffix

	for folder in "$cache"/kernels/*/; do
		[ -d "$folder" ] || continue
		release=$(basename "$folder") suffix=
		case $release in
		*-debug-amd64 | *-clang-amd64) suffix=-$(built_flavour "$release") ;;
		*-rt-amd64) suffix=-rt ;;
		*-arm64) suffix=-arm64 ;;
		esac
		echo "$(cut -d. -f 1,2 <<<"$release")$suffix $release $([ -d "$folder/tree" ] && echo modules || echo user)"
	done
}

# list_kernels: what can be had, and what is there of others
list_kernels()
{
	local archive known why

	lock_cache
	if [ -n "${LAPWING_VM_OFFLINE:-}" ]; then
		archive= why='nothing is fetched, as LAPWING_VM_OFFLINE is set'
	else
		archive=$(list_archive) || return
		why="the package archive lists none: is the network up? $(update_complaint)"
	fi
	known=$(echo "$archive"; list_cache)
	[ -n "$known" ] || fail 125 "no kernels are in the cache '$cache', and $why"
	[ -n "$archive${LAPWING_VM_OFFLINE:-}" ] || note "only kernels of the cache are listed: $why"
	echo "$known" | awk -v there="$(ls "$cache/kernels" 2>/dev/null)" '
		BEGIN { for (n = split(there, release, "\n"); n; n--) cached[release[n]] }
		NF && !seen[$2]++ { printf "%-12s %-34s %-8s%s\n", $1, $2, $3, $2 in cached ? " cached" : "" }'
}

# From here on the archive is asked
prepare_apt()
{
	[ -z "${LAPWING_VM_OFFLINE:-}" ] ||
		fail 125 "not in the cache '$cache', and nothing is fetched: LAPWING_VM_OFFLINE is set"
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
		trap 'progress_end; rm -rf "$work"' EXIT
		trap 'exit 130' INT
		trap 'exit 143' TERM
		if flavour=$(built_flavour "$release"); then
			build_source_entry "$flavour"
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
	progress_end
}

# Names with versions of the packages the headers package depends on: the common headers (for 6.1, PREEMPT_RT has its own,
# with other structures) and kbuild's tools, which are programs and so must be of this machine's architecture
header_packages()
{
	local depends

	depends=$(depends_of "linux-headers-$release:$debarch")
	grep -oE 'linux-headers-[^ ,]+-common[^ ,]*' <<<"$depends" | head -n 1
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
	[ ${#wanted[@]} = 3 ] || wanted=()
	mapfile -t -O ${#wanted[@]} wanted < <(image_parts "$image")
	[ -e "$cache/busybox/$arch" ] || wanted+=("busybox-static:$debarch")
	progress_begin "downloading Linux $release"
	if ! (cd "$work/debs" && apt_get download "${wanted[@]}") >"$cache/apt/log" 2>&1; then
		rm -f "$cache/apt/updated"
		fail 125 "cannot download the packages of Linux $release: is the network up and the disk not full" \
			"($(df -hP "$cache" | awk 'END { print $4 }') free)? $(update_complaint)"
	fi
}

# unpack PATTERN DIR [TAR-WORD...]: files of the downloaded packages of that name; at least one has them
unpack()
{
	local deb pattern=$1 dir=$2 status=1

	shift 2
	while read -r deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$dir" --no-same-owner "$@" && status=0
	done < <(find "$work/debs" -name "$pattern")
	return $status
}

# Debian's headers name /usr/src in one place; the arch folders of other machines are a third of the files.  A vmlinux
# (BTF alone, from 6.12 on) would make kbuild ask for pahole to give every module BTF
unpack_headers()
{
	local tree=$work/entry/tree pattern common headers dir output=

	[ -n "$(find "$work/debs" -name "linux-headers-${release}_*")" ] || return 0	# modules cannot be built for it
	fetch_toolchain
	progress_begin "unpacking the headers of Linux $release"
	for pattern in "linux-headers-*-common*_*" "linux-kbuild-*" "linux-headers-${release}_*"; do
		unpack "$pattern" "$tree" --exclude=./usr/share --exclude=./usr/lib/linux-image* || fail_write
	done
	rm -f "$tree/usr/src/linux-headers-$release/vmlinux"
	common=$(cd "$tree/usr/src" && echo linux-headers-*-common*)
	headers=$tree/usr/src/linux-headers-$release
	# shellcheck disable=SC2016 # make's own substitution
	! grep -q KBUILD_OUTPUT "$headers/Makefile" || output='KBUILD_OUTPUT := $(realpath $(dir $(lastword $(MAKEFILE_LIST))))'
	# shellcheck disable=SC2016 # make's own substitution
	printf '%s\ninclude $(dir $(lastword $(MAKEFILE_LIST)))../%s/Makefile\n' "$output" "$common" >"$headers/Makefile" || fail_write
	if [ "$debarch" != "$host_debarch" ]; then
		printf 'override CROSS_COMPILE = %s-linux-gnu-\n' "${arch/arm64/aarch64}" >>"$headers/.kernelvariables" ||
			fail_write
	fi
	use_toolchain "$headers"
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
	! built_flavour "$release" >/dev/null || fail 125 "Linux $release has no modules but those it needs to start"
	(
		lock_cache
		[ ! -d "$dir" ] || exit 0
		note "fetching the modules of Linux $release (once)"
		work=$(mktemp -d "$cache/tmp.XXXXXX") || fail_write
		trap 'progress_end; rm -rf "$work"' EXIT
		prepare_apt
		mkdir "$work/debs" "$work/modules" || fail_write
		find_image_package && progress_begin "downloading the modules of Linux $release" &&
			(cd "$work/debs" && apt_get download $(image_parts "$image")) >"$cache/apt/log" 2>&1 ||
			fail 125 "cannot download the modules of Linux $release: is it still in the package archive, and the network up?" \
				"$(update_complaint)"
		progress_begin "unpacking the modules of Linux $release"
		unpack "linux-[im]*" "$work/modules" --wildcards "*/lib/modules/*" 2>/dev/null
		[ -d "$work/modules/lib" ] || mv "$work/modules/usr/lib" "$work/modules/lib"
		cd "$work/modules/lib/modules/$release" || fail_write
		find . -name '*.ko.xz' -exec xz -d {} + && find kernel -name '*.ko' -printf '%p:\n' >modules.dep || fail_write
		chmod -R a+rX "$work/modules" && mv -T "$work/modules" "$dir" || fail_write
	)
}
