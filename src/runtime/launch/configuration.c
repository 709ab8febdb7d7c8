/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of a launch between <<< and >>>: pushed by the caller, popped by the stub.
 * Arguments of a launch may launch something themselves.
 */
#include "runtime/glue/image.h"
#include "runtime/thread/entry.h"
#include "site/launch.h"

enum { DEPTH = 32 };

struct configuration {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    const void *pushed; /* the address to which the push returned */
};

static _Thread_local struct cs_launch launch;

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
    pushed.at[pushed.count++] = (struct configuration){ grid, block, shared_bytes, stream,
                                                        __builtin_return_address(0) };
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
    launch = (struct cs_launch){ last->pushed, __builtin_return_address(0) };
    return cudaSuccess;
}

/* For the layers, which ask whose launch this is (site/launch.h). */
RT_EXPORT cs_launch_fn rill_runtime_launch;
const struct cs_launch *rill_runtime_launch(void)
{
    return &launch;
}
