#!/bin/sh
# `rill cc`: programs of the runtime, compiled by clang with rill's own headers and nothing of
# CUDA's. The example is compiled by nvcc as well, where there is one.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
# shellcheck source=tests/runtime/nvcc.sh
. "$srcdir/tests/runtime/nvcc.sh"

[ "$sanitizers" = no ] || skip_all "sanitizers want to be first in the process"
[ -e src/runtime/libcudart.so.13 ] || skip_all "no runtime was built"
work=$(pwd)/tests/runtime/clang.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tmp"
TMPDIR=$work/tmp
export TMPDIR
rill=$(pwd)/src/command/rill

"$rill" cc --help >/dev/null || skip_all "no rill cc"
empty=$work/empty.cu
echo '#include <cuda_runtime.h>' >"$empty"
if ! "$rill" cc -c "$empty" -o "$work/empty.o" >"$work/log" 2>&1; then
  expect "what is missing is told" grep -Eq '^rill cc: .*clang' "$work/log"
  done_testing
  exit 0
fi

# runs WORDS FILE OPTIONS...: compiled with the options, the program says the words.
runs() {
  words=$1 file=$2
  shift 2
  "$rill" cc "$@" "$file" -o "$work/program" >"$work/log" 2>&1 || { cat "$work/log"; return 1; }
  [ "$(timeout 120 "$rill" run --devices 2 "$work/program" 2>&1 | tee "$work/log")" = "$words" ] ||
    { cat "$work/log"; return 1; }
}

programs=$top_srcdir/tests/runtime/programs
expect "vector add" runs "vector add" "$programs/vector_add.cu" -O2
expect "streams and events" runs "streams and events" "$programs/streams_events.cu" -O2
expect "graph and update" runs "graph and update" "$programs/graph_update.cu" -O2
expect "two devices" runs "two devices" "$programs/two_devices.cu"
expect "unified memory" runs "unified memory" "$programs/unified_memory.cu" -O2
expect "sums of warps" runs "warp sums" "$programs/warp_sums.cu" -O2 --gpu=sm_80
expect "cooperative groups" runs groups "$programs/groups.cu" -O2
expect "half floats" runs "half floats" "$programs/half_floats.cu" -O2
expect "functions of devices" runs "device functions" "$programs/device_functions.cu" -O2
expect "those of newer ones" \
  runs "device functions" "$programs/device_functions.cu" --gpu=sm_80
expect "clocks" runs "clocks" "$programs/clocks.cu"

# ---- The example ------------------------------------------------------------------------------

example=$top_srcdir/examples/vector_add.cu
sums="10000 sums are right"
expect "the example" runs "$sums" "$example" -g -O2
expect "is in order" sh -c \
  "timeout 120 '$rill' run --check '$work/program' 2>&1 | grep -q 'no findings'"
if runtime_of nvcc >"$work/log"; then
  expect "nvcc compiles it" nvcc -gencode arch=compute_75,code=compute_75 -o "$work/nvcc" "$example"
  expect "and it runs" test "$(timeout 120 "$rill" run "$work/nvcc" 2>&1)" = "$sums"
else
  skip "no nvcc" "nvcc compiles it"
fi

# ---- Words ------------------------------------------------------------------------------------

cat >"$work/half.cu" <<'END'
__global__ void half(float *value) { *value *= HALF; }
void launch(float *value) { half<<<1, 1>>>(value); }
END
cat >"$work/rest.cpp" <<'END'
#include <cuda_runtime_api.h>
#include <cmath>
#include <cstdio>
void launch(float *value);
int main()
{
    float *on_device, value = 3;
    cudaMalloc((void **)&on_device, sizeof value);
    cudaMemcpy(on_device, &value, sizeof value, cudaMemcpyHostToDevice);
    launch(on_device);
    cudaMemcpy(&value, on_device, sizeof value, cudaMemcpyDeviceToHost);
    std::printf("%g\n", std::floor(value * 2));
}
END
cat >"$work/heap.cu" <<'END'
#include <cstdio>
__global__ void allocate(int *out)
{
    int *first = (int *)malloc(sizeof *first), *more = new int[2];
    *first = 7;
    more[1] = *first;
    *out = more[1];
    free(first);
    delete[] more;
}
int main()
{
    int *on_device, value = 0;
    cudaMalloc(&on_device, sizeof value);
    allocate<<<1, 1>>>(on_device);
    cudaMemcpy(&value, on_device, sizeof value, cudaMemcpyDeviceToHost);
    std::printf("%d\n", value);
}
END
expect "no header is asked for, and kernels allocate" runs 7 "$work/heap.cu"
expect "an object" "$rill" cc -c -D HALF=0.5f "$work/half.cu" -o "$work/half.o"
expect "is linked with other files" runs 3 "$work/rest.cpp" "$work/half.o"
expect "so are sources" runs 3 "$work/rest.cpp" -DHALF=0.5f "$work/half.cu"

# says STATUS WORDS COMMAND...: it ends so, and says these words.
says() {
  wanted=$1 words=$2
  shift 2
  "$@" >"$work/log" 2>&1
  [ $? -eq "$wanted" ] && grep -Fq -- "$words" "$work/log" && return 0
  cat "$work/log"
  return 1
}

cat >"$work/old" <<'END'
#!/bin/sh
exit 1
END
chmod +x "$work/old"
expect "a clang that is missing" says 125 "rill cc: there is no $work/none: install clang, 14" \
  env CLANG="$work/none" "$rill" cc "$empty"
expect "one that has no code for GPUs" says 125 "with the target NVPTX is needed" \
  env CLANG="$work/old" "$rill" cc "$empty"
expect "no file" says 2 "rill cc: no file is given" "$rill" cc
expect "-c with too many" says 2 "rill cc: -c compiles one .cu" \
  "$rill" cc -c "$empty" "$work/half.cu"
expect "a mistake has clang's words" says 1 "error:" "$rill" cc "$work/half.cu" -o "$work/bad"
expect_empty "nothing is left behind" "$(find "${TMPDIR:-/tmp}" -name 'rill-cc-*' 2>/dev/null)"
done_testing
