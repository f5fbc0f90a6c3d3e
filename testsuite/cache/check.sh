#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - the cache of built modules: what is kept is used again, and only when it is whole and ours.
. "$(dirname "$0")/../common.sh"
export LAPWING_CACHE="$work/cache" TMPDIR="$work/tmp"
mkdir "$TMPDIR"
modules=$LAPWING_CACHE/modules
script='global n probe begin { n = 41; exit() } probe end { println(n + 1) }'
build() { ./lapwing --runtime=user -v "$@" -p4 -e "$script" 2> "$work/err"; }
cached() { grep -q 'using cached' "$work/err"; }
whole() { [ "$(sha256sum < "$1" | cut -c1-64)" = "$(basename "$1" .so)" ]; }
owner() { stat -c '%u %a' "$1"; }

# rebuilt WHY: after something was done to $first, it is not used; what comes instead is whole and runs.
rebuilt() {
	again=$(build) || fail "$1: does not build: $(cat "$work/err")"
	! cached || fail "$1: used all the same"
	whole "$again" || fail "$1: what was built anew is not whole"
	[ "$(owner "$again")" = "$(id -u) 600" ] || fail "$1: owner and mode are $(owner "$again")"
	[ "$(./lapwing --runtime=user -e "$script")" = 42 ] || fail "$1: it does not run"
}

first=$(build) || fail "does not build: $(cat "$work/err")"
! cached || fail "an empty cache has an entry"
whole "$first" || fail "$first is not named after its content"
[ "$(owner "$LAPWING_CACHE")" = "$(id -u) 700" ] || fail "the cache is open: $(owner "$LAPWING_CACHE")"
second=$(build) && cached || fail "the second run does not use the first one's module"
[ "$first" = "$second" ] || fail "$first, then $second"
link=$(find "$modules" -type l) && [ "$(echo "$link" | wc -l)" = 1 ] || fail "one script makes these links: $link"

truncate -s 100 "$first";				rebuilt "cut off"
printf X | dd of="$first" bs=1 seek=5000 conv=notrunc status=none; rebuilt "one byte changed"
chmod 622 "$first";					rebuilt "others can write it"
cp "$first" "$work/evil.so"; ln -sfn "$work/evil.so" "$link"; rebuilt "a link out of the folder"
ln -sfn gone.so "$link";				rebuilt "a dangling link"
if [ "$(id -u)" = 0 ]; then
	chown 12345 "$first";				rebuilt "foreign owner"
fi

# A cache that others can write is not touched; the script runs without one.
chmod 777 "$LAPWING_CACHE"
[ "$(./lapwing --runtime=user -e "$script" 2> "$work/err")" = 42 ] || fail "an open cache stops the run: $(cat "$work/err")"
chmod 700 "$LAPWING_CACHE"

# Options.
build --poison-cache > /dev/null; ! cached || fail "--poison-cache uses the cache"
build > /dev/null; cached || fail "--poison-cache keeps nothing"
find "$modules" | sort > "$work/before"
out=$(./lapwing --disable-cache --runtime=user -e "$script" 2> "$work/err"); status=$?
[ "$status $out" = "0 42" ] || fail "--disable-cache: status $status, '$out' $(cat "$work/err")"
find "$modules" | sort | cmp -s - "$work/before" || fail "--disable-cache changes the cache"
[ -z "$(ls -A "$TMPDIR")" ] || fail "left behind: $(ls -A "$TMPDIR")"
(cd "$work" && "$OLDPWD/lapwing" --disable-cache --runtime=user -p4 -m kept -e "$script" > /dev/null 2>&1 && [ -s kept.so ]) ||
	fail "-m with --disable-cache leaves no module"
[ -z "$(ls -A "$TMPDIR")" ] || fail "-m leaves behind: $(ls -A "$TMPDIR")"

# Eight at once: all get whole modules.
./lapwing --clean-cache 2> "$work/err" || fail "--clean-cache: $(cat "$work/err")"
[ -z "$(find "$modules" -type f -size +0 -o -type l)" ] || fail "--clean-cache leaves $(find "$modules" -type f -size +0 -o -type l)"
for i in 1 2 3 4 5 6 7 8; do
	{ ./lapwing --runtime=user -p4 -e "$script" > "$work/path.$i" 2> "$work/err.$i" || echo "$i" > "$work/bad"; } &
done
wait
[ ! -e "$work/bad" ] || fail "concurrent run: $(cat "$work"/err.*)"
for i in 1 2 3 4 5 6 7 8; do
	whole "$(cat "$work/path.$i")" || fail "concurrent run $i got no whole module"
done

# Too much in it: what was not used for longest goes, what is new stays.
truncate -s 400M "$modules/old.so"; touch -d 2001-01-01 "$modules/old.so"
truncate -s 100M "$modules/newer.so"; touch -d 2002-01-01 "$modules/newer.so"
script="$script probe end(1) {}"
first=$(build)
[ ! -e "$modules/old.so" ] || fail "the cache grows without bound"
[ -e "$modules/newer.so" ] && [ -e "$first" ] || fail "cleaning takes too much"
[ $failed -eq 0 ]
