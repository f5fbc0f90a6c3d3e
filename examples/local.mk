# examples: scripts to begin with, installed with their descriptions
# SPDX-License-Identifier: GPL-2.0-or-later
examplesdir = $(pkgdatadir)/examples
examples_DATA = $(wildcard $(addprefix $(srcdir)/examples/*.,stp meta c))
