# parser: see HACKING.md
# SPDX-License-Identifier: GPL-2.0-or-later
