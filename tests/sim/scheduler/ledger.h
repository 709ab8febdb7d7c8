/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of watchers: a ledger of what was told, and what they run.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include <rill/backend.h>
#include <pthread.h>

#include "base/lock.h"
#include "conformance/nodes.h"

/* ---- What was told ----------------------------------------------------------------------- */

enum moment { SUBMITTED, BEGAN, FAILED, ENDED };

#define ENTRIES 65536
#define DEPTH 4

struct entry {
    enum moment moment;
    pthread_t thread;
    rill_running running;
    uint32_t rounds[DEPTH]; /* `running` points at what is gone */
};

extern struct ledger {
    struct rl_lock lock;
    int count;
    struct entry entries[ENTRIES];
} ledger;

/* Writes down in the ledger what it is told. */
extern const struct rill_watcher ledger_watcher;

/* Returns how many entries are of the moment and of the operation, or of the node; 0 for `queue`
 * is any.  `at` receives the place of the last. */
int told_of(enum moment moment, uint64_t queue, uint64_t point, uint64_t node, int *at);

/* Checks that each operation that was submitted began once and ended once, in this order, and
 * nothing else did; that each node that began ended. */
void all_told(void);

/* ---- Platforms with a watcher ------------------------------------------------------------- */

rill_status open_watched(int devices, rill_platform **platform);
int setup_watched(void **state);
int setup_with_host_thread(void **state);

#define WATCHED(test) cmocka_unit_test_setup_teardown(test, setup_watched, fixture_teardown)
#define ON_HOST_THREAD(test) \
    { #test " on the host thread", test, setup_with_host_thread, fixture_teardown, NULL }

uint64_t number_of(rill_exec *exec, rill_node node);
uint64_t queue_of(rill_stream *stream);

/* ---- What is run ------------------------------------------------------------------------- */

/* A kernel that does nothing. */
extern const rill_function idle;

/* Counts a call in the atomic_int at `data`. */
void count_call(void *data);

#define MOST 400

/* A graph of functions and kernels, of each of which a watcher is told. */
struct web {
    rill_graph *graph;
    rill_node nodes[MOST];
    int count;
};

void add_to(struct web *web, rill_graph *graph, rill_node after, rill_op op);

/* Makes a graph that threads can share; a launch counts 80 calls. */
void make_wide(struct fixture *f, struct web *web, atomic_int *calls);

/* Launches the exec and checks that each node of the web was told once, within the launch. */
void each_node_is_told_once(struct web *web, rill_exec *exec, rill_stream *stream);

#endif
