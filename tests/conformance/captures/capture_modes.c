/* SPDX-License-Identifier: Apache-2.0
 *
 * Modes of captures and of threads: which captures an unsafe call breaks, and for
 * whom.  Which calls are unsafe is in capture_calls.c.
 */
#include "conformance/captures/capturing.h"

#include <string.h>

/* ---- Which captures a call breaks ------------------------------------------------------------ */

struct six {
    struct fixture *f;
    rill_stream *near[3], *far[3];
    atomic_int turn;
};

static const rill_capture_mode modes[3] = { RILL_CAPTURE_GLOBAL, RILL_CAPTURE_THREAD_LOCAL,
                                            RILL_CAPTURE_RELAXED };

static void begin_far(void *data, int index)
{
    struct six *six = data;
    (void)index;
    for (int i = 0; i < 3; i++) works(six->f, begin(six->far[i], modes[i]));
}

/* Three captures here, three of a thread that is gone; then a call. */
static void six_captures(struct fixture *f, struct six *six)
{
    *six = (struct six){ .f = f };
    for (int i = 0; i < 3; i++) {
        six->near[i] = new_non_blocking(f);
        six->far[i] = new_non_blocking(f);
    }
    crew(1, begin_far, six);
    all_worked(f);
    for (int i = 0; i < 3; i++) ok(begin(six->near[i], modes[i]));
}

/* oracle capmode.which_broken_alloc */
static void an_unsafe_call_breaks_the_captures_that_forbid_it(void **state)
{
    struct six six;
    rill_devptr address;
    six_captures(*state, &six);
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_mem_alloc(six.f->context, 64, &address));
    broken(six.near[0]);
    broken(six.near[1]);
    active(six.near[2]);
    broken(six.far[0]);
    active(six.far[1]);
    active(six.far[2]);
}

static void a_local_thread_breaks_its_own_alone(void **state)
{
    struct six six;
    rill_devptr address;
    rill_capture_mode mode = RILL_CAPTURE_THREAD_LOCAL;
    six_captures(*state, &six);
    ok(rill_thread_exchange_capture_mode(six.f->platform, &mode));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_mem_alloc(six.f->context, 64, &address));
    ok(rill_thread_exchange_capture_mode(six.f->platform, &mode));
    broken(six.near[0]);
    broken(six.near[1]);
    active(six.near[2]);
    active(six.far[0]);
    active(six.far[1]);
}

/* oracle capmode.which_broken_ctx_sync */
static void waiting_for_the_context_breaks_all_of_them(void **state)
{
    struct six six;
    six_captures(*state, &six);
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_context_synchronize(six.f->context));
    for (int i = 0; i < 3; i++) {
        broken(six.near[i]);
        broken(six.far[i]);
    }
}

/* ---- The thread's own mode ------------------------------------------------------------------- */

static void a_new_thread_is_global(void *data, int index)
{
    struct fixture *f = data;
    rill_capture_mode mode = RILL_CAPTURE_RELAXED;
    (void)index;
    works(f, rill_thread_exchange_capture_mode(f->platform, &mode));
    if (mode != RILL_CAPTURE_GLOBAL) works(f, RILL_ERROR_UNKNOWN);
}

/* CP-37; oracle capmode.exchange */
static void the_thread_s_own_mode_is_swapped(void **state)
{
    struct fixture *f = *state;
    rill_capture_mode mode = RILL_CAPTURE_RELAXED;
    ok(rill_thread_exchange_capture_mode(f->platform, &mode));
    assert_int_equal(mode, RILL_CAPTURE_GLOBAL);
    mode = (rill_capture_mode)7;
    is(RILL_ERROR_INVALID_VALUE, rill_thread_exchange_capture_mode(f->platform, &mode));
    crew(1, a_new_thread_is_global, f);
    all_worked(f);
    mode = RILL_CAPTURE_GLOBAL;
    ok(rill_thread_exchange_capture_mode(f->platform, &mode));
    assert_int_equal(mode, RILL_CAPTURE_RELAXED);
}

/* oracle capmode.end_frees_thread */
static void the_end_frees_the_thread(void **state)
{
    struct fixture *f = *state;
    rill_stream *local = new_non_blocking(f), *relaxed = new_non_blocking(f);
    rill_devptr address;
    ok(begin(local, RILL_CAPTURE_THREAD_LOCAL));
    ok(begin(relaxed, RILL_CAPTURE_RELAXED));
    gives(local, "");
    ok(rill_mem_alloc(f->context, 64, &address));
    ok(rill_mem_free(f->context, address));
    active(relaxed);
    gives(relaxed, "");
}

static void the_sentence_says_whose_capture_is_in_the_way(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr address;
    ok(rill_stream_set_label(s, "prefill"));
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, rill_mem_alloc(f->context, 64, &address));
    assert_non_null(strstr(rill_last_error()->message, "'prefill'"));
    fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
    assert_string_equal(rill_last_error()->cause.operation, "rill_mem_alloc");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_unsafe_call_breaks_the_captures_that_forbid_it),
    cmocka_unit_test(a_local_thread_breaks_its_own_alone),
    cmocka_unit_test(waiting_for_the_context_breaks_all_of_them),
    cmocka_unit_test(the_thread_s_own_mode_is_swapped),
    cmocka_unit_test(the_end_frees_the_thread),
    cmocka_unit_test(the_sentence_says_whose_capture_is_in_the_way),
};

SUITE_GROUP(capture_modes, 1);
