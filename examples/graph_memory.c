/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that lives inside a graph: it is there from the node that allocates it
 * to the one that frees it, at the same address in every launch.  It prints:
 *
 *     after three launches the last byte is 42
 *     using it afterwards: 0x… is not in an allocation: …
 */
#include "must.h"

enum { BYTES = 4096 };

/* alloc --> fill --> copy out --> free; `scratch` is where it is. */
static rill_graph *build(rill_context *context, unsigned char *out, rill_devptr *scratch)
{
    rill_graph *graph;
    rill_node alloc, filled, copied, freed;
    MUST(rill_graph_create(context, NULL, &graph));
    MUST(rill_graph_add_alloc(graph, NULL, 0, BYTES, scratch, &alloc));
    const rill_fill fill = { .dst = *scratch, .value = 42, .element_bytes = 1, .width = BYTES,
                             .height = 1 };
    const rill_copy copy = { .dst = rill_host_place(out), .src = rill_device_place(*scratch),
                             .width = BYTES, .height = 1, .depth = 1 };
    MUST(rill_graph_add_memset(graph, &alloc, 1, &fill, &filled));
    MUST(rill_graph_add_memcpy(graph, &filled, 1, &copy, &copied));
    MUST(rill_graph_add_free(graph, &copied, 1, *scratch, &freed));
    MUST(rill_node_set_label(graph, alloc, "scratch"));
    return graph;
}

int main(void)
{
    static unsigned char out[BYTES];
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream;
    rill_exec *exec;
    rill_devptr scratch;

    MUST(rill_open(NULL, &platform));
    MUST(rill_context_create(platform, NULL, &context));
    MUST(rill_stream_create(context, NULL, &stream));

    rill_graph *graph = build(context, out, &scratch);
    MUST(rill_exec_create(graph, NULL, &exec));
    for (int i = 0; i < 3; i++) MUST(rill_exec_launch(exec, stream));
    MUST(rill_stream_synchronize(stream));
    printf("after three launches the last byte is %d\n", out[BYTES - 1]);

    /* Behind the launch there is no memory any more. */
    rill_status status = rill_memset_d8_async(stream, scratch, 0, BYTES);
    printf("using it afterwards: %s\n", status ? rill_last_error()->message : "accepted");

    MUST(rill_exec_destroy(&exec));
    MUST(rill_graph_destroy(&graph));
    MUST(rill_device_trim_graph_memory(platform, 0));
    MUST(rill_stream_destroy(&stream));
    MUST(rill_context_destroy(&context));
    MUST(rill_close(&platform));
    return 0;
}
