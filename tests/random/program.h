/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs over streams, events and graphs: what they consist of.
 *
 * A program is one list of steps, each of which belongs to a thread.  A thread
 * takes its own steps in order; AWAIT makes it wait until another thread is
 * past an earlier step.  Nothing a step waits for comes later in the list, so
 * a program always ends, and what is ordered is known before it runs (model.h).
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "random/graph_plan.h"

#define STEPS_MAX 192
#define THREADS_MAX 4
#define CONTEXTS_MAX 3
#define STREAMS_MAX 32
#define EVENTS_MAX 16
#define BUFFERS_MAX 6

/* What a step does. */
enum verb {
    /* Operations of a stream that leave a trace of when they ran. */
    DO_HOST,
    DO_KERNEL,
    DO_BLOCKS,   /* a kernel over several blocks                           */
    DO_CALLBACK,
    DO_STORE,    /* a kernel that fills `buffer`                           */
    DO_CHECK,    /* a kernel that looks at `source`                        */
    DO_ALLOC,    /* allocates in stream order, and a kernel that fills it  */
    DO_FREE,     /* a kernel that looks at it, and the free; `partner`     */
    /* Operations that leave none. */
    DO_EMPTY,
    DO_FILL,     /* a memset of `buffer`                                   */
    DO_COPY,     /* from buffer `source` to `buffer`                       */
    DO_UPLOAD,   /* from the host to `buffer`                              */
    DO_READ,     /* from `source` to the host                              */
    DO_RECORD,
    DO_WAIT,
    DO_WAIT_STREAM,
    DO_GATE,       /* waits for a value that a thread stores: the step's own */
    DO_WRITE,      /* writes a value: the step's own                         */
    DO_WAIT_VALUE, /* waits for what `partner` writes                        */
    DO_BATCH,      /* both: waits for what `partner` writes, writes its own  */
    DO_LAUNCH,     /* launches the exec of a graph (graph_plan.h)           */
    /* What a thread does by itself. */
    DO_OPEN,       /* stores the value that gate `partner` waits for         */
    DO_QUERY_STREAM,
    DO_QUERY_EVENT,
    DO_ELAPSED,
    DO_SYNC_STREAM,
    DO_SYNC_EVENT,
    DO_SYNC_CONTEXT,
    DO_POLL,       /* asks until the stream has nothing left                 */
    DO_LOOK,       /* looks on, without a call, until `partner` ran          */
    DO_AWAIT,      /* until another thread is past step `partner`            */
    DO_PAUSE,
    DO_STREAM_CREATE,
    DO_STREAM_DESTROY,
    DO_EVENT_CREATE,
    DO_EVENT_DESTROY,
    DO_REFUSED,    /* a call that must be refused and change nothing         */
    DO_CHANGE,     /* a node of an exec does something else, version `how`   */
    DO_SWITCH,     /* a node of an exec is left out, or not: `how`           */
    DO_UPDATE,     /* all nodes of an exec do something else, version `how`  */
    DO_RETIRE,     /* destroys an exec                                       */
    VERBS
};

/* What is true of a verb. */
enum trait {
    ON_DEVICE = 1, /* an operation of a stream                       */
    TRACED = 2,    /* runs code of this test, which notes when        */
    BLOCKS = 4,    /* the thread waits for work or for another thread */
    SETTLES = 8,   /* what it was promised is done when it returns    */
    WRITES = 16,   /* `buffer`                                        */
    READS = 32     /* `source`                                        */
};

extern const struct verb_info {
    const char *name;
    unsigned traits;
} verb_infos[VERBS];

/* How copies and fills are called. */
enum how {
    HOW_ASYNC,    /* pinned host memory                                  */
    HOW_PAGEABLE, /* ordinary host memory                                */
    HOW_SYNC      /* the synchronous form, in the order of the legacy stream */
};

struct step {
    uint8_t verb, thread;
    bool dropped;    /* left out, when a failure is looked for in less */
    bool captured;   /* a node of a graph that is launched there (capture_step.h) */
    uint8_t how;     /* enum how, or a variant that the verb knows     */
    int8_t stream, other;
    int8_t event, event2;
    int8_t context;
    int8_t buffer, source;
    int8_t graph, node;
    int16_t partner; /* a step */
};

enum stream_kind_of { BLOCKING, NON_BLOCKING, LEGACY, PER_THREAD };

struct stream_plan {
    uint8_t context, kind;
    uint8_t thread;  /* PER_THREAD */
    int8_t priority;
    int16_t born;    /* the step that creates it; -1: there from the start */
};

struct event_plan {
    uint8_t context;
    bool timed, patient;
    bool shared; /* threads record it without asking each other */
    int16_t born;
};

struct program {
    uint64_t seed;
    int workers;
    bool whims;     /* of the simulator, when it plans graphs: RILL_SIM_WHIMS */
    int threads, contexts, streams, events, buffers, graphs, steps;
    uint8_t device_of[CONTEXTS_MAX];
    uint8_t context_of[BUFFERS_MAX]; /* that allocated the buffer */
    struct stream_plan stream[STREAMS_MAX];
    struct event_plan event[EVENTS_MAX];
    struct graph_plan graph[GRAPHS_MAX];
    uint8_t ending; /* enum ending */
    struct step step[STEPS_MAX];
};

/* How the main thread waits for the rest. */
enum ending {
    END_SYNC_CONTEXTS,
    END_SYNC_STREAMS,
    END_DESTROY, /* destroys everything while it is pending */
    END_LOOK,    /* looks on, without a call                */
    END_POLL,
    ENDINGS
};

/* A copy that reads or writes host memory waits where it is synchronous, and
 * one to ordinary host memory waits always. */
static inline unsigned traits_of(const struct program *program, int step)
{
    const struct step *s = &program->step[step];
    bool waits = (s->verb == DO_UPLOAD && s->how == HOW_SYNC) ||
                 (s->verb == DO_READ && s->how != HOW_ASYNC);
    return verb_infos[s->verb].traits | (waits ? BLOCKS | SETTLES : 0u);
}

static inline bool is_device(const struct program *program, int step)
{
    return verb_infos[program->step[step].verb].traits & ON_DEVICE;
}

static inline bool is_traced(const struct program *program, int step)
{
    return verb_infos[program->step[step].verb].traits & TRACED;
}

static inline bool uses_exec(int verb)
{
    return verb == DO_LAUNCH || (verb >= DO_CHANGE && verb <= DO_RETIRE);
}

/* The step sets the event. */
static inline bool records_event(const struct program *program, int step, int event)
{
    const struct step *s = &program->step[step];
    return (s->verb == DO_RECORD || s->verb == DO_LAUNCH) && s->event == event;
}

/* Makes the program of a seed. */
void program_generate(struct program *program, uint64_t seed);

/* Writes step `i`, or the whole program, as text; cut where `room` ends.  The
 * length that was written. */
size_t program_print_step(const struct program *program, int i, char *text, size_t room);
size_t program_print(const struct program *program, char *text, size_t room);

#endif
