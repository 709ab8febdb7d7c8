#!/bin/sh
# A report is the same text from run to run, but for how often things were met, whatever the
# number of workers: what was measured stands on lines of its own, which begin with "cost:".
# And it is the text that doc/checking.md and rill(1) show.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

[ -x examples/checked ] || skip_all "examples/checked was not built"
work=tests/layer-check-same-text.tmp
mkdir -p "$work"
# The example's races are on purpose, and may be seen in one run and not in the next.
export TSAN_OPTIONS=report_bugs=0

# report NAME WORKERS
report() {
  RILL_LAYERS=check RILL_CHECK="race life capture init leak hints" RILL_SIM_WORKERS=$2 \
    examples/checked "$1" 2>&1
}

# Leaves what may differ out, if at all as it should look.
masked() {
  sed -e '/^==rill==   cost: [0-9]* us in this run$/d' \
    -e '/^==rill==   id /s/, \(once\|[0-9]* times\)$/, N times/' "$1"
}

# same NAME WORKERS
same() {
  report "$1" "$2" > "$work/again"
  masked "$work/again" | diff "$work/masked" -
}

for name in wait never edge replay join host pool init; do
  report "$name" 1 > "$work/first"
  masked "$work/first" > "$work/masked"
  cat "$work/first" >> "$work/all"
  for workers in 1 2 16; do
    expect "'$name' with $workers" same "$name" "$workers"
  done
done
expect "some of that was measured" grep -q '   cost: ' "$work/all"

# shown PAGE: the lines of the page that speak of the example and that no report has.
shown() {
  sed -n 's/^ *\(==rill==  .*checked\.c:.*\)/\1/p' "$top_srcdir/$1" | sort -u |
    grep -vxFf "$work/all"
}
pages="doc/checking.md man/rill.1"
# Where the compiler optimizes less, calls that it does not inline have lines of their own.
[ "$sanitizers" = no ] || pages=
grep -q 'checked\.c:' "$work/all" || {
  skip "reports have no lines here" "the pages show what is printed"
  pages=
}
for page in $pages; do
  expect_empty "$page shows what is printed" "$(shown "$page")"
done
rm -r "$work"
done_testing
