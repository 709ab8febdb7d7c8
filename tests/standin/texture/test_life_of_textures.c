/* SPDX-License-Identifier: Apache-2.0
 *
 * How long textures live, and lookups that fail.  The statuses are those of an H100 (CUDA 13.0).
 */
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "standin/texture/textures.h"
#include "support/emulated.h"

/* ---- Lookups that fail ---------------------------------------------------------------- */

static CUresult look_once(const char *kernel, uint64_t object, int32_t x)
{
    static quad in, out;
    memset(&in, 0, sizeof in);
    in.i[0] = x;
    return look_up(kernel_named(kernel), object, &in, &out, 1);
}

static void a_kernel_cannot_look_at_what_is_destroyed(void)
{
    CUtexObject texture = texture_of(make_array(8, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0));
    OK(look_once("2d", texture, 0));
    OK(end_texture(texture));
    assert_int_equal(look_once("2d", texture, 0), RILL_ERROR_ILLEGAL_ADDRESS);
}

static void a_kernel_cannot_look_at_a_freed_array(void)
{
    CUarray array = make_array(8, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0);
    CUtexObject texture = texture_of(array);
    OK(look_once("2d", texture, 0));
    OK(end_array(array));
    assert_int_equal(look_once("2d", texture, 0), RILL_ERROR_ILLEGAL_ADDRESS);
}

static void a_texture_is_no_surface(void)
{
    CUtexObject texture = texture_of(make_array(8, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0));
    assert_int_equal(look_once("suld1z", texture, 0), RILL_ERROR_ILLEGAL_ADDRESS);
}

static void a_store_outside_of_a_surface_may_trap(void)
{
    const CUDA_RESOURCE_DESC resource =
        of_array(make_array(8, 0, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST));
    CUsurfObject surface = 0;
    OK(make_surface(&surface, &resource));
    OK(look_once("sust1t", surface, 28));
    assert_int_equal(look_once("sust1t", surface, 32), RILL_ERROR_ILLEGAL_ADDRESS);
}

/* What hardware finds is not known. */
static void a_cube_is_looked_at_in_a_direction(void)
{
    static quad in, out;
    CUtexObject texture = make_cubes(0, CU_TRSF_NORMALIZED_COORDINATES);
    assert_int_equal(look_up(kernel_named("a2d"), texture, &in, &out, 1),
                     RILL_ERROR_LAUNCH_FAILED);
}

static void what_has_no_faces_has_no_directions(void)
{
    CUtexObject texture = texture_of(make_array(8, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0));
    assert_int_equal(look_once("cube", texture, 1), RILL_ERROR_LAUNCH_FAILED);
}

static void a_kernel_cannot_look_at_a_freed_mipmap(void)
{
    static quad in, out;
    CUmipmappedArray mipmap = filled_mipmap();
    CUtexObject texture = texture_of_mipmap(mipmap, 9);
    OK(end_mipmap(mipmap));
    assert_int_equal(look_up(kernel_named("level2dany"), texture, &in, &out, 1),
                     RILL_ERROR_ILLEGAL_ADDRESS);
}

/* A device that failed stays so: each of these has a process of its own. */
static void (*const failures[])(void) = {
    a_kernel_cannot_look_at_what_is_destroyed,
    a_kernel_cannot_look_at_a_freed_array,
    a_texture_is_no_surface,
    a_store_outside_of_a_surface_may_trap,
    a_cube_is_looked_at_in_a_direction,
    what_has_no_faces_has_no_directions,
    a_kernel_cannot_look_at_a_freed_mipmap,
};

enum { FAILURES = sizeof failures / sizeof *failures };

static char *program;

static void lookups_that_cannot_be_fail(void **state)
{
    extern char **environ;
    (void)state;
    needs_own_programs();
    for (int i = 0; i < FAILURES; i++) {
        char number[] = { (char)('0' + i), '\0' }, *arguments[] = { program, number, NULL };
        pid_t child;
        int status = 1;
        assert_int_equal(posix_spawn(&child, program, NULL, NULL, arguments, environ), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
}

/* ---- How long it lives ------------------------------------------------------------------ */

static void textures_go_with_their_context(void **state)
{
    (void)state;
    CUcontext other = NULL;
    CUDA_TEXTURE_DESC how;
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&other, 0, 0)));
    CUtexObject texture = texture_of(make_array(8, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0));
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (other)));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
    assert_int_equal(CALL(cuTexObjectGetTextureDesc, (CUDA_TEXTURE_DESC *, CUtexObject),
                          (&how, texture)), RILL_ERROR_INVALID_VALUE);
}

enum { THREADS = 4, ROUNDS = 300 };

static CUarray shared_array;
static _Atomic CUtexObject shared_texture;

/* Makes textures, and asks about and ends those that others have made. */
static void *make_and_end(void *data)
{
    CUDA_TEXTURE_DESC how;
    (void)data;
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
    for (int i = 0; i < ROUNDS; i++) {
        CUtexObject before = atomic_exchange(&shared_texture, texture_of(shared_array));
        CUresult status = CALL(cuTexObjectGetTextureDesc, (CUDA_TEXTURE_DESC *, CUtexObject),
                               (&how, atomic_load(&shared_texture)));
        assert_true(status == RILL_SUCCESS || status == RILL_ERROR_INVALID_VALUE);
        OK(end_texture(before));
    }
    return NULL;
}

static void threads_make_and_destroy_while_others_look(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    shared_array = make_array(8, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0);
    CUtexObject own = texture_of(shared_array);
    atomic_store(&shared_texture, 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, make_and_end, NULL), 0);
    for (int i = 0; i < 20; i++) OK(look_once("2d", own, 0));
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

int main(int count, char **arguments)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(textures_go_with_their_context),
        TEST(threads_make_and_destroy_while_others_look),
        TEST(lookups_that_cannot_be_fail),
    };
    library_begin();
    program = arguments[0];
    if (count > 1) {
        setup(NULL);
        failures[(arguments[1][0] - '0') % FAILURES]();
        _exit(0); /* what a device has that failed cannot be given back, and is no leak */
    }
    return cmocka_run_group_tests_name("standin/texture/life", tests, NULL, NULL);
}
