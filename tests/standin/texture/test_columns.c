/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns of tensors (im2col): pixels that a copy takes one after the other, between corners.  They
 * are held to the answers of a GPU (columns.txt), which tell the words of shared memory after a
 * load, and those of global memory that a store or a reduction has changed.
 *
 * `test_columns --record LIBRARY` prints the answers of a driver.
 */
#include <stdio.h>
#include <stdlib.h>

#include "standin/texture/asking.h"

enum { WORDS = 8192, ROOM = 2048, UNTOUCHED = 0xeeeeeeee, FIRST = 100000 };

/* One thread copies, and all of them show what is in shared memory then.  What is to be stored has
 * numbers from FIRST on. */
#define BEGIN \
    ".version 8.6\n.target sm_90a\n.address_size 64\n" \
    ".visible .entry k(.param .u64 out, .param .align 64 .b8 map[128])\n{\n" \
    ".reg .b32 %%r<20>; .reg .b64 %%l<9>; .reg .pred %%p<4>;\n" \
    ".shared .align 1024 .b8 room[8192]; .shared .align 8 .b64 gate;\n" \
    "ld.param.u64 %%l1, [out]; mov.u32 %%r0, %%tid.x; mov.b64 %%l3, map;\n" \
    "cvta.param.u64 %%l3, %%l3; setp.eq.u32 %%p0, %%r0, 0; mov.u32 %%r2, room;\n" \
    "mov.u32 %%r3, gate; shl.b32 %%r4, %%r0, 2; mov.b32 %%r8, 0;\n" \
    "CLEAR: shl.b32 %%r9, %%r8, 7; add.u32 %%r9, %%r9, %%r4; shr.u32 %%r10, %%r9, 2;\n" \
    "add.u32 %%r10, %%r10, %u; add.u32 %%r9, %%r9, %%r2; st.shared.u32 [%%r9], %s;\n" \
    "add.u32 %%r8, %%r8, 1; setp.lt.u32 %%p1, %%r8, 64; @%%p1 bra CLEAR;\n" \
    "@%%p0 mbarrier.init.shared::cta.b64 [gate], 1; fence.mbarrier_init.release.cluster;\n" \
    "fence.proxy.async; bar.sync 0; @!%%p0 bra DONE;\n" \
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [gate], %u;\n"
#define END \
    "\nAGAIN: mbarrier.try_wait.parity.shared::cta.b64 %%p1, [gate], 0; @!%%p1 bra AGAIN;\n" \
    "DONE: bar.warp.sync -1; bar.sync 0; mov.b32 %%r8, 0;\n" \
    "SHOW: shl.b32 %%r9, %%r8, 7; add.u32 %%r9, %%r9, %%r4; add.u32 %%r10, %%r9, %%r2;\n" \
    "ld.shared.u32 %%r11, [%%r10]; cvt.u64.u32 %%l5, %%r9; add.u64 %%l5, %%l5, %%l1;\n" \
    "st.global.u32 [%%l5], %%r11; add.u32 %%r8, %%r8, 1; setp.lt.u32 %%p1, %%r8, 64;\n" \
    "@%%p1 bra SHOW; ret;\n}\n"

#define LOAD(rank, at, offsets) \
    "cp.async.bulk.tensor." rank ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes " \
    "[%r2], [%l3, {" at "}], [%r3], {" offsets "};"
#define LEAVE " cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
#define STORE(rank, at) \
    "cp.async.bulk.tensor." rank ".global.shared::cta.im2col_no_offs.bulk_group [%l3, {" at "}], " \
    "[%r2];" LEAVE
#define REDUCE(rank, how, at) \
    "cp.reduce.async.bulk.tensor." rank ".global.shared::cta." how ".im2col_no_offs.bulk_group " \
    "[%l3, {" at "}], [%r2];" LEAVE

enum { TYPE_U32 = 2, TYPE_F32 = 7 };

/* A map of columns; the tensor's sizes and strides by `rank`, see tensors[]. */
static const struct columns {
    const char *name, *copy;
    unsigned rank;
    int low[3], high[3];
    unsigned channels, pixels, steps[5], swizzle, nan;
} cases[] = {
    { "3d", LOAD("3d", "0, -1, 0", "0"), 3, { -1 }, { -1 }, 8, 16, { 1, 1, 1, 1, 1 }, 0, 0 },
    { "3d off 1", LOAD("3d", "0, -1, 0", "1"), 3, { -1 }, { -1 }, 8, 16, { 1, 1, 1, 1, 1 }, 0, 0 },
    { "3d off 2 c 8", LOAD("3d", "8, 3, 1", "2"), 3, { -1 }, { -1 }, 8, 16,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "3d end", LOAD("3d", "0, 5, 3", "0"), 3, { -1 }, { -1 }, 8, 16, { 1, 1, 1, 1, 1 }, 0, 0 },
    { "3d c beyond", LOAD("3d", "12, 0, 0", "0"), 3, { 0 }, { 0 }, 8, 16, { 1, 1, 1, 1, 1 }, 0, 0 },
    { "3d step 2", LOAD("3d", "0, -1, 0", "0"), 3, { -1 }, { -1 }, 8, 16, { 1, 2, 1 }, 0, 0 },
    { "3d step 2 odd", LOAD("3d", "0, 0, 0", "1"), 3, { -1 }, { -1 }, 8, 16, { 1, 2, 1 }, 0, 0 },
    { "3d step 3", LOAD("3d", "0, 0, 0", "0"), 3, { 0 }, { 0 }, 8, 16, { 1, 3, 1 }, 0, 0 },
    { "3d nan", LOAD("3d", "0, -1, 0", "0"), 3, { -1 }, { -1 }, 8, 16, { 1, 1, 1, 1, 1 }, 0, 1 },
    { "4d", LOAD("4d", "0, -1, -1, 0", "0, 0"), 4, { -1, -1 }, { -1, -1 }, 8, 32,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "4d off", LOAD("4d", "0, -1, -1, 0", "1, 2"), 4, { -1, -1 }, { -1, -1 }, 8, 32,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "4d middle", LOAD("4d", "0, 3, 2, 1", "2, 1"), 4, { -1, -1 }, { -1, -1 }, 8, 32,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "4d last", LOAD("4d", "0, 4, 2, 2", "0, 0"), 4, { -1, -1 }, { -1, -1 }, 8, 32,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "4d steps 2", LOAD("4d", "0, -1, -1, 0", "1, 1"), 4, { -1, -1 }, { -1, -1 }, 8, 32,
      { 1, 2, 2, 1 }, 0, 0 },
    { "4d steps 2 3", LOAD("4d", "0, 1, 2, 0", "0, 0"), 4, { 0, 0 }, { 0, 0 }, 8, 32,
      { 1, 2, 3, 1 }, 0, 0 },
    { "4d wide corners", LOAD("4d", "0, -3, -2, 0", "0, 0"), 4, { -3, -2 }, { 3, 2 }, 8, 32,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "4d narrow corners", LOAD("4d", "0, 1, 1, 0", "0, 0"), 4, { 1, 1 }, { -3, -2 }, 8, 32,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "4d swizzle 1", LOAD("4d", "0, -1, -1, 0", "0, 0"), 4, { -1, -1 }, { -1, -1 }, 8, 32,
      { 1, 1, 1, 1, 1 }, 1, 0 },
    { "4d swizzle 3", LOAD("4d", "0, -1, -1, 0", "0, 0"), 4, { -1, -1 }, { -1, -1 }, 32, 16,
      { 1, 1, 1, 1, 1 }, 3, 0 },
    { "4d swizzle 3 narrow", LOAD("4d", "0, -1, -1, 0", "0, 0"), 4, { -1, -1 }, { -1, -1 }, 8, 8,
      { 1, 1, 1, 1, 1 }, 3, 0 },
    { "5d", LOAD("5d", "0, -1, -1, -1, 0", "0, 0, 0"), 5, { -1, -1, -1 }, { -1, -1, -1 }, 4, 64,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "5d off", LOAD("5d", "0, 1, 0, 1, 0", "2, 1, 0"), 5, { -1, -1, -1 }, { -1, -1, -1 }, 4, 64,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "5d steps", LOAD("5d", "0, -1, -1, -1, 0", "1, 1, 1"), 5, { -1, -1, -1 }, { 1, 1, 1 }, 4, 64,
      { 1, 2, 2, 2, 1 }, 0, 0 },
    { "4d c 4", LOAD("4d", "4, 0, 0, 0", "0, 0"), 4, { 0, 0 }, { 0, 0 }, 8, 32,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "store 4d steps", STORE("4d", "0, 0, 0, 0"), 4, { 0, 0 }, { 0, 0 }, 8, 32,
      { 1, 2, 2, 1 }, 0, 0 },
    { "store 5d", STORE("5d", "0, 0, 0, 0, 0"), 5, { 0, 0, 0 }, { 0, 0, 0 }, 4, 64,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "add 4d", REDUCE("4d", "add", "0, 0, 0, 0"), 4, { 0, 0 }, { -1, -1 }, 8, 32,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "or 3d", REDUCE("3d", "or", "8, 2, 1"), 3, { 0 }, { 0 }, 8, 16, { 1, 1, 1, 1, 1 }, 0, 0 },
    { "store 4d low 1", STORE("4d", "0, 1, 1, 0"), 4, { 1, 1 }, { 0, 0 }, 8, 32,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "store 4d end", STORE("4d", "0, 3, 3, 2"), 4, { 0, 0 }, { 0, 0 }, 8, 32,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "store 3d c beyond", STORE("3d", "12, 0, 0"), 3, { 0 }, { 0 }, 8, 16,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "store 4d n beyond", STORE("4d", "0, 0, 0, 3"), 4, { 0, 0 }, { 0, 0 }, 8, 32,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "store 4d swizzle", STORE("4d", "0, 0, 0, 0"), 4, { 0, 0 }, { 0, 0 }, 32, 16,
      { 1, 1, 1, 1, 1 }, 3, 0 },
    { "load 4d n beyond", LOAD("4d", "0, 0, 0, 3", "0, 0"), 4, { 0, 0 }, { 0, 0 }, 8, 32,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "load 4d n -1", LOAD("4d", "0, 0, 0, -1", "0, 0"), 4, { 0, 0 }, { 0, 0 }, 8, 64,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "load 4d c -4", LOAD("4d", "-4, 0, 0, 0", "0, 0"), 4, { 0, 0 }, { 0, 0 }, 8, 32,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "load 4d big off", LOAD("4d", "0, 0, 0, 0", "300, 2"), 4, { 0, 0 }, { 0, 0 }, 8, 32,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "load 3d big off", LOAD("3d", "0, 0, 0", "65535"), 3, { -1 }, { -1 }, 8, 16,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "load 5d off 40", LOAD("5d", "0, 0, 0, 0, 0", "33, 16, 1"), 5, { 0, 0, 0 }, { 0, 0, 0 }, 4,
      64,
      { 1, 1, 1, 1, 1 }, 0, 0 },
    { "corners 5d 15", LOAD("5d", "0, 0, 0, 0, 0", "0, 0, 0"), 5, { -16, 0, 0 }, { 0, 0, 15 }, 4,
      64,
      { 1, 1, 1, 1, 1 }, 0, 0 },
};

/* Channels first, images last; the one with 32 channels is for swizzles. */
static const struct {
    uint64_t sizes[5], strides[4];
} tensors[] = {
    [3] = { { 16, 10, 4 }, { 64, 640 } },
    [4] = { { 8, 7, 5, 3 }, { 32, 224, 1120 } },
    [5] = { { 4, 5, 4, 3, 2 }, { 16, 80, 320, 960 } },
    [6] = { { 32, 7, 5, 3 }, { 128, 896, 4480 } },
};

struct map {
    _Alignas(64) unsigned char bytes[128];
};

static CUresult encode(struct map *map, const struct columns *of, CUdeviceptr memory)
{
    const unsigned tensor = of->swizzle == 3 ? 6 : of->rank;
    return CALL(cuTensorMapEncodeIm2col,
                (void *, unsigned, unsigned, CUdeviceptr, const uint64_t *, const uint64_t *,
                 const int *, const int *, unsigned, unsigned, const unsigned *, unsigned,
                 unsigned, unsigned, unsigned),
                (map, of->nan ? TYPE_F32 : TYPE_U32, of->rank, memory, tensors[tensor].sizes,
                 tensors[tensor].strides, of->low, of->high, of->channels, of->pixels, of->steps,
                 0, of->swizzle, 0, of->nan));
}

static int is_load(const struct columns *of)
{
    return strstr(of->copy, "mbarrier") != NULL;
}

static CUfunction load_copy(const struct columns *of)
{
    static char begin[4096], text[8192];
    CUmodule module;
    CUfunction kernel;
    const unsigned bytes = is_load(of) ? 4 * of->channels * of->pixels : 0;
    snprintf(begin, sizeof begin, BEGIN, (unsigned)FIRST, is_load(of) ? "0xeeeeeeee" : "%r10",
             bytes);
    int at = snprintf(text, sizeof text, "%s%s", begin, of->copy);
    snprintf(text + at, sizeof text - (size_t)at, END);
    OK(CALL(cuModuleLoadData, (CUmodule *, const void *), (&module, text)));
    OK(CALL(cuModuleGetFunction, (CUfunction *, CUmodule, const char *), (&kernel, module, "k")));
    return kernel;
}

/* Fills in what is in shared memory, and in the tensor, after the copy. */
static void run_copy(const struct columns *of, uint32_t room[ROOM], uint32_t tensor[WORDS])
{
    CUdeviceptr memory, result;
    struct map map;
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&memory, WORDS * sizeof *tensor)));
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&result, ROOM * sizeof *room)));
    for (uint32_t i = 0; i < WORDS; i++) tensor[i] = i;
    OK(CALL(cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t),
            (memory, tensor, WORDS * sizeof *tensor)));
    OK(encode(&map, of, memory));
    void *params[] = { &result, &map };
    OK(CALL(cuLaunchKernel,
            (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
             CUstream, void **, void **),
            (load_copy(of), 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL)));
    OK(CALL(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t), (room, result, ROOM * sizeof *room)));
    OK(CALL(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t),
            (tensor, memory, WORDS * sizeof *tensor)));
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (memory)));
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (result)));
}

/* Makes a line of a load: numbers are words of the tensor, others are in hexadecimal. */
static void tell_load(const char *name, const uint32_t room[ROOM])
{
    static char line[LINE];
    int at = snprintf(line, sizeof line, "%s:", name), last = ROOM - 1;
    while (last >= 0 && room[last] == (uint32_t)UNTOUCHED) last--;
    for (int i = 0; i <= last; i++)
        at += snprintf(line + at, sizeof line - (size_t)at, room[i] > 65535 ? " %x" : " %u",
                       room[i]);
    answer_line(line);
}

/* Makes a line of what has changed: which word is the one of shared memory, or what it is now. */
static void tell_store(const char *name, const uint32_t tensor[WORDS])
{
    static char line[LINE];
    int at = snprintf(line, sizeof line, "%s:", name);
    for (uint32_t i = 0; i < WORDS; i++)
        if (tensor[i] != i)
            at += snprintf(line + at, sizeof line - (size_t)at, " %u=%d", i,
                           (int)tensor[i] - FIRST);
    answer_line(line);
}

static void ask_all(void)
{
    static uint32_t room[ROOM], tensor[WORDS];
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_copy(&cases[i], room, tensor);
        if (is_load(&cases[i])) tell_load(cases[i].name, room);
        else tell_store(cases[i].name, tensor);
    }
}

static void answers_are_those_of_hardware(void **state)
{
    (void)state;
    expect_answers("columns.txt");
    ask_all();
    end_answers();
}

static void a_map_of_columns_is_checked(void **state)
{
    const struct columns good = { "", "", 4, { -1, -1 }, { -1, -1 }, 8, 32, { 1, 1, 1, 1, 1 }, 0,
                                  0 };
    struct map map;
    (void)state;
    OK(encode(&map, &good, 0x10000));
#define REFUSED(field, value) \
    do { \
        struct columns bad = good; \
        bad.field = (value); \
        assert_int_equal(encode(&map, &bad, 0x10000), RILL_ERROR_INVALID_VALUE); \
    } while (0)
    REFUSED(channels, 0);
    REFUSED(channels, 6); /* 24 bytes */
    REFUSED(channels, 260);
    REFUSED(pixels, 0);
    REFUSED(pixels, 1025);
    REFUSED(low[0], -129);
    REFUSED(high[1], 128);
    REFUSED(high[0], -8); /* no pixel is left */
    REFUSED(steps[1], 9);
#undef REFUSED
}

static int compare(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_map_of_columns_is_checked, setup, teardown),
        cmocka_unit_test_setup_teardown(answers_are_those_of_hardware, setup, teardown),
    };
    return cmocka_run_group_tests_name("standin/texture/columns", tests, NULL, NULL);
}

int main(int count, char **arguments)
{
    return ask_or_test(count, arguments, ask_all, compare);
}
