# SPDX-License-Identifier: GPL-2.0-or-later
# syscalls.awk - makes aliases of system calls. Input: syscalls32.tbl, then syscalls.tbl; -v way=tracepoint for tp_syscall.*, -v way=names
# for syscall_name() and syscall_num(), or the name of a section for its syscall.* and nd_syscall.*. Output: a library script.
#
# 32-bit programs have functions of the kernel's of their own. Some take arguments as others do (class native), some have 32-bit longs and
# structures (compat), and some have other arguments, which syscalls.tbl says: the class is the function.
BEGIN { FS = "\t"; X86 = 1; ARM = 2 }
FILENAME != files[nfiles] { files[++nfiles] = FILENAME }
nfiles == 1 && !/^#/ { calls_32bit() }
nfiles == 1 { next }
/^# [a-z]+$/ { section = $0 }
/^#/ || !NF { next }
/^>/ {
	n = split(substr($1, 2), parts, ",")
	for (i = 1; i <= n; i++) {
		if (!((row_of[$2], parts[i]) in args_of))
			others[row_of[$2]] = others[row_of[$2]] " " parts[i]
		args_of[row_of[$2], parts[i]] = $3
		argstr_of[row_of[$2], parts[i]] = $5
	}
	next
}
{
	split($2, parts, "=")
	rows++
	section_of[rows] = substr(section, 3)
	number[rows] = $1
	names[rows] = parts[1]
	kernel[rows] = parts[2] != "" ? parts[2] : parts[1]
	sub(/,.*/, "", kernel[rows])
	args[rows] = $3
	retfmt[rows] = $4 == "" ? 1 : $4
	argstr[rows] = $5
	at_return[rows] = $6
	row_of[first_name(rows)] = rows
}
END {
	print "# SPDX-License-Identifier: GPL-2.0-or-later"
	print "# Made from tapsets/syscalls.tbl and syscalls32.tbl by tapsets/syscalls.awk; what the words mean is said there."
	if (way == "names")
		name_functions()
	else {
		macros()
		for (r = 1; r <= rows; r++)
			if (way == "tracepoint" || way == section_of[r])
				aliases(r)
	}
}

function first_name(r,	name) {
	name = names[r]
	sub(/,.*/, "", name)
	return name
}

# ---- calls of 32-bit programs ------------------------------------------------

function calls_32bit(	numbers, functions, m, n, i, part) {
	split($1, numbers, "/")
	if (split($4, functions, "/") == 1)
		functions[ARM] = functions[X86]
	for (m = X86; m <= ARM; m++) {
		if (numbers[m] == "-")
			continue
		by_number32[m, numbers[m] + 0] = $2
		if (numbers[m] + 0 > top32[m])
			top32[m] = numbers[m] + 0
		if (functions[m] == "-" || $3 == "-")
			continue
		# The newest kernel's function says of which class the number is.
		n = split(functions[m], part, ",")
		for (i = 1; i <= n; i++)
			of32[$3, m] = of32[$3, m] " " (i == 1 ? numbers[m] : "") ":" part[i]
	}
}

# A function's class in a row.
function class_of(r, f,	is_compat) {
	is_compat = sub(/^compat:/, "", f)
	if ((r, f) in args_of)
		return f
	return (is_compat && f !~ /time64$/) || f ~ /time32$/ ? "compat" : "native"
}

# Calls take as long as the table has functions: those of a row that are of a class, or of any, as points; in front: with a comma before.
function points32(r, m, class, front, suffix,	list, n, i, part, f, is_compat, text, seen) {
	n = split(of32[first_name(r), m], list, " ")
	for (i = 1; i <= n; i++) {
		split(list[i], part, ":")
		f = substr(list[i], length(part[1]) + 2)
		if ((class != "" && class_of(r, f) != class) || f in seen)
			continue
		seen[f] = 1
		is_compat = sub(/^compat:/, "", f)
		if (!is_compat && f == kernel[r] && (m == ARM || args[r] == ""))	# the function of other programs
			continue
		text = text (front || text != "" ? ", " : "") "kernel.function(\"__" (m == ARM ? "arm64" : "ia32") (is_compat ? "_compat" : "") \
			"_sys_" f "\")" suffix " ?"
	}
	return text
}

# A text for each machine. where: what is wrapped around it where both have none.
function both(x86, arm) {
	return x86 == arm ? x86 : "%( arch == \"arm64\" %? " arm " %: " x86 " %)"
}

function more_points(r, class, suffix,	text) {
	text = both(points32(r, X86, class, 1, suffix), points32(r, ARM, class, 1, suffix))
	return text == "" ? "" : "\n\t%( runtime != \"user\" %? " text " %)"
}

# The numbers of a row's calls, of a class or of any, as a condition.
function is_number32(r, m, class, nr,	list, n, i, part, text) {
	n = split(of32[first_name(r), m], list, " ")
	for (i = 1; i <= n; i++) {
		split(list[i], part, ":")
		if (part[1] != "" && (class == "" || class_of(r, substr(list[i], length(part[1]) + 2)) == class))
			text = text (text == "" ? "" : " || ") nr " == " part[1]
	}
	return text == "" ? "0" : text
}

# ---- aliases ------------------------------------------------------------------

function macros() {
	if (way == "tracepoint")
		return
	print "@define enter(name) %( %( runtime == \"user\" %? kernel.trace(\"syscalls:sys_enter_\" @name) ?"
	print "\t%: kernel.function(%( arch == \"arm64\" %? \"__arm64_sys_\" %: \"__x64_sys_\" %) @name) ? %) %)"
	print "@define leave(name) %( %( runtime == \"user\" %? kernel.trace(\"syscalls:sys_exit_\" @name) ?"
	print "\t%: kernel.function(%( arch == \"arm64\" %? \"__arm64_sys_\" %: \"__x64_sys_\" %) @name).return ? %) %)"
}

# probe syscall.a = nd_syscall.a = ... for all names of a row.
function heads(r, suffix,	n, i, part, text) {
	n = split(names[r], part, ",")
	for (i = 1; i <= n; i++)
		if (way == "tracepoint")
			text = text "tp_syscall." part[i] suffix " = "
		else
			text = text "syscall." part[i] suffix " = nd_syscall." part[i] suffix " = dw_syscall." part[i] suffix " = "
	return text
}

# The number on the machine the script is for; a row that has none there asks for one that no call has.
function number_here(r,	parts) {
	split(number[r], parts, "/")
	return both(parts[1] != "" && parts[1] != "-" ? parts[1] : -1, parts[2] != "" ? parts[2] : -1)
}

function aliases(r,	of_row) {
	of_row = kernel[r]
	if (way == "tracepoint") {
		if (of_row !~ /^@|^compat:/)
			tracepoint_aliases(r)
	} else if (of_row ~ /^@|^compat:/)
		compat_aliases(r)
	else
		function_aliases(r)
}

# The call's name, which is shorter than the alias's of some functions of 32-bit programs. An alias beside another row's keeps its own:
# syscall.* has both, and a count by name says how many calls there were.
function name_set(r,	name) {
	name = first_name(r)
	if (name ~ /^set.*16$/)
		sub(/16$/, "", name)
	else if (name ~ /^(ftruncate64|fadvise64_64)$/)
		sub(/_?64$/, "", name)
	return "\tname = \"" name "\"\n"
}

function print_return(r, points) {
	if (retfmt[r] != "0")
		print "probe " heads(r, ".return") points "\n{\n" name_set(r) result_set(r, "returnval()") "}"
}

# What a return says. The arguments are still there, except in what the user runtime has of it.
function result_set(r, value,	text, statements, n, i) {
	text = "\tretval = " value "\n\tretstr = " (retfmt[r] ~ /^[0-9]$/ ? "return_str(" retfmt[r] ", retval)" : retfmt[r]) "\n"
	n = split(at_return[r], statements, "; ")
	for (i = 1; i <= n; i++)
		text = text (i == 1 ? "%( runtime != \"user\" %?\n" : "") "\t" statements[i] "\n" (i == n ? "%)\n" : "")
	return text
}

# Where a class of calls has points: an alias of that body.
function print_class(r, class, body_text,	x86, arm, text) {
	x86 = points32(r, X86, class, 0, "")
	arm = points32(r, ARM, class, 0, "")
	if (x86 == "" && arm == "")
		return
	text = "probe " heads(r, "") both(x86, arm) "\n{\n" name_set(r) body_text "}"
	if (x86 == "")
		text = "%( arch == \"arm64\" %? " text " %)"
	else if (arm == "")
		text = "%( arch != \"arm64\" %? " text " %)"
	print "%( runtime != \"user\" %?\n" text "\n%)"
}

function function_aliases(r,	native, compat, list, n, i) {
	native = body(r, "native")
	compat = body(r, "compat")
	print "\nprobe " heads(r, "") "@enter(\"" kernel[r] "\")" more_points(r, "native", "") \
		(native == compat ? more_points(r, "compat", "") : "") "\n{\n" name_set(r) native "}"
	if (native != compat)
		print_class(r, "compat", compat)
	n = split(others[r], list, " ")
	for (i = 1; i <= n; i++)
		print_class(r, list[i], body(r, list[i]))
	print_return(r, "@leave(\"" kernel[r] "\")" more_points(r, "", ".return"))
}

# Names for calls of 32-bit programs alone: of a row that has a function for them, or of all of them that it has; or of a function.
function compat_aliases(r,	of, class, m, points, f) {
	of = kernel[r]
	if (sub(/^@/, "", of)) {
		of = row_of[of]
		class = points32(of, X86, "compat", 0, "") points32(of, ARM, "compat", 0, "") != "" ? "compat" : ""
		for (m = X86; m <= ARM; m++) {
			points[m] = points32(of, m, class, 0, "")
			points[m, "return"] = points32(of, m, class, 0, ".return")
		}
	} else {
		sub(/^compat:/, "", of)
		for (m = X86; m <= ARM; m++) {
			f = "kernel.function(\"__" (m == ARM ? "arm64" : "ia32") "_compat_sys_" of "\")"
			points[m] = f " ?"
			points[m, "return"] = f ".return ?"
		}
	}
	for (m = X86; m <= ARM; m++)
		if (points[m] == "")		# a machine that has none: nothing has this name
			points[m] = points[m, "return"] = "kernel.function(\"__no_such_call\") ?"
	print "\nprobe " heads(r, "") both(points[X86], points[ARM]) "\n{\n" name_set(r) body(r, "compat") "}"
	print_return(r, both(points[X86, "return"], points[ARM, "return"]))
}

# Is the call of the row, by its number and by whether a 32-bit program's it is?
function print_number_check(r, nr,	any32) {
	any32 = both(is_number32(r, X86, "", nr), is_number32(r, ARM, "", nr))
	print "\tif (" nr " != " number_here(r) (any32 == "0" ? "" : " && !(" any32 ")") ")\n\t\tnext"
	print "\tif (__compat_call() ? !(" any32 ") : " nr " != " number_here(r) ")\n\t\tnext"
}

function tracepoint_aliases(r,	native, compat, list, n, i, text) {
	if (number[r] == "-" && of32[first_name(r), X86] == "" && of32[first_name(r), ARM] == "")
		return
	native = body(r, "native")
	compat = body(r, "compat")
	print "\nprobe " heads(r, "") "kernel.trace(\"raw_syscalls:sys_enter\")\n{"
	print_number_check(r, "$id")
	text = "{\n" native "\t}\n"
	if (native != compat)
		text = "if (__compat_call() && (" both(is_number32(r, X86, "compat", "$id"), is_number32(r, ARM, "compat", "$id")) ")) {\n" compat \
			"\t} else " text
	n = split(others[r], list, " ")
	for (i = 1; i <= n; i++)
		text = "if (__compat_call() && (" both(is_number32(r, X86, list[i], "$id"), is_number32(r, ARM, list[i], "$id")) ")) {\n" \
			body(r, list[i]) "\t} else " text
	printf "%s%s}\n", name_set(r), text == "{\n" native "\t}\n" ? native : "\t" text
	if (retfmt[r] == "0")
		return
	print "probe " heads(r, ".return") "kernel.trace(\"raw_syscalls:sys_exit\")\n{"
	print "\t__nr = @choose_defined($id, @choose_defined($regs->orig_ax, $regs->syscallno))"
	print_number_check(r, "__nr")
	print name_set(r) result_set(r, "$ret") "}"
}

# ---- arguments --------------------------------------------------------------

# Statements that set the variables, and argstr, of a class of calls. show: printf's directives; values: what they show.
function body(r, class,	text, words, n, i, k, m, part, shown_by) {
	text = args[r]
	shown_by = argstr[r]
	if (substr(text, 1, 1) == "@") {
		shown_by = argstr[row_of[substr(text, 2)]]
		text = args[row_of[substr(text, 2)]]
	}
	is32 = class != "native"
	if ((r, class) in args_of) {
		text = args_of[r, class]
		shown_by = argstr_of[r, class]
	}
	if (is32)
		sub(/^__(futex|ptrace)/, "&32", shown_by)
	code = show = values = ""
	n = split(text, words, " ")
	for (i = 1; i <= n; i++) {
		m = split(words[i], part, "+")
		for (k = 1; k <= m; k++) {
			match(part[k], /:/)
			element(substr(part[k], 1, RSTART - 1), substr(part[k], RSTART + 1), i)
		}
	}
	if (shown_by != "")
		return code "\targstr = " shown_by "\n"
	return code "\targstr = " (values == "" ? "\"\"" : "sprintf(\"" show "\"" values ")") "\n"
}

function set(var, value) { code = code "\t" var " = " value "\n" }

function shown(directive, value) {
	show = show (show == "" ? "" : ", ") directive
	values = values ", " value
	last = value
}

function element(var, type, i,	arg, kind, rest, at) {
	arg = "syscall_arg(" i ")"
	if (match(type, /^\*[0-9]+/)) {
		arg = "user_uint32(" arg " + " substr(type, 2, RLENGTH - 1) ")"
		type = substr(type, RLENGTH + 1)
	} else if (match(type, /^~[0-9]\/[0-9]/)) {
		split(substr(type, 2, RLENGTH - 1), at, "/")
		arg = "syscall_arg(" both(at[1], at[2]) ")"
		type = substr(type, RLENGTH + 1)
	}
	kind = substr(type, 1, 1)
	rest = substr(type, 2)
	sub(/^=/, "", rest)
	if (var == "." && kind ~ /[.nh]/)
		return
	if (var == ".")
		var = "arg" i
	if (kind == "J")
		set(var, "(" arg " & 0xffffffff | syscall_arg(" i + 1 ") << 32)")
	else if (kind ~ /[dVDgGHP]/ || (kind == "l" && is32))
		set(var, "__int(" arg ")")
	else if (kind == "y")
		set(var, arg " << 48 >> 48")
	else if (kind ~ /[wxoF]/)
		set(var, arg " & 0xffffffff")
	else if (kind == "B")
		set(var, arg " * 4096")
	else if (kind ~ /[ulpnUX]/)
		set(var, arg)
	if (kind == "J" && rest != "")
		shown(rest, var)
	else if (kind ~ /[dlJyBU]/)
		shown("%d", var)
	else if (kind ~ /[wu]/)
		shown("%u", var)
	else if (kind == "p")
		shown("%p", var)
	else if (kind ~ /[xX]/)
		shown("%#x", var)
	else if (kind == "o")
		shown("%#o", var)
	else
		text_element(var, kind, rest, arg, i)
}

function text_element(var, kind, rest, arg, i,	bits, part) {
	bits = is32 && rest != "z" ? "32" : ""
	if (kind == "s" || kind == "q") {
		set(var, rest == "" ? "user_string_quoted(" arg ")" : "user_string_n_quoted(" arg ", " rest ")")
		set(var "_unquoted", rest == "" ? "user_string_nofault(" arg ")" : "user_string_n_nofault(" arg ", " rest ")")
		if (kind == "s")
			shown("%s", var)
	} else if (kind == "F" || kind == "V")
		derived(var "_str", "__" rest "_str(" var (kind == "V" ? " & 0xffffffff" : "") ")")
	else if (kind == "D")
		derived(var "_str", "__dfd_str(" var ")")
	else if (kind == "g")
		derived(var "_str", "__signal_str(" var " & 0xffffffff)")
	else if (kind == "G")
		derived(var "_name", "__signal_str(" var " & 0xffffffff)")
	else if (kind == "H")
		derived(var "_str", "__sock_type_str(" var ")")
	else if (kind == "P")
		derived(var "_str", "__sock_protocol_str(family, protocol)")
	else if (kind == "b")
		derived(var, "user_buffer_quoted(" arg ", syscall_arg(" rest "), 50)")
	else if (kind == "A")
		derived(var, "__attribute_str(" arg ", syscall_arg(" rest "))")
	else if (kind == "a")
		derived(var, "__sockaddr_str(" arg ", syscall_arg(" rest "))")
	else if (kind == "W") {
		split(rest, part, "=")
		set(var, "__sockaddr_" part[2] "(" arg ", syscall_arg(" part[1] "))")
	} else if (kind == "T")
		derived(var, "__time" bits "_" rest "_str(" arg ")")
	else if (kind == "S")
		derived(var, "__" rest bits "_str(" arg ")")
	else if (kind == "M")
		derived(var, "__" rest "_str(" arg ")")
	else if (kind == "h")
		set(var, "sprintf(\"0x%x\", " arg ")")
	else if (kind == "=")
		set(var, last)
	else if (kind == "i" || kind == "L")
		set(var, (kind == "i" || is32 ? "user_int(" : "user_long(") arg (rest > 0 ? " + " (kind == "L" && is32 ? rest / 2 : rest) : "") ")")
	else if (kind == "c")
		set(var, rest)
	else if (kind == "t")
		set(var, "\"" rest "\"")
}

function derived(var, value) {
	set(var, value)
	shown("%s", var)
}

# ---- numbers ----------------------------------------------------------------

# Tables in texts of less than 500 bytes, each for a range of numbers.
function name_functions(	machine, r, parts, nr, name, top) {
	for (machine = X86; machine <= ARM; machine++) {
		top[machine] = 0
		for (r = 1; r <= rows; r++) {
			split(number[r], parts, "/")
			nr = parts[machine]
			if (number[r] == "-" || nr == "")
				continue
			by_number[machine, nr + 0] = first_name(r)
			if (nr + 0 > top[machine])
				top[machine] = nr + 0
		}
	}
	print "# Of the call that the thread is in where that is a 32-bit program's: i386's, or arm's."
	print "function syscall_name:string(nr:long)\n{"
	print "\tif (__compat_call())\n\t\treturn __syscall_name32(nr)"
	tables(by_number, top, "if (nr < %d)\n\t\treturn decode_value(nr, \"%s\")")
	print "\treturn decode_value(nr, \"\")\n}"
	print "function __syscall_name32:string(nr:long)\n{"
	tables(by_number32, top32, "if (nr < %d)\n\t\treturn decode_value(nr, \"%s\")")
	print "\treturn decode_value(nr, \"\")\n}"
	print "# -1: there is no such call."
	print "function syscall_num:long(name:string)\n{"
	tables(by_number, top, "if ((nr = encode_value(name, \"%2$s\")) >= 0)\n\t\treturn nr")
	print "\treturn -1\n}"
}

function tables(by, top, format) {
	print "%( arch == \"arm64\" %?"
	chunks(by, ARM, top[ARM], format)
	print "%:"
	chunks(by, X86, top[X86], format)
	print "%)"
}

function chunks(by, machine, top, format,	nr, text, one) {
	text = ""
	for (nr = 0; nr <= top; nr++) {
		if (!((machine, nr) in by))
			continue
		one = by[machine, nr] "=" nr
		if (length(text) + length(one) > 440) {
			chunk(format, nr, text)
			text = ""
		}
		text = text (text == "" ? "" : " ") one
	}
	chunk(format, top + 1, text)
}

function chunk(format, below, text) {
	if (format ~ /2\$/) {
		sub(/%2\$s/, text, format)
		print "\t" format
	} else
		printf "\t" format "\n", below, text
}
