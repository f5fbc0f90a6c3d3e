# SPDX-License-Identifier: GPL-2.0-or-later
# tables.sh - pages whose tables are made of what tests and benchmarks left. Sourced by trust.sh and kernels.sh.

# page FILE COMMAND...: the page, with what `COMMAND... NAME` prints between <!-- made: NAME --> and <!-- end -->
page() {
	file=$1
	shift
	while IFS= read -r line; do
		case $line in
		'<!-- made: '*)
			skip=1 name=${line#<!-- made: }
			printf '%s\n' "$line"
			"$@" "${name% -->}";;
		'<!-- end -->') skip=;;
		esac
		[ "$skip" ] || printf '%s\n' "$line"
	done < "$file"
}

# write_page FILE COMMAND...: in its place
write_page() { page "$@" > "$1.new" && mv "$1.new" "$1"; }
