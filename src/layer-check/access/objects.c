/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/objects.h"

#include <rill/backend.h>

#include <stdio.h>

#include "base/alloc.h"

struct ck_object {
    struct ck_object *next;
    const void *object;
    rill_object_kind kind;
    const rill_context *context;
    const void *site;
    uint64_t serial;
};

/* ---- Keeping -------------------------------------------------------------------------------- */

static struct ck_object **bucket_of(struct ck_objects *objects, const void *object)
{
    return &objects->buckets[(uintptr_t)object / 64 % CK_OBJECT_BUCKETS];
}

bool ck_objects_add(struct ck_objects *objects, const void *object, rill_object_kind kind,
                    const rill_context *context, const void *site, uint64_t serial)
{
    struct ck_object **bucket = bucket_of(objects, object), *made = rl_alloc(sizeof *made);
    if (!made) return false;
    *made = (struct ck_object){ *bucket, object, kind, context, site, serial };
    *bucket = made;
    return true;
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

void ck_objects_forget(struct ck_objects *objects, const void *object)
{
    forget_in(bucket_of(objects, object), object, NULL);
}

void ck_objects_forget_context(struct ck_objects *objects, const rill_context *context)
{
    for (unsigned i = 0; i < CK_OBJECT_BUCKETS; i++) forget_in(&objects->buckets[i], NULL, context);
}

void ck_objects_fini(struct ck_objects *objects)
{
    for (unsigned i = 0; i < CK_OBJECT_BUCKETS; i++) {
        while (objects->buckets[i]) {
            struct ck_object *made = objects->buckets[i];
            objects->buckets[i] = made->next;
            rl_free(made);
        }
    }
}

/* ---- Telling -------------------------------------------------------------------------------- */

static const char *const words[RILL_OBJECT_KINDS + 1] = {
    [RILL_OBJECT_CONTEXT] = "a context",
    [RILL_OBJECT_STREAM] = "a stream", [RILL_OBJECT_EVENT] = "an event",
    [RILL_OBJECT_MODULE] = "a module", [RILL_OBJECT_POOL] = "a pool",
    [RILL_OBJECT_GRAPH] = "a graph",   [RILL_OBJECT_EXEC] = "an exec",
};

static bool tell_object(const struct ck_object *made, struct ck_verdicts *verdicts)
{
    struct ck_verdict *verdict = ck_verdicts_add(verdicts, RILL_FINDING_LEAK);
    if (!verdict) return false;
    const struct ck_what what = { .host = true, .name = "the call that made it",
                                  .site = made->site };
    ck_verdict_set_call(verdict, 0, &what, NULL, 0);
    verdict->finding.ends[0].order = made->serial << 20;
    snprintf(verdict->sentence, sizeof verdict->sentence,
             "%s is never destroyed, and left to the end%s", words[made->kind],
             made->context ? " of its context" : "");
    verdict->finding.sentence = verdict->sentence;
    verdict->finding.cause = words[made->kind];
    return true;
}

bool ck_objects_tell(const struct ck_objects *objects, struct ck_verdicts *verdicts)
{
    for (unsigned i = 0; i < CK_OBJECT_BUCKETS; i++)
        for (const struct ck_object *made = objects->buckets[i]; made; made = made->next)
            if (!tell_object(made, verdicts)) return false;
    return true;
}
