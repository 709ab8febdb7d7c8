/* SPDX-License-Identifier: Apache-2.0
 *
 * Who did something, as reports say it.
 */
#ifndef CK_WHO_H
#define CK_WHO_H

#include <stdbool.h>

#include <rill/backend.h>

struct ck_who;

/* Where devices count as if they had no concurrent access to managed memory. */
enum ck_managed {
    CK_MANAGED_NOWHERE,
    CK_MANAGED_WHERE_TRUE, /* on those that have none */
    CK_MANAGED_EVERYWHERE
};

int ck_device_of(rill_context *context);

/* Makes what a stream is called, with its device unless that is the first.  Returns NULL if
 * memory is short. */
struct ck_who *ck_who_create(const struct rill_backend *beneath, rill_stream *stream, bool legacy,
                             bool per_thread, enum ck_managed managed);

#endif
