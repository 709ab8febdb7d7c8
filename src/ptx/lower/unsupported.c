/* SPDX-License-Identifier: Apache-2.0
 *
 * Which kernels cannot run: those that hold something that the simulator lacks, and those
 * that may call a function that does, through an address, too.
 */
#include <stdio.h>
#include <string.h>

#include "ptx/lower/state.h"

/* By node of the layout: the function for which it cannot run, or PTX_NONE. */
struct lacks {
    const struct ptx_module *module;
    struct ptx_code *code;
    struct lower_layout *layout;
    struct ptx_refusal *refusal;
    uint32_t *culprit;
};

/* What may call `function`, and has no reason yet, has that one. */
static void spread_to_callers(struct lacks *lacks, uint32_t function)
{
    struct lower_layout *layout = lacks->layout;
    uint32_t *list = layout->list, count = 0;
    lacks->culprit[function] = function;
    list[count++] = function;
    while (count) {
        uint32_t at = list[--count];
        for (uint32_t e = layout->first_user[at]; e != PTX_NONE; e = layout->calls[e].next_user) {
            uint32_t from = layout->calls[e].from;
            if (lacks->culprit[from] != PTX_NONE) continue;
            lacks->culprit[from] = function;
            list[count++] = from;
        }
    }
}

static const struct ptx_refusal *reason_of(const struct lacks *lacks,
                                           const struct ptx_kernel *kernel)
{
    return lacks->code->programs[lacks->culprit[kernel->program]].lack;
}

/* The sentence for a kernel; returns how long it is. */
static int write_down(const struct lacks *lacks, const struct ptx_kernel *kernel, char *text,
                      size_t room)
{
    uint32_t culprit = lacks->culprit[kernel->program];
    const char *why = reason_of(lacks, kernel)->message;
    if (culprit == kernel->program)
        return snprintf(text, room, "kernel '%.60s' cannot run here: %s", kernel->name, why);
    return snprintf(text, room, "kernel '%.60s' cannot run here, since it may call '%.60s': %s",
                    kernel->name, lacks->module->functions[culprit].name, why);
}

static rill_status explain_kernel(const struct lacks *lacks, struct ptx_kernel *kernel)
{
    size_t room = (size_t)write_down(lacks, kernel, NULL, 0) + 1;
    char *text = ptx_arena_get(lacks->code->arena, room);
    if (!text) return ptx_lower_refuse_memory(lacks->refusal);
    write_down(lacks, kernel, text, room);
    kernel->lack = text;
    return RILL_SUCCESS;
}

/* A kernel that was replaced runs, whatever its text lacks. */
static bool is_replaced_function(const struct lacks *lacks, uint32_t index)
{
    const struct ptx_function *function = &lacks->module->functions[index];
    return function->entry && function->defined && !lacks->layout->runs[index];
}

/* The first kernel of the text speaks for all of them. */
static rill_status refuse_if_none_runs(const struct lacks *lacks)
{
    const struct ptx_kernel *first = NULL;
    for (uint32_t i = 0; i < lacks->module->function_count; i++)
        if (is_replaced_function(lacks, i)) return RILL_SUCCESS;
    for (uint32_t i = 0; i < lacks->code->kernel_count; i++) {
        const struct ptx_kernel *kernel = &lacks->code->kernels[i];
        if (!kernel->lack) return RILL_SUCCESS;
        if (!first || kernel->program < first->program) first = kernel;
    }
    if (!first) return RILL_SUCCESS;
    *lacks->refusal = *reason_of(lacks, first);
    snprintf(lacks->refusal->message, sizeof lacks->refusal->message, "%.*s",
             (int)sizeof lacks->refusal->message - 1, first->lack);
    return lacks->refusal->status;
}

rill_status ptx_lower_spread_lacks(struct ptx_code *code, struct lower_layout *layout,
                                   struct ptx_refusal *refusal)
{
    struct lacks lacks = { code->module, code, layout, refusal, NULL };
    rill_status status = RILL_SUCCESS;
    lacks.culprit = ptx_arena_get(layout->arena, layout->nodes * sizeof *lacks.culprit);
    if (!lacks.culprit) return ptx_lower_refuse_memory(lacks.refusal);
    memset(lacks.culprit, 0xff, layout->nodes * sizeof *lacks.culprit);
    for (uint32_t i = 0; i < code->module->function_count; i++)
        if (code->programs[i].lack) spread_to_callers(&lacks, i);
    for (uint32_t i = 0; i < code->kernel_count && !status; i++)
        if (lacks.culprit[code->kernels[i].program] != PTX_NONE)
            status = explain_kernel(&lacks, &code->kernels[i]);
    return status ? status : refuse_if_none_runs(&lacks);
}
