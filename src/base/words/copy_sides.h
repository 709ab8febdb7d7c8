/* SPDX-License-Identifier: Apache-2.0
 *
 * What the memory of a copy or a fill says of how the host may rely on it, for layers that follow
 * what a program is promised.
 */
#ifndef RL_COPY_SIDES_H
#define RL_COPY_SIDES_H

#include <rill/backend.h>

#include <stdbool.h>

/* Describes the memory at an address as the backend beneath knows it now; `known` is 0 if the
 * backend does not. */
rill_pointer_info rl_memory_at(const struct rill_backend *beneath, rill_context *context,
                               rill_devptr address);

/* Tells whether a side of a copy is memory of the host. */
bool rl_side_is_host(const rill_place *place, const rill_pointer_info *info);

/* Tells whether a synchronous call returns only when it is done with this memory. */
bool rl_memory_ends_call(const rill_pointer_info *info);

/* Tells whether a copy moves nothing. */
bool rl_copy_is_empty(const rill_copy *copy);

#endif
