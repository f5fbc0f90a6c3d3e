#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""formats.py JSON [CSV [ROWS]] - what holds of every report for programs: doc/formats.md has its members, and its CSV is the member rows (or
ROWS) of the JSON, each row with the same members."""
import csv
import json
import re
import sys


def parts(value):
    return value if isinstance(value, list) else value.values() if isinstance(value, dict) else []


def names(value):
    """Its members' names, but for those of objects with a schema of their own."""
    inner = [names(part) for part in parts(value) if not (isinstance(part, dict) and 'schema' in part)]
    return (set(value) if isinstance(value, dict) else set()).union(*inner)


def documented(report):
    for part in parts(report):
        if isinstance(part, dict) and 'schema' in part:
            documented(part)
    with open('doc/formats.md', encoding='utf-8') as file:
        sections = re.findall(r'^## (?:[^\n]*\b%s: |Members of all rep)(.*?)(?=^## |\Z)' % report['schema'], file.read(), re.M | re.S)
    missing = names(report) - set(re.findall('`([a-z0-9_]+)`', ''.join(sections))) - {'schema'}
    assert not missing, 'doc/formats.md says nothing of %s' % sorted(missing)


def cell(value):
    """Null is an empty cell, an array has spaces between items and colons between their members."""
    if isinstance(value, list):
        return ' '.join(':'.join(m for m in i.values() if m is not None) if isinstance(i, dict) else str(i) for i in value)
    return '' if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def same_rows(path, csv_path, rows='rows'):
    with open(path, encoding='utf-8') as file:
        rows = json.load(file, parse_float=str)[rows]       # numbers as they are written
    with open(csv_path, encoding='utf-8', newline='') as file:
        title, *table = csv.reader(file)
    assert len(set(title)) == len(title), title
    assert all(list(row) == title for row in rows), 'CSV has the columns %s' % title
    assert [list(map(cell, row.values())) for row in rows] == table, 'CSV and JSON differ'


if __name__ == '__main__':
    with open(sys.argv[1], encoding='utf-8') as whole:
        documented(json.load(whole))
    if len(sys.argv) > 2:
        same_rows(*sys.argv[1:])
