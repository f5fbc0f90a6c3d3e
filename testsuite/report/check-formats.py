#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""check-formats.py TEXT JSON CSV [OPTION...] - a report's text, made anew out of its JSON, is the text: every value that is in it; and what
testsuite/formats.py asks of every report. Shares are computed here, from counts and weights. Blanks are not compared. OPTIONs are those of
the text."""
import json
import math
import sys
import time

sys.path.insert(0, 'testsuite')
import formats

with open(sys.argv[1], encoding='utf-8') as file:
    text = [line.split() for line in file.read().split('\n')]
with open(sys.argv[2], encoding='utf-8') as file:
    said = json.load(file)
options = sys.argv[4:]
UNKNOWN = {'image': '-', 'line': '(no line)', 'address': '-', 'phase': '-'}


def percent(part, all):
    return 100 * part / all if all else 0


def span(ns):
    for unit, name in (1e9, 's'), (1e6, 'ms'), (1e3, 'us'):
        if ns >= unit:
            return '%.3g %s' % (ns / unit, name)
    return '%.0f ns' % ns


def heading():
    yield 'command %s%s' % (said['command'] or '(none)', ' (the whole machine)' if said['system_wide'] else '')
    when = time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime(said['start_ns'] // 10 ** 9))
    yield 'when %s UTC, for %s, on %s (%s, Linux %s, %d CPUs)' % (when, span(said['duration_ns']), said['host'], said['machine'], said['kernel'],
                                                                 said['cpus'])
    if said['off_cpu']:
        how = 'time off the CPU, exact'
    elif said['period']:
        how = 'a sample every ' + (span(said['period']) if said['unit'] == 'nanoseconds' else str(said['period']))
    elif said['unit'] == 'nanoseconds':
        how = 'times of calls, as a script took them'
    else:
        how = 'at a steady rate, each sample weighs what was counted since the one before'
    yield 'event %s: %s' % (said['event'], how)
    if said['received'] is not None:
        yield 'samples %d received%s, %d lost, %d idle%s%s; recording took %s of CPU time (%.2f %% of one CPU)' % (
            said['received'], ' of %d expected' % said['expected'] if said['expected'] else '', said['lost'], said['idle'],
            ', %d not taken on idle CPUs' % said['asleep'] if said['asleep'] else '',
            ', %d left out: of recording itself' % said['own'] if said['own'] else '', span(said['recording_ns']),
            percent(said['recording_ns'], said['duration_ns']))
    if said['cut_short']:
        yield ('short %d periods (%.0f %%) were cut short, as their threads ended or moved: a higher -F, or -a, whose clocks belong to the CPUs, '
               'loses fewer' % (said['cut_short'], percent(said['cut_short'], said['expected'])))
    if said['paused_ns']:
        yield 'paused sampling was off for %s (lapwing ctl)' % span(said['paused_ns'])


def verdict():
    assert (said['verdict'] == 'PARTIAL') == bool(said['reasons']) and said['verdict'] in ('PARTIAL', 'COMPLETE'), said
    yield from ('PARTIAL: ' + reason for reason in said['reasons'])
    if not said['reasons']:
        yield 'COMPLETE'


# ---- lapwing report ----

def table(rows, keys, left):
    samples, weight = (sum(row[name] for row in rows) for name in ('samples', 'weight'))
    if left:
        samples, weight = said['samples'], said['weight']
    for row in rows:
        share = row['samples'] / samples
        half = 100 * 1.96 * math.sqrt(share * (1 - share) / samples + 1.96 ** 2 / (4 * samples ** 2)) / (1 + 1.96 ** 2 / samples)
        assert abs(row['percent'] - percent(row['weight'], weight)) < 1e-4 and abs(row['interval'] - half) < 1e-4, row
        shown = ['%.3f %.2f' % (row['weight'] / 1e6, row['percent']) if said['off_cpu'] else
                 '%d %.2f %.2f' % (row['samples'], percent(row['weight'], weight), half)]
        if '--delayed' in options and not said['off_cpu']:
            shown.append('%d %d' % (row['samples'] - row['delayed'], row['delayed']))
        assert all(row[key] != UNKNOWN.get(key) for key in keys), row
        yield ' '.join(shown + [str(row[key]) if row[key] is not None else UNKNOWN[key] for key in keys])
    if left:
        yield '... %d rows more, %.2f %% together (--limit, --min)' % (left, percent(weight - sum(r['weight'] for r in rows), weight))


def is_title(line):
    return line[:2] in (['count', 'percent'], ['ms', 'percent'])


def report():
    yield from heading()
    modes = ', '.join('%s %.2f %%' % (mode['mode'], percent(mode['weight'], said['weight'])) for mode in said['modes'])
    late = '; %d samples came late: interrupts were off, or the machine stood still (--delayed)' % said['delayed']
    if modes:
        yield 'where ' + modes + (late if said['delayed'] else '')
    keys = ['function', 'image']
    for option in options:
        keys = option[5:].split(',') if option.startswith('--by=') else keys
    if '--apart' in options:
        for part, title, of in (('user', "programs' own code", keys), ('kernel_by_program', 'the kernel, for each program', ['name', 'function', 'image']),
                                ('kernel', 'the kernel, altogether', ['function', 'image']), ('idle', 'idle', ['cpu'])):
            rows = [row for row in said['rows'] if row['part'] == part]
            if rows:
                yield title
                yield from table(rows, of, 0)
    else:
        if not said['rows_left']:
            assert said['weight'] == sum(row['weight'] for row in said['rows']) and said['samples'] == sum(row['samples'] for row in said['rows'])
        yield from table(said['rows'], keys, said['rows_left'])
    if '--threads' in options:
        yield 'on CPU ms off CPU ms wall ms thread'
        for t in said['threads']:
            yield '%.3f %.3f %.3f %s(%d)' % (t['on_ns'] / 1e6, t['off_ns'] / 1e6, t['wall_ns'] / 1e6, t['name'], t['tid'])
    yield from verdict()


made = [line.split() for line in {'lapwing-report/1': report}[said['schema']]()]
text = [line for line in text if line and not is_title(line)]
for got, expected in zip(made, text):
    assert got == expected, ' '.join(got) + '\nis in the text ' + ' '.join(expected)
assert len(made) == len(text), (made[len(text):], text[len(made):])
formats.documented(said)
formats.same_rows(*sys.argv[2:4])
