/* SPDX-License-Identifier: Apache-2.0
 *
 * Products and sums that are one instruction on hardware.  PTX leaves it open whether a mul and an
 * add of floats that name no rounding are rounded once or twice; NVIDIA's assembler, also that of
 * the driver, makes an fma of them wherever it can, so that is what programs get.
 */
#ifndef PTX_LOWER_CONTRACT_H
#define PTX_LOWER_CONTRACT_H

#include "ptx/lower/state.h"

/* Finds the sums of the function that take a product in: `instead` of the lowering has the fma
 * for each of them, and the mark below for each such product, which is no instruction then. */
rill_status ptx_lower_contract(struct ptx_lowering *lowering);

extern const struct ptx_instruction ptx_contracted_away;

#endif
