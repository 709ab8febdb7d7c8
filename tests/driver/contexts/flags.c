/* SPDX-License-Identifier: Apache-2.0
 *
 * Flags of contexts: set in all ways, read back in all ways.
 */
#include "ends.h"

static const unsigned all_flags[] = { 0, 1, 2, 4, 8, 9, 10, 12, 16, 20, 24, 128, 132, 0x9c,
                                      3, 5, 6, 7, 0x100, 0x80000000 };
enum { FLAGS = sizeof all_flags / sizeof *all_flags };

CASE_RAW(ctx, flags_created)
{
    static const unsigned flags[] = { 0, 1, 8, 0x1a, 0x90, 3, 5, 6, 7, 0x100, 0x80000000 };
    OK(cuInit(0));
    for (int i = 0; i < 11; i++) {
        CUcontext c = NULL;
        say(t, " %x=%s", flags[i], ename(cuCtxCreate(&c, NULL, flags[i], 0)));
        if (c) say_flags(t, "is");
    }
}

/* Those for core dumps: whether they are taken, and read back. */
CASE_RAW(ctx, flags_core_dumps)
{
    CUcontext c = NULL;
    OK(cuInit(0));
    R("create", cuCtxCreate(&c, NULL, CU_CTX_COREDUMP_ENABLE, 0));
    say_flags(t, "is");
    R("set", cuCtxSetFlags(0));
    say_flags(t, "is");
    R("set", cuCtxSetFlags(CU_CTX_COREDUMP_ENABLE));
    say_flags(t, "is");
    R("primary", cuDevicePrimaryCtxSetFlags(0, CU_CTX_COREDUMP_ENABLE));
    say_primary_state(t, "state");
    R("retain", cuDevicePrimaryCtxRetain(&c, 0));
    say_primary_state(t, "state");
    R("set", cuCtxSetCurrent(c));
    say_flags(t, "is");
    R("primary", cuDevicePrimaryCtxSetFlags(0, 0));
    say_primary_state(t, "state");
    say_flags(t, "is");
    R("primary", cuDevicePrimaryCtxSetFlags(0, CU_CTX_COREDUMP_ENABLE));
    say_primary_state(t, "state");
    say_flags(t, "is");
}

/* Each set over what the one before had set. */
CASE_RAW(ctx, flags_set)
{
    CUcontext c = NULL;
    OK(cuInit(0));
    OK(cuCtxCreate(&c, NULL, 0, 0));
    for (int i = 0; i < FLAGS; i++) {
        say(t, " %x=%s", all_flags[i], ename(cuCtxSetFlags(all_flags[i])));
        say_flags(t, "is");
    }
}

/* What a context was made with stays if it is about mapping. */
CASE_RAW(ctx, flags_set_over_mapping)
{
    static const unsigned set[] = { 0, 2, 8, 0x18, 128 };
    CUcontext c = NULL;
    OK(cuInit(0));
    OK(cuCtxCreate(&c, NULL, CU_CTX_MAP_HOST | CU_CTX_SCHED_SPIN, 0));
    say_flags(t, "is");
    for (int i = 0; i < 5; i++) {
        say(t, " %x=%s", set[i], ename(cuCtxSetFlags(set[i])));
        say_flags(t, "is");
    }
}

CASE_RAW(ctx, flags_of_primary_before)
{
    CUcontext c = NULL;
    OK(cuInit(0));
    for (int i = 0; i < FLAGS; i++) {
        say(t, " %x=%s", all_flags[i], ename(cuDevicePrimaryCtxSetFlags(0, all_flags[i])));
        say_primary_state(t, "state");
    }
    R("retain", cuDevicePrimaryCtxRetain(&c, 0));
    OK(cuCtxSetCurrent(c));
    say_flags(t, "is");
    say_primary_state(t, "state");
}

CASE_RAW(ctx, flags_of_primary_active)
{
    CUcontext c = NULL;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&c, 0));
    OK(cuCtxSetCurrent(c));
    for (int i = 0; i < FLAGS; i++) {
        say(t, " %x=%s", all_flags[i], ename(cuDevicePrimaryCtxSetFlags(0, all_flags[i])));
        say_primary_state(t, "state");
        say_flags(t, "is");
    }
}

/* Flags that the current context gets by its own call, seen as the device's. */
CASE_RAW(ctx, flags_of_primary_current)
{
    CUcontext c = NULL;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&c, 0));
    OK(cuCtxSetCurrent(c));
    for (int i = 0; i < FLAGS; i++) {
        say(t, " %x=%s", all_flags[i], ename(cuCtxSetFlags(all_flags[i])));
        say_primary_state(t, "state");
        say_flags(t, "is");
    }
    R("release", cuDevicePrimaryCtxRelease(0));
    say_primary_state(t, "state");
    R("retain", cuDevicePrimaryCtxRetain(&c, 0));
    say_primary_state(t, "state");
    say_flags(t, "is");
}

/* Turns of the three ways to set them. */
CASE_RAW(ctx, flags_of_primary_mixed)
{
    CUcontext c = NULL;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD));
    OK(cuDevicePrimaryCtxRetain(&c, 0));
    OK(cuCtxSetCurrent(c));
    say_flags(t, "before");
    R("set", cuCtxSetFlags(CU_CTX_SCHED_SPIN));
    say_flags(t, "is");
    say_primary_state(t, "state");
    R("primary", cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_BLOCKING_SYNC));
    say_flags(t, "is");
    say_primary_state(t, "state");
    R("set", cuCtxSetFlags(CU_CTX_SCHED_SPIN | CU_CTX_MAP_HOST | CU_CTX_LMEM_RESIZE_TO_MAX));
    say_flags(t, "is");
    say_primary_state(t, "state");
    R("primary", cuDevicePrimaryCtxSetFlags(0, 0));
    say_flags(t, "is");
    say_primary_state(t, "state");
    R("sync", cuDevicePrimaryCtxSetFlags(0, CU_CTX_SYNC_MEMOPS));
    say_flags(t, "is");
    R("set", cuCtxSetFlags(CU_CTX_SCHED_YIELD));
    say_flags(t, "is");
    say_primary_state(t, "state");
}

/* Which calls make them end. */
CASE_RAW(ctx, flags_of_primary_kept)
{
    CUcontext c = NULL;
    OK(cuInit(0));
    R("set", cuDevicePrimaryCtxSetFlags(0, 2));
    R("release", cuDevicePrimaryCtxRelease(0));
    say_primary_state(t, "state");
    R("reset", cuDevicePrimaryCtxReset(0));
    say_primary_state(t, "state");
    R("set", cuDevicePrimaryCtxSetFlags(0, 4));
    R("retain", cuDevicePrimaryCtxRetain(&c, 0));
    say_primary_state(t, "state");
    R("retain", cuDevicePrimaryCtxRetain(&c, 0));
    R("release", cuDevicePrimaryCtxRelease(0));
    say_primary_state(t, "state");
    R("reset", cuDevicePrimaryCtxReset(0));
    say_primary_state(t, "state");
    R("set", cuDevicePrimaryCtxSetFlags(0, 1));
    say_primary_state(t, "state");
    R("release", cuDevicePrimaryCtxRelease(0));
    say_primary_state(t, "state");
    R("release", cuDevicePrimaryCtxRelease(0));
    say_primary_state(t, "state");
    R("retain", cuDevicePrimaryCtxRetain(&c, 0));
    say_primary_state(t, "state");
    R("current", cuCtxSetCurrent(c));
    say_flags(t, "is");
    R("reset", cuDevicePrimaryCtxReset(0));
    say_flags(t, "is");
    R("set", cuDevicePrimaryCtxSetFlags(0, 2));
    say_flags(t, "is");
    say_primary_state(t, "state");
}

/* ---- Calls that wait ---------------------------------------------------------------------- */

static void say_waits(T *t)
{
    CUdeviceptr p = 0;
    unsigned waits = 77;
    R("alloc", cuMemAlloc(&p, 64));
    CUresult r = cuPointerGetAttribute(&waits, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p);
    say_number(t, "waits", r, waits & 1);
}

/* Whether memory says so, by how its context was told. */
CASE_RAW(ctx, flags_wait_for_memory)
{
    CUcontext c = NULL;
    OK(cuInit(0));
    OK(cuCtxCreate(&c, NULL, CU_CTX_SYNC_MEMOPS, 0));
    say_waits(t);
    OK(cuCtxCreate(&c, NULL, 0, 0));
    R("set", cuCtxSetFlags(CU_CTX_SYNC_MEMOPS));
    say_waits(t);
    R("unset", cuCtxSetFlags(0));
    say_waits(t);
    OK(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SYNC_MEMOPS));
    OK(cuDevicePrimaryCtxRetain(&c, 0));
    OK(cuCtxSetCurrent(c));
    say_waits(t);
    R("unset", cuCtxSetFlags(0));
    say_flags(t, "is");
    say_primary_state(t, "state");
    say_waits(t);
    R("unset", cuDevicePrimaryCtxSetFlags(0, 0));
    say_primary_state(t, "state");
    say_waits(t);
}
