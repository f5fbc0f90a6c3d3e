#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - checks the house rules that a script can check (HACKING.md). Input: the files git
# tracks. Output: one line per breach, "file:line: rule"; exit status 1 if there are any. It does
# not judge names, comments or design.
# Usage: testsuite/style/check.sh [CC]   (run at the top of the tree; CC compiles each header alone)
set -u
cc=${1:-cc}
breaches=$(mktemp) || exit 2
trap 'rm -f "$breaches"' EXIT

files() { git ls-files -- "$@"; }
say() { cat >> "$breaches"; }

# 1. Licence line and an opening comment in every source file.
for f in $(files '*.c' '*.h' '*.l' '*.y' '*.def' '*.sh' '*.awk' '*.mk' '*.ac' '*.am' |
	grep -v '^testsuite/emit/'); do
	head -5 "$f" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' ||
		echo "$f:1: no SPDX line" | say
done
for f in $(files '*.c' '*.h' '*.l' '*.y' | grep -v '^testsuite/'); do
	head -12 "$f" | grep -q '^ \* .* - \|^/\* .* - \|^ \* ' ||
		echo "$f:1: does not say what it is for" | say
done

# 2. Sizes: files at most 1,000 lines; functions at most 80 (a flat switch says so), nine in ten
# under 40; lines at most 140, and at most one in a hundred over 100 (tables in .def and .tbl files
# are rows, however long).
for f in $(files '*.c' '*.h' '*.l' '*.y' '*.sh' | grep -v '^testsuite/emit/'); do
	awk -v f="$f" 'length($0) > 140 { print f ":" NR ": line over 140 characters" }
		END { if (NR > 1000) print f ":1000: file over 1,000 lines" }' "$f"
done | say
files '*.c' '*.h' '*.l' '*.y' '*.sh' '*.guest' '*.awk' '*.py' '*.mk' '*.am' '*.stp' '*.stpm' |
	grep -v '^testsuite/\(emit\|fuzz/corpus\)/' | xargs cat | expand -t 8 |
	awk 'length($0) > 100 { long++ }
		END { if (long * 100 > NR) print "tree:0: " long " of " NR " lines are over 100 columns" }' |
	say
files '*.c' | grep -v '^testsuite/emit/' | xargs awk '
	FNR == 1 { open = 0 }
	/^\{/ { open = FNR; flat = prev ~ /flat switch/ }
	/flat switch/ { flat = 1 }
	/^\}/ && open { n = FNR - open - 1; all++
		if (n >= 40) long++
		if (n > 80 && !flat) print FILENAME ":" open ": function of " n " lines"
		open = 0; flat = 0 }
	{ prev = $0 }
	END { if (all && long * 10 > all) print "tree:0: " long " of " all \
		" functions have 40 lines or more (one in ten may)" }' | say

# 3. Who may include whom: lib, stopwatch <- parser <- translator; runtime/core <- symbolize <- perf
# <- runtime/user, runtime/run, record; symbolize <- report. The two halves meet in generated text
# only (rt.h is that text's contract, so the translator may read it).
rule() {	# rule FOLDER FORBIDDEN-REGEX
	files "$1/*.[chly]" | xargs -r grep -nE "^#include \"($2)" /dev/null |
		sed "s|\$|  <- may not be included from $1|" | say
}
rule lib 'stopwatch/|parser/|translator/|runtime/|report/'
rule stopwatch 'parser/|translator/|runtime/|report/'
rule parser 'translator/|runtime/|report/'
rule translator 'report/|record/|runtime/(core|kernel|user|run)/'
rule translator/debuginfo 'translator/families/'
rule symbolize 'perf/|translator/|parser/|report/|record/|runtime/(kernel|user|run)/'
rule perf 'translator/|parser/|report/|record/|runtime/(kernel|user|run)/'
rule runtime 'translator/|parser/|report/|record/'
rule report 'perf/|translator/|parser/|record/|runtime/(kernel|user|run)/'
passes='translator/(driver|program|tapset|target_var|families|passes|emit|build)/'
rule record "$passes|parser/|runtime/(kernel/|user/|run/run[.]h)"
rule runtime/core 'symbolize/|perf/|runtime/(kernel|user|run)/'
rule runtime/kernel 'symbolize/|perf/|runtime/(user|run)/'
rule runtime/user 'runtime/(kernel|run)/'

# The functions that a header X.h declares are in X.c.
files '*.h' '*.c' '*.l' '*.y' | grep -v '^testsuite/' |
	xargs awk -v floor=99 -f testsuite/style/headers.awk | say

# passes.def is the order of work: no pass calls another.
files 'translator/passes/*.c' | xargs grep -nE '\bpass_[a-z_]+\(' /dev/null |
	grep -v ':void pass_[a-z_]*(struct program \*prog)$' |
	sed 's/$/  <- a pass calls another/' | say

# What a pass needs to know about a family is a member of the family's descriptor.
files 'translator/*.[ch]' | grep -v '^translator/families/' |
	xargs grep -nE 'strcmp\([^,]*family->name' /dev/null |
	sed 's/$/  <- compares the name of a family/' | say

# No include cycles between folders, nor between files inside report, record and the two runtimes.
files 'lib/*.[ch]' 'stopwatch/*.[ch]' 'parser/*.[chly]' 'translator/*.[ch]' 'symbolize/*.[ch]' \
	'perf/*.[ch]' 'runtime/*.[ch]' 'report/*.[ch]' 'record/*.[ch]' 'cmd/*.[ch]' |
	xargs grep -nE '^#[[:space:]]*include "' |
	awk -f testsuite/style/cycles.awk | say

# 4. Conditionals live in port.h and compat only (include guards, and tables' X-macros, are not
# conditionals).
files 'lib/*.[ch]' 'stopwatch/*.[ch]' 'parser/*.[ch]' 'translator/*.[ch]' 'symbolize/*.[ch]' \
	'perf/*.[ch]' 'runtime/*.[ch]' |
	grep -vE '^runtime/core/port\.h$|^runtime/kernel/compat/' |
	xargs awk \
		'/^#[ \t]*(if|ifdef|elif)([ \t(]|$)/ || /^#[ \t]*ifndef/ && $2 !~ /_H$/ {
			print FILENAME ":" FNR ": conditional outside port.h and compat"
		}' | say

# 5. No typedefs of structs, no unfinished work marked in the text, no absolute paths of one
# machine. The stand-ins for kernel headers have the kernel's names.
files '*.[ch]' | grep -v '^testsuite/unit/linux/' |
	xargs grep -nE '^[[:space:]]*typedef[[:space:]]+(struct|union|enum)' /dev/null |
		sed 's/$/  <- typedef/' | say
files '*.[chly]' '*.sh' 'runtime/vm/*' | grep -v '^testsuite/style/' |
	xargs grep -nE '\b(TODO|FIXME|XXX)\b|not (yet )?implemented|not supported yet' /dev/null |
		sed 's/$/  <- left undone/' | say
git grep -nIE '(^|[^A-Za-z0-9_./-])/(work|root)/' -- . ':!testsuite/style/check.sh' |
	sed 's/$/  <- absolute path of one machine/' | say

# 6. The expected generated C has no conditionals, no goto, no __tmp.
files 'testsuite/emit/*.c' | xargs -r grep -nE '^#[[:space:]]*if|\bgoto\b|__tmp' /dev/null |
	sed 's/$/  <- not in generated C/' | say

# 7. Every header compiles alone.
flags=$(pkg-config --cflags glib-2.0)
for h in $(files \
		'lib/*.h' 'stopwatch/*.h' 'parser/*.h' 'translator/*.h' 'symbolize/*.h' 'perf/*.h' \
		'runtime/rt.h' 'runtime/core/*.h' 'runtime/user/*.h' 'runtime/run/*.h'); do
	case $h in runtime/wire.h) continue;; esac
	printf '#include "%s"\n' "$h" | $cc -std=gnu11 -D_GNU_SOURCE -I. $flags -fsyntax-only -x c \
		- 2> /dev/null ||
		echo "$h:1: does not compile alone" | say
done

# 8. No built files are tracked (ELF files begin with these four bytes).
git grep -lzaP '\A\x7fELF' | tr '\0' '\n' | sed 's/$/:1: a built file is tracked/' | say

# 9. The tests that doc/safety.md names exist.
grep -noE '(run-kernel|run-user|unit|cli)/[a-z_/]+\.[a-z]+' doc/safety.md |
	while IFS=: read -r line test; do
	[ -f "testsuite/$test" ] || echo "doc/safety.md:$line: no test '$test'"
done | say

# 10. Command lines are parsed by lib/options, from tables, except the relay's, which only
# lapwing-vm starts.
files '*.c' | grep -v '^runtime/vm/relay\.c$' |
	xargs grep -nE '\b(getopt(_long)?|g_option_context_new) ?\(' /dev/null |
	sed 's/$/  <- use an option table (lib\/options.h)/' | say

# 11. "How to add" of HACKING.md names all files that a change touches.
recipes=$(mktemp -d) && testsuite/style/recipes.sh "$recipes" | say
rm -rf "$recipes"

# 12. Prose wraps at 100 columns: Markdown except tables and indented or fenced text, manual pages
# except requests. Continuation bytes of UTF-8 characters do not count.
files '*.md' '*.1' | LC_ALL=C xargs awk '
	FNR == 1 { fence = 0 }
	/^```/ { fence = !fence }
	fence || /^\||^    / || (FILENAME ~ /\.1$/ && /^[.]/) { next }
	{ text = $0; gsub(/[\200-\277]/, "", text) }
	length(text) > 100 { print FILENAME ":" FNR ": prose over 100 columns" }' | say

# 13. Commits since this rule was added: subjects of at most 72 characters, "area: what it does",
# and a body that says why.
if git rev-parse -q --verify '4812c561^{commit}' > /dev/null; then
	git log -z --format='%h%x09%s%x09%b' 4812c561.. | tr '\n\0' ' \n' | awk -F'\t' '
		length($2) > 72 { print $1 ":0: subject of " length($2) " characters" }
		$2 !~ /^[^ ].*: / { print $1 ":0: the subject is not \"area: what it does\"" }
		$3 !~ /[^ ]/ { print $1 ":0: no body" }' | say
fi

n=$(wc -l < "$breaches")
cat "$breaches"
[ "$n" -eq 0 ] && { echo "style: clean"; exit 0; }
echo "style: $n breaches"
exit 1
