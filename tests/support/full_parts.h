/* SPDX-License-Identifier: Apache-2.0
 *
 * What the two halves of the full backend share.
 */
#ifndef FULL_PARTS_H
#define FULL_PARTS_H

#include "support/fake/fake.h"

/* Most slots look at little of what they are given. */
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

/* The first two begin with what the fake keeps there. */
struct full_platform {
    uint64_t fake[8];
    rill_pool *default_pool, *current_pool;
    rill_capture_mode mode;
};

struct full_stream {
    uint64_t fake[4];
    rill_graph *capture;
    int made_graph; /* the capture's graph was not given by the caller */
};

static inline struct full_platform *full_platform_of(const void *object)
{
    return rill_private(rill_object_of(object)->platform);
}

/* full_graphs.c */
extern const struct rill_graph_ops full_graph_ops;
extern const struct rill_exec_ops full_exec_ops;
extern const struct rill_capture_ops full_capture_ops;

/* Ends the capture that nobody ended, too. */
rill_status full_stream_destroy(rill_stream *stream);

#endif
