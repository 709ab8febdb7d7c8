/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of costs, and what is said of those that cannot be read.
 */
#include "sim/clock/timed.h"

static rill_status open_with(const char *clock, const char *costs, const char *schedule)
{
    const rill_sim_options sim = { .size = sizeof sim, .clock = clock, .costs = costs,
                                   .schedule = schedule };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    rill_platform *platform = NULL;
    rill_status status = rill_open(&options, &platform);
    if (!status) ok(rill_close(&platform));
    return status;
}

static void refuses(const char *costs, const char *where, const char *why)
{
    is(INVALID, open_with("virtual", costs, NULL));
    blames("options->sim->costs", where, why);
}

static void lines_of_all_kinds_are_read(void **state)
{
    (void)state;
    ok(open_with("virtual", "# a comment\n\n  fill 1us 2TB/s # and another\n"
                            "kernel 0.5us 1T/s\nkernel scale_2x 10ms\nkernel s 1s\n"
                            "host measured\ncall 1ns\ngraph 3us\nengines kernels 128\n"
                            "copy\thost-to-device pinned 1.25us", NULL));
    ok(open_with("virtual", "", NULL));
    ok(open_with("real", NULL, NULL));
}

static void a_bad_line_is_named(void **state)
{
    (void)state;
    refuses("fill 1us\ncopies 2us\n", "line 2: 'copies 2us'", "a line begins with copy, fill");
    refuses("copy host-to-device 2us", "line 1", "each pageable or pinned");
    refuses("fill", "line 1", "a cost is a time, such as 2us");
    refuses("fill 2", "line 1", "a cost is a time");
    refuses("fill 1.5ns", "line 1", "a cost is a time");
    refuses("fill 99999999999s", "line 1", "a cost is a time");
    refuses("fill 1us 5", "line 1", "a rate is a number above 0");
    refuses("fill 1us 0GB/s", "line 1", "a rate is a number above 0");
    refuses("fill 1us 5GB/s more", "line 1", "a cost is a time");
    refuses("kernel scale", "line 1", "a cost is a time");
    refuses("kernel scale fast", "line 1", "a cost is a time");
    refuses("call", "line 1", "call TIME");
    refuses("engines kernels 0", "line 1", "of 1 to 128");
    refuses("engines kernels 129", "line 1", "of 1 to 128");
    refuses("engines threads 4", "line 1", "there are engines host-to-device");
    refuses("\n\na b c d e f g h", "line 3", "too many words");
}

static void a_clock_is_virtual_or_real(void **state)
{
    (void)state;
    is(INVALID, open_with("atomic", NULL, NULL));
    blames("options->sim->clock", "'atomic' is no clock", "virtual and real");
    is(INVALID, open_with("virtual", NULL, "late"));
    blames("options->sim->clock", "no other schedule", "");
}

static void a_file_is_read_where_the_environment_says(void **state)
{
    char path[] = "/tmp/rill-costs-XXXXXX";
    int file = mkstemp(path);
    (void)state;
    assert_true(file >= 0);
    assert_true(write(file, "fill 1us\nfil 1us\n", 17) == 17);
    close(file);
    setenv("RILL_SIM_CLOCK", "virtual", 1);
    setenv("RILL_SIM_COSTS", path, 1);
    is(INVALID, open_with(NULL, NULL, NULL));
    blames("RILL_SIM_COSTS", "line 2: 'fil 1us'", "a line begins with");
    unlink(path);
    is(INVALID, open_with(NULL, NULL, NULL));
    blames("RILL_SIM_COSTS", path, "cannot be read");
    unsetenv("RILL_SIM_COSTS");
    ok(open_with(NULL, NULL, NULL));
    setenv("RILL_SIM_CLOCK", "sun", 1);
    is(INVALID, open_with(NULL, NULL, NULL));
    blames("RILL_SIM_CLOCK", "'sun' is no clock", "");
    unsetenv("RILL_SIM_CLOCK");
}

static void real_time_has_no_timeline(void **state)
{
    struct machine m;
    rill_sim_history *history = NULL;
    (void)state;
    machine_open(&m, 0);
    is(RILL_ERROR_ILLEGAL_STATE, rill_sim_timeline(m.platform, &history));
    blames("platform", "its time is real", "RILL_SIM_CLOCK");
    is(RILL_ERROR_ILLEGAL_STATE, rill_sim_pass_time(m.platform, 1));
    is(RILL_ERROR_ILLEGAL_STATE, rill_sim_timeline_clear(m.platform));
    machine_close(&m);
}

static void outputs_are_checked(void **state)
{
    struct timed t;
    (void)state;
    open_timed(&t);
    is(INVALID, rill_sim_timeline(t.platform, NULL));
    assert_int_equal(rill_sim_overlap(NULL, 1, 2), 0);
    assert_int_equal(rill_sim_stream_busy(NULL, 1), 0);
    assert_int_equal(rill_sim_device_busy(NULL, 1), 0);
    rill_sim_history_free(NULL);
    close_timed(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_all_kinds_are_read),
        cmocka_unit_test(a_bad_line_is_named),
        cmocka_unit_test(a_clock_is_virtual_or_real),
        cmocka_unit_test(a_file_is_read_where_the_environment_says),
        cmocka_unit_test(real_time_has_no_timeline),
        cmocka_unit_test(outputs_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
