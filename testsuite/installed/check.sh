#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - from what `make dist` packs to an installed Lapwing: the tarball has every tracked file
# and no other; it builds, and a test passes, outside of its source tree, which stays as it is; what
# is installed runs from the prefix alone when both trees have gone; uninstall and distclean leave
# nothing.
. "$(dirname "$0")/../common.sh"

make -s distdir distdir="$work/tree" > "$work/log" 2>&1 || { tail -5 "$work/log"; exit 1; }
if [ -e .git ]; then
	git ls-files | sort > "$work/tracked"
	(cd "$work/tree" && find . -type f -printf '%P\n') |
		grep -vxE '(build-aux/.*|(Makefile|config.h).in|aclocal.m4|configure|MANIFEST|parser/(grammar.[ch]|lex.c))' |
		sort | diff "$work/tracked" - > "$work/difference" ||
		fail "tracked (<) and in the tarball (>): $(grep '^[<>]' "$work/difference" | tr '\n' ' ')"
fi
chmod -R a-w "$work/tree"
mkdir "$work/build"
(cd "$work/build" && "$work/tree/configure" -q CC="${CC:-gcc}" CFLAGS=-O0 --prefix="$work/prefix" &&
	make -s -j2 install) > "$work/log" 2>&1 ||
	{ grep -m3 error "$work/log"; tail -5 "$work/log"; chmod -R u+w "$work/tree"; exit 1; }

# Out of the source tree, and not installed.
(cd "$work" && LAPWING_CACHE=$work/cache build/lapwing --runtime=user -e 'probe begin { println(errno_str(2)); exit() }') \
	> "$work/out" 2> "$work/err"
[ "$(cat "$work/out")" = ENOENT ] || { fail "a script of the build tree"; cat "$work/err"; }
(cd "$work/build" && testsuite/list/check.sh) > "$work/out" 2>&1 || { fail "a test in the build tree"; cat "$work/out"; }

for f in tapsets/*.stp tapsets/*.stpm; do [ -e "$work/prefix/share/lapwing/$f" ] || fail "not installed: $f"; done

# Debian's packages name each file, or a folder above it (testsuite/packages/check.sh builds them).
find "$work/prefix" ! -type d -printf '%P\n' | awk '
	FILENAME != "-" { named[$1]; next }
	{ for (path = $0; path != "" && !(path in named) && !("usr/" path in named);) if (!sub(/\/[^\/]*$/, "", path)) path = "" }
	path == "" { print }' "$work"/tree/debian/*.install - > "$work/unpacked"
[ ! -s "$work/unpacked" ] || fail "in none of debian/*.install: $(head -5 "$work/unpacked" | tr '\n' ' ')"

# A page's links lead to files, in the tree and where it is installed.
links() {	# links FOLDER PAGE...
	cd "$1" && shift || return
	grep -HoP '\]\(\K[^)#:]+(?=[)#])' "$@" | while IFS=: read -r page link; do
		[ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
	done
}
for folder in . "$work/prefix/share/doc/lapwing"; do
	(links "$folder" $(cd "$folder" && find . -name '*.md' ! -path './.git/*' ! -path './testsuite/*')) > "$work/dead"
	[ ! -s "$work/dead" ] || fail "$folder: dead links: $(cat "$work/dead")"
done
grep -q '](tutorial\.md)' "$work/prefix/share/doc/lapwing/README.md" || fail 'the installed README.md does not link the tutorial'

# What is installed stands alone.
mkdir "$work/gone" && mv "$work/tree" "$work/build" "$work/gone"
gcc -g -O1 -o "$work/works" testsuite/triggers/works.c -pthread
cd "$work" || exit 1
export LAPWING_CACHE=$work/cache2
prefix/bin/lapwing stopwatch ./works:work --runtime=user -- ./works 1 50 1 > out 2> err && grep -q '50 calls: 50 timed' out err ||
	{ fail 'an installed stopwatch'; cat out err; }
prefix/bin/lapwing --runtime=user -c './works 1 20 1' -e 'probe process("./works").function("work") { n++ } global n' \
	> out 2> err
[ "$(tail -1 out)" = n=20 ] || { fail 'an installed script'; cat err; }
prefix/bin/lapwing --runtime=user -g -e 'probe begin { println(%{ /* pure */ /* userspace */ (long)strlen("four") %}); exit() }' \
	> out 2> err
[ "$(cat out)" = 4 ] || { fail 'embedded C of an installed script'; cat err; }
prefix/bin/lapwing --runtime=user -c true prefix/share/lapwing/examples/pc-histogram.stp > out 2> err ||
	{ fail 'an installed example'; cat err; }

# Completions are found by the name of the program.
for program in prefix/bin/lapwing*; do
	name=$(basename "$program")
	bash -c '. "$1" && complete -p "$2"' - "prefix/share/bash-completion/completions/$name.bash" "$name" > out 2>&1 ||
		{ fail "no completion of $name"; cat out; }
	grep -q "^complete -c $name " "prefix/share/fish/vendor_completions.d/$name.fish" || fail "no completion of $name for fish"
	head -1 prefix/share/zsh/site-functions/_lapwing | grep -qw -e "$name" || fail "no completion of $name for zsh"
done

# SystemTap's names, on request.
mv gone/tree gone/build .
make -s -C build install-stap-names > log 2>&1 &&
	prefix/bin/stap -p4 -m named --runtime=user -e 'probe begin { println("named") exit() }' > out 2> err &&
	[ "$(prefix/bin/staprun named.so 2>> err)" = named ] || { fail 'stap and staprun'; cat log err; }
rm prefix/bin/stap && echo > prefix/bin/stap
make -s -C build install-stap-names > log 2>&1 && fail "another program's name is taken"
rm prefix/bin/stap

# Uninstall and distclean leave nothing.
make -s -C build uninstall > log 2>&1 || { fail uninstall; tail -5 log; }
find prefix ! -type d > left
[ ! -s left ] || fail "uninstall leaves $(tr '\n' ' ' < left)"
make -s -C build distclean > log 2>&1 || { fail distclean; tail -5 log; }
find build ! -type d > left
[ ! -s left ] || fail "distclean leaves $(tr '\n' ' ' < left)"
chmod -R u+w tree
[ $failed -eq 0 ] && echo "installed: all as it should be"
[ $failed -eq 0 ]
