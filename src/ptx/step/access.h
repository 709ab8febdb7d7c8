/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of ld and st.
 *
 * A step has the addresses in `a` (PTX_NO_COLUMN if `immediate` is the address), the elements
 * of a vector in `width`, where it goes to in `kind` (run/memory.h); a single value is in d
 * (ld) or b (st), the values of a vector are in the columns that `more` lists.
 */
#ifndef PTX_STEP_ACCESS_H
#define PTX_STEP_ACCESS_H

#include "ptx/run/vectorize.h"
#include "ptx/run/memory.h"

/* Return the step for an element of `memory` bytes and a register of `register_bytes`, or
 * NULL if there is none. */
ptx_run *ptx_load_step(uint32_t memory, uint32_t register_bytes, bool is_signed);
ptx_run *ptx_store_step(uint32_t memory, uint32_t register_bytes);

#endif
