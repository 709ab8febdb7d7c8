/* SPDX-License-Identifier: Apache-2.0
 *
 * JUMP(name, number): a function that goes where place `number` says, with whatever arguments it
 * was called with and whatever it is to return.  Read by the assembler and by C.
 */
#ifndef SI_JUMP_H
#define SI_JUMP_H

#ifdef __ASSEMBLER__
#if defined(__x86_64__)
#ifdef __CET__
#include <cet.h>
#else
#define _CET_ENDBR
#endif
#define GO(number) _CET_ENDBR; jmp *si_older_places + 8 * number(%rip)
#elif defined(__aarch64__)
/* The first is `bti c`, and nothing on processors without it. */
#define GO(number)                           \
    hint 34;                                 \
    adrp x16, si_older_places + 8 * number;  \
    ldr x16, [x16, :lo12:si_older_places + 8 * number]; \
    br x16
#elif defined(__riscv) && __riscv_xlen == 64
#define GO(number) ld t3, si_older_places + 8 * number; jr t3
#endif

#define JUMP(name, number)    \
    .globl name;              \
    .type name, %function;    \
    .balign 4;                \
    name:                     \
    .cfi_startproc;           \
    GO(number);               \
    .cfi_endproc;             \
    .size name, . - name

.hidden si_older_places
.section .note.GNU-stack, "", %progbits
.text
#else
extern __attribute__((visibility("hidden"))) void (*si_older_places[])(void);
#endif

#endif
