#!/bin/sh
# `rill run` looks at variables before the program begins: 125 and a sentence.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
rill=$(pwd)/src/command/rill
standin=$(pwd)/src/standin
unset RILL_LOG RILL_LAYERS RILL_CHECK RILL_FAIL RILL_TRACE RILL_KERNELS
work=$(pwd)/tests/command-settings.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"

# refuses WORDS VARIABLE=VALUE...: nothing runs, and that is said.
refuses() {
  words=$1
  shift
  said=$(env "$@" "$rill" run echo it ran 2>&1)
  status=$?
  case $status:$said in
  125:*"it ran"*) ;;
  125:*"$words"*) return 0 ;;
  esac
  printf '%s\n' "$said" "it ended with $status; wanted: $words"
  return 1
}

# runs VARIABLE=VALUE...
runs() { test "$(env "$@" "$rill" run echo it ran 2>&1)" = "it ran"; }

# ---- The simulator -------------------------------------------------------------

expect "a number that is too large" refuses "RILL_SIM_DEVICES: 65 is not within 1 to 64" \
  RILL_SIM_DEVICES=65
expect "a number that is none" refuses "RILL_SIM_MEMORY: 'lots' is not a number" \
  RILL_SIM_MEMORY=lots
expect "a model that nobody knows" refuses \
  "RILL_SIM_DEVICE: there is no model 'k80'; there are default b200 " RILL_SIM_DEVICE=a100,k80
expect "a model without a name" refuses "there is no model ''" RILL_SIM_DEVICE=a100,
expect "more models than devices" refuses "RILL_SIM_DEVICE: it names 3 models for 2 devices" \
  RILL_SIM_DEVICE=a100,t4,t4 RILL_SIM_DEVICES=2
for name in WORKERS PRIORITY HOST_THREAD WATCHDOG WHIMS; do
  expect "RILL_SIM_$name is a number" refuses "RILL_SIM_$name: 'x' is not a number" \
    "RILL_SIM_$name=x"
done
for name in STEPS HEAP; do
  expect "so is RILL_PTX_$name" refuses "RILL_PTX_$name: 'x' is not a number" "RILL_PTX_$name=x"
done
expect "a check that nobody knows" refuses "RILL_PTX_CHECK: 'speed' is no check" \
  RILL_PTX_CHECK=speed
expect "a schedule that nobody knows" refuses "RILL_SIM_SCHEDULE" RILL_SIM_SCHEDULE=sometimes
expect "steps that cannot be written" refuses \
  "RILL_SIM_SCHEDULE_TRAIL: $work/none/trail cannot be written: No such file" \
  "RILL_SIM_SCHEDULE_TRAIL=$work/none/trail"
expect "a variable that is misspelt" refuses "there is no variable RILL_SIM_DEVISE;" \
  RILL_SIM_DEVISE=2
expect "one without a name" refuses "there is no variable RILL_SIM_;" RILL_SIM_=

# ---- Words ---------------------------------------------------------------------

all="errors, faults, images, kernels and unsupported"
for words in everything errors,everything everything,errors 'errors everything' errors,,everything
do
  expect "RILL_LOG='$words'" refuses "RILL_LOG: there is no word \"everything\"; there are $all" \
    "RILL_LOG=$words"
done
expect "a word is whole" refuses 'there is no word "error"' RILL_LOG=error

# ---- Layers --------------------------------------------------------------------

# shellcheck disable=SC2016
expect "a layer that is not there" refuses '$RILL_LAYERS names a layer '"'chek' that is not there" \
  RILL_LAYERS=chek
# shellcheck disable=SC2016
expect "a layer that is named twice" refuses '$RILL_LAYERS names layer '"'fail' twice" \
  RILL_LAYERS=fail,fail
expect "a failure that nobody knows" refuses "RILL_FAIL: 'cal=3' is not understood" \
  RILL_LAYERS=fail RILL_FAIL=cal=3
expect "a trace that nobody knows" refuses "RILL_TRACE" RILL_LAYERS=trace RILL_TRACE=files=a

# ---- Kernels -------------------------------------------------------------------

: > "$work/there.so"
expect "a library that is not there" refuses "RILL_KERNELS: $work/none.so: No such file" \
  "RILL_KERNELS=$work/there.so:$work/none.so"

# ---- What is right -------------------------------------------------------------

if [ ! -e "$standin/libcuda.so.1" ]; then
  done_testing
  exit 0
fi
expect "right settings are taken" runs RILL_SIM_DEVICES=2 RILL_SIM_DEVICE=l4,t4 RILL_SIM_MEMORY=1G RILL_SIM_WORKERS=3 \
  RILL_LOG=errors,unsupported RILL_LAYERS=trace RILL_SIM_SCHEDULE=random:3 \
  "RILL_KERNELS=$work/there.so:named.so"
expect "and empty ones" runs RILL_LOG= RILL_LAYERS= RILL_KERNELS= RILL_FAIL= RILL_TRACE=
# shellcheck disable=SC2046
expect "each variable in the manual is known" runs \
  $(sed -n 's/^\.It Ev \(RILL_SIM_[A-Z_]*\)$/\1=/p' "$srcdir/man/rill.1" "$srcdir/man/rill.7")
done_testing
