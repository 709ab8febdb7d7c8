#!/bin/sh
# `rill run --schedule` and `--schedules`: the program under given schedules.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
name=schedules
# shellcheck source=tests/command/says.sh
. "$srcdir/tests/command/says.sh"

# ends_in WORDS: whether the last line of what was said does.
ends_in() {
  case $(tail -n 1 "$work/said") in *"$1") return 0 ;; esac
  cat "$work/said"
  printf '%s\n' "it does not end in: $1"
  return 1
}

# ---- Words that are refused ------------------------------------------------------

for spec in '' soon early:1 random random:x pct:1 pct:1:2:3:4 starve: replay:1 replay:1.2@0; do
  expect "--schedule '$spec' is refused" says 125 "--schedule: '$spec' is no schedule: " \
    --schedule "$spec" false
done
for count in 0 -1 ten 1000001 '' 99999999999999999999; do
  expect "--schedules '$count' is refused" says 125 \
    "--schedules takes a number from 1 to 1000000, not \"$count\"" --schedules "$count" false
done
expect "--jobs has a bound" says 125 "from 1 to 1024" --schedules 2 --jobs 1025 false
expect "so has --timeout" says 125 "from 1 to 86400" --schedules 2 --timeout 0 false
expect "--jobs needs --schedules" says 125 "--jobs is for runs with --schedules" --jobs 2 false
expect "and so does --timeout" says 125 "--timeout is for" --schedule late --timeout 2 false
expect "one schedule and many is too much" says 125 "give one of the two" \
  --schedule late --schedules 3 false
expect "what the variable holds is looked at, too" says 125 \
  "RILL_SIM_SCHEDULE: 'soon' is no schedule" env RILL_SIM_SCHEDULE=soon "$rill" run false

if [ ! -e "$standin/libcuda.so.1" ]; then
  done_testing
  exit 0
fi

# ---- One schedule -----------------------------------------------------------------

# shellcheck disable=SC2016
expect "the program finds it" says 0 "<pct:3:2>" --schedule pct:3:2 \
  sh -c 'echo "<$RILL_SIM_SCHEDULE>"'
expect "a program that is right says nothing" test -z "$("$rill" run --schedule late true 2>&1)"
expect "a status is that of the command" says 7 "status 7 under late" --schedule late \
  sh -c 'exit 7'
expect "the command that does the same again comes last" ends_in \
  "again: rill run --schedule late sh -c 'exit 7'"
expect "with the options that were given" says 1 \
  "again: rill run --devices 2 --driver=13.0 --schedule starve:1 false" \
  --schedule starve:1 --devices 2 --driver=13.0 false
# shellcheck disable=SC2016
expect "a signal is, too" says 143 "signal 15 " --schedule late sh -c 'kill -TERM $$'
expect "a program that does not exist" says 127 "no-such-program" --schedule late no-such-program
expect "a folder is no program" says 126 "$work" --schedule late "$work"

# ---- Many -------------------------------------------------------------------------

# shellcheck disable=SC2016
print_spec='echo "$RILL_SIM_SCHEDULE" >> "$1"'
expect "all that pass are counted" says 0 "rill run: 9 of 9 schedules passed" --schedules 9 \
  --jobs 1 sh -c "$print_spec" sh "$work/list"
expect "what programs say that pass is not shown, and that one uses no GPU is" \
  test "$(cat "$work/said")" = "rill run: 9 of 9 schedules passed
rill run: there was nothing to decide: the program had nothing for a GPU"
# A run more looks at what is touched: "order".
expect "the adversarial ones come first" test "$(head -n 4 "$work/list" | tr '\n' ' ')" = \
  "early order late serial "
expect "each is another one" test "$(sort -u "$work/list" | wc -l)" -eq 10
# shellcheck disable=SC2016
expect "a failure of the program in any schedule" says 3 "schedule 1 of 20, early: status 3" \
  --schedules 20 sh -c 'echo out; echo err >&2; exit 3'
expect "shows what the program wrote" test "$(grep -cx -e out -e err "$work/said")" -eq 2
# shellcheck disable=SC2016
late='[ "$RILL_SIM_SCHEDULE" != late ]'
expect "one that fails ends the others" says 1 "schedule 2 of 5000, late: status 1" \
  --schedules 5000 sh -c "$late"
# shellcheck disable=SC2016
expect "one that fails by chance is told as such" says 1 "did not end like that" \
  --schedules 20 sh -c "$late"' || { [ ! -e "$1" ] && : > "$1" && exit 1; exit 0; }' sh "$work/once"
# shellcheck disable=SC2016
expect "one that does not end" says 124 "schedule 2 of 9, late: no end in time" --schedules 9 \
  --timeout 1 sh -c "$late"' || { echo begun >> "$1"; exec sleep 100; }' sh "$work/begun"
expect "a program that does not exist ends it at once" says 127 "no-such-program" \
  --schedules 9 no-such-program

# ---- Programs ---------------------------------------------------------------------

cat > "$work/driver.h" << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *handle;
typedef unsigned long long address;

int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(handle *, int);
int cuCtxSetCurrent(handle);
int cuCtxGetCurrent(handle *);
int cuCtxSynchronize(void);
int cuStreamCreate(handle *, unsigned);
int cuLaunchHostFunc(handle, void (*)(void *), void *);
int cuStreamWaitValue32_v2(handle, address, unsigned, unsigned);
int cuStreamWriteValue32_v2(handle, address, unsigned, unsigned);
int cuMemAlloc_v2(address *, size_t);
int cuMemcpyDtoHAsync_v2(void *, address, size_t, handle);
int cuMemHostAlloc(void **, size_t, unsigned);

static void need(int status) { if (status) exit(40); }

static void begin(void)
{
    handle context;
    need(cuInit(0));
    need(cuDevicePrimaryCtxRetain(&context, 0));
    need(cuCtxSetCurrent(context));
}

static handle stream(void)
{
    handle made;
    need(cuStreamCreate(&made, 1));
    return made;
}
END
# The second stream reads what the first may not have written; others do something, too.
cat > "$work/race.c" << 'END'
#include "driver.h"

static int x, y, z;
static void write_x(void *data) { x = 1; }
static void read_x(void *data) { y = x; }
static void count(void *data) { z++; }

int main(int argc, char **argv)
{
    begin();
    handle s = stream(), t = stream(), u = stream();
    for (int i = 0; i < 5; i++) need(cuLaunchHostFunc(u, count, NULL));
    need(cuLaunchHostFunc(s, write_x, NULL));
    if (argc > 1) need(cuCtxSynchronize());
    need(cuLaunchHostFunc(t, read_x, NULL));
    need(cuCtxSynchronize());
    if (!y) fprintf(stderr, "read too early\n");
    return y ? 0 : 9;
}
END
# A stream waits for what another one writes later, or for what nobody writes.
cat > "$work/value.c" << 'END'
#include "driver.h"

int main(int argc, char **argv)
{
    address flag;
    begin();
    handle s = stream(), t = stream();
    need(cuMemAlloc_v2(&flag, 4));
    need(cuStreamWriteValue32_v2(t, flag, 0, 0));
    need(cuCtxSynchronize());
    need(cuStreamWaitValue32_v2(s, flag, argc > 1 ? 2 : 1, 0));
    need(cuStreamWriteValue32_v2(t, flag, 1, 0));
    return cuCtxSynchronize() ? 5 : 0;
}
END
# Two copies into the same memory.
cat > "$work/copies.c" << 'END'
#include "driver.h"

int main(void)
{
    address from;
    void *to;
    begin();
    handle s = stream(), t = stream();
    need(cuMemAlloc_v2(&from, 64));
    need(cuMemHostAlloc(&to, 64, 0));
    need(cuMemcpyDtoHAsync_v2(to, from, 64, s));
    need(cuMemcpyDtoHAsync_v2(to, from, 64, t));
    need(cuCtxSynchronize());
    return 0;
}
END

# Two threads submit to one stream, and which one is first is up to the machine.
cat > "$work/threads.c" << 'END'
#include "driver.h"
#include <pthread.h>
#include <time.h>

static int first;
static void write_number(void *data) { if (!first) first = *(int *)data; }

static pthread_barrier_t start;

struct submitter { handle context, stream; int number; };

/* A thread is late or not, by the clock, whatever it takes to make one. */
static void *submit(void *data)
{
    struct submitter *submitter = data;
    struct timespec now;
    pthread_barrier_wait(&start);
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct timespec nap = { 0, (now.tv_nsec >> (6 + submitter->number)) % 2 * 3000000 };
    nanosleep(&nap, NULL);
    need(cuCtxSetCurrent(submitter->context));
    for (int i = 0; i < 5; i++)
        need(cuLaunchHostFunc(submitter->stream, write_number, &submitter->number));
    return NULL;
}

int main(void)
{
    begin();
    struct submitter submitters[2] = { { .number = 1 }, { .number = 2 } };
    pthread_t threads[2];
    handle s = stream();
    pthread_barrier_init(&start, NULL, 2);
    for (int i = 0; i < 2; i++) {
        need(cuCtxGetCurrent(&submitters[i].context));
        submitters[i].stream = s;
        pthread_create(&threads[i], NULL, submit, &submitters[i]);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    need(cuCtxSynchronize());
    return first == 2 ? 9 : 0;
}
END

# A value that is wrong only between two writes, with ten others in front of them and after them.
cat > "$work/between.c" << 'END'
#include "driver.h"

int cuMemsetD32Async(address, unsigned, size_t, handle);

int main(int argc, char **argv)
{
    begin();
    handle s = stream(), t = stream();
    address x, other;
    unsigned *seen;
    need(cuMemAlloc_v2(&x, 4096));
    need(cuMemAlloc_v2(&other, 4096));
    need(cuMemHostAlloc((void **)&seen, 4096, 0));
    need(cuMemsetD32Async(x, 7, 1, s));
    need(cuCtxSynchronize());
    for (int i = 0; i < 10; i++) need(cuMemsetD32Async(other, 1, 1, s));
    need(cuMemsetD32Async(x, 5, 1, s));
    need(cuMemsetD32Async(x, 7, 1, s));
    for (int i = 0; i < 10; i++) need(cuMemsetD32Async(other, 2, 1, s));
    if (argc > 1) need(cuCtxSynchronize());
    need(cuMemcpyDtoHAsync_v2(seen, x, 4, t));
    need(cuCtxSynchronize());
    return *seen == 7 ? 0 : 9;
}
END

build() {
  # shellcheck disable=SC2086
  $CC $instrument -w -pthread "$work/$1.c" -o "$work/$1" -L"$standin" -l:libcuda.so.1
}

# What is printed last is run: it fails in the same way.
again() {
  command=$(sed -n 's/^rill run: again: rill run //p' "$work/said")
  # shellcheck disable=SC2086
  says "$1" "$2" $command
}

if expect "a program builds with a race" build race; then
  for jobs in 1 4; do
    expect "$jobs at a time find it" says 9 "schedule 2 of 30, late: status 9" --schedules 30 \
      --jobs "$jobs" "$work/race"
    expect "what it wrote is shown" says 9 "read too early" --schedules 30 --jobs "$jobs" \
      "$work/race"
    expect "one step that is held back is enough" ends_in \
      "again: rill run --schedule replay:2.1 $work/race"
  done
  expect "that can be seen in a debugger" says 9 \
    "in gdb: rill run --schedule replay:2.1 gdb --args $work/race" --schedules 30 "$work/race"
  expect "it fails again like that" again 9 "read too early"
  expect "steps that it does not come to are told" says 9 \
    "the schedule names steps that the program did not come to: 2.99, 7.1.3" \
    --schedule replay:2.99,2.1,7.1.3 "$work/race"
  expect "nobody says so of those that it does" sh -c \
    "! '$rill' run --schedule order:1.1,2.1 '$work/race' 2>&1 | grep 'did not come to'"
  expect "without the race all pass" says 0 "40 of 40 schedules passed" --schedules 40 \
    "$work/race" good
fi
if expect "a program with a short window builds" build between; then
  for jobs in 1 4; do
    expect "$jobs at a time find an order from what is touched" says 9 \
      "schedule 5 of 30, order:2.1,1.13: status 9" --schedules 30 --jobs "$jobs" "$work/between"
  done
  expect "a pair is enough" ends_in "again: rill run --schedule order:2.1,1.13 $work/between"
  expect "it fails again like that too" again 9 ""
  expect "with settings of the checker as well" says 9 "schedule 5 of 30, order:2.1,1.13" \
    --schedules 30 --check=life "$work/between"
  expect "without the window all pass" says 0 "30 of 30 schedules passed" --schedules 30 \
    "$work/between" good
fi

# hangs_are_proved: not where a thread of ThreadSanitizer's naps, which might have others go on.
hangs_are_proved() {
  case $sanitizers in
  *thread*) return 1 ;;
  esac
}
if hangs_are_proved && expect "a program builds that waits for a value" build value; then
  expect "where nobody writes it, that is a hang" says 5 "early: a hang: the program hangs" \
    --schedules 20 "$work/value" never
  expect "where somebody does, a queue for all streams hangs alone" says 0 \
    "it hangs where streams share a queue, as under --schedule serial: the program hangs" \
    --schedules 20 "$work/value"
  expect "which is no failure" ends_in "19 of 20 schedules passed"
fi
if expect "a program builds whose result is right by chance" build copies; then
  expect "schedules do not show that" says 0 "6 of 6 schedules passed" --schedules 6 "$work/copies"
  expect "a report of --check does" says 99 "schedule 1 of 6, early: status 99" --check \
    --schedules 6 "$work/copies"
  expect "and is shown" says 99 "==rill== race: " --check --schedules 6 "$work/copies"
  expect "the status can be another one" says 3 "early: status 3" --check --error-exitcode 3 \
    --schedules 6 "$work/copies"
fi
# all_again STATUS COUNT: what was printed last ends like that each time.
all_again() {
  command=$(sed -n 's/^rill run: again: rill run //p' "$work/said")
  for _ in $(seq "$2"); do
    # shellcheck disable=SC2086
    "$rill" run $command > "$work/out" 2>&1
    status=$?
    [ "$status" -eq "$1" ] || { cat "$work/out"; printf '%s\n' "$command: $status"; return 1; }
  done
}
if expect "a program builds whose threads are at odds" build threads; then
  expect "schedules show that" says 9 ": status 9" --schedules 60 --jobs 1 "$work/threads"
  expect "the order of calls is in the string" \
    grep -q '^rill run: again: .*/[234]x.*,1 ' "$work/said" # one may be ThreadSanitizer's
  expect "and is kept each time" all_again 9 20
fi

# says_without_gpu STATUS TEXT OPTION...: has the library use its simulator, on which C functions
# are kernels.
says_without_gpu() {
  (
    export RILL_BACKEND=sim
    says "$@"
  )
}
if [ -x examples/graph ]; then
  expect "a program over the library runs under schedules, too" says_without_gpu 0 \
    "5 of 5 schedules passed" --schedules 5 examples/graph
fi
expect "nothing is left in the folder for temporary files" test -z "$(ls "$work/tmp")"
done_testing
