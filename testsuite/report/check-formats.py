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
    for unit, name in (86400e9, 'd'), (3600e9, 'h'), (60e9, 'min'), (1e9, 's'), (1e6, 'ms'), (1e3, 'us'):
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
            said['received'], ' of %d expected' % said['expected'] if said['expected'] is not None else '', said['lost'], said['idle'],
            ', %d not taken on idle CPUs' % said['asleep'] if said['asleep'] else '',
            ', %d left out: of recording itself' % said['own'] if said['own'] else '', span(said['recording_ns']),
            percent(said['recording_ns'], said['duration_ns']))
    if said['cut_short']:
        yield ('short %d periods (%.0f %%) were cut short, as their threads ended or moved: a higher -F, or -a, whose clocks belong to the CPUs, '
               'loses fewer' % (said['cut_short'], percent(said['cut_short'], said['expected'])))
    if said['paused_ns']:
        yield 'paused sampling was off for %s' % span(said['paused_ns'])


def verdict():
    assert (said['verdict'] == 'COMPLETE') == (not said['reasons']) and said['verdict'] in ('PARTIAL', 'UNKNOWN', 'COMPLETE'), said
    assert said['verdict'] != 'UNKNOWN' or said['expected'] is None, said
    yield from (said['verdict'] + ': ' + reason for reason in said['reasons'])
    if not said['reasons']:
        yield 'COMPLETE'


# ---- lapwing report ----

def table(rows, keys, left):
    samples, weight = (sum(row[name] for row in rows) for name in ('samples', 'weight'))
    if left:
        samples, weight = said['samples'], said['weight']
    # samples of a row weigh the same here, those of different rows may not
    squares = [row['weight'] ** 2 / row['samples'] for row in rows]
    if left:
        assert len({row['weight'] / row['samples'] for row in rows}) == 1, rows
        squares.append((weight - sum(row['weight'] for row in rows)) * weight / samples)
    for row, square in zip(rows, squares):
        share = row['weight'] / weight
        variance = (1 - share) ** 2 * square + share ** 2 * (sum(squares) - square)
        n = share * (1 - share) * weight ** 2 / variance if variance and share < 1 else weight ** 2 / sum(squares)
        half = 100 * 1.96 * math.sqrt(share * (1 - share) / n + 1.96 ** 2 / (4 * n ** 2)) / (1 + 1.96 ** 2 / n)
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


# ---- lapwing callgraph ----

def called(row, other=None):
    """CALLS+ITSELF of a function or cycle, CALLS/OTHER of a call."""
    if row['calls'] is None:
        return []
    if other is not None:
        return ['%d/%d' % (row['calls'], other)]
    return ['%d+%d' % (row['calls'], row['self_calls']) if row['self_calls'] else '%d' % row['calls']]


def spent(*weights):
    return ['< floor' if w is None else '%.2f' % (w / (1e6 if said['unit'] == 'nanoseconds' else 1)) for w in weights]


def cycle(row):
    return (' <cycle %d>' % row['cycle'] if row['cycle'] else '') + ' [%d]' % row['index']


def entry(row, functions, calls):
    """Its lines, without their order: calls that weigh the same have none."""
    if row['kind'] == 'cycle':
        members = [f for f in functions.values() if f['cycle'] == row['cycle']]
        name = '<cycle %d as a whole> [%d]' % (row['cycle'], row['index'])
    else:
        members = []
        name = row['function'] + cycle(row)
    yield ' '.join(['[%d] %.1f' % (row['index'], row['total_percent'])] + spent(row['self'], row['children']) + called(row) + [name])
    for f in members:
        yield ' '.join(spent(f['self'], f['children']) + called(f) + [f['function'] + cycle(f)])
    if row['kind'] == 'cycle':
        return
    callers = [call for call in calls if call['index'] == row['index']]
    if not callers:
        yield '<spontaneous>'
    if row['recursive']:
        yield '(calls itself)'
    for call in callers:
        caller = functions[call['caller']]
        yield ' '.join(spent(call['self'], call['children']) + called(call, row['calls']) + [caller['function'] + cycle(caller)])
    for call in calls:
        if call['caller'] == row['index']:
            callee = functions[call['index']]
            assert callee['function'] == call['function'] and row['function'] == call['caller_function'], call
            yield ' '.join(spent(call['self'], call['children']) + called(call, callee['calls']) + [callee['function'] + cycle(callee)])


def flat(functions):
    whole = 0
    for f in sorted(functions, key=lambda f: (-(f['self'] or 0), -(f['calls'] or 0), f['function'].encode())):
        if f['self'] or f['calls']:
            whole += f['self'] or 0
            yield ' '.join(['%.2f' % percent(f['self'] or 0, said['weight'])] + spent(whole, f['self'], f['total']) + called(f) +
                           ['%s [%d]' % (f['function'], f['index'])])


def of_calls():
    calls = said['calls']
    if said['counted']:
        yield 'calls counted by a script' + ('; time is that of samples' if said['samples'] else ', with their time')
        if calls['own_ns']:
            yield ('floor %s were the probes\' own cost, %s +- %s a call, and are taken off; "< floor": no more than that varies by' %
                   (span(calls['own_ns']), span(calls['own_ns'] / (calls['made'] - calls['raw'])), span(calls['spread_ns'])))
        if calls['raw']:
            yield ('floor %d of %d calls have the probes\' own cost in their times' % (calls['raw'], calls['made']) +
                   (': they ended before it was known' if calls['own_ns'] else ', which a callgraph declaration would take off'))
    if calls['left']:
        yield ('calls %d never returned (longjmp, exception): what was called until an outer one returned is shown as theirs' % calls['left'])
    if calls['refused']:
        yield ('calls %d found a table full: those of %d arcs, which have no row; lapwing record --arcs makes room' %
               (calls['refused'], calls['arcs_refused']))


def counts():
    for row in said['counts']:
        numbers = [(event['self'], event['total']) for event in row['events']]
        shown = ['< floor' if n is None else str(n) for pair in numbers for n in pair]
        cycles, instructions = (next((e['self'] for e in row['events'] if e['event'] == name), 0) for name in ('cycles', 'instructions'))
        assert (row['cpi'] is None) == (not cycles or not instructions), row
        assert row['cpi'] is None or abs(row['cpi'] - cycles / instructions) < 1e-4, row
        shown.append('-' if row['cpi'] is None else '%.2f' % row['cpi'])
        yield ' '.join([str(row['calls']), '< floor' if row['self_ns'] is None else '%.2f' % (row['self_ns'] / 1e6)] + shown +
                       ['%s > %s' % (row['caller_function'] or '<spontaneous>', row['function'])])


def callgraph():
    functions = {row['index']: row for row in said['rows'] if row['kind'] == 'function'}
    calls = [row for row in said['rows'] if row['kind'] == 'call']
    for row in said['rows']:
        assert abs(row['total_percent'] - percent(row['total'] or 0, said['weight'])) < 1e-4, row
        assert abs(row['self_percent'] - percent(row['self'] or 0, said['weight'])) < 1e-4, row
        assert None in (row['self'], row['children'], row['total']) or max(row['self'], row['total']) - row['self'] == row['children'], row
    yield from heading()
    yield from of_calls()
    if not said['arcs']:
        yield 'There are no stacks in this capture: record with -g'
    if said['stacks_cut']:
        yield ('stacks %.2f %% were cut off: outer callers are missing, up to where the thread began; no frame pointer led to them '
               '(--call-graph dwarf needs none), or there were more than kernel.perf_event_max_stack' % percent(said['stacks_cut'], said['samples']))
    yield from flat(functions.values())
    if '--flat' not in options:
        for row in said['rows']:
            if row['kind'] != 'call':
                yield from sorted(entry(row, functions, calls), key=str.split)
    yield from counts()
    yield from verdict()


def in_entries(lines):
    """The lines of the text, those between rules in an order of their own."""
    part = []
    for line in lines:
        if line and set(line[0]) == {'-'} and len(line[0]) > 1:
            yield from sorted(part)
            part = []
        elif line[:2] == ['index', '%']:
            yield from part
            part = []
        elif line[:2] not in (['flat', 'profile'], ['%', 'time'], ['call', 'graph:'], ['counts', 'of'], ['calls', 'self']):
            part.append(line)
    yield from part


# ---- lapwing annotate ----

def of_code():
    """The title of each function, and its rows."""
    has_cpi = any(is_title(line) and 'CPI' in line for line in text)
    blocks = said['schema'] == 'lapwing-annotate-blocks/1'
    for f in said['functions']:
        rows = [row for row in said['rows'] if (row['function'], row['image']) == (f['function'], f['image'])]
        assert sum(row['samples'] for row in rows) + f['elsewhere'] == f['samples'] and f['samples'], f
        yield '%s [%s]: %.2f %% of all, %d samples of %s' % (f['function'], f['image'], f['percent'], f['samples'], said['event'])
        if f['cut'] or f['elsewhere']:
            yield 'PARTIAL: %s%d samples are on no instruction that is shown' % ('only the first MB was kept; ' if f['cut'] else '', f['elsewhere'])
        block, line = None, None
        for row in rows:
            assert abs(row['percent'] - percent(row['weight'], f['weight'])) < 1e-4, row
            shown = ['%d %.2f' % (row['samples'], row['percent'])] if row['samples'] or blocks else []
            assert has_cpi or row['cpi'] is None, row
            if has_cpi:
                shown.append('-' if row['cpi'] is None else '%.2f' % row['cpi'])
            if blocks:
                yield ' '.join(shown + [str(row['block']), row['address'][2:], str(row['instructions'])] + [str(n) for n in row['next']] +
                               ['out'] * row['leaves'])
                continue
            if row['block'] != block:
                block = row['block']
                yield 'block %d' % block
            if row['line'] is not None and (row['file'], row['line']) != line:
                line = row['file'], row['line']
                yield '%s:%d' % line
            yield ' '.join(shown + [row['address'][2:], row['instruction']])


made = [line.split() for line in
        {'lapwing-report/1': report, 'lapwing-callgraph/1': callgraph}.get(said['schema'], of_code)()]
text = [line for line in text if line and not is_title(line)]
if said['schema'] == 'lapwing-callgraph/1':
    text = list(in_entries(text))
for got, expected in zip(made, text):
    assert got == expected, ' '.join(got) + '\nis in the text ' + ' '.join(expected)
assert len(made) == len(text), (made[len(text):], text[len(made):])
formats.documented(said)
formats.same_rows(*sys.argv[2:4])
