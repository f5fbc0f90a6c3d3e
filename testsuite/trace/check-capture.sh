#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-capture.sh - stp()'s records as a capture, and lapwing report on it: a list that is what is printed without a capture, names of a
# program that is no longer there, counts and sums that are known, pairs, conditions, a pipe, a capture that was cut off anywhere.
. "$(dirname "$0")/../common.sh"
top=$PWD
lapwing=$top/lapwing
${CC:-cc} -g -O1 -static -o "$work/recurse" testsuite/triggers/recurse.c && ${CC:-cc} -g -O1 -o "$work/queue" examples/queue.c || exit 2
cp examples/model-11.stp "$work/"
cd "$work" || exit 2

# run ARG...: of which the script is the last; is its output COMPLETE
run() { "$lapwing" --runtime=user --only-target "$@" > printed 2> err || fail "status $?: $(cat err)"; }
# rows ARG...: the rows of a report's table, without what is above and below
rows() { "$lapwing" report "$@" > report 2> err || fail "report $*: $(cat err)"; sed -n '/^    count/,/^$/{/./p}' report; }
# is TEXT NAME: it is what comes on standard input
is() { printf "$1" | diff -u - /dev/fd/3 3<&0 || fail "$2"; }

script='probe process("./recurse").function("deeper") { stp("deeper", depth: $depth, $pid_name) println("a line") }
probe process("./recurse").function("leaf") {
	stp("leaf", uaddr(), usymname(uaddr()), usymdata(uaddr()), usymfileline(uaddr()), associate_image(uaddr()), ubacktrace(), ustack(1), "")
}'
# As text, and as a capture that is read when the program is gone: the list has a time before each record.
run -o text -c './recurse 3 1' -e "$script"
run -o all.cap -c './recurse 3 1' -e "$script"
mv recurse gone
is 'a line\na line\na line\n' 'what is printed beside a capture' < printed
"$lapwing" report all.cap | sed -n 's/^[0-9]*\.[0-9]*	//p' > list
grep -v '^a line$' text | diff -u - list || fail 'the list is not what is printed without a capture'
"$lapwing" report all.cap | grep -q '^records  4 received, 0 lost, 0 hits missed$' || fail 'the books'
"$lapwing" report all.cap | tail -n 1 | is 'COMPLETE\n' 'the verdict'

# Counts and sums: 3 + 2 + 1. Columns by number and by name, and what can be said of an address beside what its column shows.
rows all.cap --by 1 --where '1 == "deeper"' --sum depth |
	is '    count  percent              sum          min            avg          max  column1
        3   100.00                6            1            2.0            3  deeper\n' 'a sum'
rows all.cap --by column1 | is '    count  percent  column1\n        3    75.00  deeper\n        1    25.00  leaf\n' 'counts'
rows all.cap --by function,ip,name --where 'column1 == leaf' |
	is '    count  percent  function  ip  name\n        1   100.00  leaf  leaf  -\n' 'views'
rows all.cap --by depth --where 'depth >= 2' --where 'depth != 3' | is '    count  percent  depth\n        1   100.00  2\n' 'conditions'
rows all.cap --by depth --where 'stack =~ "deeper;leaf$"' | is '    count  percent  depth\n        1   100.00  -\n' 'a pattern'

# For programs: a list, where a column that a record has not is null.
"$lapwing" report all.cap --csv | head -n 1 |
	is 'time,cpu,tid,pid,probe,column1,depth,name,ip,function,symbol,line,image,stack,ustack,column9\n' 'CSV'
"$lapwing" report all.cap --json > report
tr -d '\n' < report | grep -q '"column1": "leaf", *"depth": null' || fail "JSON: $(cat report)"

# Pairs: 40 items wait 2 ms and more; the script's own clock and the records' say nearly the same.
run -o queue.cap -c './queue 20 2' model-11.stp
"$lapwing" report queue.cap --pair add,remove --on item --csv > records
"$lapwing" report queue.cap --pair add,remove --on item --time timestamp --csv > stamps
"$lapwing" report queue.cap --by 1,3,timestamp --csv --limit 0 | awk -F, '
	NR > 1 && $2 == "add" { at[$3, ++added[$3]] = $4 } NR > 1 && $2 == "remove" { gone[$3, ++removed[$3]] = $4 }
	END { for (i in gone) { n++; sum += gone[i] - at[i] } printf "%d %.0f\n", n, sum }' > known
awk -F, 'NR == 2 { printf "%d %.0f\n", $1, $2 }' stamps | diff -u known - || fail 'pairs are not those of the records'
for file in records stamps; do
	awk -F, 'NR == 2 && $1 == 40 && $3 >= 2000000 { ok = 1 } END { exit !ok }' $file || fail "pairs of $file: $(cat $file)"
done
"$lapwing" report queue.cap --pair remove,add --on item | grep -q '^[0-9]* of remove and add have no partner$' ||
	fail 'partners that are missing are not told'

# Other reports take each record for a sample, of its stack.
"$lapwing" export --format=folded -o - all.cap 2> err | grep -q ';main;deeper;deeper;deeper;leaf 1$' || fail "export: $(cat err)"
"$lapwing" callgraph all.cap > report 2> err && grep -q ' deeper' report || fail "callgraph: $(cat err report)"

# A pipe; what is no capture's, and what is no column's.
"$lapwing" --runtime=user --capture -c './queue 1 0' model-11.stp 2> err | "$lapwing" report /dev/stdin --by 1 > report
grep -q ' add$' report || fail "a pipe: $(cat err)"
"$lapwing" --runtime=user -S 1 -o a.cap -e 'probe begin { stp(1) exit() }' 2> err && fail '-S with a capture'
# refused WORDS ARG...: with exit status 2, and a message that has the words
refused() {
	words=$1
	shift
	"$lapwing" report all.cap "$@" > report 2> err
	[ $? -eq 2 ] && grep -q "$words" err || fail "$*: $(cat err)"
}
refused 'columns: column1, depth, name, ' --by nothing
refused 'is no condition' --where depth
refused 'expected BEGIN,END' --pair add

# Cut off after any byte it is read up to there, and said to be partial.
size=$(stat -c %s all.cap) n=$((size - 1))
while [ $n -gt 300 ]; do
	head -c $n all.cap > cut.cap
	"$lapwing" report cut.cap > report 2> err
	status=$?
	[ $status -le 1 ] || fail "cut after $n bytes: status $status"
	[ $status -ne 0 ] || grep -q '^PARTIAL' report || fail "cut after $n bytes: not partial"
	n=$((n - 97))
done
[ $failed -eq 0 ] && echo "trace: captures of records are what is printed"
[ $failed -eq 0 ]
