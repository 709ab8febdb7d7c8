/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs on the simulator: runs one and judges what happened.
 */
#ifndef PLAY_H
#define PLAY_H

#include <rill/rill.h>
#include <rill/sim.h>

#include <stdatomic.h>

#include "random/graph_play.h"

#define BUFFER_WORDS 16
#define BUFFER_BYTES (BUFFER_WORDS * sizeof(uint32_t))

/* An open platform with memory for the values and copies of programs, which
 * run on it one after the other. */
struct stage {
    rill_platform *platform;
    rill_context *home;
    uint64_t *words;                 /* pinned; one for each step        */
    rill_devptr words_at;
    uint32_t (*slots)[BUFFER_WORDS]; /* the same                         */
};

/* NULL or what went wrong. */
const char *stage_open(struct stage *stage, int workers);
const char *stage_close(struct stage *stage);

struct play;

/* What is known of how a step ran.  The tickets and counts are relaxed, so that
 * they lend the engine no order that it does not have itself. */
struct trace {
    struct play *play;
    int step;
    atomic_uint_least64_t start, end; /* tickets; 0: not yet                   */
    atomic_uint runs, destroyed;      /* of a kernel: blocks                   */
    atomic_bool done;                 /* for those who look on                 */
    int mark;       /* plain, written by the step's code, read by whoever runs
                       after it: ThreadSanitizer sees any order that is not
                       there                                                   */
    const rill_stream *named; /* CALLBACK: the stream as the call named it     */
    rill_devptr scratch; /* ALLOC: what it allocated                           */
    bool scratch_freed;
    int before, beside, apart, after; /* of a captured step: runs of the other nodes, the
                       last one's last; plain, too                             */
};

struct play {
    const struct program *program;
    const struct model *model;
    struct stage *stage;
    rill_context *context[CONTEXTS_MAX];
    rill_module *module[CONTEXTS_MAX];
    rill_kernel *grid_kernel[CONTEXTS_MAX], *block_kernel[CONTEXTS_MAX];
    rill_kernel *node_kernel[CONTEXTS_MAX]; /* of graphs */
    rill_stream *stream[STREAMS_MAX];
    rill_event *event[EVENTS_MAX];
    rill_devptr buffer[BUFFERS_MAX];
    bool uses_memory;

    atomic_uint_least64_t clock;
    atomic_int ready;                  /* threads at the start                */
    atomic_int progress[THREADS_MAX];  /* index of the step that it is at     */
    struct trace trace[STEPS_MAX];
    struct graph_play graph[GRAPHS_MAX];

    atomic_bool accused;
    char verdict[512]; /* of the first to accuse; read after all threads ended */
};

/* Says what is wrong with a step, once a program. */
void accuse(struct play *play, int step, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether a call succeeded; if not, with its words. */
bool fine(struct play *play, int step, rill_status status, const char *call);

/* Runs a program that model_make() found good; NULL or what was wrong with it.
 * The text lies in `play`. */
const char *play_program(struct play *play, const struct program *program,
                         const struct model *model, struct stage *stage);

/* How far a program that hangs has come. */
size_t play_print_state(struct play *play, char *text, size_t room);

/* ---- Parts ---------------------------------------------------------------------- */

/* Objects: made before the threads start, given back after they ended. */
void objects_make(struct play *play);
void objects_wait(struct play *play);
void objects_destroy(struct play *play);
void objects_make_stream(struct play *play, int stream, int step);
void objects_make_event(struct play *play, int event, int step);

/* The code of a traced step; `block` is where it is told of its place. */
void trace_visit(struct trace *trace);
void trace_finish(void *trace); /* a host function's destroy */

/* Every step that was promised to be before this one has left its mark. */
void trace_check_promised(struct trace *trace);

/* Whatever is in the set has left its mark; else the step is accused of `what`. */
void trace_check(struct play *play, const struct step_set *set, int step, const char *what);

/* All steps that were promised to be done are: looked at by a step that waited. */
void trace_check_done(struct play *play, int step);

/* Takes one step. */
void take_step(struct play *play, int step);

/* After everything is done. */
void judge(struct play *play);

#endif
