/* SPDX-License-Identifier: Apache-2.0
 *
 * The table, and those of its functions that only ask the host.
 */
#include "ptx/builtin/builtin.h"

#include <string.h>

#include "ptx/run/checks.h"
#include "ptx/run/fault.h"
#include "ptx/run/memory.h"

/* ---- malloc, free ------------------------------------------------------------------------- */

static void allocate(struct ptx_group *group, const struct ptx_step *step)
{
    const struct ptx_host *host = group->block->tlb->host;
    const uint64_t *bytes = PTX_ARGUMENT(group, step, 0, const uint64_t);
    uint64_t *d = step->d == PTX_NO_COLUMN ? NULL : PTX_COLUMN(group, step->d, uint64_t);
    PTX_IN_TURN(group, i) {
        uint64_t address = bytes[i] && host->allocate
                               ? host->allocate(host->data, bytes[i]) : 0;
        if (address) ptx_checks_allocated(group, address, bytes[i]);
        if (d) d[i] = address;
    }
}

static void release(struct ptx_group *group, const struct ptx_step *step)
{
    const struct ptx_host *host = group->block->tlb->host;
    const uint64_t *address = PTX_ARGUMENT(group, step, 0, const uint64_t);
    PTX_IN_TURN(group, i) {
        if (address[i] == 0 || (host->release && host->release(host->data, address[i])))
            continue;
        ptx_fail(group, step, i, RILL_ERROR_LAUNCH_FAILED, address[i],
                 "free() of 0x%llx, which malloc() did not return or which was freed",
                 (unsigned long long)address[i]);
        return;
    }
}

/* ---- cudaGraphSetConditional -------------------------------------------------------------- */

static void set_conditional(struct ptx_group *group, const struct ptx_step *step)
{
    const struct ptx_host *host = group->block->tlb->host;
    const uint64_t *handle = PTX_ARGUMENT(group, step, 0, const uint64_t);
    const uint32_t *value = PTX_ARGUMENT(group, step, 1, const uint32_t);
    PTX_IN_TURN(group, i)
        if (host->set_conditional) host->set_conditional(host->data, handle[i], value[i]);
}

/* ---- The table ---------------------------------------------------------------------------- */

static const struct ptx_builtin builtins[] = {
    { "vprintf", 4, 2, { 8, 8 }, ptx_vprintf },
    { "__assertfail", 0, 5, { 8, 8, 4, 8, 8 }, ptx_assertfail },
    { "malloc", 8, 1, { 8 }, allocate },
    { "free", 0, 1, { 8 }, release },
    { "cudaGraphSetConditional", 0, 2, { 8, 4 }, set_conditional },
};

const struct ptx_builtin *ptx_find_builtin(const char *name)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (strcmp(builtins[i].name, name) == 0) return &builtins[i];
    const struct ptx_builtin *function = ptx_find_libdevice_function(name);
    return function ? function : ptx_find_runtime_function(name);
}

bool ptx_builtin_fits(const struct ptx_builtin *builtin, const struct ptx_function *declared)
{
    const struct ptx_variable *variables = declared->variables;
    if (declared->param_count != builtin->param_count ||
        declared->result_count != (builtin->result_bytes != 0))
        return false;
    if (builtin->result_bytes != 0 &&
        variables[declared->results[0]].bytes != builtin->result_bytes)
        return false;
    for (uint32_t i = 0; i < builtin->param_count; i++)
        if (variables[declared->params[i]].bytes != builtin->param_bytes[i]) return false;
    return true;
}
