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
  expect "--shard '$shard' is refused" says 125 "--shard takes I/N, the I-th of N" \
    --explore --shard "$shard" false
done
expect "--runs has a bound" says 125 "--runs takes a number from 1" --explore --runs 0 false
expect "--shard needs --explore" says 125 "--shard is for runs with --explore" --shard 1/2 false
expect "--runs needs it, too" says 125 "--runs is for runs with --explore" --runs 3 false
expect "all orders and one is too much" says 125 "--explore tries all orders" \
  --explore --schedule late false
expect "--result needs it as well" says 125 "--result is for runs with --explore" \
  --result "$work/a" false
expect "--result takes a name" says 125 "--result takes the name of a file" \
  --explore --result '' false
expect "time that is virtual decides by itself" says 125 "no other schedule can be given" \
  --explore --clock virtual false

# sums STATUS WORDS FILE...: `rill explore --sum` ends so, and says these words.
sums() {
  wanted=$1 words=$2
  shift 2
  said=$("${SHELL:-sh}" "$srcdir/tests/run.sh" "$rill" explore --sum "$@" 2>&1)
  status=$?
  [ "$status" -eq "$wanted" ] && case $said in *"$words"*) return 0 ;; esac
  printf '%s\n' "$said" "it ended with $status, not with $wanted, or does not say: $words"
  return 1
}

# shellcheck disable=SC2016
expect "the command explore has one option" sh -c '"$1" explore; [ $? -eq 2 ]' sh "$rill"
expect "which takes files" sums 2 "--sum takes the files"
expect "that are there" sums 2 "cannot be read" "$work/none"
: > "$work/empty"
expect "and have a result" sums 2 "is no result" "$work/empty"

if [ ! -e "$standin/libcuda.so.1" ]; then
  done_testing
  exit 0
fi

# ---- Programs ---------------------------------------------------------------------

expect "a file that cannot be written is told first" says 125 "cannot be written" \
  --explore --result "$work/none/a" false
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
int cuMemAllocAsync(address *, size_t, handle);
int cuMemFreeAsync(address, handle);
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
    if (strchr(argv[1], 'f') && result[0] != 7) {
        need(cuMemAllocAsync(&x, 64, s));
        need(cuCtxSynchronize());
        need(cuMemsetD8Async(x, 1, 64, t));
        need(cuMemFreeAsync(x, s));
        need(cuCtxSynchronize());
    }
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
  expect "it says that it ended there" grep -q \
    "explored 1 of more than 2 classes in 2 runs; it ended with the run that failed" "$work/said"
  expect "and fails again" again 9 "status 9 under order:2.1,1.2"
  expect "five operations on the same bytes come in each order" says 0 \
    "explored 120 of 120 classes in 120 runs" --explore "$work/race" any 3
  expect "also one at a time" says 0 "explored 120 of 120 classes in 120 runs" \
    --explore --jobs 1 "$work/race" any 3
  expect "a bound is told" says 0 "explored 7 of more than 8 classes in 7 runs; more runs" \
    --explore --runs 7 --jobs 1 "$work/race" any 3
  sum=0
  for i in 1 2 3; do
    says 0 "of 24 classes" --explore --shard $i/3 --result "$work/result.$i" "$work/race" any 2 \
      > "$work/shard"
    one=$(sed -n 's/.*explored \([0-9]*\) of 24 classes.*(shard '$i' of 3)$/\1/p' "$work/said")
    sum=$((sum + ${one:-0}))
  done
  expect "shards add up" test "$sum" -eq 24

  # ---- Results of shards ----------------------------------------------------------
  expect "their files are added up, in any order" sums 0 \
    "explored 24 of 24 classes in 26 runs (3 of 3 shards)" \
    "$work/result.2" "$work/result.3" "$work/result.1"
  expect "a shard that is missing is named" sums 1 "missing: shard 2" \
    "$work/result.1" "$work/result.3"
  expect "what there is, is no certificate" sums 1 "of 24 classes in" \
    "$work/result.1" "$work/result.3"
  expect "a shard does not count twice" sums 2 "two results of shard 1 of 3" \
    "$work/result.1" "$work/result.2" "$work/result.1"
  head -n 8 "$work/result.3" > "$work/result.cut"
  expect "half a result is none" sums 2 "is no result" "$work/result.1" "$work/result.cut"

  says 0 "of 120 classes" --explore --shard 3/3 --result "$work/other" "$work/race" any 3 \
    > "$work/shard"
  expect "shards of other classes are refused" sums 2 \
    "are of different classes, 24 and 120" "$work/result.1" "$work/result.2" "$work/other"
  sed 's/^keys .*/keys 1/' "$work/result.3" > "$work/other"
  expect "also if they are as many" sums 2 "are of different classes, 24 and 24" \
    "$work/result.1" "$work/result.2" "$work/other"
  says 0 "of 24 classes" --explore --shard 2/2 --result "$work/other" "$work/race" any 2 \
    > "$work/shard"
  expect "so are those of another number of shards" sums 2 "one has 3 shards, another one 2" \
    "$work/result.1" "$work/other"
  cp "$work/race" "$work/run2"
  says 0 "of 24 classes" --explore --shard 3/3 --result "$work/other" "$work/run2" any 2 \
    > "$work/shard"
  expect "and of another program" sums 2 "is of the program race, and shard 3 of run2" \
    "$work/result.1" "$work/result.2" "$work/other"
  says 0 "more runs" --explore --runs 3 --jobs 1 --shard 3/3 --result "$work/other" "$work/race" \
    any 2 > "$work/shard"
  expect "a shard with a bound leaves classes out" sums 1 "; more runs were not allowed" \
    "$work/result.1" "$work/result.2" "$work/other"
  says 9 "run 2: status 9" --explore --result "$work/alone" "$work/race" j 0 > "$work/shard"
  expect "the run that failed is told" sums 1 "shard 1: status 9 under --schedule order:2.1,1.2" \
    "$work/alone"
  says 0 "of 1 class" --explore --result "$work/alone" "$work/race" wj 0 > "$work/shard"
  expect "one exploration may have a result, too" sums 0 "explored 1 of 1 class in 1 run (1 of 1" \
    "$work/alone"
  says 125 "uses no GPU" --explore --result "$work/alone" true > "$work/shard"
  expect "an exploration that is none leaves no result" sums 2 "is no result" "$work/alone"

  # ---- With the checker -------------------------------------------------------------
  expect "with --check a race is a failure, in the first run" says 99 "run 1: status 99" \
    --explore --check "$work/race" any 0
  expect "and is reported" grep -q '==rill== race: ' "$work/said"
  expect "what is in order has no report" says 0 "explored 1 of 1 class in 1 run" \
    --explore --check "$work/race" w 0
  expect "races that are not asked for are tried" says 0 "explored 24 of 24 classes in 24 runs" \
    --explore --check=life "$work/race" any 2
  expect "a finding of one class alone is found" says 99 "run 2: status 99" \
    --explore --check=life "$work/race" f 0
  expect "and reported" grep -q '==rill== lifetime: ' "$work/said"
  expect "with the schedule that has it" \
    grep -q "again: rill run --check=life --schedule order:2.1,1.2 $work/race f 0" "$work/said"
  echo 'kind:race' > "$work/known"
  expect "whether races that are known change a result is tried" says 9 "run 2: status 9" \
    --explore --check --suppressions "$work/known" "$work/race" j 0
  RILL_CHECK=race; export RILL_CHECK
  expect "without --check settings of it report nothing" says 0 "explored 2 of 2 classes" \
    --explore "$work/race" any 0
  unset RILL_CHECK
fi
expect "nothing is left behind" test -z "$(ls "$work/tmp")"
done_testing
