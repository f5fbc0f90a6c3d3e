#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""check-data.py - what lib/data.c writes is read by Python's json and csv as the same values: every byte, texts at the limits of UTF-8, and what JSON and CSV escape; a full disk is an error."""
import csv
import io
import itertools
import json
import os
import subprocess

DRIVER = 'testsuite/unit/data_driver'
LEAD = (0x2c, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5,
         0xf8, 0xfe, 0xff)
TRAIL = (0x7f, 0x80, 0xbf, 0xc0)
texts = [b'', b'"', b'a,b', b'a\r\nb', b'\\n', b'"",""', b' a ', 'é€😀'.encode()]
texts += [bytes([a]) for a in range(1, 256)] + [bytes([a, b]) for a in range(1, 256) for b in LEAD]
texts += [bytes(t) for n in (1, 2) for t in itertools.product(LEAD, LEAD, *[TRAIL] * n)]


def replaced(text):
    """With U+FFFD for each byte that begins no character."""
    try:
        return text.decode()
    except UnicodeDecodeError as wrong:
        good = text[:wrong.start].decode()
        return good + '\ufffd' + replaced(text[wrong.start + 1:])


def written(form):
    run = subprocess.run([DRIVER, form], input=b'\n'.join(t.hex().encode() for t in texts) + b'\n', stdout=subprocess.PIPE, check=True)
    return run.stdout.decode()


def failed(stdout):
    run = subprocess.run([DRIVER, 'json'], input=b'61\n' * 10000, stdout=stdout, stderr=subprocess.PIPE)
    return run.returncode, run.stderr.decode()


expected = [replaced(t) for t in texts]
report = json.loads(written('json'))
rows = report.pop('rows')
assert report == {'schema': 'lapwing-test/1', 'before': '"rows"', 'empty': [],
                  'after': {'most': 2 ** 64 - 1, 'share': 0.25, 'list': [True, None, []]}}, report
assert len(rows) == len(texts)
for i, (row, text) in enumerate(zip(rows, expected)):
    objects = [{'name': text if k else None, 'type': 't'} for k in range(i % 3)]
    assert row == {'number': i, 'text': text, 'nothing': None, 'objects': objects, 'numbers': list(range(i % 3))}, (row, texts[i])

table = list(csv.reader(io.StringIO(written('csv'), newline='')))
assert table[0] == ['number', 'text', 'nothing', 'objects', 'numbers'], table[0]
assert len(table) == len(texts) + 1
for i, (row, text) in enumerate(zip(table[1:], expected)):
    objects = ['', 't', 't %s:t' % text][i % 3]
    assert row == [str(i), text, '', objects, ['', '0', '0 1'][i % 3]], (row, texts[i])

with open('/dev/full', 'wb') as full:
    status, said = failed(full)
    assert status == 1 and said.startswith('data_driver: cannot write standard output: '), said
reader, writer = os.pipe()
os.close(reader)
assert failed(writer) == (-13, ''), failed(writer)
