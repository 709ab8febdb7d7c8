/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/execs/exec_work.h"

#include <string.h>

struct trial trial(void **state)
{
    struct fixture *f = *state;
    return (struct trial){
        .f = f,
        .stream = new_non_blocking(f),
        .words = device_words(f, TRIAL_WORDS),
        .mul_add = kernel(f, &mul_add_function),
    };
}

rill_devptr word(const struct trial *t, unsigned index)
{
    return t->words + index * sizeof(uint32_t);
}

rill_node add_kernel(const struct trial *t, rill_graph *graph, rill_node after, rill_devptr p,
                     uint32_t m, uint32_t a)
{
    const void *params[] = { &p, &m, &a };
    return add(graph, after, kernel_op(t->mul_add, params));
}

rill_status set_kernel(const struct trial *t, rill_exec *exec, rill_node node, rill_devptr p,
                       uint32_t m, uint32_t a)
{
    const void *params[] = { &p, &m, &a };
    return set_op(exec, node, kernel_op(t->mul_add, params));
}

rill_status edit_kernel(const struct trial *t, rill_graph *graph, rill_node node, rill_devptr p,
                        uint32_t m, uint32_t a)
{
    const void *params[] = { &p, &m, &a };
    rill_op op = kernel_op(t->mul_add, params);
    return rill_node_set_op(graph, node, &op);
}

rill_graph *one_kernel(const struct trial *t, uint32_t m, uint32_t a, rill_node *node)
{
    return chain(t, 1, m, a, node);
}

rill_graph *chain(const struct trial *t, int count, uint32_t m, uint32_t a, rill_node *nodes)
{
    rill_graph *graph = new_graph(t->f);
    rill_node last = NULL;
    for (int i = 0; i < count; i++) {
        last = add_kernel(t, graph, last, t->words, m, a);
        if (nodes) nodes[i] = last;
    }
    return graph;
}

rill_status set_op(rill_exec *exec, rill_node node, rill_op op)
{
    return rill_exec_set_op(exec, node, &op);
}

void go(const struct trial *t, rill_exec *exec)
{
    ok(rill_exec_launch(exec, t->stream));
    ok(rill_stream_synchronize(t->stream));
}

void trial_goes(const struct trial *t, rill_exec *exec, const uint32_t *words, size_t count,
                const char *file, int line)
{
    uint32_t got[TRIAL_WORDS];
    go(t, exec);
    ok(rill_memcpy_dtoh(t->f->context, got, t->words, sizeof got));
    for (size_t i = 0; i < count; i++)
        if (got[i] != words[i])
            fail_msg("%s:%d: word %zu is %u, not %u", file, line, i, got[i], words[i]);
}

void zero_words(const struct trial *t)
{
    static const uint32_t zeros[TRIAL_WORDS];
    ok(rill_memcpy_htod(t->f->context, t->words, zeros, sizeof zeros));
    ok(rill_stream_synchronize(t->f->legacy)); /* see poke() */
}

void trial_update(rill_exec *exec, rill_graph *graph, rill_update_reason reason, rill_node node,
                  rill_node from, const char *file, int line)
{
    char mark;
    rill_update_result result;
    memset(&result, 0x55, sizeof result);
    result.node = result.from_node = (rill_node)(void *)&mark;
    rill_status status = rill_exec_update(exec, graph, &result);
    fixture_check(status, reason ? RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE : RILL_SUCCESS,
                  "rill_exec_update", file, line);
    if (result.reason != reason)
        fail_msg("%s:%d: the reason is %d, not %d", file, line, (int)result.reason, (int)reason);
    if (result.node != node || result.from_node != from)
        fail_msg("%s:%d: another node is named", file, line);
    if (reason) fixture_blames("rill_exec_update", "graph", file, line);
}
