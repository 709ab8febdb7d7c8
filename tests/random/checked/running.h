/* SPDX-License-Identifier: Apache-2.0
 *
 * Recorded programs while they run on the simulator.
 */
#ifndef CHECKED_RUNNING_H
#define CHECKED_RUNNING_H

#include <pthread.h>
#include <rill/rill.h>
#include <rill/check.h>
#include <rill/sim.h>

#include "random/checked/promised.h"

/* What each memory holds. */
struct contents {
    unsigned char memory[MEMORIES_MAX][MEMORY_BYTES];
};

/* When a step ran, as tickets of one row; 0: that was not seen. */
struct step_times {
    uint64_t start, done;
};

/* What the kernel that ends a loop needs. */
struct loop {
    rill_conditional handle;
    uint32_t rounds;
    uint32_t done; /* atomic */
};

/* Operation `point` of a stream of the simulator is the one that a step submitted. */
struct step_point {
    uint64_t stream, point;
    int step;
};

enum { KERNEL_MIX, KERNEL_ADD, KERNEL_TOLD_MIX, KERNEL_TOLD_ADD, KERNEL_GUESSED_MIX,
       KERNEL_LEAVE, KERNELS };

struct running {
    const struct recorded *program;
    bool plain;
    rill_platform *platform;
    rill_context *context[CONTEXTS_MAX];
    rill_module *module[CONTEXTS_MAX];
    rill_kernel *kernel[CONTEXTS_MAX][KERNELS];
    rill_stream *stream[STREAMS_MAX], *aside[CONTEXTS_MAX]; /* not the program's own */
    uint64_t stream_id[STREAMS_MAX];
    rill_event *event[EVENTS_MAX];
    rill_devptr memory[MEMORIES_MAX]; /* device addresses                    */
    void *pinned[MEMORIES_MAX];
    rill_devptr values[CONTEXTS_MAX];
    rill_graph *graph[GRAPHS_MAX];
    bool borrowed[GRAPHS_MAX];        /* the body of a conditional node      */
    int nodes[GRAPHS_MAX];
    rill_node node[GRAPHS_MAX][NODES_MAX];
    rill_exec *exec[EXECS_MAX];
    struct loop loop[GRAPHS_MAX];     /* of the body                         */

    /* The operations that each stream was given, and which of them each step's is. */
    uint64_t submitted[STREAMS_MAX], number[STEPS_MAX];

    pthread_mutex_t turns;
    pthread_cond_t turned;
    int turn;           /* the step that is due; protected by `turns`             */
    int ready;          /* threads that know their streams; protected by `turns`  */
    bool failed;        /* protected by `turns`                                   */
    char failure[640];

    pthread_mutex_t sighting;         /* protects what follows */
    uint64_t ticket;
    int points;
    struct step_point point[4 * STEPS_MAX];
    struct step_times times[STEPS_MAX];
};

/* How a program is to run. */
#pragma weak rill_check_report /* until the library has it */

struct running_options {
    int workers;
    const char *layers; /* NULL: none                       */
    const char *schedule; /* NULL: chance decides           */
    bool observed;      /* notes when each operation ran    */
    bool plain;         /* half of what the host itself does to pinned memory is
                           not told to the checker          */
    rill_finding_fn report;
    void *report_data;
};

/* Runs a program.  Returns NULL, or what went wrong, in `running`.  *contents receives
 * what the memories hold in the end. */
const char *running_play(struct running *running, const struct recorded *program,
                         const struct running_options *options, struct contents *contents);

/* ---- What must come out ------------------------------------------------------------------ */

/* Does the work, given where its memories begin. */
void work_apply(const struct work *work, unsigned char *out, const unsigned char *in);

/* Works out what the memories hold if all acts run in the order of submission. */
void contents_expect(struct contents *contents, const struct promises *promises);

/* Returns whether a memory that is left at the end differs, which *memory receives. */
bool contents_differ(const struct recorded *program, const struct contents *one,
                     const struct contents *other, int *memory);

/* Looks for a step that ran before one that it was promised to come after. */
bool running_broke_promise(const struct running *running, const struct promises *promises,
                           int *first, int *second);

/* ---- Parts: steps (running_steps.c, running_graphs.c) ------------------------------------ */

rill_status running_step(struct running *running, int step);
rill_status running_graph_step(struct running *running, const struct step *s);

/* Frees memory that is not a stream's or graph's, unless that was done.  (running.c) */
rill_status running_free(struct running *running, int memory);

/* ---- Parts: work (running_work.c) -------------------------------------------------------- */

/* An operation that does some work, and what it points to. */
struct work_op {
    rill_op op;
    rill_devptr out, in;
    uint32_t value;
    const void *params[3];
};

/* Fills in the operation.  Returns false if memory is short. */
bool running_make_op(struct running *running, const struct work *work, int context,
                     struct work_op *made);
/* Fills in the kernel that ends the loop of which a graph is the body. */
void running_make_leave(struct running *running, int graph, int context, struct work_op *made);
rill_status running_load_kernels(struct running *running, int context);


/* Does work of the host, and tells the checker of it, or not. */
void running_touch(struct running *running, const struct work *work, bool tells);

/* Submits work of the host as a callback. */
rill_status running_add_callback(struct running *running, const struct step *s);

/* ---- Parts: sightings (running_times.c) -------------------------------------------------- */

rill_status running_observe(struct running *running);
void running_begins(struct running *running, int step);
void running_ends(struct running *running, int step);

#endif
