# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# image.sh: part of lapwing-vm.  What the guest boots from: kernel image, BTF, base initramfs; and its symbol tables.
#
# Input:  unpacked packages in $work (fetch.sh), files and programs of this machine.
# Output: image, btf, initrd and symbols of a cache entry; a tree packed as an initramfs.
#
# It does not start the guest, except through run.sh to read its symbol tables.

# The channel to the host, in the order of loading; a kernel may have any of them built in
guest_modules="virtio_ring virtio virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci virtio_console"

# unsigned_at FILE OFFSET SIZE: a little-endian number of a binary file
unsigned_at()
{
	od -An -v -j "$2" -N "$3" -t "u$3" --endian=little "$1" | tr -d ' '
}

# piece FILE OFFSET SIZE
piece()
{
	dd if="$1" bs=1M iflag=skip_bytes,count_bytes skip="$2" count="$3" status=none
}

decompress()
{
	local magic

	magic=$(piece "$1" 0 4 | od -An -v -t x1 | tr -d ' ')
	case $magic in
	1f8b*)	gzip -dc "$1" ;;
	fd377a58) need xz xz-utils; xz -dc --single-stream "$1" ;;
	28b52ffd) need zstd zstd; zstd -qdc "$1" ;;
	02214c18) need lz4 lz4; lz4 -qdc "$1" ;;
	*)	fail 125 "the kernel image of $release is packed in a way lapwing-vm does not know (magic $magic)" ;;
	esac
}

# unpack_bzimage BZIMAGE OUT: the ELF kernel inside, which QEMU starts at its PVH entry, a second sooner.
# Offsets are those of the x86 boot protocol; the last 4 bytes of the payload are its unpacked size, not gzip's data.
unpack_bzimage()
{
	local start length

	start=$((($(unsigned_at "$1" 497 1) + 1) * 512 + $(unsigned_at "$1" 584 4)))
	length=$(unsigned_at "$1" 588 4)
	piece "$1" "$start" "$length" >"$1.payload"
	[ "$(unsigned_at "$1.payload" 0 2)" = $((0x8b1f)) ] || truncate -s -4 "$1.payload"
	decompress "$1.payload" >"$2" &&
		[ "$(piece "$2" 1 3)" = ELF ]
}

# extract_btf IMAGE OUT: BTF lies in the image in one piece, found by its header (magic, version 1, no flags, length 24)
extract_btf()
{
	local at end types strings

	while IFS=: read -r at _; do
		types=$(($(unsigned_at "$1" $((at + 8)) 4) + $(unsigned_at "$1" $((at + 12)) 4)))
		strings=$(($(unsigned_at "$1" $((at + 16)) 4) + $(unsigned_at "$1" $((at + 20)) 4)))
		end=$((24 + (types > strings ? types : strings)))
		if [ "$end" -gt 1000000 ] && [ $((at + end)) -le "$(stat -c %s "$1")" ]; then
			piece "$1" "$at" "$end" >"$2"
			return
		fi
	done < <(LC_ALL=C grep -obUaP '\x9f\xeb\x01\x00\x18\x00\x00\x00' "$1")
}

unpack_image()
{
	local boot=$work/boot

	progress_begin "unpacking the image of Linux $release"
	mkdir -p "$boot"
	# tar complains about modules that are built in; what matters is checked below
	unpack "linux-[bim]*" "$boot" --wildcards "*/vmlinuz*" "*/drivers/virtio/virtio*.ko*" \
		"*/drivers/char/virtio_console.ko*" 2>/dev/null
	boot=$(find "$boot" -name "vmlinuz*" -size +0 | head -n 1)
	[ -n "$boot" ] || fail 125 "the packages of Linux $release have no kernel image"
	if [ "$arch" = x86_64 ]; then
		unpack_bzimage "$boot" "$work/entry/image" || fail_write
	elif [ "$(piece "$boot" 0 2)" = MZ ]; then
		mv "$boot" "$work/entry/image" || fail_write
	else
		decompress "$boot" >"$work/entry/image" || fail_write
	fi
	extract_btf "$work/entry/image" "$work/entry/btf" || fail_write
}

# pack_tree DIR: as an initramfs, everything owned by root
pack_tree()
{
	need cpio cpio
	(cd "$1" && find . -mindepth 1 -print0 | LC_ALL=C sort -z | cpio -0 -o -H newc -R 0:0 --quiet)
}

# The part of the initramfs that depends on the kernel alone
make_base_initrd()
{
	local root=$work/root name file number=10

	mkdir -p "$root"/{bin,sbin,usr/bin,usr/sbin,etc,dev,proc,sys,run,root,var/tmp,tmp,batch,lib/lapwing} &&
		chmod 1777 "$root/tmp" "$root/var/tmp" &&
		cp "$cache/busybox/$arch" "$root/bin/busybox" &&
		echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd" &&
		echo 'root:x:0:' >"$root/etc/group" || fail_write
	for name in $guest_modules; do
		file=$(find "$work/boot" -name "$name.ko*" | head -n 1)
		case $file in
		*.ko)	cp "$file" "$root/lib/lapwing/$number-$name.ko" || fail_write ;;
		?*)	decompress "$file" >"$root/lib/lapwing/$number-$name.ko" || fail_write ;;
		esac
		number=$((number + 1))
	done
	pack_tree "$root" >"$work/entry/initrd" || fail_write
}

# dump_symbols: the guest's own tables, which no package holds; nokaslr makes the addresses those of every later boot
dump_symbols()
{
	local dir=$cache/kernels/$release/symbols new

	[ ! -e "$dir/notes" ] || return 0
	new=$(mktemp -d "$cache/kernels/$release/symbols.XXXXXX") || fail_write
	# shellcheck disable=SC2016
	if ! "$0" run --smp 1 --timeout 300 "$release" -- sh -c 'cat /proc/kallsyms
		grep -v __ftrace_invalid_address__ /sys/kernel/tracing/available_filter_functions >&2
		cat /sys/kernel/tracing/available_events >&2
		echo "notes: $(od -An -v -tx1 /sys/kernel/notes | tr -d " \n")" >&2' >"$new/kallsyms" 2>"$new/lists"; then
		tail -n 5 "$new/lists" >&2
		rm -rf "$new"
		fail 125 "cannot read the symbol tables of $release in a guest"
	fi
	# only events have a colon: system:name; behind them stand the notes, which hold the build id
	sed -n 's/^notes: //p' "$new/lists" >"$new/notes"
	sed -i '/^notes: /d' "$new/lists"
	grep -v : "$new/lists" >"$new/available_filter_functions"
	grep : "$new/lists" >"$new/available_events"
	rm "$new/lists"
	chmod 755 "$new"
	rm -rf "$dir"
	mv -T "$new" "$dir" 2>/dev/null || rm -rf "$new"
	[ -d "$dir" ] || fail_write
}

# dump_events: what tracefs says of the guest's events, as files where tracefs has them. One process reads all: each is slow in a guest.
dump_events()
{
	local dir=$cache/kernels/$release/events new

	[ ! -d "$dir" ] || return 0
	new=$(mktemp -d "$cache/kernels/$release/events.XXXXXX") || fail_write
	if ! "$0" run --smp 1 --timeout 300 "$release" -- sh -c 'cd /sys/kernel/tracing &&
		grep "" events/*/*/format events/*/*/id && { ls kprobe_events >&2 || :; }' >"$new/lines" 2>"$new/kprobes"; then
		tail -n 5 "$new/kprobes" >&2
		rm -rf "$new"
		fail 125 "cannot read the trace events of $release in a guest"
	fi
	cut -d: -f1 "$new/lines" | sort -u | sed "s|^|$new/|; s|/[^/]*$||" | sort -u | xargs mkdir -p &&
		awk -v top="$new/" '{ at = index($0, ":"); file = top substr($0, 1, at - 1)
			if (file != last) { if (last != "") close(last); last = file }
			print substr($0, at + 1) > file }' "$new/lines" || fail_write
	grep -qx kprobe_events "$new/kprobes" && : >"$new/kprobe_events"
	rm "$new/lines" "$new/kprobes"
	chmod 755 "$new"
	mv -T "$new" "$dir" 2>/dev/null || rm -rf "$new"
	[ -d "$dir" ] || fail_write
}
