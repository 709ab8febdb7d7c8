/* SPDX-License-Identifier: Apache-2.0 */
#include "ends.h"

CUcontext begin(T *t, enum way way)
{
    CUcontext c = NULL;
    CUresult r = cuInit(0);
    if (!r && way == DESTROYED) r = cuCtxCreate(&c, NULL, 0, 0);
    if (!r && way != DESTROYED) r = cuDevicePrimaryCtxRetain(&c, 0);
    if (!r && way != DESTROYED) r = cuCtxSetCurrent(c);
    if (r) die(t, "begin", r);
    return c;
}

static void *destroy(void *c)
{
    return (void *)(uintptr_t)cuCtxDestroy(c);
}

void end(T *t, enum way way, CUcontext c)
{
    pthread_t thread;
    void *answer = NULL;
    CUresult r = CUDA_SUCCESS;
    if (way == RELEASED) r = cuDevicePrimaryCtxRelease(0);
    if (way == RESET) r = cuDevicePrimaryCtxReset(0);
    if (way == DESTROYED) {
        pthread_create(&thread, NULL, destroy, c);
        pthread_join(thread, &answer);
        r = (CUresult)(uintptr_t)answer;
    }
    if (r) die(t, "end", r);
}

CUcontext end_elsewhere(T *t, enum way way, CUcontext c)
{
    CUcontext other = NULL;
    CUresult r = cuCtxCreate(&other, NULL, 0, 0);
    if (r) die(t, "end_elsewhere", r);
    end(t, way, c);
    return other;
}

void say_number(T *t, const char *label, CUresult r, unsigned long long number)
{
    say(t, " %s=%s:%llu", label, ename(r), number);
}

void say_flags(T *t, const char *label)
{
    unsigned flags = 77;
    CUresult r = cuCtxGetFlags(&flags);
    say_number(t, label, r, flags);
}
