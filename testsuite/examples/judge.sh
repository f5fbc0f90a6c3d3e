#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# judge.sh - checks an example's output by the fields of its .meta:
#   test-lines: COUNT PATTERN    COUNT lines match the extended regular expression (3: exactly,
#                                3+: at least, 0: none); may have several lines
#   test-awk: PROGRAM            awk exits with 0 on the output
# Usage: judge.sh META OUT     prints what is wrong and exits with 1
meta=$1 out=$2 wrong=0
sh "$(dirname "$0")/field.sh" "$meta" test-lines > "$out.lines"
sh "$(dirname "$0")/field.sh" "$meta" test-awk > "$out.awk"
[ -s "$out.lines" ] || [ -s "$out.awk" ] ||
	{ echo "$meta has neither test-lines nor test-awk"; exit 1; }
while read -r count pattern; do
	n=$(grep -cE -e "$pattern" "$out")
	case $count in
	*+) [ "$n" -ge "${count%+}" ];;
	*) [ "$n" -eq "$count" ];;
	esac || { echo "$n lines match '$pattern', not $count"; wrong=1; }
done < "$out.lines"
[ ! -s "$out.awk" ] || awk -f "$out.awk" "$out" || { echo "test-awk fails"; wrong=1; }
[ $wrong -eq 0 ] || head -30 "$out"
exit $wrong
