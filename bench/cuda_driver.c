/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct driver driver;

static void find(void *library, const char *symbol, void *call)
{
    void *found = dlsym(library, symbol);
    if (!found) {
        fprintf(stderr, "the driver has no %s\n", symbol);
        exit(1);
    }
    memcpy(call, &found, sizeof found);
}

void load_driver(void)
{
    const char *path = getenv("RILL_CUDA_LIBRARY");
    void *library = dlopen(path ? path : "libcuda.so.1", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "no NVIDIA driver: %s\n", dlerror());
        exit(1);
    }
#define DRIVER_FIND(name, symbol, ...) find(library, symbol, &driver.name);
    DRIVER_CALLS(DRIVER_FIND)
#undef DRIVER_FIND
    DRIVER(driver.Init(0));
}

void driver_check(CUresult result, const char *call)
{
    if (result == CUDA_SUCCESS) return;
    fprintf(stderr, "%s answers %d\n", call, (int)result);
    exit(1);
}
