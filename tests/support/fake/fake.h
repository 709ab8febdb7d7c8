/* SPDX-License-Identifier: Apache-2.0
 *
 * The smallest backend that behaves: two devices, on which everything has
 * happened when the call returns.  It is also the template for a new backend;
 * doc/internals/core.md says how to start from it.
 *
 * For tests of what the core does around a backend, the same can be built with
 * optional tables, and with a record of what it was asked.
 */
#ifndef FAKE_H
#define FAKE_H

#include <rill/backend.h>

#include "base/words/op_kind.h"

/* The one symbol that a backend exports: none of the optional tables and slots. */
extern const struct rill_backend fake_backend;

/* ---- With more in it ---------------------------------------------------- */

/* Captures and execs need graphs. */
enum {
    FAKE_SLOTS = 1,    /* the optional slots of the other tables, which accept nearly anything */
    FAKE_POOLS = 2,    /* that give no memory */
    FAKE_GRAPHS = 4,   /* with the order of their first 64 nodes */
    FAKE_CAPTURES = 8, /* that streams join and that break; of up to 16 streams */
    FAKE_EXECS = 16,   /* that run as streams do, and are updated as execs.c says */
    FAKE_VMEM = 64,    /* that maps nothing */
    FAKE_ALL = 31 | FAKE_VMEM,
    FAKE_RECORDS = 32  /* operations and edges are written down in fake_record, no more */
};

/* A backend and its tables, for a test to change before or after it registers them. */
struct fake_tables {
    struct rill_backend backend;
    struct rill_device_ops device;
    struct rill_context_ops context;
    struct rill_memory_ops memory;
    struct rill_module_ops module;
    struct rill_stream_ops stream;
    struct rill_event_ops event;
    struct rill_pool_ops pool;
    struct rill_vmem_ops vmem;
    struct rill_capture_ops capture;
    struct rill_graph_ops graph;
    struct rill_exec_ops exec;
};

/* Fills the tables with a fake of that name that has FAKE_* in `parts`.  Returns the backend
 * in `tables`. */
const struct rill_backend *fake_build(struct fake_tables *tables, const char *name,
                                      unsigned parts);

/* ---- What the fakes were asked ------------------------------------------ */

/* For all fakes together; tests reset what they look at.  One thread at a time. */
extern struct fake_record {
    int graphs, execs; /* that were not destroyed yet */
    int execs_made;
    rill_capture_mode mode; /* of the thread that made or destroyed an exec last */

    /* With FAKE_RECORDS, the operation or edges that came last, and what came with them. */
    rill_op op;
    rill_value item; /* the first one of op.values */
    const rill_node *dependencies;
    const rill_edge *edges;
    size_t count; /* of dependencies or edges */
    const rill_node *from, *to; /* of the edges that were added or removed last */
    int counts[RL_OP_KINDS];         /* how many of the kind came ... */
    const void *places[RL_OP_KINDS]; /* ... and where the last one went */
} fake_record;

/* What each exec says of its size; 0: it does not know. */
extern size_t fake_exec_bytes;

#endif
