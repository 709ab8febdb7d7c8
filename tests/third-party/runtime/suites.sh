# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# The suites of `tools/third-party --runtime DIR`: how a program of each is built with nvcc,
# and how it is run over `rill run`. That tool sets what is used here:
#   $from      the folder that the user fetched them into, DIR
#   $work      where they are built
#   $rill      the command
#   $check     whether under the layer check: yes or no
#   $lists     the folder of this file, with a list for each suite
#
# A line of a list is one of
#   pass NAME | ARGUMENTS | WORDS [| FLAGS]             its output has WORDS, and no failure
#   ends NAME | ARGUMENTS | WORDS [| FLAGS]             so, but it checks nothing itself
#   known NAME | ARGUMENTS | WORDS | FLAGS | REASON     is not right yet
#   not NAME | REASON                                   is not run
# where WORDS is an extended regular expression, and FLAGS are words for the compiler.
# shellcheck disable=SC2154

# shellcheck disable=SC2034 # that tool
all_suites="cuda-samples HeCBench ggml"

# PTX alone: machine code is of no use here, and takes ptxas most of the time of a build.
gpu=compute_80

suite_title() {
  case $1 in
  cuda-samples) echo "NVIDIA's samples, github.com/NVIDIA/cuda-samples" ;;
  HeCBench) echo "HeCBench, github.com/zjin-lcf/HeCBench: its programs \`src/NAME-cuda\`" ;;
  ggml)
    echo "ggml, github.com/ggml-org/ggml: what \`test-backend-ops test -o NAME\` compares of its" \
      "backends for CUDA and for the processor"
    ;;
  esac
}

# find_nvcc: puts nvcc into $nvcc, and the folder of CUDA's libraries into $cuda_libraries.
find_nvcc() {
  nvcc=$(command -v nvcc) || nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
  [ -x "$nvcc" ] || return 1
  cuda_libraries=$(cd "$(dirname "$nvcc")/.." && pwd)/lib64
}

# ---- Building --------------------------------------------------------------------
# Each is built in a copy, so that DIR stays as it was. What was built is not built again.

# The folder where the program is built and run.
folder_of() {
  case $1 in
  cuda-samples) echo "$work/cuda-samples/Samples/all/$2" ;;
  HeCBench) echo "$work/HeCBench/src/$2-cuda" ;;
  ggml) echo "$work/ggml" ;;
  esac
}

# The command in that folder.
command_of() {
  case $1 in
  ggml) echo "./bin/test-backend-ops test -o $2" ;;
  *) echo ./main ;;
  esac
}

build_program() {
  [ "$1" != ggml ] || { build_ggml; return; }
  [ ! -x "$(folder_of "$1" "$2")/main" ] || return 0
  case $1 in
  cuda-samples) build_sample "$2" "$3" ;;
  HeCBench) build_hecbench "$2" "$3" ;;
  esac
}

# The sources of a sample are those that its CMakeLists.txt names; what samples share is in Common.
build_sample() {
  source=$(find "$from/cuda-samples/Samples" -mindepth 2 -maxdepth 2 -name "$1")
  [ -d "$source" ] || return
  copy=$(folder_of cuda-samples "$1")
  mkdir -p "$work/cuda-samples/Samples/all"
  [ -e "$work/cuda-samples/Common" ] || ln -s "$from/cuda-samples/Common" "$work/cuda-samples"
  rm -rf "$copy"
  cp -R "$source" "$copy" && cd "$copy" || return
  sources=$(sed -n '/add_executable(/,/)/p' CMakeLists.txt | tr -s ' ()' '[\n*]' |
    grep -E '\.(cu|cpp)$')
  # shellcheck disable=SC2086
  "$nvcc" -arch=$gpu -std=c++17 -O2 --extended-lambda -I "$from/cuda-samples/Common" -I inc \
    -Xlinker -rpath -Xlinker "$cuda_libraries" $sources $2 -o main
}

# Programs take headers and data from their neighbours, which the copy finds as links.
build_hecbench() {
  copy=$(folder_of HeCBench "$1")
  [ -d "$from/HeCBench/src/$1-cuda" ] || return
  [ -d "$work/HeCBench/src" ] || {
    mkdir -p "$work/HeCBench/src"
    ln -s "$from"/HeCBench/src/* "$work/HeCBench/src"
  }
  rm -rf "$copy"
  cp -R "$from/HeCBench/src/$1-cuda" "$copy" && cd "$copy" || return
  # shellcheck disable=SC2086
  make CC="$nvcc" ARCH=$gpu EXTRA_CFLAGS="-Wno-deprecated-gpu-targets $2"
}

# One program tests all operators; it takes an hour of one processor to build. What is left out
# would need a GPU's machine code (cuBLAS, NCCL), or most of that hour (flash attention).
build_ggml() {
  [ ! -x "$work/ggml/bin/test-backend-ops" ] || return 0
  cmake -S "$from/ggml" -B "$work/ggml" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CUDA_COMPILER="$nvcc" \
    -DCMAKE_CUDA_ARCHITECTURES="${gpu#compute_}-virtual" -DBUILD_SHARED_LIBS=OFF \
    -DGGML_BUILD_EXAMPLES=OFF -DGGML_CUDA=ON -DGGML_CUDA_FA=OFF -DGGML_CUDA_NCCL=OFF &&
    make -C "$work/ggml" -j "$jobs" test-backend-ops
}

# ---- Running ---------------------------------------------------------------------

# What no program says that is right; a device's assertion that is to fail "failed".
failures='FAIL|FAILED|Fail|Failed|fail|[Mm]ismatch|INCORRECT'

# Where the program's reports are to go, if it is checked: one for each process.
check_options() {
  [ "$check" = yes ] || return 0
  mkdir -p "$work/check/$1.$2"
  echo "--check --log-file=$(escaped "$work/check/$1.$2")/%p.txt"
}

# run_program SUITE NAME ARGUMENTS WORDS FLAGS: prints "pass", or "fail" and why.
run_program() {
  output=$work/$1.$2.txt
  (build_program "$1" "$2" "$5") > "$work/$1.$2.build.txt" 2>&1 < /dev/null || {
    echo "fail it does not compile: see $work/$1.$2.build.txt"
    return
  }
  status=0
  checked="$options $(check_options "$1" "$2")" command=$(command_of "$1" "$2")
  # shellcheck disable=SC2086
  (cd "$(folder_of "$1" "$2")" && timeout -k 20 "$limit" "$rill" run $checked $command $3) \
    > "$output" 2>&1 < /dev/null || status=$?
  if [ "$status" = 124 ]; then
    echo "fail it takes longer than $limit seconds"
  elif [ "$status" != 0 ]; then
    echo "fail it ends with status $status"
  elif grep -qwE "$failures" "$output"; then
    echo "fail it says $(grep -m 1 -wE "$failures" "$output")"
  elif ! grep -qE -- "$4" "$output"; then
    echo "fail it does not say $4"
  else
    echo pass
  fi
}
