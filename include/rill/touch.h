/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/touch.h>: words for what is done to bytes.
 *
 * <rill/check.h> has the calls with which a program declares it, <rill/watch.h> the
 * table with which a backend tells it.
 */
#ifndef RILL_TOUCH_H
#define RILL_TOUCH_H

#include <rill/types.h>

RILL_BEGIN_DECLS

/* To be added up.  Atomic operations count as such alone. */
enum {
    RILL_TOUCH_READ = 0x1,
    RILL_TOUCH_WRITE = 0x2,
    RILL_TOUCH_ATOMIC = 0x4
};

RILL_END_DECLS

#endif
