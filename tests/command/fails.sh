#!/bin/sh
# `rill run --fail`: a call of the program fails, or each of them in turn.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
name=fails
# shellcheck source=tests/command/says.sh
. "$srcdir/tests/command/says.sh"

for call in '' 0 -1 x all 10000000000; do
  expect "--fail '$call' is refused" says 125 \
    "--fail takes the number of a call, from 1, or the word each, not \"$call\"" --fail "$call" true
done
expect "many schedules and each call are too much" says 125 "give one of the two" \
  --schedules 3 --fail each true
expect "--jobs is for each call, too" says 125 \
  "--jobs is for runs with --schedules, --explore or --fail each" --jobs 2 --fail 3 true

if [ ! -e "$standin/libcuda.so.1" ]; then
  done_testing
  exit 0
fi

# Allocates three times.  It is right, or forgets to look, or does not end once one failed.
cat > "$work/program.c" << 'END'
#include <stdlib.h>
#include <unistd.h>

typedef unsigned long long address;
int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(void **, int);
int cuCtxSetCurrent(void *);
int cuMemAllocHost_v2(void **, size_t);
int cuMemFreeHost(void *);

int main(int argc, char **argv)
{
    void *context, *memory[3] = { NULL, NULL, NULL };
    int how = argc > 1 ? argv[1][0] : 'r';
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return 3;
    for (int i = 0; i < 3; i++) {
        int failed = cuMemAllocHost_v2(&memory[i], 4096);
        if (failed && how == 'r') return 4;
        while (failed && how == 'l' && i == 2) usleep(1000);
        if (!memory[i] && how == 'l') continue;
        *(char *)memory[i] = 1;
    }
    for (int i = 0; i < 3; i++)
        if (memory[i]) cuMemFreeHost(memory[i]);
    return 0;
}
END

build() {
  # shellcheck disable=SC2086
  $CC $instrument -w "$work/program.c" -o "$work/program" -L"$standin" -l:libcuda.so.1
}

if expect "a program builds" build; then
  expect "a call that is named fails, and is told" says 4 \
    "rill: call 3 fails: cuMemAllocHost() " \
    --fail 3 "$work/program"
  expect "a program that makes fewer calls ends as it does, and says so" says 0 \
    "rill: no call failed: call 30 was to, and the program made 4 that can" \
    --fail 30 "$work/program"
  expect "a call that failed is told alone" sh -c "
    '$rill' run --fail 4 '$work/program' 2>&1 | grep 'no call'; test \$? -eq 1"
  expect "so is the last run of many, which has no call to fail" says 0 "" \
    --fail each "$work/program"
  expect "no run of many says that it had none" sh -c "! grep 'no call' '$work/said'"
  for jobs in 1 3; do
    expect "$jobs at a time: each fails until a run has fewer" says 0 \
      "4 calls failed, one in each run: 0 ended with 0, 4 with another status" \
      --fail each --jobs "$jobs" "$work/program"
    expect "each is told with its name and what came of it" test \
      "$(sed -n 's/^\(call .*\)$/\1/p' "$work/said" | sed 's/ at program\.c:[0-9]*//' |
        tr '\t\n' ' ;')" = \
      "call 1 cuDevicePrimaryCtxRetain() (context->create) status 3;$(
        for call in 2 3 4; do
          printf 'call %d cuMemAllocHost() (memory->host_alloc) status 4;' "$call"
        done)"
  done
  # shellcheck disable=SC2154 # config.sh
  case $instrument in
  *[!\ ]*) ;; # a sanitizer ends the program with a status of its own
  *)
    expect "a crash is one" says 139 "3 by a signal" --fail each "$work/program" forgets
    expect "and the first of them is told as a command" \
      grep -q "^rill run: again: rill run --fail 2 $work/program forgets$" "$work/said"
    expect "which does it again" says 139 "" --fail 2 "$work/program" forgets
    ;;
  esac
  expect "what does not end is told" says 124 "1 not at all" --fail each --timeout 2 \
    "$work/program" loops
  expect "under a schedule, too" says 0 "4 calls failed" --schedule late --fail each "$work/program"
fi
expect "nothing is left in the folder for temporary files" test -z "$(ls "$work/tmp")"
done_testing
