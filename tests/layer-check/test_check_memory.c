/* SPDX-License-Identifier: Apache-2.0
 *
 * What operations touch, byte by byte, and how long memory is there.
 */
#include <sched.h>
#include <stdatomic.h>

#include "layer-check/pages/pages.h"
#include "layer-check/pairs.h"

/* ---- Bytes --------------------------------------------------------------------------------- */

static void halves_do_not_race_program(struct checked *c, bool good)
{
    OK(rill_memset_d8_async(c->s, c->x, 1, BYTES / 2));
    OK(rill_memset_d8_async(c->t, c->x + BYTES / 2 - !good, 2, BYTES / 2));
}

static void halves_do_not_race(void **state)
{
    (void)state;
    struct found found = expect_bug(halves_do_not_race_program, RILL_FINDING_RACE);
    assert_int_equal(found.bytes, 1);
    const char words[] = "byte 2047 of device memory (device 0, 4 KiB, ";
    assert_memory_equal(found.memory, words, strlen(words));
}

static rill_fill columns(const struct checked *c, size_t first)
{
    return (rill_fill){ .dst = c->x + first, .pitch = 64, .value = 1, .element_bytes = 1,
                        .width = 16, .height = BYTES / 64 };
}

static void columns_do_not_race_program(struct checked *c, bool good)
{
    const rill_fill left = columns(c, 0), right = columns(c, good ? 16 : 8);
    OK(rill_memset_box_async(c->s, &left));
    OK(rill_memset_box_async(c->t, &right));
}
RACES(columns_do_not_race)

static void readers_do_not_race_program(struct checked *c, bool good)
{
    rill_devptr z;
    OK(rill_mem_alloc(c->context, BYTES, &z));
    read_x(c, c->s);
    OK(rill_memcpy_dtod_async(c->t, good ? z : c->y, c->x, BYTES));
    OK(rill_context_synchronize(c->context));
    OK(rill_mem_free(c->context, z));
}
RACES(readers_do_not_race)

static void both_readers_come_before_the_writer_program(struct checked *c, bool good)
{
    rill_stream *u = new_stream(c, RILL_STREAM_NON_BLOCKING);
    rill_devptr z;
    OK(rill_mem_alloc(c->context, BYTES, &z));
    read_x(c, c->s);
    OK(rill_memcpy_dtod_async(c->t, z, c->x, BYTES));
    if (good) order(c, c->s, u);
    order(c, c->t, u);
    write_x(c, u);
    OK(rill_context_synchronize(c->context));
    OK(rill_mem_free(c->context, z));
    OK(rill_stream_destroy(&u));
}
RACES(both_readers_come_before_the_writer)

/* ---- C kernels ----------------------------------------------------------------------------- */

/* Declares that it reads the first half of what argument 0 points to. */
static void read_half(const rill_launch *launch)
{
    rill_touch(RILL_ARGUMENT(launch, 0, rill_devptr), BYTES / 2, RILL_TOUCH_READ);
}

static void look_away(const rill_launch *launch)
{
    (void)launch;
}

static const rill_param params[] = { RILL_PARAM(rill_devptr), RILL_PARAM(rill_devptr) };

/* Launches a kernel with two addresses, and waits for it. */
static void launch_blocks_over(struct checked *c, rill_stream *stream,
                               const rill_function *function, unsigned blocks, rill_devptr x,
                               rill_devptr y)
{
    const rill_image image = { .size = sizeof image, .functions = function,
                               .function_count = 1 };
    const void *arguments[] = { &x, &y };
    rill_module *module;
    rill_kernel *kernel;
    OK(rill_module_load(c->context, &image, &module));
    OK(rill_module_kernel(module, "k", &kernel));
    OK(rill_launch_kernel(stream, kernel, (rill_dim3){ blocks, 1, 1 }, (rill_dim3){ 1, 1, 1 },
                          0, arguments));
    OK(rill_stream_synchronize(stream));
    OK(rill_module_unload(&module));
}

static void launch_over(struct checked *c, rill_stream *stream, rill_kernel_fn fn, rill_devptr x,
                        rill_devptr y)
{
    const rill_function function = { .name = "k", .over_grid = fn, .params = params,
                                     .param_count = 2 };
    launch_blocks_over(c, stream, &function, 1, x, y);
}

static void launch_over_x(struct checked *c, rill_stream *stream, rill_kernel_fn fn)
{
    launch_over(c, stream, fn, c->x, 0);
}

static void kernels_may_declare_what_they_touch_program(struct checked *c, bool good)
{
    OK(rill_memset_d8_async(c->s, c->x + (good ? BYTES / 2 : 0), 1, BYTES / 2));
    launch_over_x(c, c->t, read_half);
}
RACES(kernels_may_declare_what_they_touch)

static void other_c_kernels_are_assumed_to_touch_all_program(struct checked *c, bool good)
{
    OK(rill_memset_d8_async(c->s, c->x + BYTES / 2, 1, 1));
    if (good) order(c, c->s, c->t);
    launch_over_x(c, c->t, look_away);
}

static void other_c_kernels_are_assumed_to_touch_all(void **state)
{
    (void)state;
    struct found found = expect_bug(other_c_kernels_are_assumed_to_touch_all_program,
                                      RILL_FINDING_RACE);
    assert_true(found.assumed);
    assert_string_equal(found.what[0], "kernel 'k'");
}

static atomic_uint begun;

/* Declares that it reads its half, once both blocks run. */
static void read_own_half(const rill_launch *launch)
{
    rill_devptr x = RILL_ARGUMENT(launch, 0, rill_devptr);
    atomic_fetch_add(&begun, 1);
    while (atomic_load(&begun) < 2) sched_yield();
    rill_touch(x + launch->index.x * (BYTES / 2), BYTES / 2, RILL_TOUCH_READ);
}

static void declare_in_blocks_program(struct checked *c, bool good)
{
    const rill_function function = { .name = "k", .over_block = read_own_half, .params = params,
                                     .param_count = 2, .flags = RILL_FUNCTION_BLOCKS_AT_ONCE };
    atomic_store(&begun, 0);
    write_x(c, c->s);
    if (good) order(c, c->s, c->t);
    launch_blocks_over(c, c->t, &function, 2, c->x, 0);
}

static void blocks_in_several_threads_declare_for_their_kernel(void **state)
{
    (void)state;
    struct found found = expect_bug(declare_in_blocks_program, RILL_FINDING_RACE);
    assert_string_equal(found.what[0], "kernel 'k'");
    assert_int_equal(found.bytes, BYTES / 2); /* as each declares it */
    assert_false(found.assumed);
}

static void a_kernel_is_not_given_freed_memory_program(struct checked *c, bool good)
{
    rill_devptr z, again = 0;
    OK(rill_mem_alloc(c->context, BYTES, &z));
    OK(rill_mem_free(c->context, z));
    if (good) {
        OK(rill_mem_alloc(c->context, BYTES, &again));
        assert_int_equal(again, z); /* it is there again */
    }
    launch_over(c, c->s, look_away, c->x, z);
    if (good) OK(rill_mem_free(c->context, again));
}

static void a_kernel_is_not_given_freed_memory(void **state)
{
    (void)state;
    struct found found = expect_bug(a_kernel_is_not_given_freed_memory_program,
                                    RILL_FINDING_LIFETIME);
    assert_true(found.assumed);
    assert_string_equal(found.sentence, "kernel 'k' uses memory after it was freed");
}

/* An address may be the end of what another argument points to. */
static void the_end_of_memory_is_not_the_memory_behind_it(void **state)
{
    struct checked c;
    rill_devptr z, behind;
    (void)state;
    begin_pair(&c);
    OK(rill_mem_alloc_async(c.s, 1 << 21, &z));
    OK(rill_mem_alloc_async(c.s, 1 << 21, &behind));
    assert_int_equal(behind, z + (1 << 21));
    OK(rill_mem_free_async(c.s, behind));
    launch_over(&c, c.s, look_away, z, behind);
    OK(rill_mem_free_async(c.s, z));
    OK(rill_context_synchronize(c.context));
    expect_nothing(&c); /* hints are told at the end */
    end_pair(&c);
}

/* ---- Declarations of nothing --------------------------------------------------------------- */

static void nothing_is_touched_by_nonsense(void **state)
{
    struct checked c;
    (void)state;
    begin_pair(&c);
    write_x(&c, c.s);
    rill_touch(0, BYTES, RILL_TOUCH_WRITE);
    rill_touch_host(NULL, BYTES, RILL_TOUCH_WRITE);
    rill_touch_host(NULL, 0, RILL_TOUCH_READ);
    rill_touch(c.x, 0, RILL_TOUCH_WRITE);
    rill_touch(c.x, SIZE_MAX, RILL_TOUCH_WRITE);
    rill_touch(c.x, BYTES, 0);
    rill_touch(c.x, BYTES, 0x80);
    OK(rill_context_synchronize(c.context));
    expect_nothing(&c);
    end_pair(&c);
}

/* ---- Lives --------------------------------------------------------------------------------- */

static rill_devptr new_in(rill_stream *stream)
{
    rill_devptr address;
    OK(rill_mem_alloc_async(stream, BYTES, &address));
    OK(rill_memset_d8_async(stream, address, 1, BYTES));
    return address;
}

static void memory_of_a_pool_is_there_after_its_allocation_program(struct checked *c, bool good)
{
    rill_devptr z;
    OK(rill_mem_alloc_async(c->s, BYTES, &z));
    if (good) order(c, c->s, c->t);
    OK(rill_memset_d8_async(c->t, z, 2, BYTES));
    order(c, c->t, c->s);
    OK(rill_mem_free_async(c->s, z));
}
LIVES(memory_of_a_pool_is_there_after_its_allocation)

static void memory_of_a_pool_is_freed_after_its_last_use_program(struct checked *c, bool good)
{
    rill_devptr z = new_in(c->s);
    order(c, c->s, c->t);
    OK(rill_memcpy_dtod_async(c->t, c->y, z, BYTES));
    if (good) order(c, c->t, c->s);
    OK(rill_mem_free_async(c->s, z));
}
LIVES(memory_of_a_pool_is_freed_after_its_last_use)

static void the_host_frees_memory_of_a_pool_without_waiting_program(struct checked *c, bool good)
{
    rill_devptr z = new_in(c->s);
    if (good) OK(rill_stream_synchronize(c->s));
    OK(rill_mem_free(c->context, z));
}
LIVES(the_host_frees_memory_of_a_pool_without_waiting)

static void pinned_memory_is_freed_after_its_last_use_program(struct checked *c, bool good)
{
    void *pinned;
    OK(rill_host_alloc(c->context, BYTES, 0, &pinned));
    OK(rill_memcpy_dtoh_async(c->s, pinned, c->x, BYTES));
    if (good) OK(rill_stream_synchronize(c->s));
    OK(rill_host_free(c->context, pinned));
}
LIVES(pinned_memory_is_freed_after_its_last_use)

/* A free of device memory waits for the work of its context, and that is promised. */
static void device_memory_may_be_freed_while_work_is_pending(void **state)
{
    struct checked c;
    rill_devptr z;
    (void)state;
    begin_pair(&c);
    OK(rill_mem_alloc(c.context, BYTES, &z));
    OK(rill_memset_d8_async(c.s, z, 1, BYTES));
    OK(rill_mem_free(c.context, z));
    assert_int_equal(c.count, 0);
    end_pair(&c);
}

/* The pool itself orders a block's next life after its last one. */
static void memory_that_a_pool_hands_on_is_new(void **state)
{
    struct checked c;
    (void)state;
    begin_pair(&c);
    for (int i = 0; i < 8; i++) {
        rill_stream *stream = i % 2 ? c.s : c.t;
        rill_devptr z = new_in(stream);
        OK(rill_mem_free_async(stream, z));
    }
    OK(rill_context_synchronize(c.context));
    for (size_t i = 0; i < c.count; i++) assert_int_equal(c.found[i].kind, RILL_FINDING_HINT);
    end_pair(&c);
}

/* ---- The host's own accesses --------------------------------------------------------------- */

static void the_host_overwrites_what_a_copy_reads_program(struct checked *c, bool good)
{
    unsigned char *pinned;
    OK(rill_host_alloc(c->context, BYTES, 0, (void **)&pinned));
    memset(pinned, 1, BYTES);
    OK(rill_memcpy_htod_async(c->s, c->x, pinned, BYTES));
    if (good) OK(rill_stream_synchronize(c->s));
    *(volatile unsigned char *)(pinned + BYTES - 1) = 2;
    OK(rill_stream_synchronize(c->s));
    OK(rill_host_free(c->context, pinned));
}

static void the_host_overwrites_what_a_copy_reads(void **state)
{
    (void)state;
    struct found found = expect_bug(the_host_overwrites_what_a_copy_reads_program,
                                      RILL_FINDING_RACE);
    assert_int_equal(found.mend, RILL_MEND_SYNC);
    assert_int_equal(found.bytes, 1);
}

static void fill_pinned(void *pinned)
{
    memset(pinned, 3, 8);
}

static void a_function_fills_what_a_copy_reads_program(struct checked *c, bool good)
{
    void *pinned;
    OK(rill_host_alloc(c->context, BYTES, 0, &pinned));
    OK(rill_launch_host(c->s, fill_pinned, pinned, NULL));
    if (good) order(c, c->s, c->t);
    OK(rill_memcpy_htod_async(c->t, c->x, pinned, BYTES));
    OK(rill_context_synchronize(c->context));
    OK(rill_host_free(c->context, pinned));
}
RACES(a_function_fills_what_a_copy_reads)

/* Where faults cannot be resumed, pinned memory is not guarded: under valgrind. */
static void see_host(void **state)
{
    if (ck_pages_unusable()) skip();
    the_host_overwrites_what_a_copy_reads(state);
}

static void see_function(void **state)
{
    if (ck_pages_unusable()) skip();
    a_function_fills_what_a_copy_reads(state);
}

int main(void)
{
    setenv("RILL_CHECK", "race life capture init hints protected log=/dev/null", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_do_not_race),
        cmocka_unit_test(columns_do_not_race),
        cmocka_unit_test(readers_do_not_race),
        cmocka_unit_test(both_readers_come_before_the_writer),
        cmocka_unit_test(kernels_may_declare_what_they_touch),
        cmocka_unit_test(other_c_kernels_are_assumed_to_touch_all),
        cmocka_unit_test(blocks_in_several_threads_declare_for_their_kernel),
        cmocka_unit_test(nothing_is_touched_by_nonsense),
        cmocka_unit_test(a_kernel_is_not_given_freed_memory),
        cmocka_unit_test(the_end_of_memory_is_not_the_memory_behind_it),
        cmocka_unit_test(memory_of_a_pool_is_there_after_its_allocation),
        cmocka_unit_test(memory_of_a_pool_is_freed_after_its_last_use),
        cmocka_unit_test(the_host_frees_memory_of_a_pool_without_waiting),
        cmocka_unit_test(pinned_memory_is_freed_after_its_last_use),
        cmocka_unit_test(device_memory_may_be_freed_while_work_is_pending),
        cmocka_unit_test(memory_that_a_pool_hands_on_is_new),
        cmocka_unit_test(see_host),
        cmocka_unit_test(see_function),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
