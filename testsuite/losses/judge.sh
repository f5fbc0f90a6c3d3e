#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# judge.sh - is what a run has said (run.sh) true? One line: SITUATION and what there is, or FAIL and
# what is wrong.
# Usage: judge.sh SCRIPT SITUATION RUNTIME. Directives of the script, besides those of
# run-kernel/check-kernel.sh:
#   #@ events: WHAT [N]   what the trigger does, an Nth as often as usual (1)
#   #@ each: N            an event is N hits (1)
#   #@ rows: N            of the books, from the first, are each hit by every event (1)
#   #@ kind: KIND         what it prints:
#       values     (the default) a line for each hit: the event's number, that and 1, and what tells
#                  the probe from others
#       pairs      the same, and how much of something is between entry and return: no more than the
#                  trigger saw around the call (took)
#       count      the number of hits at the end, which nothing can take away
#       stopwatch  the table as JSON
#       ticks      a line for each tick: its time; and when begin and end probes ran
#       samples    the same of samples of time
#       faults     a line for each page fault: its time
#       phases     the numbers of its 4000 lines
#   #@ period: NS         of ticks and samples
#   #@ least: N           is between entry and return (0)
script=$1 situation=$2 runtime=$3
directive() { sed -n "s/^#@ $1: *//p" "$script"; }
kind=$(directive kind)
if [ "$(cat status)" != 0 ] || [ ! -s truth ] || [ ! -s summary ]; then
	echo "FAIL $situation: status $(cat status)"
	head -5 err
	exit 1
fi
awk -v situation="$situation" -v runtime="$runtime" -v kind="${kind:-values}" \
	-v rows="$(directive rows)" -v each="$(directive each)" -v period="$(directive period)" \
	-v least="$(directive least)" '
function wrong(what) { if (faults++ < 5) said = said "; " what }
function number(name) {
	if (!match($0, "\"" name "\": [0-9.]+"))
		return 0
	return substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 4) + 0
}
# Of the line with the reasons: all but what the script wanted.
function sum_of_missed(sum, i, part, parts) {
	parts = split($0, part, /[,{]/)
	for (i = 2; i <= parts; i++)
		if (part[i] !~ /condition_off/) { sub(/.*:/, "", part[i]); sum += part[i] }
	return sum
}
function least_of_shares(smallest, i, part, parts) {
	parts = split($0, part, /[,{]/)
	for (smallest = 1; i < parts; )
		if (match(part[++i], /: [01]\.[0-9]+/) && substr(part[i], RSTART + 2) + 0 < smallest)
			smallest = substr(part[i], RSTART + 2) + 0
	return smallest
}
# Is a share, with so many digits behind the point, what is there of all, cut?
function is_cut(share, there, all, unit) {
	if (!all)
		return share == 1
	return share <= there / all + 1e-12 && there / all < share + unit + 1e-12
}

# ---- what has happened ----
BEGIN {
	rows = rows ? rows : 1
	each = each ? each : 1
	has_lines = kind ~ /^(values|pairs)$/
	is_exact = has_lines || kind ~ /^(count|stopwatch)$/
}
FILENAME == "truth" {
	known = $1 * each; longest = $2; busy = $3; began = $4; ended = $5; page_faults = $6; cpus = $7
	next
}
FILENAME == "uptime" { from = from ? from : $1; whole = ($1 - from + 0.02) * 1e9; next }
FILENAME == "took" { took[FNR] = $1; next }

# ---- what is said of it ----
FILENAME == "err" && /^(COMPLETE|PARTIAL)/ { verdict = verdict $0 }
FILENAME == "summary" && /"share":/ { share = number("share") }
FILENAME == "summary" && /"shares":/ {
	hits_share = number("hits"); output_share = number("output"); samples_share = number("samples")
	least_share = least_of_shares()
}
# What 32-bit programs call is no row of a program of 64 bits.
FILENAME == "summary" && /"point":/ && !/_compat_sys_|__ia32_/ && row++ < rows {
	entered = number("entered"); completed = number("completed"); in_flight = number("in_flight")
	getline
	missed = sum_of_missed()
	if (entered != completed + missed || in_flight || (is_exact && entered != known))
		wrong(entered " entered = " completed " completed + " missed " missed + " in_flight \
			" in flight, of " known)
	all += entered; there += completed; away += missed
}
FILENAME == "summary" && /"cpu":/ { unread += number("lost") }
FILENAME == "summary" && /"samples": \{ "expected"/ {
	expected = number("expected"); received = number("received"); lost = number("lost")
	other = number("own") + number("off") + number("asleep")
}
FILENAME == "summary" || FILENAME == "err" { next }

# ---- the values ----
$1 == "begin" || $1 == "end" { at[$1] = $2; others++; next }
{ lines++ }
has_lines {
	key = $1 (rows > 1 ? $3 : "")
	if ($1 < 1 || $1 > known || $2 != $1 + 1 || $1 != int($1)) wrong("line: " $0)
	if (key in seen) wrong("again: " $0)
	seen[key]
	latest += $1 > known - 200
}
kind == "pairs" && ($3 < least || $3 > took[$1]) { wrong($3 " of " took[$1] ": " $0) }
kind == "count" { counted = $1 }
kind == "stopwatch" && /^\{/ {
	tables++
	row_calls = $0; sub(/.*"rows":\[\{"function":"work","calls":/, "", row_calls)
	shortest = $0; sub(/.*"raw_min_ns":/, "", shortest)
	most = $0; sub(/.*"raw_max_ns":/, "", most)
	sub(/.*"calls":\{/, "")
	split($0, part, /[:,}]/)		# entered, timed, in_flight, missed
	if (part[2] != known || part[4] + part[8] != known || part[6] + 0 || part[4] != there ||
	    row_calls + 0 != there)
		wrong("table: " $0 ", " row_calls + 0 " in its row")
	if (shortest + 0 < 1 || most + 0 > longest)
		wrong(shortest + 0 " to " most + 0 " ns, the longest is " longest)
}
kind ~ /^(ticks|samples|faults)$/ {
	if ($1 < at["begin"] || (kind == "ticks" && $1 <= latest)) wrong("time: " substr($0, 1, 40))
	if (kind == "ticks" && runtime == "user" && latest && $1 != latest + period)
		wrong("after " latest " comes " substr($0, 1, 40))
	first = first ? first : $1; latest = $1
}
kind == "phases" && $1 != lines { wrong("line " lines ": " $0) }

# ---- the whole ----
# It is known how long ticks and samples came, at least and at most: clocks run a while before begin
# probes and after end probes, longer on a machine that stalls, but not outside of the run.
function judge_time(n, clocks, busy_ns) {
	if (n < busy_ns / period - 2 * clocks || n > whole * clocks / period + clocks)
		wrong(n " in " busy_ns " to " whole " ns")
}

# All are known, but for one at the begin and one at the end of each clock.
function judge_samples(found) {
	found = received + lost + other
	if (found > expected + 2 * cpus || found < expected - 2 * cpus)
		wrong(found " of " expected " samples")
	if (received != there) wrong(received " received, " there " handled")
	if (!is_cut(samples_share, received, received + lost, 1e-6))
		wrong("share of samples " samples_share ", not " received "/" received + lost)
	judge_time(expected, cpus, busy)
}

# Between the first and the last one there is one for each period, but that each of the two may have come
# later, by as many periods as ticks were late.
function judge_ticks(between) {
	between = (latest - first) / period
	judge_time(all, 1, ended - began)
	if (!unread && (between - all > away || all - between > away + 2))
		wrong(all " ticks in " latest - first " ns")
}

function judge_share(what, said_share, there, all) {
	if (!is_cut(said_share, there, all, 1e-4))
		wrong("verdict: " said_share " of " what ", of " there "/" all)
}

function judge_verdict(rest, cut, word) {
	if (share != least_share) wrong("share " share)
	if (share == 1 && verdict != "COMPLETE") wrong("all is there: " verdict)
	if (share < 1 && verdict !~ /^PARTIAL: [0-9.]+ % of /) wrong("not all is there: " verdict)
	cut["hits"] = cut["output"] = cut["samples"] = 1
	for (rest = verdict; match(rest, /[0-9.]+ % of (hits|output|samples)/); ) {
		split(substr(rest, RSTART, RLENGTH), word, " ")
		rest = substr(rest, RSTART + RLENGTH)
		cut[word[4]] = word[1] / 100
	}
	judge_share("hits", cut["hits"], there, all)
	judge_share("output", cut["output"], prints - unread, prints)
	judge_share("samples", cut["samples"], received, received + lost)
}

# Handlers in the kernel run in time, and the reader loses what they print; in the user runtime they run
# late and it is hits that are lost, but for timers, and what prints at its end only.
function must_lose() {
	if (situation == "idle" || kind ~ /^(count|phases)$/)
		return 0
	if (runtime == "kernel")
		return kind != "stopwatch"
	return kind != "ticks" && (kind != "stopwatch" || situation != "blocked")
}

# A processor of real-time threads is left to others for 0.05 of a second (sched_rt_runtime_us, or the fair
# server): what is printed in the 0.95 before does not fit. Of samples of time some are always lost. Ticks are
# late where handlers last; a slow guest has too few of them to fill a ring.
function has_lost() {
	if (kind == "ticks")
		return unread + away
	return runtime == "kernel" ? unread : kind == "samples" ? samples_share < 0.95 : away
}

END {
	prints = has_lines || kind ~ /^(ticks|samples|faults)$/ ? there + others : lines
	if (lines + others + unread != prints)
		wrong(lines + others " lines + " unread " lost of " prints)
	if (kind == "stopwatch" && tables != 1) wrong(tables + 0 " tables")
	if (kind == "count" && counted != known) wrong("counted " counted)
	if (kind == "phases" && lines != 4000) wrong(lines " lines")
	if (kind == "samples") judge_samples()
	if (kind == "ticks") judge_ticks()
	if (kind == "faults" && (all < known || all > page_faults + 64))
		wrong(all " of " known " to " page_faults " page faults")
	if (!is_cut(hits_share, there, all, 1e-6))
		wrong("share of hits " hits_share ", not " there "/" all)
	if (!is_cut(output_share, prints - unread, prints, 1e-6))
		wrong("share of output " output_share ", not " prints - unread "/" prints)
	judge_verdict()
	if (has_lines && situation == "stopped" && latest != 200 * rows)
		wrong(latest " of the last " 200 * rows)
	if (situation == "idle" && kind !~ /^(ticks|samples)$/ && share < 1)
		wrong("idle, and not all is there")
	if (must_lose() && !has_lost()) wrong("nothing is lost: the test is blind")
	printf("%s%s: %d of %d, %s%s\n", faults ? "FAIL " : "", situation, there - unread, all, verdict, said)
	exit faults > 0
}' truth uptime $([ "$kind" != pairs ] || echo took) summary err out
