/* SPDX-License-Identifier: Apache-2.0
 *
 * cs_site_here() finds what the system's unwinder finds: the innermost frame of the program
 * above the library's, at any depth, from any thread, however the library was compiled.
 */
#include "support/cmocka_all.h"

#include <pthread.h>
#include <stdio.h>
#include <unwind.h>

#include "base/own_text.h"
#include "site/rule.h"
#include "site/site.h"
#include "site/site_frames.h"
#include "support/random.h"

enum { STEPS_MAX = 20 };

/* ---- The unwinder's answer --------------------------------------------------- */

struct unwinding {
    bool in_library;
    uintptr_t site;
    unsigned frames, without_rule;
};

static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *context, void *data)
{
    struct unwinding *unwinding = data;
    uintptr_t address = _Unwind_GetIP(context);
    struct cs_rule rule;
    if (rl_is_own_text(address - 1)) {
        unwinding->in_library = true;
        unwinding->frames++;
        unwinding->without_rule += !cs_read_rule(address, &rule);
    } else if (unwinding->in_library) {
        unwinding->site = address;
        return _URC_END_OF_STACK;
    }
    return _URC_NO_REASON;
}

static struct unwinding unwind(void)
{
    struct unwinding unwinding = { .in_library = false };
    _Unwind_Backtrace(look_at_frame, &unwinding);
    return unwinding;
}

static void note_other_site(struct site_way *way)
{
    way->other_site = (const void *)unwind().site;
}

/* ---- Ways ----------------------------------------------------------------------- */

static void go_on_from_program(struct site_way *way)
{
    site_go(way);
    way->seen++;
}

/* Goes one random way and returns whether both answers agree. */
static bool go_random_way(struct dice *dice)
{
    unsigned char steps[STEPS_MAX];
    size_t count = (size_t)dice_below(dice, STEPS_MAX + 1);
    for (size_t i = 0; i < count; i++)
        steps[i] = (unsigned char)dice_below(dice, SITE_SHAPES * SITE_LEVELS);
    struct site_way way = { .steps = steps, .left = count, .end = note_other_site,
                            .program = go_on_from_program };
    site_go(&way);
    return way.site && way.site == way.other_site;
}

static void finds_what_the_unwinder_finds(void **state)
{
    (void)state;
    struct dice dice = { 1 };
    for (int i = 0; i < 5000; i++) assert_true(go_random_way(&dice));
}

static void *go_random_ways(void *seed)
{
    struct dice dice = *(struct dice *)seed;
    for (int i = 0; i < 2000; i++)
        if (!go_random_way(&dice)) return seed;
    return NULL;
}

static void finds_it_from_all_threads(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    struct dice seeds[THREADS];
    for (int i = 0; i < THREADS; i++) {
        seeds[i].state = 100 + (uint64_t)i;
        assert_int_equal(pthread_create(&threads[i], NULL, go_random_ways, &seeds[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
}

/* ---- One place, several places ------------------------------------------------------ */

__attribute__((noinline)) static const void *take_here(void)
{
    const void *volatile site = site_from_library();
    return site;
}

static void same_place_has_the_same_site(void **state)
{
    (void)state;
    const void *site = take_here();
    assert_non_null(site);
    assert_ptr_equal(take_here(), site);
    assert_ptr_not_equal(site_from_library(), site);
}

__attribute__((noinline)) static void go_from_here(struct site_way *way)
{
    site_go(way);
    way->seen++;
}

static void a_callback_of_the_program_is_the_innermost_call(void **state)
{
    (void)state;
    const unsigned char once[] = { SITE_CALLS_PROGRAM };
    struct site_way outer = { .end = note_other_site };
    struct site_way inner = { .steps = once, .left = 1, .end = note_other_site,
                              .program = go_on_from_program };
    go_from_here(&outer);
    go_from_here(&inner);
    assert_non_null(inner.site);
    assert_ptr_not_equal(inner.site, outer.site);
}

/* ---- Rules -------------------------------------------------------------------------- */

static struct unwinding last_unwinding;

static void note_unwinding(struct site_way *way)
{
    (void)way;
    last_unwinding = unwind();
}

/* So that the walk is quick: frames that it has to leave to the unwinder are rare. */
static void almost_all_frames_have_rules(void **state)
{
    (void)state;
#if !defined(__x86_64__) && !defined(__aarch64__)
    skip();
#endif
    unsigned frames = 0, without_rule = 0;
    for (unsigned step = 0; step < SITE_SHAPES * SITE_LEVELS; step++) {
        unsigned char steps[] = { (unsigned char)step };
        struct site_way way = { .steps = steps, .left = 1, .end = note_unwinding,
                                .program = go_on_from_program };
        site_go(&way);
        frames += last_unwinding.frames;
        without_rule += last_unwinding.without_rule;
    }
    print_message("# %u of %u frames have no rule\n", without_rule, frames);
    assert_true(frames > 2 * SITE_SHAPES * SITE_LEVELS);
    assert_in_range(without_rule, 0, 2 * SITE_LEVELS);
}

static void the_program_has_no_own_text(void **state)
{
    (void)state;
    assert_true(rl_knows_own_text());
    assert_true(rl_is_own_text((uintptr_t)cs_site_here));
    assert_true(rl_is_own_text((uintptr_t)site_shapes_2[0]));
    assert_false(rl_is_own_text((uintptr_t)go_on_from_program));
    assert_false(rl_is_own_text((uintptr_t)printf));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_has_no_own_text),
        cmocka_unit_test(same_place_has_the_same_site),
        cmocka_unit_test(a_callback_of_the_program_is_the_innermost_call),
        cmocka_unit_test(finds_what_the_unwinder_finds),
        cmocka_unit_test(finds_it_from_all_threads),
        cmocka_unit_test(almost_all_frames_have_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
