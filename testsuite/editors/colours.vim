" SPDX-License-Identifier: GPL-2.0-or-later
" colours.vim - writes, for the file at hand, the letter of each character's colour into $LETTERS (check.sh says which).
let s:letters = {
	\ 'Comment': 'c', 'String': 's', 'Escape': 'x', 'Declaration': 'k', 'Clause': 'k', 'Conditional': 'k', 'PointIf': 'k',
	\ 'Repeat': 'k', 'Statement': 'k', 'Exception': 'k', 'Type': 't', 'Print': 'b', 'Call': 'f', 'PointName': 'p',
	\ 'Number': 'n', 'Target': 'v', 'Macro': 'm', 'Operator': 'o', 'Condition': 'd', 'Argument': 'a',
	\ 'Point': '.', 'Clauses': '.', 'Parens': '.', 'Part': '.', 'Member': '.', '': '.' }
let s:lines = [&filetype]
for s:l in range(1, line('$'))
	let s:row = ''
	for s:c in range(1, strlen(getline(s:l)))
		let s:name = substitute(synIDattr(synID(s:l, s:c, 1), 'name'), '^lapwing', '', '')
		let s:row .= get(s:letters, s:name, 'e')
	endfor
	call add(s:lines, s:row)
endfor
call writefile(s:lines, $LETTERS)
quitall!
