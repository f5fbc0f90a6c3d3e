#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# base.sh - a fresh Debian as a tarball, from the archive of this machine's apt, with its settings;
# the packages that are installed into it are kept beside it. It is made anew after a week. Prints
# the folder of both, in the cache. As root.
set -eu -o pipefail
folder=${LAPWING_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/lapwing}/packages
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
mkdir -p "$folder/archives/partial"
exec 9> "$folder/lock" && flock 9
if [ -z "$(find "$folder/base.tar" -mtime -7 2> /dev/null)" ]; then
	{ apt-config dump Acquire; echo 'APT::Keep-Downloaded-Packages "true";'; } > "$folder/apt.conf"
	# shellcheck disable=SC2016 # apt's own substitution
	apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
		grep -E " $codename(-updates|-security)? " > "$folder/sources"
	mmdebstrap --quiet --variant=minbase --aptopt="$folder/apt.conf" "$codename" "$folder/base.part.tar" "$folder/sources" >&2
	mv "$folder/base.part.tar" "$folder/base.tar"
	find "$folder/archives" -name '*.deb' -ctime +30 -delete
fi
echo "$folder"
