#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-man.sh - the examples of the manual pages work.
exec "$(dirname "$0")/check.sh" man
