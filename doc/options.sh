#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# options.sh - what is made of the programs' option tables (lib/option.h), by --help=options of the
# programs that are built here: the table of doc/cli.md, the options of the manual pages, and the
# completions of three shells. With --write all of them are written; testsuite/cli/check.sh compares.
# Usage: doc/options.sh table|bash|zsh|fish; doc/options.sh man PAGE; doc/options.sh --write
cd "$(dirname "$0")/.." || exit 2
named() { sed -n "s/^$1(\([a-z]*\),.*/\1/p" translator/driver/commands.def | sort | paste -sd ' '; }
commands=$(named COMMAND) others=$(named BUILTIN)	# the others have no options
ctl_words=$(./lapwing-ctl --help | sed -n 's/^\(Usage:\| *\) lapwing ctl \([^ ]*\).*/\2/p' | tr '|' '\n' | paste -sd ' ')
# Those that are in bin too, under names of their own, which completions know.
programs=$(sed -n 's/^bin_PROGRAMS += \(lapwing-[a-z]*\)$/\1/p' */local.mk */*/local.mk | sort | paste -sd ' ')
pages="lapwing lapwing-run $(printf 'lapwing-%s ' $commands)"

# A line for each option: letter, name, argument, status, text.
rows() {	# rows PAGE
	case $1 in
	lapwing) ./lapwing --help=options;;
	lapwing-run) ./lapwing-run --help=options;;
	*) "./$1" --help=options;;
	esac
}

table() {
	echo '| option | status | what it does, or why |'
	echo '|---|---|---|'
	rows lapwing | awk -F '\t' '$4 != "group" {
		left = ($1 != "" ? "-" $1 : "") ($1 != "" && $2 != "" ? ", " : "") ($2 != "" ? "--" $2 : "")
		if ($3 != "") left = left ($3 ~ /^\[/ ? "" : $2 != "" ? "=" : " ") $3
		gsub(/\|/, "\\|", left)
		printf "| `%s` | %s | %s |\n", left, $4, $5
	}'
}

man() {		# man PAGE: a paragraph for each option that works
	rows "$1" | awk -F '\t' '
	function roff(text) { gsub(/\\/, "\\e", text); gsub(/-/, "\\-", text); return text }
	$4 == "group" { title = $5 }
	$4 == "works" {
		if (title != "") { printf ".SS %s\n", title; title = "" }
		left = ""
		if ($1 != "") left = "\\fB\\-" $1 "\\fR"
		if ($2 != "") left = left (left != "" ? ", " : "") "\\fB\\-\\-" roff($2) "\\fR"
		if ($3 != "") left = left ($3 ~ /^\[/ ? "" : $2 != "" ? "=" : " ") "\\fI" roff($3) "\\fR"
		text = roff($5)
		if (text ~ /^[.\047]/) text = "\\&" text
		printf ".TP\n%s\n%s.\n", left, text
	}'
}

# Options of a program as words, with their dashes.
words() {
	rows "$1" | awk -F '\t' '$4 == "works" {
		if ($1 != "") printf "-%s ", $1
		if ($2 != "") printf "--%s ", $2
	}' | sed 's/ $//'
}

bash_completion() {
	cat << 'END'
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion for bash, printed by doc/options.sh.
_lapwing()
{
	local word=${COMP_WORDS[COMP_CWORD]} name=${COMP_WORDS[0]##*/} first=${COMP_WORDS[1]} at=$COMP_CWORD options

	case $name in
	lapwing-run) first=$name at=0 ;;
	lapwing-*) first=${name#lapwing-} at=0 ;;
	esac
	case $first in
END
	for command in $commands run; do
		[ "$command" = run ] && name=lapwing-run || name=$command
		more=
		[ "$command" != ctl ] || more="$ctl_words "
		printf '\t%s) options="%s%s" ;;\n' "$name" "$more" "$(words "lapwing-$command")"
	done
	printf '\t*) options="%s" ;;\n\tesac\n' "$(words lapwing)"
	printf '\t[ "$at" != 1 ] || [[ $word == -* ]] || options="%s"\n' "$commands $others"
	cat << 'END'
	if [[ $word == -* || $first == ctl || $at == 1 ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
	fi
}
END
	echo "complete -o bashdefault -o default -F _lapwing lapwing $programs"
}

zsh_completion() {
	echo "#compdef lapwing $programs"
	cat << 'END'
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion for zsh, printed by doc/options.sh.
END
	for page in $pages; do
		printf '\n_%s_options()\n{\n\t_arguments -s -S \\\n' "$(echo "$page" | tr - _)"
		rows "$page" | awk -F '\t' '
		function part(text) {
			gsub(/[\\:]/, "\\\\&", text); gsub(/\[/, "\\[", text); gsub(/\]/, "\\]", text)
			gsub(/\047/, "\047\\\047\047", text)
			return text
		}
		function spec(option, mark, value) {
			printf "\t\t\047*%s%s[%s]%s\047 \\\n", option, mark, part($5), value
		}
		$4 == "works" {
			value = $3 == "" ? "" : ($3 ~ /^\[/ ? "::" : ":") part($3) ":_files"
			if ($1 != "") spec("-" $1, $3 == "" || $3 ~ /^\[/ ? "" : "+", $3 ~ /^\[/ ? "" : value)
			if ($2 != "") spec("--" $2, $3 == "" ? "" : $3 ~ /^\[/ ? "=-" : "=", value)
		}'
		case $page in
		lapwing-ctl) printf "\t\t'1:what:(%s)'\n}\n" "$ctl_words" ;;
		*) printf "\t\t'*:file:_files'\n}\n" ;;
		esac
	done
	cat << END

if [[ \$service = lapwing-* ]]; then
	_\${service//-/_}_options
elif (( CURRENT == 2 )) && [[ \$words[2] != -* ]]; then
	_alternative 'commands:command:($commands $others)' 'files:script:_files'
else
	case \$words[2] in
END
	for command in $commands; do
		printf '\t%s) shift words; (( CURRENT-- )); _lapwing_%s_options ;;\n' "$command" "$command"
	done
	cat << 'END'
	*) _lapwing_options ;;
	esac
fi
END
}

fish_options() {	# fish_options PAGE COMMAND
	rows "$1" | awk -F '\t' -v to="$2" '$4 == "works" {
		text = $5
		gsub(/[\\\047]/, "\\\\&", text)
		printf "complete -c %s%s%s%s -d \047%s\047\n", to, $1 != "" ? " -s " $1 : "",
			$2 != "" ? " -l " $2 : "", $3 != "" && $3 !~ /^\[/ ? " -r" : "", text
	}'
}

fish_completion() {
	echo '# SPDX-License-Identifier: GPL-2.0-or-later'
	echo '# Completion for fish, printed by doc/options.sh.'
	printf "complete -c lapwing -n __fish_is_first_arg -a '%s'\n" "$commands $others"
	printf "complete -c %s -x -a '$ctl_words'\n" "lapwing -n '__fish_seen_subcommand_from ctl'" lapwing-ctl
	for page in $pages; do
		case $page in
		lapwing) to="lapwing -n 'not __fish_seen_subcommand_from $commands $others'";;
		lapwing-run) to=lapwing-run;;
		*) to="lapwing -n '__fish_seen_subcommand_from ${page#lapwing-}'";;
		esac
		fish_options "$page" "$to"
		case " $programs " in *" $page "*) [ "$page" = lapwing-run ] || fish_options "$page" "$page";; esac
	done
}

begin='.\" Options: printed by doc/options.sh.' end='.\" End of the options.'

# The file with what is printed between two lines in the place of what is there.
put() {		# put FILE FROM TO COMMAND...
	file=$1 from=$2 to=$3
	shift 3
	"$@" > "$file.new" || exit 1
	FROM=$from TO=$to awk -v new="$file.new" '
		$0 == ENVIRON["TO"] { inside = 0 }
		!inside
		$0 == ENVIRON["FROM"] { inside = 1; while ((getline line < new) > 0) print line }' "$file" > "$file.out" &&
		cat "$file.out" > "$file" && rm -f "$file.new" "$file.out"
}

case ${1-} in
table) table;;
man) man "$2";;
bash) bash_completion;;
zsh) zsh_completion;;
fish) fish_completion;;
--write)
	{ sed '/^| option/,$d' doc/cli.md; table; } > doc/cli.md.new && mv doc/cli.md.new doc/cli.md
	for page in $pages; do put "doc/man/$page.1" "$begin" "$end" man "$page"; done
	bash_completion > doc/completions/lapwing.bash
	zsh_completion > doc/completions/_lapwing
	fish_completion > doc/completions/lapwing.fish;;
*) sed -n 's/^# Usage: //p' "$0" >&2; exit 2;;
esac
