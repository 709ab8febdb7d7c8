/* SPDX-License-Identifier: Apache-2.0
 *
 * Mends that findings name, as steps of the recorded program.
 */
#include "random/checked/findings.h"
#include "random/checked/needed.h"

/* Inserts a record right after step `first` and a wait for it right before step
 * `second`; in a capture, if `graph` is one. */
static bool insert_wait(struct recorded *program, int first, int second, int graph)
{
    struct step record = step_of(DO_RECORD), wait = step_of(DO_WAIT);
    const struct step *from = &program->step[first], *to = &program->step[second];
    if (first >= second || from->stream < 0 || to->stream < 0) return false;
    if (program->events == EVENTS_MAX) return false;
    program->event_context[program->events] = program->stream[from->stream].context;
    record.event = wait.event = (int8_t)program->events++;
    record.graph = wait.graph = (int8_t)graph;
    record.stream = from->stream;
    record.thread = from->thread;
    wait.stream = to->stream;
    wait.thread = to->thread;
    return recorded_insert(program, second, &wait) && recorded_insert(program, first + 1, &record);
}

static bool insert_sync(struct recorded *program, int first, int second)
{
    struct step sync = step_of(DO_SYNC_STREAM);
    const struct step *from = &program->step[first], *to = &program->step[second];
    if (first >= second || from->stream < 0) return false;
    sync.stream = from->stream;
    sync.thread = (uint8_t)recorded_thread(program, from->stream, to->thread);
    return recorded_insert(program, second, &sync);
}

/* Inserts an edge between two nodes that two steps made, by a wait if it is captured. */
static bool insert_edge(struct recorded *program, int graph, int first, int second)
{
    edge_set(program, graph, node_number(program, first), node_number(program, second), true);
    return program->step[second].verb != DO_WORK || insert_wait(program, first, second, graph);
}

/* Between two nodes of one graph, or else between those of the launched graph that they
 * are in. */
static bool apply_edge(struct recorded *program, const struct promises *promises,
                       const struct act *later, const struct act *earlier)
{
    if (later->node < 0 || earlier->node < 0) return false;
    if (later->graph == earlier->graph)
        return insert_edge(program, later->graph, earlier->node_step, later->node_step);
    int exec = program->step[later->step].exec;
    const struct graph_shape *shape = &promises->exec[exec];
    return insert_edge(program, promises->exec_graph[exec], shape->node[earlier->outer].step,
                       shape->node[later->outer].step);
}

bool mend_apply(struct recorded *program, const struct promises *promises, rill_mend mend,
                const int acts[2])
{
    const struct act *later = &promises->act[acts[0]], *earlier = &promises->act[acts[1]];
    switch (mend) {
    case RILL_MEND_WAIT: return insert_wait(program, earlier->step, later->step, -1);
    case RILL_MEND_EDGE: return apply_edge(program, promises, later, earlier);
    case RILL_MEND_SYNC: return insert_sync(program, earlier->step, later->step);
    default: return false;
    }
}

rill_mend mend_of(const struct promises *promises, const int acts[2])
{
    const struct act *later = &promises->act[acts[0]], *earlier = &promises->act[acts[1]];
    if (later->step == earlier->step) return RILL_MEND_EDGE;
    return promises->program->step[later->step].stream < 0 ? RILL_MEND_SYNC : RILL_MEND_WAIT;
}
