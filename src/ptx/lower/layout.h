/* SPDX-License-Identifier: Apache-2.0
 *
 * How the functions of a module depend on each other: which calls which, which of them are
 * lowered, and where the shared variables lie.
 *
 * A function has one place for each shared variable that it names, whichever kernel it runs
 * for.  So kernels that share functions with shared variables share a layout; all others
 * have theirs from 0.
 */
#ifndef PTX_LOWER_LAYOUT_H
#define PTX_LOWER_LAYOUT_H

#include "ptx/run/program.h"
#include "ptx/text/arena.h"

#define LOWER_MOST_STATIC 232448u /* bytes of the shared variables of a kernel on any device  */

struct lower_layout {
    const struct ptx_module *module;
    struct ptx_arena *arena;    /* of all that is here                                  */
    struct ptx_refusal *refusal;
    bool *runs;                 /* by function: it is lowered                           */
    uint32_t **shared;          /* by function, by variable of its body: offsets        */
    uint32_t *module_places;    /* by variable of the module, of .shared and .local     */
    uint32_t module_local;      /* bytes of its .local variables, which each thread has */
    uint32_t *dynamic;          /* by function: where dynamic shared memory begins      */

    /* A node for each function; after them one for what is called through addresses; after
     * that, for uses of variables alone, one for each variable of the module. */
    uint32_t nodes;
    uint32_t *first_call;       /* by node: its edges                                   */
    struct lower_edge *calls;
    uint32_t call_count, call_room;
    uint32_t *first_user;       /* by node: the same edges from their other ends        */
    uint8_t *touches;           /* by node: shared memory, or calls what does           */
    uint32_t *aligns;           /* by node: to what dynamic shared memory, if it names that */
    uint32_t *set;              /* by node: of those that share a layout                */
    uint64_t *set_end;          /* by node: of the set that it stands for               */
    uint32_t *list, *mark;      /* by node: for walks                                   */
    uint32_t patience;          /* edges that may still be followed for kernels alone   */
};

struct lower_edge {
    uint32_t from, to, next_call, next_user;
};

/* Writes one sentence about a place and returns `status`. */
rill_status ptx_lower_refuse(struct ptx_refusal *refusal, const struct ptx_place *place,
                             const char *what, rill_status status, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Does the same when memory is short for something that is not one function's. */
rill_status ptx_lower_refuse_memory(struct ptx_refusal *refusal);

/* Finds which functions call which, as edges. */
rill_status ptx_lower_find_calls(struct lower_layout *layout);

/* Marks in `seen` what can be reached from a node; `list` has room for all nodes. */
void ptx_lower_reach(const struct lower_layout *layout, uint32_t node, bool *seen,
                     uint32_t *list);

/* Finds, for each node, how deep calls inside calls go, without those that lead back to a function
 * on the way.  `depths`, `next` and `list` have room for all nodes. */
void ptx_lower_measure(const struct lower_layout *layout, uint32_t *depths, uint32_t *next,
                       uint32_t *list);

rill_status ptx_lower_layout(const struct ptx_module *module,
                             const struct ptx_linkage *linkage, struct ptx_arena *arena,
                             struct ptx_refusal *refusal, struct lower_layout *layout);

/* Returns the bytes of the shared variables that a kernel can reach, as if it were alone; if
 * finding them takes too long, the bytes of all that share its layout. */
uint32_t ptx_lower_shared_of(struct lower_layout *layout, uint32_t kernel);

#endif
