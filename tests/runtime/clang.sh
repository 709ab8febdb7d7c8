#!/bin/sh
# Programs of the runtime, compiled by clang with rill's own headers and nothing of CUDA's.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

[ "$sanitizers" = no ] || skip_all "sanitizers want to be first in the process"
[ -e src/runtime/libcudart.so.13 ] || skip_all "no runtime was built"
for clang in clang clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 clang-14 ''; do
  [ -n "$clang" ] || skip_all "no clang that makes code for devices"
  echo '__attribute__((global)) void kernel() {}' |
    "$clang" -x cuda --cuda-device-only --cuda-gpu-arch=sm_75 -nocudainc -nocudalib -S \
      -o /dev/null - >/dev/null 2>&1 && break
done

work=$(pwd)/tests/runtime/clang.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
rill=$(pwd)/src/command/rill

# runs NAME WORDS OPTIONS...: compiled with the options, the program says the words.
runs() {
  name=$1 words=$2
  shift 2
  CLANG=$clang sh "$top_srcdir/src/runtime/cc/clang.sh" "$top_srcdir/src/runtime/cc" \
    "$(pwd)/src/runtime" "$@" "$top_srcdir/tests/runtime/programs/$name.cu" -o "$work/$name" \
    >"$work/log" 2>&1 || return 1
  [ "$(timeout 120 "$rill" run --devices 2 "$work/$name" 2>&1 | tee -a "$work/log")" = "$words" ]
}

expect "vector add" runs vector_add "vector add" -O2
expect "streams and events" runs streams_events "streams and events" -O2
expect "graph and update" runs graph_update "graph and update" -O2
expect "two devices" runs two_devices "two devices"
expect "sums of warps" runs warp_sums "warp sums" -O2
done_testing
