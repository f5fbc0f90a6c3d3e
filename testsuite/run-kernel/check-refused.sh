#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-refused.sh - hardened kernels: what works there does, each refusal names its reason, and nothing stays loaded. Three scripts are run
# in each: a function of the kernel by a module, samples and a tracepoint in the user runtime; with the C library of this machine.
# Results: PASS|FAIL refused/NAME on stdout and in $LAPWING_TEST_RESULTS. Usage: check-refused.sh [NAME]...
set -u
. "$(dirname "$0")/../common.sh"
top=$PWD vm=runtime/vm/lapwing-vm only=" $* "
release=$("$vm" path 6.1 release) && arch=$("$vm" path 6.1 arch) || exit 1

mkdir "$work/t"
# script NAME RUNTIME TEXT
script() {
	(cd "$work/t" && "$top/lapwing" "--runtime=$2" -p4 -r "$release" -a "$arch" -m "$1" \
		-e "global n $3 { n++ } probe end { println(n > 0) }" > /dev/null)
}
script calls kernel 'probe kernel.function("vfs_read")' && script samples user 'probe timer.profile' &&
	script events user 'probe kernel.trace("sched:sched_switch")' || exit 1

# A line for each: its name, exit status, output, and the first error or the verdict; then which of our modules are there.
cat > "$work/t/run" <<'END'
#!/bin/sh
as=$1
busy='sh -c "sleep 0.1; n=0; while [ \$n -lt 20000 ]; do n=\$((n + 1)); done; cat /proc/version > /dev/null"'
one() {
	name=$1 script=$2
	shift 2
	"$@" -v -o out -c "$busy" "./$script" > said 2> err
	echo "$name $? $(cat out 2> /dev/null) $(grep -m 1 ERROR err || tail -n 1 err)"
	rm -f out
}
cd "$(dirname "$0")" || exit 2
[ "$as" ] || one calls calls.ko ./static
one samples samples.so $as ./ld.so --library-path . ./lapwing-run $([ -z "$as" ] || echo --only-target)
one events events.so $as ./ld.so --library-path . ./lapwing-run
grep -E '^(calls|samples|events) ' /proc/modules
exit 0
END
chmod 755 "$work/t/run"
cp lapwing-run-static "$work/t/static" && cp lapwing-run $(ldd lapwing-run | grep -o '/[^ ]*') "$work/t/" &&
	mv "$work"/t/ld-linux* "$work/t/ld.so" && chmod -R a+r "$work/t" || exit 1

# hardened NAME BOOT SETUP MODULE SAMPLES EVENTS: a row of the table
hardened() {
	local began=$SECONDS name what status out said text as=
	[ "$only" = '  ' ] || [[ $only == *" $1 "* ]] || return
	[[ $1 != users* ]] || as='setpriv --reuid 65534 --regid 65534 --clear-groups'
	"$vm" run --timeout 600 --append "$2" --file "$work/t:/t" --elf /usr/bin/setpriv 6.1 -- \
		sh -c "${3:-:}; chmod 777 /t; exec /t/run '${as:+/usr/bin/$as}'" > "$work/out" 2> "$work/err" < /dev/null
	name=$1 status=0
	shift 3
	for what in calls samples events; do
		text=$1
		shift
		if [ -z "$text" ]; then
			! grep -q "^$what " "$work/out"
		elif [ "$text" = - ]; then
			grep -qE "^$what 0 1 (COMPLETE|PARTIAL|UNKNOWN)" "$work/out"
		else
			grep -q "^$what 1 .*ERROR.*$text" "$work/out"
		fi || { echo "refused/$name: $what: not '$text'"; status=1; }
	done
	[ "$(wc -l < "$work/out")" -le 3 ] || status=1
	[ $status -eq 0 ] || { failed=1; cat "$work/out" "$work/err"; }
	echo "$([ $status -eq 0 ] && echo PASS || echo FAIL) refused/$name" | tee -a "${LAPWING_TEST_RESULTS:-/dev/null}"
	echo "refused/$name $((SECONDS - began))" >> "${LAPWING_TEST_SECONDS:-/dev/null}"
}

while IFS='|' read -r -a row <&3; do
	hardened "${row[@]}"
done 3< <(grep -v '^#' testsuite/run-kernel/hardened)
exit $failed
