/* SPDX-License-Identifier: Apache-2.0
 *
 * What the core and every backend know about each kind of operation.
 */
#ifndef RL_OP_KIND_H
#define RL_OP_KIND_H

#include <rill/op.h>

/* The kinds are numbered from 0 without gaps. */
enum { RL_OP_KINDS = RILL_OP_CONDITIONAL + 1 };

struct rl_op_kind {
    const char *word; /* "copy", as in "a copy node" */
    /* Destroys what such an operation owns when the call that it was passed to is refused.
     * NULL if it owns nothing. */
    void (*give_back)(const rill_op *op);
};

/* Returns the kind's word, or "unknown" for a number that is no kind. */
const char *rl_op_name(rill_op_kind kind);

/* Destroys what an operation owns, for a call that is refused.  Accepts NULL and
 * numbers that are no kind. */
void rl_op_give_back(const rill_op *op);

#endif
