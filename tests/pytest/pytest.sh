#!/bin/sh
# The plugin for pytest: each marked test runs in a process of its own under `rill run`, and
# ends as it ends there, or fails with the report.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
rill=$(pwd)/src/command/rill
work=$(pwd)/tests/pytest.tmp

[ -e src/standin/libcuda.so.1 ] || skip_all "no stand-in"
[ "$sanitizers" = no ] || skip_all "python3 has no sanitizer"
for python in python3 /usr/bin/python3 ""; do
  [ -z "$python" ] || "$python" -c 'import ctypes, pytest' >/dev/null 2>&1 && break
done
[ -n "$python" ] || skip_all "python3 has no pytest"

unset RILL_SIM_DEVICES RILL_SIM_DRIVER RILL_LOG RILL_LAYERS RILL_CHECK
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
cp "$top_srcdir/tests/pytest/test_streams.py" "$work/"
cd "$work" || exit 1
export PYTHONPATH="$top_srcdir/tools/pytest" PYTHONDONTWRITEBYTECODE=1

# pytest_says OPTION...: what pytest prints of the tests.
pytest_says() {
  "$python" -m pytest -p rill_pytest -p no:cacheprovider -v "--rill-command=$rill" "$@" 2>&1
}
pytest_says test_streams.py > all

# ended TEST HOW
ended() {
  grep -q "^test_streams\.py::$1 $2" all || { cat all; return 1; }
}
expect "a test in promised order passes" ended test_ordered PASSED
expect "one without fails, whatever its result" ended test_unordered FAILED
expect "with the report" grep -q '^==rill== race: cuMemcpyDtoDAsync reads what cuMemsetD32Async writes' all
expect "which names the line of Python" grep -q '^==rill==   cuMemsetD32Async   test_streams.py:[0-9]* in fill_and_copy' all
expect "a test in promised order passes under each schedule" ended test_every_order PASSED
expect "one without fails under some schedule" ended test_some_order FAILED
expect "with its own assertion" grep -q '^E  *assert \[0, 0, 0' all
expect "and the command that shows it again" \
  grep -q '^rill run: again: rill run --schedule replay:1\.1 .*::test_some_order$' all
expect "the mark says how many devices there are" ended test_devices PASSED
expect "a test fails as it does without" ended 'test_words\[one\]' FAILED
expect "its parameters may have blanks" ended 'test_words\[a b\]' PASSED
expect "what is skipped is skipped" ended test_skipped SKIPPED
expect "what is expected to fail is" ended test_expected XFAIL
expect "a test that crashes fails, and the next one runs" ended test_crash FAILED
expect "with what it left" grep -q 'Aborted' all
expect "a mark that is misspelt fails" grep -q 'the mark rill takes no word "checks"; there are' all
expect "a test without the mark runs as always" ended test_without PASSED
expect "and that is all" grep -q '^=* 5 failed, 5 passed, 1 skipped, 1 xfailed' all

pytest_says --rill 'test_streams.py::test_without' > one
expect "--rill runs all tests so" grep -q '^E .*RILL_LAYERS' one
pytest_says --rill-command=/nowhere/rill 'test_streams.py::test_ordered' > none
expect "no command is a failure that says so" grep -q 'there is no command rill; --rill-command' none
done_testing
