/* SPDX-License-Identifier: Apache-2.0 */
#include "random/capture_step.h"

#include <rill/capture.h>
#include <rill/exec.h>

#define NODES_MOST 8

#define FINE(capture, call) fine((capture)->play, (capture)->step, call, #call)

/* Memory of the stream's own context: that of another may go before the graph ran,
 * which only operations of streams can stand. */
static bool is_near(const struct program *program, const struct step *s, int buffer)
{
    return buffer < 0 || program->context_of[buffer] == program->stream[s->stream].context;
}

bool may_be_captured(const struct program *program, int step)
{
    const struct step *s = &program->step[step];
    if (!is_near(program, s, s->buffer) || !is_near(program, s, s->source)) return false;
    switch (s->verb) {
    case DO_HOST: case DO_KERNEL: case DO_BLOCKS: case DO_STORE: case DO_CHECK: case DO_EMPTY:
    case DO_WRITE: case DO_GATE: case DO_WAIT_VALUE: case DO_BATCH: case DO_RECORD: case DO_WAIT:
        return true;
    case DO_FILL: case DO_COPY:
        return s->how != HOW_SYNC;
    case DO_UPLOAD: case DO_READ:
        return s->how == HOW_ASYNC; /* memory that is still there when it runs */
    default:
        return false;
    }
}

/* ---- What the other nodes do --------------------------------------------------------- */

/* What the step's own node waits for was promised to those behind it alone. */
static void check(struct trace *trace)
{
    int verb = trace->play->program->step[trace->step].verb;
    if (verb != DO_WAIT && verb != DO_WAIT_VALUE && verb != DO_BATCH) trace_check_promised(trace);
}

static void run_before(void *data)
{
    struct trace *trace = data;
    check(trace);
    trace->before++;
}

static void run_beside(void *data)
{
    struct trace *trace = data;
    if (trace->before != 1) accuse(trace->play, trace->step, "a node ran before the first one");
    trace->beside++;
}

static void run_apart(void *data)
{
    struct trace *trace = data;
    check(trace);
    trace->apart++;
}

static void run_behind(void *data)
{
    struct trace *trace = data;
    if (trace->before != 1 || trace->beside != 1 || trace->apart != 1)
        accuse(trace->play, trace->step, "the last node ran before others");
    if (is_traced(trace->play->program, trace->step) && !trace->mark)
        accuse(trace->play, trace->step, "the last node ran before the step's own");
    trace_check_promised(trace);
    trace->after++;
    atomic_store_explicit(&trace->done, true, memory_order_release);
}

/* ---- Making the graph ------------------------------------------------------------------- */

static rill_context *context_of(const struct capture_step *capture)
{
    const struct program *program = capture->play->program;
    return capture->play->context[program->stream[program->step[capture->step].stream].context];
}

bool capture_step_begin(struct capture_step *capture, struct play *play, int step)
{
    const rill_stream_options apart = { .size = sizeof apart, .flags = RILL_STREAM_NON_BLOCKING };
    const rill_capture_options relaxed = { .size = sizeof relaxed, .mode = RILL_CAPTURE_RELAXED };
    *capture = (struct capture_step){ .play = play, .step = step };
    if (!FINE(capture, rill_stream_create(context_of(capture), &apart, &capture->side)))
        return false;
    return FINE(capture, rill_stream_begin_capture(capture->side, &relaxed)) &&
           FINE(capture, rill_launch_host(capture->side, run_before, &play->trace[step], NULL));
}

static bool add(const struct capture_step *capture, rill_graph *graph, const rill_node *after,
                size_t count, rill_host_fn fn, rill_node *node)
{
    struct trace *trace = &capture->play->trace[capture->step];
    return FINE(capture, rill_graph_add_host(graph, after, count, fn, trace, NULL, node));
}

static bool add_rest(const struct capture_step *capture, rill_graph *graph)
{
    rill_node nodes[NODES_MOST + 3], first, behind;
    size_t count = NODES_MOST, roots = 1;
    if (!FINE(capture, rill_graph_roots(graph, &first, &roots))) return false;
    if (!FINE(capture, rill_graph_nodes(graph, nodes, &count))) return false;
    return add(capture, graph, &first, 1, run_beside, &nodes[count]) &&
           add(capture, graph, NULL, 0, run_apart, &nodes[count + 1]) &&
           add(capture, graph, nodes, count + 2, run_behind, &behind);
}

static void launch(const struct capture_step *capture, rill_graph *graph, rill_stream *stream)
{
    rill_exec *exec;
    if (!FINE(capture, rill_exec_create(graph, NULL, &exec))) return;
    if (capture->step % 2) FINE(capture, rill_graph_destroy(&graph));
    FINE(capture, rill_exec_launch(exec, stream));
    FINE(capture, rill_exec_destroy(&exec));
    if (graph) FINE(capture, rill_graph_destroy(&graph));
}

void capture_step_end(struct capture_step *capture, rill_stream *stream)
{
    rill_graph *graph;
    if (FINE(capture, rill_stream_end_capture(capture->side, &graph)) && add_rest(capture, graph))
        launch(capture, graph, stream);
    FINE(capture, rill_stream_destroy(&capture->side));
}
