#!/bin/sh
# The stand-in exports what its table says, and the table has all that cuda.h names.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

table=$top_srcdir/src/standin/library/symbols.def
[ -n "$NM" ] || skip_all "no nm"
[ -e src/standin/libcuda.so.1 ] || skip_all "no stand-in was built"

work=$(pwd)/tests/standin-symbols.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"

# rows VERSION: the names that a driver of that version has, and those of ours, sorted.
rows() {
  awk -F '[(), ]+' -v version="$1" '
    BEGIN { print "rill_failure_words"; print "rill_touch"; print "rill_touch_host" }
    /^SYMBOL/ { suffix = $3 ~ /^_/ ? $3 : ""; since = suffix == "" ? $3 : $4
                if (since <= version) print $2 suffix }' "$table" | sort
}

# number 12.4: 12040
number() {
  echo "$1" | awk -F . '{ print 1000 * $1 + 10 * $2 }'
}

# compare FOLDER VERSION [MORE]: MORE is what the newest has for the others, which lead to it.
compare() {
  # NM may have options of its own.
  # shellcheck disable=SC2086
  $NM -D --defined-only "$1/libcuda.so.1" | awk 'NF == 3 && $2 != "A" { print $3 }' |
    sed 's/@.*//' | sort > "$work/exported"
  { rows "$2" && printf '%s' "$3"; } | sort > "$work/rows"
  expect_empty "driver $2: nothing is missing" "$(comm -13 "$work/exported" "$work/rows" | head)"
  expect_empty "driver $2: nothing is too much" "$(comm -23 "$work/exported" "$work/rows" | head)"
}

if [ "$sanitizers" = no ]; then
  compare src/standin 13000 "rill_standin_is_over
rill_standin_play
"
  for folder in src/standin/*.*/; do
    [ -e "$folder/libcuda.so.1" ] && compare "$folder" "$(number "$(basename "$folder")")"
  done
else
  skip "sanitizers add their own names" "nothing is missing, nothing is too much"
fi

# names OPTIONS...: what cuda.h declares when it is read so. The inline functions that
# nvcc likes to have are none of the library's.
names() {
  echo '#include <cuda.h>' > "$work/all.c"
  # shellcheck disable=SC2086
  $CC $CUDA_CPPFLAGS -E -P "$@" "$work/all.c" | sed '/static inline/,/}/d' |
    grep -oE '\bcu[A-Z][A-Za-z0-9_]* *\(' | tr -d ' ('
}

if [ "$have_cuda_h" = yes ]; then
  { names; names -DCUDA_API_PER_THREAD_DEFAULT_STREAM; names -D__CUDA_API_VERSION_INTERNAL; } |
    sort -u > "$work/declared"
  rows 99000 > "$work/rows"
  expect "cuda.h declares some" test -s "$work/declared"
  expect_empty "all that cuda.h declares has a row" \
    "$(comm -23 "$work/declared" "$work/rows" | head)"
else
  skip "no cuda.h" "all that cuda.h declares has a row"
fi
done_testing
