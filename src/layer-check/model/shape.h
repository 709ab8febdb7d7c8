/* SPDX-License-Identifier: Apache-2.0
 *
 * The shape of an exec: its nodes in a line in which each comes after those that it depends
 * on, the edges, and the bodies of conditionals.  Child graphs and bodies are laid out in it,
 * each between the begin and the end of its node.  A shape never changes.
 */
#ifndef CK_SHAPE_H
#define CK_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Nodes are counted from 1; 0 is none. */
struct ck_place {
    uint32_t begin, end; /* of the edges to its successors                          */
    uint32_t body;       /* the conditional whose body it is in, or 0               */
    uint32_t loop;       /* how many bodies it is in                                */
    bool is_end;         /* of a child graph or a conditional: no node of its own   */
};

struct ck_shape {
    uint32_t references; /* the checker's lock */
    uint32_t count, edge_count;
    struct ck_place *places; /* by number; the first stands for none */
    uint32_t *successors;
    uint32_t *numbers;       /* by the number that a watcher knows: ours; or NULL */
    size_t number_count;
    uint64_t **reached;      /* by number: bits of the nodes before it; made when first asked,
                                and NULL in large shapes.  The checker's lock */
    uint32_t *marks, *stack; /* for searches, where nobody could be told that memory is short;
                                the checker's lock */
    uint32_t last_mark;
};

/* An edge, while a shape is made. */
struct ck_edge {
    uint32_t from, to;
};

/* Makes a shape of places, whose `begin` and `end` are filled in, and edges between them; both
 * are taken over.  `order` receives the number of each place in the shape, which differs from
 * the given one if an edge leads backwards.  Returns NULL, and frees both, if memory is short or
 * there is a cycle. */
struct ck_shape *ck_shape_create(struct ck_place *places, uint32_t count, struct ck_edge *edges,
                                 uint32_t edge_count, uint32_t *order);

void ck_shape_release(struct ck_shape *shape); /* which may be NULL */

/* Tells whether there is a path. */
bool ck_shape_reaches(struct ck_shape *shape, uint32_t from, uint32_t to);

#endif
