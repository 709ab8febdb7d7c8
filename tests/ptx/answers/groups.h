/* SPDX-License-Identifier: Apache-2.0
 *
 * What a GPU answered to wgmma: products of four warps, whose factors lie in shared memory as
 * descriptors say.
 *
 * A form runs over GROUPS blocks of 128 threads, one for each kind of values.  The shared memory of
 * a block is filled with numbers, those of the first factor and behind them those of the second;
 * the descriptors of the instruction are constants that begin at "A" and at "B".  "E" is a register
 * that says which elements a sparse factor has.
 */
#ifndef PTX_GPU_GROUPS_H
#define PTX_GPU_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GROUPS 8
#define GROUP_THREADS 128
#define GROUP_OPERANDS 4

struct group_form {
    char instruction[300];  /* "...m64n8k16.f32.f16.f16 D, A+0x..., B+0x..., p, 1, 1, 0, 0" */
    char types[GROUP_OPERANDS][8]; /* of d, a, b and e                                     */
    unsigned registers;     /* of d, in each thread                                        */
    bool from_registers;    /* the first factor: four of them                              */
    size_t bytes[GROUP_OPERANDS]; /* of a block: d, a, b, e                                */
    unsigned char *values[GROUP_OPERANDS]; /* of all blocks; d is the first addend, and then the
                               result                                                      */
};

/* Visits the forms until one returns false. */
bool group_each(bool (*visit)(void *data, struct group_form *form), void *data);

/* Fills operands from a seed; group_drop() frees them. */
void group_operands(struct group_form *form);
void group_drop(struct group_form *form);

/* Returns a module whose kernel "group" takes d, a, b, e; to be freed. */
char *group_text(const struct group_form *form);

uint64_t group_hash(const struct group_form *form);

#endif
