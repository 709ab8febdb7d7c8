/* SPDX-License-Identifier: Apache-2.0
 *
 * Short forms of calls that tests of contexts make.
 */
#ifndef STANDIN_CONTEXTS_H
#define STANDIN_CONTEXTS_H

#include "standin/library.h"

static inline CUcontext own_context(void)
{
    CUcontext context;
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&context, 0, 0)));
    return context;
}

static inline CUcontext current(void)
{
    CUcontext context;
    OK(CALL(cuCtxGetCurrent, (CUcontext *), (&context)));
    return context;
}

static inline void make_current(CUcontext context)
{
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
}

static inline void end_context(CUcontext context)
{
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (context)));
}

static inline CUstream stream_of(unsigned flags)
{
    CUstream stream;
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, flags)));
    return stream;
}

static inline CUevent plain_event(void)
{
    CUevent event;
    OK(CALL(cuEventCreate, (CUevent *, unsigned), (&event, CU_EVENT_DISABLE_TIMING)));
    return event;
}

static inline CUresult query(CUstream stream)
{
    return CALL(cuStreamQuery, (CUstream), (stream));
}

#endif
