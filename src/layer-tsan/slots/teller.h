/* SPDX-License-Identifier: Apache-2.0
 *
 * The teller of a platform: what the layer keeps of it and of its objects.
 */
#ifndef TS_TELLER_H
#define TS_TELLER_H

#include <rill/layer.h>

#include "layer-tsan/launch/launch.h"

extern const struct rill_layer rl_layer_tsan;

/* What the layer's word of an object leads to; an event's is its struct ts_event. */
struct ts_context_word {
    struct ts_context_word *next; /* of the platform's                        */
    struct ts_context_word **link;
    struct ts_context context;
    rill_stream *legacy, *per_thread; /* as the backend has handed them out  */
};

struct ts_stream_word {
    struct ts_stream **streams; /* one, or of a per-thread handle one for each thread */
    size_t count;
};

struct ts_exec_word {
    struct ts_model *model; /* NULL if it could not be read      */
    struct ts_front last;   /* the newest launch                 */
};

/* A launch that the backend knows by a number. */
struct ts_part {
    struct ts_part *next;
    uint64_t queue, point;
    struct ts_launch *launch;
};

struct ts_teller {
    const struct rill_backend *beneath;
    rill_platform *platform;
    atomic_bool captures;  /* some stream has ever captured                         */
    struct ts_order order; /* its lock protects all below, and what words lead to   */
    struct ts_context_word *contexts;
    struct ts_part *parts; /* of launches that are not over                         */
};

static inline struct ts_teller *ts_teller_of(const void *object)
{
    return *rill_layer_word(&rl_layer_tsan, rill_object_of(object)->platform);
}

static inline const struct rill_backend *ts_beneath(const void *object)
{
    return rill_layer_beneath(&rl_layer_tsan, object);
}

/* ---- Calls -------------------------------------------------------------------------------- */

enum ts_calls {
    TS_CALLS_NONE,
    TS_CALLS_DIRECT, /* what runs inside is the call's own doing */
    TS_CALLS_WAITS   /* other work may run in the thread         */
};

/* A call of the program, from its begin to its end, during which the library is hidden. */
struct ts_call {
    enum ts_calls before;
};
struct ts_call ts_call_begin(enum ts_calls kind);
void ts_call_end(const struct ts_call *call);

/* Tells in what kind of call the thread is. */
enum ts_calls ts_call_here(void);

/* Sets that while a function of the program runs, and returns what it was. */
enum ts_calls ts_call_set(enum ts_calls kind);

/* Lock the teller of an object.  Returns NULL, with nothing locked, if telling has stopped. */
struct ts_teller *ts_enter(const void *object);
void ts_leave(struct ts_teller *teller);

/* Return what the layer keeps of an object.  If memory is short, they return NULL and telling will
 * stop.  Require order.lock. */
struct ts_context_word *ts_context_word(rill_context *context);
struct ts_stream *ts_stream_here(struct ts_teller *teller, rill_stream *handle);
struct ts_event *ts_event_of(rill_event *event);
struct ts_exec_word *ts_exec_word(rill_exec *exec);

/* Tells whether the stream captures now. */
bool ts_is_capturing(rill_stream *stream);

/* What the host waits for: taken before the call, and acquired after it if that succeeded, or the
 * device has failed, after which nothing runs any more. */
void ts_learn(const void *object, struct ts_front *front, rill_status status);

/* ---- Copies ------------------------------------------------------------------------------- */

/* What a call promises of a copy or fill when it returns. */
enum ts_waits {
    TS_WAITS_NOT,
    TS_WAITS_BEFORE, /* what comes before it is done */
    TS_WAITS_DONE    /* it is done                   */
};

/* A copy or fill, as the host sees it. */
struct ts_copy {
    struct ts_access accesses[2];
    unsigned count;
    struct ts_access read; /* in the name of the caller, if `reads` */
    bool reads;
    enum ts_waits waits;
};

/* Looks at one; `synchronous`, or submitted to a stream. */
struct ts_copy ts_copy_of(rill_context *context, const rill_op *op, bool synchronous);

/* Tells of what is read in the name of the caller. */
void ts_read_here(const struct ts_access *read);

/* Adds one to a stream, which may be NULL, and has the host know what was waited for.  Requires
 * order.lock. */
void ts_copy_add(struct ts_teller *teller, struct ts_stream *stream, const struct ts_copy *copy,
                 const void *site);

/* Looks at one that is a node. */
void ts_copy_node(rill_context *context, const rill_op *op, struct ts_place *place);

#endif
