#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - the colours of scripts in Vim and in Visual Studio Code: both know the words of the
# scanner, no others, and colour sample.stp as sample.colours says. There a letter stands for each
# character: c comment, s string, x escape, k keyword, t type, p probe point, b printing,
# f function, n number, v target variable, o operator that is a word, m macro, d preprocessor,
# a argument, e embedded C, . plain.
. "$(dirname "$0")/../common.sh"

textmate=editors/vscode/syntaxes/stp.tmLanguage.json syntax=editors/vim/syntax/lapwing.vim
for file in editors/vscode/package.json editors/vscode/language-configuration.json $textmate; do
	python3 -m json.tool "$file" > "$work/out" 2>&1 || fail "$file: $(cat "$work/out")"
done

# in_vim FILE, in_vscode FILE: the letters, in $work/vim and $work/vscode
in_vim() {
	LETTERS=$work/vim.all vim -u NONE -i NONE -n -N -es --cmd 'set runtimepath^=editors/vim' \
		-c 'filetype plugin on | syntax on' -c "edit $1" -S testsuite/editors/colours.vim \
		< /dev/null > "$work/out" 2>&1 && [ ! -s "$work/out" ] ||
		fail "vim: $1: $(cat "$work/out")"
	[ "$(head -1 "$work/vim.all")" = lapwing ] || fail "vim: $1 is no script"
	sed 1d "$work/vim.all" > "$work/vim"
}
in_vscode() { testsuite/editors/colours.py $textmate "$1" > "$work/vscode" || fail "colours.py: $1"; }

for editor in vim vscode; do
	in_$editor testsuite/editors/sample.stp
	diff testsuite/editors/sample.colours "$work/$editor" || fail "$editor: sample.stp has other colours"
done
[ "$(wc -l < testsuite/editors/sample.colours)" -ge 18 ] || fail "sample.colours has too few lines"

# words KIND: those of the scanner and the parser
words() {
	add='[[:space:]]*add_word(yyextra, TOKEN_'
	case $1 in
	keyword) sed -n "s/^\([a-z][a-z]*\)${add}KEYWORD.*/\1/p; s/^\(private\)[[:space:]]*{\$/\1/p" parser/lex.l;;
	printing) sed -n "s/^\([a-z_|]*\)${add}IDENT, PRINT.*/\1/p" parser/lex.l | tr '|' '\n';;
	declaration) sed -n "s/^\([a-z]*\)${add}IDENT, [SPC][A-Z]*);\$/\1/p" parser/lex.l;;
	clause) sed -n '/ clauses\[\] = {$/,/^};/s/^\t{ "\([a-z]*\)".*/\1/p' parser/parse.c;;
	operator) sed -n 's/^\t{ "@\([a-z_]*\)", .*/\1/p' parser/token.c;;
	esac
}
for kind in 'keyword 20 [kt]' 'printing 11 b' 'declaration 3 k' 'clause 4 k' 'operator 24 [od]'; do
	set -- $kind
	words "$1" > "$work/$1"
	[ "$(wc -l < "$work/$1")" -ge "$2" ] || fail "of $2 words of the kind $1 only: $(cat "$work/$1")"
	at=
	[ "$1" != operator ] || at=@
	sed "s/.*/$at& x {}/" "$work/$1" >> "$work/words.stp"
	sed "s/.*/$at&\t$3/" "$work/$1" >> "$work/wanted"
done
for editor in vim vscode; do
	in_$editor "$work/words.stp"
	paste "$work/wanted" "$work/$editor" | awk -F '\t' '{ n = length($1) }
		substr($3, 1, n) !~ "^" $2 "+$" || substr($3, n + 1, 1) != "." { print $1 " has " $3 }' > "$work/out"
	[ ! -s "$work/out" ] || fail "$editor: $(cat "$work/out")"
done

# Each word of the grammars stands in a list of them, or alone as a list of one.
sort "$work"/{keyword,printing,declaration,clause,operator} > "$work/language"
{
	sed -n 's/^syn keyword [A-Za-z]* \([a-z_ ]*\).*/\1/p' $syntax | tr ' ' '\n' |
		grep -vx -e '' -e contained -e nextgroup
	sed 's/"\\<\(probe\)\\>"/\\%(\1\\)/; s/\\|/|/g' $syntax |
		sed -n 's/.*\\%(\([a-z_|]*\)\\).*/\1/p' | tr '|' '\n'
} | sort -u | diff "$work/language" - || fail "vim: other words than those of the language"
grep -oE '[(][?:]*[a-z_|]+[)]' $textmate | tr -d '(?:)' | tr '|' '\n' | sort -u |
	diff "$work/language" - || fail "vscode: other words than those of the language"

# What no one has written down: both see the examples and the library alike.
cat examples/*.stp tapsets/*.stp > "$work/all.stp"
in_vim "$work/all.stp"
in_vscode "$work/all.stp"
[ "$(wc -l < "$work/vim")" -gt 1000 ] && cmp "$work/vim" "$work/vscode" ||
	fail "examples: vim and vscode differ"
[ $failed -eq 0 ]
