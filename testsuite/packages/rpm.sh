# SPDX-License-Identifier: GPL-2.0-or-later
# rpm.sh - RPMs of a tarball, built with what this machine has of their requirements, contain what
# Debian's packages do ($work/whole). Sourced by check.sh.
rpms=$work/rpms
make -s distdir distdir="$work/lapwing-$version" > "$work/log" 2>&1 && mkdir "$rpms" &&
	tar -C "$work" -caf "$rpms/lapwing-$version.tar.xz" "lapwing-$version" &&
	rpmbuild -bb --nodeps --define "_topdir $rpms" --define "_sourcedir $rpms" --define 'optflags -O0' packaging/rpm/lapwing.spec \
		>> "$work/log" 2>&1 || { fail rpmbuild; grep -m5 -i error "$work/log"; tail -5 "$work/log"; }
rpm -qp --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' "$rpms"/RPMS/*/*.rpm | sed -nE '/^d/!{ s|^[^ ]* /||; s/\.gz$//; p }' |
	grep -vE '^usr/share/(licenses|doc)/.*/LICENSE$|/\.build-id/' | sort > "$work/packed"
sed 's|^lib/|usr/lib/|' "$work/whole" | sort | diff - "$work/packed" > "$work/difference" ||
	fail "to be in RPMs (<) and there (>): $(grep '^[<>]' "$work/difference" | head -20 | tr '\n' ' ')"
