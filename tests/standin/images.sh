#!/bin/sh
# Makes images.h of images.cu:  tests/standin/images.sh [NVCC]
# The bytes are those of the compiler at hand, 13.0 or newer; the tests ask for nothing
# that another one would make otherwise.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
nvcc=${1:-nvcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
binary='arch=compute_90,code=sm_90'
text='arch=compute_75,code=compute_75'

# bytes NAME: the file of that name as an array.
bytes() {
  echo
  echo "static const unsigned char sample_$1[] = {"
  od -An -v -t u1 "$work/$1" | tr -s ' \n' '\n' | sed -e '/^$/d' -e 's/$/,/' | tr '\n' ' ' |
    fold -s -w 94 | sed -e 's/^/    /' -e 's/ *$//'
  echo
  echo '};'
}

cp "$here/images.cu" "$work"
cd "$work"
"$nvcc" -arch=sm_90 -cubin -o cubin images.cu
"$nvcc" -gencode "$binary" -gencode "$text" -compress-mode=size -fatbin -o both_zstd images.cu
"$nvcc" -gencode "$text" -compress-mode=speed -fatbin -o text_lz4 images.cu
"$nvcc" -gencode "$text" -compress-mode=none -fatbin -o text_plain images.cu
{
  echo '/* SPDX-License-Identifier: Apache-2.0'
  echo ' *'
  echo ' * Made by images.sh of images.cu.'
  echo ' */'
  for name in cubin both_zstd text_lz4 text_plain; do bytes "$name"; done
} > images.h
mv images.h "$here/images.h"
