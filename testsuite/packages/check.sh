#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - the Debian packages: built of what git tracks, they are without a word of lintian; each
# file that `make install` installs is in one of them, and nothing else is but what Debian adds; the
# loader comes without a compiler; what is unpacked runs, wherever it lies.
# As root, as debian/tests/smoke is.
. "$(dirname "$0")/../common.sh"

tree=$work/tree all=$work/all
mkdir "$tree" "$all"
git ls-files | tar -cT - | tar -xC "$tree"
(cd "$tree" && DEB_BUILD_OPTIONS=parallel=$(nproc) dpkg-buildpackage -us -uc -b) > "$work/log" 2>&1 ||
	{ grep -m5 -E 'error|unmet|missing' "$work/log"; tail -5 "$work/log"; exit 1; }

version=$(sed -n 's/^AC_INIT(\[lapwing\], \[\([^]]*\)\].*/\1/p' configure.ac)
[[ $(dpkg-parsechangelog -l debian/changelog -S Version) =~ ^"$version"-[0-9]+$ ]] ||
	fail "the version of debian/changelog is not $version-N, of configure.ac's"

# It is not uploaded to Debian, so there is no bug to close.
lintian --allow-root --suppress-tags initial-upload-closes-no-bugs --fail-on error,warning \
	"$work"/*.changes > "$work/out" 2>&1 || { fail lintian; cat "$work/out"; }

# Each file in one package. Manual pages and NEWS are compressed there.
names='lapwing lapwing-doc lapwing-runtime'
[ "$(cd "$work" && printf '%s\n' *.deb | sed 's/_.*//' | grep -v dbgsym | sort | xargs)" = "$names" ] ||
	fail "the packages are not $names: $(cd "$work" && echo *.deb)"
for name in $names; do
	dpkg-deb --fsys-tarfile "$work/${name}_"*.deb | tar -t | sed -n 's|^\./\(.*[^/]\)$|\1|p'
done > "$work/listed"
sed 's/\.gz$//' "$work/listed" | sort > "$work/packed"
make -s -C "$tree" install DESTDIR="$work/installed" > "$work/log" 2>&1 || fail 'make install'
(cd "$work/installed" && find . ! -type d -printf '%P\n') | sort > "$work/whole"
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
! dpkg-deb -f "$work"/lapwing-runtime_*.deb Depends | grep -wE 'gcc|make|lapwing|libglib2.0-0' ||
	fail 'lapwing-runtime depends on a compiler or the translator'

for name in $names; do dpkg-deb -x "$work/${name}_"*.deb "$all"; done
rm -rf "$tree" "$work/installed"
[ "$(PATH=$all/usr/bin:$PATH command -v lapwing)" = "$all/usr/bin/lapwing" ] || fail 'lapwing is not in usr/bin'
PATH=$all/usr/bin:$PATH debian/tests/smoke > "$work/out" 2>&1 || { fail 'what is unpacked'; cat "$work/out"; }
[ $failed -eq 0 ] && echo "packages: all as they should be"
[ $failed -eq 0 ]
