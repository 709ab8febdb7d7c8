/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of <rill/sim.h> on memory that processes share.
 */
#include <string.h>

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/memory/pool.h"
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

/* ---- Pools -------------------------------------------------------------------------- */

static rill_status fail_null(const char *argument)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument, "%s is NULL", argument);
}

/* Checks the pool and what is not to be NULL. */
static rill_status enter_pool(rill_pool *pool, const char *argument, const void *pointer)
{
    rill_status status = rill_backend_check(&rl_backend_sim, pool, RILL_OBJECT_POOL, "pool");
    if (!status) status = sim_enter(sim_pool_of(pool)->home->device->platform, CALL_MAKE);
    return status || pointer ? status : fail_null(argument);
}

rill_status rill_sim_share_pool(rill_pool *pool, int *file)
{
    rill_status status = enter_pool(pool, "file", file);
    if (!status) status = sim_pool_share(sim_pool_of(pool), file);
    return rill_backend_finish(__func__, pool, status);
}

rill_status rill_sim_share_block(rill_platform *platform, rill_devptr address,
                                 rill_sim_shared *shared)
{
    rill_status status = sim_check_platform(platform);
    if (!status) status = sim_enter(sim_platform_of(platform), CALL_MAKE);
    if (!status && !shared) status = fail_null("shared");
    if (!status) status = sim_block_share(sim_platform_of(platform), address, shared);
    return rill_backend_finish(__func__, platform, status);
}

rill_status rill_sim_open_block(rill_pool *pool, const rill_sim_shared *shared,
                                rill_devptr *address)
{
    rill_status status = enter_pool(pool, shared ? "address" : "shared", shared ? address : NULL);
    if (!status) status = sim_block_import(sim_pool_of(pool), shared, address);
    return rill_backend_finish(__func__, pool, status);
}
