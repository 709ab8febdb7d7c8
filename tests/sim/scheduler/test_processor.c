/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that go to another processor.
 */
#include "support/cmocka_all.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/processor.h"

#if defined(__linux__)

static cpu_set_t allowed(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    return set;
}

static void where_a_thread_may_run_stays_as_it_was(void **state)
{
    (void)state;
    cpu_set_t before = allowed(), after;
    const int here[] = { RL_PROCESSOR_NONE, rl_processor(), CPU_SETSIZE };
    rl_processor_leave(here, 3);
    after = allowed();
    assert_true(CPU_EQUAL(&before, &after));
}

static void so_it_does_when_all_processors_are_taken(void **state)
{
    (void)state;
    static int all[CPU_SETSIZE];
    cpu_set_t before = allowed(), after;
    for (int i = 0; i < CPU_SETSIZE; i++) all[i] = i;
    rl_processor_leave(all, CPU_SETSIZE);
    after = allowed();
    assert_true(CPU_EQUAL(&before, &after));
}

/* The system may bring it back at any time, but hardly each time. */
static void a_thread_leaves_its_processor(void **state)
{
    (void)state;
    cpu_set_t before = allowed();
    if (CPU_COUNT(&before) < 2) skip_because("there is one processor");
    bool left = false;
    for (int i = 0; i < 1000 && !left; i++) {
        int here = rl_processor();
        rl_processor_leave(&here, 1);
        left = rl_processor() != here;
    }
    assert_true(left);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_a_thread_may_run_stays_as_it_was),
        cmocka_unit_test(so_it_does_when_all_processors_are_taken),
        cmocka_unit_test(a_thread_leaves_its_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    puts("1..0 # SKIP no way to tell a thread where to run");
    return 0;
}

#endif
