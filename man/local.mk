dist_man_MANS = %D%/rill.1 %D%/rill.7 %D%/rill_backend.7

# Section 3 is made out of the public headers, a page for each, where it is built: there is
# an awk wherever there is a configure. %D%/links has the functions and types, for which
# there are files that lead to the page.
PAGES = \
  %D%/rill.3 \
  %D%/rill_backend.3 \
  %D%/rill_capture.3 \
  %D%/rill_check.3 \
  %D%/rill_cuda.3 \
  %D%/rill_error.3 \
  %D%/rill_event.3 \
  %D%/rill_exec.3 \
  %D%/rill_explore.3 \
  %D%/rill_graph.3 \
  %D%/rill_layer.3 \
  %D%/rill_memory.3 \
  %D%/rill_module.3 \
  %D%/rill_op.3 \
  %D%/rill_platform.3 \
  %D%/rill_pool.3 \
  %D%/rill_replay.3 \
  %D%/rill_sim.3 \
  %D%/rill_standin.3 \
  %D%/rill_status.3 \
  %D%/rill_stream.3 \
  %D%/rill_touch.3 \
  %D%/rill_trace.3 \
  %D%/rill_types.3 \
  %D%/rill_vmem.3 \
  %D%/rill_watch.3
man_MANS = $(PAGES)
PAGES_TOOL = tools/pages/read.awk tools/pages/write.awk tools/pages/text.awk \
  tools/pages/facts.awk
PAGES_EXAMPLES = \
  %D%/examples/rill.c \
  %D%/examples/rill_backend.c \
  %D%/examples/rill_cuda.c \
  %D%/examples/rill_event.c \
  %D%/examples/rill_exec.c \
  %D%/examples/rill_graph.c \
  %D%/examples/rill_memory.c \
  %D%/examples/rill_module.c \
  %D%/examples/rill_op.c \
  %D%/examples/rill_platform.c \
  %D%/examples/rill_pool.c \
  %D%/examples/rill_replay.c \
  %D%/examples/rill_sim.c \
  %D%/examples/rill_status.c \
  %D%/examples/rill_touch.c \
  %D%/examples/rill_types.c \
  %D%/examples/rill_watch.c
PAGES_FACTS = %D%/calls.txt %D%/parameters.txt $(PAGES_EXAMPLES)
EXTRA_DIST += $(PAGES_TOOL) $(PAGES_FACTS)
CLEANFILES += $(PAGES) %D%/links %D%/pages.stamp

# They bear the date of the overview, rill.7.
%D%/pages.stamp: $(rillinclude_HEADERS) $(PAGES_TOOL) $(PAGES_FACTS) %D%/rill.7
	$(AM_V_GEN)$(MKDIR_P) %D% && rm -f $(PAGES) %D%/links && \
	  date=`sed -n 's/^\.Dd //p' $(srcdir)/%D%/rill.7` && \
	  $(AWK) -v folder=%D% -v facts=$(srcdir)/%D% -v date="$$date" -v release=$(VERSION) \
	    -f $(srcdir)/tools/pages/read.awk -f $(srcdir)/tools/pages/write.awk \
	    -f $(srcdir)/tools/pages/text.awk -f $(srcdir)/tools/pages/facts.awk \
	    $(srcdir)/include/rill/*.h && touch $@

$(PAGES): %D%/pages.stamp
	@test -f $@ || { rm -f %D%/pages.stamp; $(MAKE) $(AM_MAKEFLAGS) %D%/pages.stamp; }

# The other names of a page lead to it: a link needs no block of the disk.
install-data-local: %D%/pages.stamp
	$(MKDIR_P) "$(DESTDIR)$(man1dir)" "$(DESTDIR)$(man3dir)"
	while read name page; do \
	  rm -f "$(DESTDIR)$(man3dir)/$$name.3" && \
	    $(LN_S) "$$page.3" "$(DESTDIR)$(man3dir)/$$name.3" || exit 1; \
	done <%D%/links
	for name in rill-cc rill-info rill-run; do \
	  rm -f "$(DESTDIR)$(man1dir)/$$name.1" && \
	    $(LN_S) rill.1 "$(DESTDIR)$(man1dir)/$$name.1" || exit 1; \
	done

uninstall-local: %D%/pages.stamp
	while read name page; do rm -f "$(DESTDIR)$(man3dir)/$$name.3"; done <%D%/links
	for name in rill-cc rill-info rill-run; do rm -f "$(DESTDIR)$(man1dir)/$$name.1"; done
