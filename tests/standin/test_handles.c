/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles that some threads use while others destroy them: a call finishes with what it
 * found, or finds the handle dead.  Nothing crashes, hangs or answers anything else, and
 * each object is destroyed once.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "standin/kinds.h"

/* ---- Uses and ends at once ---------------------------------------------------------------- */

enum { USERS = 3, HANDLES = 200 };

static struct {
    const struct kind *kind;
    _Atomic(void *) handle;
    atomic_int over, ended;
} shared;

static void check(const struct kind *kind, CUresult status)
{
    int known = !status || status == RILL_ERROR_NOT_READY;
    for (int i = 0; i < 3; i++) known |= status == kind->dead[i];
    if (!known) fail_msg("a call on a %s answers %d", kind->name, (int)status);
}

static void end(const struct kind *kind, void *handle)
{
    CUresult status = kind->end(handle);
    check(kind, status);
    if (!status) atomic_fetch_add(&shared.ended, 1);
}

/* The first thread also ends what another one is about to. */
static void *use(void *first)
{
    const struct kind *kind = shared.kind;
    OK(CALL(cuCtxSetCurrent, (CUcontext), (primary)));
    for (int i = 0; !atomic_load(&shared.over); i++) {
        void *handle = atomic_load(&shared.handle);
        check(kind, kind->use(handle));
        if (first && i % 5 == 0) end(kind, handle);
    }
    return NULL;
}

static int handles(void)
{
    const char *scale = getenv("RILL_TEST_SCALE");
    return scale ? HANDLES / atoi(scale) + 2 : HANDLES;
}

/* Calls on one graph must not overlap, but for its end. */
static void torture(const struct kind *kind, int users, int both_end)
{
    pthread_t threads[USERS];
    int count = handles();
    shared.kind = kind;
    atomic_store(&shared.over, 0);
    atomic_store(&shared.ended, 0);
    atomic_store(&shared.handle, kind->make());
    for (int i = 0; i < users; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use, both_end && !i ? &shared : NULL),
                         0);
    for (int i = 0; i < count; i++) {
        sched_yield();
        end(kind, atomic_exchange(&shared.handle, kind->make()));
    }
    atomic_store(&shared.over, 1);
    for (int i = 0; i < users; i++) pthread_join(threads[i], NULL);
    end(kind, atomic_load(&shared.handle));
    assert_int_equal(atomic_load(&shared.ended), count + 1);
    OK(CALL(cuCtxSynchronize, (void), ()));
}

#define TORTURE(name, users, ...) \
    static void name##_ends_while_it_is_used(void **state) \
    { \
        (void)state; \
        static const struct kind kind = { #name, name##_make, name##_use, name##_end, \
                                          { __VA_ARGS__ } }; \
        torture(&kind, users, users > 1); \
    }

TORTURE(context, USERS, RILL_ERROR_CONTEXT_IS_DESTROYED, RILL_ERROR_INVALID_CONTEXT)
TORTURE(stream, USERS, RILL_ERROR_CONTEXT_IS_DESTROYED)
TORTURE(event, USERS, RILL_ERROR_CONTEXT_IS_DESTROYED)
TORTURE(graph, 1, RILL_ERROR_INVALID_VALUE)
TORTURE(child, 1, RILL_ERROR_INVALID_VALUE)
TORTURE(exec, USERS, RILL_ERROR_INVALID_VALUE)
TORTURE(module, USERS, RILL_ERROR_INVALID_HANDLE)
TORTURE(library, USERS, RILL_ERROR_INVALID_HANDLE)
TORTURE(pool, USERS, RILL_ERROR_INVALID_VALUE)
TORTURE(object, 1, RILL_ERROR_INVALID_VALUE)

/* ---- All of a context ----------------------------------------------------------------------- */

static void *make_and_end_streams(void *unused)
{
    (void)unused;
    OK(CALL(cuCtxSetCurrent, (CUcontext), (primary)));
    while (!atomic_load(&shared.over)) {
        CUstream stream = make_stream();
        OK(CALL(cuStreamSynchronize, (CUstream), (stream)));
        OK(stream_end(stream));
    }
    return NULL;
}

static void events_of_a_context_meet_streams_that_end(void **state)
{
    pthread_t threads[USERS];
    CUevent event = make_event();
    (void)state;
    atomic_store(&shared.over, 0);
    for (int i = 0; i < USERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, make_and_end_streams, NULL), 0);
    for (int i = 0; i < 100 * handles(); i++) {
        OK(CALL(cuCtxRecordEvent, (CUcontext, CUevent), (primary, event)));
        OK(CALL(cuCtxWaitEvent, (CUcontext, CUevent), (primary, event)));
    }
    atomic_store(&shared.over, 1);
    for (int i = 0; i < USERS; i++) pthread_join(threads[i], NULL);
    OK(event_end(event));
}

/* ---- A thread that borrows a context ---------------------------------------------- */

static void *make_and_end_contexts(void *unused)
{
    (void)unused;
    while (!atomic_load(&shared.over)) OK(context_end(context_make()));
    return NULL;
}

static void a_context_that_is_borrowed_ends(void **state)
{
    pthread_t threads[USERS];
    CUcontext popped;
    int type;
    (void)state;
    OK(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&popped)));
    OK(CALL(cuDevicePrimaryCtxRelease_v2, (CUdevice), (0)));
    atomic_store(&shared.over, 0);
    for (int i = 0; i < USERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, make_and_end_contexts, NULL), 0);
    for (int i = 0; i < 100 * handles(); i++) {
        CUresult status = CALL(cuPointerGetAttribute, (void *, int, CUdeviceptr),
                               (&type, 2, (uintptr_t)&type));
        assert_int_equal(status, RILL_ERROR_INVALID_VALUE);
        OK(CALL(cuMemFree_v2, (CUdeviceptr), (0)));
    }
    atomic_store(&shared.over, 1);
    for (int i = 0; i < USERS; i++) pthread_join(threads[i], NULL);
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&primary, 0)));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (primary)));
}

/* ---- Several that end at once --------------------------------------------------------------- */

static _Atomic(CUcontext) ring[USERS];

/* Ends each context that it finds and puts a new one in its place, while the others use it
 * or end theirs. */
static void *end_in_turns(void *unused)
{
    (void)unused;
    for (int i = 0; !atomic_load(&shared.over); i++) {
        CUcontext context = atomic_load(&ring[i % USERS]);
        check(shared.kind, context_use(context));
        if (i % 3 == 0) check(shared.kind, context_end(atomic_exchange(&ring[i % USERS],
                                                                       context_make())));
    }
    return NULL;
}

static void contexts_end_at_once(void **state)
{
    static const struct kind kind = {
        .name = "context",
        .dead = { RILL_ERROR_CONTEXT_IS_DESTROYED, RILL_ERROR_INVALID_CONTEXT }
    };
    pthread_t threads[USERS];
    (void)state;
    shared.kind = &kind;
    atomic_store(&shared.over, 0);
    for (int i = 0; i < USERS; i++) atomic_store(&ring[i], context_make());
    for (int i = 0; i < USERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, end_in_turns, NULL), 0);
    for (int i = 0; i < handles(); i++) sched_yield();
    nanosleep(&(struct timespec){ .tv_nsec = 300000000 }, NULL); /* so long, whatever happens */
    atomic_store(&shared.over, 1);
    for (int i = 0; i < USERS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < USERS; i++) OK(context_end(atomic_load(&ring[i])));
}

/* ---- Handles that are kept too long ------------------------------------------------------- */

/* Handles of parts that the threads find, and use when their owners may be gone. */
static struct {
    _Atomic(CUfunction) function;
    _Atomic(CUfunction) kernel; /* a CUkernel, which launches take as well */
} kept;

static CUresult find_parts(void *module, void *of)
{
    CUfunction function;
    CUkernel kernel;
    TRY(CALL(cuModuleGetFunction, (CUfunction *, CUmodule, const char *),
             (&function, module, "one")));
    atomic_store(&kept.function, function);
    TRY(CALL(cuLibraryGetKernel, (CUkernel *, CUlibrary, const char *),
             (&kernel, of, "one")));
    atomic_store(&kept.kernel, (CUfunction)(void *)kernel);
    return RILL_SUCCESS;
}

static struct {
    _Atomic(void *) module, library;
} owners;

static void *find_and_use_parts(void *unused)
{
    (void)unused;
    OK(CALL(cuCtxSetCurrent, (CUcontext), (primary)));
    while (!atomic_load(&shared.over)) {
        check(shared.kind, find_parts(atomic_load(&owners.module), atomic_load(&owners.library)));
        check(shared.kind, launch(atomic_load(&kept.function)));
        check(shared.kind, launch(atomic_load(&kept.kernel)));
    }
    return NULL;
}

static void functions_and_kernels_are_kept_too_long(void **state)
{
    static const struct kind kind = { .name = "part", .dead = { RILL_ERROR_INVALID_HANDLE } };
    pthread_t threads[USERS];
    (void)state;
    shared.kind = &kind;
    atomic_store(&shared.over, 0);
    atomic_store(&owners.module, module_make());
    atomic_store(&owners.library, library_make());
    OK(find_parts(atomic_load(&owners.module), atomic_load(&owners.library)));
    for (int i = 0; i < USERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, find_and_use_parts, NULL), 0);
    for (int i = 0; i < 5 * handles(); i++) {
        sched_yield();
        OK(module_end(atomic_exchange(&owners.module, module_make())));
        OK(library_end(atomic_exchange(&owners.library, library_make())));
    }
    atomic_store(&shared.over, 1);
    for (int i = 0; i < USERS; i++) pthread_join(threads[i], NULL);
    OK(module_end(atomic_load(&owners.module)));
    OK(library_end(atomic_load(&owners.library)));
    OK(CALL(cuCtxSynchronize, (void), ()));
}

/* ---- Calls that block ------------------------------------------------------------- */

struct waiter {
    CUresult (*wait)(void *handle);
    void *handle;
    CUresult status;
};

static void *wait_for(void *data)
{
    struct waiter *waiter = data;
    waiter->status = waiter->wait(waiter->handle);
    return NULL;
}

static CUresult stream_wait(void *stream)
{
    return CALL(cuStreamSynchronize, (CUstream), (stream));
}

static CUresult event_wait(void *event)
{
    return CALL(cuEventSynchronize, (CUevent), (event));
}

/* The gate opens only behind the destroy, which therefore did not wait for the call.  Most
 * times the other thread is inside the call by then. */
static void end_below_a_call(int of_event)
{
    CUdeviceptr gate;
    pthread_t thread;
    CUstream stream = make_stream(), opener = make_stream();
    CUevent event = make_event();
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&gate, 4)));
    OK(CALL(cuMemsetD32_v2, (CUdeviceptr, unsigned, size_t), (gate, 0, 1)));
    OK(CALL(cuCtxSynchronize, (void), ()));
    OK(CALL(cuStreamWaitValue32_v2, (CUstream, CUdeviceptr, uint32_t, unsigned),
            (stream, gate, 1, 1)));
    OK(CALL(cuEventRecord, (CUevent, CUstream), (event, stream)));
    struct waiter waiter = { of_event ? event_wait : stream_wait,
                             of_event ? (void *)event : (void *)stream, 0 };
    assert_int_equal(pthread_create(&thread, NULL, wait_for, &waiter), 0);
    for (int i = 0; i < 200; i++) sched_yield();
    OK(of_event ? event_end(event) : stream_end(stream));
    OK(CALL(cuStreamWriteValue32_v2, (CUstream, CUdeviceptr, uint32_t, unsigned),
            (opener, gate, 1, 0)));
    pthread_join(thread, NULL);
    if (waiter.status) assert_int_equal(waiter.status, RILL_ERROR_CONTEXT_IS_DESTROYED);
    OK(stream_end(opener));
    OK(of_event ? stream_end(stream) : event_end(event));
    OK(CALL(cuCtxSynchronize, (void), ()));
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (gate)));
}

static void a_stream_ends_below_a_call_that_waits_for_it(void **state)
{
    (void)state;
    for (int i = 0; i < 30; i++) end_below_a_call(0);
}

static void an_event_ends_below_a_call_that_waits_for_it(void **state)
{
    (void)state;
    for (int i = 0; i < 30; i++) end_below_a_call(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(context_ends_while_it_is_used),
        cmocka_unit_test(stream_ends_while_it_is_used),
        cmocka_unit_test(event_ends_while_it_is_used),
        cmocka_unit_test(graph_ends_while_it_is_used),
        cmocka_unit_test(child_ends_while_it_is_used),
        cmocka_unit_test(exec_ends_while_it_is_used),
        cmocka_unit_test(module_ends_while_it_is_used),
        cmocka_unit_test(library_ends_while_it_is_used),
        cmocka_unit_test(pool_ends_while_it_is_used),
        cmocka_unit_test(object_ends_while_it_is_used),
        cmocka_unit_test(events_of_a_context_meet_streams_that_end),
        cmocka_unit_test(a_context_that_is_borrowed_ends),
        cmocka_unit_test(contexts_end_at_once),
        cmocka_unit_test(functions_and_kernels_are_kept_too_long),
        cmocka_unit_test(a_stream_ends_below_a_call_that_waits_for_it),
        cmocka_unit_test(an_event_ends_below_a_call_that_waits_for_it),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
