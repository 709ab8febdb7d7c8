# Benchmarks: built and run by `make bench` alone. For a new one add its name to
# BENCHES and its lines below.
# They link the objects of the static library, so no loader stands in between.
# Peers, which are measured in the same run, are used where configure found them.
BENCH_LIBS = librill-all.la
BENCHES = %D%/rill-bench
EXTRA_PROGRAMS += $(BENCHES) %D%/rill-count %D%/rill-kernels
EXTRA_DIST += %D%/count.sh %D%/check.sh %D%/ways.sh %D%/kernels/kernels.cu \
  %D%/kernels/kernels.ptx
CLEANFILES += $(BENCH_PEERS)

%C%_rill_bench_SOURCES = \
  %D%/bench.h \
  %D%/bodies.c \
  %D%/engines.c \
  %D%/graph_blocks.c \
  %D%/graphs.h \
  %D%/machine.c \
  %D%/measure.c \
  %D%/peers/peer.h \
  %D%/queue_blocks.c \
  %D%/report/graphs.c \
  %D%/report/json.c \
  %D%/report/report.c \
  %D%/report/scale.c \
  %D%/report/streams.c \
  %D%/report/svg.c \
  %D%/report/wide.c \
  %D%/rill-bench.c \
  %D%/rill_blocks.c \
  %D%/rill_graphs.c \
  %D%/rounds.c \
  %D%/serial_blocks.c \
  %D%/shapes.c \
  %D%/split_engine.c \
  %D%/stats.c
%C%_rill_bench_CPPFLAGS = $(AM_CPPFLAGS) -DBENCH_CFLAGS='"$(CC) $(CFLAGS)"' \
  -DBENCH_PEERS='"$(abs_builddir)/%D%/peers"'
%C%_rill_bench_CFLAGS = $(AM_CFLAGS)
%C%_rill_bench_LDADD = $(BENCH_LIBS)
%C%_rill_count_SOURCES = %D%/held.c %D%/held.h %D%/rill-count.c
%C%_rill_count_LDADD = $(BENCH_LIBS)
%C%_rill_kernels_SOURCES = %D%/held.c %D%/held.h %D%/kernels/rill-kernels.c
%C%_rill_kernels_CPPFLAGS = $(AM_CPPFLAGS) -DBENCH_KERNELS='"$(abs_srcdir)/%D%/kernels/kernels.ptx"'
%C%_rill_kernels_LDADD = $(BENCH_LIBS)

# What an instruction of PTX costs.
EXTRA_PROGRAMS += %D%/rill-ptx
%C%_rill_ptx_SOURCES = %D%/kernels/ptx.c %D%/kernels/ptx_scalar.c \
  %D%/kernels/ptx_scalar.h
%C%_rill_ptx_LDADD = $(BENCH_LIBS)

# What kernels cost next to the same loops in plain C.
EXTRA_PROGRAMS += %D%/rill-loops
EXTRA_DIST += %D%/kernels/loops.cu %D%/kernels/loops.ptx
%C%_rill_loops_SOURCES = %D%/held.h %D%/kernels/loops_peer.h \
  %D%/kernels/loops_plain.c %D%/kernels/loops_plain.h %D%/kernels/rill-loops.c \
  %D%/kernels/two_threads.c %D%/kernels/two_threads.h
%C%_rill_loops_CPPFLAGS = $(AM_CPPFLAGS) -DBENCH_LOOPS='"$(abs_srcdir)/%D%/kernels/loops.ptx"' \
  -DBENCH_PEER='"$(abs_builddir)/%D%/peers/pocl-loops.so"'
%C%_rill_loops_LDADD = $(BENCH_LIBS)

# What the stand-in costs over rill's own calls.
EXTRA_DIST += %D%/standin.c
if STANDIN
EXTRA_PROGRAMS += %D%/rill-standin
%C%_rill_standin_SOURCES = %D%/standin.c
%C%_rill_standin_CPPFLAGS = $(AM_CPPFLAGS) -DSTANDIN='"$(abs_builddir)/src/standin/libcuda.so.1"'
%C%_rill_standin_LDADD = $(BENCH_LIBS)
EXTRA_%C%_rill_standin_DEPENDENCIES = src/standin/libcuda.so.1
endif

# What the CUDA backend costs over the driver: needs a GPU, so tools/check-gpu runs it.
EXTRA_DIST += %D%/cuda-overhead.c %D%/cuda_driver.c %D%/cuda_driver.h
if BACKEND_CUDA
EXTRA_PROGRAMS += %D%/cuda-overhead
%C%_cuda_overhead_SOURCES = %D%/cuda-overhead.c %D%/cuda_driver.c %D%/cuda_driver.h
%C%_cuda_overhead_LDADD = $(BENCH_LIBS)
endif

# Each peer is a module that the benchmark loads. They have compilers and runtimes of
# their own, and nothing of rill's, so Automake has no part in them.
PEER_FLAGS = -O2 -DNDEBUG -fPIC -shared -pthread
PEER_C = $(AM_V_GEN)$(MKDIR_P) %D%/peers && $(CC) -std=gnu11 $(PEER_FLAGS)
PEER_CXX = $(AM_V_GEN)$(MKDIR_P) %D%/peers && $(CXX) -std=c++17 $(PEER_FLAGS) $(TBB_CFLAGS)
GLIB_PEER = $(srcdir)/%D%/peers/glib.c $(srcdir)/%D%/peers/glib_queues.c
OPENMP_PEER = $(srcdir)/%D%/peers/openmp.c $(srcdir)/%D%/peers/openmp_queues.c
TBB_PEER = $(srcdir)/%D%/peers/tbb.cpp
TBB_QUEUES = $(srcdir)/%D%/peers/tbb_queues.cpp
STARPU_PEER = $(srcdir)/%D%/peers/starpu.c
POCL_PEER = $(srcdir)/%D%/peers/pocl.c
PEER_INCLUDES = $(srcdir)/%D%/peers/peer.h $(srcdir)/%D%/peers/scratch.h
EXTRA_DIST += %D%/peers/glib.c %D%/peers/glib_queues.c %D%/peers/openmp.c \
  %D%/peers/loops.cl %D%/peers/openmp_queues.c %D%/peers/pocl.c \
  %D%/peers/pocl_loops.c %D%/peers/scratch.h %D%/peers/starpu.c \
  %D%/peers/tbb.cpp %D%/peers/tbb_queues.cpp

%D%/peers/glib.so: $(GLIB_PEER) $(PEER_INCLUDES)
	$(PEER_C) $(GLIB_CFLAGS) $(GLIB_PEER) -o $@ $(GLIB_LIBS)

%D%/peers/libgomp.so: $(OPENMP_PEER) $(PEER_INCLUDES)
	$(AM_V_GEN)$(MKDIR_P) %D%/peers && $(GOMP_CC) -std=gnu11 $(PEER_FLAGS) -fopenmp \
	  $(OPENMP_PEER) -o $@

%D%/peers/libomp.so: $(OPENMP_PEER) $(PEER_INCLUDES)
	$(AM_V_GEN)$(MKDIR_P) %D%/peers && $(OMP_CC) -std=gnu11 $(PEER_FLAGS) -fopenmp \
	  $(OPENMP_PEER) -o $@

%D%/peers/tbb.so: $(TBB_PEER) $(TBB_QUEUES) $(PEER_INCLUDES)
	$(PEER_CXX) $(TBB_PEER) $(TBB_QUEUES) -o $@ $(TBB_LIBS)

%D%/peers/tbb-light.so: $(TBB_PEER) $(PEER_INCLUDES)
	$(PEER_CXX) -DLIGHTWEIGHT $(TBB_PEER) -o $@ $(TBB_LIBS)

%D%/peers/starpu.so: $(STARPU_PEER) $(PEER_INCLUDES)
	$(PEER_C) $(STARPU_CFLAGS) $(STARPU_PEER) -o $@ $(STARPU_LIBS)

%D%/peers/pocl.so: $(POCL_PEER) $(PEER_INCLUDES)
	$(PEER_C) $(OPENCL_CFLAGS) $(POCL_PEER) -o $@ $(OPENCL_LIBS)

%D%/peers/pocl-loops.so: $(srcdir)/%D%/peers/pocl_loops.c $(srcdir)/%D%/kernels/loops_peer.h
	$(PEER_C) $(OPENCL_CFLAGS) -DLOOPS_CL='"$(abs_srcdir)/%D%/peers/loops.cl"' \
	  $(srcdir)/%D%/peers/pocl_loops.c -o $@ $(OPENCL_LIBS)

.PHONY: bench bench-build bench-count bench-check bench-loops bench-ways
bench-build: $(BENCHES) %D%/rill-count %D%/rill-kernels %D%/rill-loops %D%/rill-ptx \
  $(BENCH_PEERS) $(BENCH_LOOPS_PEER)

bench: bench-build
	@for bench in $(BENCHES); do \
	  echo "== $$bench" && ./$$bench $(BENCHFLAGS) || exit; \
	done

bench-count: %D%/rill-count
	@test -n '$(VALGRIND)' || { echo 'bench-count: no valgrind was found by configure' >&2; exit 1; }
	@VALGRIND='./libtool --silent --mode=execute $(VALGRIND)' \
	  $(SHELL) $(srcdir)/%D%/count.sh ./%D%/rill-count

bench-check: %D%/rill-count %D%/rill-kernels
	@test -n '$(VALGRIND)' || { echo 'bench-check: no valgrind was found by configure' >&2; exit 1; }
	@VALGRIND='./libtool --silent --mode=execute $(VALGRIND)' \
	  $(SHELL) $(srcdir)/%D%/check.sh ./%D%

bench-loops: %D%/rill-loops $(BENCH_LOOPS_PEER)
	@./%D%/rill-loops $(BENCHFLAGS)

bench-ways: %D%/rill-kernels
	@test -n '$(VALGRIND)' || { echo 'bench-ways: no valgrind was found by configure' >&2; exit 1; }
	@VALGRIND='./libtool --silent --mode=execute $(VALGRIND)' \
	  $(SHELL) $(srcdir)/%D%/ways.sh ./%D%/rill-kernels
