/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames of the stack, by the rules of rule.h.
 */
#ifndef CS_FRAME_H
#define CS_FRAME_H

#include <string.h>

#include "site/rule.h"

/* A frame at its call: its registers, and where the call returns to. */
struct cs_frame {
    const uintptr_t *stack_pointer, *frame_pointer;
    uintptr_t address;
};

static inline const uintptr_t *cs_pointer_at(const uintptr_t *at)
{
    const uintptr_t *pointer;
    memcpy(&pointer, at, sizeof pointer);
    return pointer;
}

/* Makes of a frame its caller's. */
static inline void cs_go_to_caller(struct cs_frame *frame, struct cs_rule rule)
{
    const uintptr_t *cfa =
        (rule.from_frame_pointer ? frame->frame_pointer : frame->stack_pointer) + rule.cfa;
    frame->address = cfa[rule.return_address];
    if (rule.saves_frame_pointer) frame->frame_pointer = cs_pointer_at(cfa + rule.frame_pointer);
    frame->stack_pointer = cfa;
}

#endif
