/* SPDX-License-Identifier: Apache-2.0
 *
 * A host function and the host on the same pinned memory, where `protected` has all of it seen:
 * the host touches it before the function begins, while it runs, and when it has ended.
 */
#include <sched.h>
#include <stdatomic.h>

#include "layer-check/pages/pages.h"
#include "layer-check/pairs.h"

struct scene {
    unsigned char *pinned;
    atomic_bool begun, go, over;
};

static void begin_scene(struct checked *c, struct scene *scene)
{
    *scene = (struct scene){ .pinned = NULL };
    OK(rill_host_alloc(c->context, BYTES, 0, (void **)&scene->pinned));
}

static void end_scene(struct checked *c, const struct scene *scene)
{
    OK(rill_context_synchronize(c->context));
    OK(rill_host_free(c->context, scene->pinned));
}

static void wait_for(const atomic_bool *flag)
{
    while (!atomic_load(flag)) sched_yield();
}

static void touch(unsigned char *pinned)
{
    *(volatile unsigned char *)pinned = 2;
}

static void hold(void *data)
{
    struct scene *scene = data;
    atomic_store(&scene->begun, true);
    wait_for(&scene->go);
}

static void fill(void *data)
{
    const struct scene *scene = data;
    touch(scene->pinned);
}

static void hold_and_fill(void *data)
{
    hold(data);
    fill(data);
}

static void tell(void *data)
{
    struct scene *scene = data;
    atomic_store(&scene->over, true);
}

static void the_host_is_there_before_the_function_program(struct checked *c, bool good)
{
    struct scene scene;
    begin_scene(c, &scene);
    OK(rill_launch_host(c->s, hold, &scene, NULL));
    if (good) touch(scene.pinned);
    OK(rill_launch_host(c->s, fill, &scene, NULL));
    if (!good) touch(scene.pinned);
    atomic_store(&scene.go, true);
    end_scene(c, &scene);
}

/* A call between the two has the page closed again. */
static void the_host_is_there_while_the_function_runs_program(struct checked *c, bool good)
{
    struct scene scene;
    begin_scene(c, &scene);
    OK(rill_launch_host(c->s, hold_and_fill, &scene, NULL));
    wait_for(&scene.begun);
    touch(scene.pinned + (good ? 1 : 0)); /* the same page */
    OK(rill_event_record(c->event, c->t, 0));
    atomic_store(&scene.go, true);
    end_scene(c, &scene);
}

static void the_host_is_there_behind_the_function_program(struct checked *c, bool good)
{
    struct scene scene;
    begin_scene(c, &scene);
    OK(rill_launch_host(c->s, fill, &scene, NULL));
    OK(rill_launch_host(c->s, tell, &scene, NULL));
    wait_for(&scene.over);
    if (good) OK(rill_stream_synchronize(c->s));
    touch(scene.pinned);
    end_scene(c, &scene);
}

static void the_function_is_a_node_program(struct checked *c, bool good)
{
    struct scene scene;
    rill_op op = { .kind = RILL_OP_HOST, .host = { .fn = fill, .data = &scene } };
    rill_graph *graph;
    rill_exec *exec;
    rill_node node;
    begin_scene(c, &scene);
    OK(rill_graph_create(c->context, NULL, &graph));
    OK(rill_graph_add_node(graph, NULL, 0, &op, &node));
    OK(rill_exec_create(graph, NULL, &exec));
    OK(rill_launch_host(c->s, hold, &scene, NULL));
    if (good) touch(scene.pinned);
    OK(rill_exec_launch(exec, c->s));
    if (!good) touch(scene.pinned);
    atomic_store(&scene.go, true);
    end_scene(c, &scene);
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
}

RACES(the_host_is_there_before_the_function)
RACES(the_host_is_there_while_the_function_runs)
RACES(the_host_is_there_behind_the_function)
RACES(the_function_is_a_node)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_is_there_before_the_function),
        cmocka_unit_test(the_host_is_there_while_the_function_runs),
        cmocka_unit_test(the_host_is_there_behind_the_function),
        cmocka_unit_test(the_function_is_a_node),
    };
    const char *unusable = ck_pages_unusable();
    if (unusable) {
        printf("1..0 # SKIP %s\n", unusable);
        return 0;
    }
    setenv("RILL_CHECK", "race life protected log=/dev/null", 1);
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
