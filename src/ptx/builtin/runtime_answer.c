/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/builtin/runtime_answer.h"

#include "ptx/builtin/builtin.h"
#include "ptx/run/fault.h"
#include "ptx/run/memory.h"

struct ptx_child_thread ptx_runtime_thread(const struct ptx_group *group, uint32_t lane)
{
    struct ptx_child_thread thread;
    ptx_block_place_of(group, lane, thread.block);
    ptx_thread_place(group, lane, thread.thread);
    return thread;
}

bool ptx_runtime_put(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                     uint64_t number, uint32_t bytes)
{
    struct ptx_access access = {
        .group = group, .step = step, .bytes = bytes, .misaligned = bytes - 1,
        .offset = PTX_ARGUMENT(group, step, 0, const uint64_t)[lane], .where = PTX_TO_ANY,
        .write = true, .verb = "result of the device runtime",
    };
    unsigned char *at = ptx_access_place(&access, lane);
    if (!at) return false;
    if (bytes == sizeof(ptx_mem64)) *(ptx_mem64 *)(void *)at = number;
    else *(ptx_mem32 *)(void *)at = (uint32_t)number;
    return true;
}

void ptx_runtime_answer(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                        uint32_t status)
{
    const struct ptx_host *host = group->block->tlb->host;
    if (step->d != PTX_NO_COLUMN) PTX_COLUMN(group, step->d, uint32_t)[lane] = status;
    if (!status || !host->children) return;
    const struct ptx_child_thread thread = ptx_runtime_thread(group, lane);
    host->children->note(host->data, &thread, status);
}
