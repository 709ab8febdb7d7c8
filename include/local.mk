# The public headers, installed in $(includedir)/rill. None of them includes <cuda.h>.
rillincludedir = $(includedir)/rill
rillinclude_HEADERS = \
  %D%/rill/backend.h \
  %D%/rill/capture.h \
  %D%/rill/check.h \
  %D%/rill/cuda.h \
  %D%/rill/error.h \
  %D%/rill/event.h \
  %D%/rill/exec.h \
  %D%/rill/explore.h \
  %D%/rill/graph.h \
  %D%/rill/layer.h \
  %D%/rill/memory.h \
  %D%/rill/module.h \
  %D%/rill/op.h \
  %D%/rill/platform.h \
  %D%/rill/pool.h \
  %D%/rill/replay.h \
  %D%/rill/rill.h \
  %D%/rill/rill.hpp \
  %D%/rill/sim.h \
  %D%/rill/standin.h \
  %D%/rill/status.h \
  %D%/rill/stream.h \
  %D%/rill/touch.h \
  %D%/rill/trace.h \
  %D%/rill/types.h \
  %D%/rill/vmem.h \
  %D%/rill/watch.h

# The parts of <rill/rill.hpp>.
rillhppincludedir = $(includedir)/rill/hpp
rillhppinclude_HEADERS = \
  %D%/rill/hpp/buffer.hpp \
  %D%/rill/hpp/capture.hpp \
  %D%/rill/hpp/error.hpp \
  %D%/rill/hpp/event.hpp \
  %D%/rill/hpp/exec.hpp \
  %D%/rill/hpp/function.hpp \
  %D%/rill/hpp/graph.hpp \
  %D%/rill/hpp/handle.hpp \
  %D%/rill/hpp/memory.hpp \
  %D%/rill/hpp/module.hpp \
  %D%/rill/hpp/platform.hpp \
  %D%/rill/hpp/pool.hpp \
  %D%/rill/hpp/replay.hpp \
  %D%/rill/hpp/span.hpp \
  %D%/rill/hpp/stream.hpp \
  %D%/rill/hpp/user_object.hpp
