/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory and events that two processes share by handles: cuIpcGetMemHandle() and what goes with it.
 * The other process is this program once more.  Answers are those of an H100.
 */
#include <stdint.h>
#include <unistd.h>

#include "standin/memory/processes.h"
#include "support/emulated.h"

enum { BYTES = 1 << 20, SMALL = 100, FIRST = 0x1234, SECOND = 0x4321, THIRD = 0x77 };

/* What the parent tells the other process. */
struct shared {
    CUipcMemHandle whole, inside, small;
};

static CUresult handle_of(CUipcMemHandle *handle, CUdeviceptr address)
{
    return CALL(cuIpcGetMemHandle, (CUipcMemHandle *, CUdeviceptr), (handle, address));
}

static CUresult open_handle(CUdeviceptr *address, CUipcMemHandle handle, unsigned flags)
{
    return CALL(cuIpcOpenMemHandle_v2, (CUdeviceptr *, CUipcMemHandle, unsigned),
                (address, handle, flags));
}

static CUresult close_handle(CUdeviceptr address)
{
    return CALL(cuIpcCloseMemHandle, (CUdeviceptr), (address));
}

static CUresult read_word(CUdeviceptr address, uint32_t *word)
{
    return CALL(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t), (word, address, 4));
}

static CUresult write_word(CUdeviceptr address, uint32_t word)
{
    return CALL(cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t), (address, &word, 4));
}

static CUresult free_memory(CUdeviceptr address)
{
    return CALL(cuMemFree_v2, (CUdeviceptr), (address));
}

static CUdeviceptr memory_of(size_t bytes)
{
    CUdeviceptr address = 0;
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&address, bytes)));
    return address;
}

/* ---- The other process --------------------------------------------------------------------- */

static void begin_context(void)
{
    CUdevice device = 0;
    WANT(!CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&context, device)));
    WANT(!CALL(cuCtxSetCurrent, (CUcontext), (context)));
}

static void other_process(void)
{
    struct shared shared;
    CUdeviceptr whole = 0, again = 0, small = 0, base = 0;
    CUipcMemHandle none;
    size_t bytes = 0;
    uint32_t word = 0;
    memset(&none, 0x5a, sizeof none);
    WANT(read(FROM_PARENT, &shared, sizeof shared) == sizeof shared);
    WANT(open_handle(&whole, shared.whole, 1) == RILL_ERROR_NOT_INITIALIZED);
    WANT(!CALL(cuInit, (unsigned), (0)));
    WANT(open_handle(&whole, shared.whole, 1) == RILL_ERROR_INVALID_CONTEXT);
    begin_context();
    WANT(open_handle(&whole, shared.whole, 0) == RILL_ERROR_INVALID_VALUE);
    WANT(open_handle(NULL, shared.whole, 1) == RILL_ERROR_INVALID_VALUE);
    WANT(open_handle(&whole, none, 1) == RILL_ERROR_INVALID_VALUE);
    WANT(!open_handle(&whole, shared.whole, 1));
    WANT(!open_handle(&again, shared.inside, 1));
    WANT(again == whole);
    WANT(!open_handle(&small, shared.small, 1));
    WANT(!CALL(cuMemGetAddressRange_v2, (CUdeviceptr *, size_t *, CUdeviceptr),
               (&base, &bytes, whole + 4096)));
    WANT(base == whole && bytes == BYTES);
    WANT(!read_word(whole, &word) && word == FIRST);
    WANT(!read_word(small, &word) && word == SECOND);
    WANT(handle_of(&none, whole) == RILL_ERROR_INVALID_VALUE);
    WANT(free_memory(whole) == RILL_ERROR_INVALID_VALUE);
    WANT(!write_word(whole + BYTES - 4, THIRD));
    wait_for_parent(); /* it looks, and frees both */
    WANT(!read_word(small, &word) && word == SECOND);
    WANT(!read_word(whole + BYTES - 4, &word) && word == FIRST);
    WANT(close_handle(whole + 4) == RILL_ERROR_INVALID_VALUE);
    WANT(!close_handle(whole));
    WANT(!read_word(whole, &word));
    WANT(!close_handle(whole));
    WANT(close_handle(whole) == RILL_ERROR_INVALID_VALUE);
    WANT(read_word(whole, &word) == RILL_ERROR_INVALID_VALUE);
    /* Hardware may still have it, in what it shares with the small one. */
    WANT(open_handle(&whole, shared.whole, 1) == RILL_ERROR_INVALID_VALUE);
    wait_for_parent();
    _exit(0);
}

/* ---- The other process: events -------------------------------------------------------------- */

/* What the parent tells about an event, and memory that goes with it. */
struct signal {
    CUipcMemHandle memory;
    CUipcEventHandle event;
};

static CUresult event_handle(CUipcEventHandle *handle, CUevent event)
{
    return CALL(cuIpcGetEventHandle, (CUipcEventHandle *, CUevent), (handle, event));
}

static CUresult open_event(CUevent *event, CUipcEventHandle handle)
{
    return CALL(cuIpcOpenEventHandle, (CUevent *, CUipcEventHandle), (event, handle));
}

static CUresult query(CUevent event)
{
    return CALL(cuEventQuery, (CUevent), (event));
}

static CUresult record(CUevent event, CUstream stream)
{
    return CALL(cuEventRecord, (CUevent, CUstream), (event, stream));
}

static CUresult fill_word(CUdeviceptr address, unsigned word, CUstream stream)
{
    return CALL(cuMemsetD32Async, (CUdeviceptr, unsigned, size_t, CUstream),
                (address, word, 1, stream));
}

static CUresult make_stream(CUstream *stream)
{
    return CALL(cuStreamCreate, (CUstream *, unsigned), (stream, 1));
}

static void other_of_events(void)
{
    struct signal signal;
    CUipcEventHandle none;
    CUdeviceptr memory = 0;
    CUevent event = NULL;
    CUstream stream = NULL;
    uint32_t word = 0;
    float time;
    memset(&none, 0, sizeof none);
    WANT(read(FROM_PARENT, &signal, sizeof signal) == sizeof signal);
    WANT(!CALL(cuInit, (unsigned), (0)));
    begin_context();
    WANT(!make_stream(&stream));
    WANT(!open_handle(&memory, signal.memory, 1));
    WANT(open_event(&event, none) == RILL_ERROR_MAP_FAILED);
    WANT(open_event(NULL, signal.event) == RILL_ERROR_INVALID_VALUE);
    WANT(!open_event(&event, signal.event));
    WANT(event_handle(&none, event) == RILL_ERROR_INVALID_HANDLE);
    WANT(CALL(cuEventElapsedTime, (float *, CUevent, CUevent), (&time, event, event)) ==
         RILL_ERROR_INVALID_HANDLE);
    WANT(query(event) == RILL_ERROR_NOT_READY); /* the parent's stream is held */
    WANT(!CALL(cuStreamWaitEvent, (CUstream, CUevent, unsigned), (stream, event, 0)));
    WANT(CALL(cuStreamQuery, (CUstream), (stream)) == RILL_ERROR_NOT_READY);
    WANT(write(TO_PARENT, "x", 1) == 1); /* it lets the stream go on */
    WANT(!CALL(cuStreamSynchronize, (CUstream), (stream)));
    WANT(!query(event));
    WANT(!read_word(memory, &word) && word == FIRST);
    WANT(!fill_word(memory, SECOND, stream));
    WANT(!record(event, stream));
    wait_for_parent(); /* it waits for the event */
    WANT(!CALL(cuEventDestroy_v2, (CUevent), (event)));
    WANT(!close_handle(memory));
    _exit(0);
}

/* ---- Tests --------------------------------------------------------------------------------- */

static void two_processes_share_memory(void **state)
{
    (void)state;
    needs_own_programs();
    struct shared shared;
    struct other other = start_other("memory", -1);
    CUdeviceptr whole = memory_of(BYTES), small = memory_of(SMALL);
    uint32_t word = 0;
    OK(write_word(whole, FIRST));
    OK(write_word(small, SECOND));
    OK(handle_of(&shared.whole, whole));
    OK(handle_of(&shared.inside, whole + 4096));
    OK(handle_of(&shared.small, small));
    assert_memory_equal(&shared.whole, &shared.inside, sizeof shared.whole);
    assert_int_equal(write(other.to, &shared, sizeof shared), sizeof shared);
    wait_for_other(&other);
    OK(read_word(whole + BYTES - 4, &word));
    assert_int_equal(word, THIRD);
    OK(write_word(whole + BYTES - 4, FIRST));
    OK(free_memory(whole));
    OK(free_memory(small));
    let_go_on(&other);
    wait_for_other(&other);
    let_go_on(&other);
    end_other(&other);
}

static void hold(void *gate)
{
    while (!__atomic_load_n((int *)gate, __ATOMIC_ACQUIRE)) usleep(100);
}

static CUevent make_event(unsigned flags)
{
    CUevent event = NULL;
    OK(CALL(cuEventCreate, (CUevent *, unsigned), (&event, flags)));
    return event;
}

static void end_event(CUevent event)
{
    OK(CALL(cuEventDestroy_v2, (CUevent), (event)));
}

enum { OF_PROCESSES = CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING };

static void two_processes_wait_for_each_others_work(void **state)
{
    (void)state;
    needs_own_programs();
    struct signal signal;
    struct other other = start_other("events", -1);
    CUdeviceptr memory = memory_of(4);
    CUevent event = make_event(OF_PROCESSES);
    CUstream stream;
    uint32_t word = 0;
    int gate = 0;
    OK(make_stream(&stream));
    OK(handle_of(&signal.memory, memory));
    OK(event_handle(&signal.event, event));
    OK(query(event));
    OK(CALL(cuLaunchHostFunc, (CUstream, void (*)(void *), void *), (stream, hold, &gate)));
    OK(fill_word(memory, FIRST, stream));
    OK(record(event, stream));
    assert_int_equal(query(event), RILL_ERROR_NOT_READY);
    assert_int_equal(write(other.to, &signal, sizeof signal), sizeof signal);
    wait_for_other(&other);
    __atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
    wait_for_other(&other);
    OK(CALL(cuEventSynchronize, (CUevent), (event)));
    OK(read_word(memory, &word));
    assert_int_equal(word, SECOND);
    let_go_on(&other);
    end_other(&other);
    end_event(event);
    OK(CALL(cuStreamDestroy_v2, (CUstream), (stream)));
    OK(free_memory(memory));
}

static void an_event_has_a_handle_if_it_was_made_for_one(void **state)
{
    (void)state;
    CUipcEventHandle handle;
    CUevent plain = make_event(CU_EVENT_DISABLE_TIMING), event = make_event(OF_PROCESSES);
    CUevent opened = NULL;
    assert_int_equal(event_handle(&handle, plain), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(event_handle(NULL, event), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(event_handle(&handle, NULL), RILL_ERROR_INVALID_VALUE);
    OK(event_handle(&handle, event));
    assert_int_equal(open_event(&opened, handle), RILL_ERROR_INVALID_CONTEXT);
    end_event(plain);
    end_event(event);
}

static void memory_that_was_not_allocated_at_once_has_no_handle(void **state)
{
    (void)state;
    CUipcMemHandle handle;
    CUdeviceptr managed = 0, device = memory_of(BYTES);
    void *pinned = NULL;
    int capable = 7;
    OK(CALL(cuMemAllocManaged, (CUdeviceptr *, size_t, unsigned), (&managed, 4096, 1)));
    OK(CALL(cuMemAllocHost_v2, (void **, size_t), (&pinned, 4096)));
    assert_int_equal(handle_of(&handle, managed), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(handle_of(&handle, (uintptr_t)pinned), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(handle_of(&handle, 0), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(handle_of(NULL, device), RILL_ERROR_INVALID_VALUE);
    OK(CALL(cuPointerGetAttribute, (void *, int, CUdeviceptr),
            (&capable, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, managed)));
    assert_int_equal(capable, 0);
    OK(CALL(cuPointerGetAttribute, (void *, int, CUdeviceptr),
            (&capable, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, device)));
    assert_int_equal(capable, 1);
    OK(free_memory(managed));
    OK(CALL(cuMemFreeHost, (void *), (pinned)));
    OK(free_memory(device));
}

static void a_process_does_not_open_its_own_memory(void **state)
{
    (void)state;
    CUipcMemHandle handle;
    CUdeviceptr memory = memory_of(BYTES), opened = 0;
    OK(handle_of(&handle, memory));
    assert_int_equal(open_handle(&opened, handle, 1), RILL_ERROR_INVALID_CONTEXT);
    assert_int_equal(close_handle(memory), RILL_ERROR_INVALID_VALUE);
    OK(free_memory(memory));
}

/* Allocations that share pages, of which some are shared and freed in turn, keep their bytes. */
static void what_lies_beside_shared_memory_stays_as_it_is(void **state)
{
    (void)state;
    enum { COUNT = 64 };
    CUdeviceptr memory[COUNT];
    CUipcMemHandle handle;
    uint32_t word = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        memory[i] = memory_of(i % 5 ? 700 : 20000);
        OK(write_word(memory[i], i));
    }
    for (unsigned i = 0; i < COUNT; i += 3) OK(handle_of(&handle, memory[i]));
    for (unsigned i = 0; i < COUNT; i += 6) OK(free_memory(memory[i]));
    for (unsigned i = 0; i < COUNT; i += 6) {
        memory[i] = memory_of(20000);
        OK(write_word(memory[i], i));
        OK(handle_of(&handle, memory[i]));
    }
    for (unsigned i = 0; i < COUNT; i++) {
        OK(read_word(memory[i], &word));
        assert_int_equal(word, i);
        OK(free_memory(memory[i]));
    }
}

int main(int argc, char **argv)
{
    library_open();
    if (argc > 1 && !strcmp(argv[1], "memory")) other_process();
    if (argc > 1) other_of_events();
    if (sysconf(_SC_PAGESIZE) != 4096) {
        printf("1..0 # SKIP memory is shared in pages of 4 KiB\n");
        return library_close();
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_processes_share_memory),
        cmocka_unit_test(two_processes_wait_for_each_others_work),
        cmocka_unit_test(an_event_has_a_handle_if_it_was_made_for_one),
        cmocka_unit_test(memory_that_was_not_allocated_at_once_has_no_handle),
        cmocka_unit_test(a_process_does_not_open_its_own_memory),
        cmocka_unit_test(what_lies_beside_shared_memory_stays_as_it_is),
    };
    int failed = cmocka_run_group_tests(tests, begin, NULL);
    return library_close() ? 1 : failed;
}
