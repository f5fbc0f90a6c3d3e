#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# recipes.sh - checks "How to add" of HACKING.md: each recipe names exactly the files that mention
# its example. Input: the files git tracks. Output: a line for each missing or extra file.
# Usage: testsuite/style/recipes.sh FOLDER	(for its own files; run at the top of the tree)
set -u

# Prints the recipes, one per line: name, tab, search, tab, text
recipes() {
	awk '/^## / { inside = /How to add/ }
		!inside { next }
		/^- \*\*/ { if (text != "") print text; text = "" }
		/^- \*\*/ || text != "" { sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0 }
		END { if (text != "") print text }' HACKING.md |
		sed -nE 's/^- \*\*([^*]*)\*\*.*\(search: `([^`]*)`\)(.*)/\1\t\2\t\3/p'
}

found=0
while IFS=$'\t' read -r name search text; do
	found=$((found + 1))
	{ git grep -lIE -e "$search" -- . ':!HACKING.md'; git ls-files | grep -E -e "$search"; } |
		sort -u > "$1/mention"
	grep -oE '`[A-Za-z][^` ]*[/.][^` ]*`' <<< "$text" | tr -d '`' | while read -r path; do
		case $path in */) git ls-files -- "$path";; *) printf '%s\n' "$path";; esac
	done | sort -u > "$1/listed"
	comm -23 "$1/mention" "$1/listed" | sed \
		"s|.*|HACKING.md:1: recipe of $name: & is not listed|"
	comm -13 "$1/mention" "$1/listed" |
		sed "s|.*|HACKING.md:1: recipe of $name: & does not mention the example|"
done < <(recipes)
[ "$found" -ge 7 ] || echo "HACKING.md:1: only $found recipes have an example"
