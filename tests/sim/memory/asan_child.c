/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for asan.sh, built with -fsanitize=address: touches memory of a simulated device in a
 * host function, where argv[1] says.
 */
#include <rill/rill.h>

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK(call) \
    do { \
        if (call) { \
            fprintf(stderr, "%s: %s\n", #call, rill_last_error()->message); \
            exit(2); \
        } \
    } while (0)

static void touch(void *byte)
{
    *(volatile char *)byte = 1;
}

static rill_context *context;
static rill_stream *stream;

static void touch_at(rill_devptr address)
{
    OK(rill_launch_host(stream, touch, (void *)(uintptr_t)address, NULL));
    OK(rill_stream_synchronize(stream));
}

static rill_devptr allocate(size_t bytes)
{
    rill_devptr address;
    OK(rill_mem_alloc(context, bytes, &address));
    return address;
}

static rill_devptr allocate_in_order(size_t bytes)
{
    rill_devptr address;
    OK(rill_mem_alloc_async(stream, bytes, &address));
    return address;
}

static void free_in_order(rill_devptr address)
{
    OK(rill_mem_free_async(stream, address));
    OK(rill_stream_synchronize(stream));
}

/* ---- Memory that is touched before it is freed, which was submitted before ------------------- */

static atomic_bool may_go;

static void wait_and_touch(void *byte)
{
    while (!atomic_load(&may_go)) sched_yield();
    touch(byte);
}

static void touch_before_free(rill_devptr address)
{
    rill_devptr next;
    atomic_store(&may_go, false);
    OK(rill_launch_host(stream, wait_and_touch, (void *)(uintptr_t)(address + 999), NULL));
    OK(rill_mem_free_async(stream, address));
    OK(rill_mem_alloc_async(stream, 500, &next)); /* there, as it happens */
    atomic_store(&may_go, true);
    OK(rill_stream_synchronize(stream));
    touch_at(next + 499);
    free_in_order(next);
}

/* ---- Memory of a graph ----------------------------------------------------------------------- */

static rill_graph *graph;
static rill_exec *exec;

static rill_devptr make_graph(bool frees)
{
    rill_node alloc, host, free_node;
    rill_devptr address;
    OK(rill_graph_create(context, NULL, &graph));
    OK(rill_graph_add_alloc(graph, NULL, 0, 1000, &address, &alloc));
    OK(rill_graph_add_host(graph, &alloc, 1, touch, (void *)(uintptr_t)(address + 999), NULL,
                           &host));
    if (frees) OK(rill_graph_add_free(graph, &host, 1, address, &free_node));
    OK(rill_exec_create(graph, NULL, &exec));
    return address;
}

static void launch(void)
{
    OK(rill_exec_launch(exec, stream));
    OK(rill_stream_synchronize(stream));
}

static void end_graph(void)
{
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
}

static void touch_graph_memory(void)
{
    make_graph(true);
    launch(), launch();
    end_graph();
    rill_devptr address = make_graph(false);
    for (int i = 0; i < 2; i++) {
        launch();
        touch_at(address + 999);
        free_in_order(address);
    }
    end_graph();
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void touch_where(const char *where)
{
    rill_devptr first = allocate(1000), second = allocate(4096), pooled = allocate_in_order(1000);
    if (!strcmp(where, "inside")) {
        touch_at(first), touch_at(first + 999), touch_at(second + 4095), touch_at(pooled + 999);
        touch_before_free(pooled);
        touch_at(allocate_in_order(1000) + 999);
        touch_graph_memory();
        OK(rill_mem_free(context, first));
        touch_at(allocate(1000) + 999);
    } else if (!strcmp(where, "behind")) {
        touch_at(first + 1000);
    } else if (!strcmp(where, "behind-full")) {
        touch_at(second + 4096);
    } else if (!strcmp(where, "behind-pool")) {
        touch_at(pooled + 1000);
    } else if (!strcmp(where, "freed")) {
        OK(rill_mem_free(context, first));
        touch_at(first);
    } else if (!strcmp(where, "freed-in-order")) {
        free_in_order(first);
        touch_at(first);
    } else if (!strcmp(where, "freed-pool")) {
        free_in_order(pooled);
        touch_at(pooled);
    } else if (!strcmp(where, "freed-graph")) {
        rill_devptr address = make_graph(false);
        launch();
        free_in_order(address);
        touch_at(address);
    } else if (!strcmp(where, "behind-graph")) {
        rill_devptr address = make_graph(false);
        launch();
        touch_at(address + 1000);
    } else if (!strcmp(where, "never")) {
        touch_at(second + (1 << 20));
    }
}

int main(int argc, char **argv)
{
    rill_platform *platform;
    OK(rill_open(NULL, &platform));
    OK(rill_context_create(platform, NULL, &context));
    OK(rill_stream_create(context, NULL, &stream));
    if (argc > 1) touch_where(argv[1]);
    OK(rill_stream_destroy(&stream));
    OK(rill_context_destroy(&context));
    OK(rill_close(&platform));
    puts("done");
    return 0;
}
