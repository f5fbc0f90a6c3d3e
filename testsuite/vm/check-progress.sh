#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-progress.sh - fetching a kernel shows how far it is, on a terminal only, and leaves neither the line nor files behind when it fails
# or is interrupted. apt-get is one of ours, which has an archive of one kernel and downloads until the test has seen enough, or,
# where ENDLESS is set, until it is interrupted.
. "$(dirname "$0")/../common.sh"
mkdir "$work/bin"
cat > "$work/bin/apt-get" << 'END'
#!/bin/bash
# The last word that is no option of -o is what apt-get is to do; APT::Status-Fd is where it says how far it is.
fd=$(printf '%s\n' "$@" | sed -n 's/^APT::Status-Fd=//p')
case " $* " in
*' update '*) echo 'Hit:1 http://archive bookworm InRelease' ;;
*' indextargets '*) echo "$FAKE/Packages bookworm" ;;
*' download '*)
	: > linux-image.deb
	printf 'dlstatus:%s\n' '1:0:Retrieving file 1 of 4' '1:5.5:' '3:42.6:Retrieving file 3 of 4 (8s remaining)' >&"$fd"
	[ ! -p "$FAKE/pipe" ] || read -r < "$FAKE/pipe"
	[ -z "$ENDLESS" ] || exec sleep 1000
	exit 100 ;;
esac
END
chmod +x "$work/bin/apt-get"
release=6.1.0-9-cloud-amd64
printf 'Package: %s\nArchitecture: amd64\nVersion: 1\nDepends: \n\n' linux-image-$release > "$work/Packages"
export FAKE=$work LAPWING_CACHE=$work/cache LAPWING_VM_OFFLINE= PATH=$work/bin:$PATH
fetch="runtime/vm/lapwing-vm fetch $release"
text="lapwing-vm: downloading Linux $release: 43%, [0-9]* s left"
cleared='\\r\\x1b\[K'
nothing_left() { [ -z "$(find "$work/cache" -name 'tmp.*' -o -name '*.deb')" ] || fail "$1: left $(find "$work/cache" -name 'tmp.*')"; }

mkfifo "$work/pipe"
python3 testsuite/progress.py ': 43%' "$work/pipe" $fetch > "$work/out"
[ $? = 125 ] && grep -q "$cleared$text$cleared"'lapwing-vm: cannot download the packages' "$work/out" ||
	fail "a terminal: $(cat "$work/out")"
nothing_left 'a failed download'

mkfifo "$work/pipe"
ENDLESS=1 python3 testsuite/progress.py --interrupt ': 43%' "$work/pipe" $fetch > "$work/out"
[ $? = 130 ] && grep -qE "$cleared$text(\^C)?$cleared'\$" "$work/out" || fail "^C: $(cat "$work/out")"
nothing_left '^C'

rm -f "$work/pipe"
$fetch > "$work/out" 2>&1
[ $? = 125 ] && ! grep -qE 'downloading|lists|[%]' "$work/out" && grep -q 'cannot download' "$work/out" || fail "a pipe: $(cat "$work/out")"
[ $failed -eq 0 ] && echo "progress of fetching: passed"
exit $((failed > 0))
