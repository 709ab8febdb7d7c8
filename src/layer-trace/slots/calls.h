/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of the host: each is noted with the operations that it submitted.
 */
#ifndef TR_CALLS_H
#define TR_CALLS_H

#include <rill/layer.h>

#include "layer-trace/trace/tracer.h"
#include "site/site.h"

extern const struct rill_layer rl_layer_trace;

static inline const struct rill_backend *tr_beneath(const void *object)
{
    return rill_layer_beneath(&rl_layer_trace, object);
}

static inline struct tr_tracer *tr_tracer_of(const void *object)
{
    return *rill_layer_word(&rl_layer_trace, rill_object_of(object)->platform);
}

/* A call that goes on; on the stack of its slot. */
struct tr_call {
    struct tr_tracer *tracer; /* NULL if nothing is noted                          */
    struct tr_call *outer;    /* of a function that runs in a thread that waits    */
    struct cs_call made;      /* by the program                                    */
    uint64_t begin_ns;
    uint64_t queue, first, parts; /* what it submitted last: a row of operations   */
};

/* What a call was, once it is over. */
struct tr_told {
    const struct tr_name *name;
    rill_status status;
    bool blocks;              /* it is a call that waits for work */
    uint64_t bytes;           /* or 0                             */
    const rill_op *op;        /* or NULL                          */
};

/* A name for a call. */
#define TR_CALL_NAME(words) ((const struct tr_name){ NULL, sizeof(words) - 1, words, words })

void tr_call_begin(struct tr_call *call, const void *object);

/* Ends it, and returns its status. */
rill_status tr_call_end(struct tr_call *call, const struct tr_told *told);

/* Ends a call of which no more is to be said. */
rill_status tr_call_end_as(struct tr_call *call, const struct tr_name *name, rill_status status);

/* Ends a call that waits for work. */
rill_status tr_call_end_wait(struct tr_call *call, const struct tr_name *name, rill_status status);

/* Has the file have a stream's label, if that is new. */
void tr_label_note(const struct tr_call *call, rill_stream *stream);

/* Prepares that, for a stream that was just created. */
void tr_label_watch(rill_stream *stream);

/* Has the file have a name for a stream that the program did not create. */
void tr_label_set(rill_stream *stream, const char *name);

/* What the backend tells, as a timekeeper has it (<rill/watch.h>). */
void tr_see_submitted(void *data, uint64_t queue, uint64_t point, rill_op_kind kind);
void tr_see_ended(void *data, const rill_span *span);

/* Returns how many bytes a copy or a fill writes, or how many are allocated; 0 for all others. */
uint64_t tr_op_bytes(const rill_op *op);

#endif
