/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that tell others what is done, while they run: by accesses that are strong, to a word
 * that the others look at.  The same word without them is memory like any other.
 */
#include "layer-check/flags/speaking.h"

#include <sched.h>

#include "layer-check/pages/pages.h"

/* ---- Between a kernel and the host ---------------------------------------------------------- */

static void host_is_told(struct checked *c, const char *kernel)
{
    struct shared *shared = new_shared(c);
    launch(c, c->s, kernel, address_of(&shared->flag), address_of(&shared->data));
    while (!atomic_load_explicit(&shared->flag, memory_order_acquire)) sched_yield();
    assert_int_equal(shared->data, 5);
    end_shared(c, shared);
}

static void the_host_may_be_told_by_a_release_program(struct checked *c, bool good)
{
    host_is_told(c, good ? "tells" : "stores");
}
RACES(the_host_may_be_told_by_a_release)

static void the_host_may_be_told_by_a_volatile_store_program(struct checked *c, bool good)
{
    host_is_told(c, good ? "tells_volatile" : "stores");
}
RACES(the_host_may_be_told_by_a_volatile_store)

static void the_host_may_be_told_by_an_atomic_operation_program(struct checked *c, bool good)
{
    host_is_told(c, good ? "tells_atomic" : "stores");
}
RACES(the_host_may_be_told_by_an_atomic_operation)

static void what_is_for_the_block_tells_the_host_nothing_program(struct checked *c, bool good)
{
    host_is_told(c, good ? "tells" : "tells_its_block");
}
RACES(what_is_for_the_block_tells_the_host_nothing)

static void a_kernel_may_be_told_by_the_host_program(struct checked *c, bool good)
{
    struct shared *shared = new_shared(c);
    if (!good) atomic_store(&shared->flag, 1); /* or it would wait for what it need not see */
    launch(c, c->s, good ? "awaits" : "loads", address_of(&shared->flag),
           address_of(&shared->data));
    shared->data = 5;
    atomic_store_explicit(&shared->flag, 1, memory_order_release);
    end_shared(c, shared);
}
RACES(a_kernel_may_be_told_by_the_host)

/* What a kernel tells others in memory of the device the host does not see. */
static void a_flag_of_the_device_tells_the_host_nothing_program(struct checked *c, bool good)
{
    struct shared *shared = new_shared(c);
    launch(c, c->s, "tells", c->x, address_of(&shared->data));
    if (good) OK(rill_stream_synchronize(c->s));
    shared->data = 6;
    end_shared(c, shared);
}
RACES(a_flag_of_the_device_tells_the_host_nothing)

/* ---- Between kernels ------------------------------------------------------------------------ */

static void kernels_may_tell_each_other_program(struct checked *c, bool good)
{
    launch(c, c->s, good ? "tells" : "stores", c->x, c->y);
    launch(c, c->t, good ? "awaits" : "loads", c->x, c->y);
}
RACES(kernels_may_tell_each_other)

static void kernels_with_flags_of_their_own_tell_each_other_nothing_program(struct checked *c,
                                                                            bool good)
{
    OK(rill_memset_d8(c->context, c->x + 128, 1, 4));
    OK(rill_context_synchronize(c->context));
    launch(c, c->s, "tells", c->x, c->y);
    launch(c, c->t, "awaits", c->x + (good ? 0 : 128), c->y);
}
RACES(kernels_with_flags_of_their_own_tell_each_other_nothing)

/* A kernel that counts tells those that ask for the counter, not those that ask elsewhere. */
static void counted(struct checked *c, const char *counts, const char *awaits, bool good)
{
    OK(rill_memset_d8(c->context, c->x + 128, 1, 4));
    OK(rill_context_synchronize(c->context));
    launch(c, c->s, counts, c->x, c->y);
    launch(c, c->t, awaits, c->x + (good ? 0 : 128), c->y);
}

static void who_counts_what_is_done_tells_who_polls_program(struct checked *c, bool good)
{
    counted(c, "counts", "awaits_volatile", good);
}
RACES(who_counts_what_is_done_tells_who_polls)

static void a_count_may_release_and_a_load_acquire_program(struct checked *c, bool good)
{
    counted(c, "counts_by_release", "awaits_of_device", good);
}
RACES(a_count_may_release_and_a_load_acquire)

static void adding_nothing_asks_program(struct checked *c, bool good)
{
    counted(c, "counts", "awaits_by_nothing_added", good);
}
RACES(adding_nothing_asks)

static void setting_no_bit_asks_program(struct checked *c, bool good)
{
    counted(c, "counts", "awaits_by_no_bit_set", good);
}
RACES(setting_no_bit_asks)

static void who_is_launched_later_may_count_program(struct checked *c, bool good)
{
    OK(rill_memset_d8(c->context, c->x + 128, 1, 4));
    OK(rill_context_synchronize(c->context));
    launch(c, c->t, "awaits_volatile", c->x + (good ? 0 : 128), c->y);
    launch(c, c->s, "counts", c->x, c->y);
}
RACES(who_is_launched_later_may_count)

/* Two kernels that count at one place, and write to another, ask nobody. */
static void counting_asks_for_nothing_program(struct checked *c, bool good)
{
    launch(c, c->s, "counts", c->x, c->y);
    launch(c, c->t, "counts", c->x, c->y + (good ? 64 : 0));
}
RACES(counting_asks_for_nothing)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_may_be_told_by_a_release),
        cmocka_unit_test(the_host_may_be_told_by_a_volatile_store),
        cmocka_unit_test(the_host_may_be_told_by_an_atomic_operation),
        cmocka_unit_test(what_is_for_the_block_tells_the_host_nothing),
        cmocka_unit_test(a_kernel_may_be_told_by_the_host),
        cmocka_unit_test(a_flag_of_the_device_tells_the_host_nothing),
        cmocka_unit_test(kernels_may_tell_each_other),
        cmocka_unit_test(kernels_with_flags_of_their_own_tell_each_other_nothing),
        cmocka_unit_test(who_counts_what_is_done_tells_who_polls),
        cmocka_unit_test(a_count_may_release_and_a_load_acquire),
        cmocka_unit_test(adding_nothing_asks),
        cmocka_unit_test(setting_no_bit_asks),
        cmocka_unit_test(who_is_launched_later_may_count),
        cmocka_unit_test(counting_asks_for_nothing),
    };
    const char *unusable = ck_pages_unusable();
    if (unusable) {
        printf("1..0 # SKIP %s\n", unusable);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
