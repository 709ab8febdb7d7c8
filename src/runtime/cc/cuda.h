/* SPDX-License-Identifier: Apache-2.0
 *
 * Many a program of the runtime includes it, and uses nothing of the driver.  One that does
 * needs CUDA's, in a folder that comes later.
 */
#ifndef RILL_CUDA_H
#define RILL_CUDA_H

#if __has_include_next(<cuda.h>)
#include_next <cuda.h>
#else
#include "cuda_runtime_api.h"
#define CUDA_VERSION CUDART_VERSION
#endif

#endif
