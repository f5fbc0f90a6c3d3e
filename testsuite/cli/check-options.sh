#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-options.sh - output generated from the option tables: manual pages, doc/cli.md, completions;
# and option letters that must agree.
. "$(dirname "$0")/../common.sh"

doc/options.sh --check > "$work/diff" ||
	fail "pages are not what doc/options.sh writes: $(cat "$work/diff")"

# A letter means the same in all subcommands.
doc/options letters > "$work/letters"
[ "$(wc -l < "$work/letters")" -gt 20 ] || fail "too few letters: $(cat "$work/letters")"
awk '($1 in name) && name[$1] != $2 {
		print "-" $1 ": --" name[$1] " of " of[$1] ", --" $2 " of " $3
		bad = 1
	}
	{ name[$1] = $2; of[$1] = $3 }
	END { exit bad }' "$work/letters" > "$work/out" ||
		fail "letters disagree: $(cat "$work/out")"

# completes WORDS EXPECTED...: checks bash's completion of the last word (an empty one after a
# space)
completes() {
	local words=$1 got
	shift
	got=$(bash -c '. doc/completion/lapwing
		read -ra COMP_WORDS <<< "$1"
		[[ "$1" != *" " ]] || COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_lapwing "${COMP_WORDS[0]}" && printf "%s\n" "${COMPREPLY[@]}"' completes "$words" |
			paste -sd' ')
	[ "$got" = "$*" ] || fail "completion of '$words': '$got', not '$*'"
}
completes "./lapwing an" annotate
completes "lapwing report --m" --min= --mode=
completes "lapwing-report --mi" --min=
completes "lapwing report --mode = k" kernel
completes "lapwing report --mode " user kernel idle
completes "lapwing flame --in" --inverted
completes "lapwing flame --apart"
completes "lapwing report capt"
completes "lapwing --runtime =" kernel user
completes "lapwing ctl fl" flush
completes "lapwing-run --rem" --remove=
completes "stap --runtime =" kernel user
completes "stap an"
completes "staprun --" --help --version

# The completion of zsh has each supported option of each program, and of SystemTap's names.
ln -s "$PWD/lapwing" "$work/stap"
ln -s "$PWD/lapwing-run" "$work/staprun"
head -n 1 doc/completion/_lapwing | grep -q '^#compdef lapwing stap staprun ' ||
	fail "completion of zsh: $(head -n 1 doc/completion/_lapwing)"
for program in annotate callgraph doctor events examples export flame profile record report \
	script staprun stopwatch top; do
	command="./lapwing $program"
	case $program in script) command=$work/stap;; staprun) command=$work/staprun;; esac
	$command --help | sed -nE 's/^ +(-., )?(--[a-z-]+).*/\2/p; s/^ +(-[a-zA-Z])( .*|$)/\1/p' \
		> "$work/names"
	sed -n "/^_lapwing_$program()/,/^}/p" doc/completion/_lapwing > "$work/zsh"
	while read -r name; do
		grep -qF "'*$name" "$work/zsh" || fail "completion of zsh: no $name for $program"
	done < "$work/names"
	[ "$(wc -l < "$work/names")" -gt 3 ] || fail "too few options of $program"
done

[ $failed -eq 0 ] && echo "options: passed"
[ $failed -eq 0 ]
