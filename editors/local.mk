# editors: colours of scripts in Vim and in Visual Studio Code (README.md says how they are used)
# SPDX-License-Identifier: GPL-2.0-or-later
nobase_dist_pkgdata_DATA += \
	editors/vim/ftdetect/lapwing.vim editors/vim/ftplugin/lapwing.vim editors/vim/syntax/lapwing.vim \
	editors/vscode/package.json editors/vscode/language-configuration.json \
	editors/vscode/syntaxes/stp.tmLanguage.json
