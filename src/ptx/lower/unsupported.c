/* SPDX-License-Identifier: Apache-2.0
 *
 * Which kernels cannot run: those with something that the simulator does not support, and
 * those that may call a function with it, directly or through an address.
 */
#include <stdio.h>
#include <string.h>

#include "ptx/lower/state.h"
#include "site/plain.h"

/* By node of the layout: the function for which it cannot run, or PTX_NONE. */
struct verdict {
    const struct ptx_module *module;
    struct ptx_code *code;
    struct lower_layout *layout;
    struct ptx_refusal *refusal;
    uint32_t *culprit;
};

/* Gives that reason to every caller of `function` that has none yet. */
static void spread_to_callers(struct verdict *verdict, uint32_t function)
{
    struct lower_layout *layout = verdict->layout;
    uint32_t *list = layout->list, count = 0;
    verdict->culprit[function] = function;
    list[count++] = function;
    while (count) {
        uint32_t at = list[--count];
        for (uint32_t e = layout->first_user[at]; e != PTX_NONE; e = layout->calls[e].next_user) {
            uint32_t from = layout->calls[e].from;
            if (verdict->culprit[from] != PTX_NONE) continue;
            verdict->culprit[from] = function;
            list[count++] = from;
        }
    }
}

static const struct ptx_refusal *reason_of(const struct verdict *verdict,
                                           const struct ptx_kernel *kernel)
{
    return verdict->code->programs[verdict->culprit[kernel->program]].unsupported;
}

/* Writes the sentence for a kernel; returns its length. */
static int write_down(const struct verdict *verdict, const struct ptx_kernel *kernel, char *text,
                      size_t room)
{
    uint32_t culprit = verdict->culprit[kernel->program];
    const char *why = reason_of(verdict, kernel)->message;
    char name[61], called[61];
    cs_plain_name(kernel->name, name, sizeof name);
    if (culprit == kernel->program)
        return snprintf(text, room, "kernel '%s' cannot run here: %s", name, why);
    cs_plain_name(verdict->module->functions[culprit].name, called, sizeof called);
    return snprintf(text, room, "kernel '%s' cannot run here, since it may call '%s': %s", name,
                    called, why);
}

static rill_status explain_kernel(const struct verdict *verdict, struct ptx_kernel *kernel)
{
    size_t room = (size_t)write_down(verdict, kernel, NULL, 0) + 1;
    char *text = ptx_arena_get(verdict->code->arena, room);
    if (!text) return ptx_lower_refuse_memory(verdict->refusal);
    write_down(verdict, kernel, text, room);
    kernel->unsupported = text;
    return RILL_SUCCESS;
}

/* Returns true for a kernel that was replaced: it runs, whatever its text has. */
static bool is_replaced_function(const struct verdict *verdict, uint32_t index)
{
    const struct ptx_function *function = &verdict->module->functions[index];
    return function->entry && function->defined && !verdict->layout->runs[index];
}

/* Refuses the module if no kernel can run, with the reason of the first one in the text. */
static rill_status refuse_if_none_runs(const struct verdict *verdict)
{
    const struct ptx_kernel *first = NULL;
    for (uint32_t i = 0; i < verdict->module->function_count; i++)
        if (is_replaced_function(verdict, i)) return RILL_SUCCESS;
    for (uint32_t i = 0; i < verdict->code->kernel_count; i++) {
        const struct ptx_kernel *kernel = &verdict->code->kernels[i];
        if (!kernel->unsupported) return RILL_SUCCESS;
        if (!first || kernel->program < first->program) first = kernel;
    }
    if (!first) return RILL_SUCCESS;
    *verdict->refusal = *reason_of(verdict, first);
    snprintf(verdict->refusal->message, sizeof verdict->refusal->message, "%.*s",
             (int)sizeof verdict->refusal->message - 1, first->unsupported);
    return verdict->refusal->status;
}

rill_status ptx_lower_find_unsupported(struct ptx_code *code, struct lower_layout *layout,
                                       struct ptx_refusal *refusal)
{
    struct verdict verdict = { code->module, code, layout, refusal, NULL };
    rill_status status = RILL_SUCCESS;
    verdict.culprit = ptx_arena_get(layout->arena, layout->nodes * sizeof *verdict.culprit);
    if (!verdict.culprit) return ptx_lower_refuse_memory(verdict.refusal);
    memset(verdict.culprit, 0xff, layout->nodes * sizeof *verdict.culprit);
    for (uint32_t i = 0; i < code->module->function_count; i++)
        if (code->programs[i].unsupported) spread_to_callers(&verdict, i);
    for (uint32_t i = 0; i < code->kernel_count && !status; i++)
        if (verdict.culprit[code->kernels[i].program] != PTX_NONE)
            status = explain_kernel(&verdict, &code->kernels[i]);
    return status ? status : refuse_if_none_runs(&verdict);
}
