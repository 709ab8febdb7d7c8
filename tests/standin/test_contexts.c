/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles that are dead or foreign, contexts that come and go, and events of whole
 * contexts.
 */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "standin/library.h"

/* ---- Short forms ------------------------------------------------------------------------ */

static CUcontext own_context(void)
{
    CUcontext context;
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&context, 0, 0)));
    return context;
}

static CUcontext current(void)
{
    CUcontext context;
    OK(CALL(cuCtxGetCurrent, (CUcontext *), (&context)));
    return context;
}

static void make_current(CUcontext context)
{
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
}

static void end_context(CUcontext context)
{
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (context)));
}

static CUstream stream_of(unsigned flags)
{
    CUstream stream;
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, flags)));
    return stream;
}

static CUevent plain_event(void)
{
    CUevent event;
    OK(CALL(cuEventCreate, (CUevent *, unsigned), (&event, CU_EVENT_DISABLE_TIMING)));
    return event;
}

static CUresult query(CUstream stream)
{
    return CALL(cuStreamQuery, (CUstream), (stream));
}

/* A word that streams wait for until it is 1. */
struct gate {
    uint32_t *word;
};

static struct gate closed_gate(void)
{
    struct gate gate;
    void *word;
    OK(CALL(cuMemHostAlloc, (void **, size_t, unsigned), (&word, 4, 0)));
    gate.word = word;
    __atomic_store_n(gate.word, 0, __ATOMIC_SEQ_CST);
    return gate;
}

static void hold(CUstream stream, struct gate gate)
{
    OK(CALL(cuStreamWaitValue32_v2, (CUstream, CUdeviceptr, uint32_t, unsigned),
            (stream, (uintptr_t)gate.word, 1, RILL_WAIT_EQ)));
}

static void open_gate(struct gate gate)
{
    __atomic_store_n(gate.word, 1, __ATOMIC_SEQ_CST);
}

static int begin(void **state)
{
    (void)state;
    library_open();
    OK(CALL(cuInit, (unsigned), (0)));
    return 0;
}

static int finish(void **state)
{
    (void)state;
    return library_close();
}

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
    assert_int_equal(CALL(cuCtxSetCurrent, (CUcontext), (context)),
                     RILL_ERROR_CONTEXT_IS_DESTROYED);
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

/* As an H100 answers. */
static void memory_is_not_freed_while_a_context_is_current_that_has_ended(void **state)
{
    (void)state;
    CUcontext primary;
    CUdeviceptr memory;
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&primary, 0)));
    make_current(primary);
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&memory, 4096)));
    OK(CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice), (0)));
    assert_int_equal(CALL(cuMemFree_v2, (CUdeviceptr), (memory)),
                     RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(CALL(cuMemFree_v2, (CUdeviceptr), (0)), RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(CALL(cuMemFreeHost, (void *), (NULL)), RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(CALL(cuMemHostUnregister, (void *), (&memory)),
                     RILL_ERROR_CONTEXT_IS_DESTROYED);
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&primary, 0)));
    make_current(primary);
    assert_int_equal(CALL(cuMemFree_v2, (CUdeviceptr), (memory)), RILL_ERROR_INVALID_VALUE);
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&memory, 4096)));
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (memory)));
    OK(CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice), (0)));
    OK(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&primary)));
}

/* As an H100 answers; everything else that needs it is refused. */
static void a_primary_context_that_was_released_tells_its_device(void **state)
{
    (void)state;
    CUcontext primary, other;
    CUdevice device = -1;
    unsigned flags = 7;
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&primary, 0)));
    make_current(primary);
    OK(CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice), (0)));
    OK(CALL(cuCtxGetDevice, (CUdevice *), (&device)));
    assert_int_equal(device, 0);
    OK(CALL(cuCtxGetFlags, (unsigned *), (&flags)));
    assert_int_equal(flags, 0);
    assert_int_equal(CALL(cuCtxSynchronize, (void), ()), RILL_ERROR_CONTEXT_IS_DESTROYED);
    OK(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&other)));
    assert_ptr_equal(other, primary);
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

/* ---- Primary contexts --------------------------------------------------------------------- */

static CUcontext retain_primary(void)
{
    CUcontext primary;
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&primary, 0)));
    make_current(primary);
    return primary;
}

static int primary_is_active(void)
{
    unsigned flags;
    int active;
    OK(CALL(cuDevicePrimaryCtxGetState, (CUdevice, unsigned *, int *), (0, &flags, &active)));
    return active;
}

static CUresult release_primary(void)
{
    return CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice), (0));
}

static void *release_it(void *status)
{
    *(CUresult *)status = release_primary();
    return NULL;
}

static void wait_for(void *flag)
{
    while (!__atomic_load_n((int *)flag, __ATOMIC_ACQUIRE)) sched_yield();
}

static void *open_later(void *flag)
{
    for (int i = 0; i < 100 && !primary_is_active(); i++) usleep(1000);
    __atomic_store_n((int *)flag, 1, __ATOMIC_RELEASE);
    return NULL;
}

/* The end of the one before takes until its work is done: nothing of the new one's goes
 * with it. */
static void a_primary_context_that_is_retained_while_it_ends_is_a_new_one(void **state)
{
    (void)state;
    CUresult released = RILL_ERROR_UNKNOWN;
    int is_open = 0;
    pthread_t ending, opening;
    retain_primary();
    OK(CALL(cuLaunchHostFunc, (CUstream, CUhostFn, void *), (stream_of(0), wait_for, &is_open)));
    assert_int_equal(pthread_create(&ending, NULL, release_it, &released), 0);
    while (primary_is_active()) sched_yield();
    assert_int_equal(pthread_create(&opening, NULL, open_later, &is_open), 0);
    retain_primary();
    CUstream stream = stream_of(0);
    pthread_join(opening, NULL);
    pthread_join(ending, NULL);
    OK(released);
    OK(query(stream));
    OK(release_primary());
}

enum { THREADS = 3, ROUNDS = 300 };

/* Whoever retains it can use it, also when somebody else just was the last to release it. */
static void *retain_and_use(void *failed)
{
    CUresult status = RILL_SUCCESS;
    for (int i = 0; i < ROUNDS && !status; i++) {
        CUcontext primary;
        status = CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&primary, 0));
        if (!status) status = CALL(cuCtxSetCurrent, (CUcontext), (primary));
        if (!status) status = CALL(cuCtxSynchronize, (void), ());
        if (!status) status = release_primary();
    }
    *(CUresult *)failed = status;
    return NULL;
}

static void threads_retain_and_release_a_primary_context(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    CUresult failed[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, retain_and_use, &failed[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) OK(failed[i]);
    assert_false(primary_is_active());
}

/* ---- Events of a context --------------------------------------------------- */

static void record_all(CUcontext context, CUevent event)
{
    OK(CALL(cuCtxRecordEvent, (CUcontext, CUevent), (context, event)));
}

static void a_context_records_what_all_its_streams_hold(void **state)
{
    (void)state;
    CUcontext context = own_context();
    CUstream streams[] = { stream_of(0), stream_of(CU_STREAM_NON_BLOCKING), NULL,
                           CU_STREAM_PER_THREAD };
    CUevent event = plain_event();
    record_all(context, event);
    OK(CALL(cuEventSynchronize, (CUevent), (event)));
    for (int i = 0; i < 4; i++) {
        struct gate gate = closed_gate();
        hold(streams[i], gate);
        record_all(context, event);
        assert_int_equal(CALL(cuEventQuery, (CUevent), (event)), RILL_ERROR_NOT_READY);
        open_gate(gate);
        OK(CALL(cuEventSynchronize, (CUevent), (event)));
    }
    end_context(context);
}

static void a_context_waits_with_all_its_streams(void **state)
{
    (void)state;
    CUcontext other = own_context();
    struct gate gate = closed_gate();
    CUstream held = stream_of(0);
    CUevent event = plain_event();
    hold(held, gate);
    OK(CALL(cuEventRecord, (CUevent, CUstream), (event, held)));
    CUcontext context = own_context();
    CUstream before = stream_of(0), apart = stream_of(CU_STREAM_NON_BLOCKING);
    OK(CALL(cuCtxWaitEvent, (CUcontext, CUevent), (context, event)));
    CUstream streams[] = { before, apart, stream_of(0), stream_of(CU_STREAM_NON_BLOCKING), NULL,
                           CU_STREAM_PER_THREAD };
    enum { STREAMS = sizeof streams / sizeof streams[0] };
    CUevent passed[STREAMS];
    for (int i = 0; i < STREAMS; i++) {
        passed[i] = plain_event();
        OK(CALL(cuEventRecord, (CUevent, CUstream), (passed[i], streams[i])));
        assert_int_equal(CALL(cuEventQuery, (CUevent), (passed[i])), RILL_ERROR_NOT_READY);
    }
    open_gate(gate);
    for (int i = 0; i < STREAMS; i++) OK(CALL(cuEventSynchronize, (CUevent), (passed[i])));
    end_context(context);
    end_context(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_destroyed_handle_is_known_to_be_dead),
        cmocka_unit_test(what_is_no_handle_is_refused),
        cmocka_unit_test(what_was_made_in_a_context_goes_with_it),
        cmocka_unit_test(contexts_are_stacked),
        cmocka_unit_test(one_that_is_destroyed_below_the_top_stays_dead),
        cmocka_unit_test(one_that_is_destroyed_stays_until_it_is_popped),
        cmocka_unit_test(a_primary_context_that_was_released_tells_its_device),
        cmocka_unit_test(memory_is_not_freed_while_a_context_is_current_that_has_ended),
        cmocka_unit_test(each_thread_has_its_own),
        cmocka_unit_test(a_primary_context_that_is_retained_while_it_ends_is_a_new_one),
        cmocka_unit_test(threads_retain_and_release_a_primary_context),
        cmocka_unit_test(a_context_records_what_all_its_streams_hold),
        cmocka_unit_test(a_context_waits_with_all_its_streams),
    };
    return cmocka_run_group_tests_name("standin/contexts", tests, begin, finish);
}
