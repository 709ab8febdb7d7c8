#!/bin/sh
# The stand-in answers as hardware does: every case of the oracle over the libcuda.so.1
# of this build, beside expected.txt. What does not match yet is listed in differs.txt.
# shellcheck source=tests/driver/standin.sh
. "${srcdir:?}/tests/driver/standin.sh"

oracle=./tests/driver/oracle
over_standin "$oracle"

got=$(pwd)/tests/driver/got.tmp
trap 'rm -f "$got"' EXIT

# answer DEVICES GROUP...: what the driver says with so many devices.
answer() {
  RILL_SIM_DEVICES=$1
  export RILL_SIM_DEVICES
  shift
  "${SHELL:-sh}" "$srcdir/tests/run.sh" "$oracle" "$@"
}

groups=$(sed -n 's/^\([a-z]*\.\).*/\1/p' "$here/expected.txt" | sort -u)
{
  # A word each.
  # shellcheck disable=SC2046
  answer 1 $(echo "$groups" | grep -v '^multi\.')
  answer 2 multi.
} > "$got" || echo "# the oracle ended with status $?"

awk -f "$here/answers.awk" "$here/expected.txt" "$here/differs.txt" "$got"
