# Examples: built by `make`, run by tests/examples.sh. They use the library as its
# users do. For a new one add its name to EXAMPLES and its lines below.
EXAMPLE_LIBS = librill.la
EXAMPLES = \
  %D%/capture_and_replay \
  %D%/checked \
  %D%/errors \
  %D%/explored \
  %D%/graph \
  %D%/graph_memory \
  %D%/hello \
  %D%/loop \
  %D%/overlap \
  %D%/pipeline \
  %D%/ptx_histogram \
  %D%/sanitized \
  %D%/saxpy \
  %D%/tiles \
  %D%/traced \
  %D%/update
if HAVE_CXX17
EXAMPLES += %D%/pipeline_cpp
endif
noinst_PROGRAMS += $(EXAMPLES)
CLEANFILES += tiles.dot traced.json

%C%_capture_and_replay_SOURCES = %D%/capture_and_replay.c %D%/must.h
%C%_capture_and_replay_LDADD = $(EXAMPLE_LIBS)
%C%_checked_SOURCES = %D%/checked.c %D%/must.h
%C%_checked_LDADD = $(EXAMPLE_LIBS)
%C%_errors_SOURCES = %D%/errors.c %D%/must.h
%C%_errors_LDADD = $(EXAMPLE_LIBS)
%C%_explored_SOURCES = %D%/explored.c %D%/must.h
%C%_explored_LDADD = $(EXAMPLE_LIBS)
%C%_graph_SOURCES = %D%/graph.c %D%/must.h
%C%_graph_LDADD = $(EXAMPLE_LIBS)
%C%_graph_memory_SOURCES = %D%/graph_memory.c %D%/must.h
%C%_graph_memory_LDADD = $(EXAMPLE_LIBS)
%C%_hello_LDADD = $(EXAMPLE_LIBS)
%C%_loop_SOURCES = %D%/loop.c %D%/must.h
%C%_loop_LDADD = $(EXAMPLE_LIBS)
%C%_overlap_SOURCES = %D%/overlap.c %D%/must.h
%C%_overlap_LDADD = $(EXAMPLE_LIBS)
%C%_pipeline_SOURCES = %D%/pipeline.c %D%/frames.c %D%/frames.h %D%/must.h \
  %D%/timeline.c %D%/timeline.h
%C%_pipeline_LDADD = $(EXAMPLE_LIBS)
# With flags of its own, its object has a name of its own beside that of pipeline.c.
%C%_pipeline_cpp_SOURCES = %D%/pipeline.cpp
%C%_pipeline_cpp_CXXFLAGS = $(AM_CXXFLAGS)
%C%_pipeline_cpp_LDADD = $(EXAMPLE_LIBS)
%C%_ptx_histogram_SOURCES = %D%/ptx_histogram.c %D%/must.h
%C%_ptx_histogram_LDADD = $(EXAMPLE_LIBS)
%C%_sanitized_SOURCES = %D%/sanitized.c %D%/must.h
%C%_sanitized_LDADD = $(EXAMPLE_LIBS)
%C%_saxpy_SOURCES = %D%/saxpy.c %D%/must.h
%C%_saxpy_LDADD = $(EXAMPLE_LIBS)
%C%_tiles_SOURCES = %D%/tiles.c %D%/must.h %D%/timeline.c %D%/timeline.h
%C%_tiles_LDADD = $(EXAMPLE_LIBS)
%C%_traced_SOURCES = %D%/traced.c %D%/must.h
%C%_traced_LDADD = $(EXAMPLE_LIBS)
%C%_update_SOURCES = %D%/update.c %D%/must.h
%C%_update_LDADD = $(EXAMPLE_LIBS)

# As they are, to read and to build with pkg-config.
exampledir = $(docdir)/examples
example_DATA = \
  %D%/capture_and_replay.c \
  %D%/checked.c \
  %D%/errors.c \
  %D%/explored.c \
  %D%/frames.c \
  %D%/frames.h \
  %D%/graph.c \
  %D%/graph_memory.c \
  %D%/hello.c \
  %D%/graph.py \
  %D%/hello.py \
  %D%/hello.rs \
  %D%/loop.c \
  %D%/must.h \
  %D%/overlap.c \
  %D%/pipeline.c \
  %D%/pipeline.cpp \
  %D%/ptx_histogram.c \
  %D%/sanitized.c \
  %D%/saxpy.c \
  %D%/tiles.c \
  %D%/timeline.c \
  %D%/timeline.h \
  %D%/traced.c \
  %D%/update.c \
  %D%/vector_add.cu
examplecidir = $(exampledir)/ci
# What doc/ci.md shows, tried by tests/ci.sh.
exampleci_DATA = \
  %D%/ci/CMakeLists.txt \
  %D%/ci/Dockerfile \
  %D%/ci/app.c \
  %D%/ci/github.yml \
  %D%/ci/gitlab.yml \
  %D%/ci/test_order.py
EXTRA_DIST += $(example_DATA) $(exampleci_DATA)
