# SPDX-License-Identifier: GPL-2.0-or-later
# stages.sh - runs a Containerfile without an engine: each FROM is a fresh Debian (base.sh), each RUN
# a command in it. Sourced in a mount namespace of its own, which has the stages' /proc, /sys and
# packages until it ends. It knows FROM, COPY of one path, RUN, WORKDIR and ENTRYPOINT.

# enter DIR COMMAND...: in a Debian there
enter() {
	chroot "$1" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive "${@:2}" < /dev/null
}

# fresh DIR BASE: a fresh Debian
fresh() {
	mkdir -p "$1" && tar -C "$1" -xpf "$2/base.tar" && mount -t proc proc "$1/proc" && mount --rbind /sys "$1/sys" &&
		mount --bind "$2/archives" "$1/var/cache/apt/archives"
}

# copy FROM SOURCE TO: a path, which may be a pattern, from one folder into another
copy() {
	# shellcheck disable=SC2086 # pattern
	mkdir -p "$3" && (cd "$1" && cp -a -t "$3" ${2#/})
}

# stages FILE CONTEXT BASE DIR: in DIR/NAME those that have names, in DIR/last the last one
stages() {
	local verb first rest stage folder
	while read -r verb first rest; do
		case $verb in
		FROM)
			rest=${rest#AS } stage=$4/${rest:-last} folder=/
			[[ $first == debian:* ]] && fresh "$stage" "$3";;
		COPY)
			case $first in
			--from=*) copy "$4/${first#--from=}" "${rest% *}" "$stage${rest##* }";;
			*) copy "$2" "$first" "$stage$rest";;
			esac;;
		RUN) enter "$stage" sh -c "cd $folder && $first $rest";;
		WORKDIR) folder=$first;;
		ENTRYPOINT) ;;
		*) echo "$1: $verb?" >&2; false;;
		esac || { echo "$1: $verb $first $rest: failed"; return 1; }
	done < <(sed -E '/^ *(#|$)/d' "$1" | sed -E ':a; /\\$/ { N; s/ *\\\n */ /; ba }')
}
