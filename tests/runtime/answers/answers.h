/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to a CUDA runtime.  The program is compiled against CUDA's header, for hardware, or
 * against rill's own; expected.txt is what hardware answered.  Each group of questions is asked
 * in a process of its own, since errors stick and calls may crash.
 */
#ifndef ANSWERS_H
#define ANSWERS_H

#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Writes a call's text and its answer, and the last error if that is another one.  On hardware,
 * a call that crashes is told and left behind. */
#ifdef ANSWERS_RECOVER
#include <setjmp.h>
extern sigjmp_buf before_call;
#define ANSWER(text, call) \
    (sigsetjmp(before_call, 1) ? (void)printf("%s: crashes\n", text) : answer(text, call))
#else
#define ANSWER(text, call) answer(text, call)
#endif
#define ASK(call) ANSWER(#call, call)
void answer(const char *call, cudaError_t status);

/* Writes a line with values. */
#define TELL(...) printf("  " __VA_ARGS__), putchar('\n')

/* The kernels, as a program registers them (kernels.cu on hardware, kernels.c over rill), by what
 * stands for them in the host's code. */
extern const void *const store, *const idle, *const trap, *const wait_for, *const fault;
extern const void *const total, *const table; /* an int, and 8 of them that are constant */
extern int not_registered; /* a variable of the host */
void register_kernels(void);

/* store(int *at, int value) */
cudaError_t launch_store(int *at, int value, cudaStream_t stream);
/* wait_for(volatile int *flag): ends when the flag is set. */
cudaError_t launch_wait(volatile int *flag, cudaStream_t stream);
cudaError_t launch_plain(const void *kernel, unsigned blocks, unsigned threads);

struct group {
    const char *name;
    void (*ask)(void);
};

/* Each ends with a row of NULLs. */
extern const struct group device_groups[], memory_groups[], copy_groups[], symbol_groups[],
    launch_groups[], stream_groups[], capture_groups[], node_groups[], exec_groups[],
    pool_groups[], context_groups[], fault_groups[], word_groups[], null_groups[],
    order_groups[];

#endif
