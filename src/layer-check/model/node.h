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

/* Has a hull hold the memory of the host's that a node copies from or to. */
void ck_hull_add(struct ck_hull *hull, const struct ck_node *node);

#endif
