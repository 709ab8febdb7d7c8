// SPDX-License-Identifier: Apache-2.0
// Questions to the runtime of CUDA 11, as tests/runtime/answers asks those of 13: compiled by nvcc
// 11 for hardware, and the same program runs under `rill run`.  Each group is asked in a process of
// its own.
#ifndef CUDA_11_ASK_H
#define CUDA_11_ASK_H

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

// Writes a call's text and its answer, and the last error if that is another one.  A call that
// crashes is told and left behind.
#define ASK(call) \
    (sigsetjmp(before_call, 1) ? (void)std::printf("%s: crashes\n", #call) : answer(#call, call))
extern sigjmp_buf before_call;
void answer(const char *call, cudaError_t status);

// Writes a line with values.
#define TELL(...) (std::printf("  " __VA_ARGS__), std::putchar('\n'))

struct group {
    const char *name;
    void (*ask)();
};

// Each ends with a row of NULLs.
extern const group call_groups[], graph_groups[], bind_groups[], lookup_groups[];

#endif
