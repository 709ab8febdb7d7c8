/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine of tests/ptx over a GPU: what kernels reach is managed memory, so the host
 * sees what they leave.  Needs the driver's library and nothing else.
 */
#include "machine_gpu.h"

#include <dlfcn.h>
#include <stdio.h>

typedef int result;

static struct {
    result (*init)(unsigned flags);
    result (*device)(int *device, int ordinal);
    result (*name)(char *name, int room, int device);
    result (*version)(int *version);
    result (*retain)(void **context, int device);
    result (*current)(void *context);
    result (*limit)(int limit, size_t value);
    result (*synchronize)(void);
    result (*allocate)(uint64_t *address, size_t bytes, unsigned flags);
    result (*release)(uint64_t address);
    result (*copy_out)(void *to, uint64_t from, size_t bytes);
    result (*load)(void **module, const void *image, unsigned count, int *options, void **values);
    result (*unload)(void *module);
    result (*function)(void **function, void *module, const char *name);
    result (*global)(uint64_t *address, size_t *bytes, void *module, const char *name);
    result (*launch)(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     unsigned shared, void *stream, void **params, void **extra);
    result (*cooperative)(void *function, unsigned, unsigned, unsigned, unsigned, unsigned,
                          unsigned, unsigned shared, void *stream, void **params);
    result (*parameter)(void *function, size_t index, size_t *offset, size_t *bytes);
} cu;

struct machine {
    void *module;
    struct ptx_module facts; /* the target alone */
    uint64_t memory[4096];
    unsigned count;
    void *shadow;            /* of a variable    */
};

jmp_buf gpu_case;

static bool bind(void *library)
{
    const struct { const char *name; void *slot; } entries[] = {
        { "cuInit", &cu.init }, { "cuDeviceGet", &cu.device }, { "cuDeviceGetName", &cu.name },
        { "cuDriverGetVersion", &cu.version }, { "cuDevicePrimaryCtxRetain", &cu.retain },
        { "cuCtxSetCurrent", &cu.current }, { "cuCtxSetLimit", &cu.limit },
        { "cuCtxSynchronize", &cu.synchronize }, { "cuMemAllocManaged", &cu.allocate },
        { "cuMemFree_v2", &cu.release }, { "cuMemcpyDtoH_v2", &cu.copy_out },
        { "cuModuleLoadDataEx", &cu.load }, { "cuModuleUnload", &cu.unload },
        { "cuModuleGetFunction", &cu.function }, { "cuModuleGetGlobal_v2", &cu.global },
        { "cuLaunchKernel", &cu.launch }, { "cuLaunchCooperativeKernel", &cu.cooperative },
        { "cuFuncGetParamInfo", &cu.parameter },
    };
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        void *entry = dlsym(library, entries[i].name);
        if (!entry) {
            fprintf(stderr, "the driver has no %s\n", entries[i].name);
            return false;
        }
        memcpy(entries[i].slot, &entry, sizeof entry);
    }
    return true;
}

bool gpu_open(char *words, size_t room)
{
    int device, version;
    char name[100];
    void *context, *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library || !bind(library) || cu.init(0) || cu.device(&device, 0) ||
        cu.name(name, sizeof name, device) || cu.version(&version) ||
        cu.retain(&context, device) || cu.current(context) || cu.limit(0 /* stack */, 8192))
        return false;
    snprintf(words, room, "%s, driver of CUDA %d.%d", name, version / 1000, version % 1000 / 10);
    return true;
}

bool gpu_lost(void)
{
    return cu.synchronize() != 0;
}

struct machine *machine_open(void)
{
    struct machine *machine = calloc(1, sizeof *machine);
    if (!machine) abort();
    return machine;
}

void machine_close(struct machine *machine)
{
    if (machine->module) cu.unload(machine->module);
    for (unsigned i = 0; i < machine->count; i++) cu.release(machine->memory[i]);
    free(machine->shadow);
    free(machine);
}

bool gpu_try_load(struct machine *machine, const char *text, char *words, size_t room)
{
    int options[] = { 5 /* error log */, 6 /* its size */ };
    void *values[] = { words, (void *)(uintptr_t)room };
    words[0] = '\0';
    const char *target = strstr(text, ".target sm_");
    machine->facts.target = target ? (uint32_t)atoi(target + 11) : 0;
    return cu.load(&machine->module, text, 2, options, values) == 0;
}

void machine_load(struct machine *machine, const char *text)
{
    char words[1000];
    if (!gpu_try_load(machine, text, words, sizeof words)) fail_msg("not loaded: %s", words);
}

const struct ptx_module *machine_module(struct machine *machine)
{
    return &machine->facts;
}

void *machine_memory(struct machine *machine, size_t bytes)
{
    uint64_t address = 0;
    if (machine->count == 4096 || cu.allocate(&address, bytes + !bytes, 1 /* for all */))
        fail_msg("no memory for %zu bytes", bytes);
    machine->memory[machine->count++] = address;
    return memset((void *)(uintptr_t)address, 0, bytes);
}

void *machine_variable(struct machine *machine, const char *name, size_t *bytes)
{
    uint64_t address;
    size_t size;
    if (cu.global(&address, &size, machine->module, name)) fail_msg("no variable %s", name);
    free(machine->shadow);
    machine->shadow = malloc(size);
    if (!machine->shadow || cu.copy_out(machine->shadow, address, size)) fail_msg("not copied");
    if (bytes) *bytes = size;
    return machine->shadow;
}

static unsigned or_one(uint32_t extent)
{
    return extent ? extent : 1;
}

void machine_run(struct machine *machine, const char *kernel, const struct machine_shape *shape,
                 const void *params, size_t bytes)
{
    void *function, *values[64];
    if (cu.function(&function, machine->module, kernel)) fail_msg("no kernel %s", kernel);
    for (size_t i = 0, offset, size; i < 64 && !cu.parameter(function, i, &offset, &size); i++)
        values[i] = (char *)(uintptr_t)params + offset;
    (void)bytes;
    const uint32_t *g = shape->grid, *b = shape->block;
    result result = shape->cooperative
        ? cu.cooperative(function, or_one(g[0]), or_one(g[1]), or_one(g[2]), or_one(b[0]),
                         or_one(b[1]), or_one(b[2]), shape->shared, NULL, values)
        : cu.launch(function, or_one(g[0]), or_one(g[1]), or_one(g[2]), or_one(b[0]),
                    or_one(b[1]), or_one(b[2]), shape->shared, NULL, values, NULL);
    if (!result) result = cu.synchronize();
    if (result) fail_msg("%s: status %d", kernel, result);
}

/* ---- What only the simulator is asked ---------------------------------------------------- */

rill_status machine_launch(struct machine *machine, const char *kernel,
                           const struct machine_shape *shape, const void *params, size_t bytes)
{
    machine_run(machine, kernel, shape, params, bytes);
    return RILL_SUCCESS;
}

void machine_fails(struct machine *machine, const char *kernel, const struct machine_shape *shape,
                   const void *params, size_t bytes, rill_status status, const char *words,
                   const char *more)
{
    (void)machine, (void)kernel, (void)shape, (void)params, (void)bytes;
    (void)status, (void)words, (void)more;
    fail();
}

const char *machine_printed(struct machine *machine)
{
    (void)machine;
    return "";
}

uint64_t machine_conditional(struct machine *machine, uint32_t *value)
{
    (void)machine;
    return *value = 0;
}

size_t machine_heap_live(struct machine *machine)
{
    (void)machine;
    return 0;
}
