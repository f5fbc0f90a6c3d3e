# SPDX-License-Identifier: GPL-2.0-or-later
"""check-export.py PREFIX - reads PREFIX.folded, .speedscope.json, .firefox.json, .csv, .json and .pb.txt (decoded) as their programs do,
and compares how much of the samples' weight falls into function heavy, as the innermost frame."""
import csv
import json
import re
import sys

prefix = sys.argv[1]


def text(ending):
    with open(prefix + ending, encoding='utf-8') as file:
        return file.read()


def folded():
    total = {}
    for line in text('.folded').splitlines():
        stack, weight = line.rsplit(' ', 1)
        leaf = [name for name in stack.split(';') if not name.endswith('_[i]')][-1]
        total[leaf] = total.get(leaf, 0) + int(weight)
        assert 'main' in stack or '[k]' in stack or 'ld-linux' in stack or 'heavy' not in stack, line
    return total['heavy'], sum(total.values())


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
    heavy = total = 0
    for profile in file['profiles']:
        assert profile['type'] == 'sampled' and profile['unit'] == 'nanoseconds' and profile['startValue'] == 0
        assert len(profile['samples']) == len(profile['weights']) and profile['endValue'] == sum(profile['weights'])
        for stack, weight in zip(profile['samples'], profile['weights']):
            names = [frames[i]['name'] for i in stack]
            heavy += weight if names[-1] == 'heavy' or names[-2:] == ['heavy', 'stir'] else 0
            total += weight
    return heavy, total


def columns(table, *names):
    assert all(len(table[name]) == table['length'] for name in names), table.keys()


def firefox():
    file = json.loads(text('.firefox.json'))
    heavy = total = 0
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
        assert samples['weightType'] == 'tracing-ms'
        for leaf, ms in zip(samples['stack'], samples['weight']):
            weight = round(ms * 1e6)
            depth = frame['inlineDepth'][stack['frame'][leaf]]
            while depth:
                leaf, depth = stack['prefix'][leaf], depth - 1
            heavy += weight if strings[func['name'][frame['func'][stack['frame'][leaf]]]] == 'heavy' else 0
            total += weight
    return heavy, total


def pprof():
    strings = [json.loads('"%s"' % re.sub(r'\\(\d{3})', lambda m: '\\u%04x' % int(m[1], 8), s).replace("\\'", "'"))
               for s in re.findall(r'^string_table: "(.*)"$', text('.pb.txt'), re.M)]
    blocks = re.findall(r'^(\w+) \{\n(.*?)^\}', text('.pb.txt'), re.M | re.S)
    number = lambda body, name: [int(n) for n in re.findall(r'\b%s: (\d+)' % name, body)]
    functions = {number(body, 'id')[0]: strings[(number(body, 'name') or [0])[0]] for kind, body in blocks if kind == 'function'}
    mappings = [number(body, 'id')[0] for kind, body in blocks if kind == 'mapping']
    locations = {}
    for kind, body in blocks:
        if kind == 'location':
            assert number(body, 'mapping_id')[0] in mappings
            locations[number(body, 'id')[0]] = functions[number(body, 'function_id')[-1]]
    heavy = total = 0
    for kind, body in blocks:
        if kind == 'sample':
            weight = number(body, 'value')[1]
            heavy += weight if locations[number(body, 'location_id')[0]] == 'heavy' else 0
            total += weight
    assert strings[0] == '' and 'nanoseconds' in strings
    first = next(body for kind, body in blocks if kind == 'mapping')
    assert strings[number(first, 'filename')[0]].endswith('/load'), first
    return heavy, total


def rows():
    table = list(csv.DictReader(text('.csv').splitlines()))
    file = json.loads(text('.json'))
    assert file['schema'] == 'lapwing-profile/1' and file['verdict'] in ('COMPLETE', 'PARTIAL')
    assert [(r['function'], int(r['weight'])) for r in table] == [(r['function'], r['weight']) for r in file['rows']]
    return sum(int(r['weight']) for r in table if r['function'] == 'heavy'), sum(int(r['weight']) for r in table)


truth = folded()
for reader in (speedscope, firefox, pprof, rows):
    assert reader() == truth, (reader.__name__, reader(), truth)
