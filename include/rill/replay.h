/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/replay.h>: steps that are captured each time and launched as graphs.
 *
 * A program does the same again and again: a frame, a token, a time step.  A replay is
 * given the function that puts one step into a stream.  rill_replay_step() captures what
 * the function puts there, updates an exec of the same shape with it, and launches that
 * exec.  Only if no exec can take the step over is a new exec made, and the report says
 * why.  A program whose steps have several shapes keeps an exec for each, up to a
 * limit.
 *
 * A replay is used by one thread at a time, like the graphs and execs in it.  A step
 * within a step of the same replay is refused, and so is a step while another thread is
 * making one.
 */
#ifndef RILL_REPLAY_H
#define RILL_REPLAY_H

#include <rill/capture.h>
#include <rill/exec.h>
#include <rill/stream.h>

RILL_BEGIN_DECLS

typedef struct rill_replay rill_replay;

/* ---- Reports ------------------------------------------------------------ */

/* What became of a step. */
typedef enum rill_replay_outcome {
    RILL_REPLAY_UPDATED = 0,        /* an exec took the step over                      */
    RILL_REPLAY_INSTANTIATED = 1,   /* there was no exec of its shape (any more)        */
    RILL_REPLAY_REINSTANTIATED = 2, /* there were execs of its shape; all refused it   */
    RILL_REPLAY_EAGER = 3,          /* it could not be captured and ran as it is       */
    RILL_REPLAY_EMPTY = 4           /* the function put nothing into the stream        */
} rill_replay_outcome;

/* Returns the name of an outcome, such as "RILL_REPLAY_UPDATED", or NULL if the number is
 * no outcome. */
RILL_API const char *rill_replay_outcome_name(rill_replay_outcome outcome);

/* A step that succeeded.  The fields are valid until the report function returns. */
typedef struct rill_replay_report {
    size_t size;
    uint64_t step;               /* the step's number, from 1                     */
    rill_replay_outcome outcome;
    rill_status status;          /* EAGER: why it could not be captured           */
    rill_update_reason reason;   /* REINSTANTIATED: why the update was refused,   */
    rill_node node;              /* and at which node of `graph`; may be NULL     */
    rill_node from_node;
    const char *text;            /* the reason in a sentence, or ""               */
    rill_graph *graph;           /* what was captured, borrowed; EAGER: NULL      */
    size_t evicted;              /* execs that were evicted in this step          */
    size_t execs, bytes;         /* alive now, and their size as far as known     */
} rill_replay_report;

typedef void (*rill_replay_report_fn)(void *data, const rill_replay_report *report);

/* ---- Replays ------------------------------------------------------------ */

/* Runs what cannot be captured as it is: the function is called again, with the stream
 * not capturing.  That applies to a capture that fails, a graph from which no exec can
 * be made, a stream that is capturing already (the step becomes part of that capture),
 * and a backend without captures or execs.  A function that fails for a reason of its
 * own is not called again. */
#define RILL_REPLAY_OR_EAGER 0x1u

#define RILL_REPLAY_EXECS 8 /* the limit by default */

typedef struct rill_replay_options {
    size_t size;
    uint32_t flags;         /* RILL_REPLAY_*                                 */
    uint32_t exec_flags;    /* RILL_EXEC_AUTO_FREE, RILL_EXEC_NODE_PRIORITY  */
    rill_capture_mode mode; /* of the captures                               */
    size_t max_execs;       /* 0: RILL_REPLAY_EXECS                          */
    size_t max_bytes;       /* of all execs, as far as known; 0: no limit    */
    rill_replay_report_fn report; /* called at the end of each step; or NULL */
    void *report_data;
    const char *label;      /* of the replay and its execs                   */
} rill_replay_options;

/* Creates a replay.  `step` puts one step into the stream that it is given, and joins
 * the streams that it forks off.  `destroy`, if given, runs exactly once on `data`:
 * when the replay is destroyed, or when this call fails. */
RILL_API rill_status rill_replay_create(rill_context *context, const rill_replay_options *options,
                                        rill_capture_fn step, void *data, rill_destroy_fn destroy,
                                        rill_replay **replay);

/* Destroys the replay.  Launches in flight go on.  Within a step the call is refused
 * and the replay stays. */
RILL_API rill_status rill_replay_destroy(rill_replay **replay);

/* Makes one step, in the stream's order.  If the call fails nothing was launched,
 * unless the launch itself failed.  Later steps are not affected. */
RILL_API rill_status rill_replay_step(rill_replay *replay, rill_stream *stream);

/* Destroys the replay's execs to free their memory.  A later step makes new ones. */
RILL_API rill_status rill_replay_clear(rill_replay *replay);

typedef struct rill_replay_info {
    size_t size; /* sizeof(rill_replay_info), set by the caller */
    uint64_t steps;            /* begun: the five below and the failures         */
    uint64_t updates;
    uint64_t instantiations;
    uint64_t reinstantiations;
    uint64_t eager_runs;
    uint64_t empty_steps;
    uint64_t failures;
    uint64_t refusals[16];     /* refused updates, by rill_update_reason         */
    uint64_t evictions;
    size_t execs;              /* alive                                          */
    size_t bytes;              /* of these execs, as far as known                */
    rill_replay_outcome outcome; /* of the last step that succeeded              */
    char reason[RILL_ERROR_MESSAGE_MAX]; /* why the last step with another outcome
                                            than UPDATED had it; "" before that  */
} rill_replay_info;

/* Returns the replay's counters.  May also be called within a step, by the thread that
 * makes the step. */
RILL_API rill_status rill_replay_get_info(rill_replay *replay, rill_replay_info *info);

/* Sets, or returns, the name that error records use for the replay.  The label is
 * copied; after NULL, records use the replay's number.  A label that was returned stays
 * readable for as long as the replay exists. */
RILL_API rill_status rill_replay_set_label(rill_replay *replay, const char *label);
RILL_API const char *rill_replay_label(const rill_replay *replay);

RILL_END_DECLS

#endif
