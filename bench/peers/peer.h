/* SPDX-License-Identifier: Apache-2.0
 *
 * What the benchmark asks of whoever can run graphs, or operations in order.  A
 * peer is a module of its own, loaded by the process that measures it and by no
 * other, so that no two runtimes meet; it defines `peer_engine`, `peer_queues`, or
 * both.  Nothing here is rill's.
 */
#ifndef PEER_H
#define PEER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Nodes are numbers, and each is larger than those before it.  The nodes before
 * `v` are before[first_before[v]] up to, not including, before[first_before[v + 1]];
 * those behind it likewise. */
struct dag {
    uint32_t nodes, edges;
    uint32_t *first_before, *before;
    uint32_t *first_after, *after;
};

/* Node `v` is the call fn(data[v]).  What fails ends the process. */
struct engine {
    /* Its name and version; NULL when it has no use for that many threads. */
    const char *(*open)(int threads);
    void (*close)(void);

    /* The engine's own graph, ready to run.  The dag outlives it. */
    void *(*make)(const struct dag *dag, void (*fn)(void *data), void **data);

    /* Runs each node once, after those before it, and returns when all have. */
    void (*run)(void *graph);
    void (*unmake)(void *graph);

    /* The longest chain that it can run; 0: any. */
    uint32_t chain_most;
};

/* Queues that run what they are given in order, one at a time.  What fails ends the
 * process. */
struct queues {
    /* Its name and version; NULL when what it needs is not there. */
    const char *(*open)(void);
    void (*close)(void);

    void *(*make)(void);
    void (*unmake)(void *queue);
    void (*op)(void *queue, void (*fn)(void *data), void *data);
    void (*wait)(void *queue);

    /* `count` operations by turns in two queues, each after the one before. */
    void (*hops)(void *a, void *b, int count, void (*fn)(void *data), void *data);

    /* Makes the call body(data), which makes all the others; NULL when any place
     * will do. */
    void (*within)(void (*body)(void *data), void *data);
};

extern __attribute__((visibility("default"))) const struct engine peer_engine;
extern __attribute__((visibility("default"))) const struct queues peer_queues;

#ifdef __cplusplus
}
#endif

#endif
