/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphviz text on its way to the caller, in pieces.  Words, shapes and orders are the
 * driver's, so that programs that read its text can read this; labels, and what edges carry,
 * are added, since the driver has no words for them.  This is the header of all dot files.
 */
#ifndef SIM_DOT_H
#define SIM_DOT_H

#include "backend-sim/graph/graph.h"

#define DOT_PIECE 1024

struct dot {
    rill_write_fn write;
    void *data;
    uint32_t flags;
    const struct sim_graph *graph; /* whose nodes are written             */
    uint32_t *ranks;               /* of its nodes, by slot, or NULL      */
    bool failed;                   /* `write` refused a piece             */
    size_t used;
    char piece[DOT_PIECE];
};

static inline bool sim_dot_wants(const struct dot *dot, uint32_t flag)
{
    return dot->flags & (flag | RILL_DOT_VERBOSE);
}

static inline bool sim_dot_has_handles(const struct dot *dot)
{
    return sim_dot_wants(dot, RILL_DOT_HANDLES);
}

/* Writes text as it is. */
void sim_dot_put(struct dot *dot, const char *text);
void sim_dot_print(struct dot *dot, const char *format, ...) RILL_PRINTF_FORMAT(2, 3);

/* Writes text, whatever it holds, within double quotes, and there within a field of a
 * record. */
void sim_dot_quote(struct dot *dot, const char *text);
void sim_dot_field(struct dot *dot, const char *text);

/* Hands the rest of the text to the caller. */
void sim_dot_flush(struct dot *dot);

/* ---- Graphs ------------------------------------------------------------------------------ */

/* The slot of the backend's table. */
rill_status sim_graph_write_dot(rill_graph *handle, uint32_t flags, rill_write_fn write,
                                void *data);

/* ---- Nodes ------------------------------------------------------------------------------- */

/* Writes the attributes of a node, from its bracket to its semicolon. */
void sim_dot_node(struct dot *dot, uint32_t slot);

/* Writes "3", or "3 (topoId: 5)". */
void sim_dot_id(struct dot *dot, uint32_t slot);

void sim_dot_handle(struct dot *dot, const void *handle);
void sim_dot_address(struct dot *dot, uint64_t address);

/* ---- For the kinds: boxes ------------------------------------------------------------------
 *
 * A box holds a number, a word for what the node does, and lines that the flags ask for. */

void sim_dot_box_begin(struct dot *dot, uint32_t slot, const char *style, const char *shape);

/* Writes the lines that any node has after its word. */
void sim_dot_box_common(struct dot *dot, uint32_t slot);
void sim_dot_box_handle(struct dot *dot, const char *what, const void *handle);
void sim_dot_box_end(struct dot *dot);

/* Begins a box that holds only a word and the common lines. */
void sim_dot_box_plain(struct dot *dot, uint32_t slot, const char *word);

/* ---- For the kinds: records ----------------------------------------------------------------- */

void sim_dot_record_begin(struct dot *dot, const char *style, const char *word);

/* Writes a row for the label if the node has one. */
void sim_dot_record_label(struct dot *dot, uint32_t slot);

/* Writes what a row begins with: "| {{ID | node handle`names`} | {3 | 0x5". */
void sim_dot_record_id(struct dot *dot, uint32_t slot, const char *names);
void sim_dot_record_end(struct dot *dot);

#endif
