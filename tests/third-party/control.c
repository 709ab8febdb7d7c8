/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills the same bytes in two streams that nothing orders: what tools/third-party --check has to
 * be told of, or its silence about other programs means nothing.
 */
#include <stddef.h>
#include <stdio.h>

int cuInit(unsigned flags);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuCtxSynchronize(void);
int cuMemAlloc_v2(unsigned long long *memory, size_t bytes);
int cuStreamCreate(void **stream, unsigned flags);
int cuMemsetD8Async(unsigned long long memory, unsigned char byte, size_t bytes, void *stream);

enum { BYTES = 4096, NON_BLOCKING = 1 };

static int fill_without_a_wait(unsigned long long memory, void *const streams[2])
{
    return cuMemsetD8Async(memory, 1, BYTES, streams[0]) ||
           cuMemsetD8Async(memory, 2, BYTES, streams[1]);
}

int main(void)
{
    void *context, *streams[2];
    unsigned long long memory;
    int failed = cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context) ||
                 cuMemAlloc_v2(&memory, BYTES) || cuStreamCreate(&streams[0], NON_BLOCKING) ||
                 cuStreamCreate(&streams[1], NON_BLOCKING) ||
                 fill_without_a_wait(memory, streams) || cuCtxSynchronize();
    printf("%s runs\n", failed ? "fail" : "pass");
    return failed;
}
