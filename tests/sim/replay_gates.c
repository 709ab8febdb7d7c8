/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that have to do with what is outside of their graph, and conditionals.
 */
#include <stdlib.h>

#include "sim/replay.h"

/* ---- Events and values ------------------------------------------------------------------ */

#define GATES 8
#define LAUNCHES 24

struct hall {
    struct web_kit *kit;
    rill_event *opened[GATES], *passed;
    atomic_uint *words;           /* of the gates; the launch that they are open for */
    atomic_uint through[GATES];
    unsigned all;                 /* runs of the last node */
};

struct door {
    struct hall *hall;
    int number;
};

/* Behind a gate: it was open for this launch. */
static void pass(void *data)
{
    struct door *door = data;
    unsigned launch = atomic_fetch_add(&door->hall->through[door->number], 1) + 1;
    must_be(atomic_load(&door->hall->words[door->number]) >= launch);
}

static void pass_all(void *data)
{
    struct hall *hall = data;
    hall->all++;
    for (int i = 0; i < GATES; i++) must_be(atomic_load(&hall->through[i]) == hall->all);
}

/* Gate i waits for its word and writes another one; every other one waits for its
 * event, too, which is recorded anew for each launch. */
static rill_exec *hall_exec(struct hall *hall, struct door *doors)
{
    rill_graph *graph;
    rill_exec *exec;
    rill_node through[GATES], last, done;
    must(rill_graph_create(hall->kit->sized->context, NULL, &graph));
    for (int i = 0; i < GATES; i++) {
        rill_devptr word = hall->kit->sized->words_at + 4 * (unsigned)i;
        const rill_value items[] = {
            { .kind = RILL_VALUE_WRITE_32, .address = word + 256, .value = 7 },
            { .kind = RILL_VALUE_WAIT_32, .flags = RILL_WAIT_GEQ, .address = word, .value = 1 },
            { .kind = RILL_VALUE_WRITE_32, .address = word + 512, .value = 7 },
            { .kind = RILL_VALUE_WAIT_32, .flags = RILL_WAIT_GEQ, .address = word, .value = 1 },
        };
        rill_node gate;
        doors[i] = (struct door){ hall, i };
        must(rill_graph_add_values(graph, NULL, 0, items, 4, 0, &gate));
        if (i % 2) must(rill_graph_add_event_wait(graph, &gate, 1, hall->opened[i], &gate));
        must(rill_graph_add_host(graph, &gate, 1, pass, &doors[i], NULL, &through[i]));
    }
    must(rill_graph_add_host(graph, through, GATES, pass_all, hall, NULL, &last));
    must(rill_graph_add_event_record(graph, &last, 1, hall->passed, &done));
    must(rill_exec_create(graph, NULL, &exec));
    must(rill_graph_destroy(&graph));
    return exec;
}

struct opener {
    struct hall *hall;
    atomic_uint launch; /* to open for */
    atomic_bool stop;
};

static void *open_gates(void *data)
{
    struct opener *opener = data;
    struct dice dice = { 5 };
    unsigned open = 0;
    while (!atomic_load(&opener->stop)) {
        if (atomic_load(&opener->launch) == open) {
            web_spin(5);
            continue;
        }
        open++;
        for (int i = 0, first = dice_below(&dice, GATES); i < GATES; i++) {
            if (dice_chance(&dice, 30)) web_spin((unsigned)dice_below(&dice, 200));
            atomic_store(&opener->hall->words[(first + i) % GATES], open);
        }
    }
    return NULL;
}

struct late {
    struct hall *hall;
    unsigned launch;
};

static void come_behind(void *data)
{
    struct late *late = data;
    for (int i = 0; i < GATES; i++)
        must_be(atomic_load(&late->hall->through[i]) >= late->launch);
}

static void gates(struct web_kit *kit)
{
    struct hall hall = { .kit = kit, .words = kit->sized->words };
    struct door doors[GATES];
    struct late lates[LAUNCHES];
    rill_stream *stream = sized_stream(kit->sized, NON_BLOCKING);
    rill_stream *recorder = sized_stream(kit->sized, NON_BLOCKING);
    rill_stream *behind = sized_stream(kit->sized, NON_BLOCKING);
    for (int i = 0; i < GATES; i++) hall.opened[i] = sized_event(kit->sized);
    hall.passed = sized_event(kit->sized);
    rill_exec *exec = hall_exec(&hall, doors);
    struct opener opener = { .hall = &hall };
    pthread_t thread = sized_thread(open_gates, &opener);
    struct dice dice = { 9 };
    for (unsigned launch = 1; launch <= LAUNCHES; launch++) {
        for (int i = 1; i < GATES; i += 2) {
            rill_devptr word = kit->sized->words_at + 4 * (unsigned)i;
            must(rill_stream_wait_value32(recorder, word, launch, RILL_WAIT_GEQ));
            must(rill_event_record(hall.opened[i], recorder, 0));
        }
        for (int i = 0; i < GATES; i += 2)
            must(rill_stream_wait_value32(stream, kit->sized->words_at + 4 * (unsigned)i, launch,
                                          RILL_WAIT_GEQ));
        must(rill_exec_launch(exec, stream));
        lates[launch - 1] = (struct late){ &hall, launch };
        must(rill_stream_wait_event(behind, hall.passed, 0));
        must(rill_launch_host(behind, come_behind, &lates[launch - 1], NULL));
        atomic_store(&opener.launch, launch);
        if (dice_chance(&dice, 40)) must(rill_event_synchronize(hall.passed));
        else if (dice_chance(&dice, 40)) must(rill_stream_synchronize(behind));
    }
    must(rill_stream_synchronize(behind));
    must(rill_stream_synchronize(stream));
    must_be(hall.all == LAUNCHES);
    atomic_store(&opener.stop, true);
    must_be(!pthread_join(thread, NULL));
    must(rill_exec_destroy(&exec));
    for (int i = 0; i < GATES; i++) must(rill_event_destroy(&hall.opened[i]));
    must(rill_event_destroy(&hall.passed));
    must(rill_stream_destroy(&stream));
    must(rill_stream_destroy(&recorder));
    must(rill_stream_destroy(&behind));
}

void test_gates_in_graphs(void **state)
{
    (void)state;
    replay_each("gates in graphs", gates);
}

/* ---- Conditionals ----------------------------------------------------------------------- */

#define STEPS 10
#define WIDTH 12

/* A WHILE of STEPS turns; in each a SWITCH of three, and in the first of these an
 * IF with an ELSE. */
struct maze {
    rill_conditional loop, way, turn;
    unsigned steps, total;       /* of this launch, of all */
    atomic_uint ways[3], turns[2], wide;
};

static struct maze *maze_of(const rill_launch *launch)
{
    return *(struct maze *const *)launch->params[0];
}

static void take_step(const rill_launch *launch)
{
    struct maze *maze = maze_of(launch);
    if (maze->steps == STEPS) maze->steps = 0;
    maze->steps++;
    maze->total++;
    rill_sim_set_conditional(launch, maze->loop, maze->steps < STEPS);
    rill_sim_set_conditional(launch, maze->way, maze->steps % 4);
    rill_sim_set_conditional(launch, maze->turn, maze->steps % 8 == 0);
}

static void count_one(const rill_launch *launch)
{
    atomic_fetch_add(*(atomic_uint *const *)launch->params[0], 1);
}

static const rill_param maze_params[] = { RILL_PARAM(void *) };
static const rill_function maze_functions[] = {
    { .name = "step", .over_grid = take_step, .params = maze_params, .param_count = 1 },
    { .name = "count", .over_grid = count_one, .params = maze_params, .param_count = 1 },
};

static rill_node add_kernel(rill_graph *graph, rill_node after, rill_kernel *kernel, void *data)
{
    const rill_dim3 one = { 1, 1, 1 };
    rill_node node;
    must(rill_graph_add_kernel(graph, &after, after != NULL, kernel, one, one, 0,
                               (const void *const[]){ &data }, &node));
    return node;
}

static rill_exec *maze_exec(struct web_kit *kit, struct maze *maze, rill_kernel *step,
                            rill_kernel *count)
{
    rill_graph *graph, *loop, *ways[3], *turns[2];
    rill_node node;
    rill_exec *exec;
    must(rill_graph_create(kit->sized->context, NULL, &graph));
    must(rill_conditional_create(graph, 1, RILL_CONDITIONAL_ASSIGN, &maze->loop));
    must(rill_conditional_create(graph, 0, RILL_CONDITIONAL_ASSIGN, &maze->way));
    must(rill_conditional_create(graph, 0, 0, &maze->turn));
    must(rill_graph_add_conditional(graph, NULL, 0, maze->loop, RILL_CONDITIONAL_WHILE, 1, &loop,
                                    &node));
    rill_node first = add_kernel(loop, NULL, step, maze);
    must(rill_graph_add_conditional(loop, &first, 1, maze->way, RILL_CONDITIONAL_SWITCH, 3, ways,
                                    &node));
    for (int i = 0; i < 3; i++) add_kernel(ways[i], NULL, count, &maze->ways[i]);
    for (int i = 0; i < WIDTH; i++) add_kernel(loop, first, count, &maze->wide);
    must(rill_graph_add_conditional(ways[0], NULL, 0, maze->turn, RILL_CONDITIONAL_IF, 2, turns,
                                    &node));
    for (int i = 0; i < 2; i++) add_kernel(turns[i], NULL, count, &maze->turns[i]);
    must(rill_exec_create(graph, NULL, &exec));
    must(rill_graph_destroy(&graph));
    return exec;
}

static void conditionals(struct web_kit *kit)
{
    const rill_image image = { .size = sizeof image, .functions = maze_functions,
                               .function_count = 2 };
    enum { MAZES = 2, ROUNDS = 15 };
    struct maze mazes[MAZES] = { 0 };
    rill_exec *execs[MAZES];
    rill_stream *streams[2] = { sized_stream(kit->sized, 0),
                                sized_stream(kit->sized, NON_BLOCKING) };
    rill_module *module;
    rill_kernel *step, *count;
    must(rill_module_load(kit->sized->context, &image, &module));
    must(rill_module_kernel(module, "step", &step));
    must(rill_module_kernel(module, "count", &count));
    for (int i = 0; i < MAZES; i++) execs[i] = maze_exec(kit, &mazes[i], step, count);
    for (int i = 0; i < ROUNDS; i++) {
        for (int m = 0; m < MAZES; m++) must(rill_exec_launch(execs[m], streams[(i + m) % 2]));
        if (i % 4 == 0) must(rill_stream_synchronize(streams[i % 3 == 0]));
    }
    must(rill_module_unload(&module));
    for (int i = 0; i < MAZES; i++) must(rill_exec_destroy(&execs[i]));
    for (int i = 0; i < 2; i++) {
        must(rill_stream_synchronize(streams[i]));
        must(rill_stream_destroy(&streams[i]));
    }
    for (int i = 0; i < MAZES; i++) {
        /* Of the steps 1 to 10: 4 and 8 go the first way, 1, 5 and 9 the second. */
        must_be(mazes[i].total == ROUNDS * STEPS);
        must_be(atomic_load(&mazes[i].wide) == ROUNDS * STEPS * WIDTH);
        must_be(atomic_load(&mazes[i].ways[0]) == 2 * ROUNDS);
        must_be(atomic_load(&mazes[i].ways[1]) == 3 * ROUNDS);
        must_be(atomic_load(&mazes[i].ways[2]) == 3 * ROUNDS);
        must_be(atomic_load(&mazes[i].turns[0]) == ROUNDS);
        must_be(atomic_load(&mazes[i].turns[1]) == ROUNDS);
    }
}

void test_conditionals(void **state)
{
    (void)state;
    replay_each("conditionals", conditionals);
}
