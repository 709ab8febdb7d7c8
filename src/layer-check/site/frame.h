/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames of the stack, by the rules of rule.h.
 */
#ifndef CK_FRAME_H
#define CK_FRAME_H

#include <string.h>

#include "layer-check/site/rule.h"

/* A frame at its call: its registers, and where the call returns to. */
struct ck_frame {
    const uintptr_t *stack_pointer, *frame_pointer;
    uintptr_t address;
};

static inline const uintptr_t *ck_pointer_at(const uintptr_t *at)
{
    const uintptr_t *pointer;
    memcpy(&pointer, at, sizeof pointer);
    return pointer;
}

/* Makes of a frame its caller's. */
static inline void ck_go_to_caller(struct ck_frame *frame, struct ck_rule rule)
{
    const uintptr_t *cfa =
        (rule.from_frame_pointer ? frame->frame_pointer : frame->stack_pointer) + rule.cfa;
    frame->address = cfa[rule.return_address];
    if (rule.saves_frame_pointer) frame->frame_pointer = ck_pointer_at(cfa + rule.frame_pointer);
    frame->stack_pointer = cfa;
}

#endif
