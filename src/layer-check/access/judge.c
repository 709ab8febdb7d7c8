/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/judge.h"

#include <stdio.h>

#include "layer-check/access/account.h"
#include "layer-check/access/held.h"
#include "layer-check/access/talk.h"

/* ---- Conflicts of one step ----------------------------------------------------------------- */

#define PAIRS_MAX 32

/* The conflicts of a step, each pair of steps once, with all bytes between the first and the
 * last.  More than fit are not told apart from those that a program with so many shows. */
struct hearing {
    const struct ck_court *court;
    const struct ck_log_entry *entry;
    const struct ck_step *step;
    const rill_touched *rows;     /* of the step */
    size_t row_count;
    const struct ck_block *block; /* that is touched */
    struct { struct ck_conflict conflict; const struct ck_block *block; } pairs[PAIRS_MAX];
    unsigned count;
    bool ran; /* the rows that are judged have CK_TOUCH_RAN */
    bool uses; /* they are accesses, and no borders of a life */
    const struct ck_block *misused; /* managed memory, the first that the step must not touch */
    struct ck_misuse misuse;
    const struct ck_block *unwritten; /* the first that was read before it was written */
    uint64_t unwritten_from, unwritten_to;
};

/* The pairs stay as they are: there are kilobytes of them, and most steps have none. */
static void begin_hearing(struct hearing *hearing, const struct ck_court *court,
                          const struct ck_log_entry *entry, const struct ck_step *step)
{
    hearing->court = court;
    hearing->entry = entry;
    hearing->step = step;
    hearing->rows = NULL;
    hearing->row_count = 0;
    hearing->block = hearing->unwritten = hearing->misused = NULL;
    hearing->count = 0;
    hearing->ran = false;
    hearing->unwritten_from = hearing->unwritten_to = 0;
}

static void enter_block(void *data, struct ck_block *block)
{
    struct hearing *hearing = data;
    hearing->block = block;
    if (!block->attached || !hearing->uses || hearing->misused) return;
    hearing->misuse = ck_attached_look(block, hearing->court->busy, hearing->step);
    if (hearing->misuse.kind) hearing->misused = block;
}

static bool same_step(const struct ck_step *a, const struct ck_step *b)
{
    return a->work == b->work && a->node == b->node && a->round == b->round;
}

/* Tells whether a kernel had memory of its own where an allocation was that is freed: what its
 * malloc() returned, or variables of a module. */
static bool is_elsewhere(const struct hearing *hearing, const struct ck_conflict *conflict)
{
    return hearing->ran && (conflict->first.how & CK_TOUCH_FREE) &&
           hearing->block->kind == CK_BLOCK_DEVICE &&
           ck_step_ordered(&conflict->first.step, &conflict->then.step);
}

/* Tells whether a host function was only assumed to touch something.  Who frees that may know by
 * means of the program's own that the function has run. */
static bool is_guess(const struct ck_step *step)
{
    return step->assumed && ck_step_what(step).kind == RILL_OP_HOST;
}

static void note_conflict(void *data, const struct ck_conflict *conflict)
{
    struct hearing *hearing = data;
    const struct ck_court *court = hearing->court;
    bool life = ck_conflict_is_life(conflict);
    if (!(life ? court->lives : court->races)) return;
    if (!life && ck_is_talk(court->memory, conflict)) return;
    if (life && is_elsewhere(hearing, conflict)) return;
    if (life && (is_guess(&conflict->first.step) || is_guess(&conflict->then.step))) return;
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

/* Tells what a step must not do to managed memory.  That the host does not wait for a kernel is
 * told once: as a race, if it is one. */
static bool tell_misuse(const struct hearing *hearing)
{
    const struct ck_block *block = hearing->misused;
    if (!block || (hearing->misuse.kind == CK_MISUSE_BUSY && hearing->count)) return true;
    uint64_t from = block->range.base, to = rl_range_end(&block->range);
    if (hearing->row_count == 1 && hearing->rows->bytes) {
        from = hearing->rows->address;
        if (hearing->rows->bytes < to - from) to = from + hearing->rows->bytes;
    }
    return ck_misuse_tell(hearing->court->verdicts, &hearing->misuse, hearing->step, block, from,
                          to);
}

/* Lists a conflict, unless flags order it; if they may, that is seen later. */
static bool tell_conflict(const struct ck_court *court, const struct ck_conflict *conflict,
                          const struct ck_block *block)
{
    const struct ck_tellings *tellings = court->tellings;
    if (ck_tellings_settle(tellings, conflict)) return true;
    if (ck_tellings_may_order(tellings, &conflict->first.step, &conflict->then.step))
        return ck_held_add(court->held, conflict, block, court->log->tail->work->serial,
                           court->verdicts);
    return ck_verdicts_conflict(court->verdicts, conflict, block);
}

static bool tell_hearing(struct hearing *hearing, const struct ck_step *step)
{
    bool fits = tell_unwritten(hearing, step) && tell_misuse(hearing);
    for (unsigned i = 0; i < hearing->count; i++) {
        const struct ck_conflict *conflict = &hearing->pairs[i].conflict;
        if (!tell_conflict(hearing->court, conflict, hearing->pairs[i].block)) fits = false;
        ck_work_release(conflict->first.step.work);
    }
    return fits;
}

/* ---- Judging one step ---------------------------------------------------------------------- */

static bool tell_generation(const struct hearing *hearing, const struct ck_step *step,
                            const struct ck_block *block, const rill_touched *row, bool another)
{
    struct ck_verdict *verdict = ck_verdicts_add(hearing->court->verdicts, RILL_FINDING_LIFETIME);
    if (!verdict) return false;
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
    return true;
}

/* Judges whether memory that a node says it touches is that which it was made for.  What is mapped
 * where the program has reserved addresses is what it means by these, at each launch. */
static bool check_generation(const struct hearing *hearing, const struct ck_step *step,
                             const struct ck_block *block, const rill_touched *row)
{
    const struct ck_inside *inside = step->work->inside;
    if (block->kind == CK_BLOCK_PLAIN || block->kind == CK_BLOCK_GRAPH) return true;
    bool another = !block->mapped && block->born > inside->type->born(inside, step->node);
    if (!another && !block->gone) return true;
    struct ck_step said = *step;
    said.assumed = row->how & CK_TOUCH_ASSUMED;
    return tell_generation(hearing, &said, block, row, another);
}

static bool is_inside(const struct ck_block *block, uint64_t address)
{
    return address - block->range.base < block->range.bytes;
}

static bool is_touched(const struct ck_block *block, const rill_touched *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_inside(block, rows[i].address)) return true;
    return false;
}

static bool is_seen(const struct ck_block *block, const struct ck_rows *seen)
{
    for (size_t i = 0; i < seen->page_count; i++) {
        const struct ck_page_rows *page = &seen->pages[i];
        uint64_t first = ck_map_first(page->map, page->address);
        uint64_t last = ck_map_last(page->map, page->address);
        if (first < rl_range_end(&block->range) && last >= block->range.base) return true;
    }
    return is_touched(block, seen->items, seen->count);
}

/* A node that was made before its memory was allocated means memory that was there before.  Memory
 * of graphs is at the same addresses again and again, in one graph as well.  What was seen of a
 * node may be memory that it finds by itself, so only what its operation names counts, if it was
 * touched.  `seen` is NULL if nobody has looked. */
static bool check_generations(const struct hearing *hearing, const struct ck_step *step,
                              const struct ck_rows *seen)
{
    const struct ck_inside *inside = step->work->inside;
    const struct ck_block *block = NULL;
    const rill_touched *said = NULL;
    bool fits = true;
    if (!step->node || !inside || !hearing->court->lives || (seen && seen->extra)) return true;
    size_t count = inside->type->rows(inside, step->node, &said);
    for (size_t i = 0; fits && i < count; i++) {
        if (block && is_inside(block, said[i].address)) continue;
        block = ck_memory_find(hearing->court->memory, said[i].address);
        if (!block || (seen && !is_seen(block, seen))) continue;
        rill_touched row = said[i];
        if (seen) row.how &= ~(uint32_t)CK_TOUCH_ASSUMED;
        fits = check_generation(hearing, step, block, &row);
    }
    return fits;
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
static bool sees_reads(const struct ck_step *step, uint32_t how)
{
    if (how & CK_TOUCH_ASSUMED) return false;
    return !(how & RILL_TOUCH_ATOMIC) || ck_step_what(step).kind != RILL_OP_VALUES;
}

/* Describes what a step does to rows. */
static struct ck_access access_of(struct hearing *hearing, const struct ck_step *step, uint32_t how)
{
    const uint32_t notes = CK_TOUCH_BY_HOST | CK_TOUCH_ASSUMED | CK_TOUCH_RAN;
    struct ck_access touch = {
        .host = hearing->entry->host, .mark = { .step = *step, .how = how & ~notes },
        .found = note_conflict, .inits = hearing->court->inits,
        .unwritten = sees_reads(step, how) ? note_unwritten : NULL, .data = hearing,
    };
    touch.mark.step.assumed = how & CK_TOUCH_ASSUMED;
    hearing->ran = how & CK_TOUCH_RAN;
    hearing->uses = !(how & CK_TOUCH_BORDERS);
    return touch;
}

/* Tells whether an argument of a kernel that has the address of memory which was freed must mean
 * that memory: where the end of another argument's memory is, it may mean that end. */
static bool means_freed(const struct hearing *hearing, const struct ck_block *gone,
                        uint64_t address)
{
    if (address != gone->range.base || !address) return true;
    const struct ck_block *before = ck_memory_find(hearing->court->memory, address - 1);
    return !before || !is_touched(before, hearing->rows, hearing->row_count);
}

/* Returns the allocation that a row stands for, or NULL if it is to be left out. */
static const struct ck_block *find_whole(const struct hearing *hearing, const struct ck_step *step,
                                         const rill_touched *row)
{
    const struct ck_block *block = ck_memory_find(hearing->court->memory, row->address);
    if (!block || block->kind == CK_BLOCK_PLAIN) return NULL;
    if (!block->gone) return block;
    bool argument = (row->how & CK_TOUCH_ASSUMED) && !step->node;
    return argument && means_freed(hearing, block, row->address) ? block : NULL;
}

/* Touches rows, of which one may stand for a whole allocation. */
static bool judge_rows(struct hearing *hearing, const struct ck_step *step,
                       const rill_touched *rows, size_t count)
{
    const struct ck_court *court = hearing->court;
    if (is_staged(court, step, rows)) return true;
    if (hearing->entry->dropped && (rows->how & CK_TOUCH_ASSUMED)) return true;
    const struct ck_access touch = access_of(hearing, step, rows->how);
    rill_touched whole = rows[0];
    if (!whole.bytes) {
        const struct ck_block *block = find_whole(hearing, step, &whole);
        if (!block) return true;
        whole = (rill_touched){ block->range.base, block->range.bytes, whole.how };
        rows = &whole;
    }
    if (court->account) ck_account_rows(court->account, step, rows, count);
    if (court->tellings->speaker_count) ck_tellings_hear(court->tellings, step, rows, count);
    return ck_memory_touch(court->memory, &touch, rows, count, enter_block);
}

static bool judge_pages(struct hearing *hearing, const struct ck_step *step,
                        const struct ck_rows *rows)
{
    const struct ck_page_rows *pages = rows->pages;
    const size_t count = rows->page_count;
    struct ck_access touch;
    for (size_t i = 0; i < count; i++) {
        if (!i || pages[i].how != pages[i - 1].how) touch = access_of(hearing, step, pages[i].how);
        if (hearing->court->account)
            ck_account_page(hearing->court->account, step, pages[i].address, pages[i].how,
                            pages[i].map);
        if (!ck_memory_touch_page(hearing->court->memory, &touch, pages[i].address, pages[i].map,
                                  enter_block))
            return false;
    }
    return true;
}

/* Judges rows in runs of those that do the same. */
static bool judge_runs(struct hearing *hearing, const struct ck_step *step,
                       const rill_touched *rows, size_t count)
{
    bool fits = true;
    hearing->rows = rows;
    hearing->row_count = count;
    for (size_t i = 0, n; i < count && fits; i = n) {
        for (n = i + 1; rows[i].bytes && n < count && rows[n].bytes && rows[n].how == rows[i].how &&
                        rows[n].address >= rows[n - 1].address + rows[n - 1].bytes;)
            n++;
        fits = judge_rows(hearing, step, rows + i, n - i);
    }
    return fits;
}

bool ck_judge_step(const struct ck_court *court, const struct ck_log_entry *entry,
                   const struct ck_step *step, const rill_touched *rows, size_t count)
{
    struct hearing hearing;
    begin_hearing(&hearing, court, entry, step);
    bool fits = check_generations(&hearing, step, NULL) && judge_runs(&hearing, step, rows, count);
    return tell_hearing(&hearing, step) && fits;
}

bool ck_judge_seen(const struct ck_court *court, const struct ck_log_entry *entry,
                   const struct ck_step *step, const struct ck_rows *rows)
{
    struct hearing hearing;
    begin_hearing(&hearing, court, entry, step);
    bool fits = check_generations(&hearing, step, rows) &&
                judge_runs(&hearing, step, rows->items, rows->count) &&
                judge_pages(&hearing, step, rows);
    return tell_hearing(&hearing, step) && fits;
}
