# Benchmarks: built and run by `make bench` alone. For a new one add its name to
# BENCHES and its lines below.
# They link the objects of the static library, so no loader stands in between.
# GLib, whose thread pool is measured in the same run, is used where it is found.
BENCH_LIBS = librill-all.la
BENCHES = %D%/rill-bench
EXTRA_PROGRAMS += $(BENCHES) %D%/rill-count
EXTRA_DIST += %D%/count.sh

%C%_rill_bench_SOURCES = \
  %D%/bench.h \
  %D%/glib_blocks.c \
  %D%/machine.c \
  %D%/measure.c \
  %D%/queue_blocks.c \
  %D%/report.c \
  %D%/rill-bench.c \
  %D%/rill_blocks.c \
  %D%/rounds.c \
  %D%/serial_blocks.c \
  %D%/stats.c
%C%_rill_bench_CPPFLAGS = $(AM_CPPFLAGS) -DBENCH_CFLAGS='"$(CC) $(CFLAGS)"'
%C%_rill_bench_CFLAGS = $(AM_CFLAGS)
%C%_rill_bench_LDADD = $(BENCH_LIBS)
if BENCH_GLIB
%C%_rill_bench_CPPFLAGS += -DRILL_BENCH_GLIB=1
%C%_rill_bench_CFLAGS += $(GLIB_CFLAGS)
%C%_rill_bench_LDADD += $(GLIB_LIBS)
endif
%C%_rill_count_LDADD = $(BENCH_LIBS)

.PHONY: bench bench-count
bench: $(BENCHES)
	@for bench in $(BENCHES); do \
	  echo "== $$bench" && ./$$bench $(BENCHFLAGS) || exit; \
	done

bench-count: %D%/rill-count
	@test -n '$(VALGRIND)' || { echo 'bench-count: no valgrind was found by configure' >&2; exit 1; }
	@VALGRIND='./libtool --silent --mode=execute $(VALGRIND)' \
	  $(SHELL) $(srcdir)/%D%/count.sh ./%D%/rill-count
