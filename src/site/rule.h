/* SPDX-License-Identifier: Apache-2.0
 *
 * How to get from a frame of the stack to its caller's, as the compiler wrote it down for
 * the unwinder (.eh_frame).
 */
#ifndef CS_RULE_H
#define CS_RULE_H

#include <stdbool.h>
#include <stdint.h>

/* Holds while the function is at the call that returns to one address.  All numbers are words
 * of the machine.  The canonical frame address (CFA) is what the stack pointer was before
 * the call of the function. */
struct cs_rule {
    uint16_t cfa;           /* its distance from a register            */
    int16_t return_address; /* where the caller's is, from the CFA     */
    int16_t frame_pointer;  /* where the caller's is, if that is saved */
    bool from_frame_pointer; /* counts the CFA from there, not from the stack pointer */
    bool saves_frame_pointer;
};

/* Reads the rule of a return address.  Returns false if there is none, or none so simple. */
bool cs_read_rule(uintptr_t address, struct cs_rule *rule);

/* Does the same in a module whose .eh_frame_hdr is known.  Safe in signal handlers.  `innermost`:
 * the function may have called nobody yet, so that its return address is where the call has put
 * it; on machines that put it into a register, `return_address` is 0 then. */
bool cs_read_rule_in(const uint8_t *header, uintptr_t address, bool innermost,
                     struct cs_rule *rule);

#endif
