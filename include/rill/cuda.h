/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/cuda.h>: what only the CUDA backend can do.  Without cuda.h: the driver's
 * handles are named by the structs behind them, so its own types fit.
 */
#ifndef RILL_CUDA_H
#define RILL_CUDA_H

#include <rill/rill.h>

RILL_BEGIN_DECLS

typedef struct rill_cuda_options {
    size_t size;         /* sizeof(rill_cuda_options)                         */
    const char *library; /* the driver's library; NULL: $RILL_CUDA_LIBRARY, else
                            libcuda.so.1.  A process has one                  */
} rill_cuda_options;

RILL_END_DECLS

#endif
