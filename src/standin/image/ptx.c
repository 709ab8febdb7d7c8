/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX: what src/ptx reads, as an image.  The text is kept, and compiled where it is loaded,
 * with the initial values of its variables.
 */
#include <string.h>

#include "device/model.h"
#include "ptx/link/linker.h"
#include "ptx/text/lexer.h"
#include "standin/image/parts.h"

/* ---- Kernels ---------------------------------------------------------------------------- */

/* Tells whether a function has no instruction that does anything. */
static bool is_empty(const struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        enum ptx_opcode opcode = function->instructions[i].opcode;
        if (opcode != PTX_OP_RET && opcode != PTX_OP_EXIT) return false;
    }
    return true;
}

static bool add_params(struct image *image, struct image_entry *entry,
                       const struct ptx_function *function, const struct ptx_kernel *kernel)
{
    entry->params = image_alloc(image, (function->param_count + 1) * sizeof *entry->params);
    if (!entry->params) return false;
    entry->param_count = function->param_count;
    for (uint32_t i = 0; i < function->param_count; i++) {
        const struct ptx_variable *param = &function->variables[function->params[i]];
        entry->params[i] = (struct image_param){
            .offset = ptx_kernel_param(kernel, i),
            .bytes = (uint32_t)param->bytes,
            .alignment = param->alignment ? param->alignment : 1,
        };
    }
    return true;
}

static rill_status add_kernel(struct image_reader *reader, const struct ptx_function *function,
                              const struct ptx_kernel *kernel)
{
    struct image_entry *entry = image_add_entry(reader);
    struct ptx_kernel_facts facts;
    ptx_kernel_facts(kernel, &facts);
    if (!entry) return image_no_memory(reader);
    entry->name = image_copy_text(reader->image, function->name, strlen(function->name));
    if (!entry->name || !add_params(reader->image, entry, function, kernel))
        return image_no_memory(reader);
    entry->param_bytes = facts.param_bytes;
    entry->static_shared = facts.static_shared;
    entry->empty = is_empty(function);
    if (function->max_threads[0] || function->required_threads[0])
        entry->max_threads = facts.max_threads;
    memcpy(entry->block, facts.required, sizeof entry->block);
    memcpy(entry->cluster, facts.cluster, sizeof entry->cluster);
    return RILL_SUCCESS;
}

static rill_status refuse_text(struct image_reader *reader, const struct ptx_refusal *refusal)
{
    return image_refuse(reader, refusal->status, "%s", refusal->message);
}

static rill_status add_kernels(struct image_reader *reader, const struct ptx_module *module)
{
    struct ptx_refusal refusal;
    struct ptx_code *kernels;
    rill_status status = ptx_list_kernels(module, &kernels, &refusal);
    if (status) return refuse_text(reader, &refusal);
    for (uint32_t i = 0; i < module->function_count && !status; i++) {
        const struct ptx_function *function = &module->functions[i];
        if (function->entry && function->defined)
            status = add_kernel(reader, function, ptx_code_kernel(kernels, function->name));
    }
    ptx_code_free(kernels);
    return status;
}

/* ---- Variables -------------------------------------------------------------------------- */

static rill_status add_variables(struct image_reader *reader, const struct ptx_module *module)
{
    for (uint32_t i = 0; i < module->variable_count; i++) {
        const struct ptx_variable *from = &module->variables[i];
        if (from->space != PTX_GLOBAL && from->space != PTX_CONST) continue;
        struct image_variable *variable = image_add_variable(reader);
        if (!variable) return image_no_memory(reader);
        variable->name = image_copy_text(reader->image, from->name, strlen(from->name));
        if (!variable->name) return image_no_memory(reader);
        variable->bytes = from->bytes;
        variable->alignment = from->alignment;
        variable->space = from->space == PTX_CONST ? IMAGE_CONSTANT : IMAGE_GLOBAL;
        variable->managed = from->managed;
        variable->external = from->external;
    }
    return RILL_SUCCESS;
}

/* ---- The whole -------------------------------------------------------------------------- */

rill_status image_check_ptx(const struct ptx_module *module, const struct image_target *target,
                            struct image_refusal *refusal)
{
    if (device_runs(target->architecture, module->target, module->suffix)) return RILL_SUCCESS;
    return image_refuse_for(refusal, RILL_ERROR_INVALID_PTX,
                            "the text is for sm_%u%s, which sm_%u is not", module->target,
                            module->suffix == 'a' ? "a" : " and newer", target->architecture);
}

rill_status image_check_head(const char *text, size_t bytes, struct image_refusal *refusal)
{
    struct ptx_lexer at;
    ptx_lexer_open(&at, text, bytes < UINT32_MAX ? bytes : UINT32_MAX);
    if (ptx_token_is(&at.token, ".version")) return RILL_SUCCESS;
    return image_refuse_for(refusal, RILL_ERROR_INVALID_IMAGE,
                            "this is no image: it is no cubin, no fatbin, and no PTX, which begins "
                            "with '.version'");
}

/* Fills an image from a module, unless reading that failed.  Consumes the module. */
static rill_status fill_image(struct image_reader *reader, struct ptx_module *module,
                              const struct ptx_refusal *refusal)
{
    if (refusal->status) return refuse_text(reader, refusal);
    reader->image->architecture = module->target;
    rill_status status = image_check_ptx(module, reader->target, reader->refusal);
    if (!status) status = add_kernels(reader, module);
    if (!status) status = add_variables(reader, module);
    ptx_module_free(module);
    return status;
}

rill_status image_read_ptx(struct image_reader *reader, const char *text, size_t bytes)
{
    const struct ptx_limits limits = { .version = reader->target->ptx_version };
    struct ptx_refusal refusal;
    struct ptx_module *module = NULL;
    rill_status status = image_check_head(text, bytes, reader->refusal);
    if (status) return status;
    reader->image->text = text;
    reader->image->text_bytes = bytes;
    ptx_read(text, bytes, &limits, &module, &refusal);
    return fill_image(reader, module, &refusal);
}

rill_status image_read_linked(struct image_reader *reader, const struct image_content *content)
{
    const struct ptx_limits limits = { .version = reader->target->ptx_version };
    size_t bytes = image_linked_bytes(content->text_bytes + 1);
    const char *begin = content->text - image_linked_bytes(0);
    struct ptx_refusal refusal;
    struct ptx_module *module = NULL;
    reader->image->text = image_copy_text(reader->image, begin, bytes);
    reader->image->text_bytes = bytes;
    if (!reader->image->text) return image_no_memory(reader);
    ptx_read_linked(content->text, content->text_bytes, &limits, &module, &refusal);
    return fill_image(reader, module, &refusal);
}
