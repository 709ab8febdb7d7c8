/* SPDX-License-Identifier: Apache-2.0
 *
 * Virtual memory management, as allocators use it that grow an array where it is: kernels and
 * copies on what was mapped piece by piece, and memory that another process maps as well.
 */
#include <spawn.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "standin/memory/vmem.h"
#include "support/emulated.h"

#define SHARED_FILE 9 /* of the child's */

/* ---- Growing ------------------------------------------------------------------ */

static void the_device_says_that_it_can(void **state)
{
    (void)state;
    const CUmemAllocationProp wanted = properties(0);
    int value = 0;
    size_t bytes = 0;
    for (int attribute = 102; attribute <= 103; attribute++) {
        OK(CALL(cuDeviceGetAttribute, (int *, int, CUdevice), (&value, attribute, 0)));
        assert_int_equal(value, 1);
    }
    for (int option = 0; option < 3; option++)
        assert_int_equal(CALL(cuMemGetAllocationGranularity,
                              (size_t *, const CUmemAllocationProp *, int),
                              (&bytes, &wanted, option)),
                         option < 2 ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE);
    assert_int_equal(bytes, GRAIN);
}

/* As pools of allocators do: pieces are added behind each other, and all of it goes at once. */
static void an_array_grows_where_it_is(void **state)
{
    (void)state;
    CUdeviceptr array = reserve(64 * GRAIN), base = 0;
    unsigned words[32];
    size_t bytes = 0;
    for (size_t i = 0; i < 3; i++) {
        memory piece = create(GRAIN, 0);
        OK(map_at(array + i * GRAIN, GRAIN, 0, piece));
        release(piece);
        OK(give_access(array + i * GRAIN, GRAIN));
        if (i) OK(run_fill(array + i * GRAIN - 64, 1000 * (unsigned)i)); /* over the border */
    }
    read_back(words, array + 2 * GRAIN - 64, sizeof words);
    for (unsigned i = 0; i < 32; i++) assert_int_equal(words[i], 2000 + i);
    OK(CALL(cuMemsetD8_v2, (CUdeviceptr, unsigned char, size_t), (array, 0, 3 * GRAIN)));
    OK(CALL(cuMemGetAddressRange_v2, (CUdeviceptr *, size_t *, CUdeviceptr),
            (&base, &bytes, array + GRAIN + 1)));
    assert_true(base == array + GRAIN && bytes == GRAIN);
    OK(unmap(array, 3 * GRAIN));
    give_up(array, 64 * GRAIN);
}

static void a_kernel_must_not_leave_what_is_mapped(void **state)
{
    (void)state;
    CUdeviceptr array = reserve(2 * GRAIN);
    memory piece = create(GRAIN, 0);
    OK(map_at(array, GRAIN, 0, piece));
    OK(give_access(array, GRAIN));
    OK(run_fill(array + GRAIN - 128, 1));
    assert_int_equal(run_fill(array + GRAIN - 64, 1), RILL_ERROR_ILLEGAL_ADDRESS);
}

/* As an H200 answers (driver 580.159.04). */
static void access_is_asked_of_devices_and_of_the_host(void **state)
{
    (void)state;
    unsigned long long flags;
    CUdeviceptr array = reserve(2 * GRAIN);
    memory piece = create(GRAIN, 0);
    OK(map_at(array, GRAIN, 0, piece));
    OK(give_access(array, GRAIN));
    OK(ask_access(CU_MEM_LOCATION_TYPE_DEVICE, 0, array, &flags));
    assert_int_equal(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(ask_access(CU_MEM_LOCATION_TYPE_HOST, 0, array, &flags));
    assert_int_equal(flags, 0);
    assert_int_equal(ask_access(CU_MEM_LOCATION_TYPE_DEVICE, 0, array + GRAIN, &flags),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(flags, 0); /* where nothing is mapped */
    assert_int_equal(ask_access(CU_MEM_LOCATION_TYPE_DEVICE, 99, array, &flags),
                     RILL_ERROR_INVALID_DEVICE);
    assert_int_equal(flags, 77);
    OK(unmap(array, GRAIN));
    release(piece);
    give_up(array, 2 * GRAIN);
}

static void addresses_are_reserved_in_whole_grains(void **state)
{
    (void)state;
    CUdeviceptr address = 77;
    assert_int_equal(CALL(cuMemAddressReserve,
                          (CUdeviceptr *, size_t, size_t, CUdeviceptr, unsigned long long),
                          (&address, GRAIN + 4096, 0, 0, 0)),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(address, 77);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    const CUmemAccessDesc host = { { CU_MEM_LOCATION_TYPE_HOST, 0 }, 3 };
    CUmemAllocationProp wrong = properties(CU_MEM_HANDLE_TYPE_FABRIC);
    CUdeviceptr array = reserve(2 * GRAIN);
    memory piece = create(GRAIN, 0), none = 0;
    assert_int_equal(map_at(array, GRAIN, GRAIN, piece), RILL_ERROR_NOT_SUPPORTED);
    assert_int_equal(map_at(array, 2 * GRAIN, 0, piece), RILL_ERROR_NOT_SUPPORTED);
    assert_int_equal(map_at(array + 4096, GRAIN / 2, 0, piece), RILL_ERROR_NOT_SUPPORTED);
    assert_int_equal(map_at(array + 4096, GRAIN, 0, piece), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(map_at(array + 2 * GRAIN, GRAIN, 0, piece), RILL_ERROR_INVALID_VALUE);
    OK(map_at(array, GRAIN, 0, piece));
    assert_int_equal(map_at(array, GRAIN, 0, piece), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(unmap(array, GRAIN / 2), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(give_access(array, 2 * GRAIN), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(CALL(cuMemSetAccess, (CUdeviceptr, size_t, const CUmemAccessDesc *, size_t),
                          (array, GRAIN, &host, 1)), RILL_ERROR_NOT_SUPPORTED);
    assert_int_equal(CALL(cuMemAddressFree, (CUdeviceptr, size_t), (array, 2 * GRAIN)),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(CALL(cuMemCreate,
                          (memory *, size_t, const CUmemAllocationProp *, unsigned long long),
                          (&none, GRAIN, &wrong, 0)), RILL_ERROR_NOT_SUPPORTED);
    wrong = properties(0);
    wrong.location.id = 1000;
    assert_int_equal(CALL(cuMemCreate,
                          (memory *, size_t, const CUmemAllocationProp *, unsigned long long),
                          (&none, GRAIN, &wrong, 0)), RILL_ERROR_INVALID_DEVICE);
    OK(unmap(array, GRAIN));
    release(piece);
    assert_int_equal(CALL(cuMemRelease, (memory), (piece)), RILL_ERROR_INVALID_VALUE);
    give_up(array, 2 * GRAIN);
}

/* ---- Sharing ------------------------------------------------------------------ */

static char *program;

/* The other process: writes a word into the memory that it is given. */
static int write_shared(void)
{
    memory theirs = 0;
    CUdeviceptr array = reserve(GRAIN);
    OK(CALL(cuMemImportFromShareableHandle, (memory *, void *, int),
            (&theirs, (void *)(intptr_t)SHARED_FILE, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)));
    OK(map_at(array, GRAIN, 0, theirs));
    OK(give_access(array, GRAIN));
    OK(CALL(cuMemsetD32_v2, (CUdeviceptr, unsigned, size_t), (array + 4096, WORD, 1)));
    OK(synchronize());
    OK(unmap(array, GRAIN));
    release(theirs);
    return 0;
}

static void run_other_process(int file)
{
    extern char **environ;
    char child[] = "child", *arguments[] = { program, child, NULL };
    posix_spawn_file_actions_t actions;
    pid_t other;
    int status = 1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, file, SHARED_FILE);
    assert_int_equal(posix_spawn(&other, program, &actions, NULL, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    assert_int_equal(waitpid(other, &status, 0), other);
    assert_int_equal(status, 0);
}

static void another_process_maps_the_memory(void **state)
{
    (void)state;
    CUdeviceptr array = reserve(GRAIN);
    memory piece = create(GRAIN, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    CUmemAllocationProp told;
    uint64_t ways = 0;
    unsigned word = 0;
    int file = -1;
    needs_own_programs();
    OK(map_at(array, GRAIN, 0, piece));
    OK(give_access(array, GRAIN));
    OK(CALL(cuPointerGetAttribute, (void *, int, CUdeviceptr),
            (&ways, CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, array)));
    assert_int_equal(ways, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    OK(CALL(cuMemGetAllocationPropertiesFromHandle, (CUmemAllocationProp *, memory),
            (&told, piece)));
    assert_int_equal(told.handle_types, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    OK(CALL(cuMemExportToShareableHandle, (void *, memory, int, unsigned long long),
            (&file, piece, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0)));
    run_other_process(file);
    read_back(&word, array + 4096, sizeof word);
    assert_int_equal(word, WORD);
    close(file);
    OK(unmap(array, GRAIN));
    release(piece);
    give_up(array, GRAIN);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        TEST(the_device_says_that_it_can),
        TEST(an_array_grows_where_it_is),
        TEST(wrong_arguments_are_refused),
        TEST(access_is_asked_of_devices_and_of_the_host),
        TEST(addresses_are_reserved_in_whole_grains),
        TEST(another_process_maps_the_memory),
        TEST(a_kernel_must_not_leave_what_is_mapped), /* the last, since the device fails */
    };
    program = arguments[0];
    begin_with_kernels();
    if (count > 1) {
        setup(NULL);
        return write_shared();
    }
    return cmocka_run_group_tests_name("standin/vmem", tests, NULL, NULL);
}
