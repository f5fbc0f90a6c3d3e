#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - README.md, doc/tutorial.md and doc/trust.md show what their commands print, and the
# commands of doc/coming-from.md are taken.
# Usage: check.sh [guest|man]   instead: commands of the tutorial that are run in a guest, or the
#                               examples of the manual pages
. "$(dirname "$0")/../common.sh"
top=$PWD
mkdir "$work/bin" && cp examples/*.stp examples/service.c "$work" || exit 2
# The pages show the user runtime, also where modules can be loaded; the line that says which
# runtime was picked is not in them.
cat > "$work/bin/lapwing" << END
#!/bin/sh
case " \$*" in
*' --target=vm'* | *' -p3 '*) exec "$top/lapwing" "\$@" ;;
' stopwatch '* | ' profile '*)
	command=\$1
	shift
	exec "$top/lapwing" "\$command" --runtime=user "\$@" ;;
' record '*) exec "$top/lapwing" "\$@" ;;
' -'* | *.stp*) exec "$top/lapwing" --runtime=user "\$@" ;;
*) exec "$top/lapwing" "\$@" ;;
esac
END
chmod +x "$work/bin/lapwing"
cd "$work" || exit 2
PATH=$work/bin:$PATH
if [ "${1:-}" = guest ]; then
	"$top/testsuite/tutorial/page.py" output guest "$top/doc/tutorial.md"
	exit
fi
sleep 1000 &
target=$!
# kernel_kit: the program lapwing-kernel-kit(8), which gets the headers of a kernel of lapwing-vm's cache for those of the one that runs.
kernel_kit() {
	mkdir -p etc/lapwing usr/libexec/lapwing var/cache/lapwing kit
	sed "s|@kernelsdir@|$work/var/cache/lapwing/kernels|; s|@bindir@|$work/kit|" "$top/packaging/kernel/kernel-kit.in" \
		> usr/libexec/lapwing/kernel-kit || exit 2
	cat > kit/lapwing <<- END
		#!/bin/sh
		ln -s "${LAPWING_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/lapwing}/vm" "\$LAPWING_CACHE" && exec "$top/lapwing" "\$@"
	END
	printf '#!/bin/sh\necho %s\n' "$(awk '$1 == "6.1" { print $2 }' "$top/testsuite/kernels")" > bin/uname
	chmod +x usr/libexec/lapwing/kernel-kit kit/lapwing bin/uname
}
if [ "${1:-}" = man ]; then
	ln -s "$top/lapwing-run" bin/lapwing-run
	cc -O2 -g -o service service.c || exit 2
	for capture in before service; do
		lapwing record -q -g --off-cpu -o $capture.capture -- ./service > made || exit 2
	done
	cc -O1 -g -o queue "$top/examples/queue.c" || exit 2
	lapwing -o queue.cap -c './queue 20 2' "$top/examples/model-11.stp" > made 2>&1 || fail "queue.cap: $(cat made)"
	lapwing -o samples.cap -c './service 200' -e 'probe timer.profile { stp(name: execname(), ip: uaddr()) }' > made 2>&1 ||
		fail "samples.cap: $(cat made)"
	kernel_kit
	lapwing record -q -a -o run.capture &
	recorder=$!
	await 'lapwing ctl status run.capture > status 2>&1'
	"$top/testsuite/tutorial/page.py" examples $target "$top"/doc/man/*.[18] || fail man
	kill $target
	kill -INT $recorder
	wait $recorder || fail "the recording ends with status $?"
	[ $failed -eq 0 ]
	exit
fi
# Both kinds at the same time, each in a folder of its own.
mkdir from && cp ./*.stp from && cc -O2 -g -o from/service service.c || exit 2
(cd from && exec "$top/testsuite/tutorial/page.py" commands "$top/doc/coming-from.md" $target) &
"$top/testsuite/tutorial/page.py" output here "$top/doc/tutorial.md" || fail tutorial
"$top/testsuite/tutorial/page.py" output here "$top/README.md" || fail README	# the service is the tutorial's
(cd "$top" && testsuite/tutorial/page.py tries README.md) || fail 'more of README'
"$top/testsuite/tutorial/page.py" output here "$top/doc/trust.md" || fail trust
wait $! || fail coming-from
kill $target
[ $failed -eq 0 ]
