/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/module.h"

#include <string.h>

#include "backend-sim/stream.h"
#include "base/alloc.h"

/* Everything of a module in one piece: functions, then their parameters'
 * sizes and offsets. */
struct sim_code {
    atomic_uint references;
    rill_kernel **kernels; /* handles, made when first asked for; lock */
    struct rl_lock lock;
    size_t count;
    struct sim_function functions[];
};

void sim_code_retain(struct sim_code *code)
{
    atomic_fetch_add_explicit(&code->references, 1, memory_order_relaxed);
}

void sim_code_release(struct sim_code *code)
{
    if (atomic_fetch_sub_explicit(&code->references, 1, memory_order_acq_rel) != 1) return;
    for (size_t i = 0; i < code->count; i++) rl_free((void *)code->functions[i].params);
    rl_free(code->kernels);
    rl_free(code);
}

static rill_status refuse(const char *name, const char *why)
{
    return rill_backend_fail(RILL_ERROR_INVALID_IMAGE, "image->functions", "function '%s': %s",
                             name, why);
}

static rill_status check_function(const rill_function *function)
{
    if (!function->name || !*function->name) return refuse("", "it has no name");
    if (!function->over_grid == !function->over_block)
        return refuse(function->name, "set exactly one of over_grid and over_block");
    if (function->param_count && !function->params)
        return refuse(function->name, "it has parameters but no layout");
    if (function->param_count > 4096) return refuse(function->name, "it has too many parameters");
    for (size_t i = 0; i < function->param_count; i++) {
        uint16_t alignment = function->params[i].alignment;
        if (!function->params[i].bytes || !alignment || (alignment & (alignment - 1)))
            return refuse(function->name, "a parameter's size or alignment is not possible");
    }
    if (function->static_shared_bytes > SIM_SHARED_BYTES)
        return refuse(function->name, "it wants more shared memory than a block has");
    if (function->max_threads > SIM_THREADS_MAX)
        return refuse(function->name, "max_threads is more than a block can have");
    if (function->flags & ~RILL_FUNCTION_BLOCKS_AT_ONCE)
        return refuse(function->name, "flags has bits that mean nothing");
    return RILL_SUCCESS;
}

static rill_status check_image(const rill_image *image)
{
    if (image->function_count && !image->functions)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "image->functions", "the table is NULL");
    if (!image->function_count)
        return rill_backend_fail(RILL_ERROR_NO_BINARY_FOR_GPU, "image",
                                 "the simulator runs C functions, and the image has none");
    for (size_t i = 0; i < image->function_count; i++) {
        rill_status status = check_function(&image->functions[i]);
        if (status) return status;
        for (size_t k = 0; k < i; k++)
            if (!strcmp(image->functions[k].name, image->functions[i].name))
                return refuse(image->functions[i].name, "there are two of this name");
    }
    return RILL_SUCCESS;
}

/* Parameters first, offsets behind them, in one allocation. */
static bool lay_out(struct sim_function *out, const rill_function *in)
{
    size_t count = in->param_count, sizes = (count * sizeof *in->params + 3) & ~(size_t)3;
    unsigned char *memory = rl_alloc(sizes + count * sizeof(uint32_t));
    if (!memory) return false;
    rill_param *params = (rill_param *)(void *)memory;
    uint32_t *offsets = (uint32_t *)(void *)(memory + sizes);
    uint32_t at = 0;
    for (size_t i = 0; i < count; i++) {
        params[i] = in->params[i];
        at = (at + params[i].alignment - 1) & ~(uint32_t)(params[i].alignment - 1);
        offsets[i] = at;
        if (out->alignment < params[i].alignment) out->alignment = params[i].alignment;
        at += params[i].bytes;
    }
    out->params = params;
    out->offsets = offsets;
    out->param_count = (uint32_t)count;
    out->buffer_bytes = at;
    return true;
}

static rill_status load(rill_module *handle, const rill_image *image)
{
    struct sim_module *module = rill_private(handle);
    module->context = sim_context_of(rill_object_of(handle)->context);
    rill_status status = sim_enter(module->context->platform, CALL_MAKE);
    if (!status) status = check_image(image);
    if (status) return status;
    size_t count = image->function_count;
    struct sim_code *code = rl_zalloc(sizeof *code + count * sizeof *code->functions);
    if (code) code->kernels = rl_zalloc(count * sizeof *code->kernels);
    bool fits = code && code->kernels;
    if (code) atomic_init(&code->references, 1);
    for (size_t i = 0; fits && i < count; i++) {
        const rill_function *in = &image->functions[i];
        struct sim_function *out = &code->functions[i];
        out->code = code;
        out->name = in->name;
        out->over_grid = in->over_grid;
        out->over_block = in->over_block;
        out->blocks_at_once = in->flags & RILL_FUNCTION_BLOCKS_AT_ONCE;
        out->static_shared = in->static_shared_bytes;
        out->max_threads = in->max_threads ? in->max_threads : SIM_THREADS_MAX;
        atomic_init(&out->dynamic_shared, SIM_SHARED_BYTES - (int)in->static_shared_bytes);
        atomic_init(&out->carveout, -1);
        code->count = i + 1;
        fits = lay_out(out, in);
    }
    if (!fits) {
        if (code) sim_code_release(code);
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for the module");
    }
    module->code = code;
    return RILL_SUCCESS;
}

static rill_status unload(rill_module *handle)
{
    struct sim_module *module = rill_private(handle);
    struct sim_code *code = module->code;
    rill_status status = sim_enter(module->context->platform, CALL_MODULE_UNLOAD);
    for (size_t i = 0; i < code->count; i++) {
        if (!code->kernels[i]) continue;
        atomic_store_explicit(&code->functions[i].handle, NULL, memory_order_relaxed);
        rill_backend_disown(code->kernels[i]);
    }
    sim_code_release(code);
    return status;
}

static rill_status make_kernel(rill_module *handle, size_t index, rill_kernel **out)
{
    struct sim_module *module = rill_private(handle);
    void *object;
    rill_status status = rill_backend_own(RILL_OBJECT_KERNEL, handle, module->context->handle,
                                          &object);
    if (status) return status;
    struct sim_kernel *kernel = sim_kernel_of(object);
    kernel->context = module->context;
    kernel->function = &module->code->functions[index];
    atomic_store_explicit(&kernel->function->handle, object, memory_order_relaxed);
    *out = module->code->kernels[index] = object;
    return RILL_SUCCESS;
}

static rill_status get_kernel(rill_module *handle, const char *name, rill_kernel **out)
{
    struct sim_module *module = rill_private(handle);
    struct sim_code *code = module->code;
    rill_status status = sim_enter(module->context->platform, CALL_MAKE);
    if (status) return status;
    if (!*name)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "name",
                                 "the name is empty, and every kernel has one");
    for (size_t i = 0; i < code->count; i++) {
        if (strcmp(code->functions[i].name, name)) continue;
        rl_lock(&code->lock);
        *out = code->kernels[i];
        if (!*out) status = make_kernel(handle, i, out);
        rl_unlock(&code->lock);
        return status;
    }
    return rill_backend_fail(RILL_ERROR_NOT_FOUND, "name",
                             "the module has no kernel '%s' (it has %zu, the first is '%s')", name,
                             code->count, code->functions[0].name);
}

static rill_status kernel_count(rill_module *handle, size_t *count)
{
    struct sim_module *module = rill_private(handle);
    rill_status status = sim_enter(module->context->platform, CALL_MAKE);
    if (!status) *count = module->code->count;
    return status;
}

static const char *kernel_name(const rill_kernel *handle)
{
    return sim_kernel_of(handle)->function->name;
}

static rill_status param(rill_kernel *handle, size_t index, size_t *offset, size_t *bytes)
{
    const struct sim_function *function = sim_kernel_of(handle)->function;
    rill_status status = sim_enter(sim_kernel_of(handle)->context->platform, CALL_MAKE);
    if (status) return status;
    if (index >= function->param_count)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "index",
                                 "kernel '%s' has %u parameters", function->name,
                                 function->param_count);
    *offset = function->offsets[index];
    *bytes = function->params[index].bytes;
    return RILL_SUCCESS;
}

static rill_status get_attribute(rill_kernel *handle, rill_kernel_attribute attribute, int *value)
{
    struct sim_function *function = sim_kernel_of(handle)->function;
    rill_status status = sim_enter(sim_kernel_of(handle)->context->platform, CALL_MAKE);
    if (status) return status;
    switch ((int)attribute) {
    case RILL_KERNEL_MAX_THREADS_PER_BLOCK: *value = (int)function->max_threads; break;
    case RILL_KERNEL_SHARED_BYTES: *value = (int)function->static_shared; break;
    case RILL_KERNEL_CONST_BYTES:
    case RILL_KERNEL_LOCAL_BYTES:
    case RILL_KERNEL_CACHE_MODE_CA: *value = 0; break;
    case RILL_KERNEL_REGISTERS: *value = 32; break; /* a C function has none: a plausible number */
    case RILL_KERNEL_PTX_VERSION:
    case RILL_KERNEL_BINARY_VERSION: *value = 90; break;
    case RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES:
        *value = atomic_load(&function->dynamic_shared);
        break;
    case RILL_KERNEL_SHARED_CARVEOUT: *value = atomic_load(&function->carveout); break;
    default:
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attribute",
                                 "%d is not an attribute of kernels", (int)attribute);
    }
    return RILL_SUCCESS;
}

static rill_status set_attribute(rill_kernel *handle, rill_kernel_attribute attribute, int value)
{
    struct sim_function *function = sim_kernel_of(handle)->function;
    rill_status status = sim_enter(sim_kernel_of(handle)->context->platform, CALL_MAKE);
    if (status) return status;
    int most = SIM_SHARED_BYTES_OPT_IN - (int)function->static_shared;
    switch ((int)attribute) {
    case RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES:
        if (value < 0 || value > most)
            return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "value",
                                     "%d is not within 0 to %d bytes", value, most);
        atomic_store(&function->dynamic_shared, value);
        return RILL_SUCCESS;
    case RILL_KERNEL_SHARED_CARVEOUT:
        if (value < -1 || value > 100)
            return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "value",
                                     "%d is not within -1 to 100 percent", value);
        atomic_store(&function->carveout, value);
        return RILL_SUCCESS;
    default:
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attribute",
                                 "%d is not an attribute that can be set", (int)attribute);
    }
}

static rill_status variable(rill_module *handle, const char *name, rill_devptr *address,
                            size_t *bytes)
{
    struct sim_module *module = rill_private(handle);
    rill_status status = sim_enter(module->context->platform, CALL_MAKE);
    (void)address, (void)bytes;
    if (status) return status;
    return rill_backend_fail(RILL_ERROR_NOT_FOUND, "name", "the module has no variable '%s'", name);
}

const struct rill_module_ops sim_module_ops = {
    .private_bytes = sizeof(struct sim_module),
    .kernel_private_bytes = sizeof(struct sim_kernel),
    .load = load,
    .unload = unload,
    .kernel = get_kernel,
    .kernel_count = kernel_count,
    .kernel_name = kernel_name,
    .param = param,
    .get_attribute = get_attribute,
    .set_attribute = set_attribute,
    .variable = variable,
};
