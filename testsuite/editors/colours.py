#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# colours.py - the letter of each character's colour (check.sh says which) by a TextMate grammar:
# what Visual Studio Code does, of the parts that ours has: match, begin and end, captures, includes.
# Python's regular expressions are Oniguruma's in what it uses.
# Usage: colours.py GRAMMAR FILE
import json
import re
import sys

LETTERS = {'comment': 'c', 'string': 's', 'constant.character.escape': 'x', 'keyword.operator': 'o',
           'keyword': 'k', 'storage.type': 't', 'support.function': 'b',
           'entity.name.function.macro': 'm', 'entity.name.function': 'f', 'entity.name.type': 'p',
           'constant.numeric': 'n', 'variable.other': 'v', 'variable.parameter': 'a',
           'punctuation.definition.directive': 'd', 'meta.embedded': 'e', 'meta': '.'}

grammar = json.load(open(sys.argv[1]))


def letter(name):
    return next(to for scope, to in LETTERS.items() if name.startswith(scope))


def rules(patterns):
    """The patterns, with includes of the repository in place; those of other grammars are left out."""
    for p in patterns:
        if p.get('include', '').startswith('#'):
            p = grammar['repository'][p['include'][1:]]
            yield from rules(p['patterns']) if 'match' not in p and 'begin' not in p else [p]
        elif 'include' not in p:
            yield p


def paint(row, match, captures, whole):
    """Colours of what was matched: those of its captures, else `whole`."""
    row[match.start():match.end()] = whole * (match.end() - match.start())
    for group, capture in captures.items():
        start, end = match.span(int(group))
        row[start:end] = letter(capture['name']) * (end - start)


def colours(lines):
    # Of each open rule: patterns, end, its captures, colours of the inside and of the whole.
    stack = [(grammar['patterns'], '(?!)', {}, '.', '.')]
    for text in lines:
        row, at = ['.'] * len(text), 0
        while True:
            patterns, end, end_captures, inside, whole = stack[-1]
            tried = [(end, None)] + [(r.get('match') or r['begin'], r) for r in rules(patterns)]
            found = [(re.compile(p).search(text, at), rule) for p, rule in tried]
            found = [f for f in found if f[0]]
            if not found:
                break
            m, rule = min(found, key=lambda f: f[0].start())     # of several the first
            row[at:m.start()] = inside * (m.start() - at)
            at = m.end()
            if rule is None:
                stack.pop()
                paint(row, m, end_captures, whole)
                continue
            colour = letter(rule['name']) if 'name' in rule else inside
            paint(row, m, rule.get('captures') or rule.get('beginCaptures') or {}, colour)
            if 'begin' in rule:
                content = letter(rule['contentName']) if 'contentName' in rule else colour
                stack.append((rule.get('patterns', []), rule['end'],
                              rule.get('endCaptures', {}), content, colour))
        row[at:] = stack[-1][3] * (len(text) - at)
        yield ''.join(row)


print('\n'.join(colours(open(sys.argv[2]).read().splitlines())))
