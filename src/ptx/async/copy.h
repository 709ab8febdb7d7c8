/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of cp.async: a copy of 4, 8 or 16 bytes from global to shared memory.
 *
 * A copy is done at once: it may be over at any time before somebody waits for it, so waiting
 * is nothing.  It takes two steps, with the bytes in a column of 16 between them.
 */
#ifndef PTX_ASYNC_COPY_H
#define PTX_ASYNC_COPY_H

#include "ptx/run/memory.h"

/* Reads `width` bytes into d; or, if there is a column b, as many as it says, and zeroes the
 * others; or, where there is a column c and it is set, zeroes all.  a and `immediate` are as
 * those of ld. */
ptx_run ptx_async_fetch_step;

/* Writes `width` bytes of b. */
ptx_run ptx_async_put_step;

#endif
