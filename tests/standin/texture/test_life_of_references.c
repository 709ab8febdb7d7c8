/* SPDX-License-Identifier: Apache-2.0
 *
 * References to textures: which one a name has, and what is bound to it when.
 */
#include "standin/texture/references.h"

/* ---- When it is bound ---------------------------------------------------------------------- */

static void hold(void *gate)
{
    while (!__atomic_load_n((int *)gate, __ATOMIC_ACQUIRE)) {}
}

/* The first launch waits behind a function until the reference is bound to other memory. */
static void a_launch_has_what_was_bound_when_it_was_submitted(void **state)
{
    (void)state;
    struct scene scene = begin();
    int gate = 0, i = 2;
    size_t offset;
    CUstream stream;
    CUdeviceptr out = scene.out, other = memory_of(64);
    OK(CALL(cuMemsetD32_v2, (CUdeviceptr, unsigned, size_t), (other, 0, 16)));
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 1)));
    OK(bind(&scene, scene.numbers, 256, &offset));
    OK(CALL(cuLaunchHostFunc, (CUstream, void (*)(void *), void *), (stream, hold, &gate)));
    OK(launch_in(&scene, "line", (void *[]){ &out, &i }, stream));
    OK(bind(&scene, other, 64, &offset));
    __atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
    OK(CALL(cuStreamSynchronize, (CUstream), (stream)));
    assert_true(read_out(&scene).f[0] == 2.5f);
    assert_true(look(&scene, "line", 2).f[0] == 0);
    OK(CALL(cuStreamDestroy_v2, (CUstream), (stream)));
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (other)));
    end(&scene);
}

/* More than are kept for launches that are pending. */
static void a_reference_is_bound_again_and_again(void **state)
{
    (void)state;
    struct scene scene = begin();
    size_t offset;
    for (unsigned n = 1; n <= 200; n++) {
        OK(bind(&scene, scene.numbers, (n % NUMBERS + 1) * sizeof(float), &offset));
        const float last = look(&scene, "line", (int)(n % NUMBERS)).f[0];
        assert_true(last == (float)(n % NUMBERS) + 0.5f);
    }
    end(&scene);
}

static void launches_of_graphs_have_no_references(void **state)
{
    (void)state;
    struct scene scene = begin();
    CUstream stream;
    CUgraph graph = NULL;
    CUdeviceptr out = scene.out;
    int i = 0;
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 1)));
    OK(CALL(cuStreamBeginCapture_v2, (CUstream, int), (stream, 0)));
    assert_int_equal(launch_in(&scene, "line", (void *[]){ &out, &i }, stream),
                     RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_int_equal(CALL(cuStreamEndCapture, (CUstream, CUgraph *), (stream, &graph)),
                     RILL_ERROR_STREAM_CAPTURE_INVALIDATED);
    OK(CALL(cuStreamDestroy_v2, (CUstream), (stream)));
    end(&scene);
}

/* ---- Handles ------------------------------------------------------------------------------- */

static void a_name_has_one_reference(void **state)
{
    (void)state;
    struct scene scene = begin();
    static const char *const others[] = { "none", "s", "line" };
    CUtexref again = NULL;
    OK(CALL(cuModuleGetTexRef, (CUtexref *, CUmodule, const char *),
            (&again, scene.module, "t")));
    assert_ptr_equal(again, scene.t);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(CALL(cuModuleGetTexRef, (CUtexref *, CUmodule, const char *),
                              (&again, scene.module, others[i])), RILL_ERROR_NOT_FOUND);
    assert_ptr_equal(again, scene.t); /* as it was */
    end(&scene);
    assert_int_equal(CALL(cuTexRefSetFlags, (CUtexref, unsigned), (scene.t, 0)),
                     RILL_ERROR_INVALID_HANDLE);
}

/* As an H100 answers. */
static void a_new_one_clamps_and_reads_one_float(void **state)
{
    (void)state;
    struct scene scene = begin();
    int mode = -1, filter = -1, format = 0, channels = 0;
    unsigned flags = 9;
    CUdeviceptr address;
    OK(CALL(cuTexRefGetAddressMode, (int *, CUtexref, int), (&mode, scene.t, 1)));
    OK(CALL(cuTexRefGetFilterMode, (int *, CUtexref), (&filter, scene.t)));
    OK(CALL(cuTexRefGetFormat, (int *, int *, CUtexref), (&format, &channels, scene.t)));
    OK(CALL(cuTexRefGetFlags, (unsigned *, CUtexref), (&flags, scene.t)));
    assert_true(mode == CU_TR_ADDRESS_MODE_CLAMP && filter == 0 && flags == 0);
    assert_true(format == CU_AD_FORMAT_FLOAT && channels == 1);
    assert_int_equal(CALL(cuTexRefGetAddress_v2, (CUdeviceptr *, CUtexref), (&address, scene.t)),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(CALL(cuTexRefSetFlags, (CUtexref, unsigned), (scene.t, 0xff)),
                     RILL_ERROR_INVALID_VALUE);
    set_format(&scene, 77, 9);
    OK(CALL(cuTexRefGetFormat, (int *, int *, CUtexref), (&format, &channels, scene.t)));
    assert_true(format == 77 && channels == 9); /* no such format, and taken */
    end(&scene);
}

static void a_program_may_have_one_of_its_own(void **state)
{
    (void)state;
    CUtexref own = NULL, left = NULL;
    CUdeviceptr memory = memory_of(64);
    size_t offset;
    OK(CALL(cuTexRefCreate, (CUtexref *), (&own)));
    OK(CALL(cuTexRefSetAddress_v2, (size_t *, CUtexref, CUdeviceptr, size_t),
            (&offset, own, memory, 64)));
    OK(CALL(cuTexRefDestroy, (CUtexref), (own)));
    assert_int_equal(CALL(cuTexRefDestroy, (CUtexref), (own)), RILL_ERROR_INVALID_HANDLE);
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (memory)));
    OK(CALL(cuTexRefCreate, (CUtexref *), (&left))); /* goes with the context */
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_launch_has_what_was_bound_when_it_was_submitted),
        TEST(a_reference_is_bound_again_and_again),
        TEST(launches_of_graphs_have_no_references),
        TEST(a_name_has_one_reference),
        TEST(a_new_one_clamps_and_reads_one_float),
        TEST(a_program_may_have_one_of_its_own),
    };
    library_begin();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return library_close() ? 1 : failed;
}
