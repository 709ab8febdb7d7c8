/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules and pools: who made them.
 */
#include "layer-check/site/site.h"
#include "layer-check/slots/objects.h"

static rill_status check_load(rill_module *module, const rill_image *image)
{
    const void *site = ck_site_here();
    rill_status status = ck_beneath(module)->module->load(module, image);
    if (!status) ck_object_made(module, RILL_OBJECT_MODULE, site);
    return status;
}

static rill_status check_unload(rill_module *module)
{
    ck_object_gone(module);
    return ck_beneath(module)->module->unload(module);
}

const struct rill_module_ops ck_module_slots = {
    .load = check_load, .unload = check_unload,
};

static rill_status check_create(rill_pool *pool, const rill_pool_options *options)
{
    const void *site = ck_site_here();
    rill_status status = ck_beneath(pool)->pool->create(pool, options);
    if (!status) ck_object_made(pool, RILL_OBJECT_POOL, site);
    return status;
}

static rill_status check_destroy(rill_pool *pool)
{
    ck_object_gone(pool);
    return ck_beneath(pool)->pool->destroy(pool);
}

const struct rill_pool_ops ck_pool_slots = {
    .create = check_create, .destroy = check_destroy,
};
