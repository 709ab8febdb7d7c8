/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions as nodes.
 */
#ifndef TS_GRAPH_H
#define TS_GRAPH_H

#include "layer-tsan/slots/teller.h"

/* Copies the operation of a node, with the layer between it and the backend if it is a function.
 * If memory is short, it is refused, and what it owns given back. */
rill_status ts_wrap_node(const void *object, const rill_op *given, rill_op *op);

#endif
