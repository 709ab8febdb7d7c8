/* SPDX-License-Identifier: Apache-2.0
 *
 * The checker of a platform: what the layer keeps of it and of its objects.
 */
#ifndef CK_CHECKER_H
#define CK_CHECKER_H

#include <rill/check.h>
#include <rill/layer.h>

#include "base/lock.h"
#include "layer-check/access/held.h"
#include "layer-check/access/leaks.h"
#include "layer-check/access/log.h"
#include "layer-check/access/hangs.h"
#include "layer-check/access/objects.h"
#include "layer-check/access/redzones.h"
#include "layer-check/model/model.h"
#include "layer-check/report/report.h"
#include "layer-check/report/session.h"
#include "layer-check/slots/captures.h"
#include "layer-check/slots/forks.h"
#include "layer-check/slots/names.h"
#include "layer-check/slots/parts.h"
#include "layer-check/slots/who.h"

extern const struct rill_layer rl_layer_check;

struct ck_call_site;
struct ck_pages;
struct ck_touches;
struct ck_closing;

#define CK_BUCKETS 256u

struct ck_checker {
    struct ck_checker *next;   /* of the process's; see watch.c */
    const struct rill_backend *beneath;
    rill_platform *platform;
    struct ck_report *report;
    bool watched;              /* the backend tells what runs                        */
    bool hangs;                /* are looked for                                     */
    bool kernels;              /* are looked into                                    */
    bool life, capture, hints; /* what is looked for, besides court.races and so on  */
    struct ck_redzones redzones; /* if lifetimes are looked for; fixed               */
    enum ck_protection protection; /* of pinned memory                               */
    uint64_t quarantine;       /* bytes of addresses that are not used again at once */
    enum ck_managed managed;   /* where devices take turns with the host at managed memory */
    atomic_bool on;            /* false once checking has stopped                    */

    struct ck_pages *pages;    /* of pinned memory; NULL if the host's accesses are not seen */
    atomic_bool had_pinned;    /* the program has allocated some; without the lock           */
    struct ck_touches *touches; /* of it that were seen; NULL as well            */

    struct rl_lock lock;       /* protects all below, and what objects' words hold   */
    struct ck_order order;
    struct ck_values values;
    struct ck_memory memory;
    struct ck_leaks leaks;             /* unless memory.leaks is NULL                  */
    struct ranges pinned;              /* allocations, see pinned.c                    */
    struct ck_log log;
    struct ck_verdicts verdicts;
    struct ck_tellings tellings;
    struct ck_held held;
    struct ck_busy busy;               /* kernels; if managed memory is looked at      */
    struct ck_court court;
    struct ck_parts parts;             /* of operations that are not over              */
    struct ck_declared *declared;      /* by kernels in bodies that run; watch.c       */
    struct ck_names names;             /* of kernels and variables                     */
    struct ck_objects objects;         /* that are there, if leaks are looked for      */
    struct ck_call_site *call_sites[CK_BUCKETS]; /* if hints are wanted, see calls.h   */
    uint64_t call_site_count;
    atomic_uint captures;              /* that go on: read without the lock            */
    struct ck_captures going_on;       /* the same, one by one                         */
    struct ck_forks forks;             /* streams with work in them                    */
    struct ck_closing *closings;       /* of captures that may be ending now           */
};

/* Sets what is looked for. */
void ck_set_wishes(struct ck_checker *checker, const struct ck_settings *settings);

/* What the layer's word of an object leads to. */
struct ck_context_word {
    struct ck_context_order order;
    rill_stream *legacy, *per_thread; /* as the backend has handed them out */
};

struct ck_stream_word {
    struct ck_stream *stream;     /* of a per-thread handle: of the first thread        */
    struct ck_stream **others;    /* of a per-thread handle: of other threads           */
    size_t other_count;
    unsigned captures;            /* that began here and go on            */
};

struct ck_exec_word {
    struct ck_model *model;       /* NULL if it could not be read         */
    struct ck_clock *before;      /* of the newest launch, or NULL        */
    struct ck_point at;
};

static inline struct ck_checker *ck_checker_of(const void *object)
{
    return *rill_layer_word(&rl_layer_check, rill_object_of(object)->platform);
}

static inline const struct rill_backend *ck_beneath(const void *object)
{
    return rill_layer_beneath(&rl_layer_check, object);
}

/* Locks a checker, and adds to its log what was seen to be touched since the last time: so that is
 * judged with the clocks of its time.  A thread that changes a clock or the log locks it so. */
void ck_lock(struct ck_checker *checker);

/* Locks the checker of an object, for a call of the thread or of what runs in it.  Returns NULL,
 * with nothing locked, if checking has stopped. */
struct ck_checker *ck_enter(const void *object);

/* Judges what can be judged, unlocks, and tells what was found.  Stops checking if memory was
 * short.  For the program's own threads: what they were told of when a call returns is all that
 * the call could know. */
void ck_leave(struct ck_checker *checker);

/* Locks a checker for what is no call of the library's; leave it in the same way. */
struct ck_checker *ck_enter_checker(struct ck_checker *checker);

/* Judges and unlocks.  For threads of the library, whose findings a thread of the program tells. */
void ck_leave_untold(struct ck_checker *checker);

/* Return what the layer keeps of an object.  If memory is short, they return NULL and checking will
 * stop.  Require checker->lock. */
struct ck_context_word *ck_context_word(rill_context *context);
struct ck_stream_word *ck_stream_word(rill_stream *stream);
struct ck_stream *ck_stream_here(struct ck_checker *checker, rill_stream *stream);
struct ck_event_state *ck_event_state(rill_event *event);
struct ck_notes *ck_notes_of(rill_graph *graph);
struct ck_exec_word *ck_exec_word(rill_exec *exec);

/* Returns a lasting name of a kernel.  Returns NULL if it has none, or memory is short: then
 * checking will stop. */
const char *ck_kernel_name(struct ck_checker *checker, rill_kernel *kernel);

/* Looks for what was written behind allocations, all of those that are there. */
void ck_look_behind(struct ck_checker *checker);

/* Has memory that an alloc node will allocate be known from now on.  Requires checker->lock. */
void ck_graph_memory(struct ck_checker *checker, const rill_op *op, const void *site);

/* ---- What runs (watch.c) ------------------------------------------------------------------- */

extern const struct rill_watcher ck_watcher;

/* Names the entry of the operation that the calling thread submits from now on, or none. */
void ck_watch_submitting(struct ck_log_entry *entry);

/* Returns the host function that runs in this thread and makes a call, or NULL.  Requires
 * checker->lock. */
struct ck_caller *ck_watch_caller(struct ck_checker *checker);

/* Has touches of the host told to a checker, or no longer. */
void ck_watch_add(struct ck_checker *checker);
void ck_watch_remove(struct ck_checker *checker);

/* ---- The end (objects.c) --------------------------------------------------------------------- */

/* Tells what is known only at the end: of the platform, or of a process that leaves it open. */
void ck_ending_tell(struct ck_checker *checker);

/* ---- Calls that captures mind -------------------------------------------------------------- */

/* Says that a call broke a capture, if its status is one of those.  Called without the lock. */
void ck_capture_mind(const void *object, rill_status status, const void *site, const char *call);

/* Do the same for a call on a stream, which may take part in a capture, and for one that asks for
 * an event. */
void ck_capture_mind_stream(rill_stream *stream, rill_status status, const void *site,
                            const char *call);
void ck_capture_mind_event(rill_event *event, rill_status status, const void *site,
                           const char *call);

/* A call that may end a capture, whose graph may go with it: until it is back, nobody else looks at
 * that graph. */
struct ck_closing {
    struct ck_closing *next;
    uint64_t capture; /* its id                        */
    bool went_on;     /* the stream takes part in one  */
};

/* Say that a call for a stream begins that may end a capture, and that it is over, with the stream
 * perhaps.  Called without the lock. */
void ck_closing_begin(struct ck_closing *closing, rill_stream *stream);
void ck_closing_end(struct ck_closing *closing, struct ck_checker *checker);

/* Has the captures be over that began in a stream which is destroyed, and forgets what was captured
 * there.  Requires checker->lock. */
void ck_capture_end_stream(struct ck_checker *checker, const rill_stream *stream,
                           struct ck_stream_word *word);

/* Forgets what was captured in a stream, or in all if it is NULL.  Requires checker->lock. */
void ck_capture_forget(struct ck_checker *checker, const rill_stream *stream);

#endif
