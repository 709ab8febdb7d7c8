/* SPDX-License-Identifier: Apache-2.0
 *
 * Linking: several modules become one.  What one declares .extern another defines, in
 * whatever order they come; what is neither .visible nor .weak nor .common is its module's
 * own, whoever else has that name.
 *
 *     definitions of one name    which one stands
 *     .visible and .visible      refused
 *     .visible and .weak         the visible one
 *     .weak and .weak            the first
 *     .common and .common        the larger one; only that may begin with a value
 *     .common and another        the other one, which must be no smaller
 *
 * Declarations and definitions agree on what they are: function, kernel, or variable of a
 * space; on the size of a variable, unless it is declared as an array without a length; and
 * on parameters, where the function is used.  Alignments may differ: the widest is kept.
 * What no kernel and no variable leads to is left out, and with it the functions that it
 * lacks.  A variable that is declared must be defined, though nobody uses it.
 *
 * The rules are those of nvlink of CUDA 13.0, asked for each of them; the statuses, and that
 * no variable may be lacking, are those of an H200's driver (580).
 */
#ifndef PTX_LINK_LINKER_H
#define PTX_LINK_LINKER_H

#include "ptx/text/module.h"

struct ptx_linker;

/* NULL: there is no memory.  Limits as a reader has them; NULL: none. */
struct ptx_linker *ptx_linker_open(const struct ptx_limits *limits);
void ptx_linker_close(struct ptx_linker *linker);

/* Another input, which the linker takes over if it succeeds; refused, all is as it was.
 * `name` is what messages call it; NULL: by its number.  RILL_ERROR_INVALID_SOURCE: it does
 * not fit what is there.  RILL_ERROR_UNKNOWN: a .common variable with a value is smaller than
 * another one of its name. */
rill_status ptx_linker_add(struct ptx_linker *linker, struct ptx_module *input, const char *name,
                           struct ptx_refusal *refusal);

/* All of them as one module, which outlives the linker.  Nothing can be added then.
 * RILL_ERROR_INVALID_SOURCE: something is used, or a variable declared, and nowhere defined. */
rill_status ptx_linker_finish(struct ptx_linker *linker, struct ptx_module **module,
                              struct ptx_refusal *refusal);

/* Reads and links texts, each of which ends with a zero. */
rill_status ptx_read_linked(const char *texts, size_t bytes, const struct ptx_limits *limits,
                            struct ptx_module **module, struct ptx_refusal *refusal);

#endif
