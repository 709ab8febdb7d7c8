#!/bin/sh
# Each example runs to its end, and the README shows one of them as it is.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

# Some have no code for a GPU, should there be one.
export RILL_BACKEND=sim

[ -n "$RILL_TEST_EXAMPLES" ] || skip_all "there are no examples yet"
for example in $RILL_TEST_EXAMPLES; do
  expect "$example" "${SHELL:-sh}" "$srcdir/tests/run.sh" "./$example"
done

# Without the comment at its top; and what it prints, indented.
program=$(sed '1,/^ \*\/$/d' "$top_srcdir/examples/hello.c")
shown=$(awk '/^```/ { inside = /^```c$/; next } inside' "$top_srcdir/README.md")
expect "the README shows examples/hello.c" test "$shown" = "$program"
printed=$("${SHELL:-sh}" "$srcdir/tests/run.sh" ./examples/hello)
expect "and what it prints" test "$(echo "$printed" | sed 's/^/    /')" = \
  "$(sed -n '/^    \$ \.\/hello$/,/^$/ { /^    [^$]/p; }' "$top_srcdir/README.md")"
done_testing
