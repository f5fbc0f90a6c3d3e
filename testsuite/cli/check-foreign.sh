#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-foreign.sh - programs of this machine that are asked for in a guest of another architecture.
. "$(dirname "$0")/../common.sh"
. testsuite/cli/says
lw=./lapwing
hello='probe begin { println("hello"); exit() }'
says foreign-program 1 "build it for that machine" $lw --target=vm:6.1-arm64 -c /bin/true -e "$hello"
mkdir "$work/a dir" && cp /bin/true "$work/a dir/it's"
says foreign-quoted 1 "a dir/it's is not a program" $lw --target=vm:6.1-arm64 -c "\"$work/a dir/it's\" x" -e "$hello"
[ $failed -eq 0 ]
