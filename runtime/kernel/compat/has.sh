# SPDX-License-Identifier: GPL-2.0-or-later
# has.sh - prints -DHAS_NAME for each has_name.c of this folder that compiles, which tells compat.h what the kernel has.
# Usage: sh has.sh COMPILER FLAG...     as kbuild calls it for that kernel
#
# All of them are one unit, as most of the time goes to the kernel's headers. A file with an error is left out, as is one that uses a macro
# with an error. At a header that is not there the compiler stops: the others are tried again.
cd "$(dirname "$0")" || exit 1
here=$PWD has=$(ls has_*.c)
cd "$OLDPWD" || exit 1
while :; do
	said=$(for file in $has; do echo "#include \"$here/$file\""; done | LC_ALL=C "$@" -fsyntax-only -x c - 2>&1)
	named=$(printf '%s\n' "$said" | sed -nE 's,^.*/(has_[a-z_]*\.c):[0-9:]* (fatal error|error|note: in expansion).*,\1,p' | sort -u)
	has=$(printf '%s\n' "$has" | grep -vxF "${named:-none}")
	case $said in *'fatal error'*) [ -n "$named" ] || exit 1;; *) break;; esac
done
printf '%s\n' "$has" | sed 's/\.c$//; s/^/-D/' | tr a-z A-Z
