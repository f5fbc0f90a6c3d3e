#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-guest.sh - the commands of doc/tutorial.md that are run in a guest print what it shows.
exec "$(dirname "$0")/check.sh" guest
