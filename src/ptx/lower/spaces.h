/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions that deal with addresses but access no memory.
 */
#ifndef PTX_LOWER_SPACES_H
#define PTX_LOWER_SPACES_H

#include "ptx/lower/memory_operand.h"

rill_status ptx_lower_cvta(struct ptx_lowering *lowering,
                           const struct ptx_instruction *instruction,
                           const struct ptx_form *form);
rill_status ptx_lower_isspacep(struct ptx_lowering *lowering,
                               const struct ptx_instruction *instruction,
                               const struct ptx_form *form);
rill_status ptx_lower_hint(struct ptx_lowering *lowering,
                           const struct ptx_instruction *instruction,
                           const struct ptx_form *form);
rill_status ptx_lower_policy(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction,
                             const struct ptx_form *form);

#endif
