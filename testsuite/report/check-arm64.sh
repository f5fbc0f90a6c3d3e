#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-arm64.sh - the programs that read captures, built for arm64, say what they say here: of captures made here and there, whole, cut off
# and damaged. What they compress is compared as it was: another build of zlib may do it otherwise. Debian's arm64 libraries are unpacked
# into the cache (24 MB, once), not installed; qemu-user runs the programs. Skipped where packages cannot be had. With --fetch it only sees
# to it that they are there.
. "$(dirname "$0")/../common.sh"
skip() { echo "SKIP arm64: $*"; exit 77; }
host=aarch64-linux-gnu
packages="libc6 libgcc-s1 libglib2.0-0 libglib2.0-dev libpcre2-8-0 libpcre2-dev libffi8 libffi-dev libmount1
	libmount-dev libblkid1 libblkid-dev libselinux1 libselinux1-dev libsepol2 libsepol-dev libelf1 libelf-dev libdw1
	libdw-dev liblzma5 liblzma-dev libbz2-1.0 libbz2-dev libpfm4 libpfm4-dev
	libcapstone4 libcapstone-dev libncursesw6 libncurses-dev libtinfo6 libprotobuf-c1 libprotobuf-c-dev zlib1g
	zlib1g-dev libsqlite3-0 libsqlite3-dev libzstd1 libzstd-dev"
readers=(report callgraph annotate flame export timeline)
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")	# whose build looks for what it needs where those packages have it
top=${LAPWING_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/lapwing}
system=$top/arm64

# The lists of packages are those that lapwing-vm has.
fetch() {
	# shellcheck disable=SC2317 # called by fetch.sh
	fail() { skip "${*:2}"; }
	need() { command -v "$1" > /dev/null || skip "needs '$1': apt-get install $2"; }
	note() { echo "arm64: $*"; }
	progress_begin() { exec 7> "$work/progress"; }		# apt writes there how far it is
	progress_end() { exec 7>&-; }
	local cache=$top/vm deb
	. runtime/vm/fetch.sh
	mkdir -p "$cache" "$work/debs"
	lock_cache
	prepare_apt
	# shellcheck disable=SC2046,SC2086 # words
	(cd "$work/debs" && apt-get "${apt_options[@]}" -t "$release" download $(printf '%s:arm64 ' $packages) "qemu-user:$host_debarch") \
		> "$work/log" 2>&1 ||
		skip "packages cannot be had: $(grep -m 1 '^E' "$work/log")"
	for deb in "$work"/debs/*.deb; do
		dpkg-deb -x "$deb" "$work/system" || skip "no room for packages"
	done
	echo "$release: $packages" > "$work/system/packages"
	rm -rf "$system"
	mv "$work/system" "$system"
}

build() {
	local where="-I$system/usr/include -I$system/usr/include/$host" dirs="$system/usr/lib/$host:$system/lib/$host"

	make -s distdir distdir="$work/tree" && cp -p report/*.pb-c.[ch] report/flame_*.h "$work/tree/report" &&
		cd "$work/tree" || return 1
	PKG_CONFIG_SYSROOT_DIR=$system PKG_CONFIG_LIBDIR=$system/usr/lib/$host/pkgconfig:$system/usr/share/pkgconfig \
		./configure -q --host=$host CPPFLAGS="$where" LDFLAGS="-L${dirs/:/ -L} -Wl,-rpath-link,$dirs" &&
		make -s -j2 "${readers[@]/#/lapwing-}"
}

command -v $host-gcc > /dev/null || skip "needs '$host-gcc': apt-get install gcc-aarch64-linux-gnu"
(exec 2>&1; [ "$(cat "$system/packages" 2> /dev/null)" = "$release: $packages" ] || fetch) || exit
[ "${1:-}" != --fetch ] || exit 0
(build) > "$work/log" 2>&1 || { cat "$work/log"; exit 2; }

. testsuite/report/build-load || exit 2
make_captures() {
	testsuite/report/make-capture testsuite/report/arm64.frames "$work/there" &&
		./lapwing record -q -g -o "$work/here" -- "$work/load" 200 > "$work/out" &&
		./lapwing record -q --call-graph dwarf --off-cpu -o "$work/waits" -- "$work/bare" 50 20 > "$work/out" &&
		printf 'lapwing arcs 1\nfunction 1 9 x\nfunction 2 5 y\narc 0 1 1 4 9\narc 1 2 3 5 5\nrefused 0\n' |
		./lapwing record -q --arcs-from - -o "$work/calls" || return 1
	head -c 9000 "$work/here" > "$work/cut"
	{ head -c 600 "$work/here"; head -c 4000 /dev/zero; tail -c 600 "$work/here"; } > "$work/bad"
	head -c 900 /dev/zero > "$work/none"
}
make_captures || exit 2
# said FILE COMMAND...: its output, unpacked where it is packed, and its messages are in the file
said() {
	local to=$1 status
	shift
	"$@" > "$work/raw" 2> "$work/messages"
	status=$?
	if [ "$(head -c 2 "$work/raw" | od -An -tx1)" = ' 1f 8b' ]; then
		gzip -dc < "$work/raw" > "$to" 2>> "$work/messages"
	else
		cp "$work/raw" "$to"
	fi
	cat "$work/messages" >> "$to"
	return $status
}
while read -r reader options; do
	shown=0
	for capture in here there waits calls cut bad none; do
		# shellcheck disable=SC2086 # words
		said "$work/out" ./lapwing-"$reader" $options "$work/$capture"
		status=($?)
		[ "${status[0]}" -eq 0 ] && shown=$((shown + 1))
		# shellcheck disable=SC2086
		said "$work/arm64" "$system/usr/bin/qemu-aarch64" -L "$system" "$work/tree/lapwing-$reader" $options "$work/$capture"
		status[1]=$?
		[ "${status[*]}" = "${status[0]} ${status[0]}" ] && cmp -s "$work/out" "$work/arm64" && continue
		fail "$reader $options: $capture: exit status ${status[*]}"
		diff "$work/out" "$work/arm64" | head -20
	done
	[ $shown -gt 0 ] && echo "PASS $reader $options" || fail "$reader $options: shows nothing"
done <<END
report --delayed
report -t --apart
report --csv --by function,block,line,cpu
annotate -f heavy
annotate -f countdown --blocks
annotate -f heavy --dot
callgraph --min 0
flame -o -
timeline --by function --step 0.05 --csv
export -f folded -o -
export -f pprof -o -
export -f gmon -o -
export -f speedscope -o -
export -f firefox -o -
export -f csv -o -
export -f json -o -
END
[ $failed -eq 0 ]
