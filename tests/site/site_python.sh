#!/bin/sh
# A call from Python is told as its line of Python, as long as the thread holds the lock of
# the interpreter, or no call of another thread can; else as what called for Python.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
library=$(pwd)/tests/site/site_python.so

command -v python3 >/dev/null 2>&1 || skip_all "python3 is not installed"
python3 -c 'import ctypes, sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null ||
  skip_all "python3 is older than 3.10 or has no ctypes"
[ -f "$library" ] || skip_all "site_python.so is not built"
case $(nm -D "$library") in
*" U __asan_"* | *" U __tsan_"* | *" U __ubsan_"*) skip_all "python3 has no sanitizer" ;;
esac

tell() {
  (cd "$srcdir/tests/site" && python3 site_python.py "$library" "$@" 2>&1)
}

told=$(tell)
lines=$(echo "$told" | grep -c '^site_python\.py:14 tell$')
expect "each call is told as its line" test "$lines" -eq 5
beside=$(echo "$told" | sed -n 's/^beside others: //p')
case $beside in
*site_python.py* | "") expect_empty "beside others that may keep the lock there is no line" "$told" ;;
*) expect "beside others that may keep the lock there is no line" true ;;
esac
told=$(tell releasing)
beside=$(echo "$told" | sed -n 's/^beside others: //p')
expect "where all calls give it away there is" test "$beside" = "site_python.py:14 tell"
expect "callers are lines, too, as many as are asked for" \
  test "$(echo "$told" | grep '^callers')" = "callers: 33 step 42 <module>"
done_testing
