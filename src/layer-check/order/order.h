/* SPDX-License-Identifier: Apache-2.0
 *
 * The promised order: what the program may rely on, fixed by its calls and by nothing that
 * happened to run.
 *
 *     submit        the work comes after what is in its stream, what the host knows, and
 *                   what default streams add
 *     record, wait  the stream comes after what the event stood for when the wait was called
 *     synchronize   the host knows what the stream or the event stands for; so does every
 *     query         work that is submitted later.  A query that answers NOT_READY tells nothing
 *
 * The checker's lock protects all of it.
 */
#ifndef CK_ORDER_H
#define CK_ORDER_H

#include "layer-check/order/work.h"

struct ck_caller;
struct ck_context_order;

struct ck_stream {
    struct ck_stream *next;  /* of the context's                                    */
    struct ck_stream *other; /* of the order's: the one created before it           */
    struct ck_context_order *context;
    struct ck_who *who;
    struct ck_point last;    /* the newest operation: number 0 if there is none     */
    struct ck_clock *known;  /* promised to be done before the next one             */
    uint64_t host_version;   /* of what the host knew when `known` was last raised  */
    uint64_t last_kernel;    /* the number of the newest kernel                     */
    uint64_t thread;         /* of a per-thread stream; else 0                      */
    bool blocking, legacy;
};

struct ck_context_order {
    struct ck_stream *streams;
    struct ck_stream *legacy; /* one of them, or NULL while nobody has used it */
    /* What streams had that were destroyed, until the host knows it; NULL if there is none. */
    struct ck_clock *left, *left_blocking;
};

struct ck_event {
    bool recorded;
    struct ck_clock *clock;  /* what it stands for: this, ...      */
    struct ck_point point;   /* ... and this, with what is before  */
    struct ck_extra part;    /* ... or this, if a node recorded it */
    struct ck_what what;     /* the call that recorded it          */
};

/* A line that a stream left behind, which may be another's once the host knows all of it. */
struct ck_order {
    struct ck_clock *nothing;   /* promises nothing                          */
    struct ck_clock *host;      /* what the host knows to be done            */
    uint64_t host_number;       /* accesses of the host's own so far         */
    uint64_t host_version;      /* grows whenever the host gets to know more */
    uint64_t serial;            /* of the newest work                        */
    uint32_t line_count;
    struct ck_point *left;      /* lines that streams left behind            */
    size_t left_count, left_room;
    struct ck_stream *streams;  /* of all contexts                           */
    struct ck_caller *callers;  /* that works may come after                 */
    size_t learned_callers;     /* of these, that the host knows to be done  */
    struct ck_caller *caller;   /* whose call this is; NULL: the host's      */
    bool unseen;                /* functions of the program ran, or may have, or kernels of which
                                   nobody says what they touch: they may write flags          */
    uint64_t running;           /* operations of which it is not yet known what they touch */
    bool failed;                /* memory was short: nothing is sure any more */
};

bool ck_order_init(struct ck_order *order);
void ck_order_fini(struct ck_order *order);

/* ---- Streams ------------------------------------------------------------------------------- */

/* Creates a stream that takes over `who`.  Returns NULL if memory is short. */
struct ck_stream *ck_stream_create(struct ck_order *order, struct ck_context_order *context,
                                   struct ck_who *who, bool blocking, bool legacy);

/* Forgets a stream that was destroyed; its works go on, and who waits for the context waits for
 * them. */
void ck_stream_destroy(struct ck_order *order, struct ck_stream *stream);

void ck_context_order_fini(struct ck_context_order *context);

/* Adds a work to a stream.  Returns NULL if memory is short.  `overlaps`: a kernel that may begin
 * before the kernel right before it has ended. */
struct ck_work *ck_stream_add(struct ck_order *order, struct ck_stream *stream,
                              const struct ck_what *what, bool overlaps);

/* Takes back the newest work of a stream, which the backend has refused. */
void ck_stream_take_back(struct ck_stream *stream, struct ck_work *work);

/* Has the stream come after a clock and a point from now on. */
void ck_stream_follow(struct ck_order *order, struct ck_stream *stream, struct ck_clock *clock,
                      struct ck_point point);

/* Has a stream come after all that is in another one, and after what that one comes after. */
void ck_stream_follow_stream(struct ck_order *order, struct ck_stream *stream,
                             struct ck_stream *other);

/* ---- Events -------------------------------------------------------------------------------- */

enum ck_wait {
    CK_WAIT_ORDERS,
    CK_WAIT_REPEATS, /* what was ordered already        */
    CK_WAIT_NEVER    /* the event was never recorded    */
};

void ck_event_record(struct ck_order *order, struct ck_event *event, struct ck_stream *stream,
                     const struct ck_what *what);
enum ck_wait ck_event_wait(struct ck_order *order, struct ck_stream *stream,
                           const struct ck_event *event);

/* Has a node of a launch record the event: it stands for what is before that node. */
void ck_event_record_node(struct ck_order *order, struct ck_event *event, struct ck_work *launch,
                          uint32_t node, const struct ck_what *what);

/* Has a node of a launch, and those after it, come after what the event stands for. */
void ck_event_wait_node(struct ck_order *order, struct ck_work *launch, uint32_t node,
                        const struct ck_event *event);

void ck_event_fini(struct ck_event *event);

/* Returns what is promised to be done once a step is, to be released; NULL if memory is short. */
struct ck_clock *ck_order_clock_after(struct ck_order *order, const struct ck_step *step);

/* ---- Callers ------------------------------------------------------------------------------- */

/* Makes a caller of a host function that runs, or of one as a node of a launch.  Returns NULL if
 * memory is short. */
struct ck_caller *ck_order_add_caller(struct ck_order *order, const struct ck_step *step);

/* Forgets callers that the host knows to be done, but for those that a work may come after which
 * was submitted before the host knew: the oldest that is not judged has this serial. */
void ck_order_forget_callers(struct ck_order *order, uint64_t oldest);

/* ---- The host ------------------------------------------------------------------------------ */

/* The host, or the caller if there is one, knows that all is done that is in a stream, in any
 * stream of a context, or that an event stands for.  Returns whether that was news. */
bool ck_host_learns_stream(struct ck_order *order, struct ck_stream *stream);
bool ck_host_learns_context(struct ck_order *order, struct ck_context_order *context);
bool ck_host_learns_event(struct ck_order *order, const struct ck_event *event);
bool ck_host_learns_work(struct ck_order *order, const struct ck_work *work);

/* The host knows that all is done that a work of a stream comes after.  Returns whether that was
 * news. */
bool ck_host_learns_before(struct ck_order *order, const struct ck_work *work);

/* Has a work of the host's own come after all that is in the streams of a context. */
void ck_work_wait(struct ck_order *order, struct ck_work *work,
                  const struct ck_context_order *context);

/* Adds a work of the host's own.  Returns NULL if memory is short. */
struct ck_work *ck_host_add(struct ck_order *order, const struct ck_what *what);

/* Tells whether the host knows that a step is done. */
static inline bool ck_host_knows(const struct ck_order *order, const struct ck_step *step)
{
    return step->work->at.line == CK_HOST_LINE || ck_clock_covers_step(order->host, step);
}

#endif
