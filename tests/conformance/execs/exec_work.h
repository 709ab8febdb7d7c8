/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests of execs have in common: a stream, some words of device memory, and
 * kernels that leave digits there, by which the tests tell what ran, with which
 * arguments, and in which order.
 */
#ifndef CONFORMANCE_EXEC_WORK_H
#define CONFORMANCE_EXEC_WORK_H

#include "conformance/nodes.h"

#define TRIAL_WORDS 128

struct trial {
    struct fixture *f;
    rill_stream *stream;
    rill_devptr words; /* TRIAL_WORDS of them, zero at first */
    rill_kernel *mul_add;
};

struct trial trial(void **state);

/* The address of a word. */
rill_devptr word(const struct trial *t, unsigned index);

/* *p = *p * m + a as a node, and as what a node of a graph or exec does from now
 * on. */
rill_node add_kernel(const struct trial *t, rill_graph *graph, rill_node after, rill_devptr p,
                     uint32_t m, uint32_t a);
rill_status set_kernel(const struct trial *t, rill_exec *exec, rill_node node, rill_devptr p,
                       uint32_t m, uint32_t a);
rill_status edit_kernel(const struct trial *t, rill_graph *graph, rill_node node, rill_devptr p,
                        uint32_t m, uint32_t a);

/* A graph of one such kernel on the first word. */
rill_graph *one_kernel(const struct trial *t, uint32_t m, uint32_t a, rill_node *node);

/* A graph of `count` kernels, each behind the one before it, that put m and a to
 * the first word. */
rill_graph *chain(const struct trial *t, int count, uint32_t m, uint32_t a, rill_node *nodes);

rill_status set_op(rill_exec *exec, rill_node node, rill_op op);

/* Launches once and waits. */
void go(const struct trial *t, rill_exec *exec);

/* The same, and then the first words hold these. */
#define goes(t, exec, ...) \
    trial_goes(t, exec, (const uint32_t[]){ __VA_ARGS__ }, \
               sizeof(const uint32_t[]){ __VA_ARGS__ } / sizeof(uint32_t), __FILE__, __LINE__)
void trial_goes(const struct trial *t, rill_exec *exec, const uint32_t *words, size_t count,
                const char *file, int line);

void zero_words(const struct trial *t);

/* The update is taken over; or it is refused for that reason, in the name of these
 * nodes. */
#define updates(exec, graph) \
    trial_update(exec, graph, RILL_UPDATE_SUCCESS, NULL, NULL, __FILE__, __LINE__)
#define update_refused(exec, graph, reason, node) \
    trial_update(exec, graph, reason, node, NULL, __FILE__, __LINE__)
void trial_update(rill_exec *exec, rill_graph *graph, rill_update_reason reason, rill_node node,
                  rill_node from, const char *file, int line);

#endif
