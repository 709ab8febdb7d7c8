/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that a watcher is told of (scheduler/watch/watcher.h): kernels and host functions.
 *
 * While a watcher is installed, the entries of such nodes are the functions here, which tell the
 * watcher around what the node does.  All ways to run a program go by its entries, so that none
 * of them knows of watchers.
 */
#ifndef SIM_WATCHED_NODE_H
#define SIM_WATCHED_NODE_H

#include "backend-sim/node/running_launch.h"
#include "backend-sim/program/program.h"

struct watched_node {
    struct program *program;
    uint32_t place;
    rill_running running; /* all but the operation stays; that is the running launch's, noted by the
                             thread that runs the node                                       */
};

struct watched_nodes {
    const struct watched_nodes *outer; /* of the program that a body is in; or NULL         */
    uint32_t depth;                    /* how many bodies the program is in, its own too    */
    uint32_t *rounds;                  /* how often each of these has begun in `launch`, from
                                          the outermost on: the running launch's, as is ... */
    uint64_t launch;                   /* ... this                                          */
    struct watched_node items[];       /* by place                                          */
};

/* Has the watcher told of the nodes of a program that was just frozen, and of the bodies in it. */
rill_status sim_program_watch(struct program *program);
void sim_watched_nodes_free(struct watched_nodes *nodes);

/* Returns the entry of a kernel or a host function. */
struct entry sim_watched_entry(const struct program *program, uint32_t place);

/* Runs such a node as part of the launch, from any thread, and tells the watcher. */
void sim_watched_node_run(struct watched_node *node, const struct launch *launch);

/* Counts a round of a body that begins in the launch that this thread runs a part of. */
void sim_watched_round(struct watched_nodes *body);

#endif
