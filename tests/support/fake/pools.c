/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake backend's pools, which give no memory.
 */
#include "support/fake/parts.h"

YES(fake_pool_create, rill_pool *pool, const rill_pool_options *options)

static rill_status fake_pool_may_destroy(rill_pool *pool)
{
    return fake_check_label(rill_pool_label(pool), "pool");
}

static rill_status fake_pool_destroy(rill_pool *pool)
{
    struct fake_platform *platform = fake_platform_of(pool);
    if (platform->current_pool == pool) platform->current_pool = platform->default_pool;
    return RILL_SUCCESS;
}

GIVES(fake_default_pool, *pool = fake_platform_of(platform)->default_pool, rill_platform *platform,
      int device, rill_pool **pool)
GIVES(fake_current_pool, *pool = fake_platform_of(platform)->current_pool, rill_platform *platform,
      int device, rill_pool **pool)
GIVES(fake_set_pool, fake_platform_of(platform)->current_pool = pool, rill_platform *platform,
      int device, rill_pool *pool)
GIVES(fake_pool_get, *value = (uint64_t)attribute, rill_pool *pool, rill_pool_attribute attribute,
      uint64_t *value)
YES(fake_pool_set, rill_pool *pool, rill_pool_attribute attribute, uint64_t value)
YES(fake_trim, rill_pool *pool, size_t keep)
GIVES(fake_get_access, *access = RILL_ACCESS_READ_WRITE, rill_pool *pool, int device,
      rill_access *access)
YES(fake_set_access, rill_pool *pool, int device, rill_access access)

const struct rill_pool_ops fake_pool_ops = {
    .create = fake_pool_create,
    .may_destroy = fake_pool_may_destroy,
    .destroy = fake_pool_destroy,
    .default_pool = fake_default_pool,
    .current = fake_current_pool,
    .set_current = fake_set_pool,
    .get_attribute = fake_pool_get,
    .set_attribute = fake_pool_set,
    .trim = fake_trim,
    .get_access = fake_get_access,
    .set_access = fake_set_access,
};
