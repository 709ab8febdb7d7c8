# Benchmarks: built and run by `make bench` alone. For a new one add its name to
# BENCHES and a line  bench_NAME_LDADD = $(BENCH_LIBS)  below it.
# They link the objects of the static library, so no loader stands in between.
BENCH_LIBS = librill-all.la
BENCHES =
EXTRA_PROGRAMS += $(BENCHES)

.PHONY: bench
bench: $(BENCHES)
	@test -n '$(BENCHES)' || echo 'there are no benchmarks yet'
	@for bench in $(BENCHES); do \
	  echo "== $$bench" && ./$$bench $(BENCHFLAGS) || exit; \
	done
