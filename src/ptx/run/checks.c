/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/checks.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "ptx/run/cut.h"
#include "ptx/run/fault.h"
#include "ptx/run/grid.h"
#include "ptx/run/lane_group.h"

/* What may be known of a launch takes no more memory than this, and of a block that is checked
 * alone. */
#define MOST_OF_LAUNCH ((size_t)1 << 30)
#define MOST_OF_BLOCK ((size_t)32 << 20)

#define RACES (PTX_CHECK_RACES | PTX_CHECK_GLOBAL)

static uint32_t threads_of(const struct ptx_launch *launch)
{
    return launch->block[0] * launch->block[1] * launch->block[2];
}

static uint64_t blocks_of(const struct ptx_launch *launch)
{
    return (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

/* ---- Launches ------------------------------------------------------------------------------- */

bool ptx_checks_need_one(const struct ptx_launch *launch)
{
    return launch->checks && (launch->findings || launch->checks & PTX_CHECK_GLOBAL ||
                              ptx_cluster_size(launch) > 1);
}

static struct ptx_order order_of(const struct ptx_launch *launch, size_t most)
{
    struct ptx_order order = { .threads = threads_of(launch), .blocks = blocks_of(launch),
                               .allowance = { .left = most } };
    for (unsigned k = 0; k < 3; k++) {
        order.grid[k] = launch->grid[k];
        order.cluster[k] = launch->cluster[k] ? launch->cluster[k] : 1;
    }
    return order;
}

struct ptx_grid_checks *ptx_grid_checks_make(const struct ptx_launch *launch)
{
    const bool counted = blocks_of(launch) <= UINT32_MAX / threads_of(launch);
    struct ptx_grid_checks *checks = counted ? rl_zalloc(sizeof *checks) : NULL;
    if (checks) checks->order = order_of(launch, MOST_OF_LAUNCH);
    else if (launch->findings) launch->findings->partial = true;
    return checks;
}

void ptx_grid_checks_free(struct ptx_grid_checks *checks, const struct ptx_launch *launch)
{
    if (!checks) return;
    if (checks->order.over || checks->order.allowance.spent)
        if (launch->findings) launch->findings->partial = true;
    ptx_pages_clear(&checks->global.pages, &checks->order.allowance);
    ptx_order_fini(&checks->order);
    rl_free(checks);
}

/* ---- Blocks --------------------------------------------------------------------------------- */

static void forget_block(struct ptx_checks *checks)
{
    struct ptx_allowance *allowance = &checks->order->allowance;
    ptx_pages_clear(&checks->shared.pages, allowance);
    ptx_pages_clear(&checks->shared_written.pages, allowance);
    ptx_pages_clear(&checks->local_written.pages, allowance);
    ptx_order_end(&checks->turns);
    ptx_order_fini(&checks->own);
}

void ptx_checks_end(struct ptx_block *block)
{
    if (!block->checks) return;
    forget_block(block->checks);
    rl_free(block->checks);
    block->checks = NULL;
}

static void begin_order(struct ptx_checks *checks, const struct ptx_block *block)
{
    struct ptx_grid_checks *common = block->grid->checks;
    if (common) {
        checks->order = &common->order;
        if (checks->wanted & PTX_CHECK_GLOBAL) checks->global = &common->global;
        return;
    }
    checks->own = order_of(block->launch, MOST_OF_BLOCK);
    checks->own.blocks = 1;
    checks->order = &checks->own;
}

void ptx_checks_begin(struct ptx_block *block)
{
    const struct ptx_launch *launch = block->launch;
    ptx_checks_end(block);
    if (!launch->checks || (ptx_checks_need_one(launch) && !block->grid->checks)) return;
    struct ptx_checks *checks = rl_zalloc(sizeof *checks);
    if (checks) {
        checks->wanted = launch->checks;
        begin_order(checks, block);
        block->checks = checks;
        if (ptx_order_begin(&checks->turns, checks->order,
                            checks->order == &checks->own ? 0 : block->number))
            return;
    }
    ptx_checks_end(block);
    if (launch->findings) launch->findings->partial = true;
}

/* ---- What puts threads in order ------------------------------------------------------------- */

void ptx_checks_fence(const struct ptx_group *group, enum ptx_reach reach)
{
    struct ptx_checks *checks = group->block->checks;
    PTX_IN_TURN(group, i) ptx_order_fence(&checks->turns, ptx_thread_of(group, i), reach);
}

void ptx_checks_meet(const struct ptx_group *group, uint32_t warp, uint32_t lanes)
{
    const bool all = !(ptx_warp_bits(&group->bundle->alive, warp) & ~lanes);
    ptx_order_meet_warp(&group->block->checks->turns, group->bundle->first / PTX_WARP + warp,
                        lanes, all);
}

void ptx_checks_arrive(const struct ptx_group *group, uint32_t barrier, bool waits)
{
    for (uint32_t w = 0; w < group->lanes / PTX_WARP; w++)
        if (ptx_warp_bits(&group->mask, w))
            ptx_order_arrive(&group->block->checks->turns, barrier,
                             group->bundle->first / PTX_WARP + w, waits);
}

void ptx_checks_complete(struct ptx_block *block, uint32_t barrier)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < block->bundle_count; i++)
        for (uint32_t w = 0; w < block->bundles[i].lanes / PTX_WARP; w++)
            if (ptx_warp_bits(&block->bundles[i].alive, w))
                left |= 1u << (block->bundles[i].first / PTX_WARP + w);
    ptx_order_complete(&block->checks->turns, barrier, left);
}

void ptx_checks_meet_all(struct ptx_block *block)
{
    ptx_order_meet_all(&block->checks->turns);
}

void ptx_checks_meet_cluster(struct ptx_block *block)
{
    ptx_order_meet_cluster(&block->checks->turns);
}

/* ---- What is wrong -------------------------------------------------------------------------- */

static void index_of(const struct ptx_block *block, uint64_t number, uint32_t index[3])
{
    const uint32_t *grid = block->launch->grid;
    index[0] = (uint32_t)(number % grid[0]);
    index[1] = (uint32_t)(number / grid[0] % grid[1]);
    index[2] = (uint32_t)(number / grid[0] / grid[1]);
}

void ptx_checks_name(const struct ptx_block *block, uint64_t thread, char words[PTX_THREAD_WORDS])
{
    const struct ptx_checks *checks = block->checks;
    const uint32_t *size = block->launch->block, threads = checks->order->threads;
    const bool own = checks->order == &checks->own;
    const uint32_t t = (uint32_t)(thread % threads);
    const uint64_t number = own ? block->number : thread / threads;
    uint32_t at[3];
    index_of(block, number, at);
    int used = snprintf(words, PTX_THREAD_WORDS, "thread (%u,%u,%u)", t % size[0],
                        t / size[0] % size[1], t / size[0] / size[1]);
    if (number != block->number)
        snprintf(words + used, PTX_THREAD_WORDS - (size_t)used, " of block (%u,%u,%u)", at[0],
                 at[1], at[2]);
}

void ptx_checks_place(const struct ptx_block *block, uint32_t line, char words[PTX_PLACE_WORDS])
{
    ptx_describe_line(block->kernel->code->module, line, words);
}

static void list_finding(const struct ptx_trouble *trouble, const char *sentence)
{
    const struct ptx_block *block = trouble->group->block;
    struct ptx_findings *findings = block->launch->findings;
    const uint32_t line = trouble->step->line;
    char place[PTX_PLACE_WORDS];
    uint32_t at[3];
    if (ptx_findings_count(findings, trouble->wrong, line, trouble->does)) return;
    ptx_checks_place(block, line, place);
    struct ptx_finding *finding =
        ptx_findings_add(findings, trouble->wrong, line, trouble->does, place);
    if (!finding || *finding->sentence) return;
    finding->other = trouble->other;
    finding->address = trouble->address;
    finding->bytes = trouble->bytes;
    ptx_thread_place(trouble->group, trouble->lane, at);
    snprintf(finding->sentence, sizeof finding->sentence,
             "%s, thread (%u,%u,%u) of block (%u,%u,%u): %s", place, at[0], at[1], at[2],
             block->index[0], block->index[1], block->index[2], sentence);
}

void ptx_checks_tell(const struct ptx_trouble *trouble, const char *format, ...)
{
    char sentence[PTX_TROUBLE_WORDS], where[40] = "";
    va_list values;
    va_start(values, format);
    vsnprintf(sentence, sizeof sentence, format, values);
    va_end(values);
    if (trouble->group->block->launch->findings) {
        list_finding(trouble, sentence);
        return;
    }
    if (trouble->address)
        snprintf(where, sizeof where, " (address 0x%" PRIx64 ")", trouble->address);
    ptx_fail(trouble->group, trouble->step, trouble->lane, RILL_ERROR_LAUNCH_FAILED,
             trouble->address, "%s%s", sentence, where);
}
