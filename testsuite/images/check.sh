#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - names and source lines in the user runtime, from every place where symbols and DWARF of
# a stripped shared library can be. The programs have exited when their names are printed.
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work" $installed' EXIT
installed=
cd "$work" || exit 2
cat > lib.c <<'END'
#include <time.h>
static volatile unsigned long work;
static inline __attribute__((always_inline)) void add(int i) { work += (unsigned long)i; }
static __attribute__((noinline)) void inner(void)
{
	for (int i = 0; i < 300000; i++)
		add(i);
}
static void __inner(void) __attribute__((alias("inner"), used));
void exported_first(long ms)
{
	clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);

	while (clock() < end)
		inner();
}
END
cat > main.c <<'END'
void exported_first(long ms);
int main(void) { exported_first(400); return 0; }
END
cat > names.stp <<'END'
global seen
probe timer.profile.freq.hz(250) {
	if (user_mode() && execname() == "program") seen[usymname(uaddr())]++
}
probe end { foreach (name in seen- limit 1) println(name) }
END
cat > lines.stp <<'END'
global seen, files
probe timer.profile.freq.hz(250) {
	if (user_mode() && execname() == "program" && isinstr(usymdata(uaddr()), "libx")) {
		where = usymfileline(uaddr())
		file_line = sprintf("%s:%s", usymfile(uaddr()), usymline(uaddr()))
		if (where != file_line && !isinstr(where, "0x"))
			println("file and line differ from file:line")
		files[isinstr(where, "lib.c:") ? "in the file" : "unknown"]++
		if (usymline(uaddr()) == "3" && !seen++)
			print_ubacktrace_fileline()
	}
}
probe end { foreach (f in files- limit 1) println(f) }
END
${CC:-cc} -O1 -g -shared -fPIC -Wl,--build-id -o libx.so lib.c &&
	${CC:-cc} -O1 -o program main.c ./libx.so || exit 2
cp libx.so whole.so
objcopy --only-keep-debug whole.so libx.so.debug && objcopy --strip-unneeded whole.so bare.so ||
	exit 2
failed=0
profile() {	# profile SCRIPT: runs it on ./program
	"$top/lapwing" --runtime=user --user-unwind=dwarf --only-target -c ./program "$1" > out \
		2> err || { cat err; failed=1; }
}
verdict() {	# verdict TITLE: reports the status of the command before it
	if [ $? -eq 0 ]; then echo "PASS $1"; else echo "FAIL $1"; cat out err; failed=1; fi
}
names() {	# names TITLE PATTERN: the hottest function's name matches PATTERN
	profile names.stp
	grep -qxE "$2" out
	verdict "names: $1"
}
lines() {	# lines TITLE: a stack has lines for the inlined call and the functions around it
	local hex='0x[0-9a-f]+' image='\[.*/libx\.so\]'
	profile lines.stp
	grep -qx 'in the file' out && ! grep -q differ out &&
		grep -qE "^ $hex : add at .*lib\.c:3 $image \(inlined\)\$" out &&
		grep -qE "^ $hex : inner\+$hex/$hex at .*lib\.c:7 $image\$" out &&
		grep -qE "^ $hex : exported_first\+$hex/$hex at .*lib\.c:15 $image\$" out
	verdict "lines: $1"
}

# A debuginfod client that records whether it is asked.
cat > asked.c <<'END'
#include <stdio.h>
void *debuginfod_begin(void) { return stdout; }
void debuginfod_end(void *c) { }
static int asked(void) { FILE *f = fopen("asked", "w"); if (f) fclose(f); return -2; }
typedef const void *bytes;
int debuginfod_find_debuginfo(void *c, bytes id, int n, char **path) { return asked(); }
int debuginfod_find_executable(void *c, bytes id, int n, char **path) { return asked(); }
int debuginfod_find_source(void *c, bytes id, int n, char *name, char **path) { return asked(); }
int debuginfod_find_section(void *c, bytes id, int n, char *name, char **path) { return asked(); }
END
mkdir net && ${CC:-cc} -shared -fPIC -o net/libdebuginfod.so.1 asked.c || exit 2

# While a return probe on main is pending, main's return address on the stack points to the kernel's
# trampoline page; the entry probe recorded the original address.
cat > pending.stp <<END
global seen, returned
probe process("$work/program").function("main").return { returned++ }
probe timer.profile.freq.hz(250) {
	if (user_mode() && execname() == "program" && usymname(uaddr()) == "inner" && !seen++)
		print_ubacktrace()
}
probe end { println(returned) }
END
profile pending.stp
sed 's/^ 0x[0-9a-f]* : //; s/+.*//; s/^ 0x[0-9a-f]*$/trampoline/' out | paste -sd ' ' |
	grep -qx 'inner exported_first main __libc_start_[a-z_]*main .*_start 1'
verdict "names: a stack through a pending return probe"
names "a library with symbols" inner
grep -qE '^lapwing-run: [0-9]+ of [0-9]+ addresses without a name \([0-9.]+ %\)$' err
verdict "names: the share without a name is reported"
lines "a library with DWARF"
cp bare.so libx.so
names "a stripped library" '.*->.*'
DEBUGINFOD_URLS=http://127.0.0.1:1 LD_LIBRARY_PATH=$work/net profile lines.stp
grep -qx unknown out && [ ! -f asked ]
verdict "lines: unknown for a stripped library, without a debuginfod query"

objcopy --add-gnu-debuglink=libx.so.debug libx.so
names "by debuglink" inner
lines "by debuglink"
echo damage >> libx.so.debug
names "not by a debuglink to another file" '.*->.*'
rm libx.so.debug

# A compressed symbol table, as distributions leave it in stripped files.
cp whole.so mini && strip --strip-debug mini && objcopy --only-keep-debug mini && xz mini || exit 2
cp bare.so libx.so && objcopy --add-section .gnu_debugdata=mini.xz libx.so
names "by .gnu_debugdata" inner
cp bare.so libx.so

id=$(readelf -n whole.so | sed -n 's/.*Build ID: *//p')
mkdir -p "fetched/$id" && objcopy --only-keep-debug whole.so "fetched/$id/debuginfo"
export DEBUGINFOD_CACHE_PATH=$work/fetched
names "by build-id, from what debuginfod fetched before" inner
lines "by build-id, from what debuginfod fetched before"
unset DEBUGINFOD_CACHE_PATH
folder=/usr/lib/debug/.build-id/$(printf %.2s "$id")
if mkdir -p "$folder" 2> /dev/null; then
	installed=$folder/${id#??}.debug
	objcopy --only-keep-debug --compress-debug-sections whole.so "$installed"
	names "by build-id" inner
	lines "by build-id, compressed"
else
	echo "SKIP names: by build-id: $folder cannot be written"
fi
# Names have no symbol versions.
cat > spin.c <<'END'
void spin_new(void) { }
__asm__(".symver spin_new,spin@@V2");
END
echo 'V2 { global: spin; };' > spin.map
echo 'void spin(void); int main(void) { spin(); return 0; }' > spins.c
${CC:-cc} -O1 -shared -fPIC -Wl,--version-script=spin.map -o libspin.so spin.c &&
	${CC:-cc} -O1 -o spins spins.c ./libspin.so || exit 2
readelf -sW libspin.so | grep -q 'spin@@V2$' || exit 2
"$top/lapwing" --runtime=user -c ./spins > out 2> err \
	-e 'probe process("./spins").library("./libspin.so").function("spin*") {
		println(usymname(uaddr())) }'
grep -q . out && ! grep -q @ out
verdict "names: without versions"

# A perf map that is replaced many times by one of the same size: the last one is used, even though
# its process has exited.
${CC:-cc} -O1 -o tables "$top/testsuite/triggers/tables.c" || exit 2
cat > tables.stp <<END
probe process("$work/tables").function("told") {
	println(int_arg(2), " ", usymname(pointer_arg(1)))
}
probe end { println("pid ", target()) }
END
"$top/lapwing" --runtime=user -c "./tables 60" tables.stp > out 2> err
rm -f "/tmp/perf-$(sed -n 's/^pid //p' out).map"
[ "$(grep -c . out)" -eq 61 ] && grep -qx '59 code_059' out
verdict "names: a perf map that is replaced 60 times"

# Malformed lines of a perf map are counted and reported once per map, by run and by record.
${CC:-cc} -O1 -o images "$top/testsuite/triggers/images.c" || exit 2
passed_over='/tmp/perf-[0-9]*\.map: skipped 1 line:'
passed_over="$passed_over expected .START SIZE NAME., with hexadecimal numbers"
"$top/lapwing" --runtime=user --only-target -c "./images jit0x" -e 'global seen
	probe timer.profile.freq.hz(250) { if (user_mode()) seen[usymname(uaddr())]++ }
	probe end { foreach (name in seen- limit 1) println(name) }' > out 2> err
grep -qx 'made code' out && [ "$(grep -c "^WARNING: $passed_over\$" err)" -eq 1 ]
verdict "names: malformed lines of a perf map are counted"
"$top/lapwing" record -o capture ./images jit0x > out 2> err
[ "$(grep -c "^lapwing record: $passed_over\$" err)" -eq 1 ]
verdict "names: malformed lines of a perf map are counted in a recording"

exit $failed
