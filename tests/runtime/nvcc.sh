# What tests need to know of the nvcc that there is. Source tests/tap.sh first.
# shellcheck shell=sh

# major_of NVCC: prints the major version of its CUDA; nothing if it is no nvcc.
major_of() {
  "$1" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\)\..*/\1/p'
}

# runtime_of NVCC: prints rill's runtime for what it compiles. Fails if there is none.
runtime_of() {
  runtime_major=$(major_of "$1")
  [ -n "$runtime_major" ] || return 1
  for runtime_file in "src/runtime/libcudart.so.$runtime_major" \
    "src/runtime/libcudart.so.$runtime_major.0"; do
    [ ! -e "$runtime_file" ] || { echo "$(pwd)/$runtime_file"; return 0; }
  done
  return 1
}

# find_nvcc_11: puts an nvcc of CUDA 11 into $nvcc: NVCC_11, the one in the path, or one where
# packages put it; Debian 12 has one.
find_nvcc_11() {
  for nvcc in ${NVCC_11:-} nvcc /usr/lib/nvidia-cuda-toolkit/bin/nvcc /usr/local/cuda-11*/bin/nvcc
  do
    [ "$(major_of "$nvcc")" != 11 ] || return 0
  done
  return 1
}
