/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and fills that kernels submit.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend-sim/kernel/ptx_host.h"
#include "base/alloc.h"
#include "base/bytes/footprint.h"

/* Returns where the bytes are, or NULL if the kernel does not reach all of them. */
static unsigned char *reach(struct kernel_host *host, uint64_t address, uint64_t bytes, bool write)
{
    struct ptx_extent extent;
    if (!host->host.find(host->host.data, address, &extent)) return NULL;
    if (bytes > extent.end - address || (write && extent.read_only)) return NULL;
    return extent.host + (address - extent.base);
}

uint32_t sim_child_submit(void *data, const struct ptx_child_rows *rows, uint64_t stream)
{
    struct kernel_host *host = data;
    if (!rows->width || !rows->height || !rows->depth) return 0;
    if (!reach(host, rows->dst.at, 1, true) ||
        (!rows->fills && !reach(host, rows->src.at, 1, false)))
        return RILL_ERROR_INVALID_VALUE;
    struct child *child = rl_zalloc(sizeof *child);
    if (!child) return RILL_ERROR_OUT_OF_MEMORY;
    child->rows = *rows;
    rl_lock(&host->children.lock);
    sim_child_append(&host->children, child, stream);
    rl_unlock(&host->children.lock);
    return 0;
}

static void fail_row(struct kernel_fault *fault, const struct ptx_child_rows *rows, uint64_t dst,
                     uint64_t src)
{
    char message[SIM_FAULT_MAX];
    if (rows->fills)
        snprintf(message, sizeof message, "a kernel fills %" PRIu64 " bytes at 0x%" PRIx64
                 ", and does not reach all of them", rows->width, dst);
    else
        snprintf(message, sizeof message, "a kernel copies %" PRIu64 " bytes from 0x%" PRIx64
                 " to 0x%" PRIx64 ", and does not reach all of them", rows->width, src, dst);
    sim_kernel_fail(fault, RILL_ERROR_ILLEGAL_ADDRESS, message);
}

/* Copies or fills one row.  Returns false if the kernel does not reach it, which has failed. */
static bool move_row(struct kernel_host *host, const struct ptx_child_rows *rows, uint64_t dst,
                     uint64_t src, struct rl_footprint *footprint)
{
    unsigned char *to = reach(host, dst, rows->width, true);
    const unsigned char *from = rows->fills ? NULL : reach(host, src, rows->width, false);
    if (!to || (!from && !rows->fills)) {
        fail_row(host->fault, rows, dst, src);
        return false;
    }
    if (from) memmove(to, from, rows->width);
    else memset(to, rows->value, rows->width);
    if (!footprint) return true;
    if (from) rl_footprint_add(footprint, src, rows->width, RILL_TOUCH_READ);
    rl_footprint_add(footprint, dst, rows->width, RILL_TOUCH_WRITE);
    return true;
}

void sim_child_move(const struct kernel_launch *launch, const struct ptx_child_rows *rows,
                    struct kernel_fault *fault)
{
    struct kernel_host host;
    struct ptx_fault none = { .status = 0 };
    sim_kernel_host_init(&host, launch, fault, &none);
    for (uint64_t z = 0; z < rows->depth; z++)
        for (uint64_t y = 0; y < rows->height; y++) {
            const uint64_t dst = rows->dst.at + z * rows->dst.slice + y * rows->dst.pitch;
            const uint64_t src = rows->src.at + z * rows->src.slice + y * rows->src.pitch;
            if (!move_row(&host, rows, dst, src, launch->footprint)) return;
        }
}
