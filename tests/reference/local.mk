# Run by tests/reference.sh; examples of the manual have this main().
EXTRA_DIST += %D%/main.c
if TESTS_ENABLED
EXTRA_PROGRAMS += %D%/measure
check_DATA += %D%/measure
%C%_measure_SOURCES = \
  %D%/asking_calls.c \
  %D%/backend_calls.c \
  %D%/cuda_calls.c \
  %D%/kernel_calls.c \
  %D%/layered_calls.c \
  %D%/measure.c \
  %D%/own_calls.c \
  %D%/own_calls.h \
  %D%/shared_calls.c
endif
