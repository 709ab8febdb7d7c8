#!/bin/sh
# Makes kernels_ptx.h of the .cu files beside it:  tests/conformance/kernels.sh [NVCC]
# The oldest PTX that has these instructions is asked for, so that old drivers take
# it too: nvcc only writes that of its own version, and ptxas says whether the text
# is good for less.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
nvcc=${1:-nvcc}
ptxas=$(dirname "$(command -v "$nvcc")")/ptxas
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ptx_of NAME: the text as a C string, one line each, without comments.
ptx_of() {
  "$nvcc" -arch=compute_75 -rdc=true -ptx -o "$work/$1.ptx" "$here/$1.cu"
  sed -e 's/^\.version .*/.version 6.4/' -e 's,//.*,,' -e 's/[[:space:]]*$//' -e '/^$/d' \
    "$work/$1.ptx" > "$work/old.ptx"
  "$ptxas" -arch=sm_75 -c -o /dev/null "$work/old.ptx"
  echo
  echo "static const char suite_$1_ptx[] ="
  sed -e 's/["\\]/\\&/g' -e 's/	/  /g' -e 's/.*/    "&\\n"/' -e '$s/$/;/' "$work/old.ptx"
}

{
  echo '/* SPDX-License-Identifier: Apache-2.0'
  echo ' *'
  echo ' * Made by kernels.sh of kernels.cu and conditions.cu.'
  echo ' */'
  ptx_of kernels
  ptx_of conditions
} > "$work/kernels_ptx.h"
mv "$work/kernels_ptx.h" "$here/kernels_ptx.h"
