/* SPDX-License-Identifier: Apache-2.0
 *
 * Special registers: %tid, %clock64 and their like.  special.c has the table; the reader
 * finds words in it, the lowering the steps that read them.
 */
#ifndef PTX_SPECIAL_H
#define PTX_SPECIAL_H

#include "ptx/crew.h"

struct ptx_special_row {
    const char *word;     /* "%tid"                                                     */
    enum ptx_type type;   /* of a component: PTX_U32, PTX_U64, PTX_PRED                 */
    uint8_t components;   /* 1, or 4 of those with .x .y .z .w                          */
    ptx_run *run;         /* reads component `kind` of special register `target` into d */
};

/* By the id of a struct ptx_special; NULL: there is none. */
const struct ptx_special_row *ptx_special_row(uint8_t id);

/* The register of a word, "%tid" or "%clock64", without a component; false: there is none. */
bool ptx_find_special(const char *word, size_t bytes, struct ptx_special *special);

#endif
