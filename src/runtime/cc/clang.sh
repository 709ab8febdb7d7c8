#!/bin/sh
# clang.sh HEADERS LIBRARIES [OPTIONS] FILE.cu: compiles a program of CUDA C++ with clang and no
# file of CUDA's. HEADERS is this folder, LIBRARIES that of libcudart.so.13. The options are
# clang's, but for --gpu=sm_75, and -o names the program (a.out if it is not there). CLANG names
# another clang.
#
# The code for devices is PTX, which the program brings as its image: neither ptxas nor fatbinary
# is needed. The version of CUDA that clang is told chooses how kernels are launched; without
# CUDA, it would write PTX of a version that cannot shuffle.
set -eu

headers=$1 libraries=$2
shift 2
gpu=sm_75 out=a.out
for word; do
  shift
  case $word in
    --gpu=*) gpu=${word#--gpu=} ;;
    -o) out= ;;
    *) if [ -z "$out" ]; then out=$word; else set -- "$@" "$word"; fi ;;
  esac
done

image=$(mktemp)
trap 'rm -f "$image"' EXIT

# pass OPTIONS...: over the same sources, once for the device and once for the host.
pass() {
  "${CLANG:-clang}" -x cuda "--cuda-gpu-arch=$gpu" -nocudainc -nocudalib \
    -Xclang -target-sdk-version=11.5 -I "$headers" -Wno-unknown-cuda-version "$@"
}

pass --cuda-device-only -S -O2 -Xclang -target-feature -Xclang +ptx70 "$@" -o "$image"
printf '\0' >>"$image"
pass --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang "$image" "$@" -o "$out" \
  -x none -Wl,-rpath,"$libraries" "$libraries/libcudart.so.13" -lstdc++ -lm
