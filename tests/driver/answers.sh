#!/bin/sh
# The stand-in answers as hardware does: every case of the oracle over the libcuda.so.1
# of this build, beside expected.txt. What does not match yet is listed in differs.txt.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

here=$top_srcdir/tests/driver
oracle=./tests/driver/oracle
library=$(pwd)/src/standin
[ -x "$oracle" ] || skip_all "the oracle needs cuda.h of CUDA 13.0 or newer"
[ -e "$library/libcuda.so.1" ] || skip_all "no stand-in was built"

# Nothing of the user's own settings; the images that need no GPU.
for variable in $(env | sed -n 's/^\(RILL_SIM_[A-Z_]*\|RILL_LOG\|RILL_BACKEND\|RILL_KERNELS\)=.*/\1/p'); do
  unset "$variable"
done
export ORACLE_PTX="$here/kernels.ptx" ORACLE_COND_IMAGE="$here/cond.ptx"
RILL_KERNELS=$(pwd)/tests/driver/kernels.so
export RILL_KERNELS
export LD_LIBRARY_PATH="$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

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
