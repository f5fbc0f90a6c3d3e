#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-capture.sh - stp()'s records as a capture, and lapwing report on it: a list that is what is printed without a capture, names of
# programs that are no longer there, one after another in a process, counts and sums that are known, pairs, conditions, a pipe, verdicts, a
# capture that was cut off anywhere.
. "$(dirname "$0")/../common.sh"
top=$PWD
lapwing=$top/lapwing
${CC:-cc} -g -O1 -static -o "$work/recurse" testsuite/triggers/recurse.c && ${CC:-cc} -g -O1 -o "$work/queue" examples/queue.c || exit 2
for program in becomes tells; do
	${CC:-cc} -g -O1 -static -pthread -o "$work/$program" testsuite/triggers/$program.c || exit 2
done
line=$(grep -n '	step();$' testsuite/triggers/becomes.c | cut -d: -f1)
cp examples/model-11.stp testsuite/stopped.sh "$work/"
cd "$work" || exit 2

# run ARG...: of which the script is the last; is its output COMPLETE
run() { "$lapwing" --runtime=user --only-target "$@" > printed 2> err || fail "status $?: $(cat err)"; }
# rows ARG...: the rows of a report's table, without what is above and below
rows() { "$lapwing" report "$@" > report 2> err || fail "report $*: $(cat err)"; sed -n '/^    count/,/^$/{/./p}' report; }
# is TEXT NAME: it is what comes on standard input
is() {
	cat > seen
	printf "$1" | diff -u - seen || fail "$2"
}

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

# A process runs one program after another, and each puts two functions at one address: what was there at the time of the record, though
# all is read when it has ended. A caller's line is that of the call, which is in a function that was inlined.
ln becomes two && ln becomes three
"$lapwing" --runtime=user -o programs.cap -c 'sh ./stopped.sh ./becomes ./two ./three' -e '
probe process("./becomes").function("step") { stp(name: execname(), ustack(1), ubacktrace()) }' 2> err || fail "programs: $(cat err)"
rows programs.cap --by program,name | is '    count  percent  program  name
        2    33.33  becomes  becomes
        2    33.33  three  three
        2    33.33  two  two\n' 'programs'
rows programs.cap --by line | sed 's,[^ ]*/,,' | is "    count  percent  line\\n        6   100.00  becomes.c:$line\\n" 'a line'
"$lapwing" export --format=folded -o - programs.cap 2> err | sed 's/;.*;main;/;main;/; s/ 1$//' > folded
for program in becomes three two; do
	for code in first second; do
		printf '%s;main;made %s;outer;inner_[i];step\n' $program $code
	done
done | diff -u - folded || fail "programs: $(cat err)"

# Reports of samples may take another column of stacks: deeper() has none there, leaf()'s caller is one.
"$lapwing" export --format=folded --stack=ustack -o folded all.cap
awk '{ n += $NF } $0 == "recurse;deeper 1" { leaf++ } END { exit n != 4 || leaf != 1 }' folded || fail "--stack: $(cat folded)"
"$lapwing" export --format=folded --stack=depth all.cap 2> err && fail '--stack of numbers'
grep -q '^lapwing export: --stack depth: expected a column of stacks' err || fail "--stack of numbers: $(cat err)"

# Growth since the last record with the same keys: of depth 3, 2, 1; the first one has none before it. Intervals add up to all records;
# those without one are there.
rows all.cap --by 1 --sum depth --delta 1 |
	is '    count  percent              sum          min            avg          max  column1
        2   100.00               -2           -1           -1.0           -1  deeper\n' 'growth'
rows all.cap --timeline 1e9 |
	is '    count  percent  interval\n        4   100.00  0.000000  |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@\n' 'one interval'
"$lapwing" report all.cap --timeline 0.1 --sum depth --csv > rows
awk -F, 'NR > 1 { n += $1; sum += $2; if (NR > 2 && $NF <= last) bad++; last = $NF; empty += $1 == 0 && $3 == "" }
	END { exit !(n == 3 && sum == 6 && !bad && empty >= NR - 1 - n) }' rows || fail "intervals: $(cat rows)"
# Up to the run's end, which is later than its last record by 50 intervals and more.
"$lapwing" --runtime=user -o idle.cap -e 'probe begin { stp(1) } probe timer.ms(60) { exit() }' 2> err
span=$("$lapwing" report idle.cap --json | sed -nE 's/^ *"duration_ns": ([0-9]*),$/\1/p')
"$lapwing" report idle.cap --timeline 1 --csv | tail -n +2 > rows
[ "$(wc -l < rows)" -eq $((span / 1000000 + 1)) ] && [ "$span" -ge 60000000 ] || fail "a run of $span ns has $(wc -l < rows) ms"
awk -F, '{ n += $1 } END { exit n != 1 }' rows || fail "$(cat rows)"

# By time, for programs that show that: each record, with its columns.
"$lapwing" export -f chrome all.cap > trace.json && python3 - << 'END' || fail "chrome: $(head -c 300 trace.json)"
import json
events = json.load(open('trace.json'))['traceEvents']
records = [e for e in events if e['ph'] == 'i']
assert [e['name'] for e in records] == ['deeper'] * 3 + ['leaf'], records
assert [e['args'].get('depth') for e in records] == [3, 2, 1, None] and records[3]['args']['function'] == 'leaf', records
assert all(a['ts'] <= b['ts'] and a['pid'] == a['tid'] for a, b in zip(records, records[1:])), records
assert ['recurse'] == [e['args']['name'] for e in events if e['ph'] == 'M' and e['pid'] == records[0]['pid']], events
END

# For programs: a list, where a column that a record has not is null.
"$lapwing" report all.cap --csv | head -n 1 |
	is 'time,cpu,tid,pid,program,probe,column1,depth,name,ip,function,symbol,line,image,stack,ustack,column9\n' 'CSV'
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
"$lapwing" callgraph --stack=ustack all.cap > report 2> err && grep -q ' deeper' report && ! grep -q ' main' report ||
	fail "callgraph --stack: $(cat err report)"

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
refused '(columns: column1, depth, name, .*, column9, time, cpu, tid, pid, program, probe)' --by none
refused 'is no condition' --where depth
refused 'expected BEGIN,END' --pair add
refused 'expected a column of numbers' --sum name
refused 'expected a column of numbers' --sum program
refused 'expected a column of numbers' --pair deeper,leaf --time ip
refused 'the capture has records: --where .program == "recurse". chooses those' --name recurse
refused '^lapwing report: --phase chooses samples' --phase load
refused '^lapwing report: --apart is for samples' --apart
refused '^lapwing report: --delta says what --sum adds up' --delta 1
refused 'at most 100000 are shown' --timeline 0.00001
# warned WORDS ARG...: of what no record has
warned() {
	words=$1
	shift
	"$lapwing" report all.cap "$@" > report 2> err || fail "$*: $(cat err)"
	[ "$(grep -c WARNING err)" -eq 1 ] && grep -q "$words" err || fail "$*: $(cat err)"
}
warned "no record is 'remov'" --pair deeper,remov
warned 'none of the 4 records passes' --where 'depth == 4' --by depth
warned 'none of the 4 records passes' --where 'depth == 4' --json
warned 'no record that passes --where has a number of --sum depth' --where 'column1 == leaf' --sum depth

# What a run has lost: its verdict is the capture's, and the books are whole.
"$lapwing" --runtime=user --only-target -s 0.0625 -o lost.cap -c 'sh ./stopped.sh ./tells calls 30000' -e '
probe process("./tells").function("work") { stp(user_string($what)) }' 2> err || fail "a stopped reader: $(cat err)"
verdict=$(grep '^PARTIAL: [0-9.]* % of hits' err) && [ "$("$lapwing" report lost.cap | tail -n 1)" = "$verdict" ] ||
	fail "a verdict: $(cat err; "$lapwing" report lost.cap | tail -n 1)"
"$lapwing" report lost.cap | awk '/^records / { exit $2 + $4 + $6 != 30000 || !$6 }' ||
	fail "books: $("$lapwing" report lost.cap | head -3)"
"$lapwing" --runtime=user -o warned.cap -e 'probe begin { stp(1) warn("of the run") exit() }' 2> err || fail "a warning: $(cat err)"
"$lapwing" report warned.cap | tail -n 2 | is 'WARNING: of the run\nCOMPLETE\n' 'a warning'
"$lapwing" report warned.cap --json | tr -d '\n' | grep -q '"warnings": \[ *"of the run" *\]' || fail 'a warning in JSON'
"$lapwing" --runtime=user -o status.cap -c 'exit 3' -e 'probe begin { stp(1) }' 2> err
"$lapwing" report status.cap | tail -n 2 | is 'WARNING: Child process exited with status 3\nCOMPLETE\n' 'a command that failed'
# So is what the run's books say of a loss, though -w is given.
"$lapwing" --runtime=user -w --on-overflow=drop -o full.cap -e '
global a[2] probe begin { stp(1) for (i = 0; i < 5; i++) a[i] = i exit() }' > printed 2> err
"$lapwing" report full.cap | tail -n 2 | head -n 1 | is 'WARNING: array a refused 3 inserts: it was full\n' 'a full array'
# Different texts without end: the first 1000, and how many others there were.
"$lapwing" --runtime=user -o many.cap -e 'global n probe begin { stp(1) }
probe timer.ms(1) { for (i = 0; i < 100; i++) warn(sprint(n++)) if (n >= 1500) exit() }' 2> err
"$lapwing" report many.cap | grep '^WARNING' | diff -u err - > diff && [ "$(wc -l < err)" -eq 1001 ] &&
	grep -q '^WARNING: 500 of the script.s warnings, after 1000 different ones, are not shown$' err ||
	fail "warnings without end: $(tail -n 3 err diff)"
"$lapwing" --runtime=user -o failed.cap -e 'probe begin { stp(1) error("no") }' 2> err && fail 'a run that failed'
"$lapwing" report failed.cap | grep -q '^PARTIAL: the run was ended by an error' || fail "$("$lapwing" report failed.cap | tail -n 1)"

# Cut off after any byte it is read up to there, and said to be partial.
size=$(stat -c %s all.cap) n=$((size - 1))
while [ $n -gt 300 ]; do
	head -c $n all.cap > cut.cap
	"$lapwing" report cut.cap > report 2> err
	status=$?
	[ $status -le 1 ] || fail "cut after $n bytes: status $status"
	[ $status -ne 0 ] || grep -q '^PARTIAL' report || fail "cut after $n bytes: not partial"
	if [ $status -eq 0 ] && grep -q '^records  [1-4] ' report; then
		"$lapwing" report cut.cap --by 1 --sum depth --delta 1 2> err | grep -q '^PARTIAL' || fail "cut after $n bytes: growth is not partial"
		"$lapwing" export -f chrome cut.cap > cut.json 2> err && python3 -m json.tool cut.json > /dev/null || fail "cut after $n bytes: chrome"
	fi
	n=$((n - 97))
done
[ $failed -eq 0 ] && echo "trace: captures of records are what is printed"
[ $failed -eq 0 ]
