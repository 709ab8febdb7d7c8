/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of the program that nobody destroys: who made each is kept until it goes, or its context
 * does.
 */
#ifndef CK_OBJECTS_H
#define CK_OBJECTS_H

#include "layer-check/slots/checker.h"

struct ck_object;

/* Notes an object that the call at `site` made; does nothing if leaks are not looked for.  Takes
 * checker->lock. */
void ck_object_made(void *object, rill_object_kind kind, const void *site);

/* Forgets an object that is destroyed, or that became a part of another one. */
void ck_object_gone(const void *object);

/* Forgets the objects of a context, which go with it. */
void ck_objects_forget_context(rill_context *context);

/* Tells of those that are left, and forgets them.  Requires checker->lock. */
void ck_objects_tell(struct ck_checker *checker);

/* Frees what is kept. */
void ck_objects_fini(struct ck_checker *checker);

#endif
