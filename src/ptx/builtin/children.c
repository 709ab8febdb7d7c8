/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of kernels by kernels, what failed of them, and the streams and events that order them.
 *
 * The host runs children when the grid that launched them is done, one after the other in the order
 * of their launches.  That is one of the orders that a GPU may choose, so a stream and an event are
 * mere names here.  Statuses are those of an H200 (driver 580).
 */
#include "ptx/builtin/children.h"

#include <stdatomic.h>
#include <string.h>

#include "ptx/builtin/builtin.h"
#include "ptx/builtin/runtime_answer.h"
#include "ptx/run/checks.h"
#include "ptx/run/fault.h"
#include "ptx/run/memory.h"
#include "ptx/run/program.h"

enum { STATUS_INVALID_VALUE = 1 };
enum { EVENT_DISABLE_TIMING = 2 };

/* An argument that is a dim3, whose column has room for 16 bytes of each lane. */
struct dims {
    uint32_t n[4];
};

static uint32_t *result_of(const struct ptx_group *group, const struct ptx_step *step)
{
    return step->d == PTX_NO_COLUMN ? NULL : PTX_COLUMN(group, step->d, uint32_t);
}

/* ---- Launches ----------------------------------------------------------------------------- */

/* Returns the name of the kernel at an address, or NULL if none is there. */
static const char *kernel_at(const struct ptx_group *group, uint64_t address)
{
    const struct ptx_module *module = group->frame->program->code->module;
    const uint32_t index = ptx_function_at(module, address);
    return index != PTX_NONE && module->functions[index].entry ? module->functions[index].name
                                                               : NULL;
}

void ptx_child_prepare(struct ptx_group *group, const struct ptx_step *step)
{
    const struct ptx_host *host = group->block->tlb->host;
    const uint64_t *kernel = PTX_ARGUMENT(group, step, 0, const uint64_t);
    const struct dims *grid = PTX_ARGUMENT(group, step, 1, const struct dims);
    const struct dims *block = PTX_ARGUMENT(group, step, 2, const struct dims);
    const uint32_t *shared = PTX_ARGUMENT(group, step, 3, const uint32_t);
    uint64_t *d = step->d == PTX_NO_COLUMN ? NULL : PTX_COLUMN(group, step->d, uint64_t);
    PTX_IN_TURN(group, i) {
        struct ptx_child child = { .kernel = kernel_at(group, kernel[i]), .shared = shared[i] };
        struct ptx_child_thread thread = ptx_runtime_thread(group, i);
        memcpy(child.grid, grid[i].n, sizeof child.grid);
        memcpy(child.block, block[i].n, sizeof child.block);
        struct ptx_child_buffer buffer = { 0, 0 };
        if (host->children) buffer = host->children->prepare(host->data, &thread, &child);
        if (buffer.at) ptx_checks_allocated(group, buffer.at, buffer.bytes);
        if (d) d[i] = buffer.at;
    }
}

void ptx_child_launch(struct ptx_group *group, const struct ptx_step *step)
{
    const struct ptx_host *host = group->block->tlb->host;
    const uint64_t *parameters = PTX_ARGUMENT(group, step, 0, const uint64_t);
    const uint64_t *stream = PTX_ARGUMENT(group, step, 1, const uint64_t);
    uint32_t *d = result_of(group, step);
    PTX_IN_TURN(group, i) {
        struct ptx_child_thread thread = ptx_runtime_thread(group, i);
        uint32_t status = host->children ? host->children->launch(host->data, &thread,
                                                                  parameters[i], stream[i])
                                         : STATUS_INVALID_VALUE;
        if (d) d[i] = status;
    }
}

static void tell_status(struct ptx_group *group, const struct ptx_step *step, bool forget)
{
    const struct ptx_host *host = group->block->tlb->host;
    uint32_t *d = result_of(group, step);
    PTX_IN_TURN(group, i) {
        struct ptx_child_thread thread = ptx_runtime_thread(group, i);
        uint32_t status = host->children ? host->children->status(host->data, &thread, forget) : 0;
        if (d) d[i] = status;
    }
}

void ptx_last_status(struct ptx_group *group, const struct ptx_step *step)
{
    tell_status(group, step, true);
}

void ptx_peek_status(struct ptx_group *group, const struct ptx_step *step)
{
    tell_status(group, step, false);
}

/* ---- Streams and events ------------------------------------------------------------------- */

/* Names begin after those of streams that have a meaning, as PTX_TAIL_LAUNCH. */
static bool put_name(struct ptx_group *group, const struct ptx_step *step, uint32_t lane)
{
    static atomic_uint_least64_t last = 4096;
    const uint64_t name = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed);
    return ptx_runtime_put(group, step, lane, name, sizeof name);
}

void ptx_create_stream(struct ptx_group *group, const struct ptx_step *step)
{
    PTX_IN_TURN(group, i) {
        if (!put_name(group, step, i)) return;
        ptx_runtime_answer(group, step, i, 0);
    }
}

/* Events of kernels have no times, which has to be said. */
void ptx_create_event(struct ptx_group *group, const struct ptx_step *step)
{
    const uint32_t *flags = PTX_ARGUMENT(group, step, 1, const uint32_t);
    PTX_IN_TURN(group, i) {
        const bool timed = flags[i] != EVENT_DISABLE_TIMING;
        if (!timed && !put_name(group, step, i)) return;
        ptx_runtime_answer(group, step, i, timed ? STATUS_INVALID_VALUE : 0);
    }
}

void ptx_use_name(struct ptx_group *group, const struct ptx_step *step)
{
    PTX_IN_TURN(group, i) ptx_runtime_answer(group, step, i, 0);
}
