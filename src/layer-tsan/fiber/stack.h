/* SPDX-License-Identifier: Apache-2.0
 *
 * Stacks of fibers, on which ThreadSanitizer knows nothing of who used them before.
 */
#ifndef TS_STACK_H
#define TS_STACK_H

#include <stddef.h>

/* As much as a thread has; what is not touched costs nothing. */
#define TS_STACK_BYTES ((size_t)8 << 20)

/* Returns the memory of one, or NULL if memory is short.  What TSan sees of the call should be
 * hidden. */
void *ts_stack_open(void);
void ts_stack_close(void *stack); /* which may be NULL */

/* Has TSan forget what was touched, for another one to use the stack. */
void ts_stack_forget(void *stack);

#endif
