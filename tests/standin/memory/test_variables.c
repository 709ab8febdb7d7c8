/* SPDX-License-Identifier: Apache-2.0
 *
 * The variables that CUDA's documentation has for programs as they are: which devices there are,
 * and launches that wait.  That numbers end where their digits do, and that a device which is named
 * twice leaves none, is what programs know of the driver that read the variable themselves.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "standin/library.h"
#include "support/process.h"

#define UUID "GPU-72696c6c-2d73-696d-756c-61746f72000"

/* ---- Devices ---------------------------------------------------------------------------- */

/* Writes the numbers that devices have without the variable, as "2 0 ", or the status of
 * cuInit(). */
static void write_devices(FILE *out)
{
    unsigned char uuid[16];
    char bus[16];
    int count = 0, again = 0;
    library_open();
    CUresult status = CALL(cuInit, (unsigned), (0));
    if (status) {
        fprintf(out, "status %d", status);
        assert_int_equal(CALL(cuDeviceGetCount, (int *), (&count)), RILL_ERROR_NOT_INITIALIZED);
        return;
    }
    OK(CALL(cuDeviceGetCount, (int *), (&count)));
    for (int i = 0; i < count; i++) {
        OK(CALL(cuDeviceGetUuid_v2, (void *, CUdevice), (uuid, i)));
        OK(CALL(cuDeviceGetPCIBusId, (char *, int, CUdevice), (bus, sizeof bus, i)));
        OK(CALL(cuDeviceGetByPCIBusId, (CUdevice *, const char *), (&again, bus)));
        assert_int_equal(again, i);
        assert_int_equal(strtol(bus + 5, NULL, 16), uuid[15] + 1);
        fprintf(out, "%d ", uuid[15]);
    }
    assert_int_equal(CALL(cuDeviceGet, (CUdevice *, int), (&again, count)),
                     RILL_ERROR_INVALID_DEVICE);
}

static void in_child(void (*act)(FILE *out), char *text, size_t size)
{
    FILE *out = tmpfile();
    int ended = 0;
    assert_non_null(out);
    pid_t child = fork();
    if (!child) {
        alarm(100);
        act(out);
        fflush(out);
        process_leave(0);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
    rewind(out);
    text[fread(text, 1, size - 1, out)] = 0;
    fclose(out);
}

static void finds(const char *list, const char *wanted)
{
    char found[256];
    if (list) setenv("CUDA_VISIBLE_DEVICES", list, 1);
    else unsetenv("CUDA_VISIBLE_DEVICES");
    in_child(write_devices, found, sizeof found);
    unsetenv("CUDA_VISIBLE_DEVICES");
    if (strcmp(found, wanted))
        fail_msg("'%s': \"%s\", not \"%s\"", list ? list : "(unset)", found, wanted);
}

static void without_the_variable_there_are_all(void **state)
{
    (void)state;
    finds(NULL, "0 1 2 ");
}

static void numbers_choose_and_order(void **state)
{
    (void)state;
    finds("0", "0 ");
    finds("2,1", "2 1 ");
    finds("2,0,1", "2 0 1 ");
    finds(" 1 , 2", "1 2 ");
    finds("1x,2y", "1 2 ");
}

static void the_first_that_is_wrong_ends_the_list(void **state)
{
    (void)state;
    finds("0,2,-1,1", "0 2 ");
    finds("0,3,1", "0 ");
    finds("1,,0", "1 ");
    finds("1,x,0", "1 ");
    finds("1," UUID "0", "1 ");
    finds("1,99999999999999999999,0", "1 ");
}

static void what_names_none_leaves_none(void **state)
{
    static const char *const lists[] = { "", "-1", "3", "none", "NoDevFiles", ",0", "MIG-1" };
    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) finds(lists[i], "status 100");
}

static void one_that_is_there_twice_leaves_none(void **state)
{
    (void)state;
    finds("0,1,0", "status 100");
    finds(UUID "1," UUID "1", "status 100");
}

static void uuids_choose_too(void **state)
{
    (void)state;
    finds(UUID "1", "1 ");
    finds(UUID "2," UUID "0", "2 0 ");
    finds(UUID "2,1", "2 ");
    finds(UUID "2," UUID "5," UUID "0", "2 ");
    finds(UUID "20", "status 100");
}

/* Enough of it to tell it apart; devices of the simulator differ in the last digits. */
static void the_beginning_of_a_uuid_will_do(void **state)
{
    (void)state;
    finds("GPU-7269", "status 100");
    setenv("RILL_SIM_DEVICES", "1", 1);
    finds("GPU-7269", "0 ");
    finds("GPU-", "0 ");
    finds("gpu-7269", "status 100");
    setenv("RILL_SIM_DEVICES", "3", 1);
}

/* All are equally fast, and their order is that of the bus. */
static void both_orders_are_the_same(void **state)
{
    static const char *const orders[] = { "FASTEST_FIRST", "PCI_BUS_ID", "" };
    (void)state;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        setenv("CUDA_DEVICE_ORDER", orders[i], 1);
        finds(NULL, "0 1 2 ");
        finds("2,0", "2 0 ");
    }
    unsetenv("CUDA_DEVICE_ORDER");
}

/* ---- Launches ----------------------------------------------------------------------------- */

static const char text[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry sets(.param .u64 a) { .reg .b64 %p; .reg .b32 %r; ld.param.u64 %p, [a];\n"
    " mov.u32 %r, 7; st.global.u32 [%p], %r; ret; }\n";

struct scene {
    CUcontext context;
    CUstream stream;
    CUmodule module;
    CUfunction kernel;
    uint32_t *word;
};

static void open_scene(struct scene *s)
{
    library_begin();
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&s->context, 0, 0)));
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&s->stream, 1)));
    OK(CALL(cuModuleLoadData, (CUmodule *, const void *), (&s->module, text)));
    OK(CALL(cuModuleGetFunction, (CUfunction *, CUmodule, const char *),
            (&s->kernel, s->module, "sets")));
    OK(CALL(cuMemAllocHost_v2, (void **, size_t), ((void **)&s->word, 4)));
    *s->word = 0;
}

static CUresult launch(const struct scene *s, uint32_t *word)
{
    void *arguments[] = { &word };
    return CALL(cuLaunchKernel, (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                                 unsigned, unsigned, CUstream, void **, void **),
                (s->kernel, 1, 1, 1, 1, 1, 1, 0, s->stream, arguments, NULL));
}


/* Under the schedule `late` nothing runs before somebody waits for it. */
static void launch_late(FILE *out)
{
    struct scene s;
    open_scene(&s);
    OK(launch(&s, s.word));
    fprintf(out, "%u", *s.word);
    CUgraph graph;
    *s.word = 0;
    OK(CALL(cuStreamBeginCapture_v2, (CUstream, int), (s.stream, 0)));
    OK(launch(&s, s.word));
    OK(CALL(cuStreamEndCapture, (CUstream, CUgraph *), (s.stream, &graph)));
    fprintf(out, " %u %d", *s.word, graph != NULL);
}

static void go_wrong(FILE *out)
{
    struct scene s;
    open_scene(&s);
    CUresult launched = launch(&s, (uint32_t *)64);
    CUresult queried = CALL(cuStreamSynchronize, (CUstream), (s.stream));
    fprintf(out, "%d %d", launched, queried);
}

static void does(void (*act)(FILE *out), const char *value, const char *wanted)
{
    char found[64];
    if (value) setenv("CUDA_LAUNCH_BLOCKING", value, 1);
    in_child(act, found, sizeof found);
    unsetenv("CUDA_LAUNCH_BLOCKING");
    if (strcmp(found, wanted)) fail_msg("%s: \"%s\", not \"%s\"", value, found, wanted);
}

static void launches_wait_for_their_kernels(void **state)
{
    (void)state;
    setenv("RILL_SIM_SCHEDULE", "late", 1);
    does(launch_late, "1", "7 0 1");
    does(launch_late, "0", "0 0 1");
    does(launch_late, "", "0 0 1");
    does(launch_late, NULL, "0 0 1");
    setenv("RILL_LAYERS", "fail", 1);
    does(launch_late, "1", "7 0 1");
    unsetenv("RILL_LAYERS");
    unsetenv("RILL_SIM_SCHEDULE");
}

static void and_return_what_became_of_them(void **state)
{
    (void)state;
    setenv("RILL_SIM_SCHEDULE", "late", 1);
    does(go_wrong, "1", "700 700");
    does(go_wrong, NULL, "0 700");
    unsetenv("RILL_SIM_SCHEDULE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_the_variable_there_are_all),
        cmocka_unit_test(numbers_choose_and_order),
        cmocka_unit_test(the_first_that_is_wrong_ends_the_list),
        cmocka_unit_test(what_names_none_leaves_none),
        cmocka_unit_test(one_that_is_there_twice_leaves_none),
        cmocka_unit_test(uuids_choose_too),
        cmocka_unit_test(the_beginning_of_a_uuid_will_do),
        cmocka_unit_test(both_orders_are_the_same),
        cmocka_unit_test(launches_wait_for_their_kernels),
        cmocka_unit_test(and_return_what_became_of_them),
    };
    unsetenv("CUDA_VISIBLE_DEVICES");
    unsetenv("CUDA_LAUNCH_BLOCKING");
    setenv("RILL_SIM_DEVICES", "3", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
