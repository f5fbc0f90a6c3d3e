# doc: manual pages and texts
# SPDX-License-Identifier: GPL-2.0-or-later
dist_man_MANS += doc/man/lapwing.1 doc/man/lapwing-run.1 doc/man/lapwing-doctor.1 \
	doc/man/lapwing-events.1 doc/man/lapwing-examples.1 doc/man/lapwing-ctl.1 \
	doc/man/lapwing-top.1
dist_man_MANS += doc/man/lapwing-stopwatch.1 doc/man/lapwing-profile.1 doc/man/lapwing-staprun.1
dist_man_MANS += doc/man/lapwing-record.1 doc/man/lapwing-report.1 doc/man/lapwing-flame.1 \
	doc/man/lapwing-export.1 doc/man/lapwing-callgraph.1 doc/man/lapwing-annotate.1
dist_doc_DATA = README.md doc/architecture.md doc/cli.md doc/language.md doc/library.md \
	doc/accounting.md doc/safety.md doc/kernels.md \
	doc/glossary.md
# One page per message: lapwing explain CODE.
EXTRA_DIST += doc/errors doc/grammar.sh
install-data-local: install-examples
	$(MKDIR_P) "$(DESTDIR)$(pkgdatadir)/doc/errors"
	$(INSTALL_DATA) $(srcdir)/doc/errors/*.md "$(DESTDIR)$(pkgdatadir)/doc/errors"
	$(MKDIR_P) "$(DESTDIR)$(mandir)/man3"
	$(INSTALL_DATA) doc/man3/*.3lapwing "$(DESTDIR)$(mandir)/man3"
# `lapwing examples` reads the scripts there; folders are as in the source tree.
.PHONY: install-examples
install-examples:
	cd $(srcdir) && find examples -type f | while read -r name; do \
		$(MKDIR_P) "$(DESTDIR)$(pkgdatadir)/$${name%/*}" && \
		$(INSTALL_DATA) "$$name" "$(DESTDIR)$(pkgdatadir)/$$name" || exit 1; \
	done
uninstall-local:
	rm -rf "$(DESTDIR)$(pkgdatadir)/doc/errors" "$(DESTDIR)$(pkgdatadir)/examples"
	rm -f "$(DESTDIR)$(mandir)/man3"/*.3lapwing
	for name in $(completed); do rm -f "$(DESTDIR)$(bash_completiondir)/$$name"; done
	for name in $(stap_names); do case $$(readlink "$(DESTDIR)$(bindir)/$$name") in lapwing*) \
		rm "$(DESTDIR)$(bindir)/$$name" "$(DESTDIR)$(bash_completiondir)/$$name";; esac; done

# Manual pages and completions from the tables of options: doc/options.sh writes the pages.
noinst_PROGRAMS += doc/options
doc_options_SOURCES = doc/options.c
EXTRA_DIST += doc/options.sh
bash_completiondir = $(datadir)/bash-completion/completions
nodist_bash_completion_DATA = doc/completion/lapwing
zsh_completiondir = $(datadir)/zsh/site-functions
nodist_zsh_completion_DATA = doc/completion/_lapwing
CLEANFILES += doc/completion/lapwing doc/completion/_lapwing
doc/completion/lapwing: doc/options
	$(AM_V_GEN)$(MKDIR_P) doc/completion && doc/options bash > $@
doc/completion/_lapwing: doc/options
	$(AM_V_GEN)$(MKDIR_P) doc/completion && doc/options zsh > $@

# bash loads a completion by the name of the command.
completed = lapwing-ctl lapwing-doctor lapwing-record lapwing-report lapwing-run lapwing-top
install-data-hook:
	cd "$(DESTDIR)$(bash_completiondir)" && for name in $(completed); do ln -sf lapwing $$name; done

# A page for each function and alias of the library, from the comments in tapsets/ and from
# builtins.def.
noinst_PROGRAMS += doc/library
doc_library_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
doc_library_SOURCES = \
	doc/library.c doc/library_text.h doc/library_pages.c doc/library_pages.h \
	doc/library_text.c
doc_library_LDADD = libparser.a liblapwing.a $(GLIB_LIBS)
library_files = $(nobase_dist_tapsets_DATA:%=$(srcdir)/%) $(nobase_nodist_tapsets_DATA)
noinst_DATA = doc/man3/made
doc/man3/made: doc/library $(library_files) $(srcdir)/translator/program/builtins.def
	$(AM_V_GEN)rm -rf doc/man3 && $(MKDIR_P) doc/man3 && doc/library pages doc/man3 $(library_files) && touch $@
clean-local:
	rm -rf doc/man3
