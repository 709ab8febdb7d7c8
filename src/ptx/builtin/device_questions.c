/* SPDX-License-Identifier: Apache-2.0
 *
 * What kernels ask the device runtime: the names and texts of statuses, which device they run on,
 * and what that has.
 */
#include "base/words/runtime_status.h"
#include "ptx/builtin/builtin.h"
#include "ptx/builtin/children.h"
#include "ptx/builtin/runtime_answer.h"
#include "ptx/run/fault.h"
#include "ptx/run/memory.h"

enum { STATUS_INVALID_VALUE = 1, STATUS_NOT_SUPPORTED = 801 };

/* ---- Statuses ----------------------------------------------------------------------------- */

/* Answers with the address of a text of the library's, which kernels may read (memory.c). */
static void answer_text(struct ptx_group *group, const struct ptx_step *step,
                        const char *(*text)(int status))
{
    const uint32_t *status = PTX_ARGUMENT(group, step, 0, const uint32_t);
    if (step->d == PTX_NO_COLUMN) return;
    uint64_t *d = PTX_COLUMN(group, step->d, uint64_t);
    PTX_IN_TURN(group, i) d[i] = (uintptr_t)text((int)status[i]);
}

void ptx_status_name(struct ptx_group *group, const struct ptx_step *step)
{
    answer_text(group, step, rl_runtime_status_name);
}

void ptx_status_words(struct ptx_group *group, const struct ptx_step *step)
{
    answer_text(group, step, rl_runtime_status_words);
}

/* ---- Devices ------------------------------------------------------------------------------ */

/* Puts a number where the lanes want it. */
static void answer_number(struct ptx_group *group, const struct ptx_step *step, uint32_t number)
{
    const uint64_t *at = PTX_ARGUMENT(group, step, 0, const uint64_t);
    PTX_IN_TURN(group, i) {
        if (at[i] && !ptx_runtime_put(group, step, i, number, sizeof number)) return;
        ptx_runtime_answer(group, step, i, at[i] ? 0 : STATUS_INVALID_VALUE);
    }
}

void ptx_device_number(struct ptx_group *group, const struct ptx_step *step)
{
    const struct ptx_host *host = group->block->tlb->host;
    answer_number(group, step, host->children ? host->children->device(host->data) : 0);
}

void ptx_device_count(struct ptx_group *group, const struct ptx_step *step)
{
    const struct ptx_host *host = group->block->tlb->host;
    answer_number(group, step, host->children ? host->children->device_count(host->data) : 1);
}

/* That is what the library of CUDA 13.0 says of itself. */
void ptx_runtime_version(struct ptx_group *group, const struct ptx_step *step)
{
    answer_number(group, step, 6000);
}

void ptx_device_attribute(struct ptx_group *group, const struct ptx_step *step)
{
    const struct ptx_host *host = group->block->tlb->host;
    const uint64_t *at = PTX_ARGUMENT(group, step, 0, const uint64_t);
    const uint32_t *attribute = PTX_ARGUMENT(group, step, 1, const uint32_t);
    const uint32_t *device = PTX_ARGUMENT(group, step, 2, const uint32_t);
    PTX_IN_TURN(group, i) {
        int value = 0;
        uint32_t status = STATUS_NOT_SUPPORTED;
        if (!at[i])
            status = STATUS_INVALID_VALUE;
        else if (host->children)
            status = host->children->attribute(host->data, (int)device[i], (int)attribute[i],
                                               &value);
        if (!status && !ptx_runtime_put(group, step, i, (uint32_t)value, sizeof value)) return;
        ptx_runtime_answer(group, step, i, status);
    }
}
