#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""check-probes.py - the points in doc/probes.md are those that the translator takes.

Input: the tables' first columns, where [x] may be left out, one of {a,b} is chosen, and PROGRAM is
process, process(string) or process(number); lapwing --dump-probe-types. A line for each point that
only one of the two has, and exit status 1.
"""
import os
import re
import subprocess
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), '../..'))


def close(text):
    """Index of the bracket that closes the one at the beginning."""
    depth = 0
    for i, c in enumerate(text):
        depth += (c in '[{') - (c in ']}')
        if not depth:
            return i
    raise ValueError('a bracket is open in ' + text)


def alternatives(text):
    """The parts of text between its outer commas."""
    parts, depth = [''], 0
    for c in text:
        depth += (c in '[{') - (c in ']}')
        if c == ',' and not depth:
            parts.append('')
        else:
            parts[-1] += c
    return parts


def expand(text):
    """All points that a cell stands for."""
    at = re.search(r'[\[{]', text)
    if not at:
        return {text}
    end = at.start() + close(text[at.start():])
    inner = alternatives(text[at.start() + 1:end]) + ([''] if at.group() == '[' else [])
    return {text[:at.start()] + middle + rest
            for choice in inner for middle in expand(choice) for rest in expand(text[end + 1:])}


written = set()
for line in open('doc/probes.md'):
    if line.startswith('| `'):
        for cell in re.findall('`([^`]*)`', line.split(' | ')[0]):
            written |= expand(cell.replace('PROGRAM', 'process[{(string),(number)}]'))
taken = set(subprocess.run(['./lapwing', '--dump-probe-types'], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.split())
for point in sorted(written - taken):
    print('FAIL doc/probes.md has %s, which the translator does not take' % point)
for point in sorted(taken - written):
    print('FAIL doc/probes.md does not have %s' % point)
if len(taken) < 200:
    print('FAIL only %d points are listed' % len(taken))
sys.exit(written != taken or len(taken) < 200)
