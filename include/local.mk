# The public headers, installed in $(includedir)/rill. None of them includes <cuda.h>.
rillincludedir = $(includedir)/rill
rillinclude_HEADERS = \
  %D%/rill/backend.h \
  %D%/rill/capture.h \
  %D%/rill/cuda.h \
  %D%/rill/error.h \
  %D%/rill/event.h \
  %D%/rill/exec.h \
  %D%/rill/graph.h \
  %D%/rill/memory.h \
  %D%/rill/module.h \
  %D%/rill/op.h \
  %D%/rill/platform.h \
  %D%/rill/pool.h \
  %D%/rill/replay.h \
  %D%/rill/rill.h \
  %D%/rill/sim.h \
  %D%/rill/standin.h \
  %D%/rill/status.h \
  %D%/rill/stream.h \
  %D%/rill/types.h
