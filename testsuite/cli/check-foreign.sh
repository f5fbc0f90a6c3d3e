#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-foreign.sh - guests and modules of another architecture: programs of this machine that are asked for there, no cross compiler.
. "$(dirname "$0")/../common.sh"
. testsuite/cli/says
lw=./lapwing
hello='probe begin { println("hello"); exit() }'
says foreign-program 1 "build it for that machine" $lw --target=vm:6.1-arm64 -c /bin/true -e "$hello"
mkdir "$work/a dir" && cp /bin/true "$work/a dir/it's"
says foreign-quoted 1 "a dir/it's is not a program" $lw --target=vm:6.1-arm64 -c "\"$work/a dir/it's\" x" -e "$hello"
cp -as /usr/bin "$work/no-cross" && rm -f "$work/no-cross/aarch64-linux-gnu-gcc"
mend='apt-get install qemu-system-arm gcc-aarch64-linux-gnu libc6-dev-arm64-cross make cpio binutils, then build lapwing again'
says no-cross 1 "needs it: $mend: ./configure && make [lapwing explain E1024]" env PATH="$work/no-cross" $lw --disable-cache -p4 -a arm64 \
	-r "$(runtime/vm/lapwing-vm path 6.1-arm64 release)" -e "$hello"
[ $failed -eq 0 ]
