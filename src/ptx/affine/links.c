/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/affine/links.h"

#include "ptx/affine/rows.h"
#include "ptx/run/memory.h"
#include "ptx/step/form.h"

/* Lanes that take all links before the next ones do, unless what goes from link to link is in
 * registers: a few KB of columns. */
#define STRIP_LANES 512

/* ---- Copies -------------------------------------------------------------------------------- */

RL_UNSEEN static void copy_row(unsigned char *to, const unsigned char *from, uint32_t count)
{
    const size_t bytes = count * sizeof(uint32_t);
    for (size_t done = ptx_copy_pieces(to, from, bytes); done < bytes; done += sizeof(uint32_t))
        *(ptx_mem32 *)(void *)(to + done) = *(const ptx_mem32 *)(const void *)(from + done);
}

void ptx_copy_strip(const struct ptx_strip *strip)
{
    unsigned char *to = strip->first[0], *from = strip->first[1];
    if (strip->width * sizeof(uint32_t) == PTX_ROW_BYTES) {
        ptx_copy_rows(to, strip->pitch[0], from, strip->pitch[1], strip->rows);
        return;
    }
    for (uint32_t row = 0; row < strip->rows; row++, to += strip->pitch[0], from += strip->pitch[1])
        copy_row(to, from, strip->width);
}

RL_UNSEEN static void fill_row(unsigned char *to, const unsigned char *from, uint32_t count)
{
    const uint32_t number = *(const ptx_mem32 *)(const void *)from;
    union { uint32_t numbers[4]; ptx_piece piece; } all = { { number, number, number, number } };
    const size_t bytes = count * sizeof number;
    for (size_t done = ptx_fill_pieces(to, all.piece, bytes); done < bytes; done += sizeof number)
        *(ptx_mem32 *)(void *)(to + done) = number;
}

void ptx_fill_strip(const struct ptx_strip *strip)
{
    unsigned char *to = strip->first[0], *from = strip->first[1];
    for (uint32_t row = 0; row < strip->rows; row++, to += strip->pitch[0], from += strip->pitch[1])
        fill_row(to, from, strip->width);
}

/* ---- Flows --------------------------------------------------------------------------------- */

/* Returns how many links from this one on are one flow; 1 if the next one does not go on with its
 * result. */
static uint32_t flow_length(const struct ptx_chain_link *link, const struct ptx_chain_link *end)
{
    uint32_t length = 1;
    while (link + length < end && link[length].flows) length++;
    return length;
}

/* A place in a chain's rows: so many lanes and rows, from a lane of a row on. */
struct place {
    uint32_t row, x, width, rows;
};

static unsigned char *locate(const struct ptx_rows *rows, const struct place *place)
{
    return rows->first + (ptrdiff_t)place->row * rows->pitch + (size_t)place->x * rows->stride;
}

static bool are_apart(const struct ptx_flow *flow, const unsigned char *first, ptrdiff_t pitch)
{
    const ptrdiff_t to = flow->pitch * (ptrdiff_t)flow->rows, from = pitch * (ptrdiff_t)flow->rows;
    const size_t row = flow->width * sizeof(uint32_t);
    return first + (from < 0 ? 0 : from) + row <= flow->first + (to < 0 ? to : 0) ||
           flow->first + (to < 0 ? 0 : to) + row <= first + (from < 0 ? from : 0);
}

/* Adds a source.  Returns true if it is one number for a row. */
static bool add_source(struct ptx_flow *flow, const struct ptx_rows *rows,
                       const struct place *place)
{
    struct ptx_flow_source *source = &flow->sources[flow->source_count++];
    source->first = locate(rows, place);
    source->pitch = rows->pitch;
    source->one = !rows->stride;
    flow->apart &= source->one || are_apart(flow, source->first, rows->pitch);
    return source->one;
}

/* Adds a link to a flow: what comes with it is no source of it. */
static void add_step(struct ptx_flow *flow, const struct ptx_chain_link *link, unsigned flows,
                     const struct place *place)
{
    unsigned way = link->strips->ways[flows - 1], one = PTX_FLOW_ONE_P;
    for (unsigned i = 1; i < link->operands; i++) {
        if (i == flows) continue;
        if (add_source(flow, &link->rows[i], place)) way |= one;
        one = PTX_FLOW_ONE_Q;
    }
    flow->ways[flow->count++] = (uint8_t)way;
}

static void take_flow(const struct ptx_chain_link *link, uint32_t length, const struct place *place)
{
    const struct ptx_rows *to = &link[length - 1].rows[0];
    struct ptx_flow flow;
    flow.first = locate(to, place);
    flow.pitch = to->pitch;
    flow.width = place->width;
    flow.rows = place->rows;
    flow.apart = true;
    flow.count = 1;
    flow.source_count = 0;
    flow.ways[0] = add_source(&flow, &link->rows[1], place) ? PTX_FLOW_BEGIN | PTX_FLOW_ONE_P
                                                            : PTX_FLOW_BEGIN;
    add_step(&flow, link, 1, place);
    for (uint32_t i = 1; i < length; i++) add_step(&flow, &link[i], link[i].flows, place);
    link->strips->flow(&flow);
}

/* ---- Taking links -------------------------------------------------------------------------- */

static void take_link(const struct ptx_chain_link *link, const struct place *place)
{
    struct ptx_strip strip = { .width = place->width, .rows = place->rows };
    for (unsigned i = 0; i < link->operands; i++) {
        strip.first[i] = locate(&link->rows[i], place);
        strip.pitch[i] = link->rows[i].pitch;
    }
    link->run(&strip);
}

static void take_strip(const struct ptx_chain *chain, const struct place *place)
{
    uint32_t length;
    for (const struct ptx_chain_link *link = chain->links, *end = link + chain->count; link < end;
         link += length) {
        length = flow_length(link, end);
        if (length > 1) take_flow(link, length, place);
        else take_link(link, place);
    }
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* How a chain is taken: in rows of so many lanes, so many lanes at a time. */
struct manner {
    const struct ptx_chain *chain;
    uint32_t row_lanes, most;
};

/* Takes all links for rows of so many lanes, one below the other, from a lane on. */
static void take_rows(const struct manner *manner, uint32_t lane, uint32_t width, uint32_t rows)
{
    const uint32_t rows_most = width < manner->most ? manner->most / width : 1;
    struct place place = { .row = lane / manner->row_lanes };
    for (uint32_t left = rows; left; left -= place.rows, place.row += place.rows) {
        const uint32_t first = lane % manner->row_lanes, end = first + width;
        place.rows = least(left, rows_most);
        for (place.x = first; place.x < end; place.x += place.width) {
            place.width = least(end - place.x, manner->most);
            take_strip(manner->chain, &place);
        }
    }
}

/* Takes all links for a range: the end of a row, whole rows, the beginning of one. */
static void take_range(const struct manner *manner, const struct ptx_range *range)
{
    const uint32_t all = manner->row_lanes;
    for (uint32_t at = range->from; at < range->to;) {
        const uint32_t left = range->to - at, width = least(all - at % all, left);
        const uint32_t rows = width == all ? left / all : 1;
        take_rows(manner, at, width, rows);
        at += rows * width;
    }
}

/* Returns how many ranges are one box, parts of rows below each other. */
static uint32_t count_box(const struct ptx_range *range, const struct ptx_range *end,
                          uint32_t row_lanes)
{
    const uint32_t width = range->to - range->from;
    uint32_t count = 1;
    if (range->from % row_lanes + width > row_lanes) return 1;
    while (range + count < end && range[count].from == range->from + count * row_lanes &&
           range[count].to == range->to + count * row_lanes)
        count++;
    return count;
}

void ptx_take_links(const struct ptx_group *group)
{
    const struct ptx_chain *chain = group->chain;
    const bool flows = flow_length(chain->links, chain->links + chain->count) == chain->count;
    const struct manner manner = {
        .chain = chain, .most = flows ? UINT32_MAX : STRIP_LANES,
        .row_lanes = chain->lines && group->own_count == 1 ? group->lanes
                                                            : group->bundle->row_lanes,
    };
    uint32_t count;
    for (const struct ptx_range *range = group->own, *end = range + group->own_count; range < end;
         range += count) {
        count = count_box(range, end, manner.row_lanes);
        if (count > 1) take_rows(&manner, range->from, range->to - range->from, count);
        else take_range(&manner, range);
    }
}
