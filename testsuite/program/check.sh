#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - probe points in user programs that are built here: which there are, where they lie, what is said when there are none.
. "$(dirname "$0")/../common.sh"
export LAPWING_CACHE=$work/cache

list() {	# list POINT [OPTION]...: what -l says of it, or -L as an option
	local point=$1 option=-l
	shift
	[ "${1-}" != -L ] || { option=-L; shift; }
	./lapwing "$option" "$point" "$@" 2> "$work/err"
}

expect() {	# expect TEXT POINT [OPTION]...: -l gives exactly these lines, a '|' between two
	local got
	got=$(list "${@:2}" | paste -sd '|')
	[ "$got" = "$1" ] || fail "-l $2: '$got', not '$1'"
}

says() {	# says TEXT POINT [OPTION]...: it is refused so
	./lapwing -p2 "${@:3}" -e "probe $2 { exit() }" > "$work/out" 2>&1 && fail "$2 is accepted"
	grep -qF -- "$1" "$work/out" || { fail "$2: not '$1'"; cat "$work/out"; }
}

accepted() {	# accepted SCRIPT: by the kernel runtime
	./lapwing -p3 --runtime=kernel -e "$1" > /dev/null
}

row() {		# row POINT: its row of the generated table
	./lapwing -p3 --runtime=kernel -e "probe $1 { exit() }" 2> "$work/err" | grep -o '{ &probes\[0\], "[^}]*}' | head -1
}

t=$work/target
gcc -O1 -fcf-protection=none -o "$t" testsuite/program/target.c || exit 1
gcc -O1 -fcf-protection=none -s -o "$t-stripped" testsuite/program/target.c
p="process(\"$t\")"

expect "$p.function(\"work\")" "$p.function(\"work\")"
expect "$p.function(\"helper\")|$p.function(\"work\")" "$p.function(\"[hw]*r*\")"
expect "$p.function(\"helper\")|$p.function(\"work\")" "$p.function(\"{helper,work}\")"
expect "$p.function(\"main\")|$p.function(\"work\")" "$p.function(\"{main,helper,work}\").exported"
expect "$p.function(\"work\").return" "$p.function(\"work\").return"
expect "$p.plt(\"printf\")" "$p.plt(\"pr*\")"
expect "$p.function(\"work\")" "process(\"$work/tar*t\").function(\"work\")"
(PATH=$work:$PATH; expect "$p.function(\"work\")" 'process("target").function("work")'; exit $failed) || failed=1
expect "$p.function(\"main\")" 'process.function("main")' -c "$t 1 2"
expect "$p.begin" "$p.begin"
expect "process.syscall.return" 'process("").syscall.return'
list "$p.library(\"libc\").function(\"malloc\")" | grep -q '\.library(".*/libc.*")\.function("malloc")$' ||
	fail "malloc of libc is not found"
# A full path, or a pattern of such, is of any library; a text for the linker is none.
for name in one two; do
	echo "int only_$name(void) { return 1; }" | gcc -O1 -shared -fPIC -x c -o "$work/libown$name.so" - || fail "no library"
done
echo 'INPUT(libownone.so)' > "$work/libown.so"
expect "$p.library(\"$work/libownone.so\").function(\"only_one\")" "$p.library(\"$work/libownone.so\").function(\"only*\")"
expect "$p.library(\"$work/libownone.so\").function(\"only_one\")|$p.library(\"$work/libowntwo.so\").function(\"only_two\")" \
	"$p.library(\"$work/libown*.so\").function(\"only*\")"

expect libc.mutex.entry libc.mutex.entry
expect libc.memory.free libc.memory.free

# What DWARF knows: lines, callees, inlined copies, variables; also from a debug file of its own, and split.
gcc -g -O1 -fcf-protection=none -o "$work/dwarf" testsuite/program/target.c
d="process(\"$work/dwarf\")"
expect "$d.function(\"work@target.c:5\")" "$d.function(\"work@target.c\")"
expect "$d.function(\"work@target.c:5\")" "$d.function(\"work@target.c:5\")"
expect "$d.function(\"work@target.c:5\")" "$d.function(\"work@target.c:7\")"
expect "$d.statement(\"work@target.c:10\")" "$d.statement(\"work@target.c:10\")"
expect "$d.function(\"main\").callee(\"helper@target.c:13\")" "$d.function(\"main\").callee(\"h*\")"
expect "$d.function(\"helper\") \$a:long int \$text:const char*" "$d.function(\"helper\")" -L
accepted "probe $d.function(\"helper\") { println(\$arg->text[pid()]) }" || fail "a call within \$arg->text[] is refused"
expect "$d.function(\"work\").return \$return:int \$n:int" "$d.function(\"work\").return" -L
objcopy --only-keep-debug "$work/dwarf" "$work/dwarf.debug" && strip -g "$work/dwarf" &&
	objcopy --add-gnu-debuglink="$work/dwarf.debug" "$work/dwarf"
expect "$d.function(\"work\").return \$return:int \$n:int" "$d.function(\"work\").return" -L
(cd "$work" && gcc -g -gsplit-dwarf -O1 -fcf-protection=none -o split "$OLDPWD/testsuite/program/target.c")
expect "process(\"$work/split\").function(\"work\") \$n:int" "process(\"$work/split\").function(\"work\")" -L
s="process(\"$work/split\").function(\"main\")"
expect "$s.callee(\"helper@target.c:13\")" "$s.callee(\"h*\")"
rm "$work"/*.dwo
./lapwing -p2 -e "probe process(\"$work/split\").function(\"work\") { println(\$n) }" 2>&1 |
	grep -q "split, and '.*target.dwo' is not where" || fail "a missing .dwo is not told"

# Debuginfo elsewhere: by build id in the folders of $SYSTEMTAP_DEBUGINFO_PATH, from debuginfod's servers only when asked, shared by dwz.
gcc -g -O1 -fcf-protection=none -Wl,--build-id -o "$work/known" testsuite/program/target.c
id=$(readelf -n "$work/known" | sed -n 's/.*Build ID: //p') k="process(\"$work/known\").function(\"work\")"
mkdir -p "$work/debug/.build-id/${id:0:2}" "$work/server/buildid/$id"
objcopy --only-keep-debug "$work/known" "$work/debug/.build-id/${id:0:2}/${id:2}.debug" && strip -g "$work/known"
cp "$work/debug/.build-id/${id:0:2}/${id:2}.debug" "$work/server/buildid/$id/debuginfo"
expect "$k" "$k" -L
(export SYSTEMTAP_DEBUGINFO_PATH=$work/debug; expect "$k \$n:int" "$k" -L; exit $failed) || failed=1
(
	export DEBUGINFOD_URLS=file://$work/server DEBUGINFOD_CACHE_PATH=$work/fetched
	expect "$k" "$k" -L
	[ ! -e "$work/fetched" ] || fail "debuginfod's servers are asked without --download-debuginfo"
	! ls /usr/lib/*/libdebuginfod.so.1 > /dev/null 2>&1 || expect "$k \$n:int" "$k" -L --download-debuginfo
	exit $failed
) || failed=1
if command -v dwz > /dev/null; then
	gcc -gdwarf-4 -O1 -fcf-protection=none -o "$work/one" testsuite/program/target.c && cp "$work/one" "$work/two" &&
		dwz -m "$work/common" "$work/one" "$work/two" 2> /dev/null
	readelf -S "$work/one" | grep -q gnu_debugaltlink || fail "dwz has not shared anything: the test is blind"
	expect "process(\"$work/one\").function(\"helper\") \$a:long int \$text:const char*" "process(\"$work/one\").function(\"helper\")" -L
fi

# A compressed table of symbols has the names of functions that others do not link to.
if command -v xz > /dev/null; then
	gcc -O1 -o "$work/mini" testsuite/program/target.c && nm "$work/mini" | sed -n 's/.* [tT] //p' > "$work/names"
	objcopy -S --keep-symbols="$work/names" "$work/mini" "$work/table" && xz -k "$work/table" && strip "$work/mini" &&
		objcopy --add-section .gnu_debugdata="$work/table.xz" "$work/mini"
	readelf -S "$work/mini" | grep -q symtab && fail "the names are there anyway: the test is blind"
	expect "process(\"$work/mini\").function(\"helper\")" "process(\"$work/mini\").function(\"h*r\")"
fi

# A cast may name another program's types; where its variables lie is not known here.
typed="process(\"$t\").function(\"work\")"
gcc -g -O1 -pthread -o "$work/types" testsuite/triggers/work.c
accepted "probe $typed { println(@cast(pointer_arg(1), \"struct order\", \"$work/types\")->range->low) }" ||
	fail "a cast to another program is refused"
low="function low(p) { return @cast(p, \"struct order\", \"$work/types\")->range->low }"
accepted "$low probe process.syscall { println(low(\$arg1)) }" || fail "a cast in a function is refused"
! accepted "probe $typed { println(@cast(pointer_arg(1), \"struct nosuch\", \"$work/types\")->n) }" 2> /dev/null ||
	fail "a type that is not there is accepted"

# Types of headers: the second time they are in the cache, whatever the compiler is then.
headers() {
	./lapwing -p3 --runtime=kernel -e "probe $typed { println(@cast(pointer_arg(1), \"timeval\", \"<time.h><sys/time.h>\")->tv_usec) }" |
		grep -q 'rt_user_load(c, .* + 8, 8)'
}
headers || fail 'types of headers'
printf '#!/bin/sh\nexit 1\n' > "$work/gcc" && chmod +x "$work/gcc"
(PATH=$work:$PATH; headers) || fail 'types of headers from the cache'
rm "$work/gcc"
says 'the headers do not compile here' "$typed { println(@cast(1, \"x\", \"<no/such.h>\")->y) } probe begin"
says "the headers have no type 'nosuch'" "$typed { println(@cast(1, \"nosuch\", \"<time.h>\")->y) } probe begin"

# Autocasts: by a list of modules, of a path with a colon, and never of two types, also where one is assigned behind the use.
echo 'struct one { struct one *next; struct two *other; enum sign { MINUS = -1, PLUS = 200 } sign; };
	struct two { struct two *next; } two; struct one one; int main() { }' |
	gcc -g -x c -o "$work/two:parts" - && cp "$work/two:parts" "$work/parts" || exit 1
for module in "$t:$work/parts" "$work/two:parts"; do
	cast="@cast(pointer_arg(1), \"struct one\", \"$module\")"
	accepted "probe $typed { p = $cast->next println(p->other->next) q = p->other println(q->next->next) }" ||
		fail "types of $module are not found"
	for value in "$cast->sign" "1, \"sign\", \"$module\"" "1, \"enum sign\", \"$module\""; do
		./lapwing -p3 --runtime=kernel -e "probe $typed { println(@enumname($value)) }" |
			grep -q '"MINUS=0xffffffffffffffff PLUS=0xc8"' || fail "@enumname($value) has no table"
	done
	! accepted "probe $typed { p = $cast->next println(p->next) p = $cast->other }" 2> "$work/err" ||
		fail "a variable of two types is accepted"
	grep -q 'no type is known for that address, or more than one' "$work/err" || { fail "two types are not told"; cat "$work/err"; }
done

./lapwing -p2 -e "probe $typed { println(@var(\"times\", \"$work/types\")) }" 2>&1 | grep -q 'another file than the probed one' ||
	fail "another program's variable is accepted"

# Of several aliases that a wildcard names, those that this machine lacks are passed over; named alone they are missed.
aliases="probe ours.one = $typed { } probe ours.two = process(\"$t\").function(\"nosuch\") { }"
accepted "$aliases probe ours.* { exit() }" || fail "ours.* is refused"
! accepted "$aliases probe ours.two { exit() }" 2> /dev/null || fail "ours.two is accepted"

# A script is its interpreter; the root may be elsewhere.
printf '#!/usr/bin/env target\n' > "$work/script" && chmod +x "$work/script"
(PATH=$work:$PATH; expect "$p.function(\"work\")" "process(\"$work/script\").function(\"work\")"; exit $failed) || failed=1
mkdir -p "$work/root/bin" && cp "$t" "$work/root/bin/"
expect 'process("/bin/target").function("work")' 'process("/bin/target").function("work")' --sysroot="$work/root"

# Addresses and offsets are those of the file.
address=$(nm "$t" | sed -n 's/^0*\([0-9a-f]*\) T work$/0x\1/p')
[ "$(row "$p.function(\"work\")")" = "{ &probes[0], \"$t\", $address, $address }" ] || fail "row: $(row "$p.function(\"work\")")"
expect "$p.statement($address)" "$p.statement($address)"
expect "$p.function(\"work\")" "$p.function($((address + 1)))"

# .absolute in a process is an address as that process has it.
gcc -O1 -fcf-protection=none -pie -fPIE -o "$work/held" testsuite/triggers/held.c
"$work/held" & held=$!
until grep -q '^State:.S' /proc/$held/status; do kill -0 $held || break; done
read -r begin skipped < <(sed -n 's/^\([0-9a-f]*\)-[0-9a-f]* r-xp \([0-9a-f]*\) .*held$/\1 \2/p' /proc/$held/maps)
address=0x$(nm "$work/held" | sed -n 's/^0*\([0-9a-f]*\) T counted$/\1/p')
there=$(printf '0x%x' $((0x$begin - 0x$skipped + address)))		# the linker gives code the same address and offset
row "process($held).statement($there).absolute" | grep -q "\"$work/held\", $address, $address, .pid = $held }" ||
	fail "row: $(row "process($held).statement($there).absolute")"
says '[lapwing explain E0406]' "process($held).statement(0x10).absolute"
kill $held

# A push behind endbr64 is emulated: that is where the probe goes.
cat > "$work/endbr.s" <<'S'
.globl main
.type main, @function
main:	endbr64
	push %rbp
	pop %rbp
	ret
.size main, . - main
S
if gcc -o "$work/endbr" "$work/endbr.s" 2> /dev/null; then
	address=$(printf '0x%x' $((0x$(nm "$work/endbr" | sed -n 's/ T main$//p') + 4)))
	row "process(\"$work/endbr\").function(\"main\")" | grep -q ", $address, $address }" || fail "endbr64 is not passed over"
fi
printf '.globl main\n.type main, @function\nmain: mov %%edi, %%eax\nret\n.size main, . - main\n' > "$work/slow.s"
if gcc -o "$work/slow" "$work/slow.s" 2> /dev/null; then
	./lapwing -v -p2 -e "probe process(\"$work/slow\").function(\"main\") { exit() }" 2>&1 | grep -qF '[lapwing explain W0113]' ||
		fail "-v does not say which probe is slow"
	./lapwing -p2 -e "probe process(\"$work/slow\").function(\"main\") { exit() }" 2>&1 | grep -q W0113 && fail "without -v it says so too"
fi

# What is generated, in both runtimes: the user runtime's rows say besides what is to be fetched at the hit, and what the kernel counts.
if [ "$(uname -m)" = x86_64 ]; then
	flags='-std=gnu11 -O2 -fsyntax-only -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -Wno-unused-but-set-variable'
	layout=-Ttext=0x401000,--section-start=.probes=0x402000,--build-id=none
	gcc -nostdlib -static -no-pie -Wl,$layout -o "$work/golden" testsuite/program/golden.s
	for runtime in user kernel; do
		PATH=$work:$PATH ./lapwing --runtime=$runtime -p3 testsuite/program/golden.stp | sed "s|$work|.|g" > "$work/$runtime.c"
	done
	[ -z "${BLESS:-}" ] || cp "$work/user.c" testsuite/program/golden.expected
	diff -u testsuite/program/golden.expected "$work/user.c" || fail 'the generated file differs from the golden'
	sed -E '/uprobe_rows/,/^}/s/, \.((keeper_)?fetch = \{ 0x[0-9a-f]* \}|(counter|step) = [^,} ]*)//g' testsuite/program/golden.expected |
		diff -u - "$work/kernel.c" || fail 'the kernel gets other than the same without what is fetched'
	gcc $flags -Werror -Iruntime -x c testsuite/program/golden.expected || fail 'the golden does not compile cleanly'
fi

says '[lapwing explain E0407]' "$p.function(\"wrok\")"
says 'similar: work' "$p.function(\"wrok\")"
says '[lapwing explain E0407]' "process(\"$t-stripped\").function(\"work\")"
says "no function 'helper' to probe in $t that is not static to its file" "$p.function(\"helper\").exported"
says 'similar: printf' "$p.plt(\"prinft\")"
says "has no mark 'nosuch', nor any other" "$p.mark(\"nosuch\")"
# What is known of code that is here under another name, or elsewhere.
cat > "$work/places.c" <<'END'
static inline __attribute__((always_inline)) int added(int n) { return n + 1; }
__attribute__((noinline)) int called(int n)
{
	asm volatile("" : "+r"(n));
	return added(n);
}
int main(int argc, char **argv) { return called(argc) + called(2); }
END
gcc -g -O1 -fcf-protection=none -o "$work/places" "$work/places.c" || exit 1
d="process(\"$work/places\")"
says "no function 'added' to probe in $work/places that is not inlined: .inline probes the copies" "$d.function(\"added\").return"
says "at 'called' that is inlined anywhere" "$d.function(\"called\").inline"
says "at 'none' in 'called' that is a label" "$d.function(\"called\").label(\"none\")"
says "at 'none' that 'main' calls" "$d.function(\"main\").callee(\"none\")"
says 'similar: called' "$d.statement(\"caled@places.c:5\")"
says 'lines with code: ' "$d.statement(\"called@places.c:90\")"

# A probe inside an instruction would break the program.
begin=0x$(nm "$work/places" | sed -n 's/^0*\([0-9a-f]*\) T called$/\1/p')
expect "$d.statement($begin)" "$d.statement($begin)"
says 'no code of that file' "$d.statement(0x10)"
inside=$(printf '0x%x' $((begin + 1)))
if [ "$(uname -m)" = x86_64 ]; then
	says 'no statement begins at this address' "$d.statement($inside)"
	says 'without debuginfo nobody knows' "$p.statement($(printf '0x%x' $((address + 1))))"
	expect "$d.statement($inside)" "$d.statement($inside)" -g
fi
says '[lapwing explain E0418]' 'process("/nosuch/program").function("main")'
says '[lapwing explain E0418]' 'process("/etc/passwd").function("main")'
says '[lapwing explain E0419]' "$p.library(\"libnosuch\").function(\"main\")"
says '[lapwing explain E0420]' "$p.mark(\"nosuch\")"
says 'the program of -c or -x' 'process.function("main")'
printf '.globl _start\n_start: mov $1, %%eax\nint $0x80\n' > "$work/small.s"
if gcc -m32 -nostdlib -static -o "$work/small" "$work/small.s" 2> /dev/null; then
	says 'it is a 32-bit program' "process(\"$work/small\").function(\"_start\")"
fi
if aarch64-linux-gnu-gcc -o "$work/other" testsuite/program/target.c 2> /dev/null && [ "$(uname -m)" = x86_64 ]; then
	says 'it is for another machine' "process(\"$work/other\").function(\"work\")"
fi
touch "$work/note" && objcopy --add-section .go.buildinfo="$work/note" "$t" "$work/go" && chmod +x "$work/go"
says 'as its stacks move, as it is written in Go: it has no table of functions' "process(\"$work/go\").function(\"work\").return"
unwinds() {	# unwinds POINT: is it said that exceptions end the program?
	./lapwing -p2 -e "probe $1 { exit() }" 2>&1 | grep -qF '[lapwing explain W0115]'
}
g++ -O1 -o "$work/classes" testsuite/triggers/classes.cc || exit 2
./lapwing -p2 -v -e "probe process(\"$work/classes\").function(\"main\").return { exit() }" 2>&1 |
	grep -q 'at their instructions: an exception or panic' || fail 'nothing is said of exceptions'
unwinds "process(\"$work/classes\").function(\"main\")" && fail 'an entry is said to end programs'
unwinds "$p.function(\"main\").return" && fail 'C is said to have exceptions'
# ---- patterns that match a 32-bit file, and one that is none ----
if [ "$(uname -m)" = x86_64 ]; then
	mkdir "$work/mixed"
	echo 'int known(int n); int known(int n) { return n + 1; } void _start(void) { known(1); for (;;) ; }' > "$work/mixed.c"
	for bits in 32 64; do
		gcc -m$bits -O1 -nostdlib -static -o "$work/mixed/a$bits" "$work/mixed.c" || exit 1
	done
	echo '#!/bin/sh' > "$work/mixed/a"
	./lapwing --runtime=user -p2 -e "probe process(\"$work/mixed/a*\").function(\"known\") { println(1) }" > "$work/out" 2> "$work/err"
	[ "$(grep -o '^process("[^"]*")' "$work/out")" = "process(\"$work/mixed/a64\")" ] ||
		{ fail 'not the 64-bit file of a pattern'; cat "$work/out"; }
	grep -qF "WARNING: $work/mixed/a32 is not probed: it is a 32-bit program; those of 64 bits can be probed" "$work/err" &&
		grep -qF '[lapwing explain W0120]' "$work/err" && [ "$(grep -c WARNING "$work/err")" = 1 ] ||
		{ fail 'a 32-bit file is left out without a word, or more is said'; cat "$work/err"; }
	says 'it is a 32-bit program' "process(\"$work/mixed/a32\").function(\"known\")"
fi
# ---- memory, by debug registers ----
w=$work/watched variable=0x
gcc -O1 -static-pie -pthread -o "$w" testsuite/triggers/watched.c || exit 1
variable+=$(nm "$w" | sed -n 's/^0*\([0-9a-f]*\) B watched$/\1/p') entry=$(readelf -h "$w" | sed -n 's/.*Entry point address: *//p')
watched() {	# watched ROW POINT [OPTION]...: its row of the generated table, between { &probes[0], and }
	local got
	got=$(./lapwing -p3 --runtime=kernel "${@:3}" -e "probe $2 { exit() }" 2> "$work/err" |
		sed -n 's/.*{ &probes\[0\], \(\.[pta][^}]*\) }.*/\1/p')
	[ "$got" = "$1" ] || { fail "$2: row '$got', not '$1'"; cat "$work/err"; }
}
if [ "$(uname -m)" = x86_64 ]; then
	watched ".path = \"$w\", .address = $variable, .entry = $entry, .length = 4" "process(\"$w\").data(\"watched\").write"
	watched ".path = \"$w\", .target = 1, .address = $variable, .entry = $entry, .length = 2, .reads = 1" \
		'process.data("watched").length(2).rw' -c "$w 1 1"
	watched ".path = \"$w\", .address = 0x404022, .length = 2, .optional = 1" "process(\"$w\").data(0x404022).write?"
	watched ".pid = $$, .address = 0x404028, .length = 8" "process($$).data(0x404028).length(8).write"
	says 'has no variable of that name' "process(\"$w\").data(\"nosuch\").write"
	says 'has no variable of that name' "process(\"$w\").data(\"main\").write"
	says 'or it is thread-local' "process(\"$w\").data(\"errno\").write"
	says 'the length is 1, 2, 4 or 8 bytes' "process(\"$w\").data(\"watched\").length(3).write"
	says 'the address is not a multiple of the length' "process(\"$w\").data(0x404022).length(4).rw"
	printf 'static int local; int both; int *at(void) { return &local; } int main(void) { return 0; }\n' > "$work/one.c"
	printf 'static int local, both; int *f(void) { return &local; } int *g(void) { return &both; }\n' > "$work/two.c"
	gcc -O1 -static -o "$work/namesakes" "$work/two.c" "$work/one.c" || exit 1
	says 'has 2 variables of that name' "process(\"$work/namesakes\").data(\"local\").write"
	w=$work/namesakes
	watched ".path = \"$w\", .address = 0x$(nm "$w" | sed -n 's/^0*\([0-9a-f]*\) B both$/\1/p'), .entry = $(readelf -h "$w" |
		sed -n 's/.*Entry point address: *//p'), .length = 4" "process(\"$w\").data(\"both\").write"
	w=$work/watched
	says "kernel.data is for the kernel's" "process(\"$w\").data(0xffffffff82000000).rw"
	says "'process' is the program of -c or -x" 'process.data("watched").rw'
fi
[ $failed -eq 0 ] && echo "program: all found"
[ $failed -eq 0 ]
