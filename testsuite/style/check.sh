#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - the house rules a script can see (HACKING.md). Input: the files git tracks. Output: one line per
# breach, "file:line: rule"; exit 1 if there is any. It does not judge names, comments or design.
# Usage: testsuite/style/check.sh [CC]   (run at the top of the tree; CC compiles each header alone)
set -u
cc=${1:-cc}
breaches=$(mktemp) || exit 2
trap 'rm -f "$breaches"' EXIT

files() { git ls-files -- "$@"; }
say() { cat >> "$breaches"; }

# 1. Licence line and an opening comment in every source file.
for f in $(files '*.c' '*.h' '*.l' '*.y' '*.def' '*.sh' '*.awk' '*.mk' '*.ac' '*.am' | grep -v '^testsuite/emit/'); do
	head -5 "$f" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' || echo "$f:1: no SPDX line" | say
done
for f in $(files '*.c' '*.h' '*.l' '*.y' | grep -v '^testsuite/'); do
	head -12 "$f" | grep -q '^ \* .* - \|^/\* .* - \|^ \* ' || echo "$f:1: does not say what it is for" | say
done

# 2. Sizes: files at most 1,000 lines; functions at most 80 (a flat switch says so), nine in ten under 40; lines at most 140,
# 99 in 100 of C at most 100.
for f in $(files '*.c' '*.h' '*.l' '*.y' '*.sh' | grep -v '^testsuite/emit/'); do
	awk -v f="$f" 'length($0) > 140 { print f ":" NR ": line over 140 characters" }
		END { if (NR > 1000) print f ":1000: file over 1,000 lines" }' "$f"
done | say
# Line numbers of testsuite/triggers are in tests.
files '*.c' '*.h' | grep -v '^testsuite/\(emit\|triggers\)/' | xargs cat | expand | awk '
	{ all++; long += length($0) > 100 }
	END { if (long * 100 > all) print "tree:0: " long " of " all " lines of C have over 100 columns (one in a hundred may)" }' | say
files '*.c' | grep -v '^testsuite/emit/' | xargs awk '
	FNR == 1 { open = 0 }
	/^\{/ { open = FNR; flat = prev ~ /flat switch/ }
	/flat switch/ { flat = 1 }
	/^\}/ && open { n = FNR - open - 1; all++
		if (n >= 40) long++
		if (n > 80 && !flat) print FILENAME ":" open ": function of " n " lines"; open = 0; flat = 0 }
	{ prev = $0 }
	END { if (all && long * 10 > all) print "tree:0: " long " of " all " functions have 40 lines or more (one in ten may)" }' | say

# 3. Who may include whom: lib, stopwatch <- parser <- translator; runtime/core <- runtime/*; the two halves meet in generated text only.
# (rt.h is that text's contract, so the translator may read it.)
rule() {	# rule FOLDER FORBIDDEN-REGEX
	files "$1/*.[chly]" | xargs -r grep -nE "^#include \"($2)" /dev/null | sed "s|\$|  <- may not be included from $1|" | say
}
rule lib 'parser/|stopwatch/|translator/|cmd/|runtime/|report/|record/'
rule stopwatch 'parser/|translator/|cmd/|runtime/|report/|record/'
rule parser 'translator/|cmd/|runtime/|report/|record/'
rule translator 'cmd/|report/|record/|runtime/(core|kernel|user|run)/'
rule translator/debuginfo 'translator/families/'
rule runtime 'translator/|cmd/|parser/|report/|record/'
compiler='parser/|translator/(driver|program|tapset|target_var|families|passes|emit|build|regex)/'
rule cmd/doctor "$compiler|report/|record/|runtime/(core|kernel|user|run)/"
others='parser/|stopwatch/|translator/|cmd/|report/|record/|runtime/(kernel|user|run)/'
rule symbolize "$others|perf/"
rule perf "$others"
rule report 'translator/|parser/|record/|runtime/(kernel|user|run)/'
rule record "$compiler|cmd/|runtime/(kernel/|run/run[.]h)"
rule runtime/core 'runtime/(kernel|user|run)/'
rule runtime/kernel 'runtime/(user|run)/'
rule runtime/user 'runtime/(kernel|run)/'

# passes.def is the order of work: no pass calls another.
files 'translator/passes/*.c' | xargs grep -nE '\bpass_[a-z_]+\(' /dev/null | grep -v ':void pass_[a-z_]*(struct program \*prog)$' |
	sed 's/$/  <- a pass calls another/' | say

# What a pass must know of a family is a member of its descriptor.
files 'translator/*.[ch]' | grep -v '^translator/families/' | xargs grep -nE 'strcmp\([^,]*family->name' /dev/null |
	sed 's/$/  <- compares the name of a family/' | say

# No cycles of folders.
ours() {
	files 'lib/*.[chly]' 'stopwatch/*.[chly]' 'parser/*.[chly]' 'translator/*.[chly]' 'symbolize/*.[chly]' 'perf/*.[chly]' \
		'runtime/*.[chly]' 'report/*.[chly]' 'record/*.[chly]' 'cmd/*.[chly]'
}
ours | xargs grep -nE '^#[[:space:]]*include "' | awk -f testsuite/style/cycles.awk | say

# What a header X.h declares is in X.c.
ours | xargs awk -v floor=99 -f testsuite/style/headers.awk | say

# The text of a planted fault is once in the tree.
{ git ls-files 'testsuite/faults/*'; git grep -lI '' -- ':!testsuite/faults'; } |
	xargs -n 10000 -s 1000000 awk -f testsuite/style/faults.awk | say

# The recipes of HACKING.md list the files of their examples.
testsuite/style/recipes.sh | say

# 4. Conditionals live in port.h and compat only (include guards, and tables' X-macros, are not conditionals).
files 'lib/*.[ch]' 'stopwatch/*.[ch]' 'parser/*.[ch]' 'translator/*.[ch]' 'cmd/*.[ch]' 'symbolize/*.[ch]' 'perf/*.[ch]' 'runtime/*.[ch]' |
	grep -vE '^runtime/core/port\.h$|^runtime/kernel/compat/' |
	xargs awk '/^#[ \t]*(if|ifdef|elif)([ \t(]|$)/ { print FILENAME ":" FNR ": conditional outside port.h and compat" }
		/^#[ \t]*ifndef/ && $2 !~ /_H$/ { print FILENAME ":" FNR ": conditional outside port.h and compat" }' | say

# 5. No typedef for structs, nothing left undone by its own words, no place of one machine.
# The stand-ins for kernel headers have the kernel's names.
files '*.[ch]' | grep -v '^testsuite/unit/linux/' |
	xargs grep -nE '^[[:space:]]*typedef[[:space:]]+(struct|union|enum)' /dev/null | sed 's/$/  <- typedef/' | say
files '*.[chly]' '*.sh' 'runtime/vm/*' | grep -v '^testsuite/style/' |
	xargs grep -nE '\b(TODO|FIXME|XXX)\b|not (yet )?implemented|not supported yet' /dev/null | sed 's/$/  <- left undone/' | say
git grep -nIE '(^|[^A-Za-z0-9_./-])/(work|root)/' -- . ':!testsuite/style/check.sh' | sed 's/$/  <- absolute path of one machine/' | say

# 6. Golden generated files: no conditionals, no goto, no __tmp.
files 'testsuite/emit/*.c' | xargs -r grep -nE '^#[[:space:]]*if|\bgoto\b|__tmp' /dev/null | sed 's/$/  <- not in generated C/' | say

# 7. Every header stands alone.
flags=$(pkg-config --cflags glib-2.0)
for h in $(files \
		'lib/*.h' 'stopwatch/*.h' 'parser/*.h' 'translator/*.h' 'runtime/rt.h' 'runtime/handler.h' 'runtime/core/*.h' 'runtime/user/*.h' \
		'runtime/run/*.h' 'symbolize/*.h' 'perf/*.h'); do
	case $h in runtime/wire.h) continue;; esac
	printf '#include "%s"\n' "$h" | $cc -std=gnu11 -D_GNU_SOURCE -I. $flags -fsyntax-only -x c - 2> /dev/null ||
		echo "$h:1: does not compile alone" | say
done

# 8. What is built is not kept (ELF files begin with these four bytes).
git grep -lzaP '\A\x7fELF' | tr '\0' '\n' | sed 's/$/:1: a built file is tracked/' | say

# 9. The tests that prove what is guaranteed are there.
grep -noE '(run-kernel|run-user|unit|cli)/[a-z_/]+\.[a-z]+' doc/safety.md | while IFS=: read -r line test; do
	[ -f "testsuite/$test" ] || echo "doc/safety.md:$line: no test '$test'"
done | say

# 10. Documents are short paragraphs and items: at most six lines.
files 'README.md' 'doc/*.md' | grep -v '^doc/errors/' | xargs awk '
	function done() { if (n > 6) print file ":" from ": a paragraph of " n " lines (six may be)"; n = 0 }
	FNR == 1 || /^([|#<]|$)/ || /^ *- / { done() }
	{ file = FILENAME }
	/^([|#<]|$)/ || /^    / && !n { next }
	!n++ { from = FNR }
	END { done() }' | say

n=$(wc -l < "$breaches")
cat "$breaches"
[ "$n" -eq 0 ] && { echo "style: clean"; exit 0; }
echo "style: $n breaches"
exit 1
