/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/pages/access.h"

#include <stdbool.h>
#include <string.h>
#include <ucontext.h>

#include "layer-check/pages/a64.h"

#define EITHER (RILL_TOUCH_READ | RILL_TOUCH_WRITE)

#if defined(__x86_64__) && defined(REG_ERR)

#define ERROR_IS_WRITE 0x2 /* of the error code of a page fault */

static void read_context(const ucontext_t *context, struct ck_touch *touch)
{
    const greg_t *registers = context->uc_mcontext.gregs;
    touch->how = registers[REG_ERR] & ERROR_IS_WRITE ? RILL_TOUCH_WRITE : RILL_TOUCH_READ;
    touch->instruction = (const void *)(uintptr_t)registers[REG_RIP];
    touch->stack_pointer = (uintptr_t)registers[REG_RSP];
    touch->frame_pointer = (uintptr_t)registers[REG_RBP];
}

#elif defined(__aarch64__) && defined(__linux__)

/* The records that follow the registers: each begins with what it is and how long. */
#define RECORD_OF_ESR 0x45535201u
#define ESR_CLASS(esr) ((esr) >> 26 & 0x3f)
#define DATA_ABORT 0x24u       /* from user mode */
#define ESR_IS_WRITE 0x40u     /* WnR */
#define ESR_IS_CACHE_OP 0x100u /* CM, with which WnR is set in any case */

/* True: the kernel told. */
static bool read_syndrome(const ucontext_t *context, struct ck_touch *touch)
{
    const unsigned char *records = context->uc_mcontext.__reserved;
    size_t bytes = sizeof context->uc_mcontext.__reserved;
    for (size_t at = 0; at + 16 <= bytes;) {
        uint32_t head[2];
        uint64_t esr;
        memcpy(head, records + at, sizeof head);
        memcpy(&esr, records + at + sizeof head, sizeof esr);
        if (!head[0] || head[1] < sizeof head) break;
        if (head[0] == RECORD_OF_ESR) {
            if (ESR_CLASS(esr) == DATA_ABORT && !(esr & ESR_IS_CACHE_OP))
                touch->how = esr & ESR_IS_WRITE ? RILL_TOUCH_WRITE : RILL_TOUCH_READ;
            return true;
        }
        at += head[1];
    }
    return false;
}

static void read_context(const ucontext_t *context, struct ck_touch *touch)
{
    touch->instruction = (const void *)(uintptr_t)context->uc_mcontext.pc;
    touch->stack_pointer = (uintptr_t)context->uc_mcontext.sp;
    touch->frame_pointer = (uintptr_t)context->uc_mcontext.regs[29];
    touch->link = (uintptr_t)context->uc_mcontext.regs[30];
    /* The instruction itself is what cannot be read, after a jump to nowhere. */
    if (read_syndrome(context, touch) || touch->address == touch->instruction) return;
    uint32_t code;
    memcpy(&code, touch->instruction, sizeof code);
    touch->how = ck_a64_touch(code);
}

#elif defined(__riscv) && defined(__linux__)

/* The kernel does not tell, but the instruction does.  Of 16 bits: bit 15 is set in the stores
 * among the loads and stores, which are all that touch memory. */
static uint32_t how_of(const void *instruction)
{
    uint16_t half[2];
    memcpy(&half[0], instruction, sizeof half[0]);
    if ((half[0] & 3) != 3) return half[0] & 0x8000 ? RILL_TOUCH_WRITE : RILL_TOUCH_READ;
    memcpy(&half[1], (const char *)instruction + 2, sizeof half[1]);
    switch (half[0] & 0x7f) {
    case 0x03: case 0x07: return RILL_TOUCH_READ;  /* loads of integers and floats */
    case 0x23: case 0x27: return RILL_TOUCH_WRITE; /* stores */
    case 0x2f: return half[1] >> 11 == 2 ? RILL_TOUCH_READ : EITHER; /* lr; sc and amo */
    default: return EITHER;
    }
}

static void read_context(const ucontext_t *context, struct ck_touch *touch)
{
    const unsigned long *registers = context->uc_mcontext.__gregs;
    touch->instruction = (const void *)registers[REG_PC];
    touch->stack_pointer = registers[REG_SP];
    touch->frame_pointer = registers[REG_S0];
    touch->link = registers[REG_RA];
    /* The instruction itself is what cannot be read, after a jump to nowhere. */
    if (touch->address != touch->instruction) touch->how = how_of(touch->instruction);
}

#else

static void read_context(const ucontext_t *context, struct ck_touch *touch)
{
    (void)context, (void)touch;
}

#endif

struct ck_touch ck_access_read(const siginfo_t *info, const void *context)
{
    struct ck_touch touch = { .address = info->si_addr, .how = EITHER };
    read_context(context, &touch);
    return touch;
}
