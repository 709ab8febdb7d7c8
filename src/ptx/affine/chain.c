/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/affine/chain.h"

#include <string.h>

#include "ptx/affine/links.h"
#include "ptx/step/form.h"

/* Shorter rows cost more than they save. */
#define ROW_LEAST 32

/* What is in `once` of a column that is owed a result; else it is the number of a read. */
#define RESULT UINT32_MAX

/* What a step that joins, and a store after it, may need: links of their own, and copies of sources
 * that have to be columns. */
#define LINKS_AT_ONCE 8

static uint32_t row_lanes(const struct ptx_group *group)
{
    return group->bundle->row_lanes;
}

/* ---- What is owed -------------------------------------------------------------------------- */

static inline void set_column(const struct ptx_group *group, uint32_t column,
                              struct ptx_rows *rows)
{
    rows->first = PTX_COLUMN(group, column, unsigned char);
    rows->pitch = (ptrdiff_t)(row_lanes(group) * sizeof(uint32_t));
    rows->stride = sizeof(uint32_t);
    rows->line = true;
}

static inline void owe(const struct ptx_group *group, uint32_t column, uint32_t what)
{
    memcpy(group->frame->once + column, &what, sizeof what);
    group->frame->known[column] = PTX_OWED | PTX_STALE;
}

/* Returns what of the chain is owed to a column: the number of a read, or RESULT. */
static inline uint32_t what_is_owed(const struct ptx_group *group, uint32_t column)
{
    uint32_t what;
    memcpy(&what, group->frame->once + column, sizeof what);
    return what;
}

static inline bool is_owed(const struct ptx_group *group, uint32_t column)
{
    return group->frame->known[column] & PTX_OWED;
}

/* Puts a copy off: of rows of numbers, or of rows with one number each. */
static void add_copy(const struct ptx_group *group, const struct ptx_rows *to,
                     const struct ptx_rows *from, uint32_t column)
{
    struct ptx_chain *chain = group->chain;
    struct ptx_chain_link *link = &chain->links[chain->count++];
    link->run = from->stride ? ptx_copy_strip : ptx_fill_strip;
    link->strips = NULL;
    link->operands = 2;
    link->flows = 0;
    link->rows[0] = *to;
    link->rows[1] = *from;
    link->column = column;
    chain->lines &= to->line && from->line;
}

/* Has what a column is owed of memory copied into it. */
static void add_read(const struct ptx_group *group, uint32_t column)
{
    struct ptx_chain_read *read = &group->chain->read[what_is_owed(group, column)];
    struct ptx_rows to;
    set_column(group, column, &to);
    add_copy(group, &to, &read->rows, column);
    owe(group, column, RESULT);
}

/* ---- Taking a chain ------------------------------------------------------------------------- */

/* Returns true if a read has not become a part of another step. */
static bool is_left(const struct ptx_group *group, uint32_t read)
{
    const uint32_t column = group->chain->read[read].column;
    return is_owed(group, column) && what_is_owed(group, column) == read;
}

static void take_chain(const struct ptx_group *group)
{
    struct ptx_chain *chain = group->chain;
    uint8_t *known = group->frame->known;
    for (uint32_t i = 0; i < chain->reads; i++)
        if (is_left(group, i)) add_read(group, chain->read[i].column);
    chain->take = NULL;
    ptx_take_links(group);
    for (uint32_t i = 0; i < chain->count; i++) {
        const uint32_t column = chain->links[i].column;
        if (column != PTX_NO_COLUMN && known[column] & PTX_OWED) known[column] = 0;
    }
}

/* ---- Putting steps off ---------------------------------------------------------------------- */

/* Makes room for one more step: begins a chain if there is none, or the one there is is full. */
static void make_room(const struct ptx_group *group)
{
    struct ptx_chain *chain = group->chain;
    if (chain->take && chain->count + chain->reads + LINKS_AT_ONCE > PTX_LINKS) take_chain(group);
    if (chain->take) return;
    chain->take = take_chain;
    chain->lines = true;
    chain->count = chain->reads = 0;
}

/* Finds the rows of an access.  Returns false if there are none that strips could be of. */
static bool find_rows(const struct ptx_group *group, const struct ptx_step *step,
                      const struct ptx_reach *reach, struct ptx_rows *rows)
{
    if (!group->whole || !group->bundle->in_rows || step->width != 1 || reach->lane_bytes)
        return false;
    if (!reach->line &&
        !(reach->even && reach->row == row_lanes(group) && reach->row >= ROW_LEAST))
        return false;
    if (reach->stride != 0 && reach->stride != (ptrdiff_t)sizeof(uint32_t)) return false;
    *rows = (struct ptx_rows){ .first = reach->corner, .pitch = reach->pitch,
                               .stride = (uint32_t)reach->stride, .line = reach->line };
    if (reach->line) rows->pitch = (ptrdiff_t)(row_lanes(group) * rows->stride);
    return true;
}

/* Returns rows with the bytes that they have a part in. */
static struct ptx_chain_read extent_of(const struct ptx_group *group, const struct ptx_rows *rows)
{
    const uint32_t width = row_lanes(group);
    const ptrdiff_t climb = (ptrdiff_t)(group->lanes / width) * rows->pitch;
    const size_t row = (size_t)width * sizeof(uint32_t);
    return (struct ptx_chain_read){ .rows = *rows, .from = rows->first + (climb < 0 ? climb : 0),
                              .to = rows->first + (climb < 0 ? 0 : climb) + row };
}

bool ptx_put_off_load(struct ptx_group *group, const struct ptx_step *step,
                      const struct ptx_reach *reach)
{
    struct ptx_chain *chain = group->chain;
    struct ptx_rows rows;
    if (!find_rows(group, step, reach, &rows)) return false;
    make_room(group);
    chain->read[chain->reads] = extent_of(group, &rows);
    chain->read[chain->reads].column = step->d;
    owe(group, step->d, chain->reads++);
    return true;
}

/* Finds the rows of a source: in memory, if that was owed and not copied, or in its column. */
static void find_source(const struct ptx_group *group, uint32_t column, struct ptx_rows *rows)
{
    uint8_t *known = group->frame->known;
    if (known[column] & PTX_OWED && what_is_owed(group, column) != RESULT) {
        *rows = group->chain->read[what_is_owed(group, column)].rows;
        known[column] = 0;
    } else {
        set_column(group, column, rows);
    }
}

/* Returns true if a column has to be spread before a step can read it. */
static bool is_sloped(const struct ptx_group *group, uint32_t column)
{
    return (group->frame->known[column] & (PTX_STALE | PTX_SAME | PTX_OWED)) == PTX_STALE;
}

/* Makes rows of a number that all lanes share. */
static void set_number(const struct ptx_group *group, struct ptx_chain_link *link, unsigned operand,
                       uint32_t column)
{
    struct ptx_rows *rows = &link->rows[operand];
    memcpy(&link->numbers[operand], group->frame->once + column, sizeof link->numbers[operand]);
    rows->first = (void *)&link->numbers[operand];
    rows->pitch = 0;
    rows->stride = 0;
    rows->line = true;
}

/* Returns true if nobody reads what a source holds after the step: that was its last reader, or
 * writes to the same column. */
static bool is_over(const struct ptx_step *step, const uint32_t *columns, unsigned source)
{
    return step->last >> source & 1 || columns[source] == step->d;
}

/* Has reads copied that the step is not the last to see, and returns which of its sources are one
 * number for a row, or for all lanes. */
static unsigned ready_sources(const struct ptx_group *group, const struct ptx_step *step,
                              const uint32_t *columns, unsigned sources)
{
    unsigned same = 0;
    for (unsigned i = 0; i < sources; i++) {
        const uint8_t known = group->frame->known[columns[i]];
        if (known & PTX_SAME) same |= 1u << i;
        if (!(known & PTX_OWED) || what_is_owed(group, columns[i]) == RESULT) continue;
        bool is_last = is_over(step, columns, i);
        for (unsigned k = 0; k < sources; k++) is_last &= k == i || columns[k] != columns[i];
        if (!is_last) add_read(group, columns[i]);
        else if (!group->chain->read[what_is_owed(group, columns[i])].rows.stride) same |= 1u << i;
    }
    return same;
}

/* If all sources are one number for a row one of them has to be a column. */
static unsigned leave_one(const struct ptx_group *group, const uint32_t *columns, unsigned same)
{
    for (unsigned i = 0;; i++) {
        if (!is_owed(group, columns[i])) continue;
        add_read(group, columns[i]);
        return same & ~(1u << i);
    }
}

/* Returns the source that is the result of the last link, and read by the step alone: it flows from
 * one to the other.  Returns `sources` if there is none. */
static unsigned find_flow(const struct ptx_group *group, const struct ptx_step *step,
                          const uint32_t *columns, unsigned sources)
{
    const struct ptx_strips *strips = (const struct ptx_strips *)(intptr_t)step->immediate;
    const struct ptx_chain *chain = group->chain;
    unsigned found = sources, times = 0;
    if (!chain->count) return sources;
    const struct ptx_chain_link *before = &chain->links[chain->count - 1];
    if (!before->strips || !before->strips->flow || before->column == PTX_NO_COLUMN) return sources;
    for (unsigned i = 0; i < sources; i++) {
        if (columns[i] != before->column || !is_owed(group, columns[i])) continue;
        if (what_is_owed(group, columns[i]) != RESULT) continue; /* it was loaded since */
        found = i;
        times++;
    }
    if (times != 1 || !strips->flow || !is_over(step, columns, found)) return sources;
    return found;
}

bool ptx_put_off(struct ptx_group *group, const struct ptx_step *step, unsigned sources)
{
    const struct ptx_strips *strips = (const struct ptx_strips *)(intptr_t)step->immediate;
    const uint32_t columns[] = { step->a, step->b, step->c };
    struct ptx_chain *chain = group->chain;
    for (unsigned i = 0; i < sources; i++)
        if (is_sloped(group, columns[i])) return false;
    make_room(group);
    unsigned same = ready_sources(group, step, columns, sources);
    if (same == (1u << sources) - 1) same = leave_one(group, columns, same);
    const unsigned flows = find_flow(group, step, columns, sources);
    struct ptx_chain_link *link = &chain->links[chain->count++];
    bool lines = chain->lines;
    for (unsigned i = 0; i < sources; i++) {
        struct ptx_rows *rows = &link->rows[i + 1];
        if (group->frame->known[columns[i]] & PTX_SAME) set_number(group, link, i + 1, columns[i]);
        else find_source(group, columns[i], rows);
        lines &= rows->line;
    }
    chain->lines = lines;
    link->run = strips->by_same[same];
    link->strips = strips;
    link->operands = sources + 1;
    link->flows = flows < sources ? flows + 1 : 0;
    if (link->flows) link[-1].column = PTX_NO_COLUMN;
    link->column = step->d;
    set_column(group, step->d, &link->rows[0]);
    owe(group, step->d, RESULT);
    return true;
}

static bool may_overlap(const struct ptx_chain_read *a, const struct ptx_chain_read *b)
{
    return a->from < b->to && b->from < a->to;
}

/* Has copied what a store would change before it is read.  The store's own number is read by it. */
static void read_before(const struct ptx_group *group, const struct ptx_step *step,
                        const struct ptx_chain_read *store)
{
    struct ptx_chain *chain = group->chain;
    for (uint32_t i = 0; i < chain->reads; i++) {
        const uint32_t column = chain->read[i].column;
        if (!is_left(group, i)) continue;
        if (column == step->b ? !(step->last & PTX_LAST_B) : may_overlap(&chain->read[i], store))
            add_read(group, column);
    }
}

/* Returns true if no lane stores what another one still has to read, when some lanes take all
 * steps before the others. */
static bool keeps_order(const struct ptx_chain *chain, const struct ptx_chain_read *store,
                        size_t row_bytes)
{
    const struct ptx_rows *to = &store->rows;
    const size_t pitch = (size_t)(to->pitch < 0 ? -to->pitch : to->pitch);
    for (uint32_t i = 0; i < chain->reads; i++) {
        const struct ptx_rows *from = &chain->read[i].rows;
        if (!may_overlap(&chain->read[i], store)) continue;
        if (from->first != to->first || from->pitch != to->pitch || from->stride != to->stride ||
            pitch < row_bytes)
            return false;
    }
    return true;
}

/* Lets the last step of the chain write to memory what is stored, if that is all that it is for. */
static bool redirect_last(const struct ptx_group *group, const struct ptx_step *step,
                          const struct ptx_rows *to)
{
    struct ptx_chain *chain = group->chain;
    if (!(step->last & PTX_LAST_B) || !chain->count || !is_owed(group, step->b)) return false;
    struct ptx_chain_link *link = &chain->links[chain->count - 1];
    if (link->column != step->b || what_is_owed(group, step->b) != RESULT) return false;
    link->rows[0] = *to;
    link->column = PTX_NO_COLUMN;
    chain->lines &= to->line;
    group->frame->known[step->b] = 0;
    return true;
}

bool ptx_put_off_store(struct ptx_group *group, const struct ptx_step *step,
                       const struct ptx_reach *reach)
{
    struct ptx_chain *chain = group->chain;
    struct ptx_rows to, from;
    if (!chain->take || !find_rows(group, step, reach, &to) || !to.stride) return false;
    if (group->frame->known[step->b] & PTX_SAME || is_sloped(group, step->b)) return false;
    const struct ptx_chain_read extent = extent_of(group, &to);
    if (!keeps_order(chain, &extent, row_lanes(group) * sizeof(uint32_t))) return false;
    read_before(group, step, &extent);
    if (!redirect_last(group, step, &to)) {
        find_source(group, step->b, &from);
        add_copy(group, &to, &from, PTX_NO_COLUMN);
    }
    take_chain(group);
    return true;
}
