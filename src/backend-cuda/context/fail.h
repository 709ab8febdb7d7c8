/* SPDX-License-Identifier: Apache-2.0
 *
 * How a call of the driver's ends.  Nothing is asked on the way of one that
 * succeeds.  One that fails is explained: what the driver calls it, and what that
 * means and what to do about it, or what the caller found out (cuda_blame()).
 */
#ifndef CUDA_CONTEXT_FAIL_H
#define CUDA_CONTEXT_FAIL_H

#include "backend-cuda/driver/driver.h"

/* `call` is the driver's name for it, "cuStreamQuery".  Never RILL_SUCCESS. */
rill_status cuda_fail(CUresult result, const char *call, const char *argument);

/* The end of a slot: cuda_end(cuda_api.StreamSynchronize(raw), "cuStreamSynchronize"). */
static inline rill_status cuda_end(CUresult result, const char *call)
{
    return __builtin_expect(result == CUDA_SUCCESS, 1) ? RILL_SUCCESS
                                                       : cuda_fail(result, call, NULL);
}

/* The same where one argument is the only one that can be at fault. */
static inline rill_status cuda_end_with(CUresult result, const char *call, const char *argument)
{
    return __builtin_expect(result == CUDA_SUCCESS, 1) ? RILL_SUCCESS
                                                       : cuda_fail(result, call, argument);
}

/* The same with a sentence of ours in front, for a caller that knows more. */
rill_status cuda_blame(CUresult result, const char *call, const char *argument,
                       const char *format, ...) RILL_PRINTF_FORMAT(4, 5);

/* The driver's own words for a status, or NULL. */
const char *cuda_text(CUresult result);

#endif
