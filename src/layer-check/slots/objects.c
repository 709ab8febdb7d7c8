/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/objects.h"

#include <stdio.h>

#include "base/alloc.h"

struct ck_object {
    struct ck_object *next;
    const void *object;
    rill_object_kind kind;
    const rill_context *context; /* it goes with; NULL for none, as of a graph */
    const void *site;
    uint64_t serial;
};

/* ---- Keeping -------------------------------------------------------------------------------- */

static struct ck_object **bucket_of(struct ck_checker *checker, const void *object)
{
    return &checker->objects[(uintptr_t)object / 64 % CK_BUCKETS];
}

void ck_object_made(void *object, rill_object_kind kind, const void *site)
{
    if (!ck_checker_of(object)->memory.leaks) return; /* fixed */
    struct ck_checker *checker = ck_enter(object);
    if (!checker) return;
    struct ck_object **bucket = bucket_of(checker, object), *made = rl_alloc(sizeof *made);
    if (made) {
        *made = (struct ck_object){
            .next = *bucket, .object = object, .kind = kind, .site = site,
            .context = kind == RILL_OBJECT_GRAPH ? NULL : rill_object_of(object)->context,
            .serial = checker->order.serial,
        };
        *bucket = made;
    } else {
        checker->order.failed = true;
    }
    ck_leave(checker);
}

/* Forgets the objects of a bucket that are this one, or of this context. */
static void forget_in(struct ck_object **link, const void *object, const rill_context *context)
{
    while (*link) {
        struct ck_object *made = *link;
        if (made->object != object && (!context || made->context != context)) {
            link = &made->next;
            continue;
        }
        *link = made->next;
        rl_free(made);
    }
}

void ck_object_gone(const void *object)
{
    struct ck_checker *checker = ck_checker_of(object);
    if (!checker->memory.leaks) return;
    rl_lock(&checker->lock);
    forget_in(bucket_of(checker, object), object, NULL);
    rl_unlock(&checker->lock);
}

void ck_objects_forget_context(rill_context *context)
{
    struct ck_checker *checker = ck_checker_of(context);
    rl_lock(&checker->lock);
    for (unsigned i = 0; i < CK_BUCKETS; i++) forget_in(&checker->objects[i], NULL, context);
    rl_unlock(&checker->lock);
}

/* ---- Telling -------------------------------------------------------------------------------- */

static const char *const words[RILL_OBJECT_KINDS + 1] = {
    [RILL_OBJECT_STREAM] = "a stream", [RILL_OBJECT_EVENT] = "an event",
    [RILL_OBJECT_MODULE] = "a module", [RILL_OBJECT_POOL] = "a pool",
    [RILL_OBJECT_GRAPH] = "a graph",   [RILL_OBJECT_EXEC] = "an exec",
};

static void tell_object(struct ck_checker *checker, const struct ck_object *made)
{
    struct ck_verdict *verdict = ck_verdicts_add(&checker->verdicts, RILL_FINDING_LEAK);
    if (!verdict) {
        checker->order.failed = true;
        return;
    }
    const struct ck_what what = { .host = true, .name = "the call that made it",
                                  .site = made->site };
    const char *word = words[made->kind];
    ck_verdict_set_call(verdict, 0, &what, NULL, 0);
    verdict->finding.ends[0].order = made->serial << 20;
    snprintf(verdict->sentence, sizeof verdict->sentence,
             "%s is never destroyed, and left to the end%s", word,
             made->context ? " of its context" : "");
    verdict->finding.sentence = verdict->sentence;
    verdict->finding.cause = word;
}

void ck_objects_tell(struct ck_checker *checker)
{
    for (unsigned i = 0; i < CK_BUCKETS; i++)
        for (struct ck_object *made = checker->objects[i]; made; made = made->next)
            tell_object(checker, made);
    ck_objects_fini(checker);
}

void ck_objects_fini(struct ck_checker *checker)
{
    for (unsigned i = 0; i < CK_BUCKETS; i++) {
        while (checker->objects[i]) {
            struct ck_object *made = checker->objects[i];
            checker->objects[i] = made->next;
            rl_free(made);
        }
    }
}
