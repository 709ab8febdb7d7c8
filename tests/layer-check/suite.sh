#!/bin/sh
# Programs of this project under the layer check: each has to pass as it does without, and
# each report has to be listed here with the reason why it is no bug.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

# Tests with faults on purpose, some of which are listed below, leave them out there.
# shellcheck disable=SC2154 # config.sh
[ "$sanitizers" = no ] || skip_all "a sanitizer takes faults on purpose for real ones"

work=$(pwd)/tests/layer-check/suite.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"

for variable in $(env | sed -n 's/^\(RILL_[A-Z_]*\)=.*/\1/p'); do
  case $variable in RILL_TEST_*) ;; *) unset "$variable" ;; esac
done

# program: words of a report, with " & " between them: why
listed=$(cat << 'END'
examples/capture_and_replay: rill_stream_synchronize & enqueue(): shows steps that wait
conformance/run_sim: memset uses memory after it was freed & memory of a graph: wants a fault
conformance/run_sim: memcpy & a_copy_of_memory_that_was_freed: its name says so
conformance/run_cuda: memset uses memory after it was freed & memory of a graph: wants a fault
conformance/run_cuda: memcpy & a_copy_of_memory_that_was_freed: its name says so
sim/clock/test_overlap: memcpy & to_device(): what overlaps there has bytes in common
sim/clock/test_overlap: memcpy & to_host(): what overlaps there has bytes in common
sim/graphs/test_graph_lives: memcpy uses memory after it was freed: wants a fault
sim/memory/test_pool: the host takes away memory & freeing_at_once(): its name says so
sim/scheduler/test_device_faults: a_wait_whose_memory_was_freed: its name says so
END
)

# Prints the reports of a program that are not listed.  What a driver's kernels touch is assumed,
# which says nothing of programs whose kernels share an allocation.
unlisted() {
  assumed=0 short=0
  case $1 in
  conformance/run_cuda) assumed=1 ;;
  sim/*) short=1 ;;
  esac
  echo "$listed" | cat - "$work"/log.* 2> /dev/null |
    awk -f "$srcdir/tests/layer-check/unlisted.awk" -v program="$1" -v assumed=$assumed \
      -v short=$short
}

# check_program NAME KINDS ALLOWED-STATUS [VARIABLE=VALUE]...: runs it under the layer, which looks
# for findings of these kinds.
check_program() {
  name=$1 kinds=$2 allowed=$3
  shift 3
  case $name in
  examples/*) program=./$name ;;
  *) program=./tests/$name ;;
  esac
  rm -f "$work"/log.*
  env "$@" RILL_LAYERS=check RILL_CHECK="$kinds log=$work/log.%p" CMOCKA_MESSAGE_OUTPUT=TAP \
    RILL_TEST_TIMEOUT=120 "${SHELL:-sh}" "$srcdir/tests/run.sh" "$program" > "$work/output" 2>&1
  status=$?
  if [ $status -gt "$allowed" ]; then
    not_ok "$name passes under the layer"
    { echo "status $status"; grep '^not ok' "$work/output" || tail -n 20 "$work/output"; } |
      sed 's/^/# /'
  else
    ok "$name passes under the layer"
  fi
  expect_empty "$name has no report that is not listed" "$(unlisted "$name")"
}

# Reports are known by names, which libdw tells.
[ -x examples/checked ] || skip_all "the examples were not built"
RILL_BACKEND=sim RILL_LAYERS=check RILL_CHECK="log=$work/names" ./examples/checked wait
grep -q 'checked\.c:.*forget_wait()' "$work/names" || skip_all "reports have no names here"

# Examples have code for no GPU, and checked has mistakes on purpose, which it takes itself.
for example in $RILL_TEST_EXAMPLES; do
  [ -x "$example" ] || continue
  check_program "$example" "race life capture" 0 RILL_BACKEND=sim
done
rm -f tiles.dot

# Captures are broken on purpose by the tests of captures, which are many.
check_program conformance/run_sim "race life" 0

# Over the stand-in a test or two differs, which standin_conformance.sh knows.
if [ -x ./tests/conformance/run_cuda ] && [ -e src/standin/libcuda.so.1 ]; then
  check_program conformance/run_cuda "race life" 1 RILL_SIM_DEVICES=2 \
    RILL_CUDA_LIBRARY="$(pwd)/src/standin/libcuda.so.1" \
    RILL_KERNELS="$(pwd)/tests/standin/suite_kernels.so"
fi

# Tests of the library's own parts count what is allocated, take tables from a backend that is
# open (core/test_forks), or have a backend or a watcher of
# their own, or use memory wrongly in most tests (sim/memory/test_pool_limits).  These do not.
for program in \
  cpp/test_calls cpp/test_captures cpp/test_functions cpp/test_memory cpp/test_owners \
  cpp/test_work \
  core/test_capture core/test_counts core/test_host_data core/test_notes \
  core/test_options core/test_registry \
  layer-trace/test_trace \
  runtime/test_calls runtime/test_devices runtime/test_glue runtime/test_graphs \
  sim/clock/test_costs sim/clock/test_graph_times sim/clock/test_overlap sim/clock/test_times \
  sim/graphs/test_exec_changes sim/graphs/test_execs sim/graphs/test_gang \
  sim/graphs/test_graph_calls sim/graphs/test_graph_memory sim/graphs/test_made_up_kind \
  sim/graphs/test_plan \
  sim/graphs/test_graph_lives sim/graphs/test_graph_sharing sim/graphs/test_nodes \
  sim/graphs/test_shape \
  sim/graphs/test_small_stacks \
  sim/kernels/test_children sim/kernels/test_grids sim/kernels/test_ptx \
  sim/kernels/test_ptx_asks \
  sim/memory/test_boxes sim/memory/test_copy \
  sim/memory/test_host_memory sim/memory/test_memory sim/memory/test_pool \
  sim/memory/test_pool_use \
  sim/scheduler/test_device_faults sim/scheduler/test_host_order \
  sim/scheduler/test_host_thread sim/scheduler/test_observe sim/scheduler/test_observers \
  sim/scheduler/test_turns sim/scheduler/test_workers sim/test_environment sim/test_faults sim/test_options \
  standin/test_answers standin/test_batches standin/test_captures \
  standin/test_context_answers standin/test_contexts \
  standin/test_graph_contexts standin/test_graphs standin/test_handles \
  standin/test_kernels standin/test_libraries standin/test_links standin/test_old_calls \
  standin/test_proc standin/test_profile; do
  [ ! -x "./tests/$program" ] || check_program "$program" "race life" 0
done

done_testing
