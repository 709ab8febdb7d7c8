#!/bin/sh
# The conformance suite where one call fails: each test with the first of its calls that can fail,
# then with the second, and so on to the last. Most tests notice and fail; none may crash, hang or
# leave memory behind, which the suite looks at.
#
#   RILL_TEST_FAIL_EVERY=1  all tests, half an hour; every 5th if not given, with a sanitizer
#                           every 50th
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
rill=$(pwd)/src/command/rill
suite=$(pwd)/tests/conformance/run_sim
[ -x "$suite" ] || skip_all "the suite was not built"
[ -e src/standin/libcuda.so.1 ] || skip_all "no stand-in was built"
for variable in $(env | sed -n 's/^\(RILL_[A-Z_]*\)=.*/\1/p'); do
  case $variable in RILL_TEST_*) ;; *) unset "$variable" ;; esac
done
export ASAN_OPTIONS=detect_leaks=0 # a test that fails leaves its own memory
case $sanitizers in
no) usual=5 ;;
*) usual=50 ;; # each run takes many times as long
esac
every=${RILL_TEST_FAIL_EVERY:-$usual}
work=$(pwd)/tests/conformance-fails.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tmp"
export TMPDIR="$work/tmp"

# calls_of TEST: how many calls it makes that can fail, as one that never comes tells.
calls_of() {
  "${SHELL:-sh}" "$srcdir/tests/run.sh" "$rill" run --fail 99999999 "$suite" --together "$1" 2>&1 |
    sed -n 's/.*the program made \([0-9]*\) that can$/\1/p'
}

# of: how many calls of the last test failed, one in each run.
of() {
  sed -n 's/^rill run: \([0-9]*\) calls failed.*/\1/p' "$work/said"
}

# fails_well TEST: with each call that fails. Otherwise tells how the runs ended that it should not.
fails_well() {
  RILL_TEST_TIMEOUT=3600 "${SHELL:-sh}" "$srcdir/tests/run.sh" "$rill" run --fail each \
    --timeout 20 "$suite" --together "$1" > "$work/runs" 2> "$work/said"
  status=$?
  [ $status -eq 0 ] &&
    [ "$(grep -c -e 'success$' -e 'status 1$' "$work/runs")" = "$(of)" ] && return 0
  echo "status $status"
  cat "$work/said"
  grep -v -e 'success$' -e 'status 1$' "$work/runs"
  return 1
}

# What waits there, waits for what the call that fails was to write: it never ends, and should not.
waits='value waits: kernels fills copies and writes end a wait'

# A test of thousands of calls makes the same one again and again: a quarter of an hour for one
# answer. Who asks for all tests gets it.
most=300

"$suite" --list | grep -vxF "$waits" | awk -v every="$every" 'NR % every == 0' > "$work/list"
calls=0
while IFS= read -r name; do
  made=$(calls_of "$name" < /dev/null)
  [ "$every" -eq 1 ] || [ "${made:-0}" -le "$most" ] || {
    echo "# left out for its $made calls: $name"
    continue
  }
  # shellcheck disable=SC2094 # nothing of it reads the list
  expect "$name" fails_well "$name" < /dev/null
  of=$(of)
  calls=$((calls + ${of:-0}))
done < "$work/list"
echo "# $calls calls failed, one in each run"
expect "there were some" test "$calls" -gt 0
done_testing
