/* SPDX-License-Identifier: Apache-2.0
 *
 * What cases of changed executables share.
 */
#ifndef ORACLE_UPDATE_CHANGES_H
#define ORACLE_UPDATE_CHANGES_H

#include "../graphs.h"

/* Copies in device memory, of one row. */
CUDA_MEMCPY3D device_copy_params(CUdeviceptr dst, CUdeviceptr src, size_t bytes);
CUresult add_device_copy(T *t, CUgraphNode *n, CUgraph g, const CUgraphNode *deps, size_t nd,
                         CUdeviceptr dst, CUdeviceptr src, size_t bytes);

/* Launches once, waits, and says n words from p. */
void say_go(T *t, CUgraphExec x, CUstream s, CUdeviceptr p, unsigned n);

void zero_memory(T *t, CUdeviceptr p, size_t bytes);

/* Host functions that count their calls. */
void CUDA_CB count_one(void *p);
void CUDA_CB count_hundred(void *p);

/* Returns a child graph of a kernel and a host node, nested once more: new contents of
 * the same shape reach the inner nodes; the child given may go away after. */
CUgraph make_child(T *t, CUdeviceptr p, unsigned a, int *count, int nested);

#endif
