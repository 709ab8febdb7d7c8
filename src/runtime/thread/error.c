/* SPDX-License-Identifier: Apache-2.0
 *
 * The thread's last error.
 */
#include "base/words/log_words.h"
#include "base/words/runtime_status.h"
#include "runtime/abi/log.h"
#include "runtime/thread/entry.h"

cudaError_t rt_failed(const char *call, cudaError_t status)
{
    if (status != RILL_ERROR_NOT_READY) rt_thread.last = status; /* that is no failure */
    if (!rl_log_wants("errors")) return status;
    char words[RILL_ERROR_MESSAGE_MAX];
    rt_log_failure(call, status, rt_driver_words(status, words) ? words : NULL);
    return status;
}

RT_EXPORT cudaError_t cudaGetLastError(void);
RT_EXPORT cudaError_t cudaGetLastError(void)
{
    cudaError_t last = rt_thread.last;
    rt_thread.last = cudaSuccess;
    return last;
}

RT_EXPORT cudaError_t cudaPeekAtLastError(void);
RT_EXPORT cudaError_t cudaPeekAtLastError(void)
{
    return rt_thread.last;
}

RT_EXPORT const char *cudaGetErrorName(cudaError_t status);
RT_EXPORT const char *cudaGetErrorName(cudaError_t status)
{
    return rl_runtime_status_name(status);
}

RT_EXPORT const char *cudaGetErrorString(cudaError_t status);
RT_EXPORT const char *cudaGetErrorString(cudaError_t status)
{
    return rl_runtime_status_words(status);
}
