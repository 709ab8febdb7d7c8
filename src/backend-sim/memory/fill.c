/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills, which are checked against the address map when they are submitted and run
 * later on any thread.
 */
#include <inttypes.h>
#include <string.h>

#include "backend-sim/machine/machine.h"
#include "backend-sim/memory/address_map.h"
#include "backend-sim/memory/graph_heap.h"
#include "backend-sim/memory/memory.h"
#include "backend-sim/memory/views.h"
#include "base/unseen.h"

/* ---- Checking ----------------------------------------------------------------------- */

/* Computes the span of all rows: the bytes from the first to the last. */
static rill_status check_shape(const rill_fill *fill, size_t *span)
{
    size_t element = fill->element_bytes, row;
    if (element != 1 && element != 2 && element != 4)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "element_bytes",
                                 "%zu is not 1, 2 or 4", element);
    if (fill->dst % element)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "dst",
                                 "0x%" PRIx64 " is not a multiple of %zu", fill->dst, element);
    bool fits = !__builtin_mul_overflow(fill->width, element, &row);
    /* The pitch of a single row does not matter. */
    if (fits && fill->height > 1 && (fill->pitch < row || fill->pitch % element))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "pitch",
                                 "%zu bytes from row to row are %s %zu", fill->pitch,
                                 fill->pitch < row ? "less than a row of" : "not a multiple of",
                                 fill->pitch < row ? row : element);
    if (!fits || __builtin_mul_overflow(fill->height - 1, fill->pitch, span) ||
        __builtin_add_overflow(*span, row, span))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "dst",
                                 "%zu rows of %zu elements end beyond the last address",
                                 fill->height, fill->width);
    return RILL_SUCCESS;
}

static rill_status check_memory(struct sim_context *context, const rill_fill *fill, size_t span,
                                const struct address_info *info)
{
    char words[SIM_DESCRIPTION_MAX];
    if (!info->known)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "dst",
                                 "0x%" PRIx64 " is not in an allocation: it is %s", fill->dst,
                                 sim_describe_address(info, fill->dst, words));
    uint64_t room = info->bytes - (fill->dst - info->base);
    if (span > room)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "dst",
                                 "%zu bytes at 0x%" PRIx64 " go %" PRIu64 " beyond the end of the "
                                 "allocation of %" PRIu64 " bytes at 0x%" PRIx64,
                                 span, fill->dst, span - room, info->bytes, info->base);
    if (!context || sim_address_reached(context, info)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "dst",
                             "0x%" PRIx64 " is %s of device %d, to which device %d has no access",
                             fill->dst, sim_describe_allocation(info->kind), info->device,
                             context->device->ordinal);
}

static rill_status prepare_fill(struct sim_platform *platform, struct sim_context *context,
                                const rill_fill *fill, bool of_node, struct sim_fill *out)
{
    *out = (struct sim_fill){ .width = 0 };
    if (!fill->width || !fill->height) return RILL_SUCCESS;
    size_t span = 0;
    struct address_info info;
    rill_status status = check_shape(fill, &span);
    if (status) return status;
    if (!of_node || !sim_graph_memory_lookup(platform, fill->dst, &info))
        sim_map_lookup(platform->map, fill->dst, &info);
    status = check_memory(context, fill, span, &info);
    if (!status) status = sim_address_check_given(context, &info, fill->dst, "dst");
    if (!status && !of_node) status = sim_address_check_writable(&info, fill->dst, "dst");
    if (status) return status;
    *out = (struct sim_fill){
        .dst = fill->dst,
        .pitch = fill->pitch,
        .width = fill->width,
        .height = fill->height,
        .value = fill->value,
        .element_bytes = fill->element_bytes,
        .touches_host = sim_address_is_host(&info) || sim_address_is_managed(&info) ||
                        info.sync_memops,
    };
    return RILL_SUCCESS;
}

rill_status sim_fill_prepare(struct sim_context *context, const rill_fill *fill,
                             struct sim_fill *out)
{
    return prepare_fill(context->platform, context, fill, false, out);
}

rill_status sim_fill_prepare_node(struct sim_platform *platform, struct sim_context *context,
                                  const rill_fill *fill, struct sim_fill *out)
{
    return prepare_fill(platform, context, fill, true, out);
}

void sim_fill_see(const struct sim_platform *platform, struct sim_fill *fill)
{
    fill->dst = sim_view_of(platform, fill->dst);
}

/* ---- One row ------------------------------------------------------------------------- */

bool sim_fill_row_prepare(struct sim_context *context, rill_devptr dst, uint32_t value,
                          uint32_t element_bytes, size_t count, struct sim_fill *out)
{
    struct address_info info;
    size_t bytes;
    bool element = element_bytes == 1 || element_bytes == 2 || element_bytes == 4;
    if (!count || !element || dst % element_bytes) return false;
    if (__builtin_mul_overflow(count, (size_t)element_bytes, &bytes)) return false;
    sim_map_lookup(context->platform->map, dst, &info);
    if (!info.known || bytes > info.bytes - (dst - info.base)) return false;
    if (!sim_address_is_direct(context, &info) || sim_address_is_for_reading(&info) ||
        sim_address_is_only_read(context, &info))
        return false;
    *out = (struct sim_fill){ .dst = dst, .width = count, .height = 1, .value = value,
                              .element_bytes = element_bytes };
    return true;
}

/* ---- Running ------------------------------------------------------------------------ */

static void fill_row(void *row, const struct sim_fill *fill)
{
    size_t count = fill->width;
    uint32_t value = fill->value;
    if (fill->element_bytes == 1) {
        memset(row, (int)(value & 0xff), count);
    } else if (fill->element_bytes == 2) {
        uint16_t *element = row;
        for (size_t i = 0; i < count; i++) element[i] = (uint16_t)value;
    } else {
        uint32_t *element = row;
        for (size_t i = 0; i < count; i++) element[i] = value;
    }
}

void sim_fill_run(const struct sim_fill *fill)
{
    RL_BEFORE_UNSEEN();
    for (size_t y = 0; y < fill->height; y++)
        fill_row((void *)(uintptr_t)(fill->dst + y * fill->pitch), fill);
}
