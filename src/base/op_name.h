/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kinds of operations are called in sentences, by every backend alike.
 */
#ifndef RL_OP_NAME_H
#define RL_OP_NAME_H

#include <rill/op.h>

/* As in "a copy node"; "unknown" of what is no kind. */
const char *rl_op_name(rill_op_kind kind);

#endif
