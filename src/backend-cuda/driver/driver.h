/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver: libcuda, loaded when it is first needed and then for good.  Nothing of rill is
 * linked against it, so a program with rill starts on machines without a driver.
 */
#ifndef CUDA_DRIVER_DRIVER_H
#define CUDA_DRIVER_DRIVER_H

#include <rill/backend.h>

#include "backend-cuda/driver/abi.h"
#include "backend-cuda/driver/entries.h"

/* The calls.  Written once, before cuda_load() first succeeds; read without a lock by every
 * thread that has a platform. */
struct cuda_api {
#define CUDA_FIELD(name, version, ...) CUresult(CUDAAPI *name)(__VA_ARGS__);
#define CUDA_EARLIER_FIELD(name, version, ...) CUresult(CUDAAPI *name##_##version)(__VA_ARGS__);
    CUDA_ENTRIES(CUDA_FIELD, CUDA_EARLIER_FIELD)
#undef CUDA_FIELD
#undef CUDA_EARLIER_FIELD
    int version; /* the driver's, 12040 for 12.4 */
};

extern struct cuda_api cuda_api;

/* Loads the library, unless it is loaded, and starts the driver.  If `path` is NULL, it is
 * $RILL_CUDA_LIBRARY, or else libcuda.so.1 where the system looks for it.  A process has one
 * driver: another path is refused later.  Says why it fails. */
rill_status cuda_load(const char *path);

/* Refuses if an entry that came after CUDA 11.8 is missing, with its name and the version that
 * has it: cuda_need(GraphAddNode, 12030). */
#define cuda_need(name, version) \
    (__builtin_expect(cuda_api.name != NULL, 1) ? RILL_SUCCESS : cuda_lacks(#name, version))
rill_status cuda_lacks(const char *name, int version);

/* Lets the next cuda_load() load anew, for tests. */
void cuda_forget_driver(void);

#endif
