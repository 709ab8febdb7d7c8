/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations on values, from one form to the other, for streams and nodes.
 */
#ifndef SI_VALUE_H
#define SI_VALUE_H

#include "standin/context/current.h"

enum { SI_VALUES_MAX = 255 }; /* that an operation may have */

rill_value si_value_read(const CUstreamBatchMemOpParams *given);
void si_value_write(const rill_value *value, CUstreamBatchMemOpParams *out);

#endif
