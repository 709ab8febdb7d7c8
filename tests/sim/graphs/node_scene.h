/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of nodes: graphs of a machine, and operations to put into them.
 */
#ifndef NODE_SCENE_H
#define NODE_SCENE_H

#include "sim/machine.h"

static inline rill_node add(rill_graph *graph, rill_op op)
{
    rill_node node = NULL;
    ok(rill_graph_add_node(graph, NULL, 0, &op, &node));
    return node;
}

static inline rill_devptr words(struct machine *m, int device, size_t count)
{
    rill_devptr address = 0;
    ok(rill_mem_alloc(m->context[device], count * 4, &address));
    ok(rill_memset_d32(m->context[device], address, 0, count));
    ok(rill_context_synchronize(m->context[device]));
    return address;
}

static inline uint32_t *at(rill_devptr address)
{
    return (uint32_t *)(uintptr_t)address;
}

/* Its module goes when the test ends. */
static rill_module *modules[4];

static inline rill_kernel *kernel_of(struct machine *m, const rill_function *function)
{
    const rill_image image = { .size = sizeof image, .functions = function, .function_count = 1 };
    rill_module **module = modules;
    rill_kernel *kernel = NULL;
    while (*module) module++;
    ok(rill_module_load(m->context[0], &image, module));
    ok(rill_module_kernel(*module, function->name, &kernel));
    return kernel;
}

/* Ends a test whose device is well. */
static inline void finish(struct machine *m, rill_graph *graph)
{
    ok(rill_graph_destroy(&graph));
    for (int i = 0; i < 4; i++) ok(rill_module_unload(&modules[i]));
    machine_close(m);
}

static const rill_dim3 one = { 1, 1, 1 };

static inline rill_op kernel_op(rill_kernel *kernel, const void *const *params)
{
    return (rill_op){ .kind = RILL_OP_KERNEL,
                      .kernel = { .kernel = kernel, .grid = one, .block = one, .params = params } };
}

static inline rill_op copy_op(rill_devptr dst, rill_place src, size_t bytes)
{
    return (rill_op){ .kind = RILL_OP_MEMCPY,
                      .memcpy = { .dst = rill_device_place(dst), .src = src, .width = bytes,
                                  .height = 1, .depth = 1 } };
}

static inline rill_op fill_op(rill_devptr dst, uint32_t value, size_t count)
{
    return (rill_op){ .kind = RILL_OP_MEMSET,
                      .memset = { .dst = dst, .value = value, .element_bytes = 4, .width = count,
                                  .height = 1 } };
}

static inline rill_op write_op(const rill_value *value)
{
    return (rill_op){ .kind = RILL_OP_VALUES, .values = { .items = value, .count = 1 } };
}

static inline void add_up(const rill_launch *launch)
{
    uint32_t *sum = at(RILL_ARGUMENT(launch, 0, rill_devptr));
    *sum += RILL_ARGUMENT(launch, 1, uint32_t);
    if (launch->shared_bytes) memset(launch->shared, 0xff, launch->shared_bytes);
}

static const rill_param two_params[] = { RILL_PARAM(rill_devptr), RILL_PARAM(uint32_t) };

#endif
