#!/bin/sh
# What the layers tell of a program of the runtime is in its own words: the calls that it made, and
# the lines where it made them, be they in C or what a compiler makes of CUDA C++.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
# shellcheck source=tests/runtime/nvcc.sh
. "$srcdir/tests/runtime/nvcc.sh"

[ -x tests/runtime/racer ] || skip_all "no runtime was built"
work=$(pwd)/tests/runtime/sites.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
rill=$(pwd)/src/command/rill
program=$top_srcdir/tests/runtime/programs/sites.cu
lines=yes
[ -n "$(find /lib /usr/lib /usr/lib64 /usr/local/lib -name libdw.so.1 2>/dev/null | head -n 1)" ] ||
  lines=no

# at FILE:LINE FUNCTION: what is said of a place; without libdw, the module.
at() {
  if [ "$lines" = yes ]; then echo "$1 in $2\(\)"; else echo "[a-z_]+\+0x[0-9a-f]+"; fi
}

# tells WORDS: a line of the log has them, by an extended regular expression.
tells() {
  grep -Eq "$1" "$work/log" && return 0
  cat "$work/log"
  return 1
}

# ---- C ----------------------------------------------------------------------------------------

# layered LAYERS RACER-ARGUMENTS...: the racer under the stand-in; what it says is in the log.
layered() {
  layers=$1
  shift
  LD_LIBRARY_PATH=$(pwd)/src/standin:$(pwd)/src/runtime${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
    RILL_LAYERS=$layers timeout 60 tests/runtime/racer "$@" >"$work/log" 2>&1
}

layered check
expect "the race is found" tells 'cudaMem(set|cpy)Async writes what cudaMem(cpy|set)Async writes'
expect "the copy is the program's" tells "cudaMemcpyAsync +$(at 'racer.c:[0-9]+' copy_first)"
expect "the fill is the program's" tells "cudaMemsetAsync +$(at 'racer.c:[0-9]+' fill_at_once)"
expect_empty "no line of the runtime is named" \
  "$(grep -E 'libcudart|[( ](copy|fill|allocation|stream)\.c:' "$work/log")"
RILL_TRACE=file=$work/trace layered trace
cp "$work/trace" "$work/log"
expect "a trace has the program's calls" tells '"name":"cudaMemcpyAsync","cat":"call"'
expect "and no other names for them" test "$(grep -c '"name":"cu[A-Z]' "$work/trace")" = 0
if [ "$lines" = yes ]; then
  expect "with their lines" tells '"cudaMemcpyAsync".*racer\.c:[0-9]+","function":"copy_first"'
fi
RILL_LOG=errors layered '' fail
expect "a failure has the name of the call" tells 'rill: cudaMemcpyAsync: cudaErrorInvalidValue: '
expect "and rill's sentence" tells '64 beyond the end of the allocation'
expect "once" test "$(grep -c rill: "$work/log")" = 1

if [ "$sanitizers" = no ]; then
  timeout 120 "$rill" run --schedules 1 tests/runtime/racer hang >"$work/log" 2>&1
  expect "a hang names the call that waits" tells 'the host waits in cudaStreamSynchronize\(\)'
fi

# ---- CUDA C++ ---------------------------------------------------------------------------------

# line_of WORD: the line of the program that has it in a comment.
line_of() {
  sed -n "/\/\/ $1\$/=" "$program"
}

# names COMPILER: the checker names the lines of the program that is in the work folder.
names() {
  timeout 120 "$rill" run --check=race,leak "$work/program" >"$work/log" 2>&1
  expect "$1: a launch is where <<< >>> is" \
    tells "kernel +$(at "sites.cu:$(line_of LAUNCH)" launch_first)"
  expect "$1: a fill is where it is" \
    tells "cudaMemsetAsync +$(at "sites.cu:$(line_of FILL)" fill_at_once)"
  expect "$1: overloads of headers are no places" \
    tells "allocation +$(at "sites.cu:$(line_of LEAVE)" leave_behind)"
  expect "$1: nor are those that make a call of another name" \
    tells "allocation +$(at "sites.cu:$(line_of PINNED)" leave_behind)"
  timeout 120 "$rill" run --check --stack 2 "$work/program" >"$work/log" 2>&1
  expect "$1: nor are they callers" tells "called at ($(at 'sites.cu:[0-9]+' main))"
  expect_empty "$1: and stubs are none" "$(grep -E 'stub|cuda_runtime' "$work/log")"
}

[ "$sanitizers" = no ] || { done_testing; exit 0; }
[ "$lines" = yes ] || { skip "no libdw" "launches of CUDA C++"; done_testing; exit 0; }
for level in 0 2; do
  if "$rill" cc -g -O$level "$program" -o "$work/program" >"$work/log" 2>&1; then
    names "clang -O$level"
  else
    skip "no clang that makes code for devices" "clang -O$level"
  fi
done

# by_nvcc NVCC: the same of what it compiles.
by_nvcc() {
  for how in '-O0 -cudart=shared' '-O2 -cudart=shared' '-O0 -cudart=static'; do
    # shellcheck disable=SC2086
    if runtime_of "$1" >"$work/log" &&
      "$1" -std=c++17 -gencode arch=compute_75,code=compute_75 -g $how -o "$work/program" \
        "$program" >"$work/log" 2>&1; then
      names "nvcc $(major_of "$1") $how"
    else
      skip "no nvcc" "nvcc $how"
    fi
  done
}

by_nvcc nvcc
if ! find_nvcc_11; then
  skip "no nvcc of CUDA 11" "nvcc 11"
elif [ "$nvcc" != nvcc ]; then
  by_nvcc "$nvcc"
fi
done_testing
