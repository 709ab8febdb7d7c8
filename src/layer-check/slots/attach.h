/* SPDX-License-Identifier: Apache-2.0
 *
 * Whom managed memory is attached to, by the calls: access/attached.h has the rules.  All of it
 * requires checker->lock.
 */
#ifndef CK_ATTACH_H
#define CK_ATTACH_H

#include "layer-check/pages/pages.h"
#include "layer-check/slots/checker.h"

/* Guards the managed memory that the host must not touch while a kernel may run, or a launch with
 * kernels, of a device that takes turns with the host. */
void ck_turn_guard(struct ck_checker *checker, const struct ck_work *work, struct ck_until until);

/* Adds an attachment to a stream. */
void ck_attach_note(struct ck_checker *checker, struct ck_stream *stream, rill_devptr address,
                    uint32_t flags, const void *site);

/* Notes that a stream is gone, whose id it had, and with it what was attached to it. */
void ck_attach_lose(struct ck_checker *checker, uint64_t stream_id);

#endif
