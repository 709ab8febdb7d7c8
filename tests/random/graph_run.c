/* SPDX-License-Identifier: Apache-2.0
 *
 * The code of a chart's nodes, each of which looks whether all is as the model says
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
    const struct chart *chart;
    const struct tally *tally;
    struct post *posts; /* of all nodes */
    int n, launch, step;
    unsigned run;       /* its number in the launch, from 0 */
};

/* ---- Which run it is ----------------------------------------------------------------- */

static bool find_launch(struct visit *visit)
{
    unsigned before = visit->post->told++;
    for (int l = 0; l < visit->tally->launches; l++) {
        unsigned runs = tally_runs(visit->tally, visit->chart, l, visit->n);
        visit->launch = l;
        visit->step = visit->tally->step[l];
        visit->run = before;
        if (before < runs) return true;
        before -= runs;
    }
    accuse(visit->play, visit->tally->launches ? visit->step : -1,
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
    for (int m = 0; m < visit->chart->nodes; m++) {
        if (m == visit->n || !tally_runs(visit->tally, visit->chart, visit->launch, m)) continue;
        struct chart_range range = chart_range(visit->chart, visit->n, visit->run, m);
        if (range.least == range.most)
            check_count(visit, m, visit->launch, range.least, range.most);
    }
}

static void check_launch(const struct visit *visit, int launch, bool over)
{
    for (int m = 0; m < visit->chart->nodes; m++) {
        unsigned runs = over ? tally_runs(visit->tally, visit->chart, launch, m) : 0;
        check_count(visit, m, launch, runs, runs);
    }
}

/* What the launch as a whole was promised. */
static void check_promises(const struct visit *visit)
{
    const struct model *model = visit->play->model;
    int awaiter = visit->chart->awaiter;
    bool waits = awaiter >= 0 && chart_before(visit->chart, awaiter, visit->n);
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
    int home = visit->chart->node[m].home;
    if (home < 0) return true;
    for (int f = 0; f < visit->chart->nodes; f++)
        if (visit->chart->node[f].kind == CHART_FREE && visit->chart->node[f].home == home)
            return chart_before(visit->chart, visit->n, f);
    return false;
}

static void check_cells(const struct visit *visit)
{
    const struct chart *chart = visit->chart;
    for (int m = 0; m < chart->nodes; m++) {
        bool before = chart_before(chart, m, visit->n), behind = chart_before(chart, visit->n, m);
        bool own = m == visit->n && chart->node[m].home < 0;
        if (!chart_has_cell(chart, m) || !(before || behind || own)) continue;
        if (!before && chart->node[m].home >= 0) continue;
        if (!can_see(visit, m)) continue;
        /* In another turn of a WHILE, what is behind has run before. */
        bool again = !before && visit->run > 0;
        if (again && chart_range(chart, visit->n, visit->run, m).least == 0 && !own) again = false;
        int at = visit->launch + (before || again);
        check_words(visit, visit->posts[m].cell, CELL_WORDS, visit->tally->content[at][m],
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
    if (visit->n == visit->chart->reader)
        check_words(visit, play->buffer[visit->chart->source], BUFFER_WORDS,
                    play->model->value[visit->step], "buffer ", visit->chart->source);
    if (visit->n == visit->chart->writer)
        fill(play->buffer[visit->chart->buffer], BUFFER_WORDS, value_written(visit->step));
}

/* Some take longer, so that what should wait for them can be seen not to. */
static void linger(const struct visit *visit)
{
    int turns = (visit->n + visit->launch) % 8 == 0 ? 300 : 0;
    if (visit->chart->hot) turns = visit->chart->node[visit->n].times > 1 ? 100 : 1000;
    while (turns--) rl_relax();
}

/* ---- A visit ------------------------------------------------------------------------------- */

static bool visit_node(struct visit *visit, struct post *post, unsigned version)
{
    struct play *play = post->play;
    *visit = (struct visit){
        .post = post, .play = play, .chart = &play->program->chart[post->graph],
        .tally = &play->model->tally[post->graph], .posts = play->chart[post->graph].post,
        .n = post->node,
    };
    if (!find_launch(visit)) return false;
    unsigned wanted = visit->tally->version[visit->launch][visit->n];
    if (version != wanted)
        accuse(play, visit->step, "its node %d did what version %u says, not version %u", visit->n,
               version, wanted);
    check_others(visit);
    if (visit->launch) check_launch(visit, visit->launch - 1, true);
    if (visit->launch + 1 < visit->tally->launches) check_launch(visit, visit->launch + 1, false);
    check_promises(visit);
    check_cells(visit);
    use_buffers(visit);
    fill(post->cell, CELL_WORDS, chart_mark(post->graph, visit->n, version));
    linger(visit);
    post->ran[visit->launch]++;
    return true;
}

void chart_run_host(void *data)
{
    const struct duty *duty = data;
    struct visit visit;
    visit_node(&visit, duty->post, duty->version);
}

void chart_give_back(void *data)
{
    atomic_fetch_add_explicit(&((struct duty *)data)->destroyed, 1, RELAXED);
}

/* The value that a kernel leaves for a conditional: of a WHILE that it is inside of,
 * whether there is another turn. */
static uint32_t value_left(const struct visit *visit)
{
    const struct chart_node *self = &visit->chart->node[visit->n];
    const struct chart_node *node = &visit->chart->node[self->sets];
    bool inside = visit->chart->part[self->part].owner == self->sets;
    return inside ? (visit->run + 1) % node->value != 0 : chart_finds(node);
}

void chart_run_kernel(const rill_launch *launch)
{
    struct post *post = (struct post *)RILL_ARGUMENT(launch, 1, uintptr_t);
    rill_conditional handle = RILL_ARGUMENT(launch, 2, rill_conditional);
    struct visit visit;
    if (!visit_node(&visit, post, RILL_ARGUMENT(launch, 0, uint32_t))) return;
    if (visit.chart->node[visit.n].sets >= 0)
        rill_sim_set_conditional(launch, handle, value_left(&visit));
}

/* ---- Looking on ------------------------------------------------------------------------------ */

static bool all_ran(const struct play *play, int step, bool recorded)
{
    int g = play->program->step[step].graph;
    const struct chart *chart = &play->program->chart[g];
    const struct tally *tally = &play->model->tally[g];
    int launch = tally_launch(tally, step);
    for (int m = 0; m < chart->nodes; m++) {
        if (recorded && (chart->recorder < 0 || !chart_before(chart, m, chart->recorder))) continue;
        if (play->chart[g].post[m].ran[launch] != tally_runs(tally, chart, launch, m)) return false;
    }
    return true;
}

bool chart_is_done(const struct play *play, int step)
{
    return all_ran(play, step, false);
}

bool chart_has_recorded(const struct play *play, int step)
{
    return all_ran(play, step, true);
}

void chart_judge(struct play *play, int graph)
{
    const struct chart *chart = &play->program->chart[graph];
    const struct tally *tally = &play->model->tally[graph];
    for (int n = 0; n < chart->nodes; n++) {
        struct post *post = &play->chart[graph].post[n];
        for (int l = 0; l < tally->launches; l++)
            if (post->ran[l] != tally_runs(tally, chart, l, n))
                accuse(play, tally->step[l], "its node %d ran %u times, not %u", n, post->ran[l],
                       tally_runs(tally, chart, l, n));
        for (unsigned v = 0; v < VERSIONS_MAX; v++) {
            unsigned destroyed = atomic_load_explicit(&post->duty[v].destroyed, RELAXED);
            if (destroyed != post->duty[v].given)
                accuse(play, -1, "node %d of G%d, version %u: given back %u times, not %u", n,
                       graph, v, destroyed, post->duty[v].given);
        }
    }
}
