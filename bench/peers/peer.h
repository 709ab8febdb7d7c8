/* SPDX-License-Identifier: Apache-2.0
 *
 * What the benchmark of graphs asks of whoever can run one.  A peer is a module
 * of its own, loaded by the process that measures it and by no other, so that
 * no two runtimes meet; it defines `peer_engine`.  Nothing here is rill's.
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
};

#ifdef __cplusplus
extern __attribute__((visibility("default"))) const struct engine peer_engine;
}
#else
extern __attribute__((visibility("default"))) const struct engine peer_engine;
#endif

#endif
