#!/bin/sh
# The conformance suite with fewer and with more workers than the machine has
# processors: no order may depend on how many there are.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
program=./tests/conformance/run_sim
[ -x "$program" ] || skip_all "the suite was not built"

run_with() {
  RILL_SIM_WORKERS=$1 sh "$srcdir/tests/run.sh" "$program" || return 1
}

for workers in 1 2 64; do
  expect "the suite passes with RILL_SIM_WORKERS=$workers" run_with "$workers"
done
done_testing
