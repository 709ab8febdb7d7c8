/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading PTX in a test: what is good, and what is refused, where and why.
 */
#ifndef PTX_READING_H
#define PTX_READING_H

#include "support/cmocka_all.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/text/module.h"

/* Three lines: what a test writes begins in the fourth. */
#define HEAD ".version 9.0\n.target sm_90\n.address_size 64\n"

/* A kernel with some registers; what a test writes in it begins in line 6, column 1. */
#define BEGIN \
    ".visible .entry k(.param .u64 p)\n" \
    "{ .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>; .reg .f32 %f<9>;\n"
#define END "\n}\n"

/* What is behind HEAD is read without a complaint; or the test fails and shows it. */
struct ptx_module *reading(const char *text);

/* The same in a kernel, whose function is given. */
struct ptx_module *reading_kernel(const char *body, const struct ptx_function **function);

/* What is behind HEAD is refused just there, with a sentence that has these words. */
struct refused {
    const char *text;
    uint32_t line, column;
    const char *words;
};

void reading_is_refused(const struct refused *cases, size_t count);
void reading_in_kernel_is_refused(const struct refused *cases, size_t count);

/* NULL: there is none of this name. */
const struct ptx_function *reading_function(const struct ptx_module *module, const char *name);

/* All of a file, with a zero behind it.  NULL: there is none. */
char *reading_file(const char *path, size_t *bytes);

/* The function's instruction of this number, with that many operands. */
const struct ptx_instruction *reading_instruction(const struct ptx_function *function,
                                                  uint32_t number, enum ptx_opcode opcode,
                                                  uint32_t operands);

#endif
