/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/log.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
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

void ck_log_drop_rows(struct ck_log_entry *entry)
{
    while (entry->rows) {
        struct ck_rows *rows = entry->rows;
        entry->rows = rows->next;
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

/* ---- Conflicts of one step ----------------------------------------------------------------- */

#define PAIRS_MAX 32

/* The conflicts of a step, each pair of steps once, with all bytes between the first and the
 * last.  More than fit are not told apart from those that a program with so many shows. */
struct hearing {
    const struct ck_court *court;
    const struct ck_log_entry *entry;
    const struct ck_block *block;
    struct { struct ck_conflict conflict; const struct ck_block *block; } pairs[PAIRS_MAX];
    unsigned count;
    bool ran; /* the rows that are judged have CK_TOUCH_RAN */
    const struct ck_block *unwritten; /* the first that was read before it was written */
    uint64_t unwritten_from, unwritten_to;
};

static void enter_block(void *data, struct ck_block *block)
{
    ((struct hearing *)data)->block = block;
}

static bool same_step(const struct ck_step *a, const struct ck_step *b)
{
    return a->work == b->work && a->node == b->node && a->round == b->round;
}

static bool is_of_host(const struct ck_step *step)
{
    const struct ck_what what = ck_step_what(step);
    return what.host || what.kind == RILL_OP_HOST;
}

/* Tells whether the host touches what an operation on values writes or waits for.  That is what
 * such memory is for: the program does it atomically. */
static bool is_signal(const struct ck_conflict *conflict)
{
    const struct ck_step *first = &conflict->first.step, *then = &conflict->then.step;
    return (ck_step_what(first).kind == RILL_OP_VALUES && is_of_host(then)) ||
           (ck_step_what(then).kind == RILL_OP_VALUES && is_of_host(first));
}

/* Tells whether a kernel had memory of its own where an allocation was that is freed: what its
 * malloc() returned, or variables of a module. */
static bool is_elsewhere(const struct hearing *hearing, const struct ck_conflict *conflict)
{
    return hearing->ran && (conflict->first.how & CK_TOUCH_FREE) &&
           hearing->block->kind == CK_BLOCK_DEVICE &&
           ck_step_ordered(&conflict->first.step, &conflict->then.step);
}

static void note_conflict(void *data, const struct ck_conflict *conflict)
{
    struct hearing *hearing = data;
    const struct ck_court *court = hearing->court;
    bool life = ck_conflict_is_life(conflict);
    if (!(life ? court->lives : court->races) || (!life && is_signal(conflict))) return;
    if (life && is_elsewhere(hearing, conflict)) return;
    for (unsigned i = 0; i < hearing->count; i++) {
        struct ck_conflict *known = &hearing->pairs[i].conflict;
        if (hearing->pairs[i].block != hearing->block || known->first.how != conflict->first.how ||
            !same_step(&known->first.step, &conflict->first.step))
            continue;
        if (conflict->from < known->from) known->from = conflict->from;
        if (conflict->to > known->to) known->to = conflict->to;
        return;
    }
    if (hearing->count == PAIRS_MAX) return;
    hearing->pairs[hearing->count].block = hearing->block;
    hearing->pairs[hearing->count].conflict = *conflict;
    ck_work_retain(conflict->first.step.work);
    hearing->count++;
}

static void note_unwritten(void *data, uint64_t from, uint64_t to)
{
    struct hearing *hearing = data;
    const enum ck_block_kind kind = hearing->block->kind;
    /* The host writes its own memory without a word. */
    bool device = kind == CK_BLOCK_DEVICE || kind == CK_BLOCK_POOL || kind == CK_BLOCK_GRAPH;
    if (hearing->unwritten || !device || hearing->block->gone) return;
    hearing->unwritten = hearing->block;
    hearing->unwritten_from = from;
    hearing->unwritten_to = to;
}

static bool tell_unwritten(const struct hearing *hearing, const struct ck_step *step)
{
    if (!hearing->unwritten) return true;
    struct ck_verdict *verdict = ck_verdicts_add(hearing->court->verdicts, RILL_FINDING_INIT);
    if (!verdict) return false;
    ck_verdict_set_end(verdict, 0, step, "reads");
    ck_verdict_set_memory(verdict, hearing->unwritten, hearing->unwritten_from,
                          hearing->unwritten_to);
    verdict->finding.sentence = "memory is read that nothing has written";
    return true;
}

static bool tell_hearing(struct hearing *hearing, const struct ck_step *step)
{
    bool fits = tell_unwritten(hearing, step);
    for (unsigned i = 0; i < hearing->count; i++) {
        const struct ck_conflict *conflict = &hearing->pairs[i].conflict;
        if (!ck_verdicts_conflict(hearing->court->verdicts, conflict, hearing->pairs[i].block))
            fits = false;
        ck_work_release(conflict->first.step.work);
    }
    return fits;
}

/* ---- Judging one step ---------------------------------------------------------------------- */

/* A node that was made before its memory was allocated means memory that was there before.  Memory
 * of graphs is at the same addresses again and again, in one graph as well. */
static void check_generation(struct hearing *hearing, const struct ck_step *step,
                             const rill_touched *row)
{
    const struct ck_inside *inside = step->work->inside;
    if (!step->node || !inside || !hearing->court->lives) return;
    const struct ck_block *block = ck_memory_find(hearing->court->memory, row->address);
    if (!block || block->kind == CK_BLOCK_PLAIN || block->kind == CK_BLOCK_GRAPH) return;
    bool another = block->born > inside->type->born(inside, step->node);
    if (!another && !block->gone) return;
    struct ck_verdict *verdict = ck_verdicts_add(hearing->court->verdicts, RILL_FINDING_LIFETIME);
    if (!verdict) return;
    ck_verdict_set_end(verdict, 0, step, "uses");
    ck_verdict_set_call(verdict, 1,
                        &(struct ck_what){ .host = true, .site = another ? block->made
                                                                         : block->freed,
                                           .name = another ? "the allocation that took its place"
                                                           : "the free" },
                        NULL, 0);
    ck_verdict_set_memory(verdict, block, row->address,
                          row->address + (row->bytes ? row->bytes : 1));
    snprintf(verdict->sentence, sizeof verdict->sentence,
             "%s was made for memory that was freed before this launch", verdict->what[0]);
    verdict->finding.sentence = verdict->sentence;
}

/* Tells whether a row is of pageable memory.  An operation of a stream copies such memory while
 * it is submitted, as far as the host can tell. */
static bool is_staged(const struct ck_court *court, const struct ck_step *step,
                      const rill_touched *row)
{
    if (!(row->how & CK_TOUCH_BY_HOST) || step->node) return false;
    const struct ck_block *block = ck_memory_find(court->memory, row->address);
    return !block || block->kind == CK_BLOCK_PLAIN;
}

/* Tells whether the step is known to read what it reads or updates.  A value that is written counts
 * as updated. */
static bool sees_reads(const struct ck_step *step, const rill_touched *row)
{
    if (row->how & CK_TOUCH_ASSUMED) return false;
    return !(row->how & RILL_TOUCH_ATOMIC) || ck_step_what(step).kind != RILL_OP_VALUES;
}

/* Touches rows, of which one may stand for a whole allocation. */
static bool judge_rows(struct hearing *hearing, const struct ck_step *step,
                       const rill_touched *rows, size_t count)
{
    const struct ck_court *court = hearing->court;
    const uint32_t notes = CK_TOUCH_BY_HOST | CK_TOUCH_ASSUMED | CK_TOUCH_RAN;
    if (is_staged(court, step, rows)) return true;
    if (hearing->entry->dropped && (rows->how & CK_TOUCH_ASSUMED)) return true;
    struct ck_access touch = {
        .host = hearing->entry->host, .mark = { .step = *step, .how = rows->how & ~notes },
        .found = note_conflict, .inits = court->inits,
        .unwritten = sees_reads(step, rows) ? note_unwritten : NULL, .data = hearing,
    };
    touch.mark.step.assumed = rows->how & CK_TOUCH_ASSUMED;
    hearing->ran = rows->how & CK_TOUCH_RAN;
    rill_touched whole = rows[0];
    if (!whole.bytes) {
        const struct ck_block *block = ck_memory_find(court->memory, whole.address);
        if (!block || block->gone || block->kind == CK_BLOCK_PLAIN) return true;
        whole = (rill_touched){ block->range.base, block->range.bytes, whole.how };
        rows = &whole;
    }
    return ck_memory_touch(court->memory, &touch, rows, count, enter_block);
}

/* Judges rows in runs of those that do the same. */
static bool judge_step(const struct ck_court *court, const struct ck_log_entry *entry,
                       const struct ck_step *step, const rill_touched *rows, size_t count)
{
    struct hearing hearing = { .court = court, .entry = entry };
    bool fits = true;
    if (count) check_generation(&hearing, step, &rows[0]);
    for (size_t i = 0, n; i < count && fits; i = n) {
        for (n = i + 1; rows[i].bytes && n < count && rows[n].bytes && rows[n].how == rows[i].how &&
                        rows[n].address >= rows[n - 1].address + rows[n - 1].bytes;)
            n++;
        fits = judge_rows(&hearing, step, rows + i, n - i);
    }
    return tell_hearing(&hearing, step) && fits;
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
    if (count && (!seen || seen->extra) && !judge_step(court, entry, &step, rows, count))
        return false;
    return !seen || judge_step(court, entry, &step, seen->items, seen->count);
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
    struct node_run *runs = list_runs(entry, &count);
    bool fits = runs != NULL;
    if (fits && !entry->work->inside->bodies) fits = judge_nodes(court, entry, runs, count);
    else for (size_t i = 0; fits && i < count; i++)
        if (!is_known_better(runs, count, i)) fits = judge_run(court, entry, &runs[i]);
    rl_free(runs);
    return fits;
}

/* ---- Judging ------------------------------------------------------------------------------- */

static bool add_block(struct ck_memory *memory, const struct ck_log_entry *entry)
{
    struct ck_block *block = ck_memory_add(memory, entry->base, entry->bytes, entry->kind);
    if (!block) return false;
    block->device = entry->device;
    block->born = entry->work->serial;
    block->made = entry->work->what.site;
    return true;
}

static void remove_block(struct ck_memory *memory, const struct ck_log_entry *entry)
{
    struct ck_block *block = ck_memory_find(memory, entry->base);
    if (block && block->range.base == entry->base)
        ck_memory_remove(memory, block, entry->work->what.site);
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
    if (work->inside) return fits && judge_launch(court, entry);
    for (const struct ck_rows *rows = entry->rows; fits && rows; rows = rows->next)
        fits = judge_step(court, entry, &step, rows->items, rows->count);
    if (entry->change == CK_CHANGE_REMOVE) remove_block(memory, entry);
    return fits;
}

bool ck_log_advance(struct ck_log *log, const struct ck_court *court)
{
    bool fits = true;
    while (fits && log->head && !log->head->pending &&
           (log->head->work->dead || !ck_clock_is_open(log->head->work->before))) {
        fits = judge_entry(court, log->head);
        drop_head(log);
    }
    return fits;
}

void ck_log_settle(const struct ck_log *log, struct ck_memory *memory)
{
    for (const struct ck_log_entry *entry = log->head; entry; entry = entry->next) {
        if (entry->work->dead) continue;
        if (entry->change == CK_CHANGE_ADD) add_block(memory, entry);
        if (entry->change == CK_CHANGE_REMOVE) remove_block(memory, entry);
    }
}
