#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# pages.sh - the manual pages of single messages, in section 7: lapwing-CODE of each doc/errors/CODE.md, and the names
# that messages have in brackets as those of stap do, [man error::pass2], which are all lapwing-messages(7).
# Usage: doc/man/pages.sh ERRORS DIR: writes the pages of the folder ERRORS into DIR
set -eu
errors=$1
dir=$2

for page in "$errors"/*.md; do
	code=$(basename "$page" .md)
	awk -v code="$code" '
		# What troff would take for a command or an escape is text.
		function text(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); sub(/^[.\x27]/, "\\\\\\&&", s); return s }
		NR == 1 {
			sub(/^# [^:]*: /, "")
			print ".TH LAPWING\\-" code " 7 \"\" lapwing\n.SH NAME\nlapwing\\-" code " \\- " text($0) "\n.SH DESCRIPTION"
			next
		}
		/^    / { if (!example) print ".PP\n.nf\n.RS 4"; example = 1; print text(substr($0, 5)); next }
		example { print ".RE\n.fi"; example = 0 }
		/^$/ { print ".PP"; next }
		{ gsub(/`/, ""); print text($0) }
		END {
			if (example) print ".RE\n.fi"
			print ".SH SEE ALSO\n.BR lapwing\\-explain (1),\n.BR lapwing\\-messages (7)"
		}' "$page" > "$dir/lapwing-$code.7"
done
for name in error::pass1 error::pass2 error::pass3 error::pass4 error::pass5 error::fault warning::pass5; do
	echo ".so man7/lapwing-messages.7" > "$dir/$name.7lapwing"
done
