#!/bin/sh
# `rill run --explore`: the program once for each class of schedules.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
export ASAN_OPTIONS=detect_leaks=0 # the programs leave their objects
name=explore
# shellcheck source=tests/command/says.sh
. "$srcdir/tests/command/says.sh"

# ---- Words that are refused ------------------------------------------------------

for shard in '' 0/2 3/2 1 1/ /2 1/2x one/two 1/1000001; do
  expect "--shard '$shard' is refused" says 125 "--shard takes I/N, such as 2/8" \
    --explore --shard "$shard" false
done
expect "--runs has a bound" says 125 "--runs takes a number from 1" --explore --runs 0 false
expect "--shard needs --explore" says 125 "--shard is for runs with --explore" --shard 1/2 false
expect "--runs needs it, too" says 125 "--runs is for runs with --explore" --runs 3 false
expect "all orders and one is too much" says 125 "--explore tries all orders" \
  --explore --schedule late false
expect "--explore does not report" says 125 "give one of the two" --explore --check false
expect "time that is virtual decides by itself" says 125 "no other schedule can be given" \
  --explore --clock virtual false

if [ ! -e "$standin/libcuda.so.1" ]; then
  done_testing
  exit 0
fi

# ---- Programs ---------------------------------------------------------------------

expect "a program without a GPU cannot be explored" says 125 "uses no GPU" --explore true
expect "one that fails at once is told" says 1 "run 1: status 1" --explore false

# A copy in one stream reads what another one fills; further streams fill a part of that.
cat > "$work/race.c" << 'END'
#include <stdlib.h>
#include <string.h>

typedef void *handle;
typedef unsigned long long address;

int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(handle *, int);
int cuCtxSetCurrent(handle);
int cuCtxSynchronize(void);
int cuStreamCreate(handle *, unsigned);
int cuEventCreate(handle *, unsigned);
int cuEventRecord(handle, handle);
int cuStreamWaitEvent(handle, handle, unsigned);
int cuMemAlloc_v2(address *, size_t);
int cuMemsetD8Async(address, unsigned char, size_t, handle);
int cuMemcpyDtoDAsync_v2(address, address, size_t, handle);
int cuMemcpyDtoH_v2(void *, address, size_t);

static void need(int status) { if (status) exit(40); }

static handle stream(void)
{
    handle made;
    need(cuStreamCreate(&made, 1));
    return made;
}

int main(int argc, char **argv)
{
    handle context, event;
    address x, y;
    char result[64];
    need(cuInit(0));
    need(cuDevicePrimaryCtxRetain(&context, 0));
    need(cuCtxSetCurrent(context));
    handle s = stream(), t = stream();
    need(cuEventCreate(&event, 2));
    need(cuMemAlloc_v2(&x, 64));
    need(cuMemAlloc_v2(&y, 64));
    need(cuMemsetD8Async(x, 0, 64, s));
    need(cuCtxSynchronize());
    need(cuMemsetD8Async(x, 7, 64, s));
    if (strchr(argv[1], 'w')) {
        need(cuEventRecord(event, s));
        need(cuStreamWaitEvent(t, event, 0));
    }
    need(cuMemcpyDtoDAsync_v2(y, x, 64, t));
    for (int i = 0; i < atoi(argv[2]); i++) need(cuMemsetD8Async(x + 32, i, 8, stream()));
    need(cuCtxSynchronize());
    need(cuMemcpyDtoH_v2(result, y, 64));
    return strchr(argv[1], 'j') && result[0] != 7 ? 9 : 0;
}
END

build() {
  # shellcheck disable=SC2086
  $CC $instrument -w "$work/$1.c" -o "$work/$1" -L"$standin" -l:libcuda.so.1
}

# What is printed after "again:" is run: it fails in the same way.
again() {
  command=$(sed -n 's/^rill run: again: rill run //p' "$work/said")
  # shellcheck disable=SC2086
  says "$1" "$2" $command
}

if expect "a program builds with a race" build race; then
  expect "a promised order is one class" says 0 "explored 1 of 1 class in 1 run" \
    --explore "$work/race" wj 0
  expect "without it there is another one, which fails" says 9 "run 2: status 9" \
    --explore --devices 1 "$work/race" j 0
  expect "its schedule has the other order" \
    grep -q "again: rill run --devices 1 --schedule order:2.1,1.2 $work/race j 0" "$work/said"
  expect "and fails again" again 9 "status 9 under order:2.1,1.2"
  expect "five operations on the same bytes come in each order" says 0 \
    "explored 120 of 120 classes in 120 runs" --explore "$work/race" any 3
  expect "also one at a time" says 0 "explored 120 of 120 classes in 120 runs" \
    --explore --jobs 1 "$work/race" any 3
  expect "a bound is told" says 0 "explored 7 of more than 8 classes in 7 runs; more runs" \
    --explore --runs 7 --jobs 1 "$work/race" any 3
  sum=0
  for i in 1 2 3; do
    says 0 "of 24 classes" --explore --shard $i/3 "$work/race" any 2 > "$work/shard"
    one=$(sed -n 's/.*explored \([0-9]*\) of 24 classes.*(shard '$i' of 3)$/\1/p' "$work/said")
    sum=$((sum + ${one:-0}))
  done
  expect "shards add up" test "$sum" -eq 24
fi
expect "nothing is left behind" test -z "$(ls "$work/tmp")"
done_testing
