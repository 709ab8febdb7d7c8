/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of managed memory share: a context, a stream of it, and managed memory.
 */
#ifndef STANDIN_MEMORY_MANAGED_H
#define STANDIN_MEMORY_MANAGED_H

#include "standin/library.h"

enum { PAGE = 4096, BYTES = 4 * PAGE };

static CUcontext context;
static CUstream stream;
static CUdeviceptr memory;

static inline int begin(void **state)
{
    (void)state;
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&context, 0, 0)));
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 1)));
    OK(CALL(cuMemAllocManaged, (CUdeviceptr *, size_t, unsigned),
            (&memory, BYTES, CU_MEM_ATTACH_GLOBAL)));
    return 0;
}

static inline int finish(void **state)
{
    (void)state;
    return CALL(cuCtxDestroy_v2, (CUcontext), (context));
}

static inline int ask_pointer(int question, CUdeviceptr address)
{
    int value[2] = { -77, -77 };
    OK(CALL(cuPointerGetAttribute, (void *, int, CUdeviceptr), (value, question, address)));
    return value[0];
}

#endif
