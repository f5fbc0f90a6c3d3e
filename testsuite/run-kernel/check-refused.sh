#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-refused.sh - kernels that take no module of ours: each refusal names its reason and a way on, and nothing stays loaded.
# Results: PASS|FAIL refused/NAME on stdout and in $LAPWING_TEST_RESULTS. Usage: check-refused.sh [NAME]...
set -u
. "$(dirname "$0")/../common.sh"
hello='probe begin { println("hello"); exit() }'

only=" $* "

# refused NAME TEXT KERNEL-COMMAND-LINE
refused() {
	local began=$SECONDS
	[ "$only" = '  ' ] || [[ $only == *" $1 "* ]] || return
	runtime/vm/lapwing-vm run --timeout 600 --append "$3" --file "$PWD/lapwing-run-static:/bin/lapwing-run" \
		--file "$work/hello.ko:/tmp/hello.ko" 6.1 -- \
		sh -c 'lapwing-run /tmp/hello.ko; echo "status $?"; grep hello /proc/modules; ls /dev | grep hello' \
		> "$work/out" 2> "$work/err" < /dev/null
	if grep -qF "$2" "$work/err" && [ "$(cat "$work/out")" = "status 1" ]; then
		result=PASS
	else
		result=FAIL failed=1
		cat "$work/out" "$work/err"
	fi
	echo "$result refused/$1" | tee -a "${LAPWING_TEST_RESULTS:-/dev/null}"
	echo "refused/$1 $((SECONDS - began))" >> "${LAPWING_TEST_SECONDS:-/dev/null}"
}

(cd "$work" && "$OLDPWD/lapwing" -p4 -r "$("$OLDPWD/runtime/vm/lapwing-vm" path 6.1 release)" -m hello -e "$hello" > /dev/null) || exit 1
refused signature "signed modules only" "module.sig_enforce=1"
refused lockdown "lockdown forbids" "lsm=lockdown lockdown=integrity"
exit $failed
