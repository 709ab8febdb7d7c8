/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/verdict.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "site/site.h"

void ck_verdicts_init(struct ck_verdicts *verdicts)
{
    verdicts->first = NULL;
    verdicts->end = &verdicts->first;
    verdicts->count = 0;
}

void ck_verdicts_free(struct ck_verdicts *verdicts)
{
    for (struct ck_verdict *verdict = verdicts->first, *next; verdict; verdict = next) {
        next = verdict->next;
        rl_free(verdict);
    }
    ck_verdicts_init(verdicts);
}

void ck_verdicts_move(struct ck_verdicts *verdicts, struct ck_verdicts *from)
{
    if (!from->first) return;
    *verdicts->end = from->first;
    verdicts->end = from->end;
    verdicts->count += from->count;
    ck_verdicts_init(from);
}

struct ck_verdict *ck_verdicts_add(struct ck_verdicts *verdicts, rill_finding_kind kind)
{
    struct ck_verdict *verdict = rl_zalloc(sizeof *verdict);
    if (!verdict) return NULL;
    verdict->finding.kind = kind;
    *verdicts->end = verdict;
    verdicts->end = &verdict->next;
    verdicts->count++;
    return verdict;
}

/* ---- Words --------------------------------------------------------------------------------- */

static const char *const kind_words[] = {
    [RILL_OP_KERNEL] = "kernel", [RILL_OP_MEMCPY] = "memcpy", [RILL_OP_MEMSET] = "memset",
    [RILL_OP_HOST] = "host function", [RILL_OP_GRAPH] = "graph launch", [RILL_OP_EMPTY] = "empty",
    [RILL_OP_EVENT_WAIT] = "event wait", [RILL_OP_EVENT_RECORD] = "event record",
    [RILL_OP_SEMAPHORE_SIGNAL] = "semaphore signal",
    [RILL_OP_SEMAPHORE_WAIT] = "semaphore wait", [RILL_OP_ALLOC] = "allocation",
    [RILL_OP_FREE] = "free", [RILL_OP_VALUES] = "value operation",
    [RILL_OP_CONDITIONAL] = "conditional",
};

/* Returns the call as a program of the driver or the runtime wrote it, or NULL.  What has a name
 * of its own is known by that, and a node by its kind: the call was one on its graph. */
static const char *call_of(const struct ck_what *what)
{
    bool calls = what->host ? what->name && !strncmp(what->name, "rill_", 5) : !what->name;
    const char *call = calls ? cs_call_name(what->site) : NULL;
    return call && what->node && strstr(call, "Graph") ? NULL : call;
}

static void write_what(const struct ck_what *what, char *text, size_t room)
{
    const char *call = call_of(what);
    if (call) snprintf(text, room, "%s", call);
    else if (what->host) snprintf(text, room, "%s", what->name ? what->name : "the host");
    else if (what->name) snprintf(text, room, "%s '%.1000s'", kind_words[what->kind], what->name);
    else snprintf(text, room, "%s", kind_words[what->kind]);
}

static const char *verb_of(uint32_t how)
{
    if (how & CK_TOUCH_ALLOCATE) return "allocates";
    if (how & CK_TOUCH_FREE) return "frees";
    if (how & RILL_TOUCH_ATOMIC) return "updates";
    return how & RILL_TOUCH_WRITE ? "writes" : "reads";
}

/* ---- Ends ---------------------------------------------------------------------------------- */

static void set_end(struct ck_verdict *verdict, unsigned end, const struct ck_what *what,
                    const struct ck_who *who, uint64_t number)
{
    struct ck_end *to = &verdict->finding.ends[end];
    write_what(what, verdict->what[end], sizeof verdict->what[end]);
    to->what = verdict->what[end];
    to->site = what->site;
    to->number = number;
    to->node = what->node;
    to->within = what->within;
    to->returns_early = what->returns_early;
    if (who) {
        snprintf(verdict->stream[end], sizeof verdict->stream[end], "%s", who->words);
        to->stream = verdict->stream[end];
        to->stream_id = who->stream_id;
    }
    if (what->assumed) verdict->finding.assumed = true;
    if (verdict->finding.end_count <= end) verdict->finding.end_count = end + 1;
}

void ck_verdict_set_end(struct ck_verdict *verdict, unsigned end, const struct ck_step *step,
                        const char *does)
{
    const struct ck_work *work = step->work;
    struct ck_what what = ck_step_what(step);
    set_end(verdict, end, &what, work->who, work->who ? work->at.number : 0);
    verdict->finding.ends[end].does = does;
    if (step->node) verdict->finding.ends[end].launched = work->what.site;
    verdict->finding.ends[end].order = work->serial << 20 | (step->node & 0xfffff);
}

void ck_verdict_set_call(struct ck_verdict *verdict, unsigned end, const struct ck_what *what,
                         const struct ck_who *who, uint64_t number)
{
    set_end(verdict, end, what, who, number);
}

void ck_verdict_set_memory(struct ck_verdict *verdict, const struct ck_block *block, uint64_t from,
                           uint64_t to)
{
    ck_memory_describe(block, from, to, verdict->memory, sizeof verdict->memory);
    verdict->finding.memory = verdict->memory;
    verdict->finding.address = from;
    verdict->finding.bytes = to - from;
    verdict->finding.allocated = block->kind == CK_BLOCK_VARIABLE ? NULL : block->made;
}

/* ---- Conflicts ----------------------------------------------------------------------------- */

bool ck_conflict_is_life(const struct ck_conflict *conflict)
{
    return (conflict->first.how | conflict->then.how) & (CK_TOUCH_ALLOCATE | CK_TOUCH_FREE);
}

/* Writes what is wrong with the life of memory; a race says so itself. */
static void write_sentence(struct ck_verdict *verdict, const struct ck_conflict *conflict)
{
    const char *then = verdict->what[0], *first = verdict->what[1];
    bool ordered = ck_step_ordered(&conflict->first.step, &conflict->then.step);
    char *text = verdict->sentence;
    size_t room = sizeof verdict->sentence;
    if ((conflict->first.how & CK_TOUCH_FREE) && (conflict->then.how & CK_TOUCH_FREE))
        snprintf(text, room, "%s frees memory that is freed already", then);
    else if ((conflict->first.how & CK_TOUCH_FREE) && ordered)
        snprintf(text, room, "%s uses memory after it was freed", then);
    else if (conflict->first.how & CK_TOUCH_FREE)
        snprintf(text, room, "%s uses memory that may be freed by then", then);
    else if (conflict->then.how & CK_TOUCH_FREE)
        snprintf(text, room, "%s takes away memory that %s may still use", then, first);
    else
        snprintf(text, room, "%s uses memory that may not be there yet", then);
    verdict->finding.sentence = text;
}

static rill_mend mend_of(const struct ck_conflict *conflict)
{
    const struct ck_work *first = conflict->first.step.work, *then = conflict->then.step.work;
    if (ck_step_ordered(&conflict->first.step, &conflict->then.step)) return RILL_MEND_NONE;
    if (first == then) return RILL_MEND_EDGE;
    if (then->at.line == CK_HOST_LINE) return RILL_MEND_SYNC;
    if (first->at.line == then->at.line || first->at.line == CK_HOST_LINE) return RILL_MEND_NONE;
    return RILL_MEND_WAIT;
}

bool ck_verdicts_conflict(struct ck_verdicts *verdicts, const struct ck_conflict *conflict,
                          const struct ck_block *block)
{
    bool life = ck_conflict_is_life(conflict);
    struct ck_verdict *verdict =
        ck_verdicts_add(verdicts, life ? RILL_FINDING_LIFETIME : RILL_FINDING_RACE);
    if (!verdict) return false;
    ck_verdict_set_end(verdict, 0, &conflict->then.step, verb_of(conflict->then.how));
    ck_verdict_set_end(verdict, 1, &conflict->first.step, verb_of(conflict->first.how));
    ck_verdict_set_memory(verdict, block, conflict->from, conflict->to);
    if (life) write_sentence(verdict, conflict);
    verdict->finding.mend = mend_of(conflict);
    if (!verdict->finding.mend && conflict->then.step.work->own_before + 1 <
                                      conflict->then.step.work->at.number) {
        snprintf(verdict->advice, sizeof verdict->advice,
                 "launch the kernel without leave to begin before the one before it has ended");
        verdict->finding.advice = verdict->advice;
    }
    return true;
}
