/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that streams wait for, and what else writes there than streams that write values: fills,
 * copies, kernels, and the host.
 */
#ifndef CK_FLAGS_H
#define CK_FLAGS_H

#include "layer-check/slots/checker.h"

/* Notes a value that a step writes. */
void ck_flags_write(struct ck_checker *checker, const struct ck_step *step,
                    const rill_value *value);

/* Returns a clock of what is done once a step has waited for a value, as ck_values_wait(). */
struct ck_clock *ck_flags_wait(struct ck_checker *checker, const struct ck_step *step,
                               struct ck_clock *before, const rill_value *value);

/* Notes what an operation writes, and what a kernel was seen to write. */
void ck_flags_written(struct ck_checker *checker, const struct ck_step *step,
                      const rill_touched *rows, size_t count);
void ck_flags_seen(struct ck_checker *checker, const struct ck_step *step,
                   const rill_touches *touches);

#endif
