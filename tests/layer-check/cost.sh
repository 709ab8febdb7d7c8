#!/bin/sh
# What the layer `check` adds to an operation, in instructions of all threads: unlike times these
# do not depend on what else the machine does. The limits are what it took on x86-64 with gcc 12 and
# -O2, and a quarter more.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

program=tests/layer-check/cost/program
[ -n "$sanitizers" ] && [ "$sanitizers" != no ] && skip_all "sanitizers add instructions of their own"
[ -x "$program" ] || skip_all "$program was not built"
command -v valgrind >/dev/null 2>&1 || skip_all "valgrind is not installed"
work=$(pwd)/tests/layer-check-cost.tmp
rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT

# counted NAME: runs the program, which says what it runs and how often, and puts the instructions
# next to each of these into the file NAME.
counted() {
  RILL_CHECK=log=/dev/null ./libtool --silent --mode=execute valgrind --tool=callgrind \
    --callgrind-out-file="$work/$1.out" --dump-before=counted_edge \
    "$program" > "$work/$1.ran" 2> "$work/$1.said" || return
  for number in $(seq 2 2 $((2 * $(wc -l < "$work/$1.ran")))); do
    awk '/^totals:/ { print $2 }' "$work/$1.out.$number"
  done | paste -d ' ' "$work/$1.ran" - > "$work/$1"
}

counted without ||
  skip_all "valgrind cannot run the program: $(grep -v '^==' "$work/without.said" | head -n 1)"
awk '$1 == "host-function" && $3 / $2 > 400 { exit 1 }' "$work/without" ||
  skip_all "the library was built with other flags than the limits are for"
expect "the program runs with the layer" env RILL_LAYERS=check sh -c '"$@"' sh "$program"
RILL_LAYERS=check
export RILL_LAYERS
counted with
unset RILL_LAYERS

# adds CASE LIMIT: the layer adds no more than so many instructions to it.
adds() {
  paste -d ' ' "$work/without" "$work/with" | awk -v name="$1" -v limit="$2" '
    $1 == name {
      found = 1
      more = ($6 - $3) / $2
      printf "%s: %.0f without the layer, %.0f more with it, limit %d\n", name, $3 / $2, more, limit
      if (more > limit) exit 1
    }
    END { if (!found) { print name " was not counted"; exit 1 } }'
}

while read -r name limit; do
  expect "$name" adds "$name" "$limit"
  printf '# %s\n' "$tap_output"
done << 'END'
host-function 3700
fill 4000
copy 5100
record 1150
record-and-wait 2800
host-node 86
fill-node 1100
turn 8900
END
done_testing
