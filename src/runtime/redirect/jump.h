/* SPDX-License-Identifier: Apache-2.0
 *
 * Jumps out of functions of other libraries.
 */
#ifndef REDIRECT_JUMP_H
#define REDIRECT_JUMP_H

#include <stdint.h>

/* Lets the function at an address, which has so many bytes of room, begin with a jump to the
 * target.  Returns 0 if that is too little.  Requires that its code can be written. */
int jump_write(uintptr_t at, uint64_t bytes, const void *target);

#endif
