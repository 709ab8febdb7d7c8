/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes of models: an operation, and what it touches.
 */
#ifndef CK_NODE_H
#define CK_NODE_H

#include "layer-check/model/model.h"

/* Makes the node of an operation.  Returns NULL if memory is short. */
struct ck_node *ck_node_create(const struct ck_survey *survey, const rill_op *op);
void ck_node_release(struct ck_node *node); /* which may be NULL */

#endif
