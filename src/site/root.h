/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the stack of a thread begins.
 */
#ifndef CS_ROOT_H
#define CS_ROOT_H

#include <stdbool.h>

/* Tells whether the calling thread is the first one of the process, and its frames lead back to
 * where that began.  In a coroutine they do not, wherever the program has laid its stack.  Takes
 * some microseconds. */
bool cs_leads_to_entry(void);

#endif
