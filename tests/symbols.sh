#!/bin/sh
# The library takes no name that is not its own: the shared one exports rill_*
# alone, the static one defines nothing outside the prefixes of its parts.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

# foreign PREFIXES: the names that nm prints and that start with none of them.
foreign() {
  awk -v own="^($1)" 'NF == 3 && $2 != "A" && $3 !~ own { print $3 }'
}

[ -n "$NM" ] || skip_all "no nm"

# NM may have options of its own.
# shellcheck disable=SC2086
if [ -f .libs/librill.so ]; then
  exported=$($NM -D --defined-only .libs/librill.so | sed 's/@.*//')
  expect "the shared library exports something" test -n "$exported"
  expect_empty "the shared library exports rill_* alone" "$(echo "$exported" | foreign rill_)"
else
  skip "no shared library in this build" "the shared library exports rill_* alone"
fi

# shellcheck disable=SC2086
if [ "$sanitizers" != no ]; then
  skip "sanitizers add their own names" "the static library keeps to its prefixes"
elif [ -f .libs/librill.a ]; then
  defined=$($NM -g --defined-only .libs/librill.a)
  expect "the static library defines something" test -n "$defined"
  expect_empty "the static library keeps to its prefixes" \
    "$(echo "$defined" | foreign 'rill_|rl_|sim_|cuda_|ck_|fa_|tr_|ptx_|image_')"
else
  skip "no static library in this build" "the static library keeps to its prefixes"
fi
done_testing
