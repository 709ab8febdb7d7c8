/* SPDX-License-Identifier: Apache-2.0
 *
 * A simulated platform of a chosen number of workers, with gates, for tests of
 * size and of many threads; any thread may use it.
 */
#ifndef SIZED_PLATFORM_H
#define SIZED_PLATFORM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rill/rill.h>
#include <rill/sim.h>

/* The call succeeds, or the process ends with what went wrong: a thread that is
 * not cmocka's cannot fail a test otherwise. */
#define must(call) sized_must(call, #call, __FILE__, __LINE__)
void sized_must(rill_status status, const char *call, const char *file, int line);

/* The same for what must be so. */
#define must_be(condition) \
    ((condition) ? (void)0 : sized_wrong(#condition, __FILE__, __LINE__))
_Noreturn void sized_wrong(const char *what, const char *file, int line);

/* `count`, divided by RILL_TEST_SCALE; at least 1. */
int sized_scaled(int count);

#define SIZED_GATES 256

struct sized_platform {
    rill_platform *platform;
    rill_context *context;
    atomic_uint *words; /* pinned */
    rill_devptr words_at;
    int gates;
    long live;          /* allocations before it was there */
};

void sized_open(struct sized_platform *sized, int workers);

/* Everything that was made on it is destroyed by then: checks that the library
 * has given all memory back. */
void sized_close(struct sized_platform *sized);

rill_stream *sized_stream(struct sized_platform *sized, uint32_t flags);
rill_event *sized_event(struct sized_platform *sized);

/* Bytes that queues hold now; and that it is few soon after all work is done,
 * when the last worker has seen that. */
uint64_t sized_queue_bytes(struct sized_platform *sized);
void sized_must_shed(struct sized_platform *sized);

/* What comes behind a gate in its stream does not run before it is opened. */
int sized_gate(struct sized_platform *sized, rill_stream *stream);
void sized_gate_again(struct sized_platform *sized, rill_stream *stream, int gate);
void sized_open_gate(struct sized_platform *sized, int gate);

pthread_t sized_thread(void *(*run)(void *data), void *data);

#endif
