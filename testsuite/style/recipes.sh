#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# recipes.sh - does each recipe of HACKING.md list the files of its example? A recipe is an item with
# a command `git grep -lE '...'`; its files are the other words in backquotes that name one, {a,b}
# expanded. Output: a line for each recipe that differs, with the difference.
recipe='' n=0

# Words with {a,b} as the shell reads them.
expanded() {
	local word
	while read -r word; do
		[[ $word =~ ^[a-z_./{},]+$ ]] && eval "printf '%s\n' $word" || echo "$word"
	done
}

compare() {
	local command files found difference
	command=$(sed -n "s/.*\`git grep -lE '\([^\`]*\)'\`.*/\1/p" <<< "$recipe")
	[ -n "$command" ] || return
	n=$((n + 1))
	files=$(grep -o '`[^` ]*`' <<< "$recipe" | tr -d '`' | expanded | while read -r word; do [ ! -f "$word" ] || echo "$word"; done | sort -u)
	# what a recipe says of another file's place is no file of the example
	found=$(git grep -lE "$command" -- ':!HACKING.md' | sort)
	difference=$(diff <(echo "$found") <(echo "$files") | grep '^[<>]' | tr '\n' ' ')
	[ -z "$difference" ] || echo "HACKING.md:1: git grep -lE '$command': found (<) and listed (>) differ: $difference"
}

while IFS= read -r line; do
	case $line in
	'- '* | '## '*) compare; recipe=$line;;
	*) recipe="$recipe $line";;
	esac
done < HACKING.md
compare
[ $n -ge 8 ] || echo "HACKING.md:1: $n recipes with an example"
