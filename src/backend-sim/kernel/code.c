/* SPDX-License-Identifier: Apache-2.0
 *
 * Making the code of a module from an image.
 */
#include "backend-sim/kernel/code.h"

#include <string.h>

#include "base/alloc.h"
#include "base/stack.h"
#include "device/model.h"
#include "image/content.h"
#include "ptx/link/linker.h"

#define NEWEST_PTX 90 /* 9.0 */

rill_status sim_code_no_memory(void)
{
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for the module");
}

void sim_code_retain(struct sim_code *code)
{
    atomic_fetch_add_explicit(&code->references, 1, memory_order_relaxed);
}

void sim_code_release(struct sim_code *code)
{
    if (atomic_fetch_sub_explicit(&code->references, 1, memory_order_acq_rel) != 1) return;
    sim_variables_end(code);
    for (size_t i = 0; i < code->count; i++) rl_free((void *)code->functions[i].params);
    ptx_code_free(code->ptx);
    ptx_module_free(code->text);
    rl_free(code->kernels);
    rl_free(code);
}

/* ---- C functions ---------------------------------------------------------------------- */

static rill_status refuse_function(const char *name, const char *why)
{
    return rill_backend_fail(RILL_ERROR_INVALID_IMAGE, "image->functions", "function '%s': %s",
                             name, why);
}

static rill_status check_function(const rill_function *function)
{
    if (!function->name || !*function->name) return refuse_function("", "it has no name");
    if (!function->over_grid == !function->over_block)
        return refuse_function(function->name, "set exactly one of over_grid and over_block");
    if (function->param_count && !function->params)
        return refuse_function(function->name, "it has parameters but no layout");
    if (function->param_count > 4096)
        return refuse_function(function->name, "it has too many parameters");
    for (size_t i = 0; i < function->param_count; i++) {
        uint16_t alignment = function->params[i].alignment;
        if (!function->params[i].bytes || !alignment || (alignment & (alignment - 1)))
            return refuse_function(function->name,
                                   "a parameter's size or alignment is not possible");
    }
    if (function->static_shared_bytes > SIM_SHARED_BYTES)
        return refuse_function(function->name, "it wants more shared memory than a block has");
    if (function->max_threads > SIM_THREADS_MAX)
        return refuse_function(function->name, "max_threads is more than a block can have");
    if (function->flags & ~RILL_FUNCTION_BLOCKS_AT_ONCE)
        return refuse_function(function->name, "flags has bits that mean nothing");
    return RILL_SUCCESS;
}

static rill_status check_functions(const rill_image *image)
{
    if (image->function_count && !image->functions)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "image->functions", "the table is NULL");
    for (size_t i = 0; i < image->function_count; i++) {
        rill_status status = check_function(&image->functions[i]);
        if (status) return status;
        for (size_t k = 0; k < i; k++)
            if (!strcmp(image->functions[k].name, image->functions[i].name))
                return refuse_function(image->functions[i].name, "there are two of this name");
    }
    return RILL_SUCCESS;
}

/* Allocates the parameters and, after them, their offsets.  Returns false if memory is short. */
static bool make_room(struct sim_function *function, size_t count)
{
    size_t sizes = (count * sizeof *function->params + 3) & ~(size_t)3;
    unsigned char *memory = rl_alloc(sizes + count * sizeof(uint32_t));
    function->params = (const rill_param *)(void *)memory;
    function->offsets = (const uint32_t *)(void *)(memory + sizes);
    function->param_count = (uint32_t)count;
    return memory;
}

/* Places a parameter after those before it. */
static void place_param(struct sim_function *function, size_t index, rill_param param)
{
    uint32_t at = function->buffer_bytes, mask = param.alignment - 1u;
    at = (at + mask) & ~mask;
    ((rill_param *)function->params)[index] = param;
    ((uint32_t *)function->offsets)[index] = at;
    if (function->alignment < param.alignment) function->alignment = param.alignment;
    function->buffer_bytes = at + param.bytes;
}

static uint32_t opt_in_of(const struct sim_code *code)
{
    return device_generation_of(code->device->model)->opt_in;
}

/* Appends a function, which counts before it has its parameters, so that it is freed. */
static struct sim_function *append_function(struct sim_code *code, const char *name,
                                            uint32_t shared, uint32_t threads)
{
    struct sim_function *made = &code->functions[code->count++];
    made->code = code;
    made->name = name;
    made->static_shared = shared;
    made->max_threads = threads ? threads : SIM_THREADS_MAX;
    /* A kernel that has more than a block is given unasked may have all that there is. */
    const uint32_t most = shared > SIM_SHARED_BYTES ? opt_in_of(code) : SIM_SHARED_BYTES;
    atomic_init(&made->dynamic_shared, (int)(most - shared));
    atomic_init(&made->carveout, -1);
    return made;
}

static bool add_function(struct sim_code *code, const rill_function *function)
{
    struct sim_function *made =
        append_function(code, function->name, function->static_shared_bytes, function->max_threads);
    made->over_grid = function->over_grid;
    made->over_block = function->over_block;
    made->blocks_at_once = function->flags & RILL_FUNCTION_BLOCKS_AT_ONCE;
    if (!make_room(made, function->param_count)) return false;
    for (size_t i = 0; i < function->param_count; i++)
        place_param(made, i, function->params[i]);
    made->stored_bytes = made->buffer_bytes;
    return true;
}

/* ---- PTX --------------------------------------------------------------------------------- */

static bool add_kernel(struct sim_code *code, const struct ptx_function *function,
                       const struct ptx_kernel *kernel)
{
    struct ptx_kernel_facts facts;
    ptx_kernel_facts(kernel, &facts);
    struct sim_function *made =
        append_function(code, function->name, facts.static_shared, facts.max_threads);
    made->ptx = kernel;
    made->unsupported = ptx_kernel_unsupported(kernel);
    memcpy(made->required, facts.required, sizeof made->required);
    memcpy(made->cluster, facts.cluster, sizeof made->cluster);
    if (!make_room(made, function->param_count)) return false;
    for (uint32_t i = 0; i < function->param_count; i++) {
        const struct ptx_variable *param = &function->variables[function->params[i]];
        uint16_t alignment = (uint16_t)(param->alignment ? param->alignment : 1);
        place_param(made, i, (rill_param){ (uint16_t)param->bytes, alignment });
    }
    made->stored_bytes = facts.reference_count ? facts.references_at + 8 * facts.reference_count
                                               : made->buffer_bytes;
    return true;
}

static rill_status add_kernels(struct sim_code *code)
{
    struct ptx_kernel_facts facts;
    for (uint32_t i = 0; i < code->text->function_count; i++) {
        const struct ptx_function *function = &code->text->functions[i];
        const struct ptx_kernel *kernel =
            function->entry ? ptx_code_kernel(code->ptx, function->name) : NULL;
        if (!kernel) continue;
        ptx_kernel_facts(kernel, &facts);
        if (facts.static_shared > opt_in_of(code))
            return rill_backend_fail(RILL_ERROR_INVALID_PTX, function->name,
                                     "the kernel has %u bytes in shared variables, and a block of "
                                     "this device has up to %u",
                                     facts.static_shared, opt_in_of(code));
        if (!add_kernel(code, function, kernel)) return sim_code_no_memory();
    }
    return RILL_SUCCESS;
}

static uint64_t variable_address(void *data, uint32_t index)
{
    return sim_variable_address(data, index);
}

static bool is_replaced(void *data, const char *kernel)
{
    const struct sim_code *code = data;
    for (size_t i = 0; i < code->count; i++)
        if (!strcmp(code->functions[i].name, kernel)) return true;
    return false;
}

static rill_status refuse_text(const struct ptx_refusal *refusal)
{
    return rill_backend_fail(refusal->status, "image->code", "%s", refusal->message);
}

static rill_status compile_text(struct sim_code *code)
{
    const struct ptx_linkage linkage = { code, variable_address, is_replaced };
    struct ptx_refusal refusal;
    rill_status status = sim_variables_make(code);
    if (status) return status;
    status = ptx_compile(code->text, &linkage, &code->device->platform->ptx_limits, &code->ptx,
                         &refusal);
    if (status) return refuse_text(&refusal);
    sim_variables_fill(code);
    return add_kernels(code);
}

static rill_status check_target(const struct ptx_module *module, const struct device_model *model)
{
    if (device_runs(model->capability, module->target, module->suffix)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_PTX, "image->code",
                             "the text is for sm_%u%s, which the simulator's sm_%u is not",
                             module->target, module->suffix == 'a' ? "a" : " and newer",
                             model->capability);
}

static rill_status read_text(const struct image_content *content,
                             const struct sim_context *context, struct ptx_module **module)
{
    struct ptx_refusal refusal;
    const struct ptx_limits *limits = &context->platform->ptx_limits;
    rill_status (*read)(const char *, size_t, const struct ptx_limits *, struct ptx_module **,
                        struct ptx_refusal *) = content->linked ? ptx_read_linked : ptx_read;
    if (read(content->text, content->text_bytes, limits, module, &refusal))
        return refuse_text(&refusal);
    rill_status status = check_target(*module, context->device->model);
    if (status) ptx_module_free(*module);
    return status;
}

/* Reads the PTX of the image.  *module becomes NULL if C functions have to do. */
static rill_status read_code(const rill_image *image, const struct sim_context *context,
                             struct ptx_module **module)
{
    const struct image_target target = { .architecture = context->device->model->capability,
                                         .ptx_version = NEWEST_PTX };
    struct image_content content;
    struct image_refusal refusal;
    *module = NULL;
    if (!image->code) return RILL_SUCCESS;
    rill_status status =
        image_open(image->code, image->code_bytes, &target, &content, &refusal);
    if (status == RILL_ERROR_NO_BINARY_FOR_GPU && image->function_count) return RILL_SUCCESS;
    if (status) return rill_backend_fail(status, "image->code", "%s", refusal.message);
    if (content.text) status = read_text(&content, context, module);
    else if (!image->function_count)
        status = rill_backend_fail(RILL_ERROR_NO_BINARY_FOR_GPU, "image->code",
                                   "the image holds machine code alone, which the simulator "
                                   "cannot run; give it PTX or C functions");
    image_close(&content);
    return status;
}

/* ---- All of it ---------------------------------------------------------------------------- */

static size_t count_entries(const struct ptx_module *text)
{
    size_t count = 0;
    for (uint32_t i = 0; text && i < text->function_count; i++) count += text->functions[i].entry;
    return count;
}

static rill_status borrow_managed(struct sim_code *code, const rill_image *image)
{
    if (!image->managed_of) return RILL_SUCCESS;
    struct sim_module *of = rill_private(image->managed_of);
    return sim_variables_borrow(code, of->code);
}

/* Adds the functions of the image, and what its PTX holds. */
static rill_status fill_code(struct sim_code *code, const rill_image *image, size_t most)
{
    code->kernels = rl_zalloc((most ? most : 1) * sizeof *code->kernels);
    if (!code->kernels) return sim_code_no_memory();
    for (size_t i = 0; i < image->function_count; i++)
        if (!add_function(code, &image->functions[i])) return sim_code_no_memory();
    rill_status status = borrow_managed(code, image);
    return !status && code->text ? compile_text(code) : status;
}

static rill_status make_code(struct sim_context *context, const rill_image *image,
                             struct sim_code **out)
{
    struct ptx_module *text;
    rill_status status = check_functions(image);
    if (status) return status;
    if (!image->function_count && !image->code)
        return rill_backend_fail(RILL_ERROR_NO_BINARY_FOR_GPU, "image",
                                 "the simulator runs PTX and C functions, and the image has "
                                 "neither");
    status = read_code(image, context, &text);
    if (status) return status;
    size_t most = image->function_count + count_entries(text);
    struct sim_code *code = rl_zalloc(sizeof *code + most * sizeof *code->functions);
    if (!code) {
        ptx_module_free(text);
        return sim_code_no_memory();
    }
    atomic_init(&code->references, 1);
    code->context = context;
    code->context_id = context->id;
    code->device = context->device;
    code->text = text;
    status = fill_code(code, image, most);
    if (status) sim_code_release(code);
    else *out = code;
    return status;
}

/* Reading and compiling a text recurse as deep as it nests. */
#define MAKE_STACK ((size_t)256 << 10)

struct making {
    struct sim_context *context;
    const rill_image *image;
    struct sim_code **out;
    rill_status status;
};

static void make_here(void *data)
{
    struct making *making = data;
    making->status = make_code(making->context, making->image, making->out);
}

rill_status sim_code_make(struct sim_context *context, const rill_image *image,
                          struct sim_code **out)
{
    struct making making = { context, image, out, RILL_SUCCESS };
    return rl_with_stack(MAKE_STACK, make_here, &making) ? making.status : sim_code_no_memory();
}
