# packaging: what makes Lapwing a part of a system. Debian's packages are in debian/.
# SPDX-License-Identifier: GPL-2.0-or-later

# Scripts as services of systemd, which looks below /usr and /usr/local.
systemdsystemunit_DATA = packaging/systemd/lapwing@.service packaging/systemd/lapwing-watch.service
sysusersdir = $(prefix)/lib/sysusers.d
dist_sysusers_DATA = packaging/sysusers.d/lapwing.conf
tmpfilesdir = $(prefix)/lib/tmpfiles.d
tmpfiles_DATA = packaging/tmpfiles.d/lapwing.conf
scriptsdir = $(sysconfdir)/lapwing
install-data-local: install-scripts
install-scripts:
	$(MKDIR_P) "$(DESTDIR)$(scriptsdir)"

# The runtime for kernels, kept ready by hooks of their packages.
kernelsdir = $(localstatedir)/cache/lapwing/kernels
pkglibexec_SCRIPTS = packaging/kernel/kernel-kit
kernelpostinstdir = $(sysconfdir)/kernel/postinst.d
kernelpostinst_SCRIPTS = packaging/kernel/postinst.d/lapwing
headerpostinstdir = $(sysconfdir)/kernel/header_postinst.d
headerpostinst_SCRIPTS = $(kernelpostinst_SCRIPTS)
kernelpostrmdir = $(sysconfdir)/kernel/postrm.d
kernelpostrm_SCRIPTS = packaging/kernel/postrm.d/lapwing

# What names folders that configure chose. [@]: configure leaves these words alone.
packaging_made = $(systemdsystemunit_DATA) $(tmpfiles_DATA) $(pkglibexec_SCRIPTS) $(kernelpostinst_SCRIPTS) \
	$(kernelpostrm_SCRIPTS)
packaging_folders = bindir kernelsdir localstatedir pkglibexecdir sysconfdir
$(packaging_made): %: %.in Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && sed $(foreach folder,$(packaging_folders),-e 's|[@]$(folder)[@]|$($(folder))|g') $< > $@
CLEANFILES += $(packaging_made)

# SystemTap's names for what automation calls by them, on request; SystemTap's own programs are not replaced.
install-stap-names:
	for names in stap:lapwing staprun:lapwing-run; do \
		link="$(DESTDIR)$(bindir)/$${names%:*}"; \
		if [ -e "$$link" ] && [ ! -L "$$link" ]; then echo "$$link is another program" >&2; exit 1; fi; \
		ln -sf "$${names#*:}" "$$link" || exit 1; \
	done
uninstall-local: uninstall-stap-names
uninstall-stap-names:
	for names in stap:lapwing staprun:lapwing-run; do \
		link="$(DESTDIR)$(bindir)/$${names%:*}"; \
		[ "$$(readlink "$$link")" != "$${names#*:}" ] || rm -f "$$link"; \
	done
.PHONY: install-stap-names uninstall-stap-names
