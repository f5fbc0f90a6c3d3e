" SPDX-License-Identifier: GPL-2.0-or-later
" lapwing.vim - colours of Lapwing's scripts: SystemTap's language, and the stopwatch, profile and
" callgraph declarations. The words are those of parser/lex.l and parser/token.c; the test in
" testsuite/editors compares.
if exists('b:current_syntax')
	finish
endif
let s:cpo = &cpo
set cpo&vim

syn include @lapwingC syntax/c.vim
unlet! b:current_syntax
syn iskeyword @,48-57,_,$

" Words after a dot or an arrow are names: syscall.open.return, $list->next.
syn match lapwingPart "\%([A-Za-z0-9_)*}]\)\@1<=\.[A-Za-z_*][A-Za-z0-9_*$]*"
syn match lapwingMember "->\s*[A-Za-z_$][A-Za-z0-9_$]*"
syn match lapwingCall "\<[A-Za-z_][A-Za-z0-9_$]*\>\ze\s*("

syn keyword lapwingDeclaration global private function
syn keyword lapwingConditional if else
syn keyword lapwingRepeat for foreach while in limit
syn keyword lapwingStatement break continue next return delete
syn keyword lapwingException try catch
syn keyword lapwingType string long
syn keyword lapwingPrint print println printf printd printdln print_char
syn keyword lapwingPrint sprint sprintln sprintf sprintd sprintdln

" These are names elsewhere. Their clauses may go on in lines that begin with their words.
syn region lapwingClauses oneline keepend matchgroup=lapwingDeclaration contains=@lapwingCode,lapwingClause
	\ start="\%(^\|[;}]\)\s*\zs\%(stopwatch\|profile\|callgraph\)\ze\s\+[A-Za-z\"]" end="$"
syn match lapwingClause contained "\<\%(to\|by\|with\|show\)\>"
syn match lapwingClause "^\s*\zs\%(to\|by\|with\|show\)\ze\s\+[A-Za-z\"$@]"

" From probe to the handler. A brace with a comma behind its first word has alternatives.
syn region lapwingPoint matchgroup=lapwingDeclaration start="\<probe\>" end="{\%([A-Za-z0-9_*]\+,\)\@!"me=s-1
	\ contains=lapwingPointName,lapwingPointIf,lapwingString,lapwingNumber,lapwingComment,lapwingArgument,
	\lapwingTarget,lapwingOperator,lapwingMacro,lapwingCondition
syn match lapwingPointName contained "[A-Za-z_*][A-Za-z0-9_*$]*"
syn keyword lapwingPointIf contained if nextgroup=lapwingParens skipwhite
syn region lapwingParens contained start="(" end=")" contains=@lapwingCode,lapwingParens

syn match lapwingNumber "\<\%(0[xX]\x\+\|\d\+\)\>"
syn match lapwingTarget "\$\+[A-Za-z_][A-Za-z0-9_$]*\|\$\$\+"
syn match lapwingMacro "@[A-Za-z_$][A-Za-z0-9_$]*"
syn match lapwingOperator "@\%(count\|sum\|min\|max\|avg\|variance\|percentile\|median\|hist_log\|hist_linear\)\>"
syn match lapwingOperator "@\%(cast\|var\|defined\|entry\|probewrite\|const\|enum\|perf\|enumname\)\>"
syn match lapwingOperator "@\%(kregister\|uregister\|kderef\|uderef\)\>"
syn match lapwingCondition "@\%(define\)\>\|%[(?:)]"
syn match lapwingArgument "[$@]\%(#\|\d\+\)"

syn region lapwingString oneline start=+"+ skip=+\\.+ end=+"\|$+ contains=lapwingEscape
syn match lapwingEscape contained "\\\%(x\x\{1,2}\|\o\{1,3}\|.\)"
syn match lapwingComment "#.*\|//.*" contains=@Spell
syn region lapwingComment start="/\*" end="\*/" contains=@Spell
syn region lapwingEmbedded matchgroup=lapwingCondition start="%{" end="%}" keepend contains=@lapwingC

syn cluster lapwingCode contains=lapwingPart,lapwingMember,lapwingCall,lapwingConditional,lapwingRepeat,
	\lapwingType,lapwingPrint,lapwingNumber,lapwingTarget,lapwingMacro,lapwingOperator,lapwingCondition,
	\lapwingArgument,lapwingString,lapwingComment,lapwingEmbedded
syn sync minlines=200

hi def link lapwingDeclaration Keyword
hi def link lapwingClause Keyword
hi def link lapwingConditional Conditional
hi def link lapwingPointIf Conditional
hi def link lapwingRepeat Repeat
hi def link lapwingStatement Statement
hi def link lapwingException Exception
hi def link lapwingType Type
hi def link lapwingPrint Function
hi def link lapwingCall Function
hi def link lapwingPointName Structure
hi def link lapwingNumber Number
hi def link lapwingTarget Identifier
hi def link lapwingMacro Macro
hi def link lapwingOperator Operator
hi def link lapwingCondition PreProc
hi def link lapwingArgument Special
hi def link lapwingString String
hi def link lapwingEscape SpecialChar
hi def link lapwingComment Comment

let b:current_syntax = 'lapwing'
let &cpo = s:cpo
unlet s:cpo
