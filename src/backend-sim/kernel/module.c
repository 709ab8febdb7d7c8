/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <string.h>

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/kernel/code.h"
#include "device/model.h"

static rill_status load_module(rill_module *handle, const rill_image *image)
{
    struct sim_module *module = rill_private(handle);
    module->context = sim_context_of(rill_object_of(handle)->context);
    rill_status status = sim_enter(module->context->platform, CALL_MAKE);
    return status ? status : sim_code_make(module->context, image, &module->code);
}

/* Waits for the context if there are variables, as for memory that is freed: any work may use them.
 * Where memory is too short to wait, work that does so faults. */
static rill_status unload_module(rill_module *handle)
{
    struct sim_module *module = rill_private(handle);
    struct sim_code *code = module->code;
    rill_status status = sim_enter(module->context->platform, CALL_MODULE_UNLOAD);
    if (!status && code->variable_count && module->context->streams)
        status = sim_context_drain(module->context);
    for (size_t i = 0; i < code->count; i++) {
        if (!code->kernels[i]) continue;
        atomic_store_explicit(&code->functions[i].handle, NULL, memory_order_relaxed);
        rill_backend_disown(code->kernels[i]);
    }
    rl_lock(&code->lock);
    code->context = NULL;
    rl_unlock(&code->lock);
    sim_code_release(code);
    return status;
}

/* Makes the handle of a kernel.  Requires code->lock. */
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

static rill_status check_name(const char *name, const char *what)
{
    if (*name) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "name",
                             "the name is empty, and every %s has one", what);
}

/* Returns the index of a kernel, or code->count if there is none of that name. */
static size_t find_kernel(const struct sim_code *code, const char *name)
{
    size_t i = 0;
    while (i < code->count && strcmp(code->functions[i].name, name)) i++;
    return i;
}

static rill_status get_kernel(rill_module *handle, const char *name, rill_kernel **out)
{
    struct sim_module *module = rill_private(handle);
    struct sim_code *code = module->code;
    rill_status status = sim_enter(module->context->platform, CALL_MAKE);
    if (!status) status = check_name(name, "kernel");
    if (status) return status;
    size_t i = find_kernel(code, name);
    if (i == code->count)
        return rill_backend_fail(RILL_ERROR_NOT_FOUND, "name",
                                 "the module has no kernel '%s' (it has %zu, the first is '%s')",
                                 name, code->count, code->count ? code->functions[0].name : "");
    rl_lock(&code->lock);
    *out = code->kernels[i];
    if (!*out) status = make_kernel(handle, i, out);
    rl_unlock(&code->lock);
    return status;
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

static rill_status get_param(rill_kernel *handle, size_t index, size_t *offset, size_t *bytes)
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

int sim_kernel_awaits(const rill_kernel *kernel)
{
    const struct ptx_kernel *ptx = sim_kernel_of(kernel)->function->ptx;
    struct ptx_kernel_facts facts;
    if (!ptx) return false;
    ptx_kernel_facts(ptx, &facts);
    return facts.awaits_grid;
}

/* Returns an attribute that only the code knows.  A C function has no registers, so their
 * number is merely plausible. */
static int attribute_of_code(const struct sim_function *function, rill_kernel_attribute attribute)
{
    const struct sim_code *code = function->code;
    struct ptx_kernel_facts facts = { .registers = 32 };
    if (function->ptx) ptx_kernel_facts(function->ptx, &facts);
    switch ((int)attribute) {
    case RILL_KERNEL_LOCAL_BYTES: return (int)facts.local_bytes;
    case RILL_KERNEL_REGISTERS: return (int)facts.registers;
    case RILL_KERNEL_PTX_VERSION:
        return (int)(function->ptx ? code->text->target : code->device->model->capability);
    default: break;
    }
    uint64_t constant = function->ptx ? sim_variables_constant(code) : 0;
    return constant < INT_MAX ? (int)constant : INT_MAX;
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
    case RILL_KERNEL_REGISTERS:
    case RILL_KERNEL_PTX_VERSION: *value = attribute_of_code(function, attribute); break;
    case RILL_KERNEL_BINARY_VERSION:
        *value = function->code->device->model->capability;
        break;
    case RILL_KERNEL_CACHE_MODE_CA: *value = 0; break;
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
    const struct device_model *model = function->code->device->model;
    int most = (int)device_generation_of(model)->opt_in - (int)function->static_shared;
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

static rill_status get_variable(rill_module *handle, const char *name, rill_devptr *address,
                                size_t *bytes)
{
    struct sim_module *module = rill_private(handle);
    rill_status status = sim_enter(module->context->platform, CALL_MAKE);
    if (!status) status = check_name(name, "variable");
    if (status) return status;
    const struct sim_variable *found = sim_variable_find(module->code, name);
    if (!found && find_kernel(module->code, name) < module->code->count)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "name",
                                 "'%s' is a kernel of the module and no variable", name);
    if (!found && (sim_reference_find(module->code, name, false) ||
                   sim_reference_find(module->code, name, true)))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "name",
                                 "'%s' is a reference to a texture or surface, without memory",
                                 name);
    if (!found)
        return rill_backend_fail(RILL_ERROR_NOT_FOUND, "name", "the module has no variable '%s'",
                                 name);
    *address = found->allocation.range.base;
    *bytes = (size_t)found->allocation.range.bytes;
    return RILL_SUCCESS;
}

static rill_status get_variable_at(rill_module *handle, size_t index, const char **name,
                                   rill_devptr *address, size_t *bytes)
{
    const struct sim_code *code = ((struct sim_module *)rill_private(handle))->code;
    if (index >= code->variable_count) return RILL_ERROR_NOT_FOUND;
    const struct sim_variable *variable = &code->variables[index];
    *name = code->text->variables[variable->index].name;
    *address = variable->allocation.range.base;
    *bytes = (size_t)variable->allocation.range.bytes;
    return RILL_SUCCESS;
}

/* ---- Slots -------------------------------------------------------------------------- */

const struct rill_module_ops sim_module_ops = {
    .private_bytes = sizeof(struct sim_module),
    .kernel_private_bytes = sizeof(struct sim_kernel),
    .load = load_module,
    .unload = unload_module,
    .kernel = get_kernel,
    .kernel_count = kernel_count,
    .kernel_name = kernel_name,
    .param = get_param,
    .get_attribute = get_attribute,
    .set_attribute = set_attribute,
    .variable = get_variable,
    .variable_at = get_variable_at,
};
