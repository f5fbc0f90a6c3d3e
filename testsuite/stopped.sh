#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# stopped.sh - runs a command under lapwing-run, which is stopped meanwhile: its rings are not read.
# Usage: stopped.sh COMMAND ARG...     as the program that lapwing-run starts, or one that this starts
run=$PPID
until [ "$(cat "/proc/$run/comm")" = lapwing-run ]; do
	run=$(sed 's/.*) . \([0-9]*\) .*/\1/' "/proc/$run/stat")
done
kill -STOP "$run"
"$@"
kill -CONT "$run"
