#!/bin/sh
# `rill info` says what a program would find, as the stand-in itself answers.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
rill=./src/command/rill
unset RILL_SIM_DEVICE RILL_SIM_DEVICES RILL_SIM_DRIVER RILL_SIM_WORKERS RILL_SIM_MEMORY RILL_LOG RILL_BACKEND

info() {
  "${SHELL:-sh}" "$srcdir/tests/run.sh" "$rill" info "$@"
}

# says STATUS PATTERN COMMAND...: it ends so, and has a line like that.
says() {
  want=$1 pattern=$2
  shift 2
  said=$("$@" 2>&1)
  status=$?
  [ "$status" -eq "$want" ] && printf '%s\n' "$said" | grep -q -e "$pattern" && return
  printf '%s\n' "$said" "status $status, not $want, or no line like: $pattern"
  return 1
}

# with VARIABLE=VALUE: info with that in the environment.
with() {
  env "$1" "${SHELL:-sh}" "$srcdir/tests/run.sh" "$rill" info
}

expect "another word is refused" says 2 '"more"' info more
expect "an option that nobody knows is refused" says 2 '--fast' info --fast
expect "and so are devices that cannot be" says 2 'from 1 to 64' info --devices 0
expect "and a version that is none" says 2 'such as 12.4' info --driver twelve

found=1
[ ! -e src/standin/libcuda.so.1 ] || found=0
expect "it says which rill this is" says $found "^rill $version\$" info
expect "the simulator is there" says $found '^  sim  *1 device, ' info
expect "with as many devices as asked for" says $found '^  sim  *3 devices, ' info --devices 3
expect "and as many workers" says $found '^  sim .*, 5 workers$' with RILL_SIM_WORKERS=5
expect "and as much memory" says $found '^  sim .*, 1\.5 GiB, ' with RILL_SIM_MEMORY=1536M
expect "of the models that are named" says $found '^  sim  *2 devices, Tesla T4, 16 GiB, ' \
  info --device t4,a100
expect "which are listed" says $found '^  (--device takes default .* t4 .*)$' info
expect "one that is not is told" says 1 \
  "^  sim  *cannot be used: RILL_SIM_DEVICE: there is no model 'k80'; there are default " \
  info --device t4,k80
expect "a backend that cannot be used says why" says 1 \
  "^  sim  *cannot be used: RILL_SIM_WORKERS: 'none'" with RILL_SIM_WORKERS=none
if [ "$found" -ne 0 ]; then
  expect "without a stand-in it says so" says 1 'stand-in' info
  done_testing
  exit 0
fi
expect "it names the stand-in" says 0 "^  library  $(pwd)/src/standin/libcuda.so.1\$" info
expect "and its version" says 0 '^  driver   CUDA 13\.0' info
expect "and its devices" says 0 '^  device 1 .*, compute capability 9\.0$' info --devices 2
expect "and the versions to choose from, whichever is chosen" says 0 \
  '^  driver   CUDA 12\.4 (--driver takes 13\.0 .*11\.8)$' info --driver 12.4
expect "with their memory" says 0 '^  device 0 .*, 2 GiB, ' with RILL_SIM_MEMORY=2G
expect "that none is visible is told" says 1 \
  '^rill info: a program finds no device: CUDA_VISIBLE_DEVICES is "-1"$' with CUDA_VISIBLE_DEVICES=-1
expect "each device is of its model" says 0 '^  device 1 .*A100.*, 80 GiB, compute capability 8\.0$' \
  info --device t4,a100
expect "the last model is that of all that follow" says 0 '^  device 2 .*A100' \
  info --device t4,a100 --devices 3
# with_second ARGUMENT...: info where the second device alone is visible.
with_second() { CUDA_VISIBLE_DEVICES=1 info "$@"; }
expect "a visible device keeps its model" says 0 '^  device 0 .*A100.* 8\.0$' \
  with_second --device t4,a100
done_testing
