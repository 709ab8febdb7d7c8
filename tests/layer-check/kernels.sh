#!/bin/sh
# What kernels of PTX take under the layer `check`, next to what they take without it, in
# instructions of all threads: patterns of accesses whose lanes the checker has to tell apart. The
# limits are what it took on x86-64 with gcc 12 and -O2, and a little more. Plain patterns take
# no more than 1.5 times their own, random ones twice.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

program=bench/rill-kernels
# shellcheck disable=SC2154 # config.sh
case $instrument in
*[!\ ]*) skip_all "the compiler adds instructions of its own: $instrument" ;;
esac
[ -x "$program" ] || skip_all "$program was not built"
[ "$(uname -m)" = x86_64 ] || skip_all "the limits are those of x86-64"
valgrind=$(command -v valgrind) || skip_all "valgrind is not installed"

# counted KERNEL LAUNCHES [LAYER]: instructions of the whole program.
counted() {
  RILL_LAYERS=${3:-} RILL_CHECK=log=/dev/null RILL_SIM_WORKERS=1 \
    ./libtool --silent --mode=execute "$valgrind" --tool=callgrind \
    --callgrind-out-file=/dev/null "./$program" "$1" "$2" 2>&1 |
    awk '/Collected *:/ { print $NF }'
}

# each KERNEL [LAYER]: instructions that a launch more adds.
each() {
  few=$(counted "$1" 2 "${2:-}")
  many=$(counted "$1" 6 "${2:-}")
  [ -n "$few" ] && [ -n "$many" ] && echo $(((many - few) / 4))
}

# takes KERNEL LIMIT: no more than so many percent of what it takes without the layer.
takes() {
  alone=$(each "$1")
  checked=$(each "$1" check)
  [ -n "$alone" ] && [ -n "$checked" ] || return 1
  percent=$((checked * 100 / alone))
  echo "$1: $alone instructions, $percent percent with the layer, limit $2"
  [ "$percent" -le "$2" ]
}

saxpy=$(each saxpy)
[ -n "$saxpy" ] || skip_all "valgrind cannot run the program"
[ "$saxpy" -lt 4000000 ] || skip_all "the library was built with other flags than the limits are for"

while read -r limit kernel; do
  expect "$kernel" takes "$kernel" "$limit"
  printf '# %s\n' "$tap_output"
done << 'END'
118 saxpy
150 stencil
146 column
110 transpose, squares
139 gather, near
170 gather, wide
173 gather, generic
183 scatter, wide
173 atomics, wide
END
done_testing
