/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/replay.h>: steps that are captured each time and launched as graphs.
 *
 * A program does the same again and again: a frame, a token, a time step.  A
 * replay is given the function that puts one step into a stream, and
 * rill_replay_step() captures what it puts there, brings an exec of the same
 * shape up to date with it, and launches that.  Only when no exec can take it
 * over is a new one made, and the report says why.  A program whose steps have
 * several shapes keeps an exec for each, up to a limit.
 *
 * A replay is for one thread at a time, like the graphs and execs in it; a step
 * within a step of the same replay, or beside it on another thread, is refused.
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
    RILL_REPLAY_UPDATED = 0,        /* an exec took it over                           */
    RILL_REPLAY_INSTANTIATED = 1,   /* the first of its shape, or the first again     */
    RILL_REPLAY_REINSTANTIATED = 2, /* execs of its shape were there, and refused it  */
    RILL_REPLAY_EAGER = 3,          /* it could not be captured and ran as it is      */
    RILL_REPLAY_EMPTY = 4           /* the function put nothing into the stream       */
} rill_replay_outcome;

/* A step that succeeded; its fields hold until the report function returns. */
typedef struct rill_replay_report {
    size_t size;
    uint64_t step;               /* its number, from 1                            */
    rill_replay_outcome outcome;
    rill_status status;          /* EAGER: why it could not be captured           */
    rill_update_reason reason;   /* REINSTANTIATED: what the update was refused   */
    rill_node node;              /* for, and at which node of `graph`; may be 0   */
    rill_node from_node;
    const char *text;            /* the reason in a sentence, or ""               */
    rill_graph *graph;           /* what was captured, borrowed; EAGER: NULL      */
    size_t evicted;              /* execs that had to go in this step             */
    size_t execs, bytes;         /* alive now, and their size as far as known     */
} rill_replay_report;

typedef void (*rill_replay_report_fn)(void *data, const rill_replay_report *report);

/* ---- Replays ------------------------------------------------------------ */

/* What cannot be captured runs as it is: the function is called again, with the
 * stream not capturing.  That is so for a capture that fails, a graph that no
 * exec can be made of, a stream that is capturing already (the step becomes part
 * of that capture), and a backend without captures or execs.  A function that
 * fails for a reason of its own is not called again. */
#define RILL_REPLAY_OR_EAGER 0x1u

#define RILL_REPLAY_EXECS 8 /* the limit by default */

typedef struct rill_replay_options {
    size_t size;
    uint32_t flags;         /* RILL_REPLAY_*                                 */
    uint32_t exec_flags;    /* RILL_EXEC_AUTO_FREE, RILL_EXEC_NODE_PRIORITY  */
    rill_capture_mode mode; /* of the captures                               */
    size_t max_execs;       /* 0: RILL_REPLAY_EXECS                          */
    size_t max_bytes;       /* of all execs, where known; 0: no limit        */
    rill_replay_report_fn report; /* called at the end of each step; or NULL */
    void *report_data;
    const char *label;      /* of the replay and its execs                   */
} rill_replay_options;

/* `step` puts one step into the stream that it is given; the streams that it
 * forks off it joins again.  `destroy`, when given, runs exactly once on `data`:
 * when the replay is destroyed, or when this call fails. */
RILL_API rill_status rill_replay_create(rill_context *context, const rill_replay_options *options,
                                        rill_capture_fn step, void *data, rill_destroy_fn destroy,
                                        rill_replay **replay);

/* Launches in flight go on.  Refused within a step, and the replay stays. */
RILL_API rill_status rill_replay_destroy(rill_replay **replay);

/* One step, in the stream's order.  When it fails nothing was launched, unless
 * the launch itself failed; a later step is not affected. */
RILL_API rill_status rill_replay_step(rill_replay *replay, rill_stream *stream);

/* Destroys its execs, to have their memory back; a later step makes new ones. */
RILL_API rill_status rill_replay_clear(rill_replay *replay);

typedef struct rill_replay_info {
    size_t size; /* sizeof(rill_replay_info), set by the caller */
    uint64_t steps;            /* that were begun: all that follow, and failures */
    uint64_t updates;
    uint64_t instantiations;
    uint64_t reinstantiations;
    uint64_t eager_runs;
    uint64_t empty_steps;
    uint64_t failures;
    uint64_t refusals[16];     /* refused updates, by rill_update_reason         */
    uint64_t evictions;
    size_t execs;              /* alive                                          */
    size_t bytes;              /* of them, as far as known                       */
    rill_replay_outcome outcome; /* of the last step that succeeded              */
    char reason[RILL_ERROR_MESSAGE_MAX]; /* why the last step that was not merely
                                            updated was not; "" before           */
} rill_replay_info;

/* Also within a step, from the thread that makes it. */
RILL_API rill_status rill_replay_get_info(rill_replay *replay, rill_replay_info *info);

/* What error records call the replay; copied, and NULL for its number alone.  What was
 * asked for stays readable as long as the replay is. */
RILL_API rill_status rill_replay_set_label(rill_replay *replay, const char *label);
RILL_API const char *rill_replay_label(const rill_replay *replay);

RILL_END_DECLS

#endif
