/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of copies and fills: a machine, and memory on it.
 */
#ifndef COPY_SCENE_H
#define COPY_SCENE_H

#include "backend-sim/machine/machine.h"
#include "base/alloc.h"
#include "sim/machine.h"
#include "support/random.h"

static struct machine machine;
static rill_devptr device_a, device_b; /* 4 MiB each, on device 0 */
static char host[65536];
static char *pinned;                   /* 65536 bytes */

static inline int setup(void **state)
{
    (void)state;
    void *v = NULL;
    machine_open(&machine, 64 * MIB);
    ok(rill_mem_alloc(machine.context[0], 4 * MIB, &device_a));
    ok(rill_mem_alloc(machine.context[0], 4 * MIB, &device_b));
    ok(rill_host_alloc(machine.context[0], sizeof host, 0, &v));
    pinned = v;
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    machine_close(&machine);
    return 0;
}

static inline rill_devptr at(const void *pointer)
{
    return (rill_devptr)(uintptr_t)pointer;
}

/* The legacy stream and the others here are not ordered by themselves: TSan sees
 * a test that forgets it. */
static inline void settle(void)
{
    for (int i = 0; i < 2; i++) ok(rill_context_synchronize(machine.context[i]));
}

/* A call that must succeed, done when the next one begins. */
#define done(call) do { ok(call); settle(); } while (0)

/* ---- Boxes that are refused, and that are not ------------------------------ */

static inline rill_copy box(rill_place dst, rill_place src, size_t width, size_t height,
                            size_t depth)
{
    return (rill_copy){ .dst = dst, .src = src, .width = width, .height = height, .depth = depth };
}

/* The same answer from the synchronous form, from the one in a stream, and in
 * either direction. */
static inline void answers(rill_status status, rill_copy copy)
{
    rill_copy turned = copy;
    turned.dst = copy.src;
    turned.src = copy.dst;
    for (int i = 0; i < 2; i++) {
        is(status, rill_memcpy_box(machine.context[0], i ? &turned : &copy));
        settle();
        is(status, rill_memcpy_box_async(machine.stream[0], i ? &turned : &copy));
        settle();
    }
}

/* ---- Where the bytes go ---------------------------------------------------- */

enum { SIDE = 4096 };

#endif
