# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fetch.sh: part of lapwing-vm. Makes the cache entry of a KVER.
#
# Input:  a KVER; the machine's apt sources.
# Output: the globals release and arch, and in the cache
#   series/KVER              the release name a series stands for
#   kernels/RELEASE/         made under a temporary name, so that it is complete or absent:
#     tree/usr/{src,lib}     headers and kbuild tools as Debian lays them out, made relocatable
#     image btf initrd       see image.sh
#     modules/lib/modules/   the kernel's modules, once they are asked for: uncompressed;
#                            modules.dep lists them without dependencies
#   busybox/ARCH             static busybox
#   apt/                     private package lists; the machine's own package state is neither read
#                            nor changed
#     gone                   releases in the lists whose files the archive does not have: skipped
#
# It runs no guest and installs nothing.

# Status of make_entry if the archive does not have the files of the release
status_gone=4

# With these options apt works on the private lists, for both guest architectures, without root
set_apt_options()
{
	apt_options=(-q -o Dir::State::lists="$cache/apt/lists" -o Dir::State::status=/dev/null \
		-o Dir::Cache="$cache/apt"
		-o Dir::Cache::archives=archives -o Debug::NoLocking=1 -o APT::Sandbox::User=root
		-o APT::Architecture="$host_debarch" -o APT::Architectures::=amd64 \
			-o APT::Architectures::=arm64
		-o Acquire::Languages=none -o Acquire::Retries=3)
	[ ! -d "$cache/apt/sources.d" ] ||
		apt_options+=(-o Dir::Etc::sourceparts="$cache/apt/sources.d" \
			-o Dir::Etc::sourcelist=/dev/null)
}

# Updates package lists older than an hour. apt exits 0 even if it reports an unreachable mirror, so
# complaint() reads its log
update_lists()
{
	if [ -z "$(find "$cache/apt/updated" -mmin -60 2>/dev/null)" ]; then
		mkdir -p "$cache/apt/lists/partial" "$cache/apt/archives/partial" || fail_write
		apt-get "${apt_options[@]}" update >"$cache/apt/update-log" 2>&1
		touch "$cache/apt/updated"
		rm -f "$cache/apt/kernels"
	fi
	[ -e "$cache/apt/kernels" ] || index_packages
}

# complaint log|update-log: apt's first complaint in the last download or update
complaint()
{
	grep -m 1 -E '^(E|W|Err)' "$cache/apt/$1" 2>/dev/null
}

# The sources may lack the suite that has the kernel (another release of Debian, backports,
# security): adds all suites that may have it, from the mirrors of the configured one, to the
# private lists only
derive_sources()
{
	local key=/usr/share/keyrings/debian-archive-keyring.gpg codename uri name suite

	codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
	mkdir -p "$cache/apt/sources.d" || fail_write
	[ -e "$key" ] && key=" signed-by=$key" || key=
	# shellcheck disable=SC2016 # apt's own substitution
	while read -r uri name; do
		for suite in "$codename"{,-updates,-backports,-security} \
			{bullseye,bookworm,trixie}{,-security} \
			{bookworm,trixie}{-updates,-backports}; do
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

# configured_mirrors CODENAME: mirrors and suites of the machine's own sources
configured_mirrors()
{
	# shellcheck disable=SC2016 # apt's own substitution
	apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
		sed -n "s/^$1 //p" | sort -u
}

# Writes an index of the kernels' packages, one line each: name:architecture, release of Debian,
# version, dependencies. apt-cache would read all lists at each call, which takes seconds
index_packages()
{
	local file suite

	# shellcheck disable=SC2016 # apt's own substitution
	apt-get "${apt_options[@]}" indextargets --format '$(FILENAME) $(RELEASE)' \
		'Created-By: Packages' |
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

# package_field NAME:ARCH N: field N of the newest version; architecture `all` also matches
package_field()
{
	local line

	line=$(awk -F'\t' -v name="$1" -v all="${1%:*}:all" '$1 == name || $1 == all' \
		"$cache/apt/kernels" |
		sort -t $'\t' -rV -k 3 | head -n 1)
	[ -n "$line" ] && cut -f "$2" <<<"$line"
}

has_package()
{
	package_field "$1" 1 >/dev/null
}

# The Debian release that has a package: bookworm, trixie, including its backports and security
# updates
codename_of()
{
	package_field "$1" 2
}

depends_of()
{
	package_field "$1" 4
}

# image_parts PACKAGE: the image package and those it depends on: since 6.19 it is empty, another
# package has the kernel, a third one its modules
image_parts()
{
	echo "$1"
	depends_of "$1" | grep -oE 'linux-(binary|modules)-[^ ,]+' | sed "s/\$/:${1#*:}/"
}

# The image package of a release: the signed one if it exists with all of its parts
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

# Sets the caller's variable image
find_image_package()
{
	image=$(image_package "$release" "$debarch") ||
		{ derive_sources; image=$(image_package "$release" "$debarch"); }
}

# The part of a release name before its flavour
release_pattern='[0-9]+\.[0-9]+\.[0-9]+([-+](deb)?[0-9][0-9a-z.]*)*'

# releases KIND FLAVOUR: releases with a package linux-KIND in the archive, newest first
releases()
{
	sed -nE "s/^linux-$1-($release_pattern-$2)(-unsigned)?:.*/\1/p" "$cache/apt/kernels" |
		sort -ruV |
		grep -vxF -f <(cat "$cache/apt/gone" 2>/dev/null)
}

# listed_and_gone SERIES FLAVOUR: the releases that are only in the lists, newest first
listed_and_gone()
{
	grep -xE "$release_pattern-$2" "$cache/apt/gone" 2>/dev/null | grep "^${1//./\\.}\." |
		sort -ruV |
		paste -sd' '
}

# newest_release SERIES DEBARCH FLAVOUR [CODENAME]: a release of the series, or of any series if
# SERIES is `newest`. It prefers one that modules can be built for, then one of this machine's
# release of Debian; with CODENAME, only that release of Debian counts
newest_release()
{
	local candidate own elsewhere= package series=${1//./\\.} only=${4:-}

	[[ ! $3 =~ ^(debug|rt-debug|clang)$ ]] || { built_release "$1" "$3"; return; }
	[ "$1" != newest ] || { releases headers "$3" | grep -m 1 .; return; }
	own=${only:-$(. /etc/os-release && echo "${VERSION_CODENAME:-}")}
	while read -r candidate; do
		image_package "$candidate" "$2" >/dev/null || continue
		[ "$(codename_of "linux-headers-$candidate:$2")" != "$own" ] ||
			{ echo "$candidate"; return; }
		elsewhere=${elsewhere:-$candidate}
	done < <(releases headers "$3" | grep "^$series\.")
	[ -z "$elsewhere" ] || [ -n "$only" ] || { echo "$elsewhere"; return; }
	while read -r candidate; do
		package=$(image_package "$candidate" "$2") || continue
		[ "$(codename_of "$package")" != "${only:-$(codename_of "$package")}" ] ||
			{ echo "$candidate"; return; }
	done < <(releases image "$3" | grep "^$series\.")
	return 1
}

# Sets release, arch and kind (built.sh) from a KVER; a series is looked up in the archive once
resolve_kver()
{
	local kver=$1 renew=${2:-} flavour=cloud-amd64 series=$1 codename=

	release=
	if [[ $kver =~ ^[0-9]+\.[0-9]+\.[0-9a-z.+~-]*-(amd64|arm64)$ ]]; then
		release=$kver
	elif ! [[ $kver =~ ^([0-9]+\.[0-9]+(-[a-z]+)?|newest)(-arm64|-rt)?$ ||
		$kver =~ ^[0-9]+\.[0-9]+-rt-debug$ ]]; then
		fail 2 \
			"'$kver' is not a kernel version: 6.1, 6.12-arm64, 6.12-rt, 6.12-trixie, 6.1-debug, 6.12-rt-debug," \
			"6.12-clang, newest or a full release name is expected"
	fi
	case $kver in
	*-rt-debug) flavour=rt-debug series=${kver%-rt-debug} ;;
	*-debug|*-clang) flavour=${kver##*-} series=${kver%-*} ;;
	*-arm64) flavour=arm64 series=${kver%-*} ;;
	*-rt)	flavour=rt-amd64 series=${kver%-*} ;;
	esac
	[[ $series != *-* ]] || { codename=${series#*-}; series=${series%%-*}; }
	if [ -z "$release" ]; then
		[ -z "$renew" ] && release=$(cat "$cache/series/$kver" 2>/dev/null) ||
			release=$(look_up_series) || exit
	fi
	case $release in
	*-arm64) arch=arm64 debarch=arm64 ;;
	*) arch=x86_64 debarch=amd64 ;;
	esac
	find_kind
}

# For resolve_kver only, whose variables it uses. `newest` considers all suites.
look_up_series()
{
	local found= debarch=amd64

	[ "$flavour" != arm64 ] || debarch=arm64
	lock_cache
	prepare_apt
	[ -z "$renew" ] || { rm -f "$cache/apt/updated" "$cache/apt/gone"; update_lists; }
	[ "$series" = newest ] || found=$(newest_release "$series" $debarch "$flavour" \
		"$codename") ||
		found=
	[ -n "$found" ] || { derive_sources; found=$(newest_release "$series" $debarch "$flavour" \
		"$codename"); } ||
		fail_series
	echo "$found" >"$cache/series/.$kver.new" &&
		mv "$cache/series/.$kver.new" "$cache/series/$kver" || fail_write
	echo "$found"
}

# For look_up_series: reports that there is no such kernel, and which kernels there are
fail_series()
{
	local why have one gone

	why=$(complaint update-log) gone=$(listed_and_gone "$series" "$flavour")
	have=$(for one in $(series_of "$flavour"); do newest_release "$one" "$debarch" \
		"$flavour" >/dev/null && echo "$one"; done | paste -sd' ')
	[ -z "$gone" ] || fail 125 "no kernel '$kver' can be had: the package archive lists $gone" \
		"and has no files of them; it has $have: 'lapwing-vm list' shows them all"
	if [ -z "$why" ]; then
		fail 125 \
			"no kernel '$kver' in the package archive, which has $have: 'lapwing-vm list' shows them all"
	fi
	fail 125 "no kernel '$kver': the package archive cannot be reached ($why); in the cache:" \
		"$(find "$cache/kernels" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -V |
		paste -sd' ')"
}

# series_of FLAVOUR: the series of kernels in the archive, on one line
series_of()
{
	releases image "$1" | sed -E 's/^([0-9]+\.[0-9]+).*/\1/' | sort -uV | paste -sd' '
}

# list_kernels: available and cached kernels, one line each: KVER, release, usable runtimes; then
# whether it is cached, or cached but no longer the archive's newest. Status 1 if the archive cannot
# be reached: then only cached ones are certain.
list_kernels()
{
	local suffix flavour series candidate of listed=" "

	lock_cache
	prepare_apt
	[ -e "$cache/apt/sources.d/lapwing-derived.list" ] || derive_sources
	for suffix in '' -arm64 -rt; do
		flavour=cloud-amd64 of=amd64
		case $suffix in
		-arm64) flavour=arm64 of=arm64 ;;
		-rt) flavour=rt-amd64 ;;
		esac
		for series in $(series_of "$flavour"); do
			candidate=$(cat "$cache/series/$series$suffix" 2>/dev/null ||
				newest_release "$series" $of "$flavour") || continue
			listed+="$candidate "
			list_line "$series$suffix" "$candidate" \
				"$(has_package "linux-headers-$candidate:$of" && echo modules ||
				good_for "$candidate")"
		done
	done
	for candidate in $(find "$cache/kernels" -mindepth 1 -maxdepth 1 -printf '%f\n' |
		sort -V); do
		[[ $listed == *" $candidate "* ]] ||
			list_line "$candidate" "$candidate" "$(good_for "$candidate")"
	done
	[ -z "$(complaint update-log)" ] || { note \
		"the package archive cannot be reached: $(complaint update-log)"; return 1; }
}

# list_line KVER RELEASE WHAT
list_line()
{
	printf '%-12s %-34s %-8s %s\n' "$1" "$2" "$3" "$([ -d "$cache/kernels/$2" ] && echo cached)"
}

# good_for RELEASE: usable runtimes, from the cache
good_for()
{
	[ -d "$cache/kernels/$1/tree/usr/src" ] && echo modules || echo user
}

prepare_apt()
{
	need apt-get apt
	need dpkg-deb dpkg
	host_debarch=$(dpkg --print-architecture)
	set_apt_options
	update_lists
}

# Only one process fetches at a time; others wait and find the work done. The lock ends with the
# process that opened it
lock_cache()
{
	need flock util-linux
	exec 8>"$cache/lock" || fail_write
	flock -n 8 && return
	note "waiting for another lapwing-vm to finish fetching"
	flock 8
}

# Free space of the cache's disk
free_kilobytes()
{
	df -kP "$cache" | awk 'END { print $4 }'
}

# Reports a failed write: the disk is full, or the directory is not writable
fail_write()
{
	local why="it is not writable: set LAPWING_CACHE to a directory that is"

	[ "$(free_kilobytes)" -ge 20000 ] || \
		why="the disk is full: make room (about 500 MB per kernel) or set LAPWING_CACHE"
	fail 125 "cannot write to the cache '$cache': $why"
}

# fail_unpack WHAT...: reports what a package lacks, or a full disk, which is more likely
fail_unpack()
{
	[ -w "$cache" ] && [ "$(free_kilobytes)" -ge 20000 ] || fail_write
	fail 125 "$@"
}

# fetch_kernel KVER [renew]: sets release and arch, and makes the cache entry if it is missing
fetch_kernel()
{
	local status

	resolve_kver "$@"
	while [ ! -d "$cache/kernels/$release" ]; do
		make_entry
		status=$?
		[ $status = $status_gone ] || return $status
		take_another "$1"
	done
}

# Makes the cache entry of $release; status_gone if the archive does not have its files
make_entry()
(
	[ -z "$kind" ] || { build_kernel; exit; }
	lock_cache
	[ ! -d "$cache/kernels/$release" ] || exit 0
	rm -rf "$cache"/tmp.*
	work=$(mktemp -d "$cache/tmp.XXXXXX") || fail_write
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	build_entry
	mv "$work/entry" "$cache/kernels/$release" || fail_write
)

# take_another KVER: $release turned out to be gone, so the series now means its next release
take_another()
{
	local gone=$release

	[ "$1" != "$release" ] || { fail_gone; exit; }
	rm -f "$cache/series/$1"
	resolve_kver "$1"
	note "the package archive lists Linux $gone and has no files of it (404): $1 is $release," \
		"until fetch --renew"
}

# A full release name is gone: reports which release of its series can be downloaded, by trying the
# smallest package of each
fail_gone()
(
	local series flavour have=

	series=$(cut -d. -f 1,2 <<<"$release")
	flavour=$(sed -E 's/.*-((cloud-|rt-)?(amd|arm)64)$/\1/' <<<"$release")
	lock_cache
	prepare_apt
	work=$(mktemp -d "$cache/tmp.XXXXXX") || fail_write
	trap 'rm -rf "$work"' EXIT
	mkdir "$work/debs" || fail_write
	while read -r have; do
		download_debs "linux-headers-$have:$debarch" && break
		! is_gone || echo "$have" >>"$cache/apt/gone" || fail_write
	done < <(releases headers "$flavour" | grep "^${series//./\\.}\.")
	fail 125 "the package archive lists Linux $release and has no files of it (404):" \
		"${have:+of this series $have can be had; }lapwing-vm list shows others"
)

# Makes $work/entry from packages
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

# The headers package and the packages it depends on: the common headers, and kbuild's tools, which
# are programs and so must be of this machine's architecture. PREEMPT_RT may have common headers of
# its own, with patches: with the other headers a module would compile structures too short
header_packages()
{
	local depends

	depends=$(depends_of "linux-headers-$release:$debarch")
	grep -oE 'linux-headers-[^ ,]+-common(-rt)?' <<<"$depends" | head -n 1
	grep -oE 'linux-kbuild-[^ ,]+' <<<"$depends" | head -n 1 | sed "s/\$/:$host_debarch/"
	echo "linux-headers-$release:$debarch"
}

download_packages()
{
	local wanted image

	prepare_apt
	find_image_package ||
		fail 125 \
			"no kernel $release in the package archive; newer ones: lapwing-vm fetch --renew SERIES." \
			"$(complaint update-log)"
	mapfile -t wanted < <(header_packages)
	[ ${#wanted[@]} = 3 ] || wanted=()
	mapfile -t -O ${#wanted[@]} wanted < <(image_parts "$image")
	[ -e "$cache/busybox/$arch" ] || wanted+=("busybox-static:$debarch")
	if download_debs "${wanted[@]}"; then
		sed -i "/^$release$/d" "$cache/apt/gone" 2>/dev/null
		return 0
	fi
	is_gone && { echo "$release" >>"$cache/apt/gone" || fail_write; exit $status_gone; }
	rm -f "$cache/apt/updated"
	fail 125 "cannot download the packages of Linux $release: is the network up and the disk" \
		"not full ($(df -hP "$cache" | awk 'END { print $4 }') free)? $(complaint log)"
}

# download_debs PACKAGE...: downloads packages into $work/debs; apt's messages go to the log
download_debs()
{
	(cd "$work/debs" && apt-get "${apt_options[@]}" download "$@") >"$cache/apt/log" 2>&1
}

# True if the last download failed because the archive does not have the file of a kernel package
is_gone()
{
	grep -qE '^E: Failed to fetch [^ ]*/linux-[^ ]* +(404 |File not found)' "$cache/apt/log"
}

# unpack PATTERN DIR [TAR-WORD...]: unpacks files of the downloaded packages with such a name;
# succeeds if one of them has the files
unpack()
{
	local deb pattern=$1 dir=$2 status=1

	shift 2
	while read -r deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$dir" --no-same-owner "$@" && status=0
	done < <(find "$work/debs" -name "$pattern")
	return $status
}

# Unpacks the headers. Debian's headers contain the path /usr/src in one place, which is replaced.
# The arch folders of other architectures, a third of the files, are removed. So is vmlinux (only
# BTF, from 6.12 on): with it kbuild would need pahole to give every module BTF
unpack_headers()
{
	local tree=$work/entry/tree pattern common headers dir output=

	[ -n "$(find "$work/debs" -name "linux-headers-${release}_*")" ] ||
		return 0	# no headers: modules cannot be built for it
	fetch_toolchain
	for pattern in "linux-headers-*-common*_*" "linux-kbuild-*" "linux-headers-${release}_*"; do
		unpack "$pattern" "$tree" --exclude=./usr/share --exclude=./usr/lib/linux-image* ||
			fail_unpack \
				"the headers of Linux $release are incomplete: cannot unpack a package $pattern: run the command again to download it anew"
	done
	rm -f "$tree/usr/src/linux-headers-$release/vmlinux"
	common=$(cd "$tree/usr/src" && echo linux-headers-*-common*)
	headers=$tree/usr/src/linux-headers-$release
	# shellcheck disable=SC2016 # make's own substitution
	! grep -q KBUILD_OUTPUT "$headers/Makefile" ||
		output='KBUILD_OUTPUT := $(realpath $(dir $(lastword $(MAKEFILE_LIST))))'
	# shellcheck disable=SC2016 # make's own substitution
	printf '%s\ninclude $(dir $(lastword $(MAKEFILE_LIST)))../%s/Makefile\n' "$output" \
		"$common" >"$headers/Makefile" || fail_write
	if [ "$debarch" != "$host_debarch" ]; then
		printf 'override CROSS_COMPILE = %s-linux-gnu-\n' \
			"${arch/arm64/aarch64}" >>"$headers/.kernelvariables" ||
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
		mv "$(find "$work/busybox" -type f -path '*/bin/busybox')" "$cache/busybox/$arch" ||
		fail_unpack "the package busybox-static:$debarch has no bin/busybox"
}

fetch_modules()
{
	local dir=$cache/kernels/$release/modules image

	[ ! -d "$dir" ] || return 0
	[ -z "$kind" ] || fail 125 "Linux $release has no modules except those it needs to start"
	(
		lock_cache
		[ ! -d "$dir" ] || exit 0
		note "fetching the modules of Linux $release (once)"
		work=$(mktemp -d "$cache/tmp.XXXXXX") || fail_write
		trap 'rm -rf "$work"' EXIT
		prepare_apt
		mkdir "$work/debs" "$work/modules" || fail_write
		find_image_package && (cd "$work/debs" &&
			apt-get "${apt_options[@]}" download $(image_parts \
				"$image")) >"$cache/apt/log" 2>&1 ||
			fail 125 \
				"cannot download the modules of Linux $release: is it still in the package archive, and is the network up?" \
				"$(complaint log)"
		unpack "linux-[im]*" "$work/modules" --wildcards "*/lib/modules/*" 2>/dev/null
		[ -d "$work/modules/lib" ] || mv "$work/modules/usr/lib" "$work/modules/lib"
		cd "$work/modules/lib/modules/$release" ||
			fail_unpack "the packages of Linux $release have no lib/modules/$release"
		find . -name '*.ko.xz' -exec xz -d {} + &&
			find kernel -name '*.ko' -printf '%p:\n' >modules.dep || fail_write
		chmod -R a+rX "$work/modules" && mv -T "$work/modules" "$dir" || fail_write
	)
}
