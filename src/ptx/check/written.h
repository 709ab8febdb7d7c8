/* SPDX-License-Identifier: Apache-2.0
 *
 * Which bytes of a memory were written: a bit for each.
 */
#ifndef PTX_CHECK_WRITTEN_H
#define PTX_CHECK_WRITTEN_H

#include "ptx/check/pages.h"

/* All zeros: nothing was written. */
struct ptx_written {
    struct ptx_pages pages;
};

/* Notes that bytes were written, or that nothing of them is any more. */
void ptx_written_add(struct ptx_written *written, uint64_t address, uint64_t bytes,
                     struct ptx_allowance *allowance);
void ptx_written_remove(struct ptx_written *written, uint64_t address, uint64_t bytes);

/* Returns true if some of up to 16 bytes were written, or if that is not known. */
bool ptx_written_any(struct ptx_written *written, uint64_t address, uint32_t bytes,
                     const struct ptx_allowance *allowance);

#endif
