/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of the memory of graphs: a machine, and launches that are played by hand.
 */
#ifndef GRAPH_MEMORY_SCENE_H
#define GRAPH_MEMORY_SCENE_H

#include "backend-sim/memory/heap.h"
#include "backend-sim/node/memory_task.h"
#include "backend-sim/stream/stream.h"
#include "sim/machine.h"

#define DEVICE (64 * MIB)
#define CHUNK ((size_t)512 << 10) /* of a device of this size */

static struct machine machine;

static inline int setup(void **state)
{
    (void)state;
    machine_open(&machine, DEVICE);
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    machine_close(&machine);
    return 0;
}

/* ---- Graphs ---------------------------------------------------------------- */

static inline rill_graph *new_graph(void)
{
    return machine_graph(machine.context[0]);
}

static inline rill_node add(rill_graph *graph, rill_node after, rill_op op)
{
    rill_node node = NULL;
    ok(rill_graph_add_node(graph, &after, after != NULL, &op, &node));
    return node;
}

static inline rill_node add_alloc(rill_graph *graph, rill_node after, size_t bytes,
                                  rill_devptr *address)
{
    rill_op op = { .kind = RILL_OP_ALLOC, .alloc = { .bytes = bytes } };
    rill_node node = NULL;
    ok(rill_graph_add_node(graph, &after, after != NULL, &op, &node));
    *address = op.alloc.address;
    return node;
}

static inline rill_node add_free(rill_graph *graph, rill_node after, rill_devptr address)
{
    return add(graph, after, (rill_op){ .kind = RILL_OP_FREE, .free = { .address = address } });
}

static inline rill_node add_empty(rill_graph *graph, rill_node after)
{
    return add(graph, after, (rill_op){ .kind = RILL_OP_EMPTY });
}

static inline struct exec_memory *take(rill_graph *graph, uint32_t flags)
{
    struct exec_memory *memory = NULL;
    ok(sim_exec_memory_take(sim_graph_of(graph), flags, &memory));
    return memory;
}

static inline void drop(struct exec_memory *memory)
{
    sim_exec_memory_end(memory);
    sim_exec_memory_free(memory);
}

/* Launches are of the first stream, unless a test says otherwise. */
static inline const struct strand *strand_of(int stream)
{
    return sim_stream_of(machine.stream[stream])->strand;
}

static inline rill_status submit(struct exec_memory *memory)
{
    return sim_exec_memory_launch(memory, strand_of(0));
}

/* What a launch does when it runs: all nodes, in the order of their creation. */
static inline void run(rill_graph *handle, struct exec_memory *memory)
{
    struct sim_graph *graph = sim_graph_of(handle);
    sim_exec_memory_begin(memory);
    for (uint32_t slot = graph->first; slot != NODE_NONE; slot = sim_node(graph, slot)->next) {
        struct task *task = sim_node_task(graph, slot);
        if (task->kind->run) task->kind->run(task);
    }
}

static inline void play_in(int stream, rill_graph *graph, struct exec_memory *memory)
{
    run(graph, memory);
    sim_exec_memory_conclude(memory, strand_of(stream));
}

static inline void play(rill_graph *graph, struct exec_memory *memory)
{
    play_in(0, graph, memory);
}

static inline void launch(rill_graph *graph, struct exec_memory *memory)
{
    ok(submit(memory));
    play(graph, memory);
}

/* ---- What there is --------------------------------------------------------- */

static inline struct graph_heap *heap(void)
{
    return sim_platform_of(machine.platform)->devices[0].graphs;
}

static inline bool there(rill_devptr address, size_t bytes)
{
    return sim_graph_memory_there(heap(), address, bytes);
}

static inline uint64_t reserved(void)
{
    uint64_t bytes = 0;
    ok(rill_device_get_graph_memory(machine.platform, 0, RILL_GRAPH_MEMORY_RESERVED_CURRENT,
                                    &bytes));
    return bytes;
}

static inline void trim(void)
{
    ok(rill_device_trim_graph_memory(machine.platform, 0));
}

static inline void release(rill_devptr address)
{
    ok(rill_mem_free(machine.context[0], address));
}

static inline unsigned char *bytes_at(rill_devptr address)
{
    return (unsigned char *)(uintptr_t)address;
}

/* ---- Memory ---------------------------------------------------------------- */

static inline bool is_poison(rill_devptr address, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (bytes_at(address)[i] != 0xcd) return false;
    return true;
}

/* ---- Threads --------------------------------------------------------------- */

enum { THREADS = 4, TURNS = 200 };

#endif
