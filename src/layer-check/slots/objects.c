/* SPDX-License-Identifier: Apache-2.0
 *
 * Who made the objects that are there, which is told at the end, since nobody can know it before.
 * Of pools nothing else is noted, and of modules where their variables are.
 */
#include "layer-check/slots/objects.h"

#include "site/site.h"
#include "layer-check/slots/calls.h"

void ck_object_made(void *object, rill_object_kind kind, const void *site)
{
    if (!ck_checker_of(object)->memory.leaks) return; /* fixed */
    struct ck_checker *checker = ck_enter(object);
    if (!checker) return;
    const bool goes_alone = kind == RILL_OBJECT_GRAPH || kind == RILL_OBJECT_CONTEXT;
    const rill_context *context = goes_alone ? NULL : rill_object_of(object)->context;
    if (!ck_objects_add(&checker->objects, object, kind, context, site, checker->order.serial))
        checker->order.failed = true;
    ck_leave(checker);
}

void ck_object_gone(const void *object)
{
    struct ck_checker *checker = ck_checker_of(object);
    if (!checker->memory.leaks) return;
    rl_lock(&checker->lock);
    ck_objects_forget(&checker->objects, object);
    rl_unlock(&checker->lock);
}

/* ---- Modules -------------------------------------------------------------------------------- */

static rill_status check_load(rill_module *module, const rill_image *image)
{
    const void *site = cs_site_here();
    rill_status status = ck_beneath(module)->module->load(module, image);
    if (!status) ck_object_made(module, RILL_OBJECT_MODULE, site);
    return status;
}

static rill_status check_unload(rill_module *module)
{
    ck_object_gone(module);
    return ck_beneath(module)->module->unload(module);
}

/* Notes that a variable is where an allocation may have been that is freed. */
static void note_variable(rill_module *module, uint64_t base, uint64_t bytes, const void *site)
{
    struct ck_checker *checker = ck_enter(module);
    if (!checker) return;
    const struct ck_what what = { .host = true, .name = "the variable", .site = site };
    struct ck_work *work = ck_host_add(&checker->order, &what);
    struct ck_log_entry *entry = work ? ck_log_add(&checker->log, work, checker->order.host) : NULL;
    if (entry) {
        entry->pending = 0;
        entry->change = CK_CHANGE_COVER;
        entry->base = base;
        entry->bytes = bytes;
    } else {
        checker->order.failed = true;
    }
    ck_work_release(work);
    ck_leave(checker);
}

static rill_status check_variable(rill_module *module, const char *name, rill_devptr *address,
                                  size_t *bytes)
{
    const void *site = cs_site_here();
    rill_status status = ck_beneath(module)->module->variable(module, name, address, bytes);
    if (!status) note_variable(module, *address, *bytes, site);
    return status;
}

const struct rill_module_ops ck_module_slots = {
    .load = check_load, .unload = check_unload, .variable = check_variable,
};

/* ---- Pools ----------------------------------------------------------------------------------- */

static rill_status check_create(rill_pool *pool, const rill_pool_options *options)
{
    const void *site = cs_site_here();
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

/* ---- The end -------------------------------------------------------------------------------- */

struct ending {
    struct ck_leaks leaks;
    struct ck_call_site *sites;
};

/* Requires checker->lock. */
static void collect_ending(struct ck_checker *checker, struct ending *ending)
{
    ck_held_release(&checker->held, &checker->tellings, UINT64_MAX, &checker->verdicts);
    if (checker->memory.leaks) {
        ck_log_settle(&checker->log, &checker->memory);
        ck_leaks_collect(&ending->leaks, &checker->memory);
    }
    if (!ck_objects_tell(&checker->objects, &checker->verdicts)) checker->order.failed = true;
    ck_objects_fini(&checker->objects);
    ending->sites = ck_calls_take(checker);
}

void ck_ending_tell(struct ck_checker *checker)
{
    struct ending ending = { .sites = NULL };
    struct ck_checker *entered = ck_enter(checker->platform);
    if (entered) ck_leave(entered); /* what can be judged is */
    entered = ck_enter(checker->platform);
    if (!entered) return;
    collect_ending(checker, &ending);
    ck_leave(checker);
    ck_leaks_merge(&ending.leaks);
    ck_calls_merge(ending.sites);
    ck_lock(checker);
    if (!atomic_load_explicit(&checker->on, memory_order_relaxed)) {
        ck_leaks_fini(&ending.leaks);
        ck_calls_free(ending.sites);
        rl_unlock(&checker->lock);
        return;
    }
    if (!ck_leaks_tell(&ending.leaks, &checker->verdicts)) checker->order.failed = true;
    if (!ck_calls_tell(checker, ending.sites)) checker->order.failed = true;
    ck_leave(checker);
}
