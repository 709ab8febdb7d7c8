if TESTS_ENABLED
if STANDIN
check_PROGRAMS += \
  %D%/test_glue
endif
endif

# These load the library, and have none of it inside.
%C%_test_glue_SOURCES = \
  %D%/runtime.h \
  %D%/test_glue.c
%C%_test_glue_LDADD = $(CMOCKA_LIBS)
EXTRA_%C%_test_glue_DEPENDENCIES = src/standin/libcuda.so.1 src/runtime/libcudart.so.13
EXTRA_DIST += \
  %D%/programs/check.h \
  %D%/programs/cub_scan.cu \
  %D%/programs/graph_update.cu \
  %D%/programs/reduction.cu \
  %D%/programs/streams_events.cu \
  %D%/programs/thrust_sort.cu \
  %D%/programs/two_devices.cu \
  %D%/programs/vector_add.cu
