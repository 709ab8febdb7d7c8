/* SPDX-License-Identifier: Apache-2.0
 *
 * How a call of the driver's ends.  A call that succeeds is not looked at any further.  One
 * that fails is explained: the driver's name and words for the failure, and what to do about it,
 * or what the caller found out (cuda_blame()).
 */
#ifndef CUDA_CONTEXT_FAIL_H
#define CUDA_CONTEXT_FAIL_H

#include "backend-cuda/driver/driver.h"

/* Records a failure of `call`, the driver's name for what was called, "cuStreamQuery".  Never
 * returns RILL_SUCCESS. */
rill_status cuda_fail(CUresult result, const char *call, const char *argument);

/* Ends a slot: cuda_end(cuda_api.StreamSynchronize(raw), "cuStreamSynchronize"). */
static inline rill_status cuda_end(CUresult result, const char *call)
{
    return __builtin_expect(result == CUDA_SUCCESS, 1) ? RILL_SUCCESS
                                                       : cuda_fail(result, call, NULL);
}

/* Ends a slot in which only one argument can be at fault. */
static inline rill_status cuda_end_with(CUresult result, const char *call, const char *argument)
{
    return __builtin_expect(result == CUDA_SUCCESS, 1) ? RILL_SUCCESS
                                                       : cuda_fail(result, call, argument);
}

/* Records a failure with a sentence of rill's in front, for a caller that knows more. */
rill_status cuda_blame(CUresult result, const char *call, const char *argument,
                       const char *format, ...) RILL_PRINTF_FORMAT(4, 5);

/* Returns the driver's own words for a status, or NULL. */
const char *cuda_text(CUresult result);

#endif
