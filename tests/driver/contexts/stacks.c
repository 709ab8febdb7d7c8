/* SPDX-License-Identifier: Apache-2.0
 *
 * Stacks of current contexts, from which some end.
 */
#include "ends.h"

static void say_pop(T *t, CUcontext a, CUcontext b)
{
    CUcontext c = (CUcontext)0x10;
    CUresult r = cuCtxPopCurrent(&c);
    say(t, " pop=%s:%s", ename(r),
        c == a ? "a" : c == b ? "b" : !c ? "null" : c == (CUcontext)0x10 ? "untouched" : "other");
    say_current(t, "top", a, b);
}

CASE_RAW(ctx, stack_set)
{
    CUcontext a = NULL, b = NULL;
    OK(cuInit(0));
    OK(cuCtxCreate(&a, NULL, 0, 0));
    OK(cuCtxCreate(&b, NULL, 0, 0));
    OK(cuCtxPushCurrent(a));
    R("set", cuCtxSetCurrent(b));
    say_current(t, "top", a, b);
    R("set_null", cuCtxSetCurrent(NULL));
    say_current(t, "top", a, b);
    for (int i = 0; i < 3; i++) say_pop(t, a, b);
    R("set", cuCtxSetCurrent(b));
    say_pop(t, a, b);
    say_pop(t, a, b);
    R("pop_nowhere", cuCtxPopCurrent(NULL));
}

/* One that is on the stack several times is destroyed. */
CASE_RAW(ctx, stack_destroyed_often)
{
    CUcontext a = NULL, b = NULL;
    OK(cuInit(0));
    OK(cuCtxCreate(&a, NULL, 0, 0));
    OK(cuCtxCreate(&b, NULL, 0, 0));
    OK(cuCtxPushCurrent(a));
    OK(cuCtxPushCurrent(b));
    OK(cuCtxPushCurrent(b));
    R("destroy", cuCtxDestroy(b));
    say_current(t, "top", a, b);
    R("sync", cuCtxSynchronize());
    for (int i = 0; i < 5; i++) say_pop(t, a, b);
}

CASE_RAW(ctx, stack_destroyed_below)
{
    CUcontext a = NULL, b = NULL;
    OK(cuInit(0));
    OK(cuCtxCreate(&a, NULL, 0, 0));
    OK(cuCtxCreate(&b, NULL, 0, 0));
    R("destroy", cuCtxDestroy(a));
    say_current(t, "top", a, b);
    R("sync", cuCtxSynchronize());
    R("destroy", cuCtxDestroy(b));
    say_current(t, "top", a, b);
    R("sync", cuCtxSynchronize());
    R("push", cuCtxPushCurrent(a));
    R("set", cuCtxSetCurrent(a));
    say_current(t, "top", a, b);
    say_pop(t, a, b);
    say_pop(t, a, b);
}

/* A primary one that is on the stack with others, and ends and begins. */
CASE_RAW(ctx, stack_primary)
{
    CUcontext a = NULL, b = NULL;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&a, 0));
    OK(cuCtxPushCurrent(a));
    OK(cuCtxCreate(&b, NULL, 0, 0));
    OK(cuCtxPushCurrent(a));
    R("release", cuDevicePrimaryCtxRelease(0));
    say_current(t, "top", a, b);
    R("sync", cuCtxSynchronize());
    say_pop(t, a, b);
    R("sync", cuCtxSynchronize());
    say_pop(t, a, b);
    R("sync", cuCtxSynchronize());
    R("retain", cuDevicePrimaryCtxRetain(&a, 0));
    R("sync", cuCtxSynchronize());
    say_pop(t, a, b);
    say_pop(t, a, b);
}

/* Another program's use of the stack: set over one that ended. */
CASES_OF_ENDS(stack_over_ended)
{
    CUcontext a = begin(t, way), b = NULL;
    end(t, way, a);
    R("create", cuCtxCreate(&b, NULL, 0, 0));
    say_current(t, "top", a, b);
    R("pop", cuCtxPopCurrent(NULL));
    say_current(t, "top", a, b);
    R("set", cuCtxSetCurrent(b));
    say_current(t, "top", a, b);
    R("sync", cuCtxSynchronize());
    say_pop(t, a, b);
    R("set", cuCtxSetCurrent(a));
    R("push", cuCtxPushCurrent(a));
    say_current(t, "top", a, b);
    R("sync", cuCtxSynchronize());
    say_pop(t, a, b);
}

/* ---- Uses ------------------------------------------------------------------------------------ */

CASE_RAW(ctx, attached)
{
    CUcontext a = NULL, b = NULL, c = (CUcontext)0x10;
    OK(cuInit(0));
    R("attach", cuCtxAttach(&c, 0));
    OK(cuCtxCreate(&a, NULL, 0, 0));
    OK(cuCtxCreate(&b, NULL, 0, 0));
    R("attach", cuCtxAttach(&c, 0));
    say(t, ":%s", c == b ? "b" : "other");
    R("attach_flags", cuCtxAttach(&c, 1));
    R("attach_null", cuCtxAttach(NULL, 0));
    R("detach_other", cuCtxDetach(a));
    R("detach_null", cuCtxDetach(NULL));
    R("detach", cuCtxDetach(b));
    say_current(t, "top", a, b);
    R("detach", cuCtxDetach(b));
    say_current(t, "top", a, b);
    R("version", cuCtxGetApiVersion(b, &(unsigned){ 0 }));
    R("attach", cuCtxAttach(&c, 0));
    R("destroy", cuCtxDestroy(a));
    say_current(t, "top", a, b);
}

/* ---- No context ------------------------------------------------------------------------------ */

/* What is wrong with the arguments besides that. */
CASE_RAW(ctx, nowhere)
{
    CUstream s = (CUstream)0x10, urgent = (CUstream)0x10, wrong = (CUstream)0x10;
    size_t some = 77, all = 77;
    unsigned long long id = 77;
    OK(cuInit(0));
    R("stream", cuStreamCreate(&s, 0));
    say(t, ":%zx", (size_t)s);
    R("stream_urgent", cuStreamCreateWithPriority(&urgent, 0, 0));
    say(t, ":%zx", (size_t)urgent);
    R("stream_wrong", cuStreamCreate(&wrong, 99));
    say(t, ":%zx", (size_t)wrong);
    R("stream_null", cuStreamCreate(NULL, 0));
    R("event_wrong", cuEventCreate(NULL, 99));
    R("info", cuMemGetInfo(&some, &all));
    say(t, ":%zu,%zu", some, all);
    R("id", cuCtxGetId(NULL, &id));
    R("no_id", cuCtxGetId(NULL, NULL));
    R("no_version", cuCtxGetApiVersion(NULL, NULL));
    R("no_device", cuCtxGetDevice(NULL));
    R("no_flags", cuCtxGetFlags(NULL));
    R("wrong_flags", cuCtxSetFlags(0x300));
    R("state_flags", cuDevicePrimaryCtxGetState(0, &(unsigned){ 0 }, NULL));
    R("state_active", cuDevicePrimaryCtxGetState(0, NULL, &(int){ 0 }));
    R("priorities", cuCtxGetStreamPriorityRange(NULL, NULL));
    R("limit", cuCtxGetLimit(NULL, CU_LIMIT_STACK_SIZE));
    R("null_flags", cuStreamGetFlags(NULL, NULL));
    R("null_id", cuStreamGetId(NULL, NULL));
    R("host", cuLaunchHostFunc(NULL, NULL, NULL));
    R("launch", cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    R("detach", cuCtxDetach(NULL));
}
