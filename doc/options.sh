#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# options.sh - writes the options of the tables (doc/options.c) into the manual pages and into
# doc/cli.md, between a line with "options:" and one with "end of options". Input: doc/options and
# lapwing, which make builds. It runs in the source tree.
# Usage: doc/options.sh [--check]	--check writes nothing; if a page is out of date it prints
#					the difference and exits with status 1
set -eu
cd "$(dirname "$0")/.."
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT

# splice PAGE COMMAND...: writes the output of COMMAND between the two lines of PAGE
splice() {
	page=$1
	shift
	"$@" > "$new/entries"
	awk -v entries="$new/entries" '
		/end of options/ { inside = 0 }
		!inside { print }
		/options: written by doc\/options[.]sh/ {
			inside = 1
			while ((getline line < entries) > 0)
				print line
		}' "$page" > "$new/page"
	cmp -s "$page" "$new/page" && return 0
	$check || { cat "$new/page" > "$page"; return 0; }
	diff -u "$page" "$new/page" || differs=1
}

check=false differs=0
[ "${1-}" != --check ] || check=true
for page in $(grep -l 'options: written by' doc/man/*.1); do
	name=$(basename "$page" .1)
	name=${name#lapwing}
	splice "$page" doc/options man "${name#-}"
done
splice doc/cli.md ./lapwing --help=table
exit $differs
