/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools.  Allocating from a pool in a stream is an operation, see stream/work.c.
 */
#include "core/object/check.h"
#include "core/object/error.h"
#include "core/object/options.h"

/* Returns NULL for a backend without pools; a pool's own backend has them. */
static const struct rill_pool_ops *pool_ops(const void *object)
{
    return rl_backend(object)->pool;
}

/* Checks that the platform is live and its backend has pools. */
static rill_status check_platform(const rill_platform *platform, const char *operation)
{
    rill_status status = rl_check(platform, RILL_OBJECT_PLATFORM, "platform");
    if (!status) status = rl_need(platform, pool_ops(platform) != NULL, operation);
    return status;
}

/* ---- Lifetime ----------------------------------------------------------- */

rill_status rill_pool_create(rill_platform *platform, const rill_pool_options *options,
                             rill_pool **pool)
{
    rill_pool_options known;
    rill_pool *made = NULL;
    rill_status status = check_platform(platform, __func__);
    if (!status) status = rl_required(pool, "pool");
    if (!status) status = rl_read_options(options, &known, sizeof known, "options->size");
    if (!status) {
        made = rl_object_new(RILL_OBJECT_POOL, platform, known.label);
        status = made ? pool_ops(made)->create(made, &known) : RILL_ERROR_OUT_OF_MEMORY;
    }
    if (!status)
        *pool = made;
    else if (made)
        rl_object_drop(made);
    return rl_finish(__func__, platform, status);
}

rill_status rill_pool_destroy(rill_pool **pool)
{
    rill_pool *given = pool ? *pool : NULL;
    if (!given) return RILL_SUCCESS;
    rill_status status = rl_check(given, RILL_OBJECT_POOL, "pool");
    if (!status && pool_ops(given)->may_destroy) status = pool_ops(given)->may_destroy(given);
    if (!status) status = rl_object_end(given, RILL_OBJECT_POOL, "pool");
    if (status) return rl_finish(__func__, given, status);
    *pool = NULL;
    status = rl_finish(__func__, given, pool_ops(given)->destroy(given));
    rl_release(given);
    return status;
}

/* ---- The pools of a device ---------------------------------------------- */

rill_status rill_device_default_pool(rill_platform *platform, int device, rill_pool **pool)
{
    rill_status status = check_platform(platform, __func__);
    if (!status) status = rl_required(pool, "pool");
    if (!status) status = pool_ops(platform)->default_pool(platform, device, pool);
    return rl_finish(__func__, platform, status);
}

rill_status rill_device_pool(rill_platform *platform, int device, rill_pool **pool)
{
    rill_status status = check_platform(platform, __func__);
    if (!status) status = rl_required(pool, "pool");
    if (!status) status = pool_ops(platform)->current(platform, device, pool);
    return rl_finish(__func__, platform, status);
}

rill_status rill_device_set_pool(rill_platform *platform, int device, rill_pool *pool)
{
    rill_status status = check_platform(platform, __func__);
    if (!status) status = rl_check_with(pool, RILL_OBJECT_POOL, "pool", platform);
    if (!status) status = pool_ops(platform)->set_current(platform, device, pool);
    return rl_finish(__func__, platform, status);
}

/* ---- Attributes --------------------------------------------------------- */

rill_status rill_pool_get_attribute(rill_pool *pool, rill_pool_attribute attribute, uint64_t *value)
{
    rill_status status = rl_check(pool, RILL_OBJECT_POOL, "pool");
    if (!status) status = rl_required(value, "value");
    if (!status) status = pool_ops(pool)->get_attribute(pool, attribute, value);
    return rl_finish(__func__, pool, status);
}

rill_status rill_pool_set_attribute(rill_pool *pool, rill_pool_attribute attribute, uint64_t value)
{
    rill_status status = rl_check(pool, RILL_OBJECT_POOL, "pool");
    if (!status) status = pool_ops(pool)->set_attribute(pool, attribute, value);
    return rl_finish(__func__, pool, status);
}

rill_status rill_pool_trim(rill_pool *pool, size_t keep)
{
    rill_status status = rl_check(pool, RILL_OBJECT_POOL, "pool");
    if (!status) status = pool_ops(pool)->trim(pool, keep);
    return rl_finish(__func__, pool, status);
}

rill_status rill_pool_set_access(rill_pool *pool, int device, rill_access access)
{
    rill_status status = rl_check(pool, RILL_OBJECT_POOL, "pool");
    if (!status) status = pool_ops(pool)->set_access(pool, device, access);
    return rl_finish(__func__, pool, status);
}

rill_status rill_pool_get_access(rill_pool *pool, int device, rill_access *access)
{
    rill_status status = rl_check(pool, RILL_OBJECT_POOL, "pool");
    if (!status) status = rl_required(access, "access");
    if (!status) status = pool_ops(pool)->get_access(pool, device, access);
    return rl_finish(__func__, pool, status);
}
