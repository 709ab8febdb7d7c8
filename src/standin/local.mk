# Reading images needs nothing else of the stand-in: the tests link it by itself.
noinst_LTLIBRARIES += librill-image.la
librill_image_la_SOURCES = \
  %D%/image.c \
  %D%/image.h \
  %D%/image_elf.c \
  %D%/image_elf.h \
  %D%/image_elf_info.c \
  %D%/image_linking.c \
  %D%/image_linking.h \
  %D%/image_parts.h \
  %D%/image_ptx.c
librill_image_la_CFLAGS = $(AM_CFLAGS)
if ENABLE_SHARED
librill_image_la_CFLAGS += -shared
endif

# The stand-in: a libcuda.so.1 over the simulator, in $(libdir)/rill, where only those
# look who are told to. It has all of rill inside and exports entry points of the driver
# alone. It is linked by hand rather than by libtool, so that it is there without shared
# libraries, too, and once for each driver that it can play: the same objects, a number
# (profile.c) and a list of exports.
if STANDIN
noinst_LTLIBRARIES += libstandin.la
libstandin_la_CFLAGS = $(AM_CFLAGS) -fno-semantic-interposition
if ENABLE_SHARED
libstandin_la_CFLAGS += -shared
endif
libstandin_la_SOURCES = \
  %D%/abi.h \
  %D%/abi_graph.h \
  %D%/abi_launch.h \
  %D%/abi_memory.h \
  %D%/abi_types.h \
  %D%/any_node.c \
  %D%/attribute.c \
  %D%/attribute.h \
  %D%/batch.c \
  %D%/capture.c \
  %D%/code.c \
  %D%/code.h \
  %D%/child_node.c \
  %D%/context.c \
  %D%/context.h \
  %D%/context_event.c \
  %D%/conditional_node.c \
  %D%/context_uses.c \
  %D%/copy.c \
  %D%/copy.h \
  %D%/copy_box.c \
  %D%/copy_box.h \
  %D%/copy_node.c \
  %D%/current.c \
  %D%/current.h \
  %D%/device.c \
  %D%/device_attribute.c \
  %D%/device_attribute.h \
  %D%/edges.c \
  %D%/empty_node.c \
  %D%/error.c \
  %D%/event.c \
  %D%/event_node.c \
  %D%/exec.c \
  %D%/exec.h \
  %D%/fill.c \
  %D%/fill_node.c \
  %D%/function.c \
  %D%/function.h \
  %D%/graph.c \
  %D%/graph.h \
  %D%/graph_memory.c \
  %D%/handle.c \
  %D%/handle.h \
  %D%/hold.c \
  %D%/hold.h \
  %D%/host.c \
  %D%/host_node.c \
  %D%/host_memory.c \
  %D%/init.c \
  %D%/jit.c \
  %D%/jit.h \
  %D%/kernel.c \
  %D%/kernel_node.c \
  %D%/kernel_node_attributes.c \
  %D%/kernel_libraries.c \
  %D%/kernel_libraries.h \
  %D%/launch.c \
  %D%/launch.h \
  %D%/library.c \
  %D%/library.h \
  %D%/limit.c \
  %D%/link.c \
  %D%/link.h \
  %D%/log.c \
  %D%/log.h \
  %D%/machine.c \
  %D%/machine.h \
  %D%/memory.c \
  %D%/memory_node.c \
  %D%/module.c \
  %D%/module.h \
  %D%/names.c \
  %D%/names.h \
  %D%/node.c \
  %D%/node.h \
  %D%/node_kind.c \
  %D%/node_kind.h \
  %D%/node_storage.c \
  %D%/node_storage.h \
  %D%/occupancy.c \
  %D%/old_launch.c \
  %D%/old_launch.h \
  %D%/peer.c \
  %D%/pointer.c \
  %D%/pool.c \
  %D%/pool.h \
  %D%/primary.c \
  %D%/proc.c \
  %D%/profiler.c \
  %D%/refused.c \
  %D%/settings.c \
  %D%/settings.h \
  %D%/standin.h \
  %D%/status.c \
  %D%/status.h \
  %D%/stream.c \
  %D%/stream.h \
  %D%/symbols.c \
  %D%/symbols.def \
  %D%/symbols.h \
  %D%/user_object.c \
  %D%/value.c \
  %D%/value.h \
  %D%/variables.c \
  %D%/values_node.c \
  %D%/variables.h \
  %D%/version.c \
  %D%/version.h

# The newest driver is the one that programs get who do not ask for another; the others
# are in folders of their own.
standindir = $(libdir)/rill
standin_DATA = %D%/libcuda.so.1
noinst_DATA = %D%/libcuda.so %D%/drivers.stamp
STANDIN_OLDER = 11.8 12.0 12.4 12.8
CLEANFILES += %D%/libcuda.so.1 %D%/libcuda.so %D%/exports.map %D%/profile.o \
  %D%/drivers.stamp

# Commands that lack their ends: what differs from driver to driver.
STANDIN_EXPORTS = $(AWK) -f $(srcdir)/%D%/exports.awk
STANDIN_PROFILE = $(COMPILE) -fPIC -c $(srcdir)/%D%/profile.c
STANDIN_LINK = $(CC) -shared $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS) \
  -Wl,-soname,libcuda.so.1 -Wl,-Bsymbolic
STANDIN_PARTS = -Wl,--whole-archive .libs/libstandin.a -Wl,--no-whole-archive \
  .libs/librill-image.a .libs/librill-all.a $(PTHREAD_LIBS) $(LIBS)

%D%/exports.map: %D%/symbols.def %D%/exports.awk
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	  $(STANDIN_EXPORTS) version=13000 $(srcdir)/%D%/symbols.def >$@.tmp && mv $@.tmp $@

%D%/profile.o: %D%/profile.c %D%/version.h
	$(AM_V_CC)$(MKDIR_P) %D% && $(STANDIN_PROFILE) -DSI_PROFILE=13000 -o $@

%D%/libcuda.so.1: %D%/exports.map %D%/profile.o libstandin.la librill-image.la \
    librill-all.la
	$(AM_V_CCLD)$(STANDIN_LINK) -o $@ -Wl,--version-script=%D%/exports.map %D%/profile.o \
	  $(STANDIN_PARTS)

%D%/libcuda.so: %D%/libcuda.so.1
	$(AM_V_GEN)rm -f $@ && $(LN_S) libcuda.so.1 $@

%D%/drivers.stamp: %D%/libcuda.so.1
	$(AM_V_GEN)for driver in $(STANDIN_OLDER); do \
	  folder=%D%/$$driver; \
	  number=`echo $$driver | $(AWK) -F. '{ print 1000 * $$1 + 10 * $$2 }'`; \
	  $(MKDIR_P) $$folder && \
	  $(STANDIN_EXPORTS) version=$$number $(srcdir)/%D%/symbols.def >$$folder/exports.map && \
	  $(STANDIN_PROFILE) -DSI_PROFILE=$$number -o $$folder/profile.o && \
	  $(STANDIN_LINK) -o $$folder/libcuda.so.1 $$folder/profile.o \
	    -Wl,--version-script=$$folder/exports.map $(STANDIN_PARTS) && \
	  rm -f $$folder/libcuda.so && $(LN_S) libcuda.so.1 $$folder/libcuda.so || exit 1; \
	done && touch $@

install-data-hook:
	cd $(DESTDIR)$(standindir) && rm -f libcuda.so && $(LN_S) libcuda.so.1 libcuda.so
	for driver in $(STANDIN_OLDER); do \
	  folder=$(DESTDIR)$(standindir)/$$driver; \
	  $(MKDIR_P) $$folder && \
	  $(INSTALL_DATA) %D%/$$driver/libcuda.so.1 $$folder/libcuda.so.1 && \
	  rm -f $$folder/libcuda.so && $(LN_S) libcuda.so.1 $$folder/libcuda.so || exit 1; \
	done

uninstall-hook:
	rm -f $(DESTDIR)$(standindir)/libcuda.so
	for driver in $(STANDIN_OLDER); do rm -rf $(DESTDIR)$(standindir)/$$driver; done
	-rmdir $(DESTDIR)$(standindir) 2>/dev/null

CLEAN_PARTS += clean-standin
clean-standin:
	for driver in $(STANDIN_OLDER); do rm -rf %D%/$$driver; done
endif
EXTRA_DIST += %D%/exports.awk %D%/profile.c
