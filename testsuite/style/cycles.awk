# cycles.awk - finds cycles of #include: between folders, and inside report/, record/,
# runtime/kernel/ and runtime/user/ between files (NAME.c and NAME.h of one folder count as one).
# SPDX-License-Identifier: GPL-2.0-or-later
# Input: "FILE:LINE:#include "PATH"", PATH from the top of the tree. Output: one include for each
# edge that is part of a cycle.
function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
function unit(path) { sub(/\.[a-z]*$/, "", path); return path }
function edge(from, to, place) {
	if (from == to || (from, to) in place_of)
		return
	place_of[from, to] = place
	is_node[from]; is_node[to]
	reaches[from, to] = 1
}
{
	split($0, part, ":")
	split($0, quoted, "\"")
	if (quoted[2] !~ /\//)
		next
	from = folder(part[1]); to = folder(quoted[2])
	edge(from, to, part[1] ":" part[2])
	if (part[1] ~ /^(report|record|runtime\/(kernel|user))\// && from == to)
		edge(unit(part[1]), unit(quoted[2]), part[1] ":" part[2])
}
END {
	for (k in is_node)
		for (i in is_node)
			if ((i, k) in reaches)
				for (j in is_node)
					if ((k, j) in reaches)
						reaches[i, j] = 1
	for (e in place_of) {
		split(e, end, SUBSEP)
		if ((end[2], end[1]) in reaches)
			print place_of[e] ": " end[1] " includes " end[2] \
				", which leads back to " end[1]
	}
}
