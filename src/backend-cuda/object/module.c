/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules and their kernels.
 */
#include "backend-cuda/object/module.h"

#include <string.h>

#include "base/alloc.h"

/* ---- Loading ---------------------------------------------------------------------------- */

#define LOG_BYTES 2048

/* PTX is text and ends with a zero; a cubin or a fatbin begins with its mark. */
static bool is_text(const void *code, size_t bytes)
{
    static const unsigned char marks[][4] = {
        { 0x7f, 'E', 'L', 'F' }, { 0x50, 0xed, 0x55, 0xba }, { 0xb1, 0x43, 0x62, 0x46 },
    };
    for (size_t i = 0; bytes >= 4 && i < sizeof marks / sizeof *marks; i++)
        if (!memcmp(code, marks[i], 4)) return false;
    return true;
}

/* Copies text that does not end with a zero.  *copy, which may be NULL, is the caller's to
 * rl_free(). */
static rill_status copy_text(const rill_image *image, const void **code, char **copy)
{
    *code = image->code;
    *copy = NULL;
    if (!image->code_bytes || !is_text(image->code, image->code_bytes) ||
        memchr(image->code, 0, image->code_bytes))
        return RILL_SUCCESS;
    *copy = rl_alloc(image->code_bytes + 1);
    if (!*copy) return RILL_ERROR_OUT_OF_MEMORY;
    memcpy(*copy, image->code, image->code_bytes);
    (*copy)[image->code_bytes] = 0;
    *code = *copy;
    return RILL_SUCCESS;
}

/* The words of the PTX compiler say more than the status. */
static rill_status explain_load(CUresult result, const char *log)
{
    size_t line = strcspn(log, "\n");
    if (!line) return cuda_fail(result, "cuModuleLoadDataEx", "image->code");
    return rill_backend_fail((rill_status)result, "image->code",
                             "the driver does not take the code: %.*s", (int)line, log);
}

static CUresult load_image(struct cuda_module *module, const void *code, char log[LOG_BYTES])
{
    CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
    void *values[] = { log, (void *)(uintptr_t)LOG_BYTES };
    memset(log, 0, LOG_BYTES);
    return cuda_api.ModuleLoadDataEx(&module->raw, code, 2, options, values);
}

static void end_module(struct cuda_part *part)
{
    struct cuda_module *module =
        (struct cuda_module *)((char *)part - offsetof(struct cuda_module, part));
    cuda_api.ModuleUnload(module->raw);
    module->raw = NULL;
}

static void list_module(struct cuda_module *module)
{
    struct cuda_context *context = module->context;
    cuda_add_part(context, &module->part, end_module);
    rl_lock(&context->modules_lock);
    module->next = context->modules;
    context->modules = module;
    rl_unlock(&context->modules_lock);
}

static rill_status load_module(rill_module *handle, const rill_image *image)
{
    struct cuda_module *module = cuda_module_of(handle);
    struct cuda_visit visit;
    char log[LOG_BYTES], *copy;
    const void *code;
    if (!image->code)
        return rill_backend_fail(RILL_ERROR_NO_BINARY_FOR_GPU, "image",
                                 "a GPU runs PTX, cubins and fatbins, and the image has none; its "
                                 "C functions are for the simulator (RILL_BACKEND=sim)");
    if (image->managed_of)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "image->managed_of",
                                 "on a GPU each module has managed variables of its own");
    module->handle = handle;
    module->context = cuda_home(handle);
    rill_status status = copy_text(image, &code, &copy);
    if (!status) status = cuda_enter(module->context, &visit);
    if (!status) {
        CUresult result = load_image(module, code, log);
        cuda_leave(&visit);
        if (result) status = explain_load(result, log);
    }
    rl_free(copy);
    if (!status) list_module(module);
    return status;
}

static rill_status unload_module(rill_module *handle)
{
    struct cuda_module *module = cuda_module_of(handle);
    struct cuda_context *context = module->context;
    rl_lock(&context->modules_lock);
    struct cuda_module **link = &context->modules;
    while (*link != module) link = &(*link)->next;
    *link = module->next;
    struct cuda_kernel *kernel = module->kernels;
    rl_unlock(&context->modules_lock);
    while (kernel) {
        struct cuda_kernel *next = kernel->next;
        rl_free(kernel->name);
        rill_backend_disown(kernel->handle);
        kernel = next;
    }
    cuda_end_part(context, &module->part);
    return cuda_context_fault(context);
}

/* ---- Kernels ------------------------------------------------------------------------------ */

static size_t count_params(CUfunction raw)
{
    size_t count = 0, offset, bytes;
    if (!cuda_api.FuncGetParamInfo) return 0;
    while (!cuda_api.FuncGetParamInfo(raw, count, &offset, &bytes)) count++;
    return count;
}

/* Requires context->modules_lock. */
static struct cuda_kernel *find_kernel_of_module(struct cuda_module *module, CUfunction raw)
{
    struct cuda_kernel *kernel = module->kernels;
    while (kernel && kernel->raw != raw) kernel = kernel->next;
    return kernel;
}

rill_kernel *cuda_find_kernel(struct cuda_context *context, CUfunction raw)
{
    struct cuda_kernel *kernel = NULL;
    rl_lock(&context->modules_lock);
    for (struct cuda_module *module = context->modules; module && !kernel; module = module->next)
        kernel = find_kernel_of_module(module, raw);
    rl_unlock(&context->modules_lock);
    return kernel ? kernel->handle : NULL;
}

/* Requires context->modules_lock. */
static rill_status add_kernel(struct cuda_module *module, CUfunction raw, const char *name,
                              rill_kernel **handle)
{
    void *made;
    char *copy = rl_strdup(name);
    rill_status status = copy ? rill_backend_own(RILL_OBJECT_KERNEL, module->handle,
                                                 module->context->handle, &made)
                              : RILL_ERROR_OUT_OF_MEMORY;
    if (status) {
        rl_free(copy);
        return status;
    }
    /* Otherwise the first launch would load the code, and wait for everything that runs. */
    if (cuda_api.FuncLoad) cuda_api.FuncLoad(raw);
    struct cuda_kernel *kernel = cuda_kernel_of(made);
    *kernel = (struct cuda_kernel){ .raw = raw, .handle = made, .name = copy,
                                    .param_count = count_params(raw), .next = module->kernels };
    module->kernels = kernel;
    *handle = made;
    return RILL_SUCCESS;
}

static rill_status get_kernel(rill_module *handle, const char *name, rill_kernel **kernel)
{
    struct cuda_module *module = cuda_module_of(handle);
    struct cuda_context *context = module->context;
    struct cuda_visit visit;
    CUfunction raw;
    rill_status status = cuda_enter(context, &visit);
    if (status) return status;
    status = cuda_end_with(cuda_api.ModuleGetFunction(&raw, module->raw, name),
                           "cuModuleGetFunction", "name");
    if (!status) {
        rl_lock(&context->modules_lock);
        struct cuda_kernel *known = find_kernel_of_module(module, raw);
        if (known)
            *kernel = known->handle;
        else
            status = add_kernel(module, raw, name, kernel);
        rl_unlock(&context->modules_lock);
    }
    cuda_leave(&visit);
    return status;
}

static rill_status count_kernels(rill_module *handle, size_t *count)
{
    unsigned number = 0;
    struct cuda_visit visit;
    rill_status status = cuda_need(ModuleGetFunctionCount, 12040);
    if (!status) status = cuda_enter(cuda_home(handle), &visit);
    if (status) return status;
    status = cuda_end(cuda_api.ModuleGetFunctionCount(&number, cuda_module_of(handle)->raw),
                      "cuModuleGetFunctionCount");
    cuda_leave(&visit);
    if (!status) *count = number;
    return status;
}

static rill_status find_variable(rill_module *handle, const char *name, rill_devptr *address,
                                 size_t *bytes)
{
    CUdeviceptr at = 0;
    struct cuda_visit visit;
    rill_status status = cuda_enter(cuda_home(handle), &visit);
    if (status) return status;
    status = cuda_end_with(cuda_api.ModuleGetGlobal(&at, bytes, cuda_module_of(handle)->raw, name),
                           "cuModuleGetGlobal", "name");
    cuda_leave(&visit);
    if (!status) *address = at;
    return status;
}

static const char *kernel_name(const rill_kernel *kernel)
{
    return cuda_kernel_of(kernel)->name;
}

static rill_status find_param(rill_kernel *kernel, size_t index, size_t *offset, size_t *bytes)
{
    size_t at, size;
    rill_status status = cuda_need(FuncGetParamInfo, 12040);
    if (status) return status;
    CUfunction raw = cuda_kernel_of(kernel)->raw;
    status = cuda_end_with(cuda_api.FuncGetParamInfo(raw, index, &at, &size),
                           "cuFuncGetParamInfo", "index");
    if (status) return status;
    *offset = at;
    *bytes = size;
    return RILL_SUCCESS;
}

static rill_status get_kernel_attribute(rill_kernel *kernel, rill_kernel_attribute attribute,
                                        int *value)
{
    int found = 0;
    rill_status status = cuda_end_with(
        cuda_api.FuncGetAttribute(&found, (CUfunction_attribute)attribute,
                                  cuda_kernel_of(kernel)->raw),
        "cuFuncGetAttribute", "attribute");
    if (!status) *value = found;
    return status;
}

static bool attribute_can_be_set(rill_kernel_attribute attribute)
{
    return attribute == RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES ||
           attribute == RILL_KERNEL_SHARED_CARVEOUT;
}

static rill_status set_kernel_attribute(rill_kernel *kernel, rill_kernel_attribute attribute,
                                        int value)
{
    return cuda_end_with(cuda_api.FuncSetAttribute(cuda_kernel_of(kernel)->raw,
                                                   (CUfunction_attribute)attribute, value),
                         "cuFuncSetAttribute",
                         attribute_can_be_set(attribute) ? "value" : "attribute");
}

const struct rill_module_ops cuda_module_ops = {
    .private_bytes = sizeof(struct cuda_module),
    .kernel_private_bytes = sizeof(struct cuda_kernel),
    .load = load_module,
    .unload = unload_module,
    .kernel = get_kernel,
    .kernel_count = count_kernels,
    .kernel_name = kernel_name,
    .param = find_param,
    .get_attribute = get_kernel_attribute,
    .set_attribute = set_kernel_attribute,
    .variable = find_variable,
};
