#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - names and source lines in the user runtime, out of every place they may be in: a shared library is stripped, and its symbols
# and DWARF are moved elsewhere. The programs have ended when their names are printed.
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work" $installed' EXIT
installed=
trap 'exit 1' INT TERM
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
probe timer.profile.freq.hz(250) { if (user_mode() && execname() == "program") seen[usymname(uaddr())]++ }
probe end { foreach (name in seen- limit 1) println(name) }
END
cat > lines.stp <<'END'
global seen, files
probe timer.profile.freq.hz(250) {
	if (user_mode() && execname() == "program" && isinstr(usymdata(uaddr()), "libx")) {
		where = usymfileline(uaddr())
		if (where != sprintf("%s:%s", usymfile(uaddr()), usymline(uaddr())) && !isinstr(where, "0x"))
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
id=$(readelf -n whole.so | sed -n 's/.*Build ID: *//p')
folder=/usr/lib/debug/.build-id/$(printf %.2s "$id")
installed=$folder/${id#??}.debug
rm -f "$installed"		# a run that was killed has left it: the library is the same in each
objcopy --only-keep-debug whole.so libx.so.debug && objcopy --strip-unneeded whole.so bare.so || exit 2
failed=0
profile() {	# profile SCRIPT
	"$top/lapwing" --runtime=user --user-unwind=dwarf --only-target -c ./program "$1" > out 2> err || { cat err; failed=1; }
}
verdict() {	# verdict WHAT, after a command
	if [ $? -eq 0 ]; then echo "PASS $1"; else echo "FAIL $1"; cat out err; failed=1; fi
}
names() {	# names WHAT PATTERN
	profile names.stp
	grep -qxE "$2" out
	verdict "names: $1"
}
lines() {	# lines WHAT: the library's, with the call that was inlined and the function around it
	profile lines.stp
	grep -qx 'in the file' out && ! grep -q differ out &&
		grep -qE '^ 0x[0-9a-f]+ : add at .*lib\.c:3 \[.*/libx\.so\] \(inlined\)$' out &&
		grep -qE '^ 0x[0-9a-f]+ : inner\+0x[0-9a-f]+/0x[0-9a-f]+ at .*lib\.c:7 \[.*/libx\.so\]$' out &&
		grep -qE '^ 0x[0-9a-f]+ : exported_first\+0x[0-9a-f]+/0x[0-9a-f]+ at .*lib\.c:15 \[.*/libx\.so\]$' out
	verdict "lines: $1"
}

# A debuginfod client that tells when it is asked.
cat > asked.c <<'END'
#include <stdio.h>
void *debuginfod_begin(void) { return stdout; }
void debuginfod_end(void *c) { }
static int asked(void) { FILE *f = fopen("asked", "w"); if (f) fclose(f); return -2; }
int debuginfod_find_debuginfo(void *c, const void *id, int n, char **path) { return asked(); }
int debuginfod_find_executable(void *c, const void *id, int n, char **path) { return asked(); }
int debuginfod_find_source(void *c, const void *id, int n, const char *name, char **path) { return asked(); }
int debuginfod_find_section(void *c, const void *id, int n, const char *name, char **path) { return asked(); }
END
mkdir net && ${CC:-cc} -shared -fPIC -o net/libdebuginfod.so.1 asked.c || exit 2

# While the kernel waits for main's return, that address leads to a page of its own: main's entry has told where it led before.
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
verdict "names: a stack through where a return is waited for"
names "a library with symbols" inner
grep -qE '^lapwing-run: [0-9]+ of [0-9]+ addresses without a name \([0-9.]+ %\)$' err
verdict "names: the share without a name is said"
lines "a library with DWARF"
cp bare.so libx.so
names "a stripped library" '.*->.*'
DEBUGINFOD_URLS=http://127.0.0.1:1 LD_LIBRARY_PATH=$work/net profile lines.stp
grep -qx unknown out && [ ! -f asked ]
verdict "lines: of a stripped library unknown, and nobody is asked for them"

objcopy --add-gnu-debuglink=libx.so.debug libx.so
names "by debuglink" inner
lines "by debuglink"
echo damage >> libx.so.debug
names "not by a debuglink to another file" '.*->.*'
rm libx.so.debug

# What distributions leave in: a symbol table, packed.
cp whole.so mini && strip --strip-debug mini && objcopy --only-keep-debug mini && xz mini || exit 2
cp bare.so libx.so && objcopy --add-section .gnu_debugdata=mini.xz libx.so
names "by .gnu_debugdata" inner
cp bare.so libx.so

mkdir -p "fetched/$id" && objcopy --only-keep-debug whole.so "fetched/$id/debuginfo"
export DEBUGINFOD_CACHE_PATH=$work/fetched
names "by build-id, from what debuginfod fetched before" inner
lines "by build-id, from what debuginfod fetched before"
unset DEBUGINFOD_CACHE_PATH
if mkdir -p "$folder" 2> /dev/null; then
	objcopy --only-keep-debug --compress-debug-sections whole.so "$installed"
	names "by build-id" inner
	lines "by build-id, compressed"
else
	echo "SKIP names: by build-id: $folder cannot be written"
fi
# Names are those of the source, without versions.
cat > spin.c <<'END'
void spin_new(void) { }
__asm__(".symver spin_new,spin@@V2");
END
echo 'V2 { global: spin; };' > spin.map
echo 'void spin(void); int main(void) { spin(); return 0; }' > spins.c
${CC:-cc} -O1 -shared -fPIC -Wl,--version-script=spin.map -o libspin.so spin.c && ${CC:-cc} -O1 -o spins spins.c ./libspin.so || exit 2
readelf -sW libspin.so | grep -q 'spin@@V2$' || exit 2
"$top/lapwing" --runtime=user -c ./spins > out 2> err \
	-e 'probe process("./spins").library("./libspin.so").function("spin*") { println(usymname(uaddr())) }'
grep -q . out && ! grep -q @ out
verdict "names: without versions"

# A symbol without a size, of an assembler, in a file that names nothing else of what follows: it ends where the next function begins.
cat > sizes.c <<'END'
__asm__(".text\n.globl sizeless\n.type sizeless, %function\nsizeless: nop\nret\n");
static __attribute__((noinline, used)) int hidden(int n) { return n + 1; }
__attribute__((noinline)) int shown(int n) { return hidden(n); }
END
echo 'int shown(int); int main(void) { return shown(1); }' > shows.c
${CC:-cc} -O1 -shared -fPIC -fno-toplevel-reorder -o libsizes.so sizes.c && ${CC:-cc} -O1 -o shows shows.c ./libsizes.so || exit 2
places=$(nm libsizes.so | awk '$3 == "shown" { shown = $1 } $3 == "hidden" { hidden = $1 } $3 == "sizeless" { sizeless = $1 }
	END { print "0x" sizeless, "0x" hidden, "0x" shown }')
for how in whole bare; do
	[ $how = whole ] || strip -s libsizes.so
	"$top/lapwing" --runtime=user -c ./shows -e "probe process(\"./libsizes.so\").function(\"shown\") {
		at = uaddr() - \$3
		println(usymname(at + \$1), \" \", usymname(at + \$1 + 1), \" \", usymname(at + \$2), \" \", usymname(at + \$3)) }" $places 2> err
done > out
printf '%s\n' 'sizeless sizeless hidden shown' 'sizeless sizeless sizeless->shown shown' | diff - out
verdict "names: a symbol without a size"

# A process lives until its last thread ends, also when its first one has: /proc knows its files by another thread then.
cat > orphan.c <<'END'
#include <pthread.h>
#include <time.h>
#include <unistd.h>
volatile int calls;
__attribute__((noinline)) void work(void) { for (int i = 0; i < 100000; i++) calls++; }
static void *lives(void *unused)
{
	while (!access("orphan.lives", F_OK) && clock() < 10 * CLOCKS_PER_SEC)
		work();
	return unused;
}
int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, lives, NULL);
	pthread_exit(NULL);
}
END
${CC:-cc} -O1 -pthread -o orphan orphan.c || exit 2
: > orphan.lives
./orphan & orphan=$!
until grep -q '^State:.Z' /proc/$orphan/status; do kill -0 $orphan || break; done
for point in "process($orphan)" "process(\"$work/orphan\")" process; do
	"$top/lapwing" --runtime=user -x $orphan -e "probe $point.function(\"work\") {
		println(execname(), \" \", usymname(uaddr()), \" \", pid() == target()) exit()
	}" 2> err || cat err
done | sort | uniq -c > out
"$top/lapwing" record -q -p $orphan -o capture 2> err & recording=$!
until "$top/lapwing" report -b function,image --csv capture 2> /dev/null | grep -q ",work,.*/orphan"; do kill -0 $recording || break; done
rm orphan.lives
wait $recording
"$top/lapwing" report -b function,image --csv capture > images 2>> err
[ "$(cat out)" = '      3 orphan work 1' ] && grep -q ",work,.*/orphan" images
verdict "names: a process whose first thread has ended"

# A table of made code that is replaced again and again, by one of its size: the last one holds, though its process has ended.
${CC:-cc} -O1 -o tables "$top/testsuite/triggers/tables.c" || exit 2
cat > tables.stp <<END
probe process("$work/tables").function("told") { println(int_arg(2), " ", usymname(pointer_arg(1))) }
probe end { println("pid ", target()) }
END
"$top/lapwing" --runtime=user -c "./tables 60" tables.stp > out 2> err
rm -f "/tmp/perf-$(sed -n 's/^pid //p' out).map"
[ "$(grep -c . out)" -eq 61 ] && grep -qx '59 code_059' out
verdict "names: a table that is replaced 60 times"

# Lines that are none are counted, once a map, by whoever reads it.
${CC:-cc} -O1 -o images "$top/testsuite/triggers/images.c" || exit 2
passed_over='/tmp/perf-[0-9]*\.map: 1 line was skipped: expected .START SIZE NAME. with hexadecimal numbers'
"$top/lapwing" --runtime=user --only-target -c "./images jit0x" -e 'global seen
	probe timer.profile.freq.hz(250) { if (user_mode()) seen[usymname(uaddr())]++ }
	probe end { foreach (name in seen- limit 1) println(name) }' > out 2> err
grep -qx 'made code' out && [ "$(grep -c "^WARNING: $passed_over\$" err)" -eq 1 ]
verdict "names: bad lines of a map are counted"
"$top/lapwing" record -o capture ./images jit0x > out 2> err
[ "$(grep -c "^lapwing record: $passed_over\$" err)" -eq 1 ]
verdict "names: bad lines of a map are counted in a recording"

exit $failed
