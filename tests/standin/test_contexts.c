/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles that are dead or foreign, and contexts that come and go on the stacks of threads.
 */
#include <pthread.h>

#include "standin/contexts.h"

/* ---- Handles ------------------------------------------------------------------------------ */

static void a_destroyed_handle_is_known_to_be_dead(void **state)
{
    (void)state;
    CUcontext context = own_context();
    CUstream stream = stream_of(0);
    CUevent event = plain_event();
    OK(CALL(cuStreamDestroy_v2, (CUstream), (stream)));
    OK(CALL(cuEventDestroy_v2, (CUevent), (event)));
    for (int i = 0; i < 100; i++) { /* others do not take its place soon */
        CUstream other = stream_of(0);
        assert_ptr_not_equal(other, stream);
        OK(CALL(cuStreamDestroy_v2, (CUstream), (other)));
    }
    assert_int_equal(query(stream), RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(CALL(cuStreamDestroy_v2, (CUstream), (stream)),
                     RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(CALL(cuEventQuery, (CUevent), (event)), RILL_ERROR_CONTEXT_IS_DESTROYED);
    end_context(context);
}

static void what_is_no_handle_is_refused(void **state)
{
    (void)state;
    CUcontext context = own_context();
    CUstream stream = stream_of(0);
    CUevent event = plain_event();
    const uintptr_t wrong[] = { 3, (uintptr_t)stream + 8, (uintptr_t)event, (uintptr_t)&stream,
                                (uintptr_t)context, UINTPTR_MAX, UINTPTR_MAX / 2 };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(query((CUstream)wrong[i]), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(CALL(cuEventQuery, (CUevent), ((CUevent)(uintptr_t)stream)),
                     RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(CALL(cuCtxSetCurrent, (CUcontext), ((CUcontext)(uintptr_t)stream)),
                     RILL_ERROR_INVALID_CONTEXT);
    end_context(context);
}

static void what_was_made_in_a_context_goes_with_it(void **state)
{
    (void)state;
    CUcontext context = own_context();
    CUstream stream = stream_of(0);
    CUevent event = plain_event();
    end_context(context);
    assert_int_equal(query(stream), RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(CALL(cuEventQuery, (CUevent), (event)), RILL_ERROR_CONTEXT_IS_DESTROYED);
}

/* As an H200 answers; it is not mistaken for the context that gets its place. */
static void what_has_ended_can_become_current_and_stays_dead(void **state)
{
    (void)state;
    CUcontext dead = own_context(), other = NULL;
    CUdevice device = -1;
    unsigned flags = 7;
    end_context(dead);
    OK(CALL(cuCtxPushCurrent_v2, (CUcontext), (dead)));
    assert_ptr_equal(current(), dead);
    assert_int_equal(CALL(cuCtxSynchronize, (void), ()), RILL_ERROR_CONTEXT_IS_DESTROYED);
    OK(CALL(cuCtxGetDevice, (CUdevice *), (&device)));
    assert_int_equal(device, 0);
    OK(CALL(cuCtxGetFlags, (unsigned *), (&flags)));
    assert_int_equal(flags, 0);
    for (int i = 0; i < 1000 && other != dead; i++) {
        if (other) end_context(other);
        other = own_context();
        OK(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&other)));
    }
    assert_ptr_equal(other, dead); /* the handle, used again */
    assert_int_equal(CALL(cuCtxSynchronize, (void), ()), RILL_ERROR_CONTEXT_IS_DESTROYED);
    OK(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&other)));
    end_context(other);
}

/* ---- Stacks --------------------------------------------------------------------------------- */

enum { DEEP = 40 };

static void contexts_are_stacked(void **state)
{
    (void)state;
    CUcontext made[DEEP], popped;
    make_current(NULL);
    for (int i = 0; i < DEEP; i++) made[i] = own_context();
    for (int i = DEEP - 1; i >= 0; i--) {
        assert_ptr_equal(current(), made[i]);
        OK(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&popped)));
        assert_ptr_equal(popped, made[i]);
    }
    assert_null(current());
    assert_int_equal(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&popped)),
                     RILL_ERROR_INVALID_CONTEXT);
    for (int i = 0; i < DEEP; i++) end_context(made[i]);
}

/* It is not mistaken for the context that gets its place. */
static void one_that_is_destroyed_below_the_top_stays_dead(void **state)
{
    (void)state;
    CUcontext below = own_context(), top = own_context(), other = NULL;
    end_context(below);
    assert_ptr_equal(current(), top);
    for (int i = 0; i < 1000 && other != below; i++) {
        if (other) end_context(other);
        other = own_context();
        OK(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&other)));
    }
    assert_ptr_equal(other, below); /* the handle, used again */
    end_context(top);
    assert_ptr_equal(current(), below);
    assert_int_equal(CALL(cuCtxSynchronize, (void), ()), RILL_ERROR_CONTEXT_IS_DESTROYED);
    make_current(other);
    OK(CALL(cuCtxSynchronize, (void), ()));
    end_context(other);
}

/* Nor does it leave the stack with that one. */
static void one_that_is_destroyed_stays_until_it_is_popped(void **state)
{
    (void)state;
    CUcontext dead = own_context(), popped = NULL, other = NULL;
    OK(CALL(cuCtxPushCurrent_v2, (CUcontext), (dead)));
    end_context(dead);
    for (int i = 0; i < 1000 && other != dead; i++) {
        if (other) end_context(other);
        other = own_context();
        OK(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&other)));
    }
    assert_ptr_equal(other, dead);
    end_context(other);
    assert_int_equal(CALL(cuCtxSynchronize, (void), ()), RILL_ERROR_CONTEXT_IS_DESTROYED);
    OK(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&popped)));
    assert_ptr_equal(popped, dead);
}

static void *use_and_leave(void *context)
{
    CUcontext other;
    assert_null(current());
    make_current(context);
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&other, 0, 0)));
    end_context(other);
    assert_ptr_equal(current(), context);
    OK(CALL(cuCtxPushCurrent_v2, (CUcontext), (context)));
    return NULL; /* with two on its stack */
}

static void each_thread_has_its_own(void **state)
{
    (void)state;
    CUcontext context = own_context();
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, use_and_leave, context), 0);
    pthread_join(thread, NULL);
    assert_ptr_equal(current(), context);
    end_context(context);
    assert_null(current());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_destroyed_handle_is_known_to_be_dead),
        cmocka_unit_test(what_is_no_handle_is_refused),
        cmocka_unit_test(what_was_made_in_a_context_goes_with_it),
        cmocka_unit_test(what_has_ended_can_become_current_and_stays_dead),
        cmocka_unit_test(contexts_are_stacked),
        cmocka_unit_test(one_that_is_destroyed_below_the_top_stays_dead),
        cmocka_unit_test(one_that_is_destroyed_stays_until_it_is_popped),
        cmocka_unit_test(each_thread_has_its_own),
    };
    return cmocka_run_group_tests_name("standin/contexts", tests, library_setup, library_teardown);
}
