# SPDX-License-Identifier: GPL-2.0-or-later
# syscalls.awk - generates aliases of system calls from syscalls.tbl. Input: that table; -v
# way=tracepoint for tp_syscall.*, -v way=names for syscall_name() and syscall_num(), or -v
# way=SECTION for that section's syscall.* and nd_syscall.*. Output: a library script.
BEGIN { FS = "\t" }
/^# [a-z]+$/ { section = $0 }
/^#/ || !NF { next }
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
	row_of[parts[1]] = rows
}
END {
	print "# SPDX-License-Identifier: GPL-2.0-or-later"
	print "# Generated from tapsets/syscalls.tbl, which explains the words, by tapsets/syscalls.awk."
	if (way == "names")
		name_functions()
	else {
		said()
		macros()
		for (r = 1; r <= rows; r++)
			if (way == "tracepoint" || way == section_of[r])
				aliases(r)
	}
}

# Variables that the aliases have in common, for their manual pages (HACKING.md).
function said() {
	print "\n## System calls at their entry and, with .return, at their return."
	print "# name: name of the call"
	print "# argstr: arguments of the call as text"
	print "# retval: what the call returned"
	print "# retstr: what the call returned as text, with the error's name"
	print "# *_str: the argument of that name as text"
	print "# *_name: the argument of that name as text"
	print "# *_uaddr: address of the argument in the program's memory"
	print "# *_unquoted: text of the argument without quotes"
	print "# *: the argument of this name in the call's manual page, in section 2\n"
}

function macros() {
	if (way == "tracepoint")
		return
	print "@define enter(name) %( %( runtime == \"user\" %? kernel.trace(\"syscalls:sys_enter_\" @name) ?"
	print "\t%: kernel.function(%( arch == \"arm64\" %? \"__arm64_sys_\" %: \"__x64_sys_\" %) @name) ? %) %)"
	compat_macro("enter", "")
	print "@define leave(name) %( %( runtime == \"user\" %? kernel.trace(\"syscalls:sys_exit_\" @name) ?"
	print "\t%: kernel.function(%( arch == \"arm64\" %? \"__arm64_sys_\" %: \"__x64_sys_\" %) @name).return ? %) %)"
	compat_macro("leave", ".return")
}

# The function that calls of 32-bit programs go through. If they have the same arguments as those of
# 64-bit programs, there is no compat_sys_ function: x86 has one entry for each kind of program,
# arm64 only one for both, except for calls with 32-bit times.
function compat_macro(way, suffix,	point) {
	point = "kernel.function(%( arch == \"arm64\" %? \"__arm64_"
	print "@define " way "_compat(name) %( " point "compat_sys_\" %: \"__ia32_compat_sys_\" %) @name)" suffix " !,"
	print "\t%( arch == \"arm64\" %? kernel.function(\"__arm64_compat_sys_\" @name)" suffix " ? %: kernel.function(\"__ia32_sys_\" @name)" suffix " ? %) %)"
	print "@define " way "_compat32(name) %( " point "compat_sys_\" %: \"__ia32_compat_sys_\" %) @name)" suffix " !,"
	print "\t" point "sys_\" %: \"__ia32_sys_\" %) @name)" suffix " ? %)"
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

# The number on the script's architecture, -1 if the call does not exist there.
function number_here(r,	both) {
	split(number[r], both, "/")
	return "%( arch == \"arm64\" %? " (both[2] != "" ? both[2] : -1) " %: " (both[1] != "" && both[1] != "-" ? both[1] : -1) " %)"
}

function aliases(r,	name, point, first) {
	compat = sub(/^compat:/, "", kernel[r]) ? kernel[r] ~ /32$/ ? "_compat32" : "_compat" : ""
	if (way == "tracepoint" && (compat != "" || number[r] == "-"))
		return
	first = names[r]
	sub(/,.*/, "", first)
	name = "\tname = \"" first "\"\n"
	point = way == "tracepoint" ? "kernel.trace(\"raw_syscalls:sys_enter\")" : "@enter" compat "(\"" kernel[r] "\")"
	print "\n## A program makes the system call " first "."
	print "probe " heads(r, "") point "\n{"
	if (way == "tracepoint")
		print "\tif ($id != " number_here(r) ")\n\t\tnext"
	printf "%s%s}\n", name, body(r)
	if (retfmt[r] == 0)
		return
	point = way == "tracepoint" ? "kernel.trace(\"raw_syscalls:sys_exit\")" : "@leave" compat "(\"" kernel[r] "\")"
	print "## The system call " first " returns."
	print "probe " heads(r, ".return") point "\n{"
	if (way == "tracepoint")
		print "\tif (@choose_defined($id, @choose_defined($regs->orig_ax, $regs->syscallno)) != " number_here(r) ")\n\t\tnext"
	printf "%s%s\tretval = %s\n\tretstr = return_str(%d, retval)\n}\n", name, filled, way == "tracepoint" ? "$ret" : "returnval()", retfmt[r]
}

# ---- arguments --------------------------------------------------------------

# Statements that set the variables and argstr. show: printf directives; values: their arguments.
function body(r,	text, words, n, i, k, m, part, spec) {
	text = args[r]
	if (substr(text, 1, 1) == "@")
		text = args[row_of[substr(text, 2)]]
	code = show = values = filled = ""
	n = split(text, words, " ")
	for (i = 1; i <= n; i++) {
		m = split(words[i], part, "+")
		for (k = 1; k <= m; k++) {
			match(part[k], /:/)
			element(substr(part[k], 1, RSTART - 1), substr(part[k], RSTART + 1), i)
		}
	}
	if (argstr[r] != "")
		return code "\targstr = " argstr[r] "\n"
	return code "\targstr = " (values == "" ? "\"\"" : "sprintf(\"" show "\"" values ")") "\n"
}

function set(var, value) { code = code "\t" var " = " value "\n" }

function shown(directive, value) {
	show = show (show == "" ? "" : ", ") directive
	values = values ", " value
	last = value
}

function element(var, type, i,	arg, kind, rest) {
	arg = "syscall_arg(" i ")"
	kind = substr(type, 1, 1)
	rest = substr(type, 2)
	sub(/^=/, "", rest)
	if (var == "." && kind ~ /[.nh]/)
		return
	if (var == ".")
		var = "arg" i
	if (kind ~ /[dVDgGHP]/)
		set(var, "__int(" arg ")")
	else if (kind ~ /[wxoF]/)
		set(var, arg " & 0xffffffff")
	else if (kind ~ /[ulpn]/)
		set(var, arg)
	if (kind ~ /[dl]/)
		shown("%d", var)
	else if (kind ~ /[wu]/)
		shown("%u", var)
	else if (kind == "p") {
		shown("%p", var)
		pointer = var
	}
	else if (kind == "x")
		shown("%#x", var)
	else if (kind == "o")
		shown("%#o", var)
	else
		text_element(var, kind, rest, arg, i)
}

function text_element(var, kind, rest, arg, i) {
	if (kind == "s" || kind == "q") {
		set(var, "user_string_quoted(" arg ")")
		set(var "_unquoted", "user_string_nofault(" arg ")")
		if (kind == "s")
			shown("%s", var)
	} else if (kind == "F" || kind == "V")
		derived(var "_str", "__" rest "_str(" var ")")
	else if (kind == "D")
		derived(var "_str", "__dfd_str(" var ")")
	else if (kind == "g")
		derived(var "_str", "__signal_str(" var ")")
	else if (kind == "G")
		derived(var "_name", "__signal_str(" var ")")
	else if (kind == "H")
		derived(var "_str", "__sock_type_str(" var ")")
	else if (kind == "P")
		derived(var "_str", "__sock_protocol_str(family, protocol)")
	else if (kind == "b")
		derived(var, "user_buffer_quoted(" arg ", syscall_arg(" rest "), 45)")
	else if (kind == "a")
		derived(var, "__sockaddr_str(" arg ", syscall_arg(" rest "))")
	else if (kind == "T")
		derived(var, (compat != "" ? "__time32_" : "__time_") rest "_str(" arg ")")
	else if (kind == "e")
		derived(var, "__argv_str(" arg ")")
	else if (kind == "E")
		derived(var, "__envp_str(" arg ")")
	else if (kind == "K")
		derived(var, "__sigaction_str(" arg ")")
	else if (kind == "M")
		derived(var, "__sigset_str(" arg ")")
	else if (kind == "R")
		derived(var, "__rlim_str(" arg ")")
	else if (kind == "h")
		set(var, "sprintf(\"0x%x\", " arg ")")
	else if (kind == "=")
		set(var, last)
	else if (kind == "i" || kind == "L")
		set(var, (kind == "i" ? "user_int(" : "user_long(") arg (rest > 0 ? " + " rest : "") ")")
	else if (kind == "O") {
		set(var, "user_int(" arg " + " rest ")")
		filled = filled (rest > 0 ? "" : "\t" pointer " = " arg "\n") "\t" var " = user_int(" arg " + " rest ")\n"
	} else if (kind == "A")
		address(var, arg ", __int(syscall_arg(" rest "))")
	else if (kind == "c")
		set(var, rest)
	else if (kind == "t")
		set(var, "\"" rest "\"")
}

function address(var, which) {
	set(var "_af", "__uaddr_af(" which ")")
	set(var "_ip", "__uaddr_ip(" which ")")
	set(var "_ip_port", "__uaddr_ip_port(" which ")")
	set(var "_ipv6_flowinfo", "__uaddr_ipv6(" which ", 4)")
	set(var "_ipv6_scope_id", "__uaddr_ipv6(" which ", 24)")
}

function derived(var, value) {
	set(var, value)
	shown("%s", var)
}

# ---- numbers ----------------------------------------------------------------

# Tables as strings of less than 500 bytes, each for a range of numbers.
function name_functions(	machine, r, both, nr, name, top) {
	for (machine = 1; machine <= 2; machine++) {
		top[machine] = 0
		for (r = 1; r <= rows; r++) {
			split(number[r], both, "/")
			nr = both[machine]
			if (number[r] == "-" || nr == "")
				continue
			name = names[r]
			sub(/,.*/, "", name)
			by_number[machine, nr + 0] = name
			if (nr + 0 > top[machine])
				top[machine] = nr + 0
		}
	}
	print "## Returns the name of a system call; the number in hexadecimal if there is no such call."
	print "# nr: number of the call"
	print "function syscall_name:string(nr:long)\n{"
	print "%( arch == \"arm64\" %?"
	chunks(2, top[2], "if (nr < %d)\n\t\treturn decode_value(nr, \"%s\")")
	print "%:"
	chunks(1, top[1], "if (nr < %d)\n\t\treturn decode_value(nr, \"%s\")")
	print "%)\n\treturn decode_value(nr, \"\")\n}"
	print "## Returns the number of a system call, -1 if there is no such call."
	print "# name: name of the call"
	print "function syscall_num:long(name:string)\n{"
	print "%( arch == \"arm64\" %?"
	chunks(2, top[2], "if ((nr = encode_value(name, \"%2$s\")) >= 0)\n\t\treturn nr")
	print "%:"
	chunks(1, top[1], "if ((nr = encode_value(name, \"%2$s\")) >= 0)\n\t\treturn nr")
	print "%)\n\treturn -1\n}"
}

function chunks(machine, top, format,	nr, text, one) {
	text = ""
	for (nr = 0; nr <= top; nr++) {
		if (!((machine, nr) in by_number))
			continue
		one = by_number[machine, nr] "=" nr
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
