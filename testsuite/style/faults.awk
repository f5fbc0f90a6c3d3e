# faults.awk - is the text of each planted fault once in the tree?
# SPDX-License-Identifier: GPL-2.0-or-later
# Input: the files of testsuite/faults, then all others that are tracked. Output: a line for each
# fault whose old text is not found, or found more than once.
function finish_file(    name, at, rest) {
	for (name in old)
		for (rest = text; (at = index(rest, old[name])); rest = substr(rest, at + length(old[name])))
			count[name]++
	text = ""
}
FNR == 1 {
	if (!is_fault)
		finish_file()
	is_fault = FILENAME ~ /^testsuite\/faults\//
	part = ""
}
!is_fault { text = text $0 "\n"; next }
/^--- (old|new)$/ { part = $2; lines = 0; next }
part == "old" { old[FILENAME] = lines++ ? old[FILENAME] "\n" $0 : $0 }
END {
	finish_file()
	for (name in old)
		if (count[name] != 1)
			print name ":1: its text is " count[name] + 0 " times in the tree"
}
