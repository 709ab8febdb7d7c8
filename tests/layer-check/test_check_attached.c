/* SPDX-License-Identifier: Apache-2.0
 *
 * Managed memory on a device that takes turns with the host: it has no concurrent access.  The
 * programs are those that the CUDA programming guide has of it, and their mistakes.
 */
#include "layer-check/pages/pages.h"
#include "layer-check/pairs.h"

/* k(to) stores where it points to; idle() touches nothing. */
static const char text[] =
    ".version 6.4\n.target sm_70\n.address_size 64\n"
    ".visible .entry k(.param .u64 to) {\n"
    " .reg .b64 %a; ld.param.u64 %a, [to]; st.global.u64 [%a], %a; ret; }\n"
    ".visible .entry idle() { ret; }\n";

struct scene {
    struct checked *c;
    rill_module *module;
    rill_kernel *k, *idle;
    rill_devptr managed;
};

static struct scene begin_scene(struct checked *c, uint32_t flags)
{
    const rill_image image = { .size = sizeof image, .code = text };
    struct scene scene = { .c = c };
    OK(rill_module_load(c->context, &image, &scene.module));
    OK(rill_module_kernel(scene.module, "k", &scene.k));
    OK(rill_module_kernel(scene.module, "idle", &scene.idle));
    OK(rill_mem_alloc_managed(c->context, BYTES, flags, &scene.managed));
    return scene;
}

static void end_scene(struct scene *scene)
{
    OK(rill_context_synchronize(scene->c->context));
    OK(rill_mem_free(scene->c->context, scene->managed));
    OK(rill_module_unload(&scene->module));
}

static void launch(const struct scene *scene, rill_stream *stream)
{
    const rill_dim3 one = { 1, 1, 1 };
    OK(rill_launch_kernel(stream, scene->k, one, one, 0, (const void *[]){ &scene->managed }));
}

static void launch_idle(const struct scene *scene, rill_stream *stream)
{
    const rill_dim3 one = { 1, 1, 1 };
    OK(rill_launch_kernel(stream, scene->idle, one, one, 0, NULL));
}

static void touch(const struct scene *scene)
{
    *(volatile unsigned char *)(uintptr_t)scene->managed = 1;
}

static void attach(const struct scene *scene, rill_stream *stream, uint32_t flags)
{
    OK(rill_stream_attach(stream, scene->managed, 0, flags));
}

/* ---- The host and kernels ------------------------------------------------------------------- */

static void touch_while_busy(struct checked *c, bool good)
{
    struct scene scene = begin_scene(c, RILL_ATTACH_GLOBAL);
    launch_idle(&scene, c->s);
    if (good) OK(rill_stream_synchronize(c->s));
    touch(&scene);
    end_scene(&scene);
}

static void memory_that_no_kernel_uses_is_not_the_hosts_while_one_runs(void **state)
{
    (void)state;
    const struct found found = expect_bug(touch_while_busy, RILL_FINDING_MANAGED);
    assert_string_equal(found.sentence,
                        "the host touches managed memory while kernel 'idle' may run, on a device "
                        "that takes turns with the host");
    assert_int_equal(found.mend, RILL_MEND_SYNC);
    assert_int_equal(found.bytes, 1);
}

static void touch_what_it_uses(struct checked *c, bool good)
{
    struct scene scene = begin_scene(c, RILL_ATTACH_GLOBAL);
    launch(&scene, c->s);
    if (good) OK(rill_stream_synchronize(c->s));
    touch(&scene);
    end_scene(&scene);
}

static void a_race_is_told_as_a_race(void **state)
{
    (void)state;
    expect_bug(touch_what_it_uses, RILL_FINDING_RACE);
}

static void touch_other_stream(struct checked *c, bool good)
{
    struct scene scene = begin_scene(c, RILL_ATTACH_GLOBAL);
    if (good) attach(&scene, c->s, RILL_ATTACH_SINGLE);
    OK(rill_stream_synchronize(c->s));
    launch_idle(&scene, c->t);
    touch(&scene);
    end_scene(&scene);
}

static void memory_of_one_stream_is_the_hosts_while_others_run(void **state)
{
    (void)state;
    expect_bug(touch_other_stream, RILL_FINDING_MANAGED);
}

static void touch_own(struct checked *c, bool good)
{
    struct scene scene = begin_scene(c, RILL_ATTACH_GLOBAL);
    attach(&scene, c->s, good ? RILL_ATTACH_HOST : RILL_ATTACH_SINGLE);
    OK(rill_stream_synchronize(c->s));
    launch_idle(&scene, c->s);
    touch(&scene);
    end_scene(&scene);
}

static void memory_of_the_host_is_its_own_at_any_time(void **state)
{
    (void)state;
    expect_bug(touch_own, RILL_FINDING_MANAGED);
}

static void touch_at_once(struct checked *c, bool good)
{
    struct scene scene = begin_scene(c, RILL_ATTACH_GLOBAL);
    attach(&scene, c->s, RILL_ATTACH_HOST);
    if (good) OK(rill_stream_synchronize(c->s));
    launch_idle(&scene, c->t);
    touch(&scene);
    end_scene(&scene);
}

static void an_attachment_holds_for_the_host_once_it_has_waited_for_it(void **state)
{
    (void)state;
    expect_bug(touch_at_once, RILL_FINDING_MANAGED);
}

static void touch_during_replay(struct checked *c, bool good)
{
    struct scene scene = begin_scene(c, RILL_ATTACH_GLOBAL);
    rill_graph *graph = NULL;
    rill_exec *exec = NULL;
    OK(rill_stream_begin_capture(c->s, NULL));
    launch_idle(&scene, c->s);
    OK(rill_stream_end_capture(c->s, &graph));
    OK(rill_exec_create(graph, NULL, &exec));
    OK(rill_exec_launch(exec, c->s));
    if (good) OK(rill_stream_synchronize(c->s));
    touch(&scene);
    end_scene(&scene);
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
}

static void kernels_of_graphs_count(void **state)
{
    (void)state;
    expect_bug(touch_during_replay, RILL_FINDING_MANAGED);
}

/* ---- Streams -------------------------------------------------------------------------------- */

static void use_in_another(struct checked *c, bool good)
{
    struct scene scene = begin_scene(c, RILL_ATTACH_GLOBAL);
    attach(&scene, c->s, RILL_ATTACH_SINGLE);
    order(c, c->s, c->t);
    launch(&scene, good ? c->s : c->t);
    end_scene(&scene);
}

static void what_one_stream_has_is_not_for_another_in_any_order(void **state)
{
    (void)state;
    const struct found found = expect_bug(use_in_another, RILL_FINDING_MANAGED);
    assert_string_equal(found.sentence, "kernel 'k' uses managed memory that is attached to "
                                        "another stream alone");
    assert_string_equal(found.what[1], "rill_stream_attach");
}

static void fill_in_another(struct checked *c, bool good)
{
    struct scene scene = begin_scene(c, RILL_ATTACH_GLOBAL);
    attach(&scene, c->s, RILL_ATTACH_SINGLE);
    OK(rill_stream_synchronize(c->s));
    OK(rill_memset_d8_async(good ? c->s : c->t, scene.managed, 1, BYTES));
    end_scene(&scene);
}

static void nor_for_a_fill_of_another(void **state)
{
    (void)state;
    expect_bug(fill_in_another, RILL_FINDING_MANAGED);
}

static void use_what_is_the_hosts(struct checked *c, bool good)
{
    struct scene scene = begin_scene(c, RILL_ATTACH_HOST);
    touch(&scene);
    if (good) attach(&scene, c->s, RILL_ATTACH_SINGLE);
    launch(&scene, c->s);
    end_scene(&scene);
}

static void what_was_allocated_for_the_host_is_attached_first(void **state)
{
    (void)state;
    const struct found found = expect_bug(use_what_is_the_hosts, RILL_FINDING_MANAGED);
    assert_string_equal(found.sentence,
                        "kernel 'k' uses managed memory that is attached to the host alone");
    assert_string_equal(found.what[1], "the allocation");
}

static void use_early(struct checked *c, bool good)
{
    struct scene scene = begin_scene(c, RILL_ATTACH_HOST);
    attach(&scene, c->s, RILL_ATTACH_GLOBAL);
    if (good) order(c, c->s, c->t);
    launch(&scene, c->t);
    end_scene(&scene);
}

static void an_attachment_holds_for_what_comes_after_it(void **state)
{
    (void)state;
    const struct found found = expect_bug(use_early, RILL_FINDING_MANAGED);
    assert_string_equal(found.sentence, "kernel 'k' uses managed memory that may still be "
                                        "attached to the host alone");
    assert_int_equal(found.mend, RILL_MEND_WAIT);
}

static void take_away(struct checked *c, bool good)
{
    struct scene scene = begin_scene(c, RILL_ATTACH_GLOBAL);
    launch(&scene, c->t);
    if (good) order(c, c->t, c->s);
    attach(&scene, c->s, RILL_ATTACH_SINGLE);
    end_scene(&scene);
}

static void memory_is_not_taken_from_who_may_still_use_it(void **state)
{
    (void)state;
    const struct found found = expect_bug(take_away, RILL_FINDING_MANAGED);
    assert_string_equal(found.sentence, "rill_stream_attach takes managed memory from kernel 'k', "
                                        "which may still use it");
}

static void use_after_stream(struct checked *c, bool good)
{
    struct scene scene = begin_scene(c, RILL_ATTACH_GLOBAL);
    rill_stream *stream = new_stream(c, RILL_STREAM_NON_BLOCKING);
    attach(&scene, stream, RILL_ATTACH_SINGLE);
    launch(&scene, stream);
    OK(rill_stream_synchronize(stream));
    if (good) OK(rill_stream_destroy(&stream));
    launch(&scene, c->t);
    end_scene(&scene);
    if (!good) OK(rill_stream_destroy(&stream));
}

static void memory_of_a_stream_that_is_gone_is_as_it_was_allocated(void **state)
{
    (void)state;
    expect_bug(use_after_stream, RILL_FINDING_MANAGED);
}

/* ---- What is right ------------------------------------------------------------------------- */

/* Each stream has its own memory, which the host prepares while the others run. */
static void threads_with_a_stream_and_memory_of_their_own_are_right(void **state)
{
    struct checked c;
    (void)state;
    begin_pair(&c);
    struct scene scenes[2] = { begin_scene(&c, RILL_ATTACH_HOST),
                               begin_scene(&c, RILL_ATTACH_HOST) };
    rill_stream *const streams[2] = { c.s, c.t };
    for (int i = 0; i < 2; i++) {
        attach(&scenes[i], streams[i], RILL_ATTACH_SINGLE);
        OK(rill_stream_synchronize(streams[i]));
    }
    for (int round = 0; round < 20; round++)
        for (int i = 0; i < 2; i++) {
            OK(rill_stream_synchronize(streams[i]));
            touch(&scenes[i]);
            launch(&scenes[i], streams[i]);
        }
    for (int i = 0; i < 2; i++) end_scene(&scenes[i]);
    expect_nothing(&c);
    end_pair(&c);
}

/* A copy may go by way of the host, and other work is no kernel. */
static void copies_and_other_work_do_not_keep_the_host_away(void **state)
{
    struct checked c;
    (void)state;
    begin_pair(&c);
    struct scene scene = begin_scene(&c, RILL_ATTACH_GLOBAL);
    OK(rill_memcpy_dtod_async(c.s, c.x, c.y, BYTES));
    touch(&scene);
    attach(&scene, c.s, RILL_ATTACH_SINGLE);
    OK(rill_stream_synchronize(c.s));
    OK(rill_memcpy_dtod_async(c.t, c.x, scene.managed, BYTES));
    end_scene(&scene);
    expect_nothing(&c);
    end_pair(&c);
}

/* ---- Devices with concurrent access -------------------------------------------------------- */

static void touch_and_use_anywhere(struct checked *c)
{
    struct scene scene = begin_scene(c, RILL_ATTACH_HOST);
    attach(&scene, c->s, RILL_ATTACH_SINGLE);
    OK(rill_stream_synchronize(c->s));
    launch(&scene, c->t);
    OK(rill_stream_synchronize(c->t));
    launch_idle(&scene, c->s);
    touch(&scene);
    end_scene(&scene);
}

static void attachments_promise_nothing_to_them(void **state)
{
    struct checked c;
    (void)state;
    setenv("RILL_SIM_DEVICE", "default", 1);
    begin_pair(&c);
    touch_and_use_anywhere(&c);
    expect_nothing(&c);
    end_pair(&c);
    setenv("RILL_SIM_DEVICE", "xavier", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_no_kernel_uses_is_not_the_hosts_while_one_runs),
        cmocka_unit_test(a_race_is_told_as_a_race),
        cmocka_unit_test(memory_of_one_stream_is_the_hosts_while_others_run),
        cmocka_unit_test(memory_of_the_host_is_its_own_at_any_time),
        cmocka_unit_test(an_attachment_holds_for_the_host_once_it_has_waited_for_it),
        cmocka_unit_test(kernels_of_graphs_count),
        cmocka_unit_test(what_one_stream_has_is_not_for_another_in_any_order),
        cmocka_unit_test(nor_for_a_fill_of_another),
        cmocka_unit_test(what_was_allocated_for_the_host_is_attached_first),
        cmocka_unit_test(an_attachment_holds_for_what_comes_after_it),
        cmocka_unit_test(memory_is_not_taken_from_who_may_still_use_it),
        cmocka_unit_test(memory_of_a_stream_that_is_gone_is_as_it_was_allocated),
        cmocka_unit_test(threads_with_a_stream_and_memory_of_their_own_are_right),
        cmocka_unit_test(copies_and_other_work_do_not_keep_the_host_away),
        cmocka_unit_test(attachments_promise_nothing_to_them),
    };
    const char *unusable = ck_pages_unusable();
    if (unusable) {
        printf("1..0 # SKIP %s\n", unusable);
        return 0;
    }
    setenv("RILL_SIM_DEVICE", "xavier", 1);
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
