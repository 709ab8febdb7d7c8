/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of a launch between <<< and >>>: pushed by the caller, popped by the stub.
 * Arguments of a launch may launch something themselves.
 */
#include "runtime/glue/image.h"
#include "runtime/thread/entry.h"

enum { DEPTH = 32 };

struct configuration {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
};

static _Thread_local struct {
    unsigned count;
    struct configuration at[DEPTH];
} pushed;

/* Returns other than 0 to have the stub not called. */
RT_EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                               cudaStream_t stream);
RT_EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                               cudaStream_t stream)
{
    if (pushed.count == DEPTH) {
        rt_failed("__cudaPushCallConfiguration", RILL_ERROR_OUT_OF_MEMORY);
        return 1;
    }
    pushed.at[pushed.count++] = (struct configuration){ grid, block, shared_bytes, stream };
    return 0;
}

RT_EXPORT cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes,
                                                 cudaStream_t *stream);
RT_EXPORT cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes,
                                                 cudaStream_t *stream)
{
    if (!pushed.count)
        return rt_failed("__cudaPopCallConfiguration", cudaErrorMissingConfiguration);
    const struct configuration *last = &pushed.at[--pushed.count];
    *grid = last->grid;
    *block = last->block;
    *shared_bytes = last->shared_bytes;
    *stream = last->stream;
    return cudaSuccess;
}
