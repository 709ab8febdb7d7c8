/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/log.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "layer-check/access/held.h"
#include "layer-check/access/judge.h"
#include "layer-check/access/reuse.h"

/* ---- Entries ------------------------------------------------------------------------------- */

struct ck_log_entry *ck_log_add(struct ck_log *log, struct ck_work *work, struct ck_clock *host)
{
    struct ck_log_entry *entry = rl_zalloc(sizeof *entry);
    if (!entry) return NULL;
    entry->work = ck_work_retain(work);
    entry->host = ck_clock_retain(host);
    entry->pending = 1;
    if (log->tail) log->tail->next = entry;
    else log->head = entry;
    log->tail = entry;
    log->count++;
    return entry;
}

struct ck_rows *ck_log_add_rows(struct ck_log_entry *entry, uint32_t node, uint16_t round,
                                size_t count)
{
    struct ck_rows *rows = rl_alloc(sizeof *rows + count * sizeof rows->items[0]);
    if (!rows) return NULL;
    *rows = (struct ck_rows){ .next = entry->rows, .node = node, .round = round, .count = count };
    entry->rows = rows;
    return rows;
}

/* What is done in one way is judged at once. */
static void copy_rows(struct ck_rows *to, const rill_touches *from)
{
    rill_touched *next = to->items;
    for (uint32_t how = 1; next < to->items + from->row_count; how++)
        for (size_t i = 0; i < from->row_count; i++) {
            if (from->rows[i].how != how) continue;
            *next = from->rows[i];
            next++->how |= CK_TOUCH_RAN;
        }
}

/* Tells whether a page has the map of the one before, as those of a column do. */
static bool shares_map(const rill_touches *touches, size_t page)
{
    return page && touches->pages[page].map == touches->pages[page - 1].map;
}

static void copy_map(struct ck_map *map, const uint64_t *words)
{
    memcpy(map->words, words, sizeof map->words);
    map->alike = 0;
}

/* Copies pages, with their maps behind them.  Returns NULL if memory is short. */
static struct ck_page_rows *copy_pages(const rill_touches *touches)
{
    const size_t count = touches->page_count;
    struct ck_page_rows *pages;
    size_t maps = 0;
    for (size_t i = 0; i < count; i++) maps += !shares_map(touches, i);
    pages = rl_alloc((count + 1) * sizeof *pages + maps * sizeof(struct ck_map));
    if (!pages) return NULL;
    struct ck_map *map = (struct ck_map *)(void *)(pages + count + 1);
    for (size_t i = 0; i < count; i++) {
        const rill_touched_page *page = &touches->pages[i];
        if (i && !shares_map(touches, i)) map++;
        if (!shares_map(touches, i)) copy_map(map, page->map);
        pages[i] = (struct ck_page_rows){ page->address, page->how | CK_TOUCH_RAN, map };
    }
    return pages;
}

struct ck_rows *ck_log_add_seen(struct ck_log_entry *entry, uint32_t node, uint16_t round,
                                const rill_touches *touches)
{
    struct ck_page_rows *pages = copy_pages(touches);
    struct ck_rows *rows = pages ? ck_log_add_rows(entry, node, round, touches->row_count) : NULL;
    if (!rows) {
        rl_free(pages);
        return NULL;
    }
    copy_rows(rows, touches);
    rows->pages = pages;
    rows->page_count = touches->page_count;
    return rows;
}

void ck_log_drop_rows(struct ck_log_entry *entry)
{
    while (entry->rows) {
        struct ck_rows *rows = entry->rows;
        entry->rows = rows->next;
        rl_free(rows->pages);
        rl_free(rows);
    }
}

void ck_log_drop_assumed(struct ck_log_entry *entry)
{
    for (struct ck_rows **link = &entry->rows; *link;) {
        struct ck_rows *rows = *link;
        if (!rows->count || !(rows->items[0].how & CK_TOUCH_ASSUMED)) {
            link = &rows->next;
            continue;
        }
        *link = rows->next;
        rl_free(rows->pages);
        rl_free(rows);
    }
}

static void drop_head(struct ck_log *log)
{
    struct ck_log_entry *entry = log->head;
    log->head = entry->next;
    if (!log->head) log->tail = NULL;
    log->count--;
    ck_log_drop_rows(entry);
    ck_work_release(entry->work);
    ck_clock_release(entry->host);
    rl_free(entry);
}

void ck_log_clear(struct ck_log *log)
{
    while (log->head) drop_head(log);
}

/* ---- Judging a launch ---------------------------------------------------------------------- */

/* One run of a node. */
struct node_run {
    const struct ck_inside *inside;
    uint32_t node;
    uint16_t round;
    const struct ck_rows *rows; /* what was seen of it, or NULL */
};

static int by_order(const void *a, const void *b)
{
    const struct node_run *x = a, *y = b;
    return x->inside->type->compare(x->inside, x->node, x->round, y->node, y->round);
}

static size_t count_rows(const struct ck_log_entry *entry)
{
    size_t count = 0;
    for (const struct ck_rows *rows = entry->rows; rows; rows = rows->next) count++;
    return count;
}

/* Lists what was seen of the nodes, in the order in which they are judged, and with it, if some
 * nodes are in bodies, the others. */
static struct node_run *list_runs(const struct ck_log_entry *entry, size_t *count)
{
    const struct ck_inside *inside = entry->work->inside;
    size_t seen = count_rows(entry), n = seen;
    struct node_run *runs = rl_alloc((seen + (inside->bodies ? inside->count : 0) + 1) *
                                     sizeof *runs);
    if (!runs) return NULL;
    for (const struct ck_rows *rows = entry->rows; rows; rows = rows->next)
        runs[--n] = (struct node_run){ inside, rows->node, rows->round, rows };
    *count = seen;
    for (uint32_t node = 1; inside->bodies && node <= inside->count; node++)
        if (inside->type->always(inside, node))
            runs[(*count)++] = (struct node_run){ inside, node, 0, NULL };
    qsort(runs, *count, sizeof *runs, by_order);
    return runs;
}

/* Tells whether a node that always runs was seen to run: both runs of it are side by side. */
static bool is_known_better(const struct node_run *runs, size_t count, size_t i)
{
    if (runs[i].rows) return false;
    return (i && runs[i - 1].node == runs[i].node) ||
           (i + 1 < count && runs[i + 1].node == runs[i].node);
}

/* Judges a run of a node: what its operation says, unless more is known, and what was seen. */
static bool judge_run(const struct ck_court *court, const struct ck_log_entry *entry,
                      const struct node_run *run)
{
    struct ck_work *work = entry->work;
    const struct ck_step step = { .work = work, .node = run->node, .round = run->round };
    const rill_touched *rows;
    size_t count = work->inside->type->rows(work->inside, run->node, &rows);
    const struct ck_rows *seen = run->rows;
    if (count && (!seen || seen->extra) && !ck_judge_step(court, entry, &step, rows, count))
        return false;
    return !seen || ck_judge_seen(court, entry, &step, seen);
}

/* Judges all nodes in the order of their numbers. */
static bool judge_nodes(const struct ck_court *court, const struct ck_log_entry *entry,
                        const struct node_run *seen, size_t count)
{
    struct ck_inside *inside = entry->work->inside;
    bool fits = true;
    size_t at = 0;
    for (uint32_t node = 1; fits && node <= inside->count; node++) {
        const struct node_run unseen = { inside, node, 0, NULL };
        if (at == count || seen[at].node != node) fits = judge_run(court, entry, &unseen);
        else while (fits && at < count && seen[at].node == node)
            fits = judge_run(court, entry, &seen[at++]);
    }
    return fits;
}

static bool judge_launch(const struct ck_court *court, const struct ck_log_entry *entry)
{
    size_t count;
    if (!entry->rows && !entry->work->inside->touches) return true;
    struct node_run *runs = list_runs(entry, &count);
    bool fits = runs != NULL;
    if (fits && !entry->work->inside->bodies) fits = judge_nodes(court, entry, runs, count);
    else for (size_t i = 0; fits && i < count; i++)
        if (!is_known_better(runs, count, i)) fits = judge_run(court, entry, &runs[i]);
    rl_free(runs);
    return fits;
}

/* ---- Judging ------------------------------------------------------------------------------- */

/* Tells whether it is a variable that is known: where modules do not list theirs, each call that
 * asks for one adds it. */
static bool is_known_variable(const struct ck_memory *memory, const struct ck_log_entry *entry)
{
    if (entry->kind != CK_BLOCK_VARIABLE) return false;
    const struct ck_block *block = ck_memory_find(memory, entry->base);
    return block && block->kind == CK_BLOCK_VARIABLE && !block->gone &&
           block->range.base == entry->base && block->name == entry->name;
}

static bool add_block(struct ck_memory *memory, const struct ck_log_entry *entry)
{
    if (is_known_variable(memory, entry)) return true;
    struct ck_block *block = ck_memory_add(memory, entry->base, entry->bytes, entry->kind);
    if (!block) return false;
    block->device = entry->device;
    block->mapped = entry->mapped;
    block->name = entry->name;
    block->born = entry->work->serial;
    block->made = entry->work->what.site;
    return !entry->attachment.flags || ck_attached_begin(block, entry->attachment.flags);
}

/* Removes the allocation at the base, and those behind it if more bytes are unmapped. */
static void remove_blocks(struct ck_memory *memory, const struct ck_log_entry *entry)
{
    uint64_t at = entry->base;
    struct ck_block *block;
    do {
        block = ck_memory_find(memory, at);
        if (!block || block->range.base != at) return;
        ck_memory_remove(memory, block, entry->work->what.site);
        at = rl_range_end(&block->range);
    } while (at - entry->base < entry->bytes);
}

static bool attach_block(const struct ck_court *court, const struct ck_log_entry *entry)
{
    struct ck_block *block = ck_memory_find(court->memory, entry->base);
    if (!block || !block->attached || block->gone) return true;
    return ck_attached_set(block, &entry->attachment, entry->work, court->verdicts);
}

/* Forgets what says nothing any more of works that are judged from now on. */
static void forget_tellings(const struct ck_court *court, const struct ck_log_entry *entry)
{
    if (!court->held->first) ck_tellings_forget(court->tellings, entry->host);
}

static bool judge_entry(const struct ck_court *court, const struct ck_log_entry *entry)
{
    struct ck_work *work = entry->work;
    struct ck_memory *memory = court->memory;
    const struct ck_step step = { .work = work };
    bool fits = true;
    if (work->dead) return true;
    if (entry->change == CK_CHANGE_ADD) {
        if (court->hints && entry->kind == CK_BLOCK_POOL) fits = ck_reuse_tell(court, entry);
        fits = add_block(memory, entry) && fits;
    }
    if (court->tellings->count || court->tellings->speaker_count) forget_tellings(court, entry);
    if (work->signals) ck_tellings_speak(court->tellings, memory, work);
    if (work->inside) fits = fits && judge_launch(court, entry);
    else for (const struct ck_rows *rows = entry->rows; fits && rows; rows = rows->next)
        fits = ck_judge_seen(court, entry, &step, rows);
    if (entry->change == CK_CHANGE_REMOVE) remove_blocks(memory, entry);
    if (entry->change == CK_CHANGE_ATTACH) fits = attach_block(court, entry) && fits;
    if (entry->change == CK_CHANGE_LOSE) ck_attached_lose(memory, entry->attachment.stream_id);
    if (ck_takes_turns(work)) fits = ck_busy_note(court->busy, work, entry->host) && fits;
    return fits;
}

bool ck_log_advance(struct ck_log *log, const struct ck_court *court)
{
    bool fits = true;
    while (fits && log->head && !log->head->pending &&
           court->verdicts->count < CK_VERDICTS_MANY) {
        struct ck_work *work = log->head->work;
        if (!ck_work_settle(work, *court->callers)) return false;
        if (!work->dead && ck_work_is_open(work)) break;
        fits = judge_entry(court, log->head);
        drop_head(log);
        if (court->held->first)
            ck_held_release(court->held, court->tellings,
                            log->head ? log->head->work->serial : UINT64_MAX, court->verdicts);
    }
    return fits;
}

void ck_log_settle(const struct ck_log *log, struct ck_memory *memory)
{
    for (const struct ck_log_entry *entry = log->head; entry; entry = entry->next) {
        if (entry->work->dead) continue;
        if (entry->change == CK_CHANGE_ADD) add_block(memory, entry);
        if (entry->change == CK_CHANGE_REMOVE) remove_blocks(memory, entry);
    }
}
