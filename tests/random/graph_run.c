/* SPDX-License-Identifier: Apache-2.0
 *
 * The code of a plan's nodes, each of which looks whether all is as the model says
 * while it runs: what is before it and what is behind it in this launch, the launch
 * before and the one behind, and what the cells of memory hold.
 */
#include "base/park.h"
#include "random/play.h"

#define RELAXED memory_order_relaxed

/* A node that runs. */
struct visit {
    struct post *post;
    struct play *play;
    const struct graph_plan *plan;
    const struct expected_runs *expected;
    struct post *posts; /* of all nodes */
    int n, launch, step;
    unsigned run;       /* its number in the launch, from 0 */
};

/* ---- Which run it is ----------------------------------------------------------------- */

static bool find_launch(struct visit *visit)
{
    unsigned before = visit->post->told++;
    for (int l = 0; l < visit->expected->launches; l++) {
        unsigned runs = expected_node_runs(visit->expected, visit->plan, l, visit->n);
        visit->launch = l;
        visit->step = visit->expected->step[l];
        visit->run = before;
        if (before < runs) return true;
        before -= runs;
    }
    accuse(visit->play, visit->expected->launches ? visit->step : -1,
           "node %d of G%d ran more often than its launches say", visit->n, visit->post->graph);
    return false;
}

/* ---- The other nodes ------------------------------------------------------------------ */

static void check_count(const struct visit *visit, int m, int launch, unsigned least, unsigned most)
{
    unsigned ran = visit->posts[m].ran[launch];
    if (ran >= least && ran <= most) return;
    accuse(visit->play, visit->step,
           "in its node %d: node %d had run %u times in launch %d, not %u", visit->n, m, ran,
           launch, least);
}

/* Only what is ordered can be looked at. */
static void check_others(const struct visit *visit)
{
    for (int m = 0; m < visit->plan->nodes; m++) {
        if (m == visit->n || !expected_node_runs(visit->expected, visit->plan, visit->launch, m))
            continue;
        struct run_range range = run_range(visit->plan, visit->n, visit->run, m);
        if (range.least == range.most)
            check_count(visit, m, visit->launch, range.least, range.most);
    }
}

static void check_launch(const struct visit *visit, int launch, bool over)
{
    for (int m = 0; m < visit->plan->nodes; m++) {
        unsigned runs = over ? expected_node_runs(visit->expected, visit->plan, launch, m) : 0;
        check_count(visit, m, launch, runs, runs);
    }
}

/* What the launch as a whole was promised. */
static void check_promises(const struct visit *visit)
{
    const struct model *model = visit->play->model;
    int awaiter = visit->plan->awaiter;
    bool waits = awaiter >= 0 && graph_before(visit->plan, awaiter, visit->n);
    if (waits || !visit->run)
        trace_check(visit->play, waits ? &model->promised[visit->step] : &model->entry[visit->step],
                    visit->step, "one of its nodes started before");
}

/* ---- Memory -------------------------------------------------------------------------------- */

static void check_words(const struct visit *visit, rill_devptr at, size_t words, uint32_t wanted,
                        const char *what, int number)
{
    const uint32_t *memory = RILL_DEVICE_MEMORY(at, const uint32_t);
    for (size_t w = 0; w < words; w++) {
        if (memory[w] == wanted) continue;
        accuse(visit->play, visit->step,
               "in its node %d: %s%d holds 0x%08x in word %d, not 0x%08x", visit->n, what, number,
               memory[w], (int)w, wanted);
        return;
    }
}

/* Memory of the graph is there from its ALLOC to its FREE. */
static bool can_see(const struct visit *visit, int m)
{
    int home = visit->plan->node[m].home;
    if (home < 0) return true;
    for (int f = 0; f < visit->plan->nodes; f++)
        if (visit->plan->node[f].kind == NODE_FREE && visit->plan->node[f].home == home)
            return graph_before(visit->plan, visit->n, f);
    return false;
}

static void check_cells(const struct visit *visit)
{
    const struct graph_plan *plan = visit->plan;
    for (int m = 0; m < plan->nodes; m++) {
        bool before = graph_before(plan, m, visit->n), behind = graph_before(plan, visit->n, m);
        bool own = m == visit->n && plan->node[m].home < 0;
        if (!graph_has_cell(plan, m) || !(before || behind || own)) continue;
        if (!before && plan->node[m].home >= 0) continue;
        if (!can_see(visit, m)) continue;
        /* In another turn of a WHILE, what is behind has run before. */
        bool again = !before && visit->run > 0;
        if (again && run_range(plan, visit->n, visit->run, m).least == 0 && !own) again = false;
        int at = visit->launch + (before || again);
        check_words(visit, visit->posts[m].cell, CELL_WORDS, visit->expected->content[at][m],
                    "the cell of node ", m);
    }
}

static void fill(rill_devptr at, size_t words, uint32_t value)
{
    uint32_t *memory = RILL_DEVICE_MEMORY(at, uint32_t);
    for (size_t w = 0; w < words; w++) memory[w] = value;
}

static void use_buffers(const struct visit *visit)
{
    const struct play *play = visit->play;
    if (visit->n == visit->plan->reader)
        check_words(visit, play->buffer[visit->plan->source], BUFFER_WORDS,
                    play->model->value[visit->step], "buffer ", visit->plan->source);
    if (visit->n == visit->plan->writer)
        fill(play->buffer[visit->plan->buffer], BUFFER_WORDS, value_written(visit->step));
}

/* Some take longer, so that what should wait for them can be seen not to. */
static void linger(const struct visit *visit)
{
    int turns = (visit->n + visit->launch) % 8 == 0 ? 300 : 0;
    if (visit->plan->hot) turns = visit->plan->node[visit->n].times > 1 ? 100 : 1000;
    while (turns--) rl_relax();
}

/* ---- A visit ------------------------------------------------------------------------------- */

static bool visit_node(struct visit *visit, struct post *post, unsigned version)
{
    struct play *play = post->play;
    *visit = (struct visit){
        .post = post, .play = play, .plan = &play->program->graph[post->graph],
        .expected = &play->model->expected[post->graph], .posts = play->graph[post->graph].post,
        .n = post->node,
    };
    if (!find_launch(visit)) return false;
    unsigned wanted = visit->expected->version[visit->launch][visit->n];
    if (version != wanted)
        accuse(play, visit->step, "its node %d did what version %u says, not version %u", visit->n,
               version, wanted);
    check_others(visit);
    if (visit->launch) check_launch(visit, visit->launch - 1, true);
    if (visit->launch + 1 < visit->expected->launches)
        check_launch(visit, visit->launch + 1, false);
    check_promises(visit);
    check_cells(visit);
    use_buffers(visit);
    fill(post->cell, CELL_WORDS, graph_mark(post->graph, visit->n, version));
    linger(visit);
    post->ran[visit->launch]++;
    return true;
}

void graph_run_host(void *data)
{
    const struct duty *duty = data;
    struct visit visit;
    visit_node(&visit, duty->post, duty->version);
}

void graph_give_back(void *data)
{
    atomic_fetch_add_explicit(&((struct duty *)data)->destroyed, 1, RELAXED);
}

/* The value that a kernel leaves for a conditional: of a WHILE that it is inside of,
 * whether there is another turn. */
static uint32_t value_left(const struct visit *visit)
{
    const struct node_plan *self = &visit->plan->node[visit->n];
    const struct node_plan *node = &visit->plan->node[self->sets];
    bool inside = visit->plan->part[self->part].owner == self->sets;
    return inside ? (visit->run + 1) % node->value != 0 : graph_finds(node);
}

void graph_run_kernel(const rill_launch *launch)
{
    struct post *post = (struct post *)RILL_ARGUMENT(launch, 1, uintptr_t);
    rill_conditional handle = RILL_ARGUMENT(launch, 2, rill_conditional);
    struct visit visit;
    if (!visit_node(&visit, post, RILL_ARGUMENT(launch, 0, uint32_t))) return;
    if (visit.plan->node[visit.n].sets >= 0)
        rill_sim_set_conditional(launch, handle, value_left(&visit));
}

/* ---- Looking on ------------------------------------------------------------------------------ */

static bool all_ran(const struct play *play, int step, bool recorded)
{
    int g = play->program->step[step].graph;
    const struct graph_plan *plan = &play->program->graph[g];
    const struct expected_runs *expected = &play->model->expected[g];
    int launch = expected_launch(expected, step);
    for (int m = 0; m < plan->nodes; m++) {
        if (recorded && (plan->recorder < 0 || !graph_before(plan, m, plan->recorder))) continue;
        if (play->graph[g].post[m].ran[launch] != expected_node_runs(expected, plan, launch, m))
            return false;
    }
    return true;
}

bool graph_is_done(const struct play *play, int step)
{
    return all_ran(play, step, false);
}

bool graph_has_recorded(const struct play *play, int step)
{
    return all_ran(play, step, true);
}

void graph_judge(struct play *play, int graph)
{
    const struct graph_plan *plan = &play->program->graph[graph];
    const struct expected_runs *expected = &play->model->expected[graph];
    for (int n = 0; n < plan->nodes; n++) {
        struct post *post = &play->graph[graph].post[n];
        for (int l = 0; l < expected->launches; l++)
            if (post->ran[l] != expected_node_runs(expected, plan, l, n))
                accuse(play, expected->step[l], "its node %d ran %u times, not %u", n, post->ran[l],
                       expected_node_runs(expected, plan, l, n));
        for (unsigned v = 0; v < VERSIONS_MAX; v++) {
            unsigned destroyed = atomic_load_explicit(&post->duty[v].destroyed, RELAXED);
            if (destroyed != post->duty[v].given)
                accuse(play, -1, "node %d of G%d, version %u: given back %u times, not %u", n,
                       graph, v, destroyed, post->duty[v].given);
        }
    }
}
