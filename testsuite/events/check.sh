#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - events' texts to what perf_event_open() takes: portable and perf's names, libpfm4's tables of PMUs that are not here, sysfs of
# machines that are trees of files (one of them hybrid), modifiers, raw codes; and what is said where a name is wrong. Then the commands
# stopwatch and profile.
. "$(dirname "$0")/../common.sh"
put() { mkdir -p "$(dirname "$work$1")" && printf '%s\n' "$2" > "$work$1"; }
devices=/sys/bus/event_source/devices

# is EVENT WHAT [OPTION]: how it is counted
is() {
	local got
	got=$(./lapwing-events --root="$work" ${3-} --check "$1" 2>&1)
	[ "$got" = "$1: $2" ] || fail "$1: expected '$2', got '$got'"
}
# refused EVENT TEXT: the message holds it
refused() {
	local got
	got=$(./lapwing-events --root="$work" --check "$1" 2>&1) && fail "$1 is not refused"
	[[ $got == *"$2"* ]] || fail "$1: expected '$2', got '$got'"
}

put $devices/cpu/type 4
put $devices/cpu/format/event config:0-7
put $devices/cpu/format/umask config:8-15
put $devices/cpu/format/inv config:23
put $devices/cpu/format/ldlat config1:0-15
put $devices/cpu/format/wide config:0-7,32-35
put $devices/cpu/events/mem-loads event=0xcd,umask=0x1,ldlat=3

is cpu_cycles 'type 0 config 0x0, 0x0, 0x0 precise 0 (preset)'
is PAPI_TOT_INS 'type 0 config 0x1, 0x0, 0x0 precise 0 (preset)'
is instructions:u 'type 0 config 0x1, 0x0, 0x0 precise 0 not kernel (perf)'
is branch_misses:k:pp 'type 0 config 0x5, 0x0, 0x0 precise 2 not user (perf)'
is cycles:ukp:100000 'type 0 config 0x0, 0x0, 0x0 precise 1 (perf)'
is page-faults 'type 1 config 0x2, 0x0, 0x0 precise 0 (software)'
is L1-dcache-load-misses 'type 3 config 0x10000, 0x0, 0x0 precise 0 (perf)'
is cpu/event=0x3c,umask=2,inv/ 'type 4 config 0x80023c, 0x0, 0x0 precise 0 (sysfs)'
is cpu/mem-loads/:pp 'type 4 config 0x1cd, 0x3, 0x0 precise 2 (sysfs)'
is cpu/wide=0xfff/ 'type 4 config 0xf000000ff, 0x0, 0x0 precise 0 (sysfs)'
is raw:0x8d1:u 'type 4 config 0x8d1, 0x0, 0x0 precise 0 not kernel (raw)' -g
is raw:0x1cd,config1=0x40 'type 4 config 0x1cd, 0x40, 0x0 precise 0 (raw)' -g
refused raw:0x8d1 'they need -g'
refused cycles,config1=1 'it needs -g'
refused cycles:pppp 'precise levels are 0 to 3'
refused cpu/nothing/ "neither an event nor a term 'nothing'"
refused cpu/event=0x1000/ 'larger than its field'
refused gpu/busy/ "no PMU 'gpu'"
refused no_such_event "no event 'no_such_event'"
if ./lapwing-events 'no such name' 2> /dev/null | grep -q '^PMU: none'; then
	refused INST_RETIRED:ANY 'this machine has no PMU whose events libpfm4 knows'
	refused l2_misses "no event of this machine is known to count 'l2_misses'"
	mv "$work$devices/cpu" "$work/cpu"
	refused l2_misses "no event 'l2_misses' (refills of the second cache) here: this machine has no PMU"
	mv "$work/cpu" "$work$devices/cpu"
fi

# What comes with samples, of machines of several makers.
put $devices/cpu/caps/max_precise 3
put $devices/cpu/caps/branches 32
put $devices/ibs_op/type 11
put $devices/arm_spe_0/type 12
./lapwing-events --root="$work" > "$work/list"
precise='arm_spe_0: SPE with address, latency and source, in the user runtime'
precise=$precise'; cpu: mem-loads with address, latency and source; cpu: precise to :ppp'
grep -qxF "Precise samples: $precise; cpu: the last 32 branches; ibs_op: IBS with address, latency and source" "$work/list" ||
	fail "precise samples: $(grep Precise "$work/list")"
./lapwing-events --root="$work/nowhere" | grep -qx 'Precise samples: not here' || fail 'precise samples of no machine'
rm -r "$work$devices/cpu/caps" "$work$devices/ibs_op" "$work$devices/arm_spe_0"

# PMUs that are not here, by libpfm4's tables: precise levels and registers too.
export LIBPFM_FORCE_PMU=skl
is skl::INST_RETIRED:ANY_P:u 'type 4 config 0xc0, 0x0, 0x0 precise 0 not kernel (libpfm4)'
is MEM_TRANS_RETIRED:LATENCY_ABOVE_THRESHOLD:ldlat=64:pp 'type 4 config 0x1cd, 0x40, 0x0 precise 2 (libpfm4)'
is stores 'type 4 config 0x82d0, 0x0, 0x0 precise 0 (preset)'
refused INST_RETIRED:NO_SUCH_MASK 'libpfm4 says'
refused INST_RETIRED:-5 "'-5' is no period: expected a whole number above 0, as in 'INST_RETIRED:1000000'"
refused cycles:1e6 "'1e6' is no period"
refused cpu-clock:0 "'0' is no period"
refused cpu-clock:u:freq=0 "'freq=0' is no period"
refused cyclse:1000 "no event 'cyclse'"
[ "$(./lapwing-events --root="$work" l2_rqsts | grep -c 'skl::L2_RQSTS:')" -gt 5 ] || fail "the list of skl has no L2_RQSTS"
export LIBPFM_FORCE_PMU=amd64_fam19h_zen3
is stores 'type 4 config 0x229, 0x0, 0x0 precise 0 (preset)'
unset LIBPFM_FORCE_PMU

# Two kinds of CPU: which one an event is counted on is part of it.
rm -r "$work$devices/cpu"
for pmu in 'cpu_core 4 0-7' 'cpu_atom 10 8-15'; do
	set -- $pmu
	put $devices/$1/type $2
	put $devices/$1/cpus $3
	put $devices/$1/format/event config:0-7
	put $devices/$1/events/cpu-cycles event=0x3c
done
is cpu_core/cpu-cycles/ 'type 4 config 0x3c, 0x0, 0x0 precise 0 on cpu_core (sysfs)'
is cpu_atom/event=0xc0/:k 'type 10 config 0xc0, 0x0, 0x0 precise 0 not user on cpu_atom (sysfs)'
./lapwing-events --root="$work" | grep -q '^Kinds of CPU.*: cpu_atom 8-15, cpu_core 0-7$' || fail "the kinds of CPU are not said"
is raw:0x3c 'type 4 config 0x3c, 0x0, 0x0 precise 0 on cpu_core (raw)' -g
is cycles 'type 0 config 0x0, 0x0, 0x0 precise 0 (perf)'
said() { ./lapwing --sysroot="$work" --runtime=user -p2 -e "probe timer.s(1).startwatch(\"$1\") { println(\$pmu[0]) }" 2>&1; }
text="WARNING: event 'cpu_atom/cpu-cycles/:u' is of one kind of CPU: it is counted on cpu_atom (CPUs 8-15)"
said cpu_atom/cpu-cycles/:u | grep -qF "$text" || fail "an event of one kind of CPU: $(said cpu_atom/cpu-cycles/:u)"
said cpu_atom/cpu-cycles/ | grep -qF '[lapwing explain W0114]' || fail "no number of the warning"
said cycles | grep -qF 'one kind of CPU' && fail "cycles are of one kind of CPU"

# The list for programs is that of the text; CSV is its rows.
same() {	# same OPTION...
	./lapwing events "$@" > "$work/out" 2> "$work/err"
	text=$?
	./lapwing events "$@" --csv > "$work/csv" 2> "$work/unused"
	./lapwing events "$@" --json > "$work/json" 2>> "$work/unused"
	[ $? -eq $text ] && testsuite/formats.py "$work/json" "$work/csv" && python3 - "$work/json" "$work/out" << 'END' ||
import itertools, json, sys
said = json.load(open(sys.argv[1]))
text = [line.split() for line in open(sys.argv[2])]
titles = {'portable': "Portable names (and PAPI's)", 'perf': "perf's names", 'sysfs': "The kernel's PMUs (sysfs)",
          'libpfm4': "libpfm4's names"}
made = ['PMU: ' + (said['pmu'] or 'none that libpfm4 knows')]
if said['cpu_kinds']:
    made.append('Kinds of CPU, each with counters of its own: ' + ', '.join(said['cpu_kinds']))
made.append('Precise samples: ' + ('; '.join(said['precise']) or 'not here'))
for source in titles:
    if source == 'libpfm4' and ["libpfm4's", 'names'] not in text:
        made.append("libpfm4's names: lapwing events PATTERN lists them too")
        continue
    made.append(titles[source])
    for row in said['rows']:
        if row['source'] == source:
            means = row['means'] or ('-' if source == 'portable' else None)
            made.append(' '.join(filter(None, [row['name'], row['state'], means, row['note']])))
if said['fitting']:
    made.append('%d hardware events fit together, for instance: %s' % (len(said['fitting']), ', '.join(said['fitting'])))
if said['none_fits']:
    made.append(said['none_fits'])
assert said['schema'] == 'lapwing-events/1'
for line, expected in itertools.zip_longest(made, text, fillvalue=''):
    assert line.split() == expected, (line, expected)
END
		fail "events $* --json"
}
same
same --root="$work"
same 'page*'
same --root="$work" 'no such name'
./lapwing events --json --encode cycles > "$work/out" 2>&1
[ $? -eq 2 ] && grep -q 'without --encode' "$work/out" || fail "--json --encode: $(cat "$work/out")"

# --check: one unknown event takes nothing away from the others, and the right name is suggested; for programs the same.
./lapwing events --check task-clock page-fautls page-faults:u > "$work/out" 2> "$work/err"
[ $? -eq 1 ] && [ "$(cut -d: -f1 "$work/out" | paste -sd ' ')" = 'task-clock page-faults' ] &&
	grep -q "no event 'page-fautls' .*; did you mean 'page-faults'? \[lapwing explain E1014\]$" "$work/err" ||
	fail "--check with an unknown event: $(cat "$work/out" "$work/err")"
./lapwing events --check --csv task-clock page-fautls page-faults:u > "$work/csv" 2> "$work/err" &&
	fail "--check --csv: an unknown event is a success"
./lapwing events --check --json task-clock page-fautls page-faults:u > "$work/json" 2>> "$work/err"
[ $? -eq 1 ] && [ ! -s "$work/err" ] && testsuite/formats.py "$work/json" "$work/csv" && python3 - "$work/json" << 'END' ||
import json, sys
rows = json.load(open(sys.argv[1]))['rows']
assert [row['name'] for row in rows] == ['task-clock', 'page-fautls', 'page-faults:u']
assert [row['state'] for row in rows] == ['counts', 'unknown', 'counts']
assert [row['type'] for row in rows] == [1, None, 1] and [row['config'] for row in rows] == ['0x1', None, '0x2']
assert [row['excludes'] for row in rows] == [[], None, ['kernel']]
assert [row['why'] and "did you mean 'page-faults'?" in row['why'] for row in rows] == [None, True, None]
END
	fail "--check --json: $(cat "$work/json" "$work/err")"
./lapwing events --check --json task-clock > "$work/json" || fail "--check --json of what counts: $(cat "$work/json")"
./lapwing events --csv > /dev/full 2> "$work/err"
[ $? -eq 1 ] && grep -q 'cannot write standard output: No space' "$work/err" || fail "a full disk: $(cat "$work/err")"

# As many events as a script counts, and one more.
many() {
	for i in $(seq "$1"); do
		echo "probe perf.type(4).config($i).counter(\"c$i\") { } probe timer.s(1) { println(@perf(\"c$i\")) }"
	done | ./lapwing --runtime=user -p2 - 2>&1
}
many 32 > "$work/out" || fail "32 events: $(head -3 "$work/out")"
many 33 | grep -qF "'@perf' needs one event less: a script counts at most 32 different events" || fail "33 events"

# Here: software events count, and what cannot be counted is said with the reason.
./lapwing events --check task-clock page-faults > "$work/out" || fail "software events do not fit: $(cat "$work/out")"
./lapwing events 'page-f*' | grep -q 'page-faults *counts' || fail "page-faults is not in the list"
if ! ./lapwing events --check cycles > "$work/out"; then
	grep -q "event 'cycles': .*\(no hardware counters\|no counter is left\|refused\)" "$work/out" || fail "no reason: $(cat "$work/out")"
	./lapwing record -q -o /dev/null -e instructions -- true 2> "$work/err"
	[ $? -eq 4 ] && grep -qF '[lapwing explain E1015]' "$work/err" || fail "record of what does not count: $(cat "$work/err")"
fi
./lapwing events 'no such name' > /dev/null 2> "$work/err" && fail "an empty list is a success"
grep -qF "no event's name is like *no such name*" "$work/err" || fail "an empty list does not say that it is one: $(cat "$work/err")"
./lapwing --runtime=user -e 'probe begin.startwatch("task-clock") { println($pmu[0]) }' > "$work/out" 2> "$work/err" &&
	fail "begin has a counter"
grep -q 'no counter at this hit: the user runtime has them at timers' "$work/err" || fail "where counters are: $(cat "$work/err")"
./lapwing stopwatch ./p:f to g by '$x' with cycles --expand > "$work/out" 2>&1 && fail "counts from one point to another"
grep -q 'no counts: they are of one thread' "$work/out" || fail "counts from one point to another: $(cat "$work/out")"
# The declarations, as commands: what they stand for, what they print, and the program's own exit status.
./lapwing stopwatch vfs_read by 'execname()' with cycles,instructions:u --runtime=kernel --expand > "$work/out" 2> "$work/err"
for text in 'kernel.function("vfs_read").return.startwatch("task-clock").startwatch("cycles").startwatch("instructions:u")' \
	'@entry(ktime_get_ns())' '"CPI"' '@percentile('; do
	grep -qF "$text" "$work/out" || fail "stopwatch --expand has no $text: $(cat "$work/err")"
done
# Clauses may come in any order and more than once; commas of an event are its own; a function's return is a point.
./lapwing stopwatch -g with 'cpu-cycles,raw:0xc0,config1=1' ./p:f by 'tid()' with 'cpu/event=1,umask=2/,PAPI_TOT_INS' by 'pid()' --csv \
	--runtime=kernel --expand > "$work/out" 2> "$work/err"
for text in '.startwatch("cpu-cycles").startwatch("raw:0xc0,config1=1").startwatch("cpu/event=1,umask=2/").startwatch("PAPI_TOT_INS")' \
	'__ns_1[tid(), pid()] <<< __ns' '",\"raw:0xc0,config1=1/call\""' '",cpi"'; do
	grep -qF "$text" "$work/out" || fail "the expanded stopwatch has no $text: $(cat "$work/err")"
done
./lapwing stopwatch ./p:f,g.return to h.return by '$x' --runtime=kernel --expand > "$work/out" 2> "$work/err"
grep -qF 'probe process("./p").function("f"), process("./p").function("g").return {' "$work/out" &&
	grep -qxF 'probe kernel.function("h").return {' "$work/out" || fail "points at returns: $(cat "$work/err")"
./lapwing -p1 -e 'stopwatch kernel.function("f").return, kernel.function("g").return ?' > "$work/out" 2>&1
grep -qF 'kernel.function("f").return.startwatch("task-clock")' "$work/out" &&
	grep -qF 'kernel.function("g").return.startwatch("task-clock")?' "$work/out" ||
	fail "a stopwatch of returns: $(cat "$work/out")"
./lapwing profile by 'tid()' -F 99 --expand 2> "$work/err" | grep -qxF 'probe timer.profile.freq.hz(99) {' ||
	fail "profile by -F: $(cat "$work/err")"
for wrong in 'profile -F 99 -e cycles' 'profile by -- true' 'stopwatch f with -- true' 'stopwatch f to'; do
	# shellcheck disable=SC2086 # words
	./lapwing $wrong > "$work/out" 2>&1 && fail "$wrong is a success"
	grep -q '^lapwing \(profile\|stopwatch\): ' "$work/out" || fail "$wrong: $(cat "$work/out")"
done
./lapwing profile -F 500 by 'execname()' -- sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; exit 7' > "$work/out" 2> "$work/err"
[ $? -eq 7 ] || fail "profile does not exit with the status of its program: $(cat "$work/err")"
# What is sampled between its start and its exec is lapwing-run's.
awk '$2 >= 80 && $3 == "sh" { sh = 1 } NF == 3 && $3 !~ /^(sh|lapwing-run)$/ && $1 ~ /^[0-9]+$/ { other = 1 } END { exit !sh || other }' \
	"$work/out" || fail "profile: $(cat "$work/out")"
for rate in '' '-F 400'; do
	# shellcheck disable=SC2086 # two words
	./lapwing profile $rate -- sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done' > "$work/out" 2> "$work/err"
	grep -q '^lapwing-run: [0-9]* samples expected, [1-9][0-9]* received ([0-9]* idle), [0-9]* lost,' "$work/err" ||
		fail "profile's books $rate: $(cat "$work/err")"
done
./lapwing profile --help | grep -q '^Usage: lapwing profile ' || fail "profile --help"
./lapwing stopwatch ./p:f --csv --json > "$work/out" 2>&1
[ $? -eq 2 ] && grep -q 'only one of them' "$work/out" || fail "a stopwatch with --csv and --json: $(cat "$work/out")"
./lapwing stopwatch > "$work/out" 2>&1 && fail "stopwatch without a function is a success"

# What README.md says runs here does, as it stands there, and prints something.
sed -n 's/^    \(\.\/lapwing .*\)/\1/p' README.md | grep -v -e --target=vm -e '--help' > "$work/examples"
[ "$(wc -l < "$work/examples")" -ge 3 ] || fail "README.md has no examples: the test is blind"
while read -r line; do
	sh -c "$line" > "$work/out" 2> "$work/err" < /dev/null && [ -s "$work/out" ] || fail "README.md: $line: $(tail -3 "$work/err")"
done < "$work/examples"
[ $failed -eq 0 ]
