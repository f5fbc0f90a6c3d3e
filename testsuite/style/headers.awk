# headers.awk - checks that public prototypes are in the header of the file that defines the
# function: X.h declares what X.c defines.
# SPDX-License-Identifier: GPL-2.0-or-later
# Input: headers and sources, as files. Output: nothing if at least `floor` percent of prototypes
# are so; else their number, and each one that is not. Macros that declare functions and prototypes
# without a definition here are not counted.
BEGIN {
	exempt["runtime/handler.h"]
	exempt["runtime/rt.h"]			# the only header that generated code includes
	exempt["runtime/core/runtime.h"]	# each runtime defines these functions itself
}

FNR == 1 { text = ""; in_comment = 0; continued = 0; depth = 0; is_header = FILENAME ~ /\.h$/ }
continued || /^[ \t]*#/ { continued = /\\$/; next }
{
	line = code($0) " "
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (c == "{" && depth++ == 0 && !is_header)
			note(defined)
		if (c == "}" && --depth == 0)
			text = ""
		else if (c == ";" && depth == 0) {
			if (is_header)
				note(declared)
			text = ""
		} else if (depth == 0)
			text = text c
	}
}

# Returns the line without comments and strings; character constants become 0.
function code(line,    at, out)
{
	gsub(/\\["'\\]/, "", line)
	gsub(/"[^"]*"/, "", line)
	gsub(/'[^']*'/, "0", line)
	for (out = ""; line != ""; in_comment = !in_comment) {
		at = index(line, in_comment ? "*/" : "/*")
		if (!in_comment)
			out = out (at ? substr(line, 1, at - 1) : line)
		if (!at)
			break
		line = substr(line, at + 2)
	}
	return out
}

# Appends the current file to places[name] for the function that `text` declares or begins.
function note(places,    name, at)
{
	name = text
	gsub(/__attribute__ *\(\([^()]*(\([^()]*\))?[^()]*\)\)/, "", name)
	sub(/^[ \t]+/, "", name)
	at = index(name, "(")
	if (name ~ /^(static|typedef)[ \t]/ || name ~ /^[^(]*=/ || !at)
		return
	name = substr(name, 1, at - 1)
	if (match(name, /[A-Za-z_][A-Za-z_0-9]*$/))
		places[substr(name, RSTART)] = places[substr(name, RSTART)] " " FILENAME
}

function unit(path) { sub(/\.[a-z]*$/, "", path); return path }

END {
	for (name in declared) {
		nheaders = split(declared[name], header, " ")
		nfiles = split(defined[name], file, " ")
		for (h = 1; h <= nheaders && nfiles; h++) {
			if (header[h] in exempt)
				continue
			all++
			for (f = 1; f <= nfiles && unit(file[f]) != unit(header[h]); f++)
				;
			if (f <= nfiles)
				answered++
			else
				missed[++nmissed] = header[h] ":1: " name \
					"() is not defined in the header's own file but in" defined[name]
		}
	}
	if (answered * 100 >= floor * all)
		exit
	print "tree:0: " answered " of " all " public prototypes are in the header of the file " \
		"that defines them (" floor " of 100 must be)"
	for (m = 1; m <= nmissed; m++)
		print missed[m]
}
