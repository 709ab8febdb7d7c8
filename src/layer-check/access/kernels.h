/* SPDX-License-Identifier: Apache-2.0
 *
 * What is wrong within kernels, as the backend tells it.
 */
#ifndef CK_KERNELS_H
#define CK_KERNELS_H

#include <rill/backend.h>

#include "layer-check/access/verdict.h"

/* Lists a finding of the kernel that a step runs.  Returns false if memory is short. */
bool ck_kernels_tell(struct ck_verdicts *verdicts, const struct ck_memory *memory,
                     const struct ck_step *step, const rill_kernel_finding *found);

#endif
