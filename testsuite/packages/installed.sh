# SPDX-License-Identifier: GPL-2.0-or-later
# installed.sh - what the installed packages do, in the Debian $last, until they are purged. Sourced
# by check.sh.

# there COMMAND...: in that Debian; what it says is in $work/out
there() { enter "$last" "$@" > "$work/out" 2>&1; }
# nobody COMMAND...: the same, not as root, with no group but those of $groups
nobody() { there setpriv --reuid nobody --regid nogroup ${groups:---clear-groups} "$@"; }
bad() { fail "$@"; tail -20 "$work/out"; }

# ---- debian/tests ------------------------------------------------------------------

# They ask for a machine of their own, as they probe it; this one is theirs.
there apt-get update -q || bad 'apt-get update'
autopkgtest --no-built-binaries --ignore-restrictions=isolation-machine "$tree/" -- chroot "$last" > "$work/out" 2>&1 &&
	grep -qE '^smoke +PASS$' "$work/out" || bad 'autopkgtest'

# ---- the service -------------------------------------------------------------------

unit=$last/lib/systemd/system/lapwing@.service
of_unit() { sed -n "s/^$1=//p" "$unit"; }
there systemd-analyze verify --man=no lapwing@calls.service && [ ! -s "$work/out" ] || bad 'the unit'
[ "$(stat -c '%a %U %G' "$last/run/lapwing" "$last/var/cache/lapwing/services" | xargs)" = '755 root root 700 root root' ] ||
	fail 'folders of the service'

# As systemd starts it: its folder, environment and capabilities.
gcc -g -O1 -o "$last/srv/works" testsuite/triggers/works.c -pthread
printf '#!/bin/sh\n/srv/works 1 20 1\n' > "$last/srv/calls" && chmod 755 "$last/srv/calls"
echo 'global n probe process("/srv/works").function("work") { n++ } probe end { println(n, " calls") }' \
	> "$last/etc/lapwing/calls.stp"
echo 'OPTIONS=--runtime=user -o calls.txt -c /srv/calls' > "$last/etc/lapwing/calls.conf"
capabilities=$(of_unit CapabilityBoundingSet | xargs -n 1 | sed 's/^CAP_/+/' | tr 'A-Z' 'a-z' | paste -sd,)
options=$(sed -n 's/^OPTIONS=//p' "$last/etc/lapwing/calls.conf")
# shellcheck disable=SC2046 # words
there env -C "$(of_unit WorkingDirectory)" $(of_unit Environment) setpriv --bounding-set="-all,$capabilities" --no-new-privs \
	$(of_unit ExecStart | sed "s|%i|calls|; s|[$]OPTIONS|$options|") || bad 'ExecStart'
[ "$(cat "$last/var/lib/lapwing/calls.txt")" = '20 calls' ] || bad 'a service does not count 20 calls'
groups='--groups lapwing' nobody cat /var/lib/lapwing/calls.txt || bad 'a member of the group cannot read what a service wrote'
! nobody cat /var/lib/lapwing/calls.txt || fail 'others can read what a service wrote'

# ---- the runtime for kernels -------------------------------------------------------

# built: for the user nobody, whether by what is kept ready or anew
built() {
	nobody env LAPWING_CACHE="/tmp/$RANDOM" lapwing -v -r "$release" -p4 -e 'probe begin { exit() }' || bad "no module for $release"
}
ready() { built && ! grep -q 'building the runtime' "$work/out"; }
there apt-get install -yq --no-install-recommends linux-headers-cloud-amd64 || bad 'apt-get install'
release=$(ls "$last/lib/modules")
kept=$last/var/cache/lapwing/kernels/$release
[ -d "$kept" ] && ready || bad 'the headers came, but not the runtime for them'
chmod o+w "$kept" && ! ready || fail 'what others can write is used'
there run-parts --arg="$release" /etc/kernel/postrm.d && [ ! -e "$kept" ] || bad 'a kernel went, but not its runtime'
there dpkg-reconfigure lapwing && [ -d "$kept" ] && ready || bad 'the runtime does not come with the package'
there sh -c "echo 'modules: ; false' > /lib/modules/$release/build/Makefile" &&
	there run-parts --arg="$release" /etc/kernel/postinst.d && grep -q "built by the first script" "$work/out" ||
	bad 'a runtime that does not build'

# ---- the static loader -------------------------------------------------------------

# Alone in a folder; and in a guest with a module of here, and no other capabilities than a service's.
mkdir "$work/empty" && cp "$all/usr/libexec/lapwing/lapwing-run-static" "$work/empty"
[[ $(chroot "$work/empty" /lapwing-run-static --version) == *"$version" ]] || fail 'lapwing-run-static needs more than itself'
setpriv=$(command -v setpriv)
release=$(awk '$1 == "6.1" { print $2 }' testsuite/kernels)
(cd "$work" && "$all/usr/bin/lapwing" -r "$release" -p4 -m answer -e 'probe begin { println(6 * 7) exit() }') > "$work/out" 2>&1 ||
	bad 'a module for a target'
"$all/usr/libexec/lapwing/lapwing-vm" run --file "$work/answer.ko:/answer.ko" --file "$work/empty/lapwing-run-static:/lapwing-run" \
	--elf "$setpriv" "$release" -- "$setpriv" --bounding-set="-all,$capabilities" --no-new-privs /lapwing-run /answer.ko \
	> "$work/out" 2> "$work/log" && [ "$(cat "$work/out")" = 42 ] ||
	bad 'lapwing-run-static on a target'

# ---- nothing is left ---------------------------------------------------------------

# But what is not the packages'.
rm "$last"/etc/lapwing/calls.*
there apt-get purge -yq 'lapwing*' || bad 'purge'
[ -z "$(find "$last" -xdev -name '*lapwing*' ! -path "$last/tmp/*" | tee "$work/out")" ] || bad 'purge leaves files'
