#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - what make dist puts together builds where there is neither bison nor flex: the parser that they make is in it.
. "$(dirname "$0")/../common.sh"
make -s distdir distdir="$work/tree" > "$work/log" 2>&1 || { tail -5 "$work/log"; exit 1; }
mkdir "$work/bin"
for tool in bison flex; do
	printf '#!/bin/sh\necho "%s was asked for" >&2\nexit 1\n' $tool > "$work/bin/$tool"
	chmod +x "$work/bin/$tool"
done
PATH=$work/bin:$PATH
cd "$work/tree" || exit 1
./configure -q CC="${CC:-gcc}" > "$work/log" 2>&1 && make -s libparser.a >> "$work/log" 2>&1 || { tail -5 "$work/log"; exit 1; }
# The scripts above are what would be called.
touch parser/grammar.y parser/lex.l
for made in grammar lex; do
	! make -s parser/$made.c > "$work/log" 2>&1 && grep -q 'was asked for' "$work/log" || fail "$made.c is made without bison and flex"
done
[ $failed -eq 0 ] && echo "dist: all as it should be"
