#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""check-aliases.py - in the user runtime, -l has the library's aliases that -e takes, and -L the values that a handler can read.

Input: -L '**' and --dump-probe-aliases. Two scripts with an alias a line: one reads all that is listed and is translated, the other
names what is not listed and each line is refused. Output: a line for each alias that differs, and exit status 1.
"""
import json
import os
import subprocess
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), '../..'))


def lapwing(*options, script=None):
    return subprocess.run(['./lapwing', '--runtime=user', '-w', *options], input=script, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def refused(names, bodies):
    """{name: message} of the names whose probes, of these bodies, are not translated."""
    script = ''.join('probe %s { println(%s) }\n' % (n, b) for n, b in zip(names, bodies))
    told = json.loads(lapwing('--json-diagnostics', '-vvv', '-', script=script).stdout)['diagnostics']
    found = {}
    for d in told:
        for place in [d] + d['related']:
            if place['file'] == '<input>':
                found.setdefault(names[place['line'] - 1], d['message'])
    return found


known = {row['name'] for row in json.loads(lapwing('--json', '--dump-probe-aliases').stdout)['rows']}
listed = {row['point']: [v['name'] for v in row['variables'] if v['name'][0] != '$']
          for row in json.loads(lapwing('--json', '-L', '**').stdout)['rows'] if row['point'] in known}
# Other names of the syscall aliases: '**' lists each alias by one.
unlisted = sorted(name for name in known - set(listed) if not name.startswith(('nd_', 'dw_')))
faults = ['%s is listed, and refused: %s' % pair
          for pair in refused(list(listed), [', '.join(values or ['1']) for values in listed.values()]).items()]
no = refused(unlisted, ['1'] * len(unlisted))
faults += ['%s is not listed, and not refused' % name for name in unlisted if name not in no]
values = sum(map(len, listed.values()))
if os.geteuid() == 0 and (len(listed) < 500 or values < 3000):
    faults.append('only %d aliases and %d values are listed' % (len(listed), values))
for fault in faults:
    print('FAIL', fault)
sys.exit(bool(faults))
