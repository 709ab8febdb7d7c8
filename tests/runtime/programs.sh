#!/bin/sh
# Programs of the runtime, compiled by nvcc as users have them: with the shared runtime, with the
# static one that nvcc links by itself, and with a default stream for each thread.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

command -v nvcc >/dev/null 2>&1 || skip_all "no nvcc"
[ "$sanitizers" = no ] || skip_all "sanitizers want to be first in the process"
[ -e src/runtime/libcudart.so.13 ] || skip_all "no runtime was built"
major=$(nvcc --version | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
[ -e "src/runtime/libcudart.so.$major" ] || skip_all "nvcc is of CUDA $major"

work=$(pwd)/tests/runtime-programs.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
rill=$(pwd)/src/command/rill
programs=$top_srcdir/tests/runtime/programs

# runs NAME WORDS OPTIONS...: compiled with the options, the program says the words.
runs() {
  name=$1 words=$2
  shift 2
  nvcc -std=c++17 -gencode arch=compute_75,code=compute_75 "$@" -o "$work/$name" \
    "$programs/$name.cu" >"$work/log" 2>&1 || return 1
  [ "$(timeout 120 "$rill" run --devices 2 "$work/$name" 2>&1 | tee -a "$work/log")" = "$words" ]
}

for program in vector_add:'vector add' streams_events:'streams and events' \
  reduction:reduction graph_update:'graph and update' two_devices:'two devices' \
  thrust_sort:'thrust sort' cub_scan:'cub scan' warp_sums:'warp sums'; do
  expect "${program#*:}" runs "${program%%:*}" "${program#*:}" -cudart shared
done
expect "vector add with a default stream for each thread" \
  runs vector_add "vector add" -cudart shared --default-stream per-thread
expect "vector add that is linked where it is loaded" \
  runs vector_add "vector add" -cudart shared -rdc=true

# nvcc's own way: the runtime is in the program, which is redirected when it starts.
expect "vector add with the runtime inside" runs vector_add "vector add"
expect "graph and update with the runtime inside" runs graph_update "graph and update"
expect "two devices with the runtime inside" runs two_devices "two devices"
strip -o "$work/stripped" "$work/vector_add"
expect "a stripped program is told what to do" sh -c \
  "timeout 120 '$rill' run '$work/stripped' 2>&1 | grep -q 'or compile it with -cudart shared'"
done_testing
