/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs that change, end and fail while they run, and when memory is short.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/park.h"
#include "sim/replay.h"

static rill_graph *new_graph(struct web_kit *kit)
{
    rill_graph *graph;
    must(rill_graph_create(kit->sized->context, NULL, &graph));
    return graph;
}

static void count(void *data)
{
    atomic_fetch_add((atomic_uint *)data, 1);
}

/* ---- Changes between launches ----------------------------------------------------------- */

#define NODES 6
#define LAUNCHES 40

struct diary {
    atomic_uint given_back;
    unsigned seen[NODES][LAUNCHES], runs[NODES]; /* what a node did in each of its runs */
};

/* What a node does until it is changed. */
struct duty {
    struct diary *diary;
    int node;
    unsigned value;
};

static void do_duty(void *data)
{
    struct duty *duty = data;
    struct diary *diary = duty->diary;
    diary->seen[duty->node][diary->runs[duty->node]++] = duty->value;
}

static void end_duty(void *data)
{
    struct duty *duty = data;
    atomic_fetch_add(&duty->diary->given_back, 1);
    free(duty);
}

static void do_duty_in_kernel(const rill_launch *launch)
{
    do_duty((void *)(uintptr_t)launch->params[0]);
}

static const rill_param duty_params[] = { RILL_PARAM(struct duty) };
static const rill_function duty_function = {
    .name = "duty", .over_grid = do_duty_in_kernel, .params = duty_params, .param_count = 1,
};

/* The first half of the nodes are host functions, the others kernels. */
static rill_op duty_op(struct diary *diary, rill_kernel *kernel, int node, unsigned value,
                       struct duty *here)
{
    const rill_dim3 one = { 1, 1, 1 };
    const struct duty duty = { diary, node, value };
    rill_op op = { .kind = node < NODES / 2 ? RILL_OP_HOST : RILL_OP_KERNEL };
    if (op.kind == RILL_OP_HOST) {
        struct duty *own = malloc(sizeof *own);
        must_be(own != NULL);
        *own = duty;
        op.host = (rill_host_op){ do_duty, own, end_duty };
    } else {
        *here = duty;
        op.kernel = (rill_kernel_op){ .kernel = kernel, .grid = one, .block = one, .buffer = here,
                                      .buffer_bytes = sizeof *here };
    }
    return op;
}

/* What each launch was promised to do. */
struct promise {
    unsigned value[NODES], wanted[NODES][LAUNCHES], runs[NODES];
    bool enabled[NODES];
};

static unsigned change(struct diary *diary, struct promise *promise, struct dice *dice,
                       rill_exec *exec, rill_node *nodes, rill_kernel *kernel)
{
    int node = dice_below(dice, NODES);
    struct duty here;
    /* Not before launches with changes of their own are running. */
    if (node >= NODES / 2 && promise->runs[0] > 8 && dice_chance(dice, 40)) {
        promise->enabled[node] = !promise->enabled[node];
        must(rill_exec_set_enabled(exec, nodes[node], promise->enabled[node]));
        return 0;
    }
    rill_op op = duty_op(diary, kernel, node, ++promise->value[node], &here);
    must(rill_exec_set_op(exec, nodes[node], &op));
    return op.kind == RILL_OP_HOST;
}

static void launch_promised(struct promise *promise, rill_exec *exec, rill_stream *stream)
{
    must(rill_exec_launch(exec, stream));
    for (int i = 0; i < NODES; i++)
        if (promise->enabled[i]) promise->wanted[i][promise->runs[i]++] = promise->value[i];
}

static void change_often(struct web_kit *kit, unsigned seed)
{
    const rill_image image = { .size = sizeof image, .functions = &duty_function,
                               .function_count = 1 };
    struct diary diary = { 0 };
    struct promise promise = { .value = { 0 } };
    struct dice dice = { seed };
    rill_stream *streams[2] = { sized_stream(kit->sized, NON_BLOCKING),
                                sized_stream(kit->sized, NON_BLOCKING) };
    rill_graph *graph = new_graph(kit);
    rill_node nodes[NODES];
    rill_module *module;
    rill_kernel *kernel;
    rill_exec *exec;
    unsigned hosts = NODES / 2;
    must(rill_module_load(kit->sized->context, &image, &module));
    must(rill_module_kernel(module, "duty", &kernel));
    for (int i = 0; i < NODES; i++) {
        struct duty here;
        rill_op op = duty_op(&diary, kernel, i, 0, &here);
        must(rill_graph_add_node(graph, NULL, 0, &op, &nodes[i]));
        promise.enabled[i] = true;
    }
    must(rill_exec_create(graph, NULL, &exec));
    for (int l = 0; l < LAUNCHES; l++) {
        if (l % 8 == 0) sized_gate(kit->sized, streams[0]);
        for (int n = dice_below(&dice, 4); n; n--)
            hosts += change(&diary, &promise, &dice, exec, nodes, kernel);
        launch_promised(&promise, exec, streams[dice_below(&dice, 2)]);
        if (l % 8 == 7) sized_open_gate(kit->sized, kit->sized->gates - 1);
        if (l % 16 == 15) must(rill_stream_synchronize(streams[0]));
    }
    change(&diary, &promise, &dice, exec, nodes, kernel);
    must(rill_exec_destroy(&exec));
    must(rill_graph_destroy(&graph));
    for (int i = 0; i < 2; i++) {
        must(rill_stream_synchronize(streams[i]));
        must(rill_stream_destroy(&streams[i]));
    }
    must(rill_module_unload(&module));
    must_be(!memcmp(diary.runs, promise.runs, sizeof diary.runs));
    must_be(!memcmp(diary.seen, promise.wanted, sizeof diary.seen));
    must_be(atomic_load(&diary.given_back) >= hosts);
    must_be(atomic_load(&diary.given_back) <= hosts + 1);
}

static void changes(struct web_kit *kit)
{
    for (unsigned seed = 0; seed < 8; seed++) change_often(kit, seed);
}

void test_changes_between_launches(void **state)
{
    (void)state;
    replay_each("changes between launches", changes);
}

/* ---- Ends ------------------------------------------------------------------------------- */

static void ends(struct web_kit *kit)
{
    enum { ROUNDS = 150, HOSTS = 20 };
    rill_stream *streams[3];
    atomic_uint ran = 0, given_back = 0;
    unsigned launches = 0;
    for (int i = 0; i < 3; i++) streams[i] = sized_stream(kit->sized, i ? NON_BLOCKING : 0);
    for (int round = 0; round < ROUNDS; round++) {
        rill_graph *graph = new_graph(kit);
        rill_exec *exec;
        atomic_uint *counts[2] = { &ran, &given_back };
        for (int i = 0; i < HOSTS; i++) {
            rill_node node;
            must(rill_graph_add_host(graph, NULL, 0, count, counts[0], NULL, &node));
            must(rill_graph_add_host(graph, &node, 1, count, counts[1], count, &node));
        }
        must(rill_exec_create(graph, NULL, &exec));
        must(rill_graph_destroy(&graph));
        for (int i = round % 4; i >= 0; i--, launches++)
            must(rill_exec_launch(exec, streams[(round + i) % 3]));
        must(rill_exec_destroy(&exec));
        if (round % 7 == 0) must(rill_stream_synchronize(streams[round % 3]));
    }
    for (int i = 0; i < 3; i++) {
        must(rill_stream_synchronize(streams[i]));
        must(rill_stream_destroy(&streams[i]));
    }
    must_be(atomic_load(&ran) == launches * HOSTS);
    /* The last launch gives the data back when it is over, or the destruction did. */
    must_be(atomic_load(&given_back) == launches * HOSTS + ROUNDS * HOSTS);
}

void test_execs_that_end_while_they_run(void **state)
{
    (void)state;
    replay_each("execs that end while they run", ends);
}

/* The handle goes at any moment of a short launch, and mostly when that just ends. */
static void short_ends(struct web_kit *kit)
{
    struct dice dice = { 5 };
    rill_stream *stream = sized_stream(kit->sized, NON_BLOCKING);
    atomic_uint ran = 0, given_back = 0;
    unsigned rounds = (unsigned)sized_scaled(1500);
    for (unsigned round = 0; round < rounds; round++) {
        rill_graph *graph = new_graph(kit);
        rill_exec *exec;
        rill_node node;
        must(rill_graph_add_host(graph, NULL, 0, count, &ran, NULL, &node));
        must(rill_graph_add_host(graph, &node, 1, count, &ran, NULL, &node));
        must(rill_graph_add_host(graph, &node, 1, count, &given_back, count, &node));
        must(rill_exec_create(graph, NULL, &exec));
        must(rill_graph_destroy(&graph));
        must(rill_exec_launch(exec, stream));
        (void)rill_stream_query(stream); /* somebody may run it */
        for (int patience = 1000; atomic_load(&ran) == 2 * round && patience; patience--)
            rl_relax();
        for (int i = dice_below(&dice, 30); i; i--) rl_relax();
        must(rill_exec_destroy(&exec));
        must(rill_stream_synchronize(stream));
        must_be(atomic_load(&ran) == 2 * (round + 1));
        must_be(atomic_load(&given_back) == 2 * (round + 1));
    }
    must(rill_stream_destroy(&stream));
}

void test_execs_that_end_with_their_launch(void **state)
{
    (void)state;
    replay_on(2, "execs that end with their launch", short_ends);
}

/* ---- Faults ----------------------------------------------------------------------------- */

static void run_fault(const rill_launch *launch)
{
    rill_sim_fault(launch, RILL_ERROR_LAUNCH_FAILED, "it does");
}

static const rill_function fault_function = { .name = "fault", .over_grid = run_fault };

struct wreck {
    atomic_uint before, beside, behind, given_back;
};

static void never(void *data)
{
    atomic_fetch_add(&((struct wreck *)data)->behind, 1);
}

static void give_back(void *data)
{
    atomic_fetch_add(&((struct wreck *)data)->given_back, 1);
}

enum { WRECK_WIDTH = 30 };

/* Nodes before the fault, beside it and behind it; `waits`: also one that waits for
 * what never comes. */
static rill_exec *wreck_exec(struct web_kit *kit, struct wreck *wreck, rill_kernel *fault,
                             rill_event *event, bool waits)
{
    const rill_dim3 one = { 1, 1, 1 };
    rill_graph *graph = new_graph(kit);
    rill_node before, middle, node;
    rill_exec *exec;
    must(rill_graph_add_host(graph, NULL, 0, count, &wreck->before, NULL, &before));
    must(rill_graph_add_kernel(graph, &before, 1, fault, one, one, 0, NULL, &middle));
    for (int i = 0; i < WRECK_WIDTH; i++) {
        must(rill_graph_add_host(graph, NULL, 0, count, &wreck->beside, NULL, &node));
        must(rill_graph_add_host(graph, &middle, 1, never, wreck, give_back, &node));
    }
    must(rill_graph_add_event_record(graph, &node, 1, event, &node));
    const rill_value value = { .kind = RILL_VALUE_WAIT_32, .flags = RILL_WAIT_EQ,
                               .address = kit->sized->words_at, .value = 1 };
    if (waits) must(rill_graph_add_values(graph, NULL, 0, &value, 1, 0, &node));
    must(rill_exec_create(graph, NULL, &exec));
    must(rill_graph_destroy(&graph));
    return exec;
}

static void wreck_one(int workers, bool waits)
{
    const rill_image image = { .size = sizeof image, .functions = &fault_function,
                               .function_count = 1 };
    struct sized_platform sized;
    struct web_kit kit;
    struct wreck wreck = { 0 };
    rill_module *module;
    rill_kernel *fault;
    web_kit_open(&kit, &sized, workers);
    must(rill_module_load(sized.context, &image, &module));
    must(rill_module_kernel(module, "fault", &fault));
    rill_stream *streams[2] = { sized_stream(&sized, NON_BLOCKING),
                                sized_stream(&sized, NON_BLOCKING) };
    rill_event *event = sized_event(&sized);
    rill_exec *exec = wreck_exec(&kit, &wreck, fault, event, waits);
    int gate = sized_gate(&sized, streams[0]);
    must_be(gate == 0);
    rill_devptr closed = sized.words_at + 4;
    for (int i = 0; i < 4; i++) must(rill_exec_launch(exec, streams[i % 2]));
    must(rill_stream_wait_value32(streams[1], closed, 1, RILL_WAIT_EQ));
    if (waits) atomic_store(&sized.words[0], 1 | 2); /* neither gate nor node is open ... */
    must(rill_stream_query(streams[0]) == RILL_ERROR_NOT_READY ? RILL_SUCCESS
                                                               : RILL_ERROR_UNKNOWN);
    atomic_store(&sized.words[0], 1);
    must_be(rill_stream_synchronize(streams[0]) == RILL_ERROR_LAUNCH_FAILED);
    must_be(rill_stream_synchronize(streams[1]) == RILL_ERROR_LAUNCH_FAILED);
    must_be(rill_event_synchronize(event) == RILL_ERROR_LAUNCH_FAILED);
    must_be(rill_exec_launch(exec, streams[0]) == RILL_ERROR_LAUNCH_FAILED);
    must_be(atomic_load(&wreck.before) == 1 && atomic_load(&wreck.behind) == 0);
    must_be(atomic_load(&wreck.beside) <= WRECK_WIDTH);
    (void)rill_exec_destroy(&exec);
    for (int i = 0; i < 2; i++) (void)rill_stream_destroy(&streams[i]);
    (void)rill_event_destroy(&event);
    (void)rill_module_unload(&module);
    (void)rill_module_unload(&kit.module);
    (void)rill_host_free(sized.context, sized.words);
    (void)rill_context_destroy(&sized.context);
    must(rill_close(&sized.platform));
    must_be(atomic_load(&wreck.given_back) == WRECK_WIDTH);
    must_be(rl_alloc_live() == sized.live);
}

void test_faults_in_the_midst(void **state)
{
    static const int workers[] = { 1, 2, 8 };
    (void)state;
    for (int i = 0; i < 3; i++)
        for (int n = 0; n < sized_scaled(10); n++) wreck_one(workers[i], n % 2);
}

/* ---- Short memory ----------------------------------------------------------------------- */

/* What a graph with everything in it takes to be made ready, launched and run. */
static void shortage(struct web_kit *kit)
{
    struct dice dice = { 23 };
    rill_stream *stream = sized_stream(kit->sized, NON_BLOCKING);
    rill_event *event = sized_event(kit->sized);
    struct web *web = web_make(kit, &dice, WEB_LAYERS, 150);
    rill_node wait;
    must(rill_graph_add_event_wait(web->graph, NULL, 0, event, &wait));
    must(rill_graph_add_edges(web->graph, &wait, &web->node[0], NULL, 1));
    must(rill_graph_add_event_record(web->graph, &web->node[0], 1, event, &wait));
    for (long after = 0; !web->exec; after++) {
        long live = rl_alloc_live();
        rill_exec_options options = { .size = sizeof options };
        rl_alloc_fail_after(after);
        rill_status status = rill_exec_create(web->graph, &options, &web->exec);
        rl_alloc_fail_after(-1);
        must_be(status == RILL_ERROR_OUT_OF_MEMORY || status == RILL_SUCCESS);
        must_be(!status || (rl_alloc_live() == live && options.result == RILL_EXEC_ERROR));
    }
    for (int round = 0; round < 30; round++) {
        atomic_store(&web->heat, round % 3 ? WEB_COLD : WEB_HOT);
        rl_alloc_fail_after(round % 10);
        if (!rill_exec_launch(web->exec, stream)) web->launched++;
        if (round % 4 == 0) must(rill_stream_synchronize(stream));
        rl_alloc_fail_after(-1);
        if (round % 4 == 1) must(rill_stream_synchronize(stream));
        if (round % 4) continue;
        web_launch(web, stream);
    }
    must(rill_stream_synchronize(stream));
    web_check(web);
    web_free(web);
    must(rill_event_destroy(&event));
    must(rill_stream_destroy(&stream));
}

void test_memory_is_short(void **state)
{
    (void)state;
    replay_each("memory is short", shortage);
}
