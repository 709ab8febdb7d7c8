/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes tiles.txt to standard output: what a GPU answers to instructions of whole warps.
 * Needs the driver's library and nothing else.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/answers/tiles.h"

typedef int result;

static struct {
    result (*init)(unsigned flags);
    result (*device)(int *device, int ordinal);
    result (*name)(char *name, int room, int device);
    result (*version)(int *version);
    result (*retain)(void **context, int device);
    result (*current)(void *context);
    result (*synchronize)(void);
    result (*allocate)(uint64_t *address, size_t bytes);
    result (*release)(uint64_t address);
    result (*fill)(uint64_t address, unsigned char value, size_t bytes);
    result (*copy_in)(uint64_t to, const void *from, size_t bytes);
    result (*copy_out)(void *to, uint64_t from, size_t bytes);
    result (*load)(void **module, const void *image, unsigned count, int *options, void **values);
    result (*unload)(void *module);
    result (*function)(void **function, void *module, const char *name);
    result (*launch)(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     unsigned shared, void *stream, void **params, void **extra);
} cu;

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

static unsigned failures, forms;

static result run_form(struct tile_form *form, char *words, size_t room)
{
    char *text = tile_text(form);
    int options[] = { 5 /* error log */, 6 /* its size */ };
    void *values[] = { words, (void *)(uintptr_t)room }, *module = NULL, *function, *params[4];
    uint64_t memory[4] = { 0 };
    result status = cu.load(&module, text, 2, options, values);
    free(text);
    if (status) return status;
    status = cu.function(&function, module, "tile");
    for (int i = 0; i < 4 && !status; i++) {
        struct tile_operand *operand = &form->operands[i];
        params[i] = &memory[i];
        if (!operand->words) continue;
        status = cu.allocate(&memory[i], operand->bytes);
        if (!status) status = cu.copy_in(memory[i], operand->values, operand->bytes);
    }
    if (!status) status = cu.launch(function, TILES, 1, 1, 32, 1, 1, 0, NULL, params, NULL);
    if (!status) status = cu.synchronize();
    if (!status) status = cu.copy_out(form->operands[0].values, memory[0], form->operands[0].bytes);
    for (int i = 0; i < 4; i++)
        if (memory[i]) cu.release(memory[i]);
    cu.unload(module);
    return status;
}

static bool measure_form(void *data, struct tile_form *form)
{
    char words[2000] = "";
    (void)data;
    tile_operands(form);
    result status = run_form(form, words, sizeof words);
    forms++;
    if (status) {
        words[strcspn(words, "\n")] = '\0';
        printf("! %d\t%s\t%s\n# %s\n", status, form->types, form->instructions, words);
        failures++;
    } else {
        printf("= %016llx\t%s\t%s\n", (unsigned long long)tile_hash(form), form->types,
               form->instructions);
    }
    tile_drop(form);
    fflush(stdout);
    return cu.synchronize() == 0;
}

int main(void)
{
    int device, version;
    char name[100];
    void *context, *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library || !bind(library) || cu.init(0) || cu.device(&device, 0) ||
        cu.name(name, sizeof name, device) || cu.version(&version) ||
        cu.retain(&context, device) || cu.current(context)) {
        fprintf(stderr, "there is no GPU, or no driver that can do this\n");
        return 2;
    }
    printf("# %s, driver of CUDA %d.%d\n", name, version / 1000, version % 1000 / 10);
    bool all = tile_each(measure_form, NULL);
    printf("# %u forms, %u fail%s\n", forms, failures, all ? "" : ", the context is lost");
    return failures != 0;
}
