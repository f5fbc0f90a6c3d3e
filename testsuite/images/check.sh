#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - names in the user runtime of a stripped shared library: by the exported functions around, and whole from a separate file of
# symbols. The programs have ended when their names are printed.
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
cat > lib.c <<'END'
#include <time.h>
static volatile unsigned long work;
static __attribute__((noinline)) void inner(void) { for (int i = 0; i < 300000; i++) work += (unsigned long)i; }
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
${CC:-cc} -O1 -g -shared -fPIC -Wl,--build-id -o libx.so lib.c && ${CC:-cc} -o program main.c ./libx.so || exit 2
cp libx.so whole.so
objcopy --only-keep-debug libx.so libx.so.debug && objcopy --strip-unneeded libx.so || exit 2
failed=0
expect() {	# expect WHAT PATTERN
	"$top/lapwing" --runtime=user --only-target -c ./program names.stp > out 2> err || { cat err; failed=1; }
	grep -qxE "$2" out && echo "PASS $1" || { echo "FAIL $1: $(cat out)"; failed=1; }
}
expect "a stripped library" '.*->.*'
objcopy --add-gnu-debuglink=libx.so.debug libx.so && expect "its symbols by debuglink" inner
cp whole.so libx.so && expect "a library with symbols" inner
exit $failed
