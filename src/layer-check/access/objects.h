/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of the program that nobody has destroyed yet, with the calls that made them.
 */
#ifndef CK_OBJECTS_H
#define CK_OBJECTS_H

#include "layer-check/access/verdict.h"

#define CK_OBJECT_BUCKETS 256u

struct ck_object;

/* The checker's lock protects it. */
struct ck_objects {
    struct ck_object *buckets[CK_OBJECT_BUCKETS];
};

/* Notes an object that was made after so many works.  `context` is the one that it goes with, or
 * NULL.  Returns false if memory is short. */
bool ck_objects_add(struct ck_objects *objects, const void *object, rill_object_kind kind,
                    const rill_context *context, const void *site, uint64_t serial);

void ck_objects_forget(struct ck_objects *objects, const void *object);

/* Forgets all that go with a context. */
void ck_objects_forget_context(struct ck_objects *objects, const rill_context *context);

/* Lists a leak for each that is left.  Returns false if memory is short. */
bool ck_objects_tell(const struct ck_objects *objects, struct ck_verdicts *verdicts);

void ck_objects_fini(struct ck_objects *objects);

#endif
