/* SPDX-License-Identifier: Apache-2.0
 *
 * From where to where in the text of a function its columns are needed.
 */
#ifndef PTX_LOWER_LIVENESS_H
#define PTX_LOWER_LIVENESS_H

#include "ptx/lower/state.h"

/* Instruction i reads at place 2i and writes at 2i + 1; if it takes several steps it does
 * both at both. */
struct lower_span {
    uint32_t from, to; /* both included; PTX_NONE if needed throughout                 */
};

struct lower_live {
    struct lower_span *spans; /* by column                                             */
    uint32_t places;
};

/* Finds the span of each column, and which columns may be read before they are written
 * (`cleared`). */
rill_status ptx_lower_live(struct ptx_lowering *lowering, struct lower_live *live);

#endif
