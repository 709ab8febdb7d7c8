/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphviz text on its way to whoever asked for it, in pieces.
 */
#ifndef SIM_DOT_H
#define SIM_DOT_H

#include "backend-sim/graph.h"

#define DOT_PIECE 1024

struct dot {
    rill_write_fn write;
    void *data;
    uint32_t flags;
    uint32_t graphs; /* written so far; names them */
    bool failed;     /* `write` wants no more      */
    size_t used;
    char piece[DOT_PIECE];
};

/* As it is. */
void sim_dot_put(struct dot *dot, const char *text);
void sim_dot_print(struct dot *dot, const char *format, ...) RILL_PRINTF_FORMAT(2, 3);

/* Within double quotes, whatever it holds. */
void sim_dot_quote(struct dot *dot, const char *text);
void sim_dot_flush(struct dot *dot);

/* What a node does, as lines of its label, as far as the flags ask (dot_op.c). */
void sim_dot_op(struct dot *dot, const struct task *task);

#endif
