/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the fake backend share: what it keeps in each object, and its tables.
 */
#ifndef FAKE_PARTS_H
#define FAKE_PARTS_H

#include "base/lock.h"
#include "support/fake/fake.h"

/* A slot need not look at everything that it is given. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define FAKE_MEMORY_BYTES ((uint64_t)1 << 30)
#define FAKE_PRIORITY_GREATEST (-2)

/* The core allocates these structs, zeroed, with the object; rill_private() finds them. */

struct fake_block;

struct fake_platform {
    struct rl_lock lock; /* protects the list of blocks */
    struct fake_block *blocks;
};

struct fake_context {
    rill_stream *legacy, *per_thread;
};

struct fake_stream {
    uint32_t flags;
    int priority;
};

struct fake_event {
    uint32_t flags;
    int recorded;
    uint64_t time_ns;
};

static inline struct fake_platform *fake_platform_of(const void *object)
{
    return rill_private(rill_object_of(object)->platform);
}

/* ---- memory.c ----------------------------------------------------------- */

extern const struct rill_memory_ops fake_memory_ops;

/* Frees all memory of a context. */
void fake_free_memory_of(rill_context *context);

/* Copies or fills at once. */
rill_status fake_run(rill_context *context, const rill_op *op);

/* ---- kernels.c ---------------------------------------------------------- */

extern const struct rill_module_ops fake_module_ops;

/* Runs a kernel at once, block after block. */
rill_status fake_launch(const rill_kernel_op *op);

/* ---- streams.c ---------------------------------------------------------- */

extern const struct rill_stream_ops fake_stream_ops;
extern const struct rill_event_ops fake_event_ops;

#endif
