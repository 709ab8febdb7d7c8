/* SPDX-License-Identifier: Apache-2.0
 *
 * What the stand-in says with RILL_LOG: of tables of kernels that are not taken, and of
 * images, each line once; of calls that fail, each time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "standin/image/images.h"
#include "standin/library.h"
#include "support/process.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"

static const char whole[] = HEAD ".entry k() { .reg .b32 a; mov.u32 a, 1; ret; }\n";
static const char broken[] = HEAD ".entry k() { bogus; }\n";

static char said[65536];

/* The status of the child, which acts with a context, and whose words are in `said`. */
static int act_in_child(int (*act)(const void *data, int times), const void *data, int times)
{
    FILE *words = tmpfile();
    int ended = 0;
    assert_non_null(words);
    pid_t child = fork();
    if (!child) {
        CUcontext context;
        alarm(100);
        dup2(fileno(words), 2);
        library_begin();
        OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&context, 0, 0)));
        int status = act(data, times);
        process_leave(status > 255 ? 255 : status);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    rewind(words);
    said[fread(said, 1, sizeof said - 1, words)] = 0;
    fclose(words);
    assert_true(WIFEXITED(ended));
    return WEXITSTATUS(ended);
}

static int load_image(const void *image, int times)
{
    CUmodule module;
    int status = -1;
    while (times--)
        status = CALL(cuModuleLoadData, (CUmodule *, const void *), (&module, image));
    return status;
}

/* The status of the child, which loads the image `times` times and ends with what the last
 * one was; what it said is in `said`. */
static int load_in_child(const char *image, int times)
{
    return act_in_child(load_image, image, times);
}

static int count_of(const char *word)
{
    int count = 0;
    for (const char *at = said; (at = strstr(at, word)); at++) count++;
    return count;
}

/* ---- Tables --------------------------------------------------------------------------- */

static void tables_that_are_not_whole_are_refused(void **state)
{
    (void)state;
    static const struct { const char *table, *why; } tables[] = {
        { "no-size", "another version" },
        { "no-functions", "counts functions and has none" },
        { "too-many", "more functions than there can be" },
        { "nameless", "function 0 of its table has no name" },
        { "empty-name", "function 0 of its table has no name" },
        { "idle", "function 1 of its table has to have one of" },
        { "torn", "function 0 of its table has to have one of" },
        { "counting", "counts parameters and has none" },
        { "endless", "more parameters than there can be" },
        { "shapeless", "a parameter without a size" },
    };
    setenv("RILL_KERNELS", "tests/standin/tables.so", 1);
    setenv("RILL_LOG", "kernels", 1);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        setenv("TABLE", tables[i].table, 1);
        assert_int_equal(load_in_child(whole, 3), 255); /* SHARED_OBJECT_INIT_FAILED */
        if (!strstr(said, tables[i].why))
            fail_msg("%s: it said \"%s\"", tables[i].table, said);
        assert_int_equal(count_of("tables.so"), 1);
    }
    for (int i = 0; i < 2; i++) {
        setenv("TABLE", i ? "fine" : "empty", 1);
        assert_int_equal(load_in_child(whole, 1), RILL_SUCCESS);
        assert_string_equal(said, "");
    }
}

/* ---- Lines ------------------------------------------------------------------------------ */

static void a_cause_is_told_once(void **state)
{
    (void)state;
    unsetenv("RILL_KERNELS");
    setenv("RILL_LOG", "images,kernels", 1);
    assert_int_not_equal(load_in_child(broken, 50), RILL_SUCCESS);
    assert_int_equal(count_of("bogus"), 1);
    assert_int_equal(load_in_child(HEAD ".entry lacking()\n"
                                   "{ tcgen05.fence::after_thread_sync; ret; }\n"
                                   ".entry runs() { ret; }\n", 50), RILL_SUCCESS);
    assert_int_equal(count_of("lacking"), 1);
}

/* ---- Failures --------------------------------------------------------------------------- */

static int fail_variously(const void *data, int times)
{
    CUdeviceptr memory;
    CUstream stream;
    char name[8];
    (void)data;
    for (int i = 0; i < times; i++) {
        CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&memory, 0));
        CALL(cuDeviceGetName, (char *, int, CUdevice), (name, 8, 77));
    }
    CALL(cuDeviceTotalMem, (unsigned *, CUdevice), (NULL, 0)); /* calls another form of itself */
    CALL(cuGraphicsUnregisterResource, (void *), (NULL)); /* not there */
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&memory, 8)));
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 0)));
    OK(CALL(cuStreamWaitValue32_v2, (CUstream, CUdeviceptr, uint32_t, unsigned),
            (stream, memory, 1, 1 /* equal */)));
    if (CALL(cuStreamQuery, (CUstream), (stream)) != RILL_ERROR_NOT_READY) return 1;
    return 0;
}

static void each_call_that_fails_is_told_each_time(void **state)
{
    (void)state;
    setenv("RILL_LOG", "kernels,errors", 1);
    assert_int_equal(act_in_child(fail_variously, NULL, 3), 0);
    assert_int_equal(count_of("rill: cuMemAlloc_v2: CUDA_ERROR_INVALID_VALUE: "), 3);
    assert_int_equal(count_of("bytes is 0; an allocation has at least 1"), 3);
    assert_int_equal(count_of("rill: cuDeviceGetName: CUDA_ERROR_INVALID_DEVICE: invalid device "
                              "ordinal\n"), 3);
    assert_int_equal(count_of("rill: cuDeviceTotalMem: CUDA_ERROR_INVALID_VALUE: "), 1);
    assert_int_equal(count_of("rill: cuGraphicsUnregisterResource: CUDA_ERROR_NOT_SUPPORTED: "), 1);
    assert_int_equal(count_of("rill: "), 8);
    setenv("RILL_LOG", "kernels", 1);
    assert_int_equal(act_in_child(fail_variously, NULL, 3), 0);
    assert_string_equal(said, "");
}

static int launch_machine_code(const void *data, int times)
{
    CUmodule module;
    CUfunction function;
    OK(CALL(cuModuleLoadData, (CUmodule *, const void *), (&module, data)));
    OK(CALL(cuModuleGetFunction, (CUfunction *, CUmodule, const char *),
            (&function, module, "big")));
    while (times--)
        if (CALL(cuLaunchKernel, (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                                  unsigned, unsigned, CUstream, void **, void **),
                 (function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL)) != RILL_ERROR_NOT_SUPPORTED)
            return 1;
    return 0;
}

static void machine_code_is_refused_in_a_sentence(void **state)
{
    (void)state;
    setenv("RILL_LOG", "errors", 1);
    assert_int_equal(act_in_child(launch_machine_code, sample_cubin, 1), 0);
    assert_int_equal(count_of("rill: cuLaunchKernel: CUDA_ERROR_NOT_SUPPORTED: kernel 'big' cannot "
                              "be launched: it is machine code alone, without PTX"), 1);
}

static void an_image_that_is_refused_is_so_in_a_sentence(void **state)
{
    (void)state;
    setenv("RILL_LOG", "errors", 1);
    assert_int_equal(load_in_child(".version 8.8\n.target sm_120\n.address_size 64\n"
                                   ".entry k() { ret; }\n", 1), RILL_ERROR_INVALID_PTX);
    assert_int_equal(count_of("rill: cuModuleLoadData: CUDA_ERROR_INVALID_PTX: the text is for "
                              "sm_120 and newer, which sm_90 is not\n"), 1);
    assert_int_equal(load_in_child("no image", 1), RILL_ERROR_INVALID_IMAGE);
    assert_int_equal(count_of("rill: cuModuleLoadData: CUDA_ERROR_INVALID_IMAGE: this is no image: "
                              "it is no cubin"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_that_are_not_whole_are_refused),
        cmocka_unit_test(a_cause_is_told_once),
        cmocka_unit_test(each_call_that_fails_is_told_each_time),
        cmocka_unit_test(machine_code_is_refused_in_a_sentence),
        cmocka_unit_test(an_image_that_is_refused_is_so_in_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
