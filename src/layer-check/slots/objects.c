/* SPDX-License-Identifier: Apache-2.0
 *
 * Who made the objects that are there, which is told at the end, since nobody can know it before.
 * Of pools nothing else is noted.  Modules have variables, which are memory that nobody allocates:
 * they are there from when a module is loaded until it is unloaded, if the backend lists them, or
 * else from when somebody asks for one.
 */
#include "layer-check/slots/objects.h"

#include "base/alloc.h"
#include "layer-check/access/changes.h"
#include "layer-check/slots/calls.h"
#include "layer-check/slots/waits.h"
#include "layer-check/slots/who.h"
#include "site/site.h"

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

/* Requires checker->lock. */
static void note_variable(struct ck_checker *checker, rill_module *module, const char *name,
                          const struct range *range, const void *site)
{
    const char *kept = ck_names_keep(&checker->names, name);
    if (!kept) checker->order.failed = true;
    ck_values_forget(&checker->values, range->base, range->bytes);
    const struct ck_block block = { .range = *range, .kind = CK_BLOCK_VARIABLE, .name = kept,
                                    .device = ck_device_of(rill_object_of(module)->context),
                                    .made = site };
    ck_changes_add(&checker->log, &checker->order, &block);
}

/* Finds a variable of a module.  Returns false if it has not so many, or the backend does not
 * list them. */
static bool find_variable(rill_module *module, size_t index, const char **name,
                          struct range *range)
{
    const struct rill_module_ops *ops = ck_beneath(module)->module;
    rill_devptr address;
    size_t bytes;
    if (!ops->variable_at || ops->variable_at(module, index, name, &address, &bytes)) return false;
    *range = (struct range){ .base = address, .bytes = bytes };
    return true;
}

static void note_variables(rill_module *module, const void *site)
{
    const char *name;
    struct range range;
    if (!find_variable(module, 0, &name, &range)) return;
    struct ck_checker *checker = ck_enter(module);
    if (!checker) return;
    for (size_t i = 0; find_variable(module, i, &name, &range); i++)
        note_variable(checker, module, name, &range, site);
    ck_leave(checker);
}

static rill_status check_load(rill_module *module, const rill_image *image)
{
    const void *site = cs_site_here();
    rill_status status = ck_beneath(module)->module->load(module, image);
    if (status) return status;
    ck_object_made(module, RILL_OBJECT_MODULE, site);
    note_variables(module, site);
    return RILL_SUCCESS;
}

/* Tells whether a variable goes with its module.  A managed one may be another context's, too, and
 * stays. */
static bool goes_with(rill_module *module, const struct range *variable)
{
    return !ck_pointer_info(rill_object_of(module)->context, variable->base).managed;
}

/* Lists the variables that go with a module, and counts all that it has.  Returns NULL if there are
 * none, or memory is short. */
static struct range *list_variables(rill_module *module, size_t *all, size_t *count)
{
    const char *name;
    struct range range;
    for (*all = 0; find_variable(module, *all, &name, &range); ++*all) {}
    struct range *ranges = *all ? rl_alloc(*all * sizeof *ranges) : NULL;
    *count = 0;
    for (size_t i = 0; ranges && find_variable(module, i, &name, &range); i++)
        if (goes_with(module, &range)) ranges[(*count)++] = range;
    return ranges;
}

/* Notes that a variable is gone: unloading waits for the work of the context, which may use it.
 * Requires checker->lock. */
static void note_gone(struct ck_checker *checker, rill_context *context,
                      const struct range *variable, const void *site)
{
    struct ck_log_entry *entry =
        ck_changes_begin_free(&checker->log, &checker->order, variable, site);
    struct ck_context_word *word = entry ? ck_context_word(context) : NULL;
    if (word) ck_work_wait(&checker->order, entry->work, &word->order);
    if (entry) ck_changes_end_free(entry, true);
}

/* Variables go even where unloading tells of an error, such as that of a kernel.  They are noted as
 * gone before their memory can be another thread's. */
static void note_variables_gone(rill_module *module, const void *site)
{
    rill_context *context = rill_object_of(module)->context;
    size_t all, count;
    struct range *variables = list_variables(module, &all, &count);
    struct ck_checker *checker = all ? ck_enter(context) : NULL;
    if (checker) {
        if (!variables) checker->order.failed = true;
        else for (size_t i = 0; i < count; i++)
            note_gone(checker, context, &variables[i], site);
        ck_leave(checker);
    }
    rl_free(variables);
}

static rill_status check_unload(rill_module *module)
{
    note_variables_gone(module, cs_site_here());
    ck_object_gone(module);
    return ck_beneath(module)->module->unload(module);
}

static rill_status check_variable(rill_module *module, const char *name, rill_devptr *address,
                                  size_t *bytes)
{
    const void *site = cs_site_here();
    const struct rill_module_ops *beneath = ck_beneath(module)->module;
    rill_status status = beneath->variable(module, name, address, bytes);
    struct ck_checker *checker = status || beneath->variable_at ? NULL : ck_enter(module);
    if (!checker) return status;
    note_variable(checker, module, name, &(struct range){ .base = *address, .bytes = *bytes },
                  site);
    ck_leave(checker);
    return RILL_SUCCESS;
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
