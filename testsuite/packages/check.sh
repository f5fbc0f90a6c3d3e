#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - the packages: Debian's, built and installed as packaging/Containerfile says, in fresh
# Debians out of the archive (base.sh, stages.sh). Each file that `make install` installs is in one
# of them, and nothing else is but what Debian adds; they are without a word of lintian; the loader
# comes without a compiler; what is unpacked runs, wherever it lies; what is installed passes
# debian/tests, and what packaging/ has does what its manual pages say (installed.sh). The RPM has
# the same files. As root.
if [ -z "${packages_apart:-}" ]; then
	# What is mounted goes before the folder is removed.
	packages_apart=$(mktemp -d -p /var/tmp) || exit 2
	trap 'rm -rf --one-file-system "$packages_apart"' EXIT
	export packages_apart
	unshare --mount --propagation private "$0" "$@"
	exit
fi
. "$(dirname "$0")/../common.sh"
. testsuite/packages/stages.sh

base=$(testsuite/packages/base.sh 2> "$work/log") || { echo "no Debian from the archive: $(tail -3 "$work/log")"; exit 1; }
tree=$work/tree all=$work/all debians=$packages_apart
build=$debians/build last=$debians/last made=$debians/build/src
mkdir "$tree" "$all"
git ls-files | tar -cT - | tar -xC "$tree"
stages packaging/Containerfile "$tree" "$base" "$debians" > "$work/log" 2>&1 ||
	{ grep -E 'error: |unmet|^dh_missing: ' "$work/log" | head -5; tail -5 "$work/log"; exit 1; }

version=$(sed -n 's/^AC_INIT(\[lapwing\], \[\([^]]*\)\].*/\1/p' configure.ac)
[[ $(dpkg-parsechangelog -l debian/changelog -S Version) =~ ^"$version"-[0-9]+$ ]] ||
	fail "the version of debian/changelog is not $version-N, of configure.ac's"

# It is not uploaded to Debian, so there is no bug to close.
lintian --allow-root --suppress-tags initial-upload-closes-no-bugs --fail-on error,warning \
	"$made"/*.changes > "$work/out" 2>&1 || { fail lintian; cat "$work/out"; }

# Each file in one package. Manual pages and NEWS are compressed there.
names='lapwing lapwing-doc lapwing-runtime'
[ "$(cd "$made" && printf '%s\n' *.deb | sed 's/_.*//' | grep -v dbgsym | sort | xargs)" = "$names" ] ||
	fail "the packages are not $names: $(cd "$made" && echo *.deb)"
for name in $names; do
	dpkg-deb --fsys-tarfile "$made/${name}_"*.deb | tar -t | sed -n 's|^\./\(.*[^/]\)$|\1|p'
done > "$work/listed"
sed 's/\.gz$//' "$work/listed" | sort > "$work/packed"
enter "$build" make -s -C /src/lapwing install DESTDIR=/installed > "$work/log" 2>&1 || fail 'make install'
(cd "$build/installed" && find . ! -type d -printf '%P\n') | sort > "$work/whole"
{
	cat "$work/whole"
	for name in $names; do
		printf "usr/share/doc/$name/%s\n" changelog.Debian copyright
	done
	find "$tree/debian" -name '*.lintian-overrides' -printf 'usr/share/lintian/overrides/%f\n' |
		sed 's/\.lintian-overrides$//'
	sed 's/.* //' "$tree/debian/lapwing-doc.links"
} | sort | diff - "$work/packed" > "$work/difference" ||
	fail "to be packed (<) and packed (>): $(grep '^[<>]' "$work/difference" | head -20 | tr '\n' ' ')"
[ -s "$work/whole" ] || fail 'make install installs nothing'

# The loader alone.
! dpkg-deb -f "$made"/lapwing-runtime_*.deb Depends | grep -wE 'gcc|make|lapwing|libglib2.0-0' ||
	fail 'lapwing-runtime depends on a compiler or the translator'

for name in $names; do dpkg-deb -x "$made/${name}_"*.deb "$all"; done
[ "$(PATH=$all/usr/bin:$PATH command -v lapwing)" = "$all/usr/bin/lapwing" ] || fail 'lapwing is not in usr/bin'
PATH=$all/usr/bin:$PATH debian/tests/smoke > "$work/out" 2>&1 || { fail 'what is unpacked'; cat "$work/out"; }

. testsuite/packages/rpm.sh
. testsuite/packages/installed.sh
[ $failed -eq 0 ] && echo "packages: all as they should be"
[ $failed -eq 0 ]
