/* SPDX-License-Identifier: Apache-2.0
 *
 * What shfl, vote, match, redux, elect, bar.warp and activemask compute from the lanes of a
 * warp.
 */
#ifndef PTX_RUN_WARP_WARP_OP_H
#define PTX_RUN_WARP_WARP_OP_H

#include "ptx/run/machine.h"

/* What a warp operation computes; the step's `kind`. */
enum ptx_warp_op_kind {
    PTX_SHFL_UP, PTX_SHFL_DOWN, PTX_SHFL_BFLY, PTX_SHFL_IDX,
    PTX_VOTE_ALL, PTX_VOTE_ANY, PTX_VOTE_UNI, PTX_VOTE_BALLOT,
    PTX_MATCH_ANY, PTX_MATCH_ALL,
    PTX_REDUX_ADD, PTX_REDUX_MIN_U, PTX_REDUX_MAX_U, PTX_REDUX_MIN_S, PTX_REDUX_MAX_S,
    PTX_REDUX_AND, PTX_REDUX_OR, PTX_REDUX_XOR,
    PTX_ELECT, PTX_BAR_WARP
};

/* The sources of a warp's lanes, indexed by lane, and the results. */
struct ptx_warp_op {
    uint32_t lanes;            /* that take part                                       */
    uint32_t bytes;            /* of an element of `a`: 1, 4 or 8                      */
    const void *a;
    const uint32_t *b, *c;
    uint32_t word[PTX_WARP];   /* for column d, ...                                    */
    uint8_t flag[PTX_WARP];    /* ... and for e, or for d where that is a predicate    */
};

/* Who reads from whom in a shuffle of which all lanes ask the same. */
struct ptx_shuffle {
    uint32_t from[PTX_WARP];   /* the lane itself if the other one is outside its segment  */
    uint8_t inside[PTX_WARP];
};

void ptx_shuffle_find(uint8_t kind, uint32_t b, uint32_t c, struct ptx_shuffle *shuffle);

/* Computes the step's results for these lanes. */
void ptx_warp_op_compute(struct ptx_warp_op *op, const struct ptx_step *step);

/* Take warp operations without .sync: for the lanes that happen to be there. */
ptx_run ptx_unsynced_step, ptx_activemask_step;

#endif
