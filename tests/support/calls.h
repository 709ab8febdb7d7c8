/* SPDX-License-Identifier: Apache-2.0
 *
 * Every public call on an object, as data: how to make it, which slot of the
 * backend answers, and which arguments it cannot do without.
 */
#ifndef CALLS_H
#define CALLS_H

#include <rill/backend.h>

#include "support/world.h"

/* What the calls are made with. */
struct arguments {
    struct world w, peer; /* `peer`: for calls that take two of a kind */

    /* Pointers that some calls demand. */
    rill_node *nodes, *more_nodes; /* one node each */
    rill_node extra_node;          /* for calls that consume one */
    rill_op *op;                   /* empty */
    const rill_copy *copy;
    const rill_fill *fill;
    const rill_image *image;
    rill_attribute *attribute;
    const rill_value *items; /* one */
    const char *name;
    rill_host_fn fn;
    rill_destroy_fn destroy;
    rill_stream_callback callback;
    rill_write_fn write;
    rill_capture_fn step;
    rill_stream *const *streams; /* one, which is not w.stream */
    rill_capture_guard *guard;
    rill_device_info *device_info;
    rill_pointer_info *pointer_info;
    rill_capture_info *capture_info;
    rill_replay_info *replay_info;
    rill_vmem_options *vmem_options;
    void *host; /* pinned, for calls that consume it */
    void *out, *more_out;
};

enum { ROLE_POINTER = 100, ROLE_NODE };

/* An argument that must be right. */
struct role {
    const char *name;
    int kind;      /* a rill_object_kind, or ROLE_*: not NULL is enough */
    size_t offset; /* in struct arguments */
};

#define ROLES_MAX 5

struct call {
    const char *name;
    const char *slot; /* NULL: the core answers by itself */
    rill_status (*make)(struct arguments *a);
    struct role roles[ROLES_MAX]; /* the first is the object that the call is on */
    void (*before)(struct arguments *a); /* what a good call needs ... */
    void (*after)(struct arguments *a);  /* ... and leaves behind      */
};

extern const struct call calls[];
extern const size_t call_count;

/* Where an argument is. */
static inline void **role_place(struct arguments *a, const struct role *role)
{
    return (void **)((char *)a + role->offset);
}

/* Good arguments for all calls, in worlds that are open; `out` and `more_out`
 * point at OUT_BYTES bytes each, filled with OUT_FILL. */
#define OUT_BYTES 512
#define OUT_FILL 0x5a
void arguments_init(struct arguments *a, const struct world *w, const struct world *peer);

#endif
