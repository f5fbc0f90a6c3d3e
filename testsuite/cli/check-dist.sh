#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-dist.sh - the contents of make dist: every file of the repository, plus only files generated
# by autotools, bison and flex; the parser builds from it without bison and flex. Prints missing and
# extra files and exits with 1 if there are any; exits with 77 in a tarball, which has no git list.
. "$(dirname "$0")/../common.sh"
[ -e .git ] || { echo "skip: no repository"; exit 77; }
unset MAKEFLAGS MAKELEVEL MFLAGS

name=check-dist-$$
trap 'chmod -R u+w "$name" 2> "$work/gone"; rm -rf "$work" "$name"' EXIT
make -s distdir distdir="$name" > "$work/log" 2>&1 ||
	{ cat "$work/log"; fail "make distdir"; exit 1; }
mv "$name" "$work/tree" || exit 1

git ls-files | grep -v '^\.gitignore$' | sort > "$work/tracked"
(cd "$work/tree" && find . -type f) | sed 's,^\./,,' | sort > "$work/packed"
comm -23 "$work/tracked" "$work/packed" > "$work/missing"
comm -13 "$work/tracked" "$work/packed" |
	grep -v -x -e 'Makefile.in' -e 'aclocal.m4' -e 'configure' -e 'config.h.in' \
		-e 'build-aux/.*' -e 'parser/grammar.[ch]' \
		-e 'parser/lex.c' > "$work/more"
[ ! -s "$work/missing" ] || fail "not packed: $(cat "$work/missing")"
[ ! -s "$work/more" ] || fail "packed, but not in the repository: $(cat "$work/more")"
for made in grammar.c grammar.h lex.c; do
	[ -f "$work/tree/parser/$made" ] || fail "parser/$made is not packed"
done

# false: any call of bison or flex fails
cd "$work/tree" || exit 1
./configure -q BISON=false FLEX=false > "$work/log" 2>&1 ||
	{ tail -5 "$work/log"; fail "configure"; }
make -s testsuite/unit/parser_driver > "$work/log" 2>&1 ||
	{ tail -5 "$work/log"; fail "the parser does not build"; }
printf 'probe begin { println(1 + 2) }\n' > "$work/script"
testsuite/unit/parser_driver "$work/script" > "$work/out" && grep -q '1) + (2' "$work/out" ||
	fail "the built parser does not parse"
[ $failed -eq 0 ] && echo "dist: $(wc -l < "$work/packed") files"
[ $failed -eq 0 ]
