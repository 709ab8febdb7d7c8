/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps by themselves: the function of a form's row over columns, without a module.
 */
#ifndef PTX_STEPS_H
#define PTX_STEPS_H

#include "ptx/step/form.h"
#include "support/cmocka_all.h"

/* Each table is there once for every processor, and once more for those with AVX2. */
enum steps_set { STEPS_PLAIN, STEPS_AVX2 };

/* False: this processor cannot run that set, or it was not built. */
bool steps_has(enum steps_set set);

/* The first row of the tables that serves "add.rn.ftz.f32"; NULL: there is none.  Of rows
 * that are told apart by how many sources there are, the first. */
const struct ptx_form *steps_find(const char *instruction, enum steps_set set);

/* Lanes that run; NULL instead of them: all. */
struct steps_lanes {
    const struct ptx_range *ranges;
    uint32_t count;
};

/* Applies an instruction to `count` rows of operands, which have the size of their types.
 * It rounds as its modifiers say. */
void steps_apply(const char *instruction, enum steps_set set, size_t count, void *d,
                 const void *a, const void *b, const void *c);

/* The same of an instruction with so many sources. */
void steps_apply_of(const char *instruction, enum steps_set set, int sources, size_t count, void *d,
                    const void *a, const void *b, const void *c);

/* The same over at most a bundle of lanes, some of them only, and with the destination in
 * the column of an operand: 0, or 'a', 'b', 'c'. */
void steps_apply_some(const char *instruction, enum steps_set set, size_t count,
                      const struct steps_lanes *lanes, char alias, void *d, const void *a,
                      const void *b, const void *c);

#endif
