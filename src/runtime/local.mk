# The runtime: libcudart.so.11.0, .12 and .13 over the driver's public calls, beside the stand-in in
# $(libdir)/rill. Linked by hand as the stand-in is: the same objects, a number
# (driver/profile.c), and for each library a list of exports and the functions that they are.
if STANDIN
noinst_LTLIBRARIES += libruntime.la
libruntime_la_CFLAGS = $(OWN_CFLAGS) -fno-semantic-interposition
if ENABLE_SHARED
libruntime_la_CFLAGS += -shared
endif
libruntime_la_SOURCES = \
  %D%/library/symbols.def \
  %D%/library/end.c \
  %D%/library/proc.c \
  %D%/library/refused.c \
  %D%/library/symbols.h \
  %D%/graph/any_node.c \
  %D%/graph/copy_node.c \
  %D%/graph/exec.c \
  %D%/graph/fill_node.c \
  %D%/graph/graph.c \
  %D%/graph/kernel_node.c \
  %D%/graph/node.h \
  %D%/graph/plain_node.c \
  %D%/launch/config.h \
  %D%/launch/configuration.c \
  %D%/launch/function.c \
  %D%/launch/launch.c \
  %D%/launch/library.c \
  %D%/launch/multi_device.c \
  %D%/launch/occupancy.c \
  %D%/memory/allocation.c \
  %D%/memory/array.c \
  %D%/memory/array.h \
  %D%/memory/array_copy.c \
  %D%/memory/copy.c \
  %D%/memory/copy.h \
  %D%/memory/copy_box.c \
  %D%/memory/fill.c \
  %D%/memory/ipc.c \
  %D%/memory/managed.c \
  %D%/memory/pointer.c \
  %D%/memory/pool.c \
  %D%/memory/reference.c \
  %D%/memory/symbol.c \
  %D%/memory/texture.c \
  %D%/stream/capture.c \
  %D%/stream/event.c \
  %D%/stream/stream.c \
  %D%/device/device.c \
  %D%/device/limit.c \
  %D%/device/properties.c \
  %D%/driver/version.h \
  %D%/glue/image.c \
  %D%/glue/image.h \
  %D%/glue/link.c \
  %D%/glue/link.h \
  %D%/glue/reference.c \
  %D%/glue/reference.h \
  %D%/glue/table.c \
  %D%/glue/table.h \
  %D%/glue/variable.c \
  %D%/thread/context.c \
  %D%/thread/entry.h \
  %D%/thread/error.c \
  %D%/thread/thread.h \
  %D%/driver/driver.c \
  %D%/driver/driver.h \
  %D%/driver/entries.h \
  %D%/abi/abi.h \
  %D%/abi/error.h \
  %D%/abi/fatbin.h \
  %D%/abi/log.c \
  %D%/abi/log.h \
  %D%/abi/texture.h

# For programs that are compiled without CUDA's files.
ccdir = $(libdir)/rill/cc
dist_cc_DATA = \
  %D%/cc/cooperative_groups.h \
  %D%/cc/cuda.h \
  %D%/cc/cuda_atomics.h \
  %D%/cc/cuda_device.h \
  %D%/cc/cuda_device_prop.h \
  %D%/cc/cuda_fp16.h \
  %D%/cc/cuda_fp16_compute.h \
  %D%/cc/cuda_fp16_convert.h \
  %D%/cc/cuda_fp16_host.h \
  %D%/cc/cuda_libdevice.h \
  %D%/cc/cuda_math.h \
  %D%/cc/cuda_profiler_api.h \
  %D%/cc/cuda_runtime.h \
  %D%/cc/cuda_runtime_api.h \
  %D%/cc/cuda_runtime_graphs.h \
  %D%/cc/cuda_runtime_numbers.h \
  %D%/cc/cuda_runtime_types.h \
  %D%/cc/cuda_vector_types.h \
  %D%/cc/cuda_warp.h \
  %D%/cc/device_launch_parameters.h \
  %D%/cc/vector_types.h

ccgroupsdir = $(ccdir)/cooperative_groups
dist_ccgroups_DATA = \
  %D%/cc/cooperative_groups/memcpy_async.h \
  %D%/cc/cooperative_groups/reduce.h \
  %D%/cc/cooperative_groups/scan.h

# Beside the library, where `rill cc` looks for them.
noinst_DATA += %D%/cc.stamp
CLEANFILES += %D%/cc.stamp
%D%/cc.stamp:
	$(AM_V_GEN)$(MKDIR_P) %D% && { test -d %D%/cc || $(LN_S) $(abs_srcdir)/%D%/cc %D%/cc; } && : >$@
distclean-local:
	test ! -h %D%/cc || rm -f %D%/cc

runtimedir = $(libdir)/rill
RUNTIMES = %D%/libcudart.so.11.0 %D%/libcudart.so.12 %D%/libcudart.so.13
runtime_DATA = $(RUNTIMES) %D%/libcudart-redirect.so
CLEANFILES += $(runtime_DATA)

RUNTIME_EXPORTS = $(AWK) -f $(srcdir)/%D%/library/exports.awk

# What cudaRuntimeGetVersion() tells, by the number of the library.
RUNTIME_VERSIONS = case $$library in 11) version=11080;; 12) version=12090;; *) version=13000;; esac

$(RUNTIMES): %D%/library/symbols.def %D%/library/exports.awk %D%/driver/profile.c \
    libruntime.la librill-all.la
	$(AM_V_CCLD)node=`basename $@`; \
	  library=`echo $$node | sed 's/^libcudart\.so\.//; s/\..*//'`; $(RUNTIME_VERSIONS); \
	  $(MKDIR_P) %D%/driver && \
	  $(RUNTIME_EXPORTS) -v library=$$library -v node=$$node -v what=map \
	    $(srcdir)/%D%/library/symbols.def >$@.map && \
	  $(RUNTIME_EXPORTS) -v library=$$library -v what=names \
	    $(srcdir)/%D%/library/symbols.def >$@.names && \
	  $(COMPILE) -fPIC -c $(srcdir)/%D%/driver/profile.c -o $@.o \
	    -DRT_PROFILE=$$version && \
	  $(CC) -shared $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS) \
	    -Wl,-soname,$$node -Wl,-Bsymbolic -Wl,--version-script=$@.map \
	    -o $@ $@.o @$@.names -Wl,--whole-archive .libs/libruntime.a -Wl,--no-whole-archive \
	    .libs/librill-all.a $(PTHREAD_LIBS) $(LIBS) && \
	  rm -f $@.map $@.names $@.o

# For programs and libraries with CUDA's runtime inside, loaded before them, and begun before all
# else. No sanitizer: it runs before any.
%D%/libcudart-redirect.so: $(REDIRECT_FILES)
	$(AM_V_CCLD)$(MKDIR_P) %D% && $(CC) $(STD_CFLAGS) -D_GNU_SOURCE $(WARN_CFLAGS) $(CPPFLAGS) \
	  $(CFLAGS) -fPIC -fvisibility=hidden -shared -Wl,-z,initfirst $(LDFLAGS) -o $@ \
	  $(srcdir)/%D%/redirect/redirect.c $(srcdir)/%D%/redirect/compiler.c \
	  $(srcdir)/%D%/redirect/jit_link.c $(srcdir)/%D%/redirect/jit_link_calls.c \
	  $(srcdir)/%D%/redirect/object.c $(srcdir)/%D%/redirect/symbols.c \
	  $(srcdir)/%D%/redirect/jump.c
endif
REDIRECT_FILES = %D%/redirect/redirect.c %D%/redirect/compiler.c %D%/redirect/compiler.h \
  %D%/redirect/object.c %D%/redirect/object.h %D%/redirect/symbols.c %D%/redirect/symbols.h \
  %D%/redirect/jit_link.c %D%/redirect/jit_link.h %D%/redirect/jit_link_calls.c \
  %D%/redirect/jit_link_calls.h %D%/redirect/jump.c %D%/redirect/jump.h
EXTRA_DIST += %D%/rooms %D%/library/exports.awk %D%/driver/profile.c $(REDIRECT_FILES)
