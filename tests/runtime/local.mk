if TESTS_ENABLED
if STANDIN
check_PROGRAMS += \
  %D%/test_calls \
  %D%/test_devices \
  %D%/test_glue \
  %D%/test_graphs
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

# These load the library, and have none of it inside.
%C%_test_calls_SOURCES = \
  %D%/runtime.h \
  %D%/test_calls.c
%C%_test_calls_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_calls_DEPENDENCIES = src/standin/libcuda.so.1 $(RUNTIME_BOTH)
%C%_test_devices_SOURCES = \
  %D%/runtime.h \
  %D%/test_devices.c
%C%_test_devices_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_test_devices_DEPENDENCIES = src/standin/libcuda.so.1 $(RUNTIME_BOTH)
%C%_test_glue_SOURCES = \
  %D%/runtime.h \
  %D%/test_glue.c
%C%_test_glue_LDADD = $(CMOCKA_LIBS) $(PTHREAD_LIBS)
EXTRA_%C%_test_glue_DEPENDENCIES = src/standin/libcuda.so.1 $(RUNTIME_BOTH)
%C%_test_graphs_SOURCES = \
  %D%/runtime.h \
  %D%/test_graphs.c
%C%_test_graphs_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_graphs_DEPENDENCIES = src/standin/libcuda.so.1 $(RUNTIME_BOTH)
EXTRA_DIST += \
  %D%/programs/check.h \
  %D%/programs/cub_scan.cu \
  %D%/programs/graph_update.cu \
  %D%/programs/reduction.cu \
  %D%/programs/streams_events.cu \
  %D%/programs/thrust_sort.cu \
  %D%/programs/two_devices.cu \
  %D%/programs/vector_add.cu
