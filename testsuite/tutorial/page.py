#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""page.py - what README.md, pages of doc/ and the manual pages show is true.

page.py output here|guest PAGE: runs the commands of the indented blocks (`$ COMMAND`, followed by
its output), those that need a guest or the others, and compares the shape of what they print.
page.py commands PAGE PID: runs or translates each command between backticks in the last column of
a table; PID in it is that process.
page.py tries PAGE: runs its lines that begin with ./lapwing, as they are or translated, too.
page.py examples PID PAGE...: runs the EXAMPLES of manual pages, each line in the order of the page,
or translates those that need a module, a guest or systemd. The folders of the system that pages of
section 8 name are below this one.
A line for each that is not as it should be, and exit status 1.
"""
import re
import shlex
import subprocess
import sys


def blocks(page):
    """The commands of a page, each with the lines that it prints."""
    commands, output = [], None
    for line in open(page):
        if not line.startswith('    '):
            output = None if line.strip() else output
        elif line.startswith('    $ '):
            output = []
            commands.append((line[6:].rstrip('\n'), output))
        elif output is not None:
            output.append(line)
    return commands


def shape(lines):
    """What is the same in each run: not numbers, spaces, folders, nor what a stall does."""
    result = []
    for line in lines:
        line = re.sub(r'(/[^/ "]+)+/service', '/service', line)
        line = re.sub(r'< floor|\b0x[0-9a-f]+|\d[\d.:]*', '0', line)
        line = re.sub(r'(?<=\s)-(?=\s|$)|(?<=,)(?=,)', '0', re.sub(r'\s+', ' ', line)).strip()
        line = line.replace(' (PARTIAL: some were lost, the report says how many)', '')
        if re.match('PARTIAL: (0 % of samples$|in 0 % of the samples the innermost)', line):
            line = 'COMPLETE'
        # only a terminal is told that all is there
        if line and line != 'COMPLETE' and not line.startswith('WARNING: 0 samples were lost'):
            result.append(line)
    return result


def same(wanted, seen):
    """Is that the output? '...' stands for any number of lines."""
    if not wanted:
        return not seen
    if wanted[0] == '...':
        return any(same(wanted[1:], seen[i:]) for i in range(len(seen) + 1))
    return bool(seen) and wanted[0] == seen[0] and same(wanted[1:], seen[1:])


def run(command, **options):
    """Status and output of a command of a shell."""
    if 'input' not in options:
        options['stdin'] = subprocess.DEVNULL
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    return done.returncode, done.stdout


def outputs(where, page):
    """Commands whose output has another shape than the page says."""
    commands = [(command, output) for command, output in blocks(page)
                if ('--target=vm' in command) == (where == 'guest')]
    for command, output in commands:
        _, seen = run(command, shell=True)
        wanted, lines = shape(output), shape(seen.splitlines())
        # On a busy machine rows in the order of their times may change places.
        if not same(wanted, lines) and sorted(wanted) != sorted(lines):
            yield '$ %s\n%s' % (command, seen)
    if not commands:
        yield 'no command'


def translated(words):
    """Runs a command, or translates what it would probe."""
    if words[1] in ('stopwatch', 'profile'):
        status, script = run(words[:2] + ['--expand'] + words[2:])
        if status:
            return status, script
        done = subprocess.run(['lapwing', '-p3', '-'], input=script, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout
    if words[1] in ('-l', '-L') or re.match(r'[a-z]+$|--dump', words[1]):
        return run(words)
    return run(['lapwing', '-p3'] + words[1:])


def commands(page, pid):
    """Commands of the last columns that fail."""
    rows = [line.rstrip().rstrip('|').rsplit('|', 1)[-1] for line in open(page)
            if line.startswith('|')]
    found = [command for row in rows for command in re.findall('`(lapwing [^`]*)`', row)]
    for command in found:
        status, seen = translated([word if word != 'PID' else pid
                                   for word in shlex.split(command)])
        if status:
            yield '%s: %s' % (command, seen[-500:])
    if len(found) < 40:
        yield 'only %d commands' % len(found)


def service(name):
    """Translates what systemd would run for lapwing@NAME."""
    with open('etc/lapwing/%s.conf' % name) as conf:
        options = shlex.split(conf.read().split('=', 1)[1])
    return translated(['lapwing'] + options + ['etc/lapwing/%s.stp' % name])


def example(command, pid):
    """Runs a line of a manual page's examples."""
    command = re.sub(r'\bPID\b', pid, command)
    unit = re.match(r'(?:systemctl|journalctl) .*lapwing@(\w+)$', command)
    if unit:
        return service(unit.group(1))
    if re.search(r'kernel\.function|vfs_|--target=vm', command):
        return translated(shlex.split(command))
    if command.startswith('lapwing top'):   # needs a terminal, and ends by a key
        return run(['script', '-qec', command, '/dev/null'], input='q')
    return run(command, shell=True)


def failing(page, lines, pid, least):
    """Those of the lines of a page that fail; there are so many at least."""
    for line in lines:
        status, seen = example(line, pid)
        if status:
            yield '%s: %s: status %d: %s' % (page, line, status, seen[-500:])
    if len(lines) < least:
        yield '%s: only %d examples' % (page, len(lines))


def tries(page):
    """Lines of a page that run what was built here, and fail."""
    return failing(page, re.findall(r'^    (\./lapwing .*)', open(page).read(), re.M), '1', 4)


def examples(pid, *pages):
    """Lines of manual pages' examples that fail."""
    for page in pages:
        text = re.search(r'^\.SH EXAMPLES\n(.*?)^\.SH ', open(page).read(), re.M | re.S)
        lines = text and re.findall(r'^[^.\n].*', '\n'.join(
            re.findall(r'^\.nf\n(.*?)^\.fi', text.group(1), re.M | re.S)), re.M) or []
        lines = [line.replace('\\-', '-').replace('\\e', '\\') for line in lines]
        if page.endswith('.8'):
            lines = [re.sub('/(?=(etc|usr|var)/)', './', line) for line in lines]
        yield from failing(page, lines, pid, 2)


kinds = {'output': outputs, 'commands': commands, 'examples': examples, 'tries': tries}
wrong = list(kinds[sys.argv[1]](*sys.argv[2:]))
for what in wrong:
    print('FAIL %s: %s' % (sys.argv[1], what))
sys.exit(bool(wrong))
