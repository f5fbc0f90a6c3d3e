" SPDX-License-Identifier: GPL-2.0-or-later
" lapwing.vim - comments in Lapwing's scripts.
if exists('b:did_ftplugin')
	finish
endif
let b:did_ftplugin = 1
let b:undo_ftplugin = 'setlocal commentstring< comments< formatoptions<'
setlocal commentstring=//\ %s
setlocal comments=s1:/*,mb:*,ex:*/,://,b:#
setlocal formatoptions-=t formatoptions+=croql
