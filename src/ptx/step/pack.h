/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that pack several registers into one that has room for all of them, and unpack it.
 */
#ifndef PTX_STEP_PACK_H
#define PTX_STEP_PACK_H

#include "ptx/run/machine.h"

/* The parts are in a, b, c, e to be packed into d; the whole is in a to be unpacked into
 * d, b, c, e. */
struct ptx_packing {
    enum ptx_type whole, element;
    uint32_t count;
    ptx_run *pack, *unpack;
};

/* Returns how a register of type `whole` holds `count` others, or NULL if it does not. */
const struct ptx_packing *ptx_find_packing(enum ptx_type whole, uint32_t count);

#endif
