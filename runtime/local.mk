# The runtime: what generated code stands on, and the program that runs it.
# SPDX-License-Identifier: GPL-2.0-or-later
include runtime/core/local.mk
include runtime/kernel/local.mk
include runtime/user/local.mk
include runtime/run/local.mk
include runtime/vm/local.mk

# For programs that tell of themselves.
include_HEADERS = runtime/lapwing-note.h
