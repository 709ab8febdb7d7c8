/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts.  The primary context of a device is one object, which all calls that
 * create it share; the platform has a list of its live primary contexts.
 */
#include "core/object/check.h"
#include "core/object/error.h"
#include "core/object/options.h"
#include "core/stream/forks.h"

static const struct rill_context_ops *context_ops(const rill_context *context)
{
    return rl_backend(context)->context;
}

/* ---- Creation ----------------------------------------------------------- */

static rill_status make_context(rill_platform *platform, const rill_context_options *options,
                                rill_context **context)
{
    rill_context *made = rl_object_new(RILL_OBJECT_CONTEXT, platform, options->label);
    if (!made) return RILL_ERROR_OUT_OF_MEMORY;
    struct rl_context_part *part = rl_context_part(made);
    part->device = options->device;
    part->uses = 1;
    rill_status status = context_ops(made)->create(made, options);
    if (status)
        rl_object_drop(made);
    else
        *context = made;
    return status;
}

static rill_context *find_primary(struct rl_platform_part *platform, int device)
{
    rill_context *context = platform->primaries;
    while (context && rl_context_part(context)->device != device)
        context = rl_context_part(context)->next;
    return context;
}

static rill_status make_primary(rill_platform *platform, const rill_context_options *options,
                                rill_context **context)
{
    struct rl_platform_part *part = rl_platform_part(platform);
    rill_status status = make_context(platform, options, context);
    if (status) return status;
    rl_context_part(*context)->primary = 1;
    rl_context_part(*context)->next = part->primaries;
    part->primaries = *context;
    return RILL_SUCCESS;
}

/* Adds a user to a primary context, which keeps its first label. */
static rill_status share_primary(rill_context *found, const rill_context_options *options,
                                 rill_context **context)
{
    if (options->label && !rl_label(found)) {
        rill_status status = rl_label_set(found, options->label);
        if (status) return status;
    }
    rl_context_part(found)->uses++;
    *context = found;
    return RILL_SUCCESS;
}

static rill_status create_context(rill_platform *platform, const rill_context_options *options,
                                  rill_context **context)
{
    if (options->flags & RILL_CONTEXT_OWN || options->native)
        return make_context(platform, options, context);
    struct rl_platform_part *part = rl_platform_part(platform);
    rl_lock(&part->primaries_lock);
    rill_context *found = find_primary(part, options->device);
    rill_status status = found ? share_primary(found, options, context)
                               : make_primary(platform, options, context);
    rl_unlock(&part->primaries_lock);
    return status;
}

/* Checks the flags here, since the backend does not see the second user of a primary
 * context. */
static rill_status check_flags(uint32_t flags)
{
    if (!(flags & ~RILL_CONTEXT_OWN)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags",
                             "options->flags is 0x%x; it can be 0 or RILL_CONTEXT_OWN",
                             (unsigned)flags);
}

rill_status rill_context_create(rill_platform *platform, const rill_context_options *options,
                                rill_context **context)
{
    rill_context_options known;
    rill_status status = rl_check(platform, RILL_OBJECT_PLATFORM, "platform");
    if (!status) status = rl_required(context, "context");
    if (!status) status = rl_read_options(options, &known, sizeof known, "options->size");
    if (!status) status = check_flags(known.flags);
    if (!status) status = create_context(platform, &known, context);
    return rl_finish(__func__, platform, status);
}

/* ---- The end ------------------------------------------------------------ */

static void forget_primary(struct rl_platform_part *platform, rill_context *context)
{
    rill_context **link = &platform->primaries;
    while (*link != context) link = &rl_context_part(*link)->next;
    *link = rl_context_part(context)->next;
}

/* Ends one use by the caller.  *last tells whether it was the last use, after which the
 * handle is dead. */
static rill_status stop_using(rill_context *context, int *last)
{
    struct rl_context_part *part = rl_context_part(context);
    *last = part->uses == 1;
    if (!*last) {
        part->uses--;
        return RILL_SUCCESS;
    }
    return rl_object_end(context, RILL_OBJECT_CONTEXT, "context");
}

/* Ends one use of a primary context.  After the last use, the next call that creates the
 * primary context makes a new one. */
static rill_status stop_using_primary(rill_context *context, int *last)
{
    struct rl_platform_part *part = rl_platform_part(rill_object_of(context)->platform);
    rl_lock(&part->primaries_lock);
    rill_status status = stop_using(context, last);
    if (!status && *last) forget_primary(part, context);
    rl_unlock(&part->primaries_lock);
    return status;
}

/* Ends a context.  Holds no lock, since the backend waits for the context's work, which may
 * be a host function that creates a context. */
static rill_status end_context(rill_context *context)
{
    rl_forks_forget(context);
    rill_status status =
        rl_finish("rill_context_destroy", context, context_ops(context)->destroy(context));
    rl_release(context);
    return status;
}

rill_status rill_context_destroy(rill_context **context)
{
    rill_context *given = context ? *context : NULL;
    int last = 0;
    if (!given) return RILL_SUCCESS;
    rill_status status = rl_check(given, RILL_OBJECT_CONTEXT, "context");
    if (!status && context_ops(given)->may_destroy) status = context_ops(given)->may_destroy(given);
    if (!status)
        status = rl_context_part(given)->primary ? stop_using_primary(given, &last)
                                                 : stop_using(given, &last);
    if (!status) *context = NULL;
    return status || !last ? rl_finish(__func__, given, status) : end_context(given);
}

/* ---- The other calls ---------------------------------------------------- */

rill_status rill_context_synchronize(rill_context *context)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = context_ops(context)->synchronize(context);
    return rl_finish(__func__, context, status);
}

rill_status rill_context_device(rill_context *context, int *device)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_required(device, "device");
    if (!status) *device = rl_context_part(context)->device;
    return rl_finish(__func__, context, status);
}

rill_status rill_context_platform(rill_context *context, rill_platform **platform)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_required(platform, "platform");
    if (!status) *platform = rill_object_of(context)->platform;
    return rl_finish(__func__, context, status);
}

rill_status rill_context_status(rill_context *context)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = context_ops(context)->status(context);
    rl_drop_note(); /* an answer, not a failure */
    return status;
}

rill_status rill_context_priority_range(rill_context *context, int *least, int *greatest)
{
    int low = 0, high = 0;
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = context_ops(context)->priority_range(context, &low, &high);
    if (!status && least) *least = low;
    if (!status && greatest) *greatest = high;
    return rl_finish(__func__, context, status);
}

rill_status rill_context_enable_peer(rill_context *context, rill_context *peer)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_check_with(peer, RILL_OBJECT_CONTEXT, "peer", context);
    if (!status) status = rl_need(context, context_ops(context)->enable_peer != NULL, __func__);
    if (!status) status = context_ops(context)->enable_peer(context, peer);
    return rl_finish(__func__, context, status);
}

rill_status rill_context_disable_peer(rill_context *context, rill_context *peer)
{
    rill_status status = rl_check(context, RILL_OBJECT_CONTEXT, "context");
    if (!status) status = rl_check_with(peer, RILL_OBJECT_CONTEXT, "peer", context);
    if (!status) status = rl_need(context, context_ops(context)->disable_peer != NULL, __func__);
    if (!status) status = context_ops(context)->disable_peer(context, peer);
    return rl_finish(__func__, context, status);
}
