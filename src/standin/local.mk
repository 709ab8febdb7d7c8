# Reading images needs nothing else of the stand-in: the tests link it by itself.
noinst_LTLIBRARIES += librill-image.la
librill_image_la_SOURCES = \
  %D%/image/elf.c \
  %D%/image/elf.h \
  %D%/image/elf_info.c \
  %D%/image/image.c \
  %D%/image/image.h \
  %D%/image/linking.c \
  %D%/image/linking.h \
  %D%/image/parts.h \
  %D%/image/ptx.c
librill_image_la_CFLAGS = $(OWN_CFLAGS)
if ENABLE_SHARED
librill_image_la_CFLAGS += -shared
endif

# The stand-in: a libcuda.so.1 over the simulator, in $(libdir)/rill, where only those
# look who are told to. It has all of rill inside and exports entry points of the driver
# alone. It is linked by hand rather than by libtool, so that it is there without shared
# libraries, too. Of an older driver there are the names, which lead to it (older/newest.c).
if STANDIN
noinst_LTLIBRARIES += libstandin.la
libstandin_la_CFLAGS = $(OWN_CFLAGS) -fno-semantic-interposition
if ENABLE_SHARED
libstandin_la_CFLAGS += -shared
endif
libstandin_la_SOURCES = \
  %D%/library/device.c \
  %D%/library/error.c \
  %D%/library/export_table.c \
  %D%/library/init.c \
  %D%/library/play.c \
  %D%/library/play.h \
  %D%/library/proc.c \
  %D%/library/profiler.c \
  %D%/library/refused.c \
  %D%/library/symbols.c \
  %D%/library/symbols.def \
  %D%/library/symbols.h \
  %D%/graph/any_node.c \
  %D%/graph/capture.c \
  %D%/graph/child_node.c \
  %D%/graph/conditional_node.c \
  %D%/graph/copy_node.c \
  %D%/graph/edges.c \
  %D%/graph/empty_node.c \
  %D%/graph/event_node.c \
  %D%/graph/exec.c \
  %D%/graph/exec.h \
  %D%/graph/fill_node.c \
  %D%/graph/graph.c \
  %D%/graph/graph.h \
  %D%/graph/host_node.c \
  %D%/graph/kernel_node.c \
  %D%/graph/kernel_node_attributes.c \
  %D%/graph/memory_node.c \
  %D%/graph/node.c \
  %D%/graph/node.h \
  %D%/graph/node_kind.c \
  %D%/graph/node_kind.h \
  %D%/graph/node_storage.c \
  %D%/graph/node_storage.h \
  %D%/graph/user_object.c \
  %D%/graph/values_node.c \
  %D%/stream/event.c \
  %D%/stream/event.h \
  %D%/stream/ipc_event.c \
  %D%/stream/host.c \
  %D%/stream/stream.c \
  %D%/stream/stream.h \
  %D%/stream/value.c \
  %D%/stream/value.h \
  %D%/memory/array_copy.c \
  %D%/memory/batch.c \
  %D%/memory/copy.c \
  %D%/memory/copy.h \
  %D%/memory/copy_box.c \
  %D%/memory/copy_box.h \
  %D%/memory/fill.c \
  %D%/memory/graph_memory.c \
  %D%/memory/host_block.c \
  %D%/memory/host_block.h \
  %D%/memory/host_memory.c \
  %D%/memory/ipc.c \
  %D%/memory/advice.c \
  %D%/memory/advice.h \
  %D%/memory/managed.c \
  %D%/memory/memory.c \
  %D%/memory/peer.c \
  %D%/memory/pointer.c \
  %D%/memory/pool.c \
  %D%/memory/pool_ipc.c \
  %D%/memory/pool.h \
  %D%/memory/share_way.h \
  %D%/memory/vmem.c \
  %D%/texture/array.c \
  %D%/texture/array.h \
  %D%/texture/mipmap.c \
  %D%/texture/mipmap.h \
  %D%/texture/object.c \
  %D%/texture/object.h \
  %D%/texture/reference.c \
  %D%/texture/reference.h \
  %D%/texture/reference_calls.c \
  %D%/texture/tensor_map.c \
  %D%/texture/view.c \
  %D%/texture/view.h \
  %D%/code/attribute.c \
  %D%/code/attribute.h \
  %D%/code/code.c \
  %D%/code/code.h \
  %D%/code/function.c \
  %D%/code/function.h \
  %D%/code/jit.c \
  %D%/code/jit.h \
  %D%/code/kernel.c \
  %D%/code/kernel_libraries.c \
  %D%/code/kernel_libraries.h \
  %D%/code/launch.c \
  %D%/code/launch.h \
  %D%/code/library.c \
  %D%/code/library.h \
  %D%/code/link.c \
  %D%/code/link.h \
  %D%/code/module.c \
  %D%/code/module.h \
  %D%/code/names.c \
  %D%/code/names.h \
  %D%/code/occupancy.c \
  %D%/code/old_launch.c \
  %D%/code/old_launch.h \
  %D%/code/variables.c \
  %D%/code/variables.h \
  %D%/context/context.c \
  %D%/context/context.h \
  %D%/context/current.c \
  %D%/context/current.h \
  %D%/context/limit.c \
  %D%/context/primary.c \
  %D%/context/relay.c \
  %D%/context/settings.c \
  %D%/context/settings.h \
  %D%/context/uses.c \
  %D%/object/blocking.c \
  %D%/object/blocking.h \
  %D%/object/device_attribute.c \
  %D%/object/device_attribute.h \
  %D%/object/entry.h \
  %D%/object/handle.c \
  %D%/object/handle.h \
  %D%/object/hold.c \
  %D%/object/hold.h \
  %D%/object/machine.c \
  %D%/object/machine.h \
  %D%/object/visible.c \
  %D%/object/visible.h \
  %D%/abi/abi.h \
  %D%/abi/graph.h \
  %D%/abi/launch.h \
  %D%/abi/log.c \
  %D%/abi/log.h \
  %D%/abi/memory.h \
  %D%/abi/status.c \
  %D%/abi/status.h \
  %D%/abi/texture.h \
  %D%/abi/types.h \
  %D%/abi/version.c \
  %D%/abi/version.h

# The newest driver is the one that programs get who do not ask for another; the others
# are in folders of their own.
standindir = $(libdir)/rill
standin_DATA = %D%/libcuda.so.1 %D%/librill-sleep.so
noinst_DATA = %D%/libcuda.so %D%/drivers.stamp
if STANDIN_OLDER
STANDIN_OLDER = 11.8 12.0 12.4 12.8
else
STANDIN_OLDER =
endif
CLEANFILES += %D%/libcuda.so.1 %D%/libcuda.so %D%/exports.map %D%/drivers.stamp \
  %D%/librill-sleep.so

# Commands that lack their ends: what differs from driver to driver.
STANDIN_EXPORTS = $(AWK) -f $(srcdir)/%D%/library/exports.awk
STANDIN_OLDER_PARTS = %D%/older/newest.c %D%/older/jump.h %D%/library/play.h
STANDIN_COMPILE = $(COMPILE) -fPIC -fvisibility=hidden
STANDIN_LINK = $(CC) -shared $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS) \
  -Wl,-soname,libcuda.so.1 -Wl,-Bsymbolic
STANDIN_PARTS = -Wl,--whole-archive .libs/libstandin.a -Wl,--no-whole-archive \
  .libs/librill-image.a .libs/librill-all.a $(PTHREAD_LIBS) $(LIBS)

%D%/exports.map: %D%/library/symbols.def %D%/library/exports.awk
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	  $(STANDIN_EXPORTS) -v what=map version=13000 \
	    more='rill_standin_play rill_standin_is_over' \
	    $(srcdir)/%D%/library/symbols.def >$@.tmp && mv $@.tmp $@

%D%/libcuda.so.1: %D%/exports.map libstandin.la librill-image.la librill-all.la
	$(AM_V_CCLD)$(STANDIN_LINK) -o $@ -Wl,--version-script=%D%/exports.map $(STANDIN_PARTS)

# For programs whose sleeps are virtual, loaded before them. No sanitizer: it runs before any.
%D%/librill-sleep.so: %D%/sleep/sleep.c
	$(AM_V_CCLD)$(MKDIR_P) %D% && $(CC) $(STD_CFLAGS) -D_GNU_SOURCE $(WARN_CFLAGS) $(CPPFLAGS) \
	  -I$(top_srcdir)/src $(CFLAGS) -fPIC -fvisibility=hidden -shared $(LDFLAGS) -o $@ \
	  $(srcdir)/%D%/sleep/sleep.c

%D%/libcuda.so: %D%/libcuda.so.1
	$(AM_V_GEN)rm -f $@ && $(LN_S) libcuda.so.1 $@

%D%/drivers.stamp: %D%/libcuda.so.1 $(STANDIN_OLDER_PARTS) %D%/library/symbols.def \
    %D%/library/exports.awk
	$(AM_V_GEN)for driver in $(STANDIN_OLDER); do \
	  folder=%D%/$$driver; \
	  number=`echo $$driver | $(AWK) -F. '{ print 1000 * $$1 + 10 * $$2 }'`; \
	  $(MKDIR_P) $$folder && \
	  table=$(srcdir)/%D%/library/symbols.def; \
	  $(STANDIN_EXPORTS) -v what=map version=$$number $$table >$$folder/exports.map && \
	  $(STANDIN_EXPORTS) -v what=jumps version=$$number $$table >$$folder/jumps.S && \
	  $(STANDIN_COMPILE) -g0 -c $$folder/jumps.S -o $$folder/jumps.o && \
	  $(STANDIN_COMPILE) -DSI_PROFILE=$$number -c $(srcdir)/%D%/older/newest.c \
	    -o $$folder/newest.o && \
	  $(STANDIN_LINK) -o $$folder/libcuda.so.1 $$folder/newest.o $$folder/jumps.o \
	    -Wl,--version-script=$$folder/exports.map $(LIBS) && \
	  rm -f $$folder/*.o $$folder/jumps.S $$folder/libcuda.so && \
	  $(LN_S) libcuda.so.1 $$folder/libcuda.so || exit 1; \
	done && touch $@

# Automake strips what it has linked itself; these are data to it.
install-data-hook:
	cd $(DESTDIR)$(standindir) && rm -f libcuda.so && $(LN_S) libcuda.so.1 libcuda.so
	for driver in $(STANDIN_OLDER); do \
	  folder=$(DESTDIR)$(standindir)/$$driver; \
	  $(MKDIR_P) $$folder && \
	  $(INSTALL_DATA) %D%/$$driver/libcuda.so.1 $$folder/libcuda.so.1 && \
	  rm -f $$folder/libcuda.so && $(LN_S) libcuda.so.1 $$folder/libcuda.so || exit 1; \
	done
	test -z '$(INSTALL_STRIP_FLAG)' || \
	  find $(DESTDIR)$(standindir) -type f -name 'lib*.so*' -exec $(STRIP) --strip-unneeded {} +

UNINSTALL_PARTS += uninstall-standin
uninstall-standin:
	rm -f $(DESTDIR)$(standindir)/libcuda.so
	for driver in $(STANDIN_OLDER); do rm -rf $(DESTDIR)$(standindir)/$$driver; done

CLEAN_PARTS += clean-standin
clean-standin:
	for driver in $(STANDIN_OLDER); do rm -rf %D%/$$driver; done
endif
EXTRA_DIST += %D%/rooms %D%/library/exports.awk %D%/sleep/sleep.c \
  $(STANDIN_OLDER_PARTS)
