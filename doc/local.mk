# doc: manual pages and texts
# SPDX-License-Identifier: GPL-2.0-or-later
dist_man_MANS += doc/man/lapwing.1 doc/man/lapwing-run.1 doc/man/lapwing-doctor.1 doc/man/lapwing-events.1 doc/man/lapwing-ctl.1 doc/man/lapwing-top.1 doc/man/lapwing-watch.1
dist_man_MANS += doc/man/lapwing-stopwatch.1 doc/man/lapwing-profile.1 doc/man/lapwing-explain.1
dist_man_MANS += doc/man/lapwing-record.1 doc/man/lapwing-report.1 doc/man/lapwing-flame.1 doc/man/lapwing-export.1 doc/man/lapwing-callgraph.1 doc/man/lapwing-annotate.1 doc/man/lapwing-diff.1 doc/man/lapwing-timeline.1
dist_man_MANS += doc/man/lapwing@.service.8 doc/man/lapwing-kernel-kit.8
dist_man_MANS += doc/man/lapwing-messages.7 doc/man/lapwing-compatibility.7
dist_doc_DATA = README.md NEWS doc/flame.svg doc/tutorial.md doc/coming-from.md doc/kernels.md doc/trust.md
dist_doc_DATA += doc/language.md doc/probes.md doc/library.md doc/cli.md doc/formats.md report/capture.proto
dist_doc_DATA += doc/accounting.md doc/safety.md doc/architecture.md doc/glossary.md
# One page a message: lapwing explain CODE, man lapwing-CODE.
errorsdir = $(pkgdatadir)/doc/errors
errors_DATA = $(wildcard $(srcdir)/doc/errors/*.md)
install-data-local:
	$(MKDIR_P) "$(DESTDIR)$(man7dir)"
	$(SHELL) $(srcdir)/doc/man/pages.sh $(srcdir)/doc/errors "$(DESTDIR)$(man7dir)"
uninstall-local:
	rm -f "$(DESTDIR)$(man7dir)"/lapwing-[EW][0-9]*.7 "$(DESTDIR)$(man7dir)"/*::*.7lapwing
	for name in $(named_programs); do \
		rm -f "$(DESTDIR)$(bashcompletiondir)/$$name.bash" "$(DESTDIR)$(fishcompletiondir)/$$name.fish"; \
	done
# Printed by doc/options.sh out of the option tables.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = doc/completions/lapwing.bash
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = doc/completions/_lapwing
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_fishcompletion_DATA = doc/completions/lapwing.fish
# Shells look for a completion by the name of the command; zsh reads in the file which names it is for.
named_programs = $(filter-out lapwing,$(bin_PROGRAMS:$(EXEEXT)=))
# Installed, README.md lies beside what it names.
install-data-hook:
	sed -i 's,doc/\([a-z-]*\.\(md\|svg\)\),\1,g' "$(DESTDIR)$(docdir)/README.md"
	for name in $(named_programs); do \
		ln -sf lapwing.bash "$(DESTDIR)$(bashcompletiondir)/$$name.bash" && \
		ln -sf lapwing.fish "$(DESTDIR)$(fishcompletiondir)/$$name.fish" || exit 1; \
	done
