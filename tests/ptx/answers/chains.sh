#!/bin/sh
# Random kernels of products, matrices, shuffles and lanes that part, and of some 330 other lines,
# over the libcuda.so.1 of this build: each has the bits of an NVIDIA H100 or H200 (chains.txt
# beside this script).
# shellcheck source=tests/driver/standin.sh
. "${srcdir:?}/tests/driver/standin.sh"

over_standin ./tests/ptx/answers/warps/measure_chains
want=$top_srcdir/tests/ptx/answers/chains.txt
got=$(pwd)/tests/ptx/answers/chains.tmp
trap 'rm -f "$got"' EXIT

# Says which lines hardware has and the simulator not, or the other way around.
same_lines() {
  grep '^chain' "$want" | diff - "$got"
}

"${SHELL:-sh}" "$srcdir/tests/run.sh" ./tests/ptx/answers/warps/measure_chains |
  grep '^chain' > "$got"
echo "1..1"
expect "the $(grep -c '^chain' "$want") kernels give the bits of hardware" same_lines
