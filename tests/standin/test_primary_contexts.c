/* SPDX-License-Identifier: Apache-2.0
 *
 * Primary contexts: what is left of one that was released, and threads that retain one.
 */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "standin/contexts.h"

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

/* ---- One that was released ------------------------------------------------------------------ */

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

/* ---- Threads -------------------------------------------------------------------------------- */

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_primary_context_that_was_released_tells_its_device),
        cmocka_unit_test(memory_is_not_freed_while_a_context_is_current_that_has_ended),
        cmocka_unit_test(a_primary_context_that_is_retained_while_it_ends_is_a_new_one),
        cmocka_unit_test(threads_retain_and_release_a_primary_context),
    };
    return cmocka_run_group_tests_name("standin/primary contexts", tests, library_setup,
                                       library_teardown);
}
