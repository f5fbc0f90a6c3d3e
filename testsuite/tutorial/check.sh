#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - doc/tutorial.md shows what its commands print, and the commands of
# doc/coming-from.md are taken.
# Usage: check.sh [guest]       guest: those of the tutorial that are run in a guest, instead
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
# Both pages at the same time, each in a folder of its own.
mkdir from && cp ./*.stp from && cc -O2 -g -o from/service service.c || exit 2
sleep 1000 &
target=$!
(cd from && exec "$top/testsuite/tutorial/page.py" commands "$top/doc/coming-from.md" $target) &
"$top/testsuite/tutorial/page.py" output here "$top/doc/tutorial.md" || fail tutorial
wait $! || fail coming-from
kill $target
[ $failed -eq 0 ]
