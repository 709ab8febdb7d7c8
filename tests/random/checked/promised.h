/* SPDX-License-Identifier: Apache-2.0
 *
 * What a recorded program was promised, reckoned from its steps alone: which acts come
 * before which, and what each of them touches.
 */
#ifndef CHECKED_PROMISED_H
#define CHECKED_PROMISED_H

#include "random/checked/recorded.h"

enum { ACTS_MAX = 512, MASK_WORDS = MEMORY_BYTES / 4 / 64 };

/* ---- Sets of acts ------------------------------------------------------------------------ */

struct act_set {
    uint64_t word[ACTS_MAX / 64];
};

static inline void acts_add(struct act_set *set, int act)
{
    set->word[act / 64] |= UINT64_C(1) << (act % 64);
}

static inline bool acts_have(const struct act_set *set, int act)
{
    return set->word[act / 64] >> (act % 64) & 1;
}

static inline void acts_join(struct act_set *set, const struct act_set *other)
{
    for (int w = 0; w < ACTS_MAX / 64; w++) set->word[w] |= other->word[w];
}

/* ---- Acts -------------------------------------------------------------------------------- */

enum { TOUCH_READS = 1, TOUCH_WRITES = 2, TOUCH_ADDS = 4 };

/* Some words of a memory. */
struct touch {
    int8_t memory;
    uint8_t how;
    uint64_t words[MASK_WORDS];
};

struct touch_list {
    int count;
    struct touch touch[2];
};

/* What is carried out at some time: an operation, a node of a launch, or what the host
 * does itself. */
struct act {
    int16_t step;        /* that submitted it                                     */
    int16_t node_step;   /* that made the node, or -1                             */
    int8_t graph, node;  /* of the node, or -1; the graph that holds it itself    */
    int8_t outer;        /* the node of the launched graph that it is in, or -1   */
    struct work work;    /* out.memory is -1 if it does none                      */
    struct touch_list touches;
    struct act_set before;
};

/* ---- Graphs ------------------------------------------------------------------------------ */

struct node_shape {
    uint8_t verb, how;
    bool off;
    int8_t inside; /* the graph in a child or conditional node, or -1 */
    int8_t event, memory;
    int16_t step;
    uint32_t after, number;
    struct work work;
};

struct graph_shape {
    int nodes;
    struct node_shape node[NODES_MAX];
};

/* ---- Promises ---------------------------------------------------------------------------- */

struct promises {
    const struct recorded *program;
    bool valid; /* calls would succeed */
    int acts;
    struct act act[ACTS_MAX];
    struct act_set tail[STREAMS_MAX];  /* what each stream has in it, and all before that  */
    struct act_set host;               /* what the host knows to be done                   */
    struct act_set event[EVENTS_MAX];  /* what each event stands for                       */
    struct act_set value[VALUES_MAX];  /* what is before the write of each value           */
    struct act_set launched[EXECS_MAX];
    bool recorded[EVENTS_MAX], written[VALUES_MAX];
    bool there[MEMORIES_MAX];          /* allocated in the order of a stream               */
    bool gone[MEMORIES_MAX];           /* given back by the host                           */
    bool graph_made[GRAPHS_MAX], exec_made[EXECS_MAX];
    struct graph_shape graph[GRAPHS_MAX];
    struct graph_shape exec[EXECS_MAX];
    int8_t exec_graph[EXECS_MAX];      /* the graph whose shape an exec has */
    int8_t capturing[STREAMS_MAX];     /* the graph, or -1                  */
    uint32_t frontier[STREAMS_MAX];    /* of each stream that captures      */
    int8_t event_graph[EVENTS_MAX];    /* recorded in a capture, or -1      */
    uint32_t event_nodes[EVENTS_MAX];
};

/* Begins a reckoning; takes the next step of the program into it; does both for all. */
void promises_begin(struct promises *promises, const struct recorded *program);
void promises_add(struct promises *promises, int step);
void promises_make(struct promises *promises, const struct recorded *program);

/* What the next operation of a stream would come after. */
struct act_set promises_arrival(const struct promises *promises, int stream);

/* Whether the first act is promised to be done before the second one starts. */
static inline bool promised(const struct promises *promises, int first, int second)
{
    return acts_have(&promises->act[second].before, first);
}

/* ---- What is touched (touches.c) --------------------------------------------------------- */

struct touch_list touches_of(const struct work *work);
struct touch_list touches_of_node(const struct node_shape *node);
struct touch touch_whole(int memory, int how);
bool touches_conflict(const struct touch_list *one, const struct touch_list *other);

/* Whether two acts conflict and nothing orders them. */
bool acts_race(const struct promises *promises, int one, int other);

/* Counts the pairs of acts that race; *one and *other receive the first pair. */
int promises_races(const struct promises *promises, int *one, int *other);

/* ---- Parts (promised_graphs.c) ----------------------------------------------------------- */

void promises_graph_step(struct promises *promises, const struct step *s, int step);

/* Takes a step of a stream that captures: it becomes a node, or changes what the next
 * node comes after. */
void promises_capture(struct promises *promises, const struct step *s, int step);

/* Adds the acts of a launch, which come after `entry`.  Returns what is done when the
 * launch is. */
struct act_set promises_launch(struct promises *promises, int step, const struct act_set *entry);

/* All nodes before node `to`, by the edges of the graph. */
uint32_t graph_before(const struct graph_shape *graph, int to);

/* ---- Parts (promised.c) */

/* Adds an act.  Its touches are empty. */
struct act *promises_act(struct promises *promises, int step, const struct act_set *before);

#endif
