/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that streams wait for, where others write them than streams that write values: fills,
 * copies, kernels and the host set such a flag, or reset it.
 */
#include "layer-check/flags/speaking.h"

#include "layer-check/pages/pages.h"

/* y is the flag, x the data: t waits for what is done in s. */
static void await(struct checked *c, rill_devptr flag)
{
    OK(rill_stream_wait_value32(c->t, flag, 1, RILL_WAIT_EQ));
    OK(rill_memcpy_dtod_async(c->t, c->y + 2048, c->x, 2048));
}

static void fill_flag(struct checked *c)
{
    OK(rill_memset_d32_async(c->s, c->y, 1, 1));
}

static void copy_flag(struct checked *c)
{
    static const uint32_t up = 1;
    OK(rill_memcpy_htod_async(c->s, c->y, &up, sizeof up));
}

static void store_flag(struct checked *c)
{
    launch(c, c->s, "stores", c->y, c->y + 64);
}

typedef void set_fn(struct checked *c);

/* ---- Set ------------------------------------------------------------------------------------ */

static void set_before(struct checked *c, set_fn *set, bool good)
{
    if (good) write_x(c, c->s);
    set(c);
    if (!good) write_x(c, c->s);
    await(c, c->y);
}

static void set_behind(struct checked *c, set_fn *set, bool good)
{
    await(c, c->y);
    if (good) write_x(c, c->s);
    set(c);
    if (!good) write_x(c, c->s);
}

static void a_fill_may_have_set_what_is_waited_for_program(struct checked *c, bool good)
{
    set_before(c, fill_flag, good);
}
RACES(a_fill_may_have_set_what_is_waited_for)

static void a_fill_may_set_what_is_waited_for_program(struct checked *c, bool good)
{
    set_behind(c, fill_flag, good);
}
RACES(a_fill_may_set_what_is_waited_for)

static void a_copy_may_have_set_what_is_waited_for_program(struct checked *c, bool good)
{
    set_before(c, copy_flag, good);
}
RACES(a_copy_may_have_set_what_is_waited_for)

static void a_copy_may_set_what_is_waited_for_program(struct checked *c, bool good)
{
    set_behind(c, copy_flag, good);
}
RACES(a_copy_may_set_what_is_waited_for)

static void a_kernel_may_have_set_what_is_waited_for_program(struct checked *c, bool good)
{
    if (good) write_x(c, c->s);
    store_flag(c);
    if (!good) write_x(c, c->s);
    await(c, c->y);
}
RACES(a_kernel_may_have_set_what_is_waited_for)

static void a_kernel_may_set_what_is_waited_for_program(struct checked *c, bool good)
{
    set_behind(c, store_flag, good);
}
RACES(a_kernel_may_set_what_is_waited_for)

/* What others fill beside the flag sets nothing. */
static void only_who_writes_there_sets_a_flag_program(struct checked *c, bool good)
{
    rill_stream *third = new_stream(c, RILL_STREAM_NON_BLOCKING);
    OK(rill_memset_d32_async(good ? c->s : third, c->y + 64, 1, 1));
    write_x(c, good ? c->s : third);
    fill_flag(c);
    await(c, c->y);
    OK(rill_context_synchronize(c->context));
    OK(rill_stream_destroy(&third));
}
RACES(only_who_writes_there_sets_a_flag)

/* ---- Reset ---------------------------------------------------------------------------------- */

/* In the second turn the wait is submitted before the write that lets it through: it is not for the
 * write of the first turn, since the flag was reset. */
static void turn(struct checked *c, bool good)
{
    await(c, c->y);
    if (good) write_x(c, c->s);
    OK(rill_stream_write_value32(c->s, c->y, 1, 0));
    if (!good) write_x(c, c->s);
    OK(rill_stream_synchronize(c->t));
}

static void a_fill_may_reset_a_flag_program(struct checked *c, bool good)
{
    turn(c, true);
    OK(rill_memset_d32_async(c->s, c->y, 0, 1));
    order(c, c->s, c->t);
    turn(c, good);
}
RACES(a_fill_may_reset_a_flag)

static void a_call_may_reset_a_flag_program(struct checked *c, bool good)
{
    turn(c, true);
    OK(rill_memset_d32(c->context, c->y, 0, 1));
    OK(rill_context_synchronize(c->context));
    turn(c, good);
}
RACES(a_call_may_reset_a_flag)

static void a_copy_may_reset_a_flag_program(struct checked *c, bool good)
{
    static const uint32_t down = 0;
    turn(c, true);
    OK(rill_memcpy_htod_async(c->s, c->y, &down, sizeof down));
    order(c, c->s, c->t);
    turn(c, good);
}
RACES(a_copy_may_reset_a_flag)

/* A flag in pinned memory: a turn as above. */
static void turn_at(struct checked *c, _Atomic uint32_t *flag, bool good)
{
    await(c, address_of(flag));
    if (good) write_x(c, c->s);
    OK(rill_stream_write_value32(c->s, address_of(flag), 1, 0));
    if (!good) write_x(c, c->s);
    OK(rill_context_synchronize(c->context));
}

static void the_host_may_reset_a_flag_program(struct checked *c, bool good)
{
    struct shared *shared = new_shared(c);
    turn_at(c, &shared->flag, true);
    atomic_store(&shared->flag, 0);
    turn_at(c, &shared->flag, good);
    end_shared(c, shared);
}
RACES(the_host_may_reset_a_flag)

/* The fill resets the flag, and the host sets it for what it knows to be done. */
static void the_host_may_set_a_flag_that_a_fill_has_reset_program(struct checked *c, bool good)
{
    struct shared *shared = new_shared(c);
    OK(rill_memset_d32_async(c->s, address_of(&shared->flag), 0, 1));
    order(c, c->s, c->t);
    await(c, address_of(&shared->flag));
    write_x(c, c->s);
    if (good) OK(rill_stream_synchronize(c->s));
    else OK(rill_event_synchronize(c->event)); /* the fill, and not what is behind it */
    atomic_store(&shared->flag, 1);
    OK(rill_stream_synchronize(c->t));
    end_shared(c, shared);
}
RACES(the_host_may_set_a_flag_that_a_fill_has_reset)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fill_may_have_set_what_is_waited_for),
        cmocka_unit_test(a_fill_may_set_what_is_waited_for),
        cmocka_unit_test(a_copy_may_have_set_what_is_waited_for),
        cmocka_unit_test(a_copy_may_set_what_is_waited_for),
        cmocka_unit_test(a_kernel_may_have_set_what_is_waited_for),
        cmocka_unit_test(a_kernel_may_set_what_is_waited_for),
        cmocka_unit_test(only_who_writes_there_sets_a_flag),
        cmocka_unit_test(a_fill_may_reset_a_flag),
        cmocka_unit_test(a_call_may_reset_a_flag),
        cmocka_unit_test(a_copy_may_reset_a_flag),
        cmocka_unit_test(the_host_may_reset_a_flag),
        cmocka_unit_test(the_host_may_set_a_flag_that_a_fill_has_reset),
    };
    const char *unusable = ck_pages_unusable();
    if (unusable) {
        printf("1..0 # SKIP %s\n", unusable);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
