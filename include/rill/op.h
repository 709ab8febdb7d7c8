/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/op.h>: an operation, as one tagged value.
 *
 * rill_stream_submit() runs an operation in a stream; rill_graph_add_node() makes a
 * node that does the operation.  The short forms, such as rill_memcpy_async() and
 * rill_launch_host(), fill in one of these.  Zero the fields that you do not use.
 * Output fields are written back into the struct.
 */
#ifndef RILL_OP_H
#define RILL_OP_H

#include <rill/memory.h>
#include <rill/module.h>
#include <rill/pool.h>

RILL_BEGIN_DECLS

/* The numbers are those of the driver's node types. */
typedef enum rill_op_kind {
    RILL_OP_KERNEL = 0,
    RILL_OP_MEMCPY = 1,
    RILL_OP_MEMSET = 2,
    RILL_OP_HOST = 3,
    RILL_OP_GRAPH = 4,
    RILL_OP_EMPTY = 5,
    RILL_OP_EVENT_WAIT = 6,
    RILL_OP_EVENT_RECORD = 7,
    RILL_OP_SEMAPHORE_SIGNAL = 8, /* external semaphores are refused by name */
    RILL_OP_SEMAPHORE_WAIT = 9,
    RILL_OP_ALLOC = 10,
    RILL_OP_FREE = 11,
    RILL_OP_VALUES = 12,
    RILL_OP_CONDITIONAL = 13
} rill_op_kind;

/* ---- Kernel launches ---------------------------------------------------- */

/* The numbers are the driver's. */
typedef enum rill_attribute_id {
    RILL_ATTRIBUTE_IGNORE = 0,
    RILL_ATTRIBUTE_ACCESS_WINDOW = 1,
    RILL_ATTRIBUTE_COOPERATIVE = 2,
    RILL_ATTRIBUTE_SYNC_POLICY = 3,
    RILL_ATTRIBUTE_CLUSTER = 4,
    RILL_ATTRIBUTE_CLUSTER_SCHEDULING = 5,
    RILL_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION = 6,
    RILL_ATTRIBUTE_PROGRAMMATIC_EVENT = 7,
    RILL_ATTRIBUTE_PRIORITY = 8,
    RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP = 9,
    RILL_ATTRIBUTE_MEM_SYNC_DOMAIN = 10,
    RILL_ATTRIBUTE_PREFERRED_CLUSTER = 11,
    RILL_ATTRIBUTE_COMPLETION_EVENT = 12,
    RILL_ATTRIBUTE_DEVICE_UPDATABLE = 13,
    RILL_ATTRIBUTE_SHARED_CARVEOUT = 14,
    RILL_ATTRIBUTE_NVLINK_SCHEDULING = 16
} rill_attribute_id;

typedef enum rill_sync_policy {
    RILL_SYNC_AUTO = 1,
    RILL_SYNC_SPIN = 2,
    RILL_SYNC_YIELD = 3,
    RILL_SYNC_BLOCK = 4
} rill_sync_policy;

typedef struct rill_access_window {
    rill_devptr base;
    size_t bytes;
    float hit_ratio;
    int hit, miss; /* 0 normal, 1 streaming, 2 persisting */
} rill_access_window;

typedef struct rill_domain_map {
    uint8_t local, remote;
} rill_domain_map;

typedef struct rill_event_attribute {
    rill_event *event;
    int flags, trigger_at_start;
} rill_event_attribute;

/* The value of a launch, node or stream attribute. */
typedef struct rill_attribute {
    rill_attribute_id id;
    union {
        rill_access_window window;
        int cooperative;
        int sync_policy;
        rill_dim3 cluster;
        int cluster_scheduling;
        int programmatic;
        int priority;
        rill_domain_map domain_map;
        int domain;
        uint32_t carveout;
        rill_event_attribute event;
        int device_updatable;
        uint8_t bytes[56];
    };
} rill_attribute;

typedef struct rill_kernel_op {
    rill_kernel *kernel;
    rill_dim3 grid, block;
    size_t shared_bytes;
    const void *const *params; /* params[i] points at argument i; or NULL, with  */
    const void *buffer;        /* all arguments packed as the layout says;       */
    size_t buffer_bytes;       /* arguments past the end are undefined           */
    const rill_attribute *attributes;
    size_t attribute_count;
} rill_kernel_op;

/* ---- The other kinds ---------------------------------------------------- */

typedef struct rill_host_op {
    rill_host_fn fn;
    void *data;
    rill_destroy_fn destroy; /* may be NULL */
} rill_host_op;

/* Flag of record and wait operations: in a capture, the event is one outside the graph.
 * Event nodes are always external: the flag is implied and is not reported back. */
#define RILL_EVENT_EXTERNAL 0x1u

typedef struct rill_event_op {
    rill_event *event;
    uint32_t flags;
} rill_event_op;

typedef struct rill_alloc_op {
    rill_pool *pool;     /* NULL: the device's current pool            */
    size_t bytes;
    int device;          /* of the memory, in graph nodes without a pool */
    rill_devptr address; /* out */
} rill_alloc_op;

typedef struct rill_free_op {
    rill_devptr address;
} rill_free_op;

/* The numbers are the driver's. */
typedef enum rill_value_kind {
    RILL_VALUE_WAIT_32 = 1,
    RILL_VALUE_WRITE_32 = 2,
    RILL_VALUE_FLUSH_REMOTE_WRITES = 3,
    RILL_VALUE_WAIT_64 = 4,
    RILL_VALUE_WRITE_64 = 5,
    RILL_VALUE_BARRIER = 6
} rill_value_kind;

enum {
    RILL_WAIT_GEQ = 0x0, /* (signed)(*address - value) >= 0 */
    RILL_WAIT_EQ = 0x1,  /* *address == value               */
    RILL_WAIT_AND = 0x2, /* *address & value                */
    RILL_WAIT_NOR = 0x3, /* ~(*address | value)             */
    RILL_WAIT_FLUSH = 0x40000000,
    RILL_WRITE_NO_MEMORY_BARRIER = 0x1
};

typedef struct rill_value {
    rill_value_kind kind;
    uint32_t flags; /* RILL_WAIT_* or RILL_WRITE_*; of a barrier: 0 for the
                       system, 1 for the device */
    rill_devptr address;
    uint64_t value;
} rill_value;

/* Values that are written and waited for in the order of the array.  The array is
 * copied and has at most 255 items. */
typedef struct rill_values_op {
    const rill_value *items;
    size_t count;
    uint32_t flags;
} rill_values_op;

typedef struct rill_graph_op {
    rill_graph *graph;
    uint32_t flags; /* RILL_CHILD_MOVE, <rill/graph.h> */
} rill_graph_op;

typedef enum rill_conditional_kind {
    RILL_CONDITIONAL_IF = 0,
    RILL_CONDITIONAL_WHILE = 1,
    RILL_CONDITIONAL_SWITCH = 2
} rill_conditional_kind;

typedef struct rill_conditional_op {
    rill_conditional handle;
    rill_conditional_kind kind;
    uint32_t body_count;
    rill_graph **bodies; /* out: body_count borrowed graphs, caller's array */
} rill_conditional_op;

typedef struct rill_op {
    rill_op_kind kind;
    union {
        rill_kernel_op kernel;
        rill_copy memcpy;
        rill_fill memset;
        rill_host_op host;
        rill_graph_op graph;
        rill_event_op event; /* record and wait */
        rill_alloc_op alloc;
        rill_free_op free;
        rill_values_op values;
        rill_conditional_op conditional;
        uint64_t reserved[30];
    };
} rill_op;

/* Submits one operation.  If the call fails, nothing was enqueued, and the `destroy` of
 * a host function has already run. */
RILL_API rill_status rill_stream_submit(rill_stream *stream, rill_op *op);

RILL_END_DECLS

#endif
