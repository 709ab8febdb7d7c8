/* SPDX-License-Identifier: Apache-2.0
 *
 * A frame of work over two streams: captured as a graph, replayed frame after
 * frame with other values and now and then another shape, and broken once, to
 * see what is said about it.  It prints:
 *
 *     a frame is a graph of 4 nodes and 4 edges
 *     frame 1: instantiated, since no exec has this shape
 *     frame 2: updated
 *     frame 3: instantiated, since no exec has this shape
 *     frame 4: updated
 *     frame 5: updated
 *     frame 6: updated
 *     frame 7: rill_stream_synchronize failed in the function: … and broke the capture; …
 *         first caused by rill_stream_synchronize on stream 'main'
 */
#include "must.h"

struct frame {
    rill_stream *side;
    rill_devptr left, right;  /* a word each */
    unsigned number;
    int wide;                 /* such frames use the second stream, too */
    int waits;                /* which no capture can stand             */
    unsigned host[2];         /* where the words end up                 */
};

/* Puts one frame into the stream: the only description of it that there is. */
static rill_status enqueue(rill_stream *stream, void *data)
{
    struct frame *frame = data;
    rill_status status = rill_memset_d32_async(stream, frame->left, frame->number, 1);
    if (!status && frame->wide) {
        status = rill_stream_fork(stream, &frame->side, 1);
        if (!status) status = rill_memset_d32_async(frame->side, frame->right, frame->number, 1);
        if (!status) status = rill_stream_join(stream, &frame->side, 1);
    }
    if (!status && frame->waits) status = rill_stream_synchronize(stream);
    if (!status) status = rill_memcpy_dtoh_async(stream, &frame->host[0], frame->left, 4);
    if (!status) status = rill_memcpy_dtoh_async(stream, &frame->host[1], frame->right, 4);
    return status;
}

static void tell(void *data, const rill_replay_report *report)
{
    static const char *const outcomes[] = { "updated", "instantiated", "instantiated again",
                                            "ran as it is", "empty" };
    const struct frame *frame = data;
    printf("frame %u: %s%s%s\n", frame->number, outcomes[report->outcome],
           report->text[0] ? ", since " : "", report->text);
}

/* By hand: one graph, one exec, launched as often as one likes. */
static void capture(rill_stream *stream, struct frame *frame)
{
    rill_graph *graph;
    rill_exec *exec;
    size_t nodes = 0, edges = 0;
    MUST(rill_capture(stream, NULL, enqueue, frame, &graph));
    MUST(rill_graph_nodes(graph, NULL, &nodes));
    MUST(rill_graph_edges(graph, NULL, NULL, NULL, &edges));
    printf("a frame is a graph of %zu nodes and %zu edges\n", nodes, edges);
    MUST(rill_exec_create(graph, NULL, &exec));
    MUST(rill_graph_destroy(&graph));
    MUST(rill_exec_launch(exec, stream));
    MUST(rill_stream_synchronize(stream));
    MUST(rill_exec_destroy(&exec));
}

/* Step by step: each is captured anew, which costs little; a new exec, which
 * costs more, is made only when no other can take the step over. */
static int replay_frames(rill_context *context, rill_stream *stream, struct frame *frame)
{
    const rill_replay_options options = { .size = sizeof options, .report = tell,
                                          .report_data = frame, .label = "frames" };
    rill_replay *replay;
    int wrong = 0;
    MUST(rill_replay_create(context, &options, enqueue, frame, NULL, &replay));
    for (frame->number = 1; frame->number <= 6; frame->number++) {
        frame->wide = frame->number % 3 != 0;
        MUST(rill_replay_step(replay, stream));
        MUST(rill_stream_synchronize(stream));
        wrong += frame->host[0] != frame->number;
        wrong += frame->wide && frame->host[1] != frame->number;
    }
    frame->waits = 1;
    if (rill_replay_step(replay, stream)) {
        const rill_error *error = rill_last_error();
        printf("frame %u: %s\n    first caused by %s on %s\n", frame->number, error->message,
               error->cause.operation, error->cause.object);
    }
    MUST(rill_replay_destroy(&replay));
    return wrong;
}

int main(void)
{
    const rill_stream_options named = { .size = sizeof named, .label = "main" };
    struct frame frame = { .wide = 1 };
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream;
    MUST(rill_open(NULL, &platform));
    MUST(rill_context_create(platform, NULL, &context));
    MUST(rill_stream_create(context, &named, &stream));
    MUST(rill_stream_create(context, NULL, &frame.side));
    MUST(rill_mem_alloc(context, 4, &frame.left));
    MUST(rill_mem_alloc(context, 4, &frame.right));

    capture(stream, &frame);
    int wrong = replay_frames(context, stream, &frame);

    MUST(rill_mem_free(context, frame.right));
    MUST(rill_mem_free(context, frame.left));
    MUST(rill_stream_destroy(&frame.side));
    MUST(rill_stream_destroy(&stream));
    MUST(rill_context_destroy(&context));
    MUST(rill_close(&platform));
    if (wrong) printf("%d words are wrong\n", wrong);
    return wrong != 0;
}
