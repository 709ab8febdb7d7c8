/* SPDX-License-Identifier: Apache-2.0
 *
 * Managed memory, which the host touches without a word: what is seen of that.
 */
#include "layer-check/pages/pages.h"
#include "layer-check/pairs.h"

static unsigned char *new_managed(struct checked *c)
{
    rill_devptr managed;
    OK(rill_mem_alloc_managed(c->context, BYTES, RILL_ATTACH_GLOBAL, &managed));
    memset((void *)(uintptr_t)managed, 1, BYTES);
    return (unsigned char *)(uintptr_t)managed;
}

static rill_devptr address_of(const void *managed)
{
    return (uintptr_t)managed;
}

static void free_managed(struct checked *c, const void *managed)
{
    OK(rill_mem_free(c->context, address_of(managed)));
}

/* ---- The host and a stream ------------------------------------------------------------------ */

static void look_at_result(struct checked *c, bool good)
{
    unsigned char *managed = new_managed(c);
    OK(rill_memset_d8_async(c->s, address_of(managed), 7, BYTES));
    if (good) OK(rill_stream_synchronize(c->s));
    (void)*(volatile unsigned char *)managed;
    OK(rill_context_synchronize(c->context));
    free_managed(c, managed);
}

static void a_result_that_the_host_does_not_wait_for_is_found(void **state)
{
    (void)state;
    const struct found found = expect_bug(look_at_result, RILL_FINDING_RACE);
    assert_string_equal(found.sentence,
                        "the host reads what memset writes, and nothing orders them");
}

static void change_input(struct checked *c, bool good)
{
    unsigned char *managed = new_managed(c);
    OK(rill_memcpy_dtod_async(c->s, c->x, address_of(managed), BYTES));
    if (good) OK(rill_stream_synchronize(c->s));
    *(volatile unsigned char *)managed = 2;
    OK(rill_context_synchronize(c->context));
    free_managed(c, managed);
}

static void an_input_that_the_host_changes_early_is_found(void **state)
{
    (void)state;
    const struct found found = expect_bug(change_input, RILL_FINDING_RACE);
    assert_string_equal(found.sentence,
                        "the host writes what memcpy reads, and nothing orders them");
}

/* ---- Two streams --------------------------------------------------------------------------- */

static void pass_on(struct checked *c, bool good)
{
    unsigned char *managed = new_managed(c);
    OK(rill_memset_d8_async(c->s, address_of(managed), 7, BYTES));
    if (good) order(c, c->s, c->t);
    OK(rill_memcpy_dtod_async(c->t, c->y, address_of(managed), BYTES));
    OK(rill_context_synchronize(c->context));
    free_managed(c, managed);
}

static void streams_race_for_it_as_for_other_memory(void **state)
{
    (void)state;
    expect_bug(pass_on, RILL_FINDING_RACE);
}

/* ---- What is right ------------------------------------------------------------------------- */

/* The pages are another's by then. */
static void memory_that_was_freed_is_not_guarded(void **state)
{
    struct checked c;
    (void)state;
    begin_pair(&c);
    for (int i = 0; i < 20; i++) {
        unsigned char *managed = new_managed(&c);
        OK(rill_memset_d8_async(c.s, address_of(managed), 7, BYTES));
        OK(rill_stream_synchronize(c.s));
        assert_int_equal(managed[BYTES - 1], 7);
        managed[0] = 1;
        OK(rill_stream_attach(c.s, address_of(managed), 0, RILL_ATTACH_SINGLE));
        free_managed(&c, managed);
    }
    expect_nothing(&c);
    end_pair(&c);
}

/* Nothing is said of a call that waits, as it is of one that copies from device to device. */
static void calls_that_wait_order_it_with_the_host(void **state)
{
    struct checked c;
    (void)state;
    begin_pair(&c);
    unsigned char *managed = new_managed(&c);
    OK(rill_memset_d8(c.context, address_of(managed), 3, BYTES));
    assert_int_equal(managed[5], 3);
    OK(rill_memcpy(c.context, address_of(managed), c.x, BYTES));
    assert_int_equal(managed[5], 0);
    expect_nothing(&c);
    free_managed(&c, managed);
    end_pair(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_that_the_host_does_not_wait_for_is_found),
        cmocka_unit_test(an_input_that_the_host_changes_early_is_found),
        cmocka_unit_test(streams_race_for_it_as_for_other_memory),
        cmocka_unit_test(memory_that_was_freed_is_not_guarded),
        cmocka_unit_test(calls_that_wait_order_it_with_the_host),
    };
    const char *unusable = ck_pages_unusable();
    if (unusable) {
        printf("1..0 # SKIP %s\n", unusable);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
