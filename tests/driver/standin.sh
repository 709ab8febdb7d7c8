# shellcheck shell=sh
# For tests that run a program of driver calls over the libcuda.so.1 of this build.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

here=$top_srcdir/tests/driver

# over_standin PROGRAM: from here on that finds the stand-in, and nothing of the user's own
# settings; its images are those that need no GPU. A build without cuda.h has no kernels in C, and
# no program that needs them.
over_standin() {
  library=$(pwd)/src/standin kernels=$(pwd)/tests/driver/kernels.so
  [ -x "$1" ] || skip_all "$1 needs cuda.h of CUDA 13.0 or newer"
  [ -e "$library/libcuda.so.1" ] || skip_all "no stand-in was built"
  for variable in $(env | sed -n 's/^\(RILL_SIM_[A-Z_]*\|RILL_LOG\|RILL_BACKEND\|RILL_KERNELS\)=.*/\1/p'); do
    unset "$variable"
  done
  export ORACLE_PTX="$here/kernels.ptx" ORACLE_COND_IMAGE="$here/cond.ptx"
  [ ! -e "$kernels" ] || export RILL_KERNELS="$kernels"
  export LD_LIBRARY_PATH="$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
}
