/* SPDX-License-Identifier: Apache-2.0
 *
 * Pinned memory that a right program hands to the system: no call fails since its pages are
 * protected.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "layer-check/pages/pages.h"
#include "layer-check/pairs.h"

struct scene {
    struct checked c;
    unsigned char *pinned, *other;
    int zero;
    atomic_bool held, released;
    atomic_int failures; /* of functions that read */
};

static unsigned char *new_pinned(struct scene *s)
{
    void *pinned;
    OK(rill_host_alloc(s->c.context, BYTES, 0, &pinned));
    memset(pinned, 1, BYTES);
    return pinned;
}

static void begin(struct scene *s)
{
    *s = (struct scene){ .zero = open("/dev/zero", O_RDONLY) };
    assert_true(s->zero >= 0);
    begin_pair(&s->c);
    s->pinned = new_pinned(s);
    s->other = new_pinned(s);
}

static void end(struct scene *s)
{
    OK(rill_context_synchronize(s->c.context));
    OK(rill_host_free(s->c.context, s->pinned));
    OK(rill_host_free(s->c.context, s->other));
    end_pair(&s->c);
    close(s->zero);
}

/* ---- Functions ------------------------------------------------------------------------------ */

static void hold(void *data)
{
    struct scene *s = data;
    atomic_store(&s->held, true);
    while (!atomic_load(&s->released)) sched_yield();
}

static void fill_by_system(void *data)
{
    struct scene *s = data;
    if (read(s->zero, s->pinned, BYTES) != BYTES) atomic_fetch_add(&s->failures, 1);
}

static void look(void *data)
{
    struct scene *s = data;
    (void)*(volatile unsigned char *)s->pinned;
}

/* ---- What may be handed over ---------------------------------------------------------------- */

/* The program is ahead: all is submitted before the first function ends. */
static void copies_around_a_function(struct scene *s)
{
    OK(rill_launch_host(s->c.t, hold, s, NULL));
    OK(rill_memcpy_htod_async(s->c.s, s->c.x, s->pinned, BYTES));
    order(&s->c, s->c.s, s->c.t);
    OK(rill_launch_host(s->c.t, fill_by_system, s, NULL)); /* after a copy of another stream ... */
    order(&s->c, s->c.t, s->c.s);
    OK(rill_memcpy_dtoh_async(s->c.s, s->pinned, s->c.y, BYTES)); /* ... and before one */
    OK(rill_launch_host(s->c.s, fill_by_system, s, NULL));
    OK(rill_memcpy_htod_async(s->c.s, s->c.x, s->pinned, BYTES));
    atomic_store(&s->released, true);
    OK(rill_context_synchronize(s->c.context));
}

static void what_copies_in_order_with_a_function_use(void **state)
{
    struct scene s;
    (void)state;
    begin(&s);
    for (int i = 0; i < 20; i++) {
        atomic_store(&s.released, i % 2);
        copies_around_a_function(&s);
    }
    assert_int_equal(s.failures, 0);
    expect_nothing(&s.c);
    end(&s);
}

static void other_bytes_of_a_page(void **state)
{
    struct scene s;
    (void)state;
    begin(&s);
    OK(rill_memcpy_dtoh_async(s.c.s, s.pinned, s.c.x, BYTES / 2));
    assert_int_equal(read(s.zero, s.pinned + BYTES / 2, BYTES / 2), BYTES / 2);
    OK(rill_context_synchronize(s.c.context));
    expect_nothing(&s.c);
    end(&s);
}

static void other_memory_while_a_function_runs(void **state)
{
    struct scene s;
    (void)state;
    begin(&s);
    OK(rill_launch_host(s.c.s, hold, &s, NULL));
    while (!atomic_load(&s.held)) sched_yield();
    assert_int_equal(read(s.zero, s.other, BYTES), BYTES);
    atomic_store(&s.released, true);
    OK(rill_context_synchronize(s.c.context));
    expect_nothing(&s.c);
    end(&s);
}

/* The program knows by means of its own that the copy is done. */
static void what_a_function_has_told_of(void **state)
{
    struct scene s;
    (void)state;
    begin(&s);
    atomic_store(&s.released, true);
    OK(rill_memcpy_dtoh_async(s.c.s, s.pinned, s.c.x, BYTES));
    OK(rill_launch_host(s.c.s, hold, &s, NULL));
    while (!atomic_load(&s.held)) sched_yield();
    for (int i = 0; i < 100; i++) assert_int_equal(read(s.zero, s.pinned, BYTES), BYTES);
    OK(rill_context_synchronize(s.c.context));
    expect_nothing(&s.c);
    end(&s);
}

/* ---- What is seen all the same -------------------------------------------------------------- */

static void a_function_touches_what_a_copy_in_no_order_uses(void **state)
{
    struct scene s;
    (void)state;
    skip_bugs();
    begin(&s);
    OK(rill_memcpy_dtoh_async(s.c.s, s.pinned, s.c.x, BYTES));
    OK(rill_launch_host(s.c.t, look, &s, NULL));
    OK(rill_context_synchronize(s.c.context));
    expect_found(&s.c, RILL_FINDING_RACE,
                 "host function reads what memcpy writes, and nothing orders them");
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_copies_in_order_with_a_function_use),
        cmocka_unit_test(other_bytes_of_a_page),
        cmocka_unit_test(other_memory_while_a_function_runs),
        cmocka_unit_test(what_a_function_has_told_of),
        cmocka_unit_test(a_function_touches_what_a_copy_in_no_order_uses),
    };
    const char *unusable = ck_pages_unusable();
    if (unusable) {
        printf("1..0 # SKIP %s\n", unusable);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
