# SPDX-License-Identifier: GPL-2.0-or-later
"""check-export.py PREFIX PROGRAM - reads PREFIX.folded, .speedscope.json, .firefox.json, .trace.json, .csv, .json and .pb.txt (decoded) as their programs
do, and compares how much of the samples' weight is each function's own, and its with what it called; PREFIX.report (report --csv) and
PREFIX.calls (callgraph) say the same of functions that are not inlined. Most samples are PROGRAM's."""
import csv
import json
import re
import sys

prefix, program = sys.argv[1:]
INLINED = ' inlined'


def text(ending):
    with open(prefix + ending, encoding='utf-8') as file:
        return file.read()


def sums(stacks):
    """{name: its own weight}, {name: with what it called}, of (names from the outermost on, weight)."""
    own, whole = {}, {}
    for names, weight in stacks:
        names = [name.replace(';', ':') for name in names] or ['(no stack)']
        own[names[-1]] = own.get(names[-1], 0) + weight
        for name in set(names):
            whole[name] = whole.get(name, 0) + weight
    return own, whole


def function(name):
    """Code without a symbol is called by its file, or by where it is in that."""
    return '(no symbol)' if name[:1] in '/[' or re.search(r'.\+0x[0-9a-f]+$', name) else name


def folded():
    for line in text('.folded').splitlines():
        stack, weight = line.rsplit(' ', 1)
        names = stack.split(';')
        assert 'main' in stack or '[k]' in stack or 'ld-linux' in stack or 'heavy' not in stack, line
        if names != ['(idle)']:
            del names[0]
        yield [function(name.removesuffix('_[k]').replace('_[i]', INLINED)) for name in names], int(weight)


def plain(stacks):
    for names, weight in stacks:
        yield [name.removesuffix(INLINED) for name in names], weight


def unique(rows):
    """A function is there once: viewers add up by its number."""
    rows = list(rows)
    assert len(set(rows)) == len(rows), rows


def speedscope():
    file = json.loads(text('.speedscope.json'))
    frames = file['shared']['frames']
    assert file['$schema'] == 'https://www.speedscope.app/file-format-schema.json'
    assert all(isinstance(f['name'], str) for f in frames)
    unique((f['name'], f['file']) for f in frames)
    totals = [profile['endValue'] for profile in file['profiles']]
    assert not totals or totals[file['activeProfileIndex']] == max(totals), totals
    for profile in file['profiles']:
        assert profile['type'] == 'sampled' and profile['unit'] in ('nanoseconds', 'none') and profile['startValue'] == 0
        assert len(profile['samples']) == len(profile['weights']) and profile['endValue'] == sum(profile['weights'])
        for stack, weight in zip(profile['samples'], profile['weights']):
            yield [function(frames[i]['name']) for i in stack], weight


def columns(table, *names):
    assert all(len(table[name]) == table['length'] for name in names), table.keys()


def firefox():
    file = json.loads(text('.firefox.json'))
    assert file['meta']['preprocessedProfileVersion'] == 48 and len(file['meta']['categories']) == 2
    for thread in file['threads']:
        strings, func, frame, stack, samples = (thread[name] for name in
                                                ('stringArray', 'funcTable', 'frameTable', 'stackTable', 'samples'))
        columns(samples, 'stack', 'time', 'weight')
        columns(stack, 'frame', 'prefix', 'category', 'subcategory')
        columns(frame, 'address', 'inlineDepth', 'category', 'subcategory', 'func', 'nativeSymbol', 'implementation', 'line', 'column')
        columns(func, 'name', 'isJS', 'relevantForJS', 'resource', 'fileName', 'lineNumber', 'columnNumber')
        columns(thread['resourceTable'], 'lib', 'name', 'host', 'type')
        assert samples['time'] == sorted(samples['time'])
        assert all(p is None or p < i for i, p in enumerate(stack['prefix']))
        unique(zip(func['name'], func['resource']))
        scale = {'tracing-ms': 1e6, 'samples': 1}[samples['weightType']]
        for leaf, weight in zip(samples['stack'], samples['weight']):
            names = []
            while leaf is not None:
                names.insert(0, strings[func['name'][frame['func'][stack['frame'][leaf]]]])
                leaf = stack['prefix'][leaf]
            yield names, round(weight * scale)


def octal(m):
    """protobuf writes bytes as three octal digits, JSON wants four hexadecimal ones; both double a backslash."""
    return m[0] if m[1] == '\\' else '\\u%04x' % int(m[1], 8)


def pprof():
    strings = [json.loads('"%s"' % re.sub(r'\\(\\|\d{3})', octal, s).replace("\\'", "'")).encode('latin-1').decode()
               for s in re.findall(r'^string_table: "(.*)"$', text('.pb.txt'), re.M)]
    blocks = re.findall(r'^(\w+) \{\n(.*?)^\}', text('.pb.txt'), re.M | re.S)
    number = lambda body, name: [int(n) for n in re.findall(r'\b%s: (\d+)' % name, body)]
    functions = {number(body, 'id')[0]: strings[(number(body, 'name') or [0])[0]] for kind, body in blocks if kind == 'function'}
    mappings = [number(body, 'id')[0] for kind, body in blocks if kind == 'mapping']
    locations = {}
    for kind, body in blocks:
        if kind == 'location':
            assert number(body, 'mapping_id')[0] in mappings
            locations[number(body, 'id')[0]] = [functions[n] for n in number(body, 'function_id')]
    first = next(body for kind, body in blocks if kind == 'mapping')
    assert strings[0] == '' and strings[number(first, 'filename')[0]].endswith('/' + program), first
    for kind, body in blocks:
        if kind == 'sample':
            names = [name for n in number(body, 'location_id') for name in locations[n]]
            yield names[::-1], number(body, 'value')[1]


def rows():
    table = list(csv.DictReader(text('.csv').splitlines()))
    file = json.loads(text('.json'))
    assert file['schema'] == 'lapwing-profile/1' and file['verdict'] in ('COMPLETE', 'PARTIAL', 'UNKNOWN')
    assert [(r['function'], int(r['weight'])) for r in table] == [(r['function'], r['weight']) for r in file['rows']]
    return [([r['function']], int(r['weight'])) for r in table]


def report():
    table = csv.DictReader(text('.report').splitlines())
    return [([r['function']], int(r['weight'])) for r in table]


def same(who, found, expected):
    differ = {name: (found.get(name), expected.get(name)) for name in found.keys() | expected.keys() if found.get(name) != expected.get(name)}
    assert not differ, (who, differ)


def calls():
    """{name: its own}, {name: with what it called}, as the call graph's entries say."""
    own, whole = {}, {}
    for line in text('.calls').splitlines():
        row = re.match(r'\[\d+\] +[0-9.]+ +([0-9.]+) +([0-9.]+)  (.*?)( <cycle \d+>)? \[\d+\]$', line)
        if row and not row[3].endswith('as a whole>'):
            own[row[3]] = own.get(row[3], 0) + float(row[1])
            whole[row[3]] = whole.get(row[3], 0) + float(row[1]) + float(row[2])
    return own, whole


def chrome():
    """Every sample is an instant, at a time of its own."""
    for event in json.loads(text('.trace.json'))['traceEvents']:
        assert event['ph'] in 'iM' and (event['ph'] == 'M' or event['ts'] >= 0), event
        if event['ph'] == 'i':
            stack = event['args']['stack']
            yield [function(name) for name in stack.split(';')] if stack else [], event['args']['weight']


def near(who, found, expected, unit):
    """Each number that is printed has two digits behind the point."""
    for name, weight in expected.items():
        assert abs(found.get(name, 0) - weight / unit) < 0.05, (who, name, found.get(name), weight / unit)


own, whole = sums(plain(folded()))
for reader in (speedscope, firefox, pprof):
    for found, expected in zip(sums(reader()), (own, whole)):
        same(reader.__name__, found, expected)
own, whole = sums(([name for name in names if not name.endswith(INLINED)], weight) for names, weight in folded())
for reader in (rows, report, chrome):
    same(reader.__name__, sums(reader())[0], own)
unit = 1e6 if json.loads(text('.json'))['unit'] == 'nanoseconds' else 1
for found, expected in zip(calls(), (own, whole)):
    near('callgraph', found, expected, unit)
