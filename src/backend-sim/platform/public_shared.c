/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of <rill/sim.h> on memory that processes share.
 */
#include <string.h>

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/platform/public.h"
#include "backend-sim/vmem/shared.h"

/* Checks the context and what is not to be NULL. */
static rill_status enter(rill_context *context, const char *argument, const void *pointer,
                         struct sim_platform **platform)
{
    rill_status status =
        rill_backend_check(&rl_backend_sim, context, RILL_OBJECT_CONTEXT, "context");
    if (status) return status;
    *platform = sim_context_of(context)->platform;
    status = sim_enter(*platform, CALL_MAKE);
    if (!status && !pointer)
        status = rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument, "%s is NULL", argument);
    return status;
}

rill_status rill_sim_share(rill_context *context, rill_devptr address, rill_sim_shared *shared)
{
    struct sim_platform *platform;
    struct shared_handle handle;
    rill_status status = enter(context, "shared", shared, &platform);
    if (!status) status = sim_share(platform, address, &handle);
    if (!status) {
        memset(shared, 0, sizeof *shared);
        memcpy(shared->bytes, &handle, sizeof handle);
    }
    return rill_backend_finish(__func__, context, status);
}

rill_status rill_sim_open_shared(rill_context *context, const rill_sim_shared *shared,
                                 rill_devptr *address)
{
    struct sim_platform *platform;
    struct shared_handle handle;
    rill_status status = enter(context, "shared", shared && address ? shared : NULL, &platform);
    if (!status) {
        memcpy(&handle, shared->bytes, sizeof handle);
        status = sim_shared_open(platform, &handle, address);
    }
    return rill_backend_finish(__func__, context, status);
}

rill_status rill_sim_close_shared(rill_context *context, rill_devptr address)
{
    struct sim_platform *platform;
    rill_status status = enter(context, "address", context, &platform);
    if (!status) status = sim_shared_close(platform, address);
    return rill_backend_finish(__func__, context, status);
}
