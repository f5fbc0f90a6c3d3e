#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""check-kernels.py - what the library needs of a kernel, for each kernel.

Every probe point and function of the library is translated by the kernel's BTF, symbols and events. What it cannot have is in the file
`lacks`, and nothing else is there; what probes the kernel's modules, where they are fetched. Each system call of the kernel, by its headers, is a row of tapsets/syscalls.tbl.
Kernels as arguments; else 6.1, and those of LAPWING_VM_RELEASES (testsuite/kernels) that are fetched.
"""
import fnmatch
import glob
import os
import re
import subprocess
import sys
import tempfile

# They have numbers and functions, but 64-bit programs cannot call them on x86-64.
FOR_32_BIT_PROGRAMS = ('get_thread_area', 'set_thread_area')

os.chdir(os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), '../..'))
failed = False


def fail(text):
    global failed
    failed = True
    print('FAIL', text)


def result(kernel, passed):
    verdict = '%s library/%s' % ('PASS' if passed else 'FAIL', kernel)
    print(verdict)
    if os.environ.get('LAPWING_TEST_RESULTS'):
        with open(os.environ['LAPWING_TEST_RESULTS'], 'a', encoding='utf-8') as results:
            results.write(verdict + '\n')


def output(*command, **environment):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, **environment}).stdout


def path(kernel, what):
    return output('runtime/vm/lapwing-vm', 'path', kernel, what).strip()


def table(name):
    with open(name, encoding='utf-8') as lines:
        return [line.rstrip('\n').split('\t') for line in lines if line.strip() and line[0] not in '#>']


def version(kernel):
    return [int(number) for number in re.match(r'(\d+)\.(\d+)', kernel).groups()]


def probes():
    """{name: the probes that have it}. Points of the C library are none of the kernel's, those of system calls are taken together."""
    found = {'syscall.*': ['probe syscall.*, nd_syscall.*, tp_syscall.* { }']}
    for name in re.findall(r'(?m)^([\w.]+) \+?= (?!.*process\()', output('./lapwing', '--dump-probe-aliases')):
        if 'syscall' not in name:
            found[name] = ['probe %s { }' % name]
    for name, types in re.findall(r'(?m)^(\w+):\w+ \((.*?)\)', output('./lapwing', '--dump-functions')):
        values = ['"cycles"' if one.endswith('string') else '0' for one in types.split(', ') if one]
        found.setdefault(name + '()', []).append('probe kernel.function("schedule") { %s(%s) }' % (name, ', '.join(values)))
    return found


def of_modules():
    """The aliases that probe functions of modules, or are other names of those."""
    listed = re.findall(r'(?m)^([\w.]+) \+?= (.*)', output('./lapwing', '--dump-probe-aliases'))
    found = {name for name, points in listed if 'module(' in points}
    return found | {name for name, points in listed if found & set(re.findall(r'[\w.]+', points))}


def modules(kernel):
    """The folder with lib/modules/RELEASE; None: not fetched."""
    run = subprocess.run(['runtime/vm/lapwing-vm', 'path', kernel, 'modules'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                         env={**os.environ, 'LAPWING_VM_OFFLINE': '1'}, check=False)
    return run.stdout.strip() or None if run.returncode == 0 else None


def translate(kernel, lines):
    """What the translator complains of; nothing is elided."""
    folder = modules(kernel)
    with tempfile.NamedTemporaryFile('w', suffix='.stp') as script:
        script.write('\n'.join(lines) + '\n')
        script.flush()
        run = subprocess.run(['./lapwing', '-u', '-w', '-g', '-p2', '-r', path(kernel, 'release'), '-a', path(kernel, 'arch'),
                              *(['--sysroot=' + folder] if folder else []), script.name],
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    return run.stderr.strip() or ('status %d' % run.returncode if run.returncode else '')


def kernel_lacks(kernel):
    """The names, or patterns, of the file `lacks` for it. "6.12-" is that series and all after it, "-5.10" all up to it."""
    rows = set()
    for span, name, _ in table('testsuite/library/lacks'):
        first, dash, last = span.partition('-')
        if (not first or version(first) <= version(kernel)) and (version(last or first) >= version(kernel) or (dash and not last)):
            rows.add(name)
    return rows


def check_library(kernel, all_probes):
    lacks = {row: fnmatch.filter(all_probes, row) for row in kernel_lacks(kernel)}
    for row, names in lacks.items():
        if not names and not fnmatch.filter(OF_MODULES, row):
            fail('%s: the library has no %s' % (kernel, row))
        elif names and not translate(kernel, [line for name in names for line in all_probes[name]]):
            fail('%s has %s' % (kernel, row))
    lacking = {name for names in lacks.values() for name in names}
    complaint = translate(kernel, [line for name, lines in all_probes.items() if name not in lacking for line in lines])
    if complaint:
        fail('%s lacks what the library needs, or has another name for it: %s' % (kernel, complaint))


def check_syscalls(kernel):
    """By numbers; a number without a function, as of a call that was never made, is none."""
    column = {'x86_64': 0, 'arm64': 1}[path(kernel, 'arch')]
    known = {}
    for row in table('tapsets/syscalls.tbl'):
        numbers = row[0].split('/')
        if len(numbers) == 2 and numbers[column]:
            known[numbers[column]] = re.split('[=,]', row[1])
    with open(os.path.join(path(kernel, 'symbols'), 'kallsyms'), encoding='utf-8') as symbols:
        functions = set(re.findall(r'__(?:x64|arm64)_sys_(\w+)$', symbols.read(), re.M))
    folders = [path(kernel, 'headers'), *glob.glob(path(kernel, 'headers') + '/../linux-headers-*-common*')]
    files = [os.path.join(folder, name) for folder in folders for name in (
        ('arch/x86/include/generated/uapi/asm/unistd_64.h',) if column == 0 else
        ('arch/arm64/include/generated/uapi/asm/unistd_64.h', 'include/uapi/asm-generic/unistd.h'))]
    text = ''.join(open(name, encoding='utf-8').read() for name in files if os.path.exists(name))
    calls = re.findall(r'#define __NR_(\w+) (\d+)', text)
    if len(calls) < 250:
        fail('%s: no headers with system calls' % kernel)
    names = {}
    for name, number in calls:
        if name in functions and (column or name not in FOR_32_BIT_PROGRAMS):
            names.setdefault(number, set()).add(name)
    for number in names:
        if not names[number] & set(known.get(number, [])):
            fail('%s: system call %s is %s, in tapsets/syscalls.tbl %s' % (kernel, number, *names[number], known.get(number)))


def fetched():
    for row in table(os.environ.get('LAPWING_VM_RELEASES', 'testsuite/kernels')):
        kernel = row[0].split()[0]
        ready = subprocess.run(['runtime/vm/lapwing-vm', 'path', kernel, 'symbols'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env={**os.environ, 'LAPWING_VM_OFFLINE': '1'}, check=False).returncode == 0
        if ready or kernel == '6.1':
            yield kernel


PROBES = probes()
OF_MODULES = of_modules()
if len(PROBES) < 500:
    fail('only %d points and functions' % len(PROBES))
all_passed = not failed
for one in sys.argv[1:] or fetched():
    failed = False
    check_library(one, PROBES if modules(one) else {name: lines for name, lines in PROBES.items() if name not in OF_MODULES})
    check_syscalls(one)
    result(one, not failed)
    all_passed = all_passed and not failed
sys.exit(not all_passed)
