# cycles.awk - finds cycles of #include between folders.
# SPDX-License-Identifier: GPL-2.0-or-later
# Input: "FILE:LINE:#include "PATH"", PATH from the top of the tree. Output: one include for each
# edge that is part of a cycle.
function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
{
	split($0, part, ":")
	split($0, quoted, "\"")
	from = folder(part[1]); to = folder(quoted[2])
	if (quoted[2] !~ /\// || from == to || (from, to) in place)
		next
	place[from, to] = part[1] ":" part[2]
	is_folder[from]; is_folder[to]
	reaches[from, to] = 1
}
END {
	for (k in is_folder)
		for (i in is_folder)
			if ((i, k) in reaches)
				for (j in is_folder)
					if ((k, j) in reaches)
						reaches[i, j] = 1
	for (edge in place) {
		split(edge, end, SUBSEP)
		if ((end[2], end[1]) in reaches)
			print place[edge] ": " end[1] " includes " end[2] ", which leads back to " end[1]
	}
}
