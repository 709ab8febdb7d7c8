/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host learns from copies, fills and frees: in each program, work that is submitted
 * afterwards relies on it.
 */
#include "layer-check/pairs.h"

static unsigned char pageable[BYTES], other[BYTES];

static void *new_pinned(struct checked *c)
{
    void *pinned;
    OK(rill_host_alloc(c->context, BYTES, 0, &pinned));
    return pinned;
}

/* Frees pinned memory that nothing may use any more. */
static void free_pinned(struct checked *c, void *pinned)
{
    OK(rill_context_synchronize(c->context));
    OK(rill_host_free(c->context, pinned));
}

/* ---- Copies in a stream -------------------------------------------------------------------- */

static void a_copy_to_pageable_memory_is_waited_for_program(struct checked *c, bool good)
{
    void *pinned = new_pinned(c);
    write_x(c, c->s);
    OK(rill_memcpy_dtoh_async(c->s, good ? pageable : pinned, c->x, BYTES));
    write_x(c, c->t);
    free_pinned(c, pinned);
}
RACES(a_copy_to_pageable_memory_is_waited_for)

static void a_copy_within_host_memory_is_waited_for_program(struct checked *c, bool good)
{
    void *pinned = new_pinned(c);
    const rill_devptr from = good ? (uintptr_t)pageable : c->y;
    write_x(c, c->s);
    OK(rill_memcpy_async(c->s, (uintptr_t)pinned, from, BYTES));
    write_x(c, c->t);
    free_pinned(c, pinned);
}
RACES(a_copy_within_host_memory_is_waited_for)

/* The source was read, and nothing else is promised to be done. */
static void a_copy_from_pageable_memory_is_not_waited_for_program(struct checked *c, bool good)
{
    OK(rill_memcpy_htod_async(c->s, c->x, pageable, BYTES));
    if (good) OK(rill_stream_synchronize(c->s));
    write_x(c, c->t);
}
RACES(a_copy_from_pageable_memory_is_not_waited_for)

/* ---- Synchronous copies -------------------------------------------------------------------- */

static void what_a_copy_from_pageable_memory_follows_is_done_program(struct checked *c, bool good)
{
    rill_stream *blocking = new_stream(c, 0);
    write_x(c, good ? blocking : c->s);
    OK(rill_memcpy_htod(c->context, c->y, pageable, BYTES));
    write_x(c, c->t);
    OK(rill_stream_destroy(&blocking));
}
RACES(what_a_copy_from_pageable_memory_follows_is_done)

static void a_synchronous_copy_from_pageable_memory_may_be_under_way_program(struct checked *c,
                                                                             bool good)
{
    void *pinned = new_pinned(c);
    OK(rill_memcpy_htod(c->context, c->x, good ? pinned : pageable, BYTES));
    write_x(c, c->t);
    free_pinned(c, pinned);
}
RACES(a_synchronous_copy_from_pageable_memory_may_be_under_way)

/* A call that is named synchronous and is not surprises most people: the report says so. */
static void the_advice_says_which_call_returns_early(void **state)
{
    static const char end[] = ": memcpy may return before it is done";
    (void)state;
    skip_bugs();
    struct found found = expect_bug(
        a_synchronous_copy_from_pageable_memory_may_be_under_way_program, RILL_FINDING_RACE);
    assert_true(strlen(found.advice) > strlen(end));
    assert_string_equal(found.advice + strlen(found.advice) - strlen(end), end);
    found = expect_bug(a_copy_from_pageable_memory_is_not_waited_for_program, RILL_FINDING_RACE);
    assert_null(strstr(found.advice, "may return"));
}

static void a_copy_of_no_bytes_waits_for_nothing_program(struct checked *c, bool good)
{
    rill_stream *blocking = new_stream(c, 0);
    write_x(c, blocking);
    OK(rill_memcpy_dtoh(c->context, other, c->y, good ? 1 : 0));
    write_x(c, c->t);
    OK(rill_stream_destroy(&blocking));
}
RACES(a_copy_of_no_bytes_waits_for_nothing)

/* ---- On demand ------------------------------------------------------------------------------ */

static void a_fill_is_waited_for_on_demand_program(struct checked *c, bool good)
{
    OK(rill_pointer_set_sync_memops(c->context, c->x, good));
    OK(rill_memset_d8(c->context, c->x, 1, BYTES));
    write_x(c, c->t);
}
RACES(a_fill_is_waited_for_on_demand)

static void the_demand_counts_for_the_source_of_a_copy_program(struct checked *c, bool good)
{
    OK(rill_pointer_set_sync_memops(c->context, c->y, good));
    OK(rill_memcpy_dtod(c->context, c->x, c->y, BYTES));
    write_x(c, c->t);
}
RACES(the_demand_counts_for_the_source_of_a_copy)

static void the_demand_counts_for_no_call_in_a_stream_program(struct checked *c, bool good)
{
    OK(rill_pointer_set_sync_memops(c->context, c->x, 1));
    write_x(c, c->s);
    if (good) OK(rill_stream_synchronize(c->s));
    write_x(c, c->t);
}
RACES(the_demand_counts_for_no_call_in_a_stream)

/* ---- Frees ---------------------------------------------------------------------------------- */

static void a_free_says_nothing_of_other_memory_program(struct checked *c, bool good)
{
    rill_devptr z;
    OK(rill_mem_alloc(c->context, BYTES, &z));
    write_x(c, c->s);
    if (good) OK(rill_context_synchronize(c->context));
    OK(rill_mem_free(c->context, z));
    write_x(c, c->t);
}
RACES(a_free_says_nothing_of_other_memory)

static void a_free_of_pinned_memory_says_nothing_of_other_memory_program(struct checked *c,
                                                                         bool good)
{
    void *pinned = new_pinned(c);
    write_x(c, c->s);
    if (good) OK(rill_context_synchronize(c->context));
    OK(rill_host_free(c->context, pinned));
    write_x(c, c->t);
}
RACES(a_free_of_pinned_memory_says_nothing_of_other_memory)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_to_pageable_memory_is_waited_for),
        cmocka_unit_test(a_copy_within_host_memory_is_waited_for),
        cmocka_unit_test(a_copy_from_pageable_memory_is_not_waited_for),
        cmocka_unit_test(what_a_copy_from_pageable_memory_follows_is_done),
        cmocka_unit_test(a_synchronous_copy_from_pageable_memory_may_be_under_way),
        cmocka_unit_test(the_advice_says_which_call_returns_early),
        cmocka_unit_test(a_copy_of_no_bytes_waits_for_nothing),
        cmocka_unit_test(a_fill_is_waited_for_on_demand),
        cmocka_unit_test(the_demand_counts_for_the_source_of_a_copy),
        cmocka_unit_test(the_demand_counts_for_no_call_in_a_stream),
        cmocka_unit_test(a_free_says_nothing_of_other_memory),
        cmocka_unit_test(a_free_of_pinned_memory_says_nothing_of_other_memory),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
