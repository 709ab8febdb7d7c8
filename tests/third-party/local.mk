# tools/third-party builds these with the compilers that it tests.
EXTRA_DIST += \
  %D%/control.c \
  %D%/fails.txt \
  %D%/guest.h \
  %D%/numba_tests.py \
  %D%/offload.c \
  %D%/openacc.c \
  %D%/openmp.c \
  %D%/programs.sh \
  %D%/pycuda/nvcc \
  %D%/pycuda/tests.py \
  %D%/reports.txt \
  %D%/runtime/HeCBench.txt \
  %D%/runtime/cuda-samples.txt \
  %D%/runtime/ggml.txt \
  %D%/runtime/page.sh \
  %D%/runtime/reports.txt \
  %D%/runtime/run.sh \
  %D%/runtime/suites.sh
