/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of the host that all devices reach: pinned, or managed.  A layer may have it mapped
 * twice (views.h).
 */
#ifndef SIM_HOST_MEMORY_H
#define SIM_HOST_MEMORY_H

#include "backend-sim/machine/machine.h"
#include "backend-sim/memory/address_map.h"

/* Makes an allocation that is not in the map yet, of the kind `split` where memory is mapped
 * twice.  Returns NULL if the host has not so many bytes. */
struct allocation *sim_shared_make(struct sim_context *context, size_t bytes,
                                   enum allocation_kind kind, enum allocation_kind split);

/* Removes claimed memory from the map once the work of the context that made it is done, and
 * frees it.  `info` is what the claim told. */
rill_status sim_shared_release(struct sim_platform *platform, struct allocation *allocation,
                               const struct address_info *info);

/* ---- What other contexts may still use (deferred_free.c) -------------------------------- */

/* Frees memory from rl_alloc_aligned(), at once or when no work can use it any more. */
void sim_defer_free(struct sim_platform *platform, void *bytes);

/* Frees what was deferred.  Requires that nothing runs. */
void sim_deferred_frees_close(struct sim_platform *platform);

#endif
