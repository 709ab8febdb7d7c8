/* SPDX-License-Identifier: Apache-2.0
 *
 * Linking: several modules become one.  What one declares .extern another defines, in
 * whatever order they come; what is neither .visible nor .weak nor .common is private to its
 * module, even if other modules have that name.
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
 * on parameters, if the function is used.  Alignments may differ: the widest is kept.
 * What no kernel and no variable leads to is left out, and with it the undefined functions
 * that it names.  A variable that is declared must be defined, even if it is not used.
 *
 * The rules are those of nvlink of CUDA 13.0, each of them measured; the statuses, and that
 * every declared variable must be defined, are those of an H200's driver (580).
 */
#ifndef PTX_LINK_LINKER_H
#define PTX_LINK_LINKER_H

#include "ptx/text/module.h"

struct ptx_linker;

/* Returns NULL if there is no memory.  The limits are those of a reader; NULL for none. */
struct ptx_linker *ptx_linker_open(const struct ptx_limits *limits);
void ptx_linker_close(struct ptx_linker *linker);

/* Adds an input, which the linker owns if it succeeds; if it is refused, nothing has changed.
 * `name` is what messages call it; NULL stands for its number.  Returns
 * RILL_ERROR_INVALID_SOURCE if the input does not fit what is there, RILL_ERROR_UNKNOWN if a
 * .common variable with a value is smaller than another one of its name. */
rill_status ptx_linker_add(struct ptx_linker *linker, struct ptx_module *input, const char *name,
                           struct ptx_refusal *refusal);

/* Makes all inputs one module, which outlives the linker; nothing can be added afterwards.
 * Returns RILL_ERROR_INVALID_SOURCE if something is used, or a variable declared, and nowhere
 * defined. */
rill_status ptx_linker_finish(struct ptx_linker *linker, struct ptx_module **module,
                              struct ptx_refusal *refusal);

/* Reads and links texts, each of which ends with a zero. */
rill_status ptx_read_linked(const char *texts, size_t bytes, const struct ptx_limits *limits,
                            struct ptx_module **module, struct ptx_refusal *refusal);

#endif
