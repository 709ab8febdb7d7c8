/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that uses everything the simulator has for streams, with one allocation
 * of the library failing, in turn each of all that it makes.  The call that needed it
 * says so and has changed nothing: made again it succeeds, and the program comes
 * to the same results.  Nothing is left behind, neither then nor when the
 * program gives up at the first failure.  For graphs the tests of each call on them say
 * the same, and tests/core/test_faults.c.
 */
#include "support/cmocka_all.h"

#include <pthread.h>
#include <stdlib.h>

#include "sim/faults_program.h"
#include "support/shortage.h"

/* ---- One run ------------------------------------------------------------------- */

/* Its own thread: what the library keeps for a thread goes with it. */
static void *run_program(void *data)
{
    struct program *p = data;
    if (program_use_everything(p) && !p->gives_up) {
        rill_status status = rill_context_synchronize(p->context);
        if (status == RILL_ERROR_OUT_OF_MEMORY) status = rill_context_synchronize(p->context);
        if (status) program_stop(p, "the last synchronize", status);
    }
    program_end(p);
    return NULL;
}

static void run_it(struct program *p, bool gives_up)
{
    static char registered[8192];
    pthread_t thread;
    *p = (struct program){ .gives_up = gives_up, .registered = registered };
    if (pthread_create(&thread, NULL, run_program, p)) fail_msg("no thread");
    pthread_join(thread, NULL);
}

static void check(const struct program *p, long n, long live)
{
    if (p->call)
        fail_msg("allocation %ld: %s answers %s", n, p->call, rill_error_name(p->status));
    if (rl_alloc_live() != live)
        fail_msg("allocation %ld: %ld allocations are left behind", n, rl_alloc_live() - live);
    if (p->destroyed != p->given)
        fail_msg("allocation %ld: %d of %d destroys ran", n, p->destroyed, p->given);
}

static void check_results(const struct program *p, long n)
{
    static const uint32_t expected[] = { 12, 7, 3, 19 };
    for (int i = 0; i < 4; i++)
        if (p->results[i] != expected[i])
            fail_msg("allocation %ld: result %d is %u", n, i, p->results[i]);
    if (p->ran != BURST) fail_msg("allocation %ld: %d host functions ran", n, p->ran);
    if (p->called_back != p->called) fail_msg("allocation %ld: a callback is missing", n);
}

/* From which allocation to which: under valgrind some of them. */
static int step(void)
{
    const char *scale = getenv("RILL_TEST_SCALE");
    int by = scale ? atoi(scale) : 1;
    return by > 1 ? by : 1;
}

static void fail_each(bool gives_up)
{
    struct program p;
    long live = rl_alloc_live();
    run_it(&p, gives_up);
    check(&p, -1, live);
    check_results(&p, -1);
    for (long n = 0;; n += step()) {
        rl_alloc_fail_after(n);
        run_it(&p, gives_up);
        bool all = shortage_is_left(n);
        check(&p, n, live);
        if (!gives_up || all) check_results(&p, n);
        if (!all) continue;
        assert_true(n > 50);
        break;
    }
}

static void a_program_that_tries_again_comes_to_the_same_results(void **state)
{
    (void)state;
    fail_each(false);
}

static void a_program_that_gives_up_leaves_nothing_behind(void **state)
{
    (void)state;
    fail_each(true);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_that_tries_again_comes_to_the_same_results),
        cmocka_unit_test(a_program_that_gives_up_leaves_nothing_behind),
    };
    return cmocka_run_group_tests_name("sim_faults", tests, NULL, NULL);
}
