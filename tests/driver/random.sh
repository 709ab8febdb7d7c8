#!/bin/sh
# Random sequences of driver calls over the libcuda.so.1 of this build: the same text in
# two runs, and that of hardware where it was recorded (random/README.md).
# shellcheck source=tests/driver/standin.sh
. "${srcdir:?}/tests/driver/standin.sh"

random=./tests/driver/random/random
over_standin "$random"

RANDOM_SOON=200
export RANDOM_SOON

# Nodes of a random graph may copy to one place, and nothing orders them: that race is the
# sequence's own.
TSAN_OPTIONS="report_bugs=0${TSAN_OPTIONS:+:$TSAN_OPTIONS}"
export TSAN_OPTIONS

got=$(pwd)/tests/driver/random.tmp
trap 'rm -f "$got" "$got.again"' EXIT

# hashes AREA SEEDS: a line a seed.
hashes() {
  "${SHELL:-sh}" "$srcdir/tests/run.sh" "$random" --area "$1" --seeds "$2" --hash
}

areas="graph capture exec memory stream conditional context"
echo "1..$((7 + $(sed '/^#/d' "$here/random/recorded.txt" | cut -d' ' -f1 | sort -u | wc -l)))"
number=0
: > "$got"
for area in $areas; do
  number=$((number + 1))
  last=$(sed -n "s/^$area \([0-9]*\) .*/\1/p" "$here/random/recorded.txt" | sort -n | tail -n 1)
  hashes "$area" "1-${last:-50}" >> "$got"
  hashes "$area" 1-50 > "$got.again"
  if grep "^$area " "$got" | head -n 50 | cmp -s - "$got.again" && [ -s "$got.again" ] &&
    ! grep -q "signal" "$got.again"; then
    echo "ok $number - $area: two runs are alike"
  else
    echo "not ok $number - $area: two runs are alike"
  fi
done
awk -v first=$number -f "$here/random/recorded.awk" "$here/random/recorded.txt" \
  "$here/random/open.txt" "$got"
