/* SPDX-License-Identifier: Apache-2.0
 *
 * The floor: a loop over function pointers.
 */
#include "bench.h"

#define CALLS 10000

static struct {
    void (*fn)(void *data);
    void *data;
} calls[CALLS];

static uint64_t counter;

static void count(void *data)
{
    ++*(uint64_t *)data;
}

static void loop(void *data, long runs)
{
    (void)data;
    for (long i = 0; i < runs; i++) calls[i].fn(calls[i].data);
}

static void serial(struct recorder *recorder, const struct queues *queues)
{
    (void)queues;
    for (int i = 0; i < CALLS; i++) {
        calls[i].fn = count;
        calls[i].data = &counter;
    }
    measure(recorder, CALL, loop, NULL, CALLS);
}

const struct block serial_blocks[] = {
    { .name = "streams/call", .contender = SERIAL, .run = serial },
    { .name = NULL },
};
