/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs share: each ends with 0 and a line of words if all was right.
 */
#ifndef CHECK_H
#define CHECK_H

#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define OK(call) \
    do { \
        cudaError_t status_ = (call); \
        if (status_ != cudaSuccess) { \
            std::printf("%s: %s\n", #call, cudaGetErrorString(status_)); \
            std::exit(1); \
        } \
    } while (0)

#define EXPECT(truth) \
    do { \
        if (!(truth)) { \
            std::printf("line %d: not so: %s\n", __LINE__, #truth); \
            std::exit(1); \
        } \
    } while (0)

#endif
