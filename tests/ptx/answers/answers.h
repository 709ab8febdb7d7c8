/* SPDX-License-Identifier: Apache-2.0
 *
 * What a GPU answered: forms of instructions, over operands that a seed decides.
 *
 * measure.sh runs every form on a GPU and writes answers.txt, one line for each:
 *
 *     = hash value value ...<tab>types<tab>instructions       the same bits, all of them
 *     ~ ulps slack value ...<tab>types<tab>instructions       within a range
 *     ! <tab>types<tab>instructions                           the GPU's assembler refuses it
 *
 * test_answers holds the simulator to that file.  What is in it now was measured on an H200
 * with the driver of CUDA 13.0, or below the line that names it, on an H100; PTX promises less in
 * many places, and other GPUs may answer differently there.
 */
#ifndef PTX_GPU_ANSWERS_H
#define PTX_GPU_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ANSWER_ROWS 1024
#define ANSWER_SAMPLES 8       /* values that a line shows, of exact forms      */
#define ANSWER_NEAR_SAMPLES 96 /* and of those within a range                   */

/* A row of the table stands for all ways to choose one of each {a,b,c}; "$1" is what was
 * chosen in the first braces, "$2" in the second.  Of types alone, "$1" may be wider. */
struct answer_row {
    const char *instructions;
    const char *types;   /* of %d, %a, %b, %c, as of machine_apply()            */
    double ulps, slack;  /* apart by so much from the exact value; 0: exact     */
};

extern const struct answer_row answer_rows[];
extern const size_t answer_row_count;

struct answer_form {
    char instructions[400], types[80];
    double ulps, slack;
};

/* Calls back for each form of the table, until it says false. */
bool answer_each(bool (*visit)(void *data, const struct answer_form *form), void *data);

/* Operands of a form, and room for what it leaves, to be freed. */
struct answer_operands {
    size_t bytes[4];
    void *values[4]; /* d, a, b, c */
};

void answer_operands(const struct answer_form *form, struct answer_operands *operands);
void answer_drop(struct answer_operands *operands);

uint64_t answer_hash(const struct answer_operands *operands);

/* Value `row` of the results. */
uint64_t answer_value(const struct answer_operands *operands, size_t row);

/* The row of sample i of so many. */
size_t answer_sample(size_t i, size_t count);

#endif
