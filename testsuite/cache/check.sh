#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - the cache of built modules: entries are reused only if they are complete and belong to
# this user.
. "$(dirname "$0")/../common.sh"
export LAPWING_CACHE="$work/cache" TMPDIR="$work/tmp"
mkdir "$TMPDIR"
modules=$LAPWING_CACHE/modules
script='global n probe begin { n = 41; exit() } probe end { println(n + 1) }'
build() { ./lapwing --runtime=user -v "$@" -p4 -e "$script" 2> "$work/err"; }
cached() { grep -q 'using cached' "$work/err"; }
whole() { [ "$(sha256sum < "$1" | cut -c1-64)" = "$(basename "$1" .so)" ]; }
owner() { stat -c '%u %a' "$1"; }

# rebuilt WHY: after $first was modified, it is not used; its replacement is complete and runs.
rebuilt() {
	again=$(build) || fail "$1: does not build: $(cat "$work/err")"
	! cached || fail "$1: still used"
	whole "$again" || fail "$1: the rebuilt module is not complete"
	[ "$(owner "$again")" = "$(id -u) 600" ] || fail "$1: owner and mode are $(owner "$again")"
	[ "$(./lapwing --runtime=user -e "$script")" = 42 ] || fail "$1: it does not run"
}

first=$(build) || fail "does not build: $(cat "$work/err")"
! cached || fail "an empty cache has an entry"
whole "$first" || fail "$first is not named after its content"
[ "$(owner "$LAPWING_CACHE")" = "$(id -u) 700" ] ||
	fail "the cache is open: $(owner "$LAPWING_CACHE")"
second=$(build) && cached || fail "the second run does not use the first one's module"
[ "$first" = "$second" ] || fail "$first, then $second"
link=$(find "$modules" -type l) && [ "$(echo "$link" | wc -l)" = 1 ] ||
	fail "one script makes these links: $link"

truncate -s 100 "$first";				rebuilt "truncated"
printf X | dd of="$first" bs=1 seek=5000 conv=notrunc status=none; rebuilt "one byte changed"
chmod 622 "$first";					rebuilt "other users own it or can write it"
cp "$first" "$work/evil.so"; ln -sfn "$work/evil.so" "$link"; rebuilt "a link to another folder"
ln -sfn gone.so "$link";				rebuilt "a dangling link"
if [ "$(id -u)" = 0 ]; then
	chown 12345 "$first";				rebuilt "another owner"
fi

# A cache that others can write is not used; the script runs without one.
chmod 777 "$LAPWING_CACHE"
[ "$(./lapwing --runtime=user -e "$script" 2> "$work/err")" = 42 ] ||
	fail "an open cache stops the run: $(cat "$work/err")"
chmod 700 "$LAPWING_CACHE"

# Options.
build --poison-cache > /dev/null; ! cached || fail "--poison-cache uses the cache"
build > /dev/null; cached || fail "--poison-cache keeps nothing"
find "$modules" | sort > "$work/before"
out=$(./lapwing --disable-cache --runtime=user -e "$script" 2> "$work/err"); status=$?
[ "$status $out" = "0 42" ] || fail "--disable-cache: status $status, '$out' $(cat "$work/err")"
find "$modules" | sort | cmp -s - "$work/before" || fail "--disable-cache changes the cache"
[ -z "$(ls -A "$TMPDIR")" ] || fail "left behind: $(ls -A "$TMPDIR")"
(cd "$work" && "$OLDPWD/lapwing" --disable-cache --runtime=user -p4 -m kept \
	-e "$script" > /dev/null 2>&1 && [ -s kept.so ]) ||
	fail "-m with --disable-cache leaves no module"
[ -z "$(ls -A "$TMPDIR")" ] || fail "-m leaves behind: $(ls -A "$TMPDIR")"

# Eight concurrent runs all get complete modules.
./lapwing --clean-cache 2> "$work/err" || fail "--clean-cache: $(cat "$work/err")"
[ -z "$(find "$modules" -type f -size +0 -o -type l)" ] ||
	fail "--clean-cache leaves $(find "$modules" -type f -size +0 -o -type l)"
for i in 1 2 3 4 5 6 7 8; do
	{ ./lapwing --runtime=user -p4 -e "$script" > "$work/path.$i" 2> "$work/err.$i" ||
		echo "$i" > "$work/bad"; } &
done
wait
[ ! -e "$work/bad" ] || fail "concurrent run: $(cat "$work"/err.*)"
for i in 1 2 3 4 5 6 7 8; do
	whole "$(cat "$work/path.$i")" || fail "concurrent run $i got an incomplete module"
done

# Fake kernel headers, whose build writes BUILD and $(LLVM) as the module's content. Another build
# of the same release in the same place counts as another kernel.
kernel=9.9.0-1-cloud-amd64
headers=$LAPWING_CACHE/vm/kernels/$kernel/tree/usr/src/linux-headers-$kernel
# put_headers BUILD WHEN: makes the headers, with that modification time
put_headers() {
	mkdir -p "$headers/include/generated" || exit 1
	{
		printf 'modules:\n\techo %s $(LLVM) > ' "$1"
		echo '"$(M)/$$(sed -n "s/NAME := //p" "$(M)/Makefile").ko"'
	} > "$headers/Makefile"
	: > "$headers/Module.symvers"
	echo "#define UTS_VERSION \"#$1\"" > "$headers/include/generated/compile.h"
	find "$headers" -type f -exec touch -d "$2" {} +
}
module() {
	built=$(./lapwing -v --runtime=kernel -a x86_64 -r $kernel -p4 -e "$script" \
		2> "$work/err") && cat "$built"
}
put_headers 1 2020-01-01
[ "$(module)" = 1 ] || fail "no module is built with the fake headers: $(cat "$work/err")"
[ "$(module)" = 1 ] && cached || fail "the module is not reused: $(cat "$work/err")"
put_headers 2 2020-01-02
[ "$(module)" = 2 ] || fail "other headers of the same release use the earlier module"
[ "$(module)" = 2 ] && cached || fail "the module of the other headers is not reused"
put_headers 1 2020-01-01
[ "$(module)" = 1 ] && cached || fail "the first headers are back, but their module is not used"

# Modules for a kernel built by clang are built with clang, of the same version if installed; if
# there is no clang, a message says what to install.
printf 'CONFIG_CC_IS_CLANG=y\nCONFIG_CLANG_VERSION=990107\n' > "$headers/.config"
mkdir "$work/bin"
for tool in sh make sed rm cat; do ln -s "$(command -v $tool)" "$work/bin/"; done
[ -z "$(PATH=$work/bin; module)" ] && grep \
	-q 'no clang-99: kernel 9.9.0-1.* apt-get install clang-99 lld-99' "$work/err" ||
	fail "without clang: $(cat "$work/err")"
printf '#!/bin/sh\n' > "$work/bin/clang"
chmod +x "$work/bin/clang"
ln -s clang "$work/bin/ld.lld"
[ "$(PATH=$work/bin; module)" = '1 1' ] || fail "with clang of any version: $(cat "$work/err")"
ln -s clang "$work/bin/clang-99"; ln -s clang "$work/bin/ld.lld-99"
touch "$headers/.config"	# so that the cached module is not used
[ "$(PATH=$work/bin; module)" = '1 -99' ] || fail "with the kernel's clang: $(cat "$work/err")"

mv "$headers" "$headers.gone"
[ -z "$(module)" ] && ! cached || fail "a module was built without headers"

# When the cache is too large, the least recently used entries are removed and new ones are kept.
truncate -s 400M "$modules/old.so"; touch -d 2001-01-01 "$modules/old.so"
truncate -s 100M "$modules/newer.so"; touch -d 2002-01-01 "$modules/newer.so"
script="$script probe end(1) {}"
first=$(build)
[ ! -e "$modules/old.so" ] || fail "the cache grows without bound"
[ -e "$modules/newer.so" ] && [ -e "$first" ] || fail "cleaning removes too much"
[ $failed -eq 0 ]
