if TESTS_ENABLED
if STANDIN
check_PROGRAMS += \
  %D%/test_calls \
  %D%/test_cuda_11 \
  %D%/test_devices \
  %D%/test_glue \
  %D%/test_glue_fuzz \
  %D%/test_graphs \
  %D%/test_references
# Run by answers.sh, sites.sh, nvrtc.sh and jit_link.sh.
EXTRA_PROGRAMS += %D%/answers/answers %D%/racer %D%/compiles %D%/links
check_DATA += %D%/answers/answers %D%/racer %D%/compiles %D%/links
if HAVE_CUDA_13_H
check_PROGRAMS += %D%/test_abi
endif
endif
endif

%C%_test_abi_SOURCES = \
  %D%/layout.def \
  %D%/layout_ours.c \
  %D%/layout_theirs.c \
  %D%/test_abi.c
%C%_test_abi_LDADD = $(CMOCKA_LIBS)

# Compiled with rill's own headers of the runtime, and run by answers.sh.
%C%_answers_answers_SOURCES = \
  %D%/answers/answers.h \
  %D%/answers/captures.c \
  %D%/answers/contexts.c \
  %D%/answers/copies.c \
  %D%/answers/device.c \
  %D%/answers/execs.c \
  %D%/answers/faults.c \
  %D%/answers/kernels.c \
  %D%/answers/launches.c \
  %D%/answers/main.c \
  %D%/answers/memory.c \
  %D%/answers/nodes.c \
  %D%/answers/nulls.c \
  %D%/answers/orders.c \
  %D%/answers/pools.c \
  %D%/answers/streams.c \
  %D%/answers/symbols.c \
  %D%/answers/words.c
%C%_answers_answers_CPPFLAGS = -I$(srcdir)/src/runtime/cc $(AM_CPPFLAGS)
%C%_answers_answers_LDADD = src/runtime/libcudart.so.13 $(PTHREAD_LIBS)
EXTRA_DIST += \
  %D%/compare.sh \
  %D%/nvcc.sh \
  %D%/answers/differences.txt \
  %D%/answers/expected.txt \
  %D%/answers/kernels.cu

%C%_compiles_CPPFLAGS = -I$(srcdir)/src/runtime/cc $(AM_CPPFLAGS)
%C%_compiles_LDADD = src/runtime/libcudart.so.13 $(PTHREAD_LIBS)
%C%_links_CPPFLAGS = -I$(srcdir)/src/runtime/cc $(AM_CPPFLAGS)
%C%_links_LDADD = src/runtime/libcudart.so.13 $(PTHREAD_LIBS)

# Run by sites.sh, which looks for its lines.
%C%_racer_CPPFLAGS = -I$(srcdir)/src/runtime/cc $(AM_CPPFLAGS)
%C%_racer_CFLAGS = $(AM_CFLAGS) -g -O0
%C%_racer_LDADD = src/runtime/libcudart.so.13 $(PTHREAD_LIBS)

# These load the library, and have none of it inside.
%C%_test_calls_SOURCES = \
  %D%/runtime.h \
  %D%/test_calls.c
%C%_test_calls_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_calls_DEPENDENCIES = src/standin/libcuda.so.1 $(RUNTIMES)
%C%_test_cuda_11_SOURCES = \
  %D%/runtime.h \
  %D%/test_cuda_11.c
%C%_test_cuda_11_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_test_cuda_11_DEPENDENCIES = src/standin/libcuda.so.1 $(RUNTIMES)
%C%_test_devices_SOURCES = \
  %D%/runtime.h \
  %D%/test_devices.c
%C%_test_devices_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_test_devices_DEPENDENCIES = src/standin/libcuda.so.1 $(RUNTIMES)
%C%_test_glue_SOURCES = \
  %D%/runtime.h \
  %D%/test_glue.c
%C%_test_glue_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_test_glue_DEPENDENCIES = src/standin/libcuda.so.1 $(RUNTIMES)
%C%_test_glue_fuzz_SOURCES = \
  %D%/runtime.h \
  %D%/test_glue_fuzz.c
%C%_test_glue_fuzz_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_glue_fuzz_DEPENDENCIES = src/standin/libcuda.so.1 $(RUNTIMES)
%C%_test_graphs_SOURCES = \
  %D%/runtime.h \
  %D%/test_graphs.c
%C%_test_graphs_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_graphs_DEPENDENCIES = src/standin/libcuda.so.1 $(RUNTIMES)
%C%_test_references_SOURCES = \
  %D%/runtime.h \
  %D%/test_references.c
%C%_test_references_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_references_DEPENDENCIES = src/standin/libcuda.so.1 $(RUNTIMES)
# Compiled by nvcc 11, and run by answers_11.sh.
EXTRA_DIST += \
  %D%/cuda_11/ask.h \
  %D%/cuda_11/binding.cu \
  %D%/cuda_11/calls.cu \
  %D%/cuda_11/differences.txt \
  %D%/cuda_11/expected.txt \
  %D%/cuda_11/graphs.cu \
  %D%/cuda_11/lookups.cu \
  %D%/cuda_11/main.cu
EXTRA_DIST += \
  %D%/programs/check.h \
  %D%/programs/children.cu \
  %D%/programs/clocks.cu \
  %D%/programs/cub_scan.cu \
  %D%/programs/device_functions.cu \
  %D%/programs/device_runtime.cu \
  %D%/programs/graph_update.cu \
  %D%/programs/groups.cu \
  %D%/programs/half_floats.cu \
  %D%/programs/reduction.cu \
  %D%/programs/sites.cu \
  %D%/programs/streams_events.cu \
  %D%/programs/texture_references.cu \
  %D%/programs/textures.cu \
  %D%/programs/thrust_sort.cu \
  %D%/programs/two_devices.cu \
  %D%/programs/unified_memory.cu \
  %D%/programs/vector_add.cu \
  %D%/programs/warp_sums.cu
