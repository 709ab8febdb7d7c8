/* SPDX-License-Identifier: Apache-2.0
 *
 * Special registers, %tid, %clock64 and the like, as words of a text.  The steps that read
 * them are in builtin/special.h.
 */
#ifndef PTX_TEXT_SPECIAL_REGISTERS_H
#define PTX_TEXT_SPECIAL_REGISTERS_H

#include "ptx/text/module.h"

/* The id of a struct ptx_special. */
enum ptx_special_register {
#define PTX_SPECIAL(name, word, type, components) PTX_SR_##name,
#include "ptx/text/special_registers.def"
    PTX_SPECIAL_REGISTERS
};

struct ptx_special_row {
    const char *word;     /* "%tid"                                                     */
    enum ptx_type type;   /* of a component: PTX_U32, PTX_U64, PTX_PRED                 */
    uint8_t components;   /* 1, or 4 of those with .x .y .z .w                          */
};

/* Returns the row of an id, or NULL if there is none. */
const struct ptx_special_row *ptx_special_row(uint8_t id);

/* Finds the register of a word, "%tid" or "%clock64", without a component.  Returns false if
 * there is none. */
bool ptx_find_special(const char *word, size_t bytes, struct ptx_special *special);

#endif
