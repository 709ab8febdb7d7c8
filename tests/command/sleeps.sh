#!/bin/sh
# `rill run --clock virtual --sleeps`: a program of one thread sleeps in virtual time, and its
# clocks show that.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
rill=$(pwd)/src/command/rill
standin=$(pwd)/src/standin
[ -e "$standin/librill-sleep.so" ] || skip_all "no stand-in was built"
# shellcheck disable=SC2154 # config.sh
[ "$sanitizers" = no ] || skip_all "a sanitizer has to be loaded first"
for variable in $(env | sed -n 's/^\(RILL_[A-Z_]*\)=.*/\1/p'); do
  case $variable in RILL_TEST_*) ;; *) unset "$variable" ;; esac
done
work=$(pwd)/tests/command-sleeps.tmp
rm -rf "$work"
mkdir "$work"
trap 'rm -rf "$work"' EXIT

cat > "$work/naps.c" << 'END'
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

typedef void *handle;
int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(handle *, int);
int cuCtxSetCurrent(handle);
int cuStreamCreate(handle *, unsigned);
int cuStreamSynchronize(handle);
int cuLaunchHostFunc(handle, void (*)(void *), void *);
int cuEventCreate(handle *, unsigned);
int cuEventRecord(handle, handle);
int cuEventQuery(handle);
int cuEventElapsedTime_v2(float *, handle, handle);

static void need(int status) { if (status) exit(40); }

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static void nap(void *data) { usleep(250000); }
static void *nothing(void *data) { return data; }

/* A minute, in eight ways. */
static void sleep_in_all_ways(void)
{
    struct timespec second = { 1, 0 }, until;
    struct timeval half = { 0, 500000 };
    sleep(50);
    usleep(500000);
    nanosleep(&second, NULL);
    thrd_sleep(&second, NULL);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &second, NULL);
    poll(NULL, 0, 1000);
    select(0, NULL, NULL, NULL, &half);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL);
}

int main(int argc, char **argv)
{
    handle context, s, before, after;
    float ms;
    need(cuInit(0));
    need(cuDevicePrimaryCtxRetain(&context, 0));
    need(cuCtxSetCurrent(context));
    need(cuStreamCreate(&s, 1));
    need(cuEventCreate(&before, 0));
    need(cuEventCreate(&after, 0));
    long long start = now(), wall = time(NULL);
    sleep_in_all_ways();
    printf("slept %lld ms, %d\n", (now() - start) / 1000000, time(NULL) - wall >= 59);
    need(cuEventRecord(before, s));
    need(cuLaunchHostFunc(s, nap, NULL));
    need(cuEventRecord(after, s));
    int looks = 0;
    for (start = now(); cuEventQuery(after) == 600; looks++) usleep(1000);
    need(cuEventElapsedTime_v2(&ms, before, after));
    printf("asked %d times in %lld ms; the event says %.3f ms\n", looks,
           (now() - start) / 1000000, ms);
    for (looks = 0, start = now(); now() - start < 1000000; looks++) continue;
    printf("looked %d times at the clock\n", looks);
    if (argc < 2) return 0;
    pthread_t thread;
    start = now();
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    printf("clocks go back: %d\n", now() < start);
    start = now();
    usleep(1000);
    printf("a sleep lasts: %d\n", now() - start >= 1000000);
    return 0;
}
END

# shellcheck disable=SC2086
build() {
  $CC $instrument -w -D_GNU_SOURCE -pthread "$work/naps.c" -o "$work/naps" -L"$standin" \
    -l:libcuda.so.1
}

# prints WORD... : what the program prints, within ten seconds.
prints() {
  RILL_TEST_TIMEOUT=10 "${SHELL:-sh}" "$srcdir/tests/run.sh" "$rill" run --clock virtual --sleeps \
    "$work/naps" "$@" > "$work/said" 2>&1 || {
    cat "$work/said"
    return 1
  }
  cmp "$work/wanted" "$work/said"
}

expect "a program builds" build || exit
cat > "$work/wanted" << 'END'
slept 60000 ms, 1
asked 251 times in 251 ms; the event says 250.001 ms
looked 9999 times at the clock
END
expect "sleeps and clocks are virtual" prints
expect "and the same again" prints
cat >> "$work/wanted" << 'END'
clocks go back: 0
a sleep lasts: 1
END
expect "from a second thread on all is real" prints threads
refused() {
  "$rill" run "$@" true > "$work/said" 2>&1
  [ $? -eq 125 ] && grep -q "with --clock virtual" "$work/said" && return
  cat "$work/said"
  return 1
}
expect "there is no virtual sleep in real time" refused --sleeps
done_testing
