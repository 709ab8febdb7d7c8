# The Test Anything Protocol for shell tests:  . "$srcdir/tests/tap.sh"
# They run in the top build folder, as `make check` runs them; by hand:
#   cd build/default && srcdir=../.. sh ../../tests/headers.sh
# shellcheck shell=sh
# shellcheck source=tests/config.sh.in
. ./tests/config.sh

# What the driver obeys, the stand-in obeys as well, and these tests count its devices.
unset CUDA_VISIBLE_DEVICES CUDA_DEVICE_ORDER CUDA_LAUNCH_BLOCKING

tap_count=0

# ok / not_ok / skip: the outcome of one test, by its description.
ok() {
  tap_count=$((tap_count + 1))
  echo "ok $tap_count - $*"
}

not_ok() {
  tap_count=$((tap_count + 1))
  echo "not ok $tap_count - $*"
}

# skip REASON DESCRIPTION
skip() {
  tap_count=$((tap_count + 1))
  skip_reason=$1
  shift
  echo "ok $tap_count - $* # SKIP $skip_reason"
}

# The whole file cannot be run here.
skip_all() {
  echo "1..0 # SKIP $*"
  exit 0
}

# expect DESCRIPTION COMMAND...: ok if COMMAND succeeds, else not, with its output.
expect() {
  tap_description=$1
  shift
  if tap_output=$("$@" 2>&1); then
    ok "$tap_description"
  else
    not_ok "$tap_description"
    printf '%s\n' "$tap_output" | sed 's/^/# /'
    return 1
  fi
}

# expect_empty DESCRIPTION LINES: ok if there are none, else they are shown.
expect_empty() {
  if [ -z "$2" ]; then
    ok "$1"
  else
    not_ok "$1"
    printf '%s\n' "$2" | sed 's/^/# /'
  fi
}

# source_files FOLDER-OR-FILE...: the files that a build in the tree did not leave there, but for
# programs, which have no dot in their names.
source_files() {
  find "$@" -type f ! -path '*/.deps/*' ! -path '*/.libs/*' ! -path '*.tmp/*' \
    ! -path tests/config.sh ! -name .dirstamp ! -name '*.o' ! -name '*.lo' ! -name '*.a' \
    ! -name '*.la' ! -name '*.so' ! -name '*.so.*' ! -name '*.trs' ! -name '*.log'
}

done_testing() {
  echo "1..$tap_count"
}
