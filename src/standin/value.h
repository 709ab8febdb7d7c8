/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations on values, one form into the other; nodes have them, too.
 */
#ifndef SI_VALUE_H
#define SI_VALUE_H

#include "standin/context.h"

enum {
    SI_VALUES_FEW = 16, /* that need no memory          */
    SI_VALUES_MAX = 255 /* that an operation may have   */
};

struct si_values {
    rill_value *items;
    size_t count;
    rill_value few[SI_VALUES_FEW];
};

/* Must not be moved once it is filled in; then it is freed. */
CUresult si_values_read(const CUstreamBatchMemOpParams *given, size_t count,
                        struct si_values *values);
void si_values_free(struct si_values *values);

rill_value si_value_read(const CUstreamBatchMemOpParams *given);
void si_value_write(const rill_value *value, CUstreamBatchMemOpParams *out);

#endif
