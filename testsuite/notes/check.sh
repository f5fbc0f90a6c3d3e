#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - the socket at which programs tell of themselves: who may write to it, what becomes of nonsense and of floods, that nothing is
# left of it. What notes are good for is in testsuite/run-user/notes and testsuite/fuzz/note.
. "$(dirname "$0")/../common.sh"
verdict() { if [ $? -eq 0 ]; then echo "PASS $1"; else echo "FAIL $1"; cat "$work/out" "$work/err"; failed=1; fi; }
folder=/run/lapwing mode=666
[ "$(id -u)" = 0 ] || { export XDG_RUNTIME_DIR=$work; folder=$work/lapwing mode=600; }
${CC:-cc} -O1 -o "$work/hostile" testsuite/notes/hostile.c || exit 2
cat > "$work/run.stp" <<'END'
probe begin { system("stat -c %a $NOTES/*.notes") }
probe timer.profile { if (user_mode() && phase() == "none") println(usymname(uaddr())) }
END
NOTES=$folder ./lapwing --runtime=user -c "$work/hostile" "$work/run.stp" > "$work/out" 2> "$work/err"
verdict "the run ends well"
grep -qx $mode "$work/out"
verdict "who may tell"
grep -q '^WARNING: 50 notes from programs were malformed$' "$work/err"
verdict "nonsense is counted"
grep -q '^WARNING: 464 notes from programs were dropped: there were too many$' "$work/err"
verdict "a flood is limited, and said"
own=$(grep -v "^$mode$" "$work/out" | head -1)
[ -n "$own" ] && [ ! -e "$folder/$own.notes" ]
verdict "nothing is left"
if [ "$(id -u)" = 0 ]; then
	mv $folder $folder.kept && ln -s "$work" $folder
	./lapwing --runtime=user -vv -e 'probe timer.ms(1) { println("<" . phase() . ">") exit() }' > "$work/out" 2> "$work/err"
	grep -qx '<>' "$work/out" && grep -q 'programs cannot send notes' "$work/err" && [ -z "$(ls "$work"/*.notes 2> /dev/null)" ]
	verdict "a folder that is a link is not used"
	rm $folder && mv $folder.kept $folder
fi
exit $failed
