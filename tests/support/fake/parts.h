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

/* A slot that only says yes. */
#define YES(slot, ...)                   \
    static rill_status slot(__VA_ARGS__) \
    {                                    \
        return RILL_SUCCESS;             \
    }

/* The same, and writes one thing. */
#define GIVES(slot, what, ...)           \
    static rill_status slot(__VA_ARGS__) \
    {                                    \
        what;                            \
        return RILL_SUCCESS;             \
    }

#define FAKE_MEMORY_BYTES ((uint64_t)1 << 30)
#define FAKE_PRIORITY_GREATEST (-2)

/* The core allocates these structs, zeroed, with the object; rill_private() finds them. */

struct fake_block;   /* memory.c */
struct fake_capture; /* captures.c */

struct fake_platform {
    struct rl_lock lock; /* protects the list of blocks */
    struct fake_block *blocks;
    rill_pool *default_pool, *current_pool; /* NULL without pools */
};

struct fake_context {
    rill_stream *legacy, *per_thread;
};

struct fake_stream {
    uint32_t flags;
    int priority;
    struct fake_capture *capture; /* NULL: the stream captures nothing */
    uint64_t front;               /* the nodes that its next one depends on */
};

struct fake_event {
    uint32_t flags;
    int recorded;
    uint64_t time_ns;
    struct fake_capture *capture; /* that it was recorded in last ... */
    uint64_t capture_id, front;   /* ... and after which nodes; 0: in none */
};

static inline struct fake_platform *fake_platform_of(const void *object)
{
    return rill_private(rill_object_of(object)->platform);
}

/* ---- The smallest backend ----------------------------------------------- */

extern const struct rill_memory_ops fake_memory_ops;
extern const struct rill_module_ops fake_module_ops;
extern const struct rill_stream_ops fake_stream_ops;
extern const struct rill_event_ops fake_event_ops;

/* Frees all memory of a context. */
void fake_free_memory_of(rill_context *context);

/* Copies or fills at once. */
rill_status fake_run_memory(rill_context *context, const rill_op *op);

/* Runs a kernel at once, block after block. */
rill_status fake_launch_kernel(const rill_kernel_op *op);

/* ---- More of it --------------------------------------------------------- */

extern const struct rill_pool_ops fake_pool_ops;
extern const struct rill_vmem_ops fake_vmem_ops;
extern const struct rill_capture_ops fake_capture_ops;
extern const struct rill_graph_ops fake_graph_ops;
extern const struct rill_exec_ops fake_exec_ops;

/* Fills the optional slots of the tables that no backend can lack. */
void fake_add_slots(struct fake_tables *tables);

/* Replaces the slots that take operations by those that write them down. */
void fake_add_records(struct fake_tables *tables);

/* Replaces the slots that do something else in a capture. */
void fake_add_captures(struct fake_tables *tables);

/* Runs an operation of any kind; those that fake_backend refuses do nothing. */
rill_status fake_submit_any(rill_stream *stream, rill_op *op);

/* Returns the capture mode of the calling thread. */
rill_capture_mode fake_thread_mode(void);

/* Refuses to destroy what has the label "to stay". */
rill_status fake_check_label(const char *label, const char *argument);

#endif
