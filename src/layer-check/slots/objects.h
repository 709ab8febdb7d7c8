/* SPDX-License-Identifier: Apache-2.0
 *
 * Notes who made an object, for those that are left at the end.
 */
#ifndef CK_SLOTS_OBJECTS_H
#define CK_SLOTS_OBJECTS_H

#include "layer-check/slots/checker.h"

/* Notes an object that the call at `site` made, if leaks are looked for. */
void ck_object_made(void *object, rill_object_kind kind, const void *site);

/* Forgets an object that is destroyed, or that became a part of another one. */
void ck_object_gone(const void *object);

#endif
