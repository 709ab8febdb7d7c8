/* SPDX-License-Identifier: Apache-2.0
 *
 * Guards behind allocations of device memory, laid by the backend: who writes behind an
 * allocation, as only functions of C can, is found when it is freed, or at the end.
 */
#ifndef CK_GUARDS_H
#define CK_GUARDS_H

#include "layer-check/slots/checker.h"

/* Has the backend lay guards, if it can, when the platform was just opened. */
void ck_guards_lay(struct ck_checker *checker);

/* Looks behind an allocation that the call at `site` has just freed. */
void ck_guards_look_freed(rill_context *context, rill_devptr base, const void *site);

/* Looks behind all allocations that are there.  Requires checker->lock. */
void ck_guards_look(struct ck_checker *checker);

#endif
