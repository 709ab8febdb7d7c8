#!/bin/sh
# Makes sample_cubin.h and sample_fatbins.h of images.cu:  tests/standin/image/images.sh [NVCC]
# The bytes are those of the compiler at hand, 13.0 or newer; the tests ask for nothing
# that another one would make otherwise.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
nvcc=${1:-nvcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
binary='arch=compute_90,code=sm_90'
text='arch=compute_75,code=compute_75'

# bytes NAME: the file of that name as an array. After many bytes of 0, which are left out,
# the next one says which it is.
bytes() {
  echo
  echo "static const unsigned char sample_$1[$(($(wc -c < "$work/$1")))] = {"
  od -An -v -t u1 "$work/$1" | tr -s ' \n' '\n' | sed '/^$/d' | awk '
    $1 == 0 { zeroes++; next }
    zeroes >= 16 { printf "[%d] = ", NR - 1; zeroes = 0 }
    { for (; zeroes > 0; zeroes--) printf "0, "
      printf "%s, ", $1 }' |
    fold -s -w 94 | sed -e 's/^/    /' -e 's/ *$//'
  echo
  echo '};'
}

# header FILE NAME...: a header of these arrays.
header() {
  file=$1
  shift
  {
    echo '/* SPDX-License-Identifier: Apache-2.0'
    echo ' *'
    echo ' * Made by images.sh of images.cu.'
    echo ' */'
    for name in "$@"; do bytes "$name"; done
  } > "$file"
  mv "$file" "$here/$file"
}

cp "$here/images.cu" "$work"
cd "$work"
"$nvcc" -arch=sm_90 -cubin -o cubin images.cu
"$nvcc" -gencode "$binary" -gencode "$text" -compress-mode=size -fatbin -o both_zstd images.cu
"$nvcc" -gencode "$text" -compress-mode=speed -fatbin -o text_lz4 images.cu
"$nvcc" -gencode "$text" -compress-mode=none -fatbin -o text_plain images.cu
header sample_cubin.h cubin
header sample_fatbins.h both_zstd text_lz4 text_plain
