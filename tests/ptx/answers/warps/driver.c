/* SPDX-License-Identifier: Apache-2.0 */
#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define BUFFERS 8

struct driver cu;

static int bind(void *library)
{
    const struct { const char *name; void *slot; } entries[] = {
        { "cuInit", &cu.init }, { "cuDeviceGet", &cu.device }, { "cuDeviceGetName", &cu.name },
        { "cuDriverGetVersion", &cu.version }, { "cuDevicePrimaryCtxRetain", &cu.retain },
        { "cuCtxSetCurrent", &cu.current }, { "cuCtxSynchronize", &cu.synchronize },
        { "cuMemAlloc_v2", &cu.allocate }, { "cuMemFree_v2", &cu.release },
        { "cuMemsetD8_v2", &cu.fill }, { "cuMemcpyHtoD_v2", &cu.copy_in },
        { "cuMemcpyDtoH_v2", &cu.copy_out }, { "cuModuleLoadDataEx", &cu.load },
        { "cuModuleUnload", &cu.unload }, { "cuModuleGetFunction", &cu.function },
        { "cuLaunchKernel", &cu.launch },
    };
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        void *entry = dlsym(library, entries[i].name);
        if (!entry) return fprintf(stderr, "the driver has no %s\n", entries[i].name), 0;
        memcpy(entries[i].slot, &entry, sizeof entry);
    }
    return 1;
}

int driver_open(void)
{
    int device, version;
    char name[100];
    void *context, *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library || !bind(library) || cu.init(0) || cu.device(&device, 0) ||
        cu.name(name, sizeof name, device) || cu.version(&version) ||
        cu.retain(&context, device) || cu.current(context)) {
        fprintf(stderr, "there is no GPU, or no driver that can do this\n");
        return 0;
    }
    printf("# %s, driver of CUDA %d.%d\n", name, version / 1000, version % 1000 / 10);
    return 1;
}

result driver_run(const char *text, const char *kernel, unsigned blocks, unsigned threads,
                  const struct driver_buffer *buffers, int count, char *words, size_t room)
{
    int options[] = { 5 /* error log */, 6 /* its size */ };
    void *values[] = { words, (void *)(uintptr_t)room }, *module = NULL, *function;
    void *params[BUFFERS];
    uint64_t memory[BUFFERS] = { 0 };
    result status = cu.load(&module, text, 2, options, values);
    if (status) return status;
    status = cu.function(&function, module, kernel);
    for (int i = 0; i < count && !status; i++) {
        params[i] = &memory[i];
        if (!buffers[i].count) continue;
        status = cu.allocate(&memory[i], buffers[i].count);
        if (!status) status = cu.copy_in(memory[i], buffers[i].bytes, buffers[i].count);
    }
    if (!status)
        status = cu.launch(function, blocks, 1, 1, threads, 1, 1, 0, NULL, params, NULL);
    if (!status) status = cu.synchronize();
    for (int i = 0; i < count; i++) {
        if (!status && buffers[i].out)
            status = cu.copy_out(buffers[i].bytes, memory[i], buffers[i].count);
        if (memory[i]) cu.release(memory[i]);
    }
    cu.unload(module);
    return status;
}
