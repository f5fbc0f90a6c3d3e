#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""check-json.py - --json-diagnostics has the messages that lapwing prints, with the same codes, places and hints: of all wrong scripts of testsuite/parse and testsuite/check."""
import glob
import json
import re
import subprocess
import sys


def run(*words):
    done = subprocess.run(['./lapwing', *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    said = re.sub(r'^lapwing-vm: .*\n', '', done.stderr.decode(errors='replace'), flags=re.M)
    return done.returncode, done.stdout.decode(errors='replace'), said


failed = messages = hints = related = 0
scripts = sorted(glob.glob('testsuite/parse/bad/*.stp') + glob.glob('testsuite/check/bad/*.stp'))
for script in scripts:
    options = ['-r', '6.1.0-0', '-p2', script]
    status, _, said = run(*options)
    json_status, out, err = run('--json-diagnostics', *options)
    rows = json.loads(out)['diagnostics']
    # A second message of a chain has no code; it is related, as is an expansion.
    blocks = re.split(r'(?=^(?:parse error|semantic error|ERROR|WARNING): )', said, flags=re.M)[1:]
    first = [b for b in blocks if re.search(r'\[lapwing explain \w+\]', b)]
    wanted = []
    for block in first:
        code = re.search(r'\[lapwing explain (\w+)\]', block)[1]
        place = re.search(r' at (.*?):(\d+):(\d+)(?: \[lapwing|\n)', block)
        wanted.append((code, (int(place[2]), int(place[3])) if place else None))
    got = [(r['code'], (r['line'], r['column'])) for r in rows]
    places = all(w[0] == g[0] and w[1] in (None, g[1]) for w, g in zip(wanted, got))
    if json_status != status or len(got) != len(wanted) or not places or sum(len(r['hints']) for r in rows) != said.count('  hint: ') or err:
        print('FAIL', script, 'status', json_status, 'not', status, got, wanted, err)
        failed += 1
    messages += len(rows)
    hints += sum(len(r['hints']) for r in rows)
    related += sum(len(r['related']) for r in rows)

status, out, err = run('--json-diagnostics', '-e', 'probe begin { printx(1) }\nprobe end { println("\u00e9" . s); s = 1 }')
row = json.loads(out)['diagnostics'][0]
assert (status, row['code'], row['file'], row['line'], row['column'], row['end_line'], row['end_column']) == (1, 'E0511', '<input>', 1, 15, 1, 21), row
status, out, err = run('--json-diagnostics', '-e', 'probe begin { println(1) }')
assert (status, json.loads(out), err) == (0, {'schema': 'lapwing-diagnostics/1', 'diagnostics': []}, ''), (status, out, err)
status, out, err = run('--json-diagnostics', 'testsuite/none.stp')
assert status == 1 and json.loads(out)['diagnostics'][0]['code'] == 'E0101' and not err, (status, out, err)
print('json diagnostics: %d messages of %d scripts, %d hints, %d related places, %d failed' % (messages, len(scripts), hints, related, failed))
sys.exit(failed != 0 or messages < 100 or hints < 20 or related < 3)
