#!/bin/sh
# `rill run --trace`, `--timeline` and `--graphs`: what is written, drawn and refused.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
rill=$(pwd)/src/command/rill
standin=$(pwd)/src/standin
unset RILL_SIM_SCHEDULE RILL_SIM_CLOCK RILL_SIM_COSTS RILL_SIM_DEVICES RILL_SIM_DRIVER
unset RILL_LOG RILL_LAYERS RILL_CHECK RILL_TRACE
export ASAN_OPTIONS=detect_leaks=0 # the program leaves its objects to the end of the process
work=$(pwd)/tests/command-trace.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work" "$work/files"

# says STATUS WORDS COMMAND...: it ends so, and says these words; all of it is in the file `said`,
# since `expect` has a shell of its own.
says() {
  wanted=$1 words=$2
  shift 2
  "${SHELL:-sh}" "$srcdir/tests/run.sh" "$@" > "$work/said" 2>&1
  status=$?
  if [ "$status" -eq "$wanted" ]; then
    [ -z "$words" ] && return 0
    grep -qF -e "$words" "$work/said" && return 0
  fi
  cat "$work/said"
  printf '%s\n' "it ended with $status, wanted $wanted and: $words"
  return 1
}

# holds FILE WORDS
holds() {
  grep -qF -e "$2" "$1" && return 0
  cat "$1"
  printf '%s\n' "$1 does not hold: $2"
  return 1
}

# is_trace FILE...: a parser that is not rill's reads them and finds nothing to object to.
is_trace() {
  if command -v python3 > /dev/null 2>&1; then
    python3 "$srcdir/tests/layer-trace/schema.py" "$@"
  else
    for file; do holds "$file" '{"ph":"X"' || return 1; done
  fi
}

# ---- Words that are refused ------------------------------------------------------

expect "--trace needs a name" says 125 "--trace takes the name of a file" "$rill" run --trace= true
expect "that can be written" says 125 "--trace: $work/none/x cannot be written: No such file" \
  "$rill" run --trace "$work/none/x" true
expect "--graphs needs a name" says 125 "--graphs takes the name of a folder" \
  "$rill" run --graphs= true
expect "of a folder that can be made" says 125 "--graphs: $work/none/x cannot be made: No such" \
  "$rill" run --graphs "$work/none/x" true
# shellcheck disable=SC2016
expect "what the variable holds is looked at, too" says 125 \
  '$RILL_TRACE: there is no setting "fiel=x"' env RILL_TRACE=fiel=x "$rill" run --timeline true
expect "a trace is of one run" says 125 "are for one run" \
  "$rill" run --schedules 3 --trace "$work/x" true

# ---- Programs over the library ---------------------------------------------------

[ -x examples/pipeline ] || skip_all "no examples"
trace=$work/one.json
expect "the variables do without the command" says 0 "8 of 8 frames" \
  env RILL_BACKEND=sim RILL_LAYERS=trace "RILL_TRACE=file=$trace" examples/pipeline
expect "what they write is a trace" is_trace "$trace"
expect "with kernels" holds "$trace" '"name":"smooth","cat":"kernel"'
expect "and labels of streams" holds "$trace" '"name":"download (stream '
expect "a name may stand for the process" says 0 "8 of 8 frames" \
  env RILL_BACKEND=sim RILL_LAYERS=trace "RILL_TRACE=file=$work/of-%p.json" examples/pipeline
expect "and does" is_trace "$work"/of-[0-9]*.json
expect "a timeline is drawn" says 0 "operations in" \
  env RILL_BACKEND=sim RILL_LAYERS=trace RILL_TRACE=timeline COLUMNS=90 examples/graph
expect "with rows for nodes" holds "$work/said" "          nodes "
expect "and what the host waited for" holds "$work/said" "        blocked "

# ---- Programs over the stand-in --------------------------------------------------

if [ ! -e "$standin/libcuda.so.1" ]; then
  done_testing
  exit 0
fi
cat > "$work/program.c" <<'END'
#include <dlfcn.h>
#include <stddef.h>
#define CALL(name, ...) \
    ((int (*)())dlsym(lib, #name))(__VA_ARGS__) && (failed = __LINE__)
int main(void)
{
    void *lib = dlopen("libcuda.so.1", RTLD_NOW), *context, *stream, *graph, *exec, *node;
    unsigned long long memory;
    int failed = 0;
    if (!lib) return 2;
    CALL(cuInit, 0);
    CALL(cuDevicePrimaryCtxRetain, &context, 0);
    CALL(cuCtxSetCurrent, context);
    CALL(cuStreamCreate, &stream, 1);
    CALL(cuMemAlloc_v2, &memory, (size_t)4096);
    CALL(cuMemsetD8Async, memory, 7, (size_t)4096, stream);
    CALL(cuGraphCreate, &graph, 0);
    CALL(cuGraphAddEmptyNode, &node, graph, NULL, (size_t)0);
    CALL(cuGraphInstantiateWithFlags, &exec, graph, 0ull);
    CALL(cuGraphLaunch, exec, stream);
    CALL(cuStreamSynchronize, stream);
    return failed != 0;
}
END
# shellcheck disable=SC2086
if ! $CC $instrument -std=gnu11 -w -o "$work/program" "$work/program.c" -ldl; then
  not_ok "the program builds"
  done_testing
  exit 0
fi
trace=$work/two.json
expect "a program that leaves all open is traced to its end" says 0 "" \
  "$rill" run --trace "$trace" --graphs "$work/graphs" "$work/program"
expect "the file is whole" is_trace "$trace"
expect "with the fill" holds "$trace" '"name":"memset","cat":"gpu_memset"'
expect "its bytes" holds "$trace" '"bytes":4096'
expect "and what blocked" holds "$trace" '"name":"cuStreamSynchronize","cat":"blocked"'
expect "calls have the names that programs write" holds "$trace" '"name":"cuMemAlloc","cat":"call"'
expect "and the step that they took" holds "$trace" '"does":"launch graph"'
expect "graphs are written" holds "$work/graphs/graph-1.dot" digraph
if command -v dot > /dev/null 2>&1; then
  expect "and drawn" holds "$work/graphs/graph-1.svg" "<svg"
else
  skip "no dot" "and drawn"
fi
expect "the status is the program's" says 7 "" \
  "$rill" run --graphs "$work/graphs" sh -c 'exit 7'
expect "a file that is not there after all is told" says 3 "$work/none.json was not written" \
  "$rill" run --trace "$work/none.json" sh -c 'exit 3'
expect "and so is a folder without a graph" says 0 \
  "the program instantiated no graph: there is none in $work/nothing" \
  "$rill" run --graphs "$work/nothing" true
expect "and a timeline that was not drawn" says 3 \
  "used no GPU, or did not end by itself: there is no timeline" \
  env TMPDIR="$work/files" "$rill" run --timeline sh -c 'exit 3'
expect "a timeline as well" says 0 "M memset" \
  env TMPDIR="$work/files" "$rill" run --timeline "$work/program"
expect "nothing is left of either in the folder for temporary files" rmdir "$work/files"
expect "a given schedule can be traced" says 0 "" \
  "$rill" run --schedule late --trace "$work/three.json" "$work/program"
expect "and its trace is one" is_trace "$work/three.json"
printf 'fill 8us\ngraph 5us\n' > "$work/costs"
expect "so can a virtual clock" says 0 "" "$rill" run --clock virtual --costs "$work/costs" \
  --trace "$work/five.json" "$work/program"
expect "its trace is one as well" is_trace "$work/five.json"
expect "with what things cost" holds "$work/five.json" \
  '"name":"memset","cat":"gpu_memset","ts":0.000,"dur":8.000'
expect "and how long the host waited" holds "$work/five.json" \
  '"name":"cuStreamSynchronize","cat":"blocked","ts":0.000,"dur":13.000'
expect "with --check beside it" says 0 "no findings" \
  "$rill" run --check --trace "$work/four.json" "$work/program"
expect "its trace is one, too" is_trace "$work/four.json"
done_testing
