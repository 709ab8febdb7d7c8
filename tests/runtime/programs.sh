#!/bin/sh
# Programs of the runtime, compiled by nvcc as users have them: with the shared runtime, with the
# static one that nvcc links by itself, and with a default stream for each thread.  NVCC names the
# compiler, if it is not the one in the path.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
# shellcheck source=tests/runtime/nvcc.sh
. "$srcdir/tests/runtime/nvcc.sh"

nvcc=${NVCC:-nvcc}
command -v "$nvcc" >/dev/null 2>&1 || skip_all "no nvcc"
[ "$sanitizers" = no ] || skip_all "sanitizers want to be first in the process"
[ -e src/runtime/libcudart.so.13 ] || skip_all "no runtime was built"
major=$(major_of "$nvcc")
library=$(runtime_of "$nvcc") || skip_all "nvcc is of CUDA $major"

work=$(pwd)/tests/runtime-programs-$major.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
rill=$(pwd)/src/command/rill
programs=$top_srcdir/tests/runtime/programs

# runs NAME WORDS OPTIONS...: compiled with the options, the program says the words.
runs() {
  name=$1 words=$2
  shift 2
  "$nvcc" -std=c++17 -gencode arch=compute_75,code=compute_75 "$@" -o "$work/$name" \
    "$programs/$name.cu" >"$work/log" 2>&1 || return 1
  [ "$(timeout 120 "$rill" run --devices 2 "$work/$name" 2>&1 | tee -a "$work/log")" = "$words" ]
}

# Each is compiled once, and linked with the shared runtime and in nvcc's own way: then the runtime
# is in the program, which is redirected when it starts.
compiles() {
  "$nvcc" -std=c++17 -gencode arch=compute_75,code=compute_75 -c -o "$work/$1.o" \
    "$programs/$1.cu" >"$work/log" 2>&1
}
links() {
  name=$1 words=$2
  shift 2
  "$nvcc" "$@" -o "$work/$name" "$work/$name.o" >"$work/log" 2>&1 || return 1
  [ "$(timeout 120 "$rill" run --devices 2 "$work/$name" 2>&1 | tee -a "$work/log")" = "$words" ]
}

checked() {
  timeout 120 "$rill" run --devices 2 --check "$work/$1" >"$work/log" 2>&1 &&
    grep -q '^==rill== no findings' "$work/log" && return
  cat "$work/log"
  return 1
}

for program in vector_add:'vector add' streams_events:'streams and events' \
  reduction:reduction graph_update:'graph and update' two_devices:'two devices' \
  thrust_sort:'thrust sort' cub_scan:'cub scan' warp_sums:'warp sums' groups:groups \
  half_floats:'half floats' \
  unified_memory:'unified memory' textures:textures \
  texture_references:'texture references'; do
  name=${program%%:*} words=${program#*:}
  if [ "$name" = texture_references ] && [ "$major" -ge 12 ]; then
    skip "CUDA $major has none" "$words"
    continue
  fi
  expect "$words compiles" compiles "$name"
  expect "$words" links "$name" "$words" -cudart shared
  expect "$words with the runtime inside" links "$name" "$words"
  expect "$words has no findings" checked "$name"
done
strip -o "$work/stripped" "$work/vector_add"
expect "a stripped program is told what to do" sh -c \
  "timeout 120 '$rill' run '$work/stripped' 2>&1 | grep -q 'or compile it with -cudart shared'"
old_driver() {
  timeout 60 "$rill" run --driver 11.8 "$work/vector_add" 2>&1 |
    grep -q "a driver of CUDA 11.8 is too old .* of CUDA $major: leave out --driver, or name 1"
}
expect "an older driver is told to be one" old_driver
expect "vector add with a default stream for each thread" \
  runs vector_add "vector add" -cudart shared --default-stream per-thread
expect "vector add that is linked where it is loaded" \
  runs vector_add "vector add" -cudart shared -rdc=true
expect "vector add that nvcc has linked for a device, from the PTX beside it" \
  runs vector_add "vector add" -cudart shared -rdc=true \
  -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=sm_90

# What nvcc links kernels with that launch kernels, which not each toolkit has.
children() {
  expect "kernels that launch kernels" runs children children -rdc=true -lcudadevrt
  expect "which are in order" checked children
  expect "what else they ask the device runtime for" runs device_runtime \
    "$(printf 'unrecognized error code, no error\n%.0s' 1 2)
device runtime" -rdc=true -lcudadevrt
  expect "which is in order, too" checked device_runtime
}
echo 'int main() { return 0; }' >"$work/links.cu"
if "$nvcc" -rdc=true -o "$work/links" "$work/links.cu" -lcudadevrt >"$work/log" 2>&1; then
  children
else
  skip "nvcc has no libcudadevrt.a" "kernels that launch kernels"
fi

# A library that a program loads, with the runtime inside or without.
cat >"$work/seven.cu" <<'END'
__global__ void store(int *at) { *at = 7; }
extern "C" int seven()
{
    int *at, value = 0;
    if (cudaMalloc(&at, sizeof *at)) return -1;
    store<<<1, 1>>>(at);
    return cudaMemcpy(&value, at, sizeof value, cudaMemcpyDeviceToHost) ? -1 : value;
}
END
cat >"$work/loads.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char **words)
{
    void *library = count > 1 ? dlopen(words[1], RTLD_NOW) : NULL;
    int (*seven)(void) = library ? (int (*)(void))dlsym(library, "seven") : NULL;
    printf("%d\n", seven ? seven() : -2);
    return 0;
}
END

# loads WORDS OPTIONS...: a program that loads the library, linked so, says the words.
loads() {
  words=$1
  shift
  "$nvcc" -shared -Xcompiler -fPIC -gencode arch=compute_75,code=compute_75 "$work/seven.cu" "$@" \
    -o "$work/libseven.so" >"$work/log" 2>&1 || { cat "$work/log"; return 1; }
  timeout 120 "$rill" run "$work/loads" "$work/libseven.so" >"$work/log" 2>&1
  grep -q -- "$words" "$work/log" || { cat "$work/log"; return 1; }
}

$CC -w -o "$work/loads" "$work/loads.c" -ldl
expect "a library with the runtime inside works" loads 7 -cudart static
expect "one that was stripped is told what to do" \
  loads 'libseven.so has a CUDA runtime inside.*-cudart shared, or with -cudart none and' \
  -cudart static -Xlinker -s
expect "what it is told first works" loads 7 -cudart shared
expect "and so does the other" loads 7 -cudart none -Xlinker "$library"

# A program without kernels, which another linker has put together.
cat >"$work/counts.c" <<'END'
#include <stdio.h>
int cudaGetDeviceCount(int *count);
int main(void)
{
    int count = 0, status = cudaGetDeviceCount(&count);
    return !printf("%d %d\n", status, count);
}
END
counts() {
  [ "$(timeout 60 "$rill" run --devices 2 "$work/counts" 2>&1 | tee "$work/log")" = "0 2" ] ||
    { cat "$work/log"; return 1; }
}
folder=$(dirname "$(dirname "$(command -v "$nvcc")")")
if $CC -w -o "$work/counts" "$work/counts.c" -L"$folder/lib64" -L"$folder/lib" -lcudart_static \
  -lpthread -ldl -lrt >/dev/null 2>&1; then
  expect "a program without kernels works with the runtime inside" counts
else
  skip "no libcudart_static.a" "a program without kernels works with the runtime inside"
fi
done_testing
