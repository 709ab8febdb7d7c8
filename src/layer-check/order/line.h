/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of streams, which are used again, so that clocks do not grow for ever.
 */
#ifndef CK_LINE_H
#define CK_LINE_H

#include "layer-check/order/order.h"

/* Returns the last point of a line that is free: one that a stream left behind and that the host
 * knows to be done, so that all that is submitted from now on comes after it, or else a new one. */
struct ck_point ck_line_take(struct ck_order *order);

/* Notes that a line may be used again. */
void ck_line_leave(struct ck_order *order, struct ck_point point);

#endif
