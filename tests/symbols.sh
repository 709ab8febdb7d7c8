#!/bin/sh
# The library takes no name that is not its own: both export rill_* alone, and inside
# nothing is defined outside the prefixes of the parts.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

# foreign PREFIXES: the names that nm prints and that start with none of them.
foreign() {
  awk -v own="^($1)" 'NF == 3 && $2 != "A" && $3 !~ own { print $3 }'
}

# changes: how the names that nm prints differ from the list. One that is gone breaks programs
# that were linked before (doc/versions.md); a new one is added to the list.
# rill_cuda_* come with the backend.
changes() {
  awk 'FILENAME != "-" { listed[$1] = 1; next }
       NF == 3 && $2 != "A" && $3 ~ /^rill_/ { exported[$3] = 1 }
       $3 ~ /^rill_cuda_/ { cuda = 1 }
       END {
         for (name in listed)
           if (!(name in exported) && (cuda || name !~ /^rill_cuda_/)) print name " is gone"
         for (name in exported) if (!(name in listed)) print name " is not in the list"
       }' "$top_srcdir/tests/librill.symbols" - | sort
}

[ -n "$NM" ] || skip_all "no nm"

# NM may have options of its own.
# shellcheck disable=SC2086
if [ -f .libs/librill.so ]; then
  exported=$($NM -D --defined-only .libs/librill.so | sed 's/@.*//')
  expect "the shared library exports something" test -n "$exported"
  expect_empty "the shared library exports rill_* alone" "$(echo "$exported" | foreign rill_)"
  expect_empty "it exports what tests/librill.symbols lists" "$(echo "$exported" | changes)"
else
  skip "no shared library in this build" "the shared library exports rill_* alone"
fi

# shellcheck disable=SC2086
if [ -z "$OBJCOPY" ]; then
  skip "no objcopy" "the static library exports rill_* alone"
elif [ -f .libs/librill.a ]; then
  exported=$($NM -g --defined-only .libs/librill.a)
  expect "the static library exports something" test -n "$exported"
  expect_empty "the static library exports rill_* alone" "$(echo "$exported" | foreign rill_)"
  expect_empty "it exports what tests/librill.symbols lists" "$(echo "$exported" | changes)"
else
  skip "no static library in this build" "the static library exports rill_* alone"
fi

# A library that is loaded late, as libcuda.so.1 is, finds some 1600 bytes for thread-local
# variables that are read without a call, and all that are loaded so share them.
thread_locals() {
  readelf -lW "$1" | awk '$1 == "TLS" { print $6 }'
}
for library in .libs/librill.so src/standin/libcuda.so.1; do
  what="$library has at most 640 bytes of thread-local variables"
  if [ "$sanitizers" != no ]; then
    skip "sanitizers have their own" "$what"
  elif [ ! -f "$library" ] || ! command -v readelf > /dev/null; then
    skip "no such library, or no readelf" "$what"
  else
    expect "$what" test $(($(thread_locals "$library"))) -le 640
  fi
done

# What the stand-in and the tests link.
# shellcheck disable=SC2086
if [ "$sanitizers" != no ]; then
  skip "sanitizers add their own names" "the parts keep to their prefixes"
else
  defined=$($NM -g --defined-only .libs/librill-all.a)
  expect "the parts define something" test -n "$defined"
  expect_empty "the parts keep to their prefixes" \
    "$(echo "$defined" | foreign 'rill_|rl_|sim_|cuda_|ck_|cs_|fa_|tr_|ts_|xp_|ptx_|image_|device_')"
fi
done_testing
