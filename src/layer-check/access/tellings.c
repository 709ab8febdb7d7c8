/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/tellings.h"

#include <string.h>

#include "layer-check/access/page.h"

#define ASKS ((uint32_t)RILL_TOUCH_READ | RILL_TOUCH_ATOMIC)
#define SETS ((uint32_t)RILL_TOUCH_WRITE | RILL_TOUCH_ATOMIC)

/* ---- Steps --------------------------------------------------------------------------------- */

static bool is_host(const struct ck_step *step)
{
    return step->work->at.line == CK_HOST_LINE;
}

static bool same_step(const struct ck_step *a, const struct ck_step *b)
{
    return a->work == b->work && a->node == b->node;
}

/* Tells whether a step is another one or is promised to come before it. */
static bool precedes(const struct ck_step *before, const struct ck_step *after)
{
    if (before->work == after->work && before->node > after->node) return false;
    return ck_step_ordered(before, after);
}

/* ---- Adding -------------------------------------------------------------------------------- */

static void release_telling(struct ck_telling *telling)
{
    ck_work_release(telling->from.work);
    ck_work_release(telling->to.work);
    ck_clock_release(telling->known);
}

static void drop_telling(struct ck_tellings *tellings, unsigned i)
{
    release_telling(&tellings->items[i]);
    tellings->count--;
    memmove(&tellings->items[i], &tellings->items[i + 1],
            (tellings->count - i) * sizeof tellings->items[0]);
}

static void add_telling(struct ck_tellings *tellings, const struct ck_telling *telling)
{
    for (unsigned i = 0; i < tellings->count; i++) {
        const struct ck_telling *known = &tellings->items[i];
        if (same_step(&known->from, &telling->from) && same_step(&known->to, &telling->to)) return;
    }
    if (tellings->count == CK_TELLINGS_MOST) drop_telling(tellings, 0);
    struct ck_telling *added = &tellings->items[tellings->count++];
    *added = *telling;
    if (added->from.work) ck_work_retain(added->from.work);
    if (added->to.work) ck_work_retain(added->to.work);
    if (added->known) ck_clock_retain(added->known);
}

/* Has a kernel and another step that does `how` at a word of its tell each other. */
static void connect(struct ck_tellings *tellings, const struct ck_step *kernel, uint32_t own,
                    const struct ck_step *other, uint32_t how)
{
    if ((own & ASKS) && (how & SETS))
        add_telling(tellings, &(struct ck_telling){ .from = *other, .to = *kernel });
    if ((own & SETS) && (how & ASKS))
        add_telling(tellings, &(struct ck_telling){ .from = *kernel, .to = *other });
}

/* Returns what a step that does `how` does to flags: what streams write they do not read, and what
 * they wait for they ask.  Returns 0 if it is none that sets flags or asks for them by itself. */
static uint32_t way_of(const struct ck_step *step, uint32_t how)
{
    switch (ck_step_what(step).kind) {
    case RILL_OP_MEMSET:
    case RILL_OP_MEMCPY: return how & (ASKS | SETS);
    case RILL_OP_VALUES: return how & CK_TOUCH_AWAIT ? (uint32_t)RILL_TOUCH_READ
                                                     : (uint32_t)RILL_TOUCH_WRITE;
    default: return 0;
    }
}

/* Returns what a step does to a flag for which a kernel asks.  Another kernel may raise it by any
 * atomic operation, as whoever is the last to count what is done; at words for which nobody asks,
 * such as bins of a histogram, these tell nothing. */
static uint32_t way_at_flag(const struct ck_step *step, uint32_t how)
{
    if (ck_step_what(step).kind != RILL_OP_KERNEL) return way_of(step, how);
    return how & RILL_TOUCH_ATOMIC ? (uint32_t)RILL_TOUCH_WRITE : 0;
}

static struct ck_step step_of(struct ck_work *work, const struct ck_signal *signal)
{
    return (struct ck_step){ .work = work, .node = signal->node };
}

/* ---- What a kernel is told, and tells ------------------------------------------------------ */

static void meet_mark(struct ck_tellings *tellings, const struct ck_step *kernel, uint32_t own,
                      const struct ck_mark *mark)
{
    if (mark->step.work && !mark->step.work->dead)
        connect(tellings, kernel, own, &mark->step, way_at_flag(&mark->step, mark->how));
}

/* Looks at who has touched the word before. */
static void meet_marks(struct ck_tellings *tellings, const struct ck_block *block,
                       const struct ck_step *kernel, const rill_touched *word)
{
    const struct ck_segment *segment = ck_segments_at(&block->segments, word->address);
    if (!segment) return;
    meet_mark(tellings, kernel, word->how, &segment->write);
    for (uint32_t i = 0; i < segment->count; i++)
        meet_mark(tellings, kernel, word->how, &segment->since[i]);
}

static void meet_host(struct ck_tellings *tellings, const struct ck_signals *signals,
                      const struct ck_step *kernel, const struct ck_signal *signal)
{
    if (signal->word.how & ASKS)
        add_telling(tellings, &(struct ck_telling){ .to = *kernel, .known = signals->host,
                                                    .serial = signals->serial });
    /* Where it would be seen, the host is told when it is seen to look. */
    if ((signal->word.how & SETS) && !signal->seen)
        add_telling(tellings, &(struct ck_telling){ .from = *kernel,
                                                    .serial = kernel->work->serial });
}

static void meet_speaker(struct ck_tellings *tellings, struct ck_work *speaker,
                         const struct ck_step *kernel, const rill_touched *word)
{
    const struct ck_signals *signals = speaker->signals;
    for (size_t i = 0; i < signals->count; i++) {
        const struct ck_step other = step_of(speaker, &signals->at[i]);
        if (signals->at[i].word.address == word->address && !same_step(&other, kernel))
            connect(tellings, kernel, word->how, &other, signals->at[i].word.how);
    }
}

static void add_speaker(struct ck_tellings *tellings, struct ck_work *work)
{
    if (tellings->speaker_count == CK_SPEAKERS_MOST) {
        ck_work_release(tellings->speakers[0]);
        tellings->speaker_count--;
        memmove(tellings->speakers, tellings->speakers + 1,
                tellings->speaker_count * sizeof tellings->speakers[0]);
    }
    tellings->speakers[tellings->speaker_count++] = ck_work_retain(work);
}

static bool is_of_host(const struct ck_block *block)
{
    return block->kind == CK_BLOCK_PINNED || block->kind == CK_BLOCK_REGISTERED ||
           block->kind == CK_BLOCK_MANAGED;
}

void ck_tellings_speak(struct ck_tellings *tellings, const struct ck_memory *memory,
                       struct ck_work *work)
{
    const struct ck_signals *signals = work->signals;
    add_speaker(tellings, work);
    for (size_t i = 0; i < signals->count; i++) {
        const struct ck_signal *signal = &signals->at[i];
        const struct ck_step kernel = step_of(work, signal);
        const struct ck_block *block = ck_memory_find(memory, signal->word.address);
        if (block) meet_marks(tellings, block, &kernel, &signal->word);
        if (block && is_of_host(block)) meet_host(tellings, signals, &kernel, signal);
        for (unsigned s = 0; s < tellings->speaker_count; s++)
            meet_speaker(tellings, tellings->speakers[s], &kernel, &signal->word);
    }
}

/* ---- What others do to the words of kernels ------------------------------------------------ */

static bool overlaps(const rill_touched *row, const rill_touched *word)
{
    return row->address < word->address + word->bytes && word->address < row->address + row->bytes;
}

/* Tells whether they are on the same page: the first touch of a page is all that is seen of the
 * host. */
static bool shares_page(const rill_touched *row, const rill_touched *word)
{
    return (row->address ^ word->address) < CK_PAGE_BYTES;
}

/* The host was seen to look at what a kernel tells. */
static void tell_host(struct ck_tellings *tellings, const struct ck_step *kernel,
                      const struct ck_signal *signal, const struct ck_step *host)
{
    if ((signal->word.how & SETS) && signal->seen && host->work->serial > kernel->work->serial)
        add_telling(tellings, &(struct ck_telling){ .from = *kernel,
                                                    .serial = host->work->serial });
}

static void hear_speaker(struct ck_tellings *tellings, struct ck_work *speaker,
                         const struct ck_step *step, const rill_touched *row)
{
    const struct ck_signals *signals = speaker->signals;
    const bool function = ck_step_what(step).kind == RILL_OP_HOST;
    for (size_t i = 0; i < signals->count; i++) {
        const struct ck_signal *signal = &signals->at[i];
        const struct ck_step kernel = step_of(speaker, signal);
        if (same_step(&kernel, step)) continue;
        if (!is_host(step) && !function && overlaps(row, &signal->word))
            connect(tellings, &kernel, signal->word.how, step, way_at_flag(step, row->how));
        else if (is_host(step) && shares_page(row, &signal->word))
            tell_host(tellings, &kernel, signal, step);
        else if (function && shares_page(row, &signal->word))
            connect(tellings, &kernel, signal->word.how, step, ASKS | SETS);
    }
}

void ck_tellings_hear(struct ck_tellings *tellings, const struct ck_step *step,
                      const rill_touched *rows, size_t count)
{
    const bool kernel = ck_step_what(step).kind == RILL_OP_KERNEL;
    for (size_t i = 0; i < count; i++) {
        if (kernel && !(rows[i].how & RILL_TOUCH_ATOMIC)) continue;
        for (unsigned s = 0; s < tellings->speaker_count; s++)
            hear_speaker(tellings, tellings->speakers[s], step, &rows[i]);
    }
}

bool ck_tellings_of_word(const struct ck_step *kernel, uint64_t from, uint64_t to,
                         const struct ck_step *other, uint32_t how)
{
    const struct ck_signals *signals = kernel->work->signals;
    how = signals ? way_at_flag(other, how) : 0;
    for (size_t i = 0; how && i < signals->count; i++) {
        const rill_touched *word = &signals->at[i].word;
        if (signals->at[i].node == kernel->node && from >= word->address &&
            to <= word->address + word->bytes &&
            (((word->how & ASKS) && (how & SETS)) || ((word->how & SETS) && (how & ASKS))))
            return true;
    }
    return false;
}

/* ---- The order ----------------------------------------------------------------------------- */

/* Tells whether a step comes before a telling, or is the one that tells. */
static bool comes_before(const struct ck_step *step, const struct ck_telling *telling)
{
    if (telling->from.work) return precedes(step, &telling->from);
    if (is_host(step)) return step->work->serial <= telling->serial;
    return ck_clock_covers_step(telling->known, step);
}

/* Tells whether a step comes after a telling, or is the one that is told. */
static bool comes_after(const struct ck_step *step, const struct ck_telling *telling)
{
    if (telling->to.work) return precedes(&telling->to, step);
    return step->work->serial > telling->serial && !step->work->caller;
}

/* Tells whether a telling may be what another one hands on. */
static bool hands_on(const struct ck_telling *first, const struct ck_telling *then)
{
    if (first->to.work) return comes_before(&first->to, then);
    return !then->from.work || comes_after(&then->from, first);
}

/* Tells whether a step is an operation that sets a flag, or looks at one, and does more at the same
 * time: what else it does is in no order with that. */
static bool is_at_once(const struct ck_step *step, const struct ck_step *one)
{
    return one->work && same_step(step, one) && way_of(step, ASKS | SETS);
}

bool ck_tellings_order(const struct ck_tellings *tellings, const struct ck_step *before,
                       const struct ck_step *after)
{
    bool reached[CK_TELLINGS_MOST] = { false };
    unsigned next[CK_TELLINGS_MOST], count = 0;
    for (unsigned i = 0; i < tellings->count; i++) {
        const struct ck_telling *telling = &tellings->items[i];
        reached[i] = comes_before(before, telling) && !is_at_once(before, &telling->from);
        if (reached[i]) next[count++] = i;
    }
    while (count) {
        const struct ck_telling *telling = &tellings->items[next[--count]];
        if (comes_after(after, telling) && !is_at_once(after, &telling->to)) return true;
        for (unsigned i = 0; i < tellings->count; i++) {
            if (reached[i] || !hands_on(telling, &tellings->items[i])) continue;
            reached[i] = true;
            next[count++] = i;
        }
    }
    return false;
}

bool ck_tellings_may_order(const struct ck_tellings *tellings, const struct ck_step *a,
                           const struct ck_step *b)
{
    for (unsigned s = 0; s < tellings->speaker_count; s++) {
        struct ck_work *speaker = tellings->speakers[s];
        for (size_t i = 0; i < speaker->signals->count; i++) {
            const struct ck_step kernel = step_of(speaker, &speaker->signals->at[i]);
            if (precedes(&kernel, a) || precedes(&kernel, b)) return true;
        }
    }
    return false;
}

/* ---- Forgetting ---------------------------------------------------------------------------- */

void ck_tellings_forget(struct ck_tellings *tellings, const struct ck_clock *host)
{
    for (unsigned i = tellings->count; i-- > 0;) {
        const struct ck_telling *telling = &tellings->items[i];
        if (ck_clock_covers_step(host, telling->from.work ? &telling->from : &telling->to))
            drop_telling(tellings, i);
    }
    unsigned kept = 0;
    for (unsigned s = 0; s < tellings->speaker_count; s++) {
        struct ck_work *speaker = tellings->speakers[s];
        if (ck_clock_covers(host, speaker->at)) ck_work_release(speaker);
        else tellings->speakers[kept++] = speaker;
    }
    tellings->speaker_count = kept;
}

void ck_tellings_fini(struct ck_tellings *tellings)
{
    for (unsigned i = 0; i < tellings->count; i++) release_telling(&tellings->items[i]);
    for (unsigned s = 0; s < tellings->speaker_count; s++)
        ck_work_release(tellings->speakers[s]);
    tellings->count = tellings->speaker_count = 0;
}
