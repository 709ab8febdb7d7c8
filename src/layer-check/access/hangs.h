/* SPDX-License-Identifier: Apache-2.0
 *
 * Hangs, once the backend has proved one: which waits for values nobody will end.
 */
#ifndef CK_HANGS_H
#define CK_HANGS_H

#include "layer-check/access/verdict.h"
#include "layer-check/order/values.h"

/* Lists a finding for each wait for a value at these addresses that no write has let through, with
 * the last write there. */
void ck_hangs_tell(const struct ck_values *values, const rill_devptr *addresses, size_t count,
                   struct ck_verdicts *verdicts);

/* Lists a finding for a host function that will never return. */
void ck_hangs_tell_function(struct ck_work *work, struct ck_verdicts *verdicts);

#endif
