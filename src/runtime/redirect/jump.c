/* SPDX-License-Identifier: Apache-2.0
 *
 * A jump to anywhere, written over the beginning of a function.
 */
#include "jump.h"

#include <string.h>

#if defined(__x86_64__)
static const unsigned char jump_code[] = { 0xff, 0x25, 0, 0, 0, 0 }; /* jmp *0(%rip) */
#elif defined(__aarch64__)
static const unsigned char jump_code[] = { 0x50, 0, 0, 0x58, 0, 0x02, 0x1f, 0xd6 };
#else
static const unsigned char jump_code[1];
#define NO_JUMP 1
#endif

enum { JUMP_BYTES = sizeof jump_code + sizeof(void *) };

int jump_write(uintptr_t at, uint64_t bytes, const void *target)
{
#ifdef NO_JUMP
    return (void)at, (void)bytes, (void)target, 0;
#endif
    if (bytes < JUMP_BYTES) return 0;
    memcpy((void *)at, jump_code, sizeof jump_code);
    memcpy((char *)at + sizeof jump_code, &target, sizeof target);
    __builtin___clear_cache((char *)at, (char *)at + JUMP_BYTES);
    return 1;
}
