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
#define must(call) rig_must(call, #call, __FILE__, __LINE__)
void rig_must(rill_status status, const char *call, const char *file, int line);

/* The same for what must be so. */
#define must_be(condition) \
    ((condition) ? (void)0 : rig_wrong(#condition, __FILE__, __LINE__))
_Noreturn void rig_wrong(const char *what, const char *file, int line);

/* `count`, divided by RILL_TEST_SCALE; at least 1. */
int rig_scaled(int count);

#define RIG_GATES 256

struct rig {
    rill_platform *platform;
    rill_context *context;
    atomic_uint *words; /* pinned */
    rill_devptr words_at;
    int gates;
    long live;          /* allocations before it was there */
};

void rig_open(struct rig *rig, int workers);

/* Everything that was made on it is destroyed by then: checks that the library
 * has given all memory back. */
void rig_close(struct rig *rig);

rill_stream *rig_stream(struct rig *rig, uint32_t flags);
rill_event *rig_event(struct rig *rig);

/* Bytes that queues hold now; and that it is few soon after all work is done,
 * when the last worker has seen that. */
uint64_t rig_queue_bytes(struct rig *rig);
void rig_must_shed(struct rig *rig);

/* What comes behind a gate in its stream does not run before it is opened. */
int rig_gate(struct rig *rig, rill_stream *stream);
void rig_gate_again(struct rig *rig, rill_stream *stream, int gate);
void rig_open_gate(struct rig *rig, int gate);

pthread_t rig_thread(void *(*run)(void *data), void *data);

#endif
