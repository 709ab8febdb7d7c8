/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions that are given pinned memory: they read where their argument points, at least, in
 * any schedule and with nothing protected, unless they say what they touch.
 */
#include <sched.h>
#include <stdatomic.h>

#include "layer-check/pages/pages.h"
#include "layer-check/pairs.h"

static uint32_t *new_pinned(struct checked *c)
{
    void *pinned;
    OK(rill_host_alloc(c->context, BYTES, 0, &pinned));
    memset(pinned, 0, BYTES);
    return pinned;
}

static void end_pinned(struct checked *c, uint32_t *pinned)
{
    OK(rill_context_synchronize(c->context));
    OK(rill_host_free(c->context, pinned));
}

static atomic_bool has_run;

static void read_first(void *data)
{
    (void)*(volatile uint32_t *)data;
    atomic_store(&has_run, true);
}

/* Runs a function in s to its end, of which the library does not tell the host. */
static void run_function(struct checked *c, rill_host_fn fn, void *data)
{
    atomic_store(&has_run, false);
    OK(rill_launch_host(c->s, fn, data, NULL));
    while (!atomic_load(&has_run)) sched_yield();
}

static void what_has_run_may_be_overwritten_behind_it_program(struct checked *c, bool good)
{
    uint32_t *pinned = new_pinned(c);
    run_function(c, read_first, pinned);
    if (good) order(c, c->s, c->t);
    OK(rill_memcpy_dtoh_async(c->t, pinned, c->x, BYTES));
    end_pinned(c, pinned);
}
RACES(what_has_run_may_be_overwritten_behind_it)

static void what_is_copied_may_be_read_behind_it_program(struct checked *c, bool good)
{
    uint32_t *pinned = new_pinned(c);
    OK(rill_memcpy_dtoh_async(c->t, pinned, c->x, BYTES));
    if (good) order(c, c->t, c->s);
    run_function(c, read_first, pinned);
    end_pinned(c, pinned);
}
RACES(what_is_copied_may_be_read_behind_it)

static void declare_second(void *data)
{
    rill_touch_host((uint32_t *)data + 1, sizeof(uint32_t), RILL_TOUCH_READ);
    atomic_store(&has_run, true);
}

/* What a function says takes the place of what is assumed of it. */
static void who_says_what_it_touches_touches_that_program(struct checked *c, bool good)
{
    uint32_t *pinned = new_pinned(c);
    run_function(c, declare_second, pinned);
    OK(rill_memcpy_dtoh_async(c->t, good ? pinned : pinned + 1, c->x, sizeof *pinned));
    end_pinned(c, pinned);
}
RACES(who_says_what_it_touches_touches_that)

/* Two of them read, or the copy does: that is in order. */
static void functions_may_read_together_program(struct checked *c, bool good)
{
    uint32_t *pinned = new_pinned(c);
    run_function(c, read_first, pinned);
    OK(rill_launch_host(c->t, read_first, pinned, NULL));
    OK(rill_memcpy_htod_async(c->t, c->x, pinned, BYTES));
    if (!good) OK(rill_memcpy_dtoh_async(c->t, pinned, c->y, BYTES));
    end_pinned(c, pinned);
}
RACES(functions_may_read_together)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_run_may_be_overwritten_behind_it),
        cmocka_unit_test(what_is_copied_may_be_read_behind_it),
        cmocka_unit_test(who_says_what_it_touches_touches_that),
        cmocka_unit_test(functions_may_read_together),
    };
    const char *unusable = ck_pages_unusable(); /* then no memory is known to be pinned */
    if (unusable) {
        printf("1..0 # SKIP %s\n", unusable);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
