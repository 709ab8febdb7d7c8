# What a reader gets in addition to the manual pages. It is installed in $(docdir) as it lies
# in the sources, so that links from page to page lead somewhere.
dist_doc_DATA = \
  CONTRIBUTING.md \
  HACKING.md \
  LICENSE \
  NEWS.md \
  README.md \
  SECURITY.md

pagesdir = $(docdir)/doc
dist_pages_DATA = \
  %D%/alternatives.md \
  %D%/bindings.md \
  %D%/checking.md \
  %D%/ci.md \
  %D%/conformance.md \
  %D%/devices.md \
  %D%/exploring.md \
  %D%/performance.md \
  %D%/performance.svg \
  %D%/production.md \
  %D%/rules.md \
  %D%/runtime.md \
  %D%/schedules.md \
  %D%/third-party.md \
  %D%/third-party-runtime.md \
  %D%/tracing.md \
  %D%/tsan.md \
  %D%/versions.md \
  %D%/virtual-time.md

internalsdir = $(pagesdir)/internals
dist_internals_DATA = \
  %D%/internals/README.md \
  %D%/internals/adding-a-kind.md \
  %D%/internals/captures.md \
  %D%/internals/check.md \
  %D%/internals/core.md \
  %D%/internals/cuda.md \
  %D%/internals/exploring.md \
  %D%/internals/graphs.md \
  %D%/internals/kernels.md \
  %D%/internals/memory.md \
  %D%/internals/packaging.md \
  %D%/internals/ptx.md \
  %D%/internals/runtime.md \
  %D%/internals/scheduler.md \
  %D%/internals/standin.md \
  %D%/internals/testing.md \
  %D%/internals/trace.md \
  %D%/internals/tsan.md

# What the README says was measured.
driverdocdir = $(docdir)/tests/driver
driverdoc_DATA = tests/driver/differs.txt
randomdocdir = $(driverdocdir)/random
randomdoc_DATA = tests/driver/random/README.md

# make html: the manual and the guides for a browser, in the build folder. It needs mandoc and
# lowdown, which the rest of the build does not; nothing but install-html installs it.
HTML = %D%/html
HTML_TOOL = tools/html/make tools/html/guide.awk tools/html/references.awk tools/html/style.css
EXTRA_DIST += $(HTML_TOOL)

html-local: man/pages.stamp
	$(AM_V_GEN)$(SHELL) $(srcdir)/tools/html/make $(srcdir) man $(VERSION) $(HTML)

install-html-local: html-local
	$(MKDIR_P) "$(DESTDIR)$(htmldir)/html"
	cp -R $(HTML)/. "$(DESTDIR)$(htmldir)/html"

# The folder is html's alone.
.PHONY: uninstall-html
UNINSTALL_PARTS += uninstall-html
uninstall-html:
	rm -rf "$(DESTDIR)$(htmldir)/html"

CLEAN_PARTS += clean-html
clean-html:
	rm -rf %D%/html
