#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - every message of lib/diag.def is tested and explained. Input: diag.def, doc/errors, the expected outputs of the tests.
# Each code occurs in an expected output and has a page; the page's first example gives the message, its second one none of the kind.
# An example is a block of indented lines: a script, whose first line may be "# lapwing OPTIONS", or one command, "$ lapwing ...".
# Errors of a run have their pages' examples as tests, which are run; so have failures of commands (lib/failure.def).
# NAME.what.cmd with .err: messages that need a command of their own. Output: one line per fault; exit 1 then. --bless records .err.
. "$(dirname "$0")/../common.sh"
ulimit -t 60	# seconds of CPU time: what never ends does
n=0

# What the kernel or machine at hand has decides about these: other tests have them, on kernels and machines made of text.
of_the_kernel='E0209 E0407 E0408 E0409 E0410 E0414 E0417 E0422 E0423 W0102 W0110 W0114 W0120'

# example PAGE NUMBER: that block of the page, without its indentation
example() {
	awk -v want="$2" '/^    / { if (!inside) block++; inside = 1; if (block == want) print substr($0, 5); next } { inside = 0 }' "$1"
}

# run FILE [OPTION...]: what lapwing says to the example
run() {
	options=${2--p3}
	line=$(sed -n '1s/^[$#] lapwing //p' "$1")
	set -f
	case $(head -n 1 "$1") in
	'$ '*) eval "./lapwing $options $line" ;;
	'# lapwing '*' - '*) ./lapwing $options $line < "$1" ;;
	*) ./lapwing $options $line - < "$1" ;;
	esac 2>&1
	set +f
}

# expected NUMBER: true when an expected output has it
expected() {
	grep -RqF --include='*.err' --include='*.dump' --include='*.out' --include='*expected' --include='check*.sh' \
		"[lapwing explain $1]" testsuite
}

check_page() {
	head -n 1 "$2" | grep -q "^# $1: [^ ].*[^.]\$" || fail "$2: does not begin with '# $1: title'"
	case " $of_the_kernel " in *" $1 "*) return ;; esac
	case $1 in
	E09*) set -- "$1" "$2" '--runtime=user -T 20' ;;
	E10*) set -- "$1" "$2" '' ;;
	*) set -- "$1" "$2" -p3 ;;
	esac
	example "$2" 1 > "$work/bad"
	[ -s "$work/bad" ] || return
	run "$work/bad" "$3" > "$work/said"
	grep -qF "[lapwing explain $1]" "$work/said" || { fail "$2: its first example does not give $1"; cat "$work/said"; }
	example "$2" 2 > "$work/good"
	[ -s "$work/good" ] || return
	run "$work/good" "$3" > "$work/said"
	! grep -q "\[lapwing explain \($1\|E[0-9]*\)\]" "$work/said" || { fail "$2: its second example is wrong too"; cat "$work/said"; }
}

sed -n 's/^\(DIAG\|RUN_ERROR\|FAILURE\)(\([A-Z0-9]*\),[[:space:]]*\([A-Z_]*\),.*/\2 \3/p' \
	lib/diag.def lib/run_error.def lib/failure.def > "$work/rows"
while read -r number name; do
	page=doc/errors/$number.md
	n=$((n + 1))
	[ -f "$page" ] || { fail "$number $name: no page $page"; continue; }
	case $number in
	E09*) ;;
	E10*)
		[ -n "$(example "$page" 1)" ] || expected "$number" ||
			fail "$number $name: neither has its page an example, nor a check*.sh in testsuite its number"
		grep -Rqw --include='*.c' "FAILURE_$name" lib cmd record report runtime/run translator || fail "$number $name: nobody says that" ;;
	*)
		expected "$number" ||
			fail "$number $name: no expected output has it: add a test $name.what.stp in testsuite/check/bad or testsuite/parse/bad" ;;
	esac
	check_page "$number" "$page"
done < "$work/rows"
for page in doc/errors/*.md; do
	grep -q "^$(basename "$page" .md) " "$work/rows" || fail "$page: no such message"
done
# Errors of a run are named by their rows where they are raised, and each row is; of a text, one %s can be filled in.
sed -n 's/^RUN_ERROR([A-Z0-9]*, \([A-Z0-9_]*\), "\(.*\)/\1 \2/p' lib/run_error.def | while read -r name text; do
	grep -Rqw --include='*.c' "$name" runtime || echo "lib/run_error.def: $name is raised nowhere"
	case ${text%%\"*} in
	*%*%* | *%[!s]* | *%) echo "lib/run_error.def: $name: one %s at most" ;;
	esac
done > "$work/none"
[ ! -s "$work/none" ] || fail "$(cat "$work/none")"
[ "$n" -gt 80 ] || fail "diag.def: only $n rows were read"

# The manual pages have the same text: without troff's commands and escapes it is the page's.
mkdir "$work/man" && doc/man/pages.sh doc/errors "$work/man"
for page in doc/errors/*.md; do
	! grep -q '\\[^-&e]' "$work/man/lapwing-$(basename "$page" .md).7" || fail "$page: an escape of troff is left"
	sed '1,/^\.SH DESC/d; /^\.SH SEE/,$d; /^\./d; s/\\&//; s/\\-/-/g; s/\\e/\\/g' "$work/man/lapwing-$(basename "$page" .md).7" > "$work/troff"
	sed '1d; /^$/d; /^    /!s/`//g; s/^    //' "$page" | cmp -s - <(grep . "$work/troff") ||
		fail "$page: its manual page has another text"
done
grep -RhoE '\[man [a-z]+::[a-z]+[0-9]?' --include='*.[ch]' lib runtime translator | sort -u | while read -r _ name; do
	ls "$work/man/${name%pass}"* > "$work/said" 2>&1 || echo "no manual page $name"
done > "$work/none"
[ ! -s "$work/none" ] || fail "$(cat "$work/none")"

# Messages about files and options; compiled for where it runs, so that line is left out.
for cmd in testsuite/diag/*.cmd; do
	sh "$cmd" 2>&1 > /dev/null | grep -v '^lapwing: runtime ' > "$work/said"
	[ "${1-}" != --bless ] || cp "$work/said" "${cmd%.cmd}.err"
	diff -u "${cmd%.cmd}.err" "$work/said" || fail "$cmd: the message differs"
done

# Colours: on a terminal, unless something forbids them; elsewhere when they are asked for.
esc=$(printf '\033')
on_terminal() {
	env -u NO_COLOR -u SYSTEMTAP_COLORS TERM=xterm "$@" script -qec "./lapwing -p1 -e probe" /dev/null < /dev/null > "$work/said"
}
on_terminal && fail "-p1 of a wrong script succeeds"
grep -qF "$esc[01;31mparse error:$esc[m" "$work/said" || fail "no colours on a terminal: $(cat "$work/said")"
for forbid in NO_COLOR=1 TERM=dumb SYSTEMTAP_COLORS=; do
	on_terminal "$forbid"
	grep -q 'parse error:' "$work/said" && ! grep -qF "$esc[" "$work/said" || fail "$forbid: colours: $(cat "$work/said")"
done
./lapwing -p1 -e probe 2>&1 | grep -qF "$esc[" && fail "colours in a pipe"
NO_COLOR=1 SYSTEMTAP_COLORS='error=35:caret=36' ./lapwing --color=always -p1 -e 'probe begin { 1 2) }' 2> "$work/said"
grep -qF "$esc[35mparse error:$esc[m" "$work/said" && grep -qF "$esc[36m^$esc[m" "$work/said" ||
	fail "SYSTEMTAP_COLORS: $(cat "$work/said")"
./lapwing --color=never -p1 -e probe 2>&1 | grep -qF "$esc[" && fail "--color=never: colours"
./lapwing --color=green -p1 -e probe 2>&1 | grep -q 'expected never, auto or always' || fail "--color=green is accepted"

# lapwing explain: by number and by name; the list; unknown codes.
./lapwing explain e0511 | cmp -s - doc/errors/E0511.md || fail "explain e0511 does not print its page"
./lapwing explain FUNCTION_UNRESOLVED | cmp -s - doc/errors/E0511.md || fail "explain FUNCTION_UNRESOLVED does not print its page"
[ "$(./lapwing explain | wc -l)" -eq "$n" ] || fail "explain does not list $n messages"
./lapwing explain --json > "$work/json" && ./lapwing explain --csv > "$work/csv" &&
	testsuite/formats.py "$work/json" "$work/csv" &&
	./lapwing explain > "$work/list" &&
	sed -n 's/^    { "code": "\(.*\)", "name": "[A-Z0-9_]*", "title": "\(.*\)" },*$/\1: \2/p' "$work/json" |
	sed 's/\\\(.\)/\1/g' |
	diff - "$work/list" > "$work/said" || fail "explain --json: $(cat "$work/said")"
grep -q '^E0511,FUNCTION_UNRESOLVED,unresolved function$' "$work/csv" || fail "explain --csv: $(head -3 "$work/csv")"
./lapwing explain --json E0511 > "$work/said" 2>&1
[ $? -eq 2 ] && grep -q 'without CODE' "$work/said" || fail "explain --json E0511: $(cat "$work/said")"
./lapwing explain --json > /dev/full 2> "$work/said"
[ $? -eq 1 ] && grep -q 'cannot write standard output: No space' "$work/said" || fail "explain to a full disk: $(cat "$work/said")"
./lapwing explain E9511 > "$work/said" 2>&1 && fail "explain E9511 succeeds"
grep -q "no message 'E9511': did you mean E0511" "$work/said" || fail "explain E9511: $(cat "$work/said")"
echo "diag: $n messages, $failed failed"
[ $failed -eq 0 ]
