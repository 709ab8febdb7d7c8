/* SPDX-License-Identifier: Apache-2.0
 *
 * Recorded programs: what the programs that judge the checker consist of.
 *
 * A program is one list of steps, each of which is a call that a thread makes.  The
 * threads make their calls in the order of the list.  All that a step refers to it
 * names by a number, so that a step can be dropped or inserted without touching others.
 */
#ifndef CHECKED_RECORDED_H
#define CHECKED_RECORDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STEPS_MAX = 400,
    THREADS_MAX = 3,
    CONTEXTS_MAX = 2,
    STREAMS_MAX = 10,
    EVENTS_MAX = 120,
    VALUES_MAX = 32,
    MEMORIES_MAX = 24,
    MEMORY_BYTES = 1024,
    GRAPHS_MAX = 16,
    EXECS_MAX = 6,
    NODES_MAX = 24
};

/* ---- Memory and work --------------------------------------------------------------------- */

enum memory_kind {
    MEMORY_DEVICE,
    MEMORY_PINNED,
    MEMORY_POOL, /* there from its DO_ALLOC to its DO_FREE           */
    MEMORY_GRAPH /* there from its DO_ALLOC_NODE to its DO_FREE_NODE */
};

struct memory_plan {
    uint8_t kind, context;
    bool registered; /* pinned memory that the program allocated itself */
};

/* Rows of bytes in a memory.  All numbers are multiples of 4. */
struct region {
    int8_t memory;
    uint16_t at, width, rows, pitch;
};

/* What work does with its regions, word by word. */
enum work_kind {
    WORK_COPY, /* out = in                    */
    WORK_FILL, /* out = value                 */
    WORK_MIX,  /* out = in * 3 + value        */
    WORK_ADD   /* out += value, by an atomic  */
};

/* What carries the work out. */
enum work_by {
    BY_DRIVER,  /* copies and fills                              */
    BY_PTX,     /* a kernel whose accesses are seen              */
    BY_TOLD,    /* a C kernel that says what it touches          */
    BY_GUESSED, /* a C kernel that does not: whole allocations   */
    BY_HOST     /* the host or its function, which says it       */
};

struct work {
    uint8_t kind, by;
    struct region out, in;
    uint32_t value;
};

/* ---- Steps ------------------------------------------------------------------------------- */

enum verb {
    /* Operations of a stream, or nodes where the stream captures. */
    DO_WORK,
    DO_ALLOC,
    DO_FREE,
    DO_RECORD,
    DO_WAIT,
    DO_WAIT_STREAM, /* for what is in stream `from`                     */
    DO_WRITE_VALUE,
    DO_WAIT_VALUE, /* for what DO_WRITE_VALUE of the same value writes */
    DO_LAUNCH,
    /* What the host does or waits for. */
    DO_TOUCH,     /* work by the host itself                          */
    DO_GIVE_BACK, /* frees memory that is not a stream's              */
    DO_SYNC_COPY, /* a copy in the order of the legacy stream that
                     the host waits for                               */
    DO_SYNC_STREAM,
    DO_SYNC_EVENT,
    DO_SYNC_CONTEXT,
    DO_POLL_STREAM, /* asks until it is done                           */
    DO_POLL_EVENT,
    DO_RENEW, /* destroys an event, and creates it again               */
    /* Graphs and execs. */
    DO_GRAPH,
    DO_NODE,        /* after the nodes in `after`                      */
    DO_EMPTY,
    DO_RECORD_NODE,
    DO_WAIT_NODE,
    DO_ALLOC_NODE,
    DO_FREE_NODE,
    DO_LEAVE,       /* has the body end after `number` rounds          */
    DO_CHILD,       /* holds a copy of graph `other`                   */
    DO_CONDITIONAL, /* its body becomes graph `other`                  */
    DO_BEGIN,       /* a capture in `stream`, which becomes `graph`    */
    DO_END,
    DO_EXEC,
    DO_SET_WORK,
    DO_ENABLE,      /* or not, if `number` is 0                        */
    DO_UPDATE,      /* the exec with `graph`                           */
    VERBS
};

extern const struct verb_info {
    const char *name;
    bool submits; /* an operation of its stream */
} verb_infos[VERBS];

/* How a conditional node chooses; `number` is the value that it finds. */
enum { CHOOSE_IF, CHOOSE_SWITCH, CHOOSE_WHILE };

struct step {
    uint8_t verb, thread;
    int8_t stream, from, event, value, memory, context;
    int8_t graph, other, exec; /* a step of a captured stream names its graph, too */
    int8_t node;               /* by the order of creation, from 0 */
    uint8_t how;
    uint32_t after, number;
    struct work work;
};

/* A step that names nothing yet. */
static inline struct step step_of(enum verb verb)
{
    return (struct step){ .verb = (uint8_t)verb, .stream = -1, .from = -1, .event = -1,
                          .value = -1, .memory = -1, .context = -1, .graph = -1, .other = -1,
                          .exec = -1, .node = -1, .work = { .out.memory = -1, .in.memory = -1 } };
}

/* ---- Programs ---------------------------------------------------------------------------- */

enum stream_kind { BLOCKING, NON_BLOCKING, LEGACY, PER_THREAD };

struct stream_plan {
    uint8_t kind, context;
    uint8_t thread; /* PER_THREAD: the only one that uses it */
};

struct recorded {
    uint64_t seed;
    int workers;
    int threads, contexts, streams, events, values, memories, graphs, execs, steps;
    struct stream_plan stream[STREAMS_MAX];
    struct memory_plan memory[MEMORIES_MAX];
    uint8_t value_context[VALUES_MAX];
    uint8_t event_context[EVENTS_MAX];
    struct step step[STEPS_MAX];
};

/* Inserts a step before step `at`.  Returns false if there is no room. */
bool recorded_insert(struct recorded *program, int at, const struct step *step);

void recorded_drop(struct recorded *program, int at);

/* Returns the thread that can make a call for the stream. */
static inline int recorded_thread(const struct recorded *program, int stream, int otherwise)
{
    const struct stream_plan *plan = &program->stream[stream];
    return plan->kind == PER_THREAD ? plan->thread : otherwise;
}

/* Writes step `i`, or the whole program, as text, cut where `room` ends.  Returns the
 * length of what was written. */
size_t recorded_print_step(const struct recorded *program, int i, char *text, size_t room);
size_t recorded_print(const struct recorded *program, char *text, size_t room);

#endif
