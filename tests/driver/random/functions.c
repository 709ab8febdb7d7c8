/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of both contexts.  Each is launched once, so that no seed is the first
 * to load it.
 */
#include "random.h"

static void load(struct world *w, int context, CUcontext c)
{
    static const char *const names[FUNCTIONS] = { "put", "fill", "dims", "nop" };
    T fresh = { .dev = w->t.dev, .ctx = c };
    if (cuCtxPushCurrent(c)) die(&fresh, "cuCtxPushCurrent", CUDA_ERROR_UNKNOWN);
    CUdeviceptr p = dalloc(&fresh, 4096);
    uint32_t one = 1;
    for (int i = 0; i < FUNCTIONS; i++) {
        w->functions[context][i] = kernel(&fresh, names[i]);
        CUresult r = launch1(w->functions[context][i], NULL, (void *[]){ &p, &one, &one });
        if (r) die(&fresh, names[i], r);
    }
    CUresult r = cuCtxSynchronize();
    if (r) die(&fresh, "cuCtxSynchronize", r);
    cuMemFree(p);
    cuCtxPopCurrent(NULL);
}

void functions_load(struct world *w)
{
    load(w, 0, w->t.ctx);
    load(w, 1, w->second);
}

int function_find(const struct world *w, CUfunction f, int *context)
{
    for (*context = 0; *context < 2; ++*context) {
        for (int i = 0; i < FUNCTIONS; i++) {
            if (w->functions[*context][i] == f) return i;
        }
    }
    *context = 0;
    return FUNCTIONS;
}
