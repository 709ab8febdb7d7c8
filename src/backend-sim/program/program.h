/* SPDX-License-Identifier: Apache-2.0
 *
 * A program: a graph made ready to run, again and again.
 *
 * Its nodes stand in one line in which each comes after those that it depends
 * on; child graphs are laid out between two empty nodes of their own.  A single
 * thread runs it as a loop over the line (solo.h); if that would take long,
 * several threads share it along the edges (gang.h).
 *
 * A program shares nothing with the graph but the tasks.  At most one launch
 * of it runs at a time.  What a node does changes only between two launches.
 *
 * program.c defines what is declared here, but for sim_program_freeze() (freeze.c).
 */
#ifndef SIM_PROGRAM_H
#define SIM_PROGRAM_H

#include "backend-sim/program/section.h"

struct gang;
struct plan;
struct external_node;
struct conditional_run;
struct watched_nodes;
struct launch;

/* A node, as the loop runs it. */
struct entry {
    void (*fn)(void *arg);
    void *arg;
};

/* How the next launches run, by what is known of the time that the program takes. */
enum program_schedule {
    SCHEDULE_LIGHT,          /* by one thread: done before another one could help; or unknown */
    SCHEDULE_SERIAL,         /* by one thread, however long it takes: hardly anything in it can
                                run at the same time */
    SCHEDULE_MEASURE,        /* by a gang that measures each node */
    SCHEDULE_MEASURE_SERIAL, /* by one thread that measures each node: to hand a node over
                                takes longer than to run it */
    SCHEDULE_PLANNED         /* by a gang, along a plan made from what was measured */
};

/* What is known of the runs of a program.  The threads of the launch that runs hand it on to
 * each other. */
struct program_run {
    struct gang *gang;          /* kept from launch to launch                       */
    struct plan *plan;
    uint32_t *costs;            /* nanoseconds, of each node                        */
    enum program_schedule schedule;
    uint64_t began_ns;          /* of the gang's run                                */
    bool fine_grained;          /* its nodes are, on average, as far as is known    */
    unsigned measured;          /* launches whose least values `costs` has          */
    unsigned mispredictions;    /* runs of the plan that took much more or less     */
    unsigned weighed;           /* runs of the plan since it was last weighed ...   */
    uint64_t weighed_ns;        /* ... and what these took together                 */
    uint32_t untimed;           /* runs by one thread up to the next one that is timed */
    uint32_t alone_ns;          /* that such a run took; 0 if it may take another time by now */
};

/* Fixed once it is frozen, unless a field says otherwise. */
struct program {
    uint32_t count, edge_count;
    uint32_t kinds;             /* of its nodes, a bit each: 1 << rill_op_kind      */
    uint32_t marks;             /* that any of its tasks had (enum task_marks)      */
    struct entry *entries;      /* the running launch's                             */
    struct task **tasks;        /* of each entry, retained; NULL at an end of a child graph;
                                   the running launch's                             */
    uint32_t *edge_starts;      /* count + 1: where a node's successors begin in ... */
    uint32_t *successors;       /* ... this                                         */
    uint32_t *in_degrees;       /* how many predecessors each node has              */
    uint8_t *place_kinds;       /* a rill_op_kind each: no change is of another kind */

    /* Of each edge: its position among the dependencies of the node it leads to (in one of
     * two widths) and what it carries (NULL if no edge carries anything).  For updates. */
    uint8_t *ranks;
    uint32_t *wide_ranks;
    uint8_t *edge_data;

    struct section *sections;   /* by serial                                        */
    uint32_t section_count;
    uint32_t root;              /* serial of the graph that the others are in       */

    bool is_line;               /* each node depends on the one before it: no two can run
                                   at the same time                                 */
    bool waits;                 /* it has nodes that wait for something outside     */
    struct external_node *external_nodes; /* by place                               */
    uint32_t external_count;
    struct conditional_run *conditionals; /* a list, by place                       */
    struct conditional_run **conditional_index; /* the same                         */
    uint32_t conditional_count;
    uint32_t depth;             /* how deep bodies are nested in it                 */
    uint64_t first_number;      /* of its nodes, among those of the exec            */
    struct watched_nodes *watched; /* NULL without a watcher                        */
    unsigned char *disabled;    /* two bits for each node: for the running launch, and for
                                   the next one (the exec's caller's)               */
    uint32_t dangling;          /* next tasks that name no memory; the exec's caller's */
    uint32_t early;             /* next tasks that read early; the exec's caller's  */
    struct task **next_tasks;   /* of each place, for the next launch that is submitted;
                                   NULL if `tasks` says that.  The exec's caller's  */
    struct program_run run;     /* the running launch's                             */
};

/* Why a graph cannot be made a program. */
struct freeze_failure {
    rill_exec_result result;
    rill_node node; /* of the graph that was given or of one inside it; or NULL */
};

/* Lays out a graph with all that is in it, for an exec of a context. */
rill_status sim_program_freeze(struct sim_graph *graph, struct sim_context *context,
                               struct program **program, struct freeze_failure *failure);
void sim_program_free(struct program *program);

/* How much there is in a graph, graphs inside it included. */
struct program_size {
    uint64_t nodes, edges; /* at most */
    uint32_t graphs;
    uint32_t fan;          /* dependencies of one node, at most */
    bool data;             /* edges carry something                 */
};

/* Makes room for nodes and edges.  Returns false if memory is short. */
bool sim_program_make_room(struct program *program, const struct program_size *size);
void sim_program_free_room(struct program *program);

/* Puts a node, whose task is retained, or an end of a child graph into a place. */
void sim_program_put(struct program *program, uint32_t place, struct task *task);
void sim_program_put_end(struct program *program, uint32_t place);

/* Notes the ranks and the data of a node's edges. */
static inline void sim_program_put_notes(struct program *program, uint32_t edge,
                                         const struct links *successors)
{
    uint8_t *ranks = program->ranks + edge, *data = program->edge_data;
    uint32_t *wide_ranks = program->wide_ranks, count = successors->count;
    const struct link *links = sim_links(successors);
    for (uint32_t i = 0; !wide_ranks && i < count; i++) ranks[i] = (uint8_t)links[i].mirror;
    for (uint32_t i = 0; wide_ranks && i < count; i++) wide_ranks[edge + i] = links[i].mirror;
    for (uint32_t i = 0; data && i < count; i++) data[edge + i] = (uint8_t)links[i].data;
}

/* Copies the rank and the data of edge `old` to another program. */
void sim_program_move_note(struct program *to, uint32_t edge, const struct program *from,
                           uint32_t old);

static inline uint32_t sim_program_rank(const struct program *program, uint32_t edge)
{
    return program->wide_ranks ? program->wide_ranks[edge] : program->ranks[edge];
}

static inline uint32_t sim_program_edge_data(const struct program *program, uint32_t edge)
{
    return program->edge_data ? program->edge_data[edge] : 0;
}

/* Returns the section of a graph, or NULL. */
const struct section *sim_program_section(const struct program *program, uint32_t serial);

/* Returns how much memory a program takes, its tasks not included. */
size_t sim_program_bytes(const struct program *program);

/* Returns the number by which a watcher knows the node in a place. */
static inline uint64_t sim_program_node_number(const struct program *program, uint32_t place)
{
    return program->first_number + place + 1;
}

/* Returns the place of a node, or NODE_NONE. */
uint32_t sim_program_place(const struct program *program, rill_node node);

/* Returns the slot, in its graph, of the only node that has a task.  Returns NODE_NONE if no
 * node has it, or more than one. */
uint32_t sim_program_slot_of(const struct program *program, const struct task *task);

/* Sets up the entries of external nodes and conditionals, once these have been created. */
void sim_program_prepare(struct program *program);

/* Returns what runs a task that needs nothing of its program. */
struct entry sim_program_task_entry(struct task *task);

/* Returns what the loop runs for the task in a place. */
struct entry sim_program_entry(struct program *program, uint32_t place);

/* Puts another task in a place and returns the one that was there.  The place takes over the
 * reference to the one, the caller that to the other. */
static inline struct task *sim_program_swap(struct program *program, uint32_t place,
                                            struct task *task)
{
    struct task *before = program->tasks[place];
    program->tasks[place] = task;
    program->entries[place] = sim_program_entry(program, place);
    return before;
}

/* Sets the task that the next launch sees in a place. */
void sim_program_set_next(struct program *program, uint32_t place, struct task *task);

/* Makes the bits of `disabled`.  Returns false if memory is short. */
bool sim_program_make_bits(struct program *program);

/* Whether a node is enabled in the program ... */
bool sim_program_enabled(const struct program *program, uint32_t place);
void sim_program_set_enabled(struct program *program, uint32_t place, bool enabled);

/* ... and for the next launch that is submitted (exec/change.c). */
bool sim_program_next_enabled(const struct program *program, uint32_t place);
void sim_program_set_next_enabled(struct program *program, uint32_t place, bool enabled);

/* Returns the task that the next launch sees in a place. */
static inline struct task *sim_program_next_task(const struct program *program, uint32_t place)
{
    return program->next_tasks ? program->next_tasks[place] : program->tasks[place];
}

/* Returns whether an entry is that of a node that waits; `arg` is the external node. */
static inline bool sim_entry_waits(const struct entry *entry)
{
    return !entry->fn;
}

#endif
