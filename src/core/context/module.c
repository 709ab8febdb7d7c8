/* SPDX-License-Identifier: Apache-2.0 */
#include "core/object/check.h"
#include "core/object/error.h"
#include "core/object/options.h"

static const struct rill_module_ops *module_ops(const void *object)
{
    return rl_backend(object)->module;
}

/* ---- Modules ------------------------------------------------------------ */

/* Checks the bytes of an image: no array is larger, or extends beyond the last address. */
static rill_status check_code(const rill_image *image)
{
    if (!image->code || (image->code_bytes <= PTRDIFF_MAX &&
                         image->code_bytes <= UINTPTR_MAX - (uintptr_t)image->code))
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "image->code_bytes",
                             "image->code_bytes is %zu, and no image has so many; pass its size, "
                             "or 0 where it says that itself", image->code_bytes);
}

static rill_status read_image(const rill_image *image, rill_image *known)
{
    rill_status status = rl_required(image, "image");
    if (!status) status = rl_read_options(image, known, sizeof *known, "image->size");
    if (!status)
        status = rl_required_array(known->functions, known->function_count, "image->functions",
                                   "image->function_count");
    if (!status) status = check_code(known);
    return status;
}

rill_status rill_module_load(rill_context *context, const rill_image *image, rill_module **module)
{
    rill_image known;
    rill_module *made = NULL;
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_required(module, "module");
    if (!status) status = read_image(image, &known);
    if (!status && known.managed_of)
        status = rl_check_with(known.managed_of, RILL_OBJECT_MODULE, "image->managed_of", context);
    if (!status) {
        made = rl_object_new(RILL_OBJECT_MODULE, context, known.label);
        status = made ? module_ops(made)->load(made, &known) : RILL_ERROR_OUT_OF_MEMORY;
    }
    if (!status)
        *module = made;
    else if (made)
        rl_object_drop(made);
    return rl_finish(__func__, context, status);
}

rill_status rill_module_unload(rill_module **module)
{
    rill_module *given = module ? *module : NULL;
    if (!given) return RILL_SUCCESS;
    rill_status status = rl_object_end(given, RILL_OBJECT_MODULE, "module");
    if (status) return rl_finish(__func__, given, status);
    *module = NULL;
    status = rl_finish(__func__, given, module_ops(given)->unload(given));
    rl_release(given);
    return status;
}

rill_status rill_module_kernel(rill_module *module, const char *name, rill_kernel **kernel)
{
    rill_status status = rl_check(module, RILL_OBJECT_MODULE, "module");
    if (!status) status = rl_required(name, "name");
    if (!status) status = rl_required(kernel, "kernel");
    if (!status) status = module_ops(module)->kernel(module, name, kernel);
    return rl_finish(__func__, module, status);
}

rill_status rill_module_kernel_count(rill_module *module, size_t *count)
{
    rill_status status = rl_check(module, RILL_OBJECT_MODULE, "module");
    if (!status) status = rl_required(count, "count");
    if (!status) status = module_ops(module)->kernel_count(module, count);
    return rl_finish(__func__, module, status);
}

rill_status rill_module_variable(rill_module *module, const char *name, rill_devptr *address,
                                 size_t *bytes)
{
    rill_devptr at = 0;
    size_t size = 0;
    rill_status status = rl_check(module, RILL_OBJECT_MODULE, "module");
    if (!status) status = rl_required(name, "name");
    if (!status) status = rl_required(address, "address");
    if (!status) status = rl_need(module, module_ops(module)->variable != NULL, __func__);
    if (!status) status = module_ops(module)->variable(module, name, &at, &size);
    if (!status) *address = at;
    if (!status && bytes) *bytes = size;
    return rl_finish(__func__, module, status);
}

/* ---- Kernels ------------------------------------------------------------ */

const char *rill_kernel_name(const rill_kernel *kernel)
{
    return rl_usable(kernel, RILL_OBJECT_KERNEL) ? module_ops(kernel)->kernel_name(kernel) : NULL;
}

rill_status rill_kernel_param(rill_kernel *kernel, size_t index, size_t *offset, size_t *bytes)
{
    size_t at = 0, length = 0;
    rill_status status = rl_check(kernel, RILL_OBJECT_KERNEL, "kernel");
    if (!status) status = rl_required(offset, "offset");
    if (!status) status = rl_need(kernel, module_ops(kernel)->param != NULL, __func__);
    if (!status) status = module_ops(kernel)->param(kernel, index, &at, &length);
    if (!status) *offset = at;
    if (!status && bytes) *bytes = length;
    return rl_finish(__func__, kernel, status);
}

rill_status rill_kernel_get_attribute(rill_kernel *kernel, rill_kernel_attribute attribute,
                                      int *value)
{
    rill_status status = rl_check(kernel, RILL_OBJECT_KERNEL, "kernel");
    if (!status) status = rl_required(value, "value");
    if (!status) status = rl_need(kernel, module_ops(kernel)->get_attribute != NULL, __func__);
    if (!status) status = module_ops(kernel)->get_attribute(kernel, attribute, value);
    return rl_finish(__func__, kernel, status);
}

rill_status rill_kernel_set_attribute(rill_kernel *kernel, rill_kernel_attribute attribute,
                                      int value)
{
    rill_status status = rl_check(kernel, RILL_OBJECT_KERNEL, "kernel");
    if (!status) status = rl_need(kernel, module_ops(kernel)->set_attribute != NULL, __func__);
    if (!status) status = module_ops(kernel)->set_attribute(kernel, attribute, value);
    return rl_finish(__func__, kernel, status);
}
