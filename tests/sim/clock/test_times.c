/* SPDX-License-Identifier: Apache-2.0
 *
 * How long things take on a virtual clock, and what the host sees of it.
 */
#include "sim/clock/timed.h"

static float elapsed(rill_event *from, rill_event *to)
{
    float ms = -1;
    ok(rill_event_elapsed(from, to, &ms));
    return ms;
}

/* ---- Costs ---------------------------------------------------------------------------------- */

static void a_copy_costs_by_its_path(void **state)
{
    static const char costs[] =
        "copy host-to-device pageable 1us\n" "copy host-to-device pinned 2us\n"
        "copy device-to-host pageable 3us\n" "copy device-to-host pinned 4us\n"
        "copy device-to-device 5us\n"        "copy peer 6us\n"
        "copy host-to-host 7us\n"            "fill 8us\n";
    static const char *const names[] = {
        "copy host-to-device pageable", "copy host-to-device pinned",
        "copy device-to-host pageable", "copy device-to-host pinned",
        "copy device-to-device", "copy peer", "copy host-to-host", "fill",
    };
    struct timed t;
    (void)state;
    open_timed_with(&t, costs, 1);
    rill_stream *s = t.streams[0][0];
    rill_devptr here = t.memory[0][0], there = t.memory[1][0];
    char *pinned = t.pinned, *pageable = t.pageable;
    ok(rill_memcpy_htod_async(s, here, pageable, 64));
    ok(rill_memcpy_htod_async(s, here, pinned, 64));
    ok(rill_memcpy_dtoh_async(s, pageable, here, 64));
    ok(rill_memcpy_dtoh_async(s, pinned, here, 64));
    ok(rill_memcpy_dtod_async(s, t.memory[0][1], here, 64));
    ok(rill_memcpy_peer_async(s, t.contexts[1], there, t.contexts[0], here, 64));
    ok(rill_memcpy_async(s, (rill_devptr)(uintptr_t)pinned,
                         (rill_devptr)(uintptr_t)(pinned + 64), 64));
    ok(rill_memset_d8_async(s, here, 1, 64));
    const rill_sim_history *history = wait_and_look(&t);
    assert_int_equal(history->count, 8);
    for (int i = 0; i < 8; i++) {
        const rill_sim_span *span = &history->spans[i];
        assert_string_equal(span->name, names[i]);
        assert_int_equal(span->end_ns - span->start_ns, (i + 1) * 1000);
        assert_int_equal(span->kind, i < 7 ? RILL_OP_MEMCPY : RILL_OP_MEMSET);
    }
    close_timed(&t);
}

static void bytes_and_threads_are_charged_exactly(void **state)
{
    struct timed t;
    (void)state;
    open_timed_with(&t, "copy host-to-device pinned 1.5us 3GB/s\n"
                        "fill 0ns 2kB/s # a slow one\n"
                        "kernel 1us 0.5G/s\n", 1);
    rill_stream *s = t.streams[0][0];
    to_device(&t, s, 1000); /* a third of a nanosecond more than 333 */
    ok(rill_memset_d32_async(s, t.memory[0][0], 1, 3));
    work_for(&t, s, 70);
    const rill_sim_history *history = wait_and_look(&t);
    span_is(&history->spans[0], 0, 1834);
    span_is(&history->spans[1], 1834, 6001834);
    span_is(&history->spans[2], 6001834, 6001834 + 1000 + 140);
    close_timed(&t);
}

static void idle_kernel(const rill_launch *launch)
{
    (void)launch;
}

/* Of a C function that says nothing, each thread is an instruction; a kernel that has a line of its
 * own costs what that says. */
static void kernels_cost_by_name_or_by_threads(void **state)
{
    static const rill_function functions[] = {
        { .name = "plain", .over_grid = idle_kernel },
        { .name = "known", .over_grid = idle_kernel },
    };
    const rill_image image = { .size = sizeof image, .functions = functions, .function_count = 2 };
    const rill_dim3 grid = { 2, 3, 1 }, block = { 32, 1, 1 };
    rill_module *module = NULL;
    struct timed t;
    (void)state;
    open_timed_with(&t, PLAIN_COSTS "kernel known 5us\n", 1);
    ok(rill_module_load(t.contexts[0], &image, &module));
    for (int i = 0; i < 2; i++) {
        rill_kernel *kernel = NULL;
        ok(rill_module_kernel(module, functions[i].name, &kernel));
        ok(rill_launch_kernel(t.streams[0][0], kernel, grid, block, 0, NULL));
    }
    const rill_sim_history *history = wait_and_look(&t);
    span_is(&history->spans[0], 0, 192);
    span_is(&history->spans[1], 192, 5192);
    assert_string_equal(history->spans[1].name, "known");
    ok(rill_module_unload(&module));
    close_timed(&t);
}

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry spin(.param .u32 rounds)\n{\n"
    "    .reg .u32 %r<3>;\n    .reg .pred %p;\n"
    "    ld.param.u32 %r1, [rounds];\n    mov.u32 %r2, 0;\n"
    "again:\n    add.u32 %r2, %r2, 1;\n    setp.lt.u32 %p, %r2, %r1;\n    @%p bra again;\n"
    "    ret;\n}\n";

/* Instructions of PTX are counted, in all threads. */
static void ptx_costs_what_it_runs(void **state)
{
    const rill_image image = { .size = sizeof image, .code = ptx, .code_bytes = sizeof ptx };
    const rill_dim3 one = { 1, 1, 1 }, threads = { 64, 1, 1 };
    rill_module *module = NULL;
    rill_kernel *kernel = NULL;
    struct timed t;
    uint64_t took[3];
    (void)state;
    open_timed(&t);
    ok(rill_module_load(t.contexts[0], &image, &module));
    ok(rill_module_kernel(module, "spin", &kernel));
    for (int i = 0; i < 3; i++) {
        uint32_t rounds = i ? 1000 : 500;
        const void *params[] = { &rounds };
        ok(rill_launch_kernel(t.streams[0][0], kernel, one, i < 2 ? one : threads, 0, params));
    }
    const rill_sim_history *history = wait_and_look(&t);
    for (int i = 0; i < 3; i++)
        took[i] = history->spans[i].end_ns - history->spans[i].start_ns;
    assert_in_range(took[1] - took[0], 1000, 1500); /* two or three instructions a round */
    assert_int_equal(took[2], 64 * took[1]);
    ok(rill_module_unload(&module));
    close_timed(&t);
}

static const char timer[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry linger(.param .u64 ns)\n{\n"
    "    .reg .u64 %t<4>;\n    .reg .pred %p;\n"
    "    ld.param.u64 %t1, [ns];\n    mov.u64 %t2, %globaltimer;\n    add.u64 %t1, %t1, %t2;\n"
    "again:\n    mov.u64 %t2, %globaltimer;\n    setp.lt.u64 %p, %t2, %t1;\n"
    "    @%p bra again;\n    ret;\n}\n";

/* One that looks at the clock until it is late enough takes that long. */
static void a_kernel_can_wait_for_the_clock(void **state)
{
    const rill_image image = { .size = sizeof image, .code = timer, .code_bytes = sizeof timer };
    const rill_dim3 one = { 1, 1, 1 };
    const uint64_t wanted = 2000000;
    const void *params[] = { &wanted };
    rill_module *module = NULL;
    rill_kernel *kernel = NULL;
    struct timed t;
    (void)state;
    open_timed_with(&t, "kernel 0ns\n", 1);
    ok(rill_module_load(t.contexts[0], &image, &module));
    ok(rill_module_kernel(module, "linger", &kernel));
    ok(rill_launch_kernel(t.streams[0][0], kernel, one, one, 0, params));
    assert_in_range(wait_and_look(&t)->makespan_ns, wanted, wanted + 200);
    ok(rill_module_unload(&module));
    close_timed(&t);
}

static void wait_really(void *data)
{
    (void)data;
    nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
}

static void host_functions_cost_what_is_declared(void **state)
{
    struct timed t;
    (void)state;
    open_timed_with(&t, PLAIN_COSTS "host 7us", 2);
    for (int i = 0; i < 2; i++) ok(rill_launch_host(t.streams[0][i], wait_really, NULL, NULL));
    const rill_sim_history *history = wait_and_look(&t);
    span_is(&history->spans[0], 0, 7000);
    span_is(&history->spans[1], 7000, 14000); /* one at a time, as a driver does */
    close_timed(&t);
}

static void or_what_they_take(void **state)
{
    struct timed t;
    (void)state;
    open_timed_with(&t, PLAIN_COSTS "host measured\n", 2);
    ok(rill_launch_host(t.streams[0][0], wait_really, NULL, NULL));
    assert_true(wait_and_look(&t)->makespan_ns >= 2000000);
    close_timed(&t);
}

/* ---- What the host sees ------------------------------------------------------------------- */

static void elapsed_times_are_exact(void **state)
{
    (void)state;
    for (int workers = 1; workers <= 8; workers *= 2) {
        struct timed t;
        open_timed_with(&t, PLAIN_COSTS, workers);
        rill_event *events[3];
        for (int i = 0; i < 3; i++) events[i] = timing_event(&t);
        ok(rill_event_record(events[0], t.streams[0][0], 0));
        to_device(&t, t.streams[0][0], 1 << 20);
        ok(rill_event_record(events[1], t.streams[0][0], 0));
        work_for(&t, t.streams[0][0], 123457);
        ok(rill_event_record(events[2], t.streams[0][0], 0));
        is(RILL_ERROR_NOT_READY, rill_event_elapsed(events[0], events[2], &(float){ 0 }));
        ok(rill_event_synchronize(events[2]));
        assert_true(elapsed(events[0], events[1]) == 1.048576f);
        assert_true(elapsed(events[1], events[2]) == 0.123457f);
        assert_int_equal(clock_of(&t), 1048576 + 123457);
        for (int i = 0; i < 3; i++) ok(rill_event_destroy(&events[i]));
        close_timed(&t);
    }
}

/* The host is at work for no time, unless it says so; meanwhile nothing gets on. */
static void the_host_has_a_time_of_its_own(void **state)
{
    struct timed t;
    (void)state;
    open_timed(&t);
    rill_stream *s = t.streams[0][0];
    work_for(&t, s, 1000);
    is(RILL_ERROR_NOT_READY, rill_stream_query(s));
    assert_int_equal(clock_of(&t), 0);
    ok(rill_sim_pass_time(t.platform, 999));
    is(RILL_ERROR_NOT_READY, rill_stream_query(s));
    ok(rill_sim_pass_time(t.platform, 1));
    ok(rill_stream_query(s));
    ok(rill_sim_pass_time(t.platform, 500));
    work_for(&t, s, 10);
    span_is(&wait_and_look(&t)->spans[1], 1500, 1510);
    assert_int_equal(clock_of(&t), 1510);
    close_timed(&t);
}

static void calls_can_cost(void **state)
{
    struct timed t;
    (void)state;
    open_timed_with(&t, PLAIN_COSTS "call 100ns", 1);
    uint64_t before = clock_of(&t);
    work_for(&t, t.streams[0][0], 50);
    work_for(&t, t.streams[0][0], 50);
    const rill_sim_history *history = wait_and_look(&t);
    assert_int_equal(history->spans[1].start_ns - history->spans[0].start_ns, 100);
    assert_true(history->spans[0].start_ns >= before + 100);
    close_timed(&t);
}

/* Whoever asks again and again gets on to what happens next, one thing at a time. */
static void polling_takes_until_it_is_so(void **state)
{
    struct timed t;
    (void)state;
    open_timed(&t);
    work_for(&t, t.streams[0][0], 300);
    work_for(&t, t.streams[0][1], 100);
    while (rill_stream_query(t.streams[0][1]) == RILL_ERROR_NOT_READY) continue;
    assert_int_equal(clock_of(&t), 100);
    is(RILL_ERROR_NOT_READY, rill_stream_query(t.streams[0][0]));
    while (rill_stream_query(t.streams[0][0]) == RILL_ERROR_NOT_READY) continue;
    assert_int_equal(clock_of(&t), 300);
    close_timed(&t);
}

/* What was waited for first is over first, whatever was submitted first. */
static void values_are_seen_in_the_order_of_time(void **state)
{
    struct timed t;
    (void)state;
    open_timed(&t);
    atomic_uint *word = t.pinned;
    atomic_store(word, 0); /* pinned memory begins with anything */
    rill_devptr address = (rill_devptr)(uintptr_t)word;
    work_for(&t, t.streams[0][0], 900);
    ok(rill_stream_write_value32(t.streams[0][0], address, 1, 0));
    work_for(&t, t.streams[0][1], 400);
    ok(rill_stream_write_value32(t.streams[0][1], address, 2, 0));
    ok(rill_stream_wait_value32(t.streams[1][0], address, 2, RILL_WAIT_GEQ));
    ok(rill_stream_synchronize(t.streams[1][0]));
    assert_int_equal(clock_of(&t), 400);
    assert_int_equal(atomic_load(word), 2);
    ok(rill_stream_synchronize(t.streams[0][0]));
    assert_int_equal(atomic_load(word), 1);
    close_timed(&t);
}

static void the_timeline_can_begin_anew(void **state)
{
    struct timed t;
    (void)state;
    open_timed(&t);
    work_for(&t, t.streams[0][0], 100);
    assert_int_equal(wait_and_look(&t)->count, 1);
    ok(rill_sim_timeline_clear(t.platform));
    assert_int_equal(look(&t)->count, 0);
    assert_int_equal(look(&t)->makespan_ns, 0);
    work_for(&t, t.streams[0][0], 100);
    const rill_sim_history *history = wait_and_look(&t);
    span_is(&history->spans[0], 100, 200);
    assert_true(history->spans[0].after == RILL_SIM_NO_SPAN);
    close_timed(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_costs_by_its_path),
        cmocka_unit_test(bytes_and_threads_are_charged_exactly),
        cmocka_unit_test(kernels_cost_by_name_or_by_threads),
        cmocka_unit_test(ptx_costs_what_it_runs),
        cmocka_unit_test(a_kernel_can_wait_for_the_clock),
        cmocka_unit_test(host_functions_cost_what_is_declared),
        cmocka_unit_test(or_what_they_take),
        cmocka_unit_test(elapsed_times_are_exact),
        cmocka_unit_test(the_host_has_a_time_of_its_own),
        cmocka_unit_test(calls_can_cost),
        cmocka_unit_test(polling_takes_until_it_is_so),
        cmocka_unit_test(values_are_seen_in_the_order_of_time),
        cmocka_unit_test(the_timeline_can_begin_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
