/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "fuzz_maps.h"
#include "fuzz_textures.h"
#include "ptx/text/module.h"
#include "ptx/ptx.h"

#define MEMORY_BYTES 16384
#define TEXTURES_AT 4096
#define MAP_AT 64 /* of a tensor, if there are as many parameters */
#define VARIABLE_BYTES (1 << 16)

struct fuzz_tally fuzz_tally;

static const struct ptx_limits limits = {
    .text_bytes = 1 << 20,
    .module_bytes = 8 << 20,
    .registers = 4000,
    .depth = 8,
    .steps = 3000,
};

/* All that kernels reach: what their parameters point to, and their variables. */
struct place {
    unsigned char *memory;
    size_t bytes;
};

struct reach {
    struct place memory;
    struct place *variables;
    uint32_t count;
    struct place allocations[16];
    uint64_t choice; /* of textures, for the next kernel */
    _Atomic uint_least64_t changes;
};

static bool is_in(const struct place *place, uint64_t address, struct ptx_extent *extent)
{
    uint64_t base = (uintptr_t)place->memory;
    if (!place->memory || address < base || address - base >= place->bytes) return false;
    *extent = (struct ptx_extent){ .base = base, .end = base + place->bytes,
                                   .host = (unsigned char *)(uintptr_t)base };
    return true;
}

static bool find(void *data, uint64_t address, struct ptx_extent *extent)
{
    const struct reach *reach = data;
    if (is_in(&reach->memory, address, extent)) return true;
    for (uint32_t i = 0; i < reach->count; i++)
        if (is_in(&reach->variables[i], address, extent)) return true;
    for (int i = 0; i < 16; i++)
        if (is_in(&reach->allocations[i], address, extent)) return true;
    return false;
}

static void explain(void *data, uint64_t address, char *words, size_t room)
{
    (void)data, (void)address;
    snprintf(words, room, "nowhere");
}

static uint64_t allocate(void *data, uint64_t bytes)
{
    struct reach *reach = data;
    for (int i = 0; i < 16 && bytes <= 4096; i++) {
        if (reach->allocations[i].memory) continue;
        reach->allocations[i] = (struct place){ malloc(bytes + !bytes), (size_t)bytes };
        return (uintptr_t)reach->allocations[i].memory;
    }
    return 0;
}

static bool release(void *data, uint64_t address)
{
    struct reach *reach = data;
    for (int i = 0; i < 16; i++)
        if (address && (uintptr_t)reach->allocations[i].memory == address) {
            free(reach->allocations[i].memory);
            reach->allocations[i] = (struct place){ NULL, 0 };
            atomic_fetch_add(&reach->changes, 1);
            return true;
        }
    return false;
}

static void print(void *data, const char *text, size_t bytes)
{
    (void)data;
    unsigned char sum = 0;
    for (size_t i = 0; i < bytes; i++) sum = (unsigned char)(sum + (unsigned char)text[i]);
    volatile unsigned char seen = sum;
    (void)seen;
}

static void set_conditional(void *data, uint64_t handle, uint32_t value)
{
    (void)data, (void)handle, (void)value;
}

static uint64_t now(void *data)
{
    static uint64_t time;
    (void)data;
    return time += 1000;
}

/* ---- Modules ---------------------------------------------------------------------- */

static uint64_t variable(void *data, uint32_t index)
{
    const struct reach *reach = data;
    if (index >= reach->count) abort();
    return (uintptr_t)reach->variables[index].memory;
}

static bool replaced(void *data, const char *kernel)
{
    (void)data, (void)kernel;
    return false;
}

/* Variables that are too large for the device are its owner's to refuse. */
static bool place_variables(struct reach *reach, const struct ptx_module *module)
{
    uint64_t bytes = 0;
    reach->variables = calloc(module->variable_count + 1u, sizeof *reach->variables);
    if (!reach->variables) abort();
    reach->count = module->variable_count;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        const struct ptx_variable *v = &module->variables[i];
        if (v->space != PTX_GLOBAL && v->space != PTX_CONST) continue;
        if (v->bytes > VARIABLE_BYTES || (bytes += v->bytes) > VARIABLE_BYTES) return false;
        reach->variables[i].bytes = (size_t)v->bytes;
        reach->variables[i].memory = malloc((size_t)v->bytes + !v->bytes);
    }
    return true;
}

static void drop_places(struct reach *reach)
{
    for (uint32_t i = 0; i < reach->count; i++) free(reach->variables[i].memory);
    for (int i = 0; i < 16; i++) free(reach->allocations[i].memory);
    free(reach->variables);
    free(reach->memory.memory);
}

/* ---- Launches --------------------------------------------------------------------- */

static uint64_t *handles_of(unsigned char *params, const struct ptx_kernel_facts *facts)
{
    return (uint64_t *)(void *)(params + facts->references_at);
}

/* Parameters are addresses of the memory, and small numbers behind, or the map of a tensor.
 * Handles of textures follow. */
static unsigned char *make_params(struct reach *reach, const struct ptx_kernel_facts *facts)
{
    const uint32_t bytes = facts->param_bytes;
    unsigned char *params = malloc(bytes + 16u + 8u * facts->reference_count);
    if (!params) abort();
    for (uint32_t i = 0; i < bytes + 8; i += 8) {
        uint64_t value = i < 16 || i % 24 == 0 ? (uintptr_t)reach->memory.memory + i * 64 : 40;
        memcpy(params + i, &value, sizeof value);
    }
    if (bytes >= MAP_AT + 128)
        fuzz_write_map(params + MAP_AT, reach->memory.memory + TEXTURES_AT, reach->choice++);
    if (facts->reference_count)
        fuzz_bind_textures(reach->memory.memory + TEXTURES_AT, reach->choice++,
                           handles_of(params, facts), facts->reference_count);
    return params;
}

static void run_kernel(struct reach *reach, const struct ptx_kernel *kernel, bool checked)
{
    struct ptx_host host = {
        .data = reach, .find = find, .explain = explain, .changes = &reach->changes,
        .allocate = allocate, .release = release, .print = print,
        .set_conditional = set_conditional, .now = now,
    };
    struct ptx_fault fault;
    memset(&fault, 0, sizeof fault);
    struct ptx_kernel_facts facts;
    ptx_kernel_facts(kernel, &facts);
    if (facts.param_bytes > 8192 || facts.reference_count > 64) return;
    unsigned char *params = make_params(reach, &facts);
    struct ptx_launch launch = {
        .grid = { 2, 1, 1 },
        .block = { 40, 1, 1 },
        .dynamic_shared = 512,
        .params = params,
        .checks = checked ? PTX_CHECK_ALL : 0,
        .steps = limits.steps,
        .host = &host,
        .fault = &fault,
    };
    for (int i = 0; i < 3; i++)
        if (facts.required[i]) launch.block[i] = facts.required[i];
    struct ptx_grid *grid = NULL;
    uint64_t threads = (uint64_t)launch.block[0] * launch.block[1] * launch.block[2];
    if (threads <= 256 && ptx_grid_open(kernel, &launch, &grid) == RILL_SUCCESS) {
        fuzz_tally.launched++;
        if (!ptx_grid_run(grid)) abort();
        ptx_grid_close(grid);
        if (atomic_load(&fault.status) == RILL_ERROR_UNKNOWN) {
            fprintf(stderr, "%s\n", fault.message);
            abort();
        }
        fuzz_tally.ended += !atomic_load(&fault.status);
    }
    if (facts.reference_count)
        fuzz_drop_textures(handles_of(params, &facts), facts.reference_count);
    free(params);
}

static void check_refusal(const struct ptx_refusal *refusal, rill_status status)
{
    if (!status || !memchr(refusal->message, 0, sizeof refusal->message)) abort();
    if (!refusal->message[0]) abort();
}

static void run_module(struct reach *reach, const struct ptx_module *module, bool checked)
{
    struct ptx_refusal refusal = { RILL_SUCCESS, 0, 0, "" };
    struct ptx_linkage linkage = { reach, variable, replaced };
    struct ptx_code *code = NULL;
    if (!place_variables(reach, module)) return;
    rill_status status = ptx_compile(module, &linkage, &limits, &code, &refusal);
    if (status) {
        check_refusal(&refusal, status);
        return;
    }
    fuzz_tally.compiled++;
    for (uint32_t i = 0; i < module->variable_count; i++)
        if (reach->variables[i].memory) ptx_code_initial(code, i, reach->variables[i].memory);
    for (uint32_t i = 0, runs = 0; i < module->function_count && runs < 4; i++) {
        const struct ptx_function *function = &module->functions[i];
        const struct ptx_kernel *kernel = function->entry && function->defined
                                              ? ptx_code_kernel(code, function->name)
                                              : NULL;
        if (kernel && !ptx_kernel_unsupported(kernel)) run_kernel(reach, kernel, checked), runs++;
    }
    ptx_code_free(code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    long live = rl_alloc_live();
    struct ptx_refusal refusal = { RILL_SUCCESS, 0, 0, "" };
    struct ptx_module *module = NULL;
    fuzz_tally.texts++;
    rill_status status = ptx_read((const char *)data, bytes, &limits, &module, &refusal);
    if (status) {
        check_refusal(&refusal, status);
    } else {
        fuzz_tally.read++;
        struct reach reach;
        memset(&reach, 0, sizeof reach);
        reach.choice = bytes;
        reach.memory = (struct place){ calloc(1, MEMORY_BYTES), MEMORY_BYTES };
        run_module(&reach, module, bytes % 4 == 0);
        ptx_module_free(module);
        drop_places(&reach);
    }
    if (rl_alloc_live() != live) abort();
    return 0;
}
