#!/bin/sh
# Runs one program the way this build needs it:  tests/run.sh PROGRAM [ARGUMENT...]
# in the top build folder. RILL_TEST_WRAPPER is put before it (valgrind),
# RILL_TEST_TIMEOUT is the limit in seconds, so that a deadlock is a failed test
# and not a stuck build. RILL_TEST_LEAVE_OUT is a file of programs that are left out, each
# with the reason.
# shellcheck source=tests/config.sh.in
. ./tests/config.sh

export ASAN_OPTIONS="${ASAN_OPTIONS-detect_leaks=1}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS-print_stacktrace=1:halt_on_error=1}"
# A lost wake-up is to be a sentence, and not a test that takes too long.
export RILL_SIM_WATCHDOG="${RILL_SIM_WATCHDOG-1}"
export TSAN_OPTIONS="${TSAN_OPTIONS-halt_on_error=1}"

# What makes programs small for a wrapper that is slow gives them more time, too.
if [ -n "$RILL_TEST_SCALE" ]; then
  RILL_TEST_TIMEOUT=${RILL_TEST_TIMEOUT:-1200}
  export RILL_TEST_SECONDS="${RILL_TEST_SECONDS:-600}"
fi

if [ -n "$RILL_TEST_LEAVE_OUT" ]; then
  reason=$(awk -v program="${1#./}" '$1 == program { $1 = ""; print substr($0, 2) }' \
    "$RILL_TEST_LEAVE_OUT")
  if [ -n "$reason" ]; then
    echo "1..0 # SKIP $reason"
    exit 0
  fi
fi

if [ -n "$RILL_TEST_WRAPPER" ]; then
  # The wrapper is a command line; libtool finds the program behind its script.
  # shellcheck disable=SC2086
  set -- ./libtool --silent --mode=execute $RILL_TEST_WRAPPER "$@"
fi

# ThreadSanitizer wants its shadow where a highly random address space may put
# something else ("unexpected memory mapping").
case $sanitizers in
*thread*)
  if setarch "$(uname -m)" -R true 2>/dev/null; then
    set -- setarch "$(uname -m)" -R "$@"
  fi
  ;;
esac

if timeout 1 true 2>/dev/null; then
  set -- timeout -k 20 "${RILL_TEST_TIMEOUT:-300}" "$@"
fi

[ "$CMOCKA_MESSAGE_OUTPUT" = TAP ] || exec "$@"

# cmocka says "not ok 3 # SKIP" of a test that is left out, which is a failed one to those who
# read TAP.
exec 4>&1
status=$({
  { "$@" 3>&- 4>&-; echo $? >&3; } | sed 's/^not \(ok [0-9]* # SKIP\)/\1/' >&4
} 3>&1)
exit "$status"
