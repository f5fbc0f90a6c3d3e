#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# grammar.sh - generates the syntax chapter of language.md from parser/grammar.y: its rules as EBNF,
# and the precedences. The words of tokens come from the grammar, lex.l and token.c. Output: the
# chapter between its marks; with --write it is written to language.md. testsuite/parse/check.sh
# compares the two.
cd "$(dirname "$0")/.." || exit 2

# Of a line %token TYPE "text" ...: alias[TYPE] = text
# shellcheck disable=SC2016 # awk's own
read_tokens='
	function read_tokens(line,    item, type) {
		while (match(line, /[A-Z_]+ "[^"]*"/)) {
			item = substr(line, RSTART, RLENGTH); line = substr(line, RSTART + RLENGTH)
			type = item; sub(/ .*/, "", type); sub(/^[^"]*"/, "", item); sub(/"$/, "", item)
			alias[type] = item
		}
	}'

rules() {
	awk "$read_tokens"'
	function name(t) {
		if (t in words) return words[t]
		if (t == "EMBED") return "\047%{\047 ? C ? \047%}\047"
		if (!(t in alias)) return t
		if (alias[t] ~ /^[a-z]*$/) return toupper(alias[t])
		return alias[t] ~ /^\047[^ ]*\047$/ ? alias[t] : "? " alias[t] " ?"
	}
	# alternatives of a rule as one line each: left recursion is a repetition, an empty one an
	# option
	function rule(head, text,    n, i, parts, m, t, k, item, base, more, empty, nbase, nmore) {
		gsub(/\047\|\047/, "BAR_TOKEN", text)
		n = split(text, parts, "|")
		for (i = 1; i <= n; i++) {
			m = split(parts[i], t, " ")
			item = ""
			if (parts[i] ~ /(^| )error( |$)/) continue
			for (k = 1 + (t[1] == head); k <= m; k++) {
				if (t[k] == "%prec") { k++; continue }
				if (t[k] == "%empty") { empty = 1; continue }
				item = item (item == "" ? "" : " ") (t[k] == "BAR_TOKEN" ? "\047|\047" : name(t[k]))
			}
			if (t[1] == head) { more = more (nmore++ ? "\n    | " : "") item }
			else if (item != "") base = base (nbase++ ? "\n    | " : "") item
		}
		if (nmore) {
			if (nmore > 1 || nbase > 1) gsub(/\n/, "\n    ", more)
			if (nbase > 1) gsub(/\n/, "\n    ", base)
			base = nbase > 1 ? "(\n          " base "\n      )\n      " : nbase ? base " " : ""
			base = base "{" (nmore > 1 ? "\n          " more "\n      }" : " " more " }")
		} else if (empty) {
			gsub(/\n    /, " ", base)
			base = "[ " base " ]"
		}
		if (base == "[  ]" || base == "") base = "? nothing ?"
		printf "    %s =\n      %s ;\n", head, base
	}
	FILENAME ~ /token.c$/ && /^\t\{ "@/ { gsub(/[{}",]/, ""); word($2, $1); next }
	FILENAME ~ /lex.l$/ && /TOKEN_IDENT, PRINT/ {
		type = $0; sub(/.*TOKEN_IDENT, /, "", type); sub(/\).*/, "", type)
		n = split($1, list, "|")
		for (i = 1; i <= n; i++) word(type, list[i])
		next
	}
	function word(type, text) {
		if (!(type in words)) words[type] = "\047" text "\047"
		else { sub(/^\( /, "", words[type]); sub(/ \)$/, "", words[type]); words[type] = "( " words[type] " | \047" text "\047 )" }
	}
	FILENAME !~ /grammar.y$/ { next }
	/^%token/ { read_tokens($0); next }
	/^%%/ { if (++section == 2) { if (head) rule(head, text); exit } next }
	section != 1 { next }
	/^\/\*/ { next }
	/^[a-z_]+:/ { head = $1; sub(/:.*/, "", head); text = ""; next }
	/^$/ { if (head) rule(head, text); head = ""; next }
	{
		gsub(/\047\{\047/, "OPEN_TOKEN"); gsub(/\047\}\047/, "CLOSE_TOKEN")
		sub(/[ \t]*\{.*\}[ \t]*$/, "")
		gsub(/OPEN_TOKEN/, "\047{\047"); gsub(/CLOSE_TOKEN/, "\047}\047")
		gsub(/\t/, " ")
		text = text " " $0
	}' parser/token.c parser/lex.l parser/grammar.y
}

# %left and %right from the tightest to the loosest; operators of one line have the same precedence.
levels() {
	awk "$read_tokens"'
	/^%token/ { read_tokens($0) }
	/^%(left|right)/ { n++; side[n] = substr($1, 2); $1 = "" ; list[n] = $0; last = n; next }
	last && /^\t/ { list[n] = list[n] $0; next }
	{ last = 0 }
	END {
		for (; n; n--) {
			m = split(list[n], t, " "); text = ""
			for (i = 1; i <= m; i++)
				if (!(t[i] in alias)) text = text " " t[i]
				else if (alias[t[i]] !~ / /) text = text " " alias[t[i]]
			printf "    %-5s %s\n", side[n], text
		}
	}' parser/grammar.y
}

chapter() {
	echo '<!-- made by doc/grammar.sh -->'
	rules
	echo
	echo 'Where these rules are ambiguous, precedence decides, tightest first, then the longest statement:'
	echo
	levels
	echo '<!-- end of what doc/grammar.sh made -->'
}

if [ "${1-}" = --write ]; then
	new=$(mktemp) || exit 2
	{
		sed '/^<!-- made by doc\/grammar.sh/,$d' doc/language.md
		chapter
		sed '1,/^<!-- end of what doc\/grammar.sh/d' doc/language.md
	} > "$new" && cat "$new" > doc/language.md
	rm -f "$new"
else
	chapter
fi
