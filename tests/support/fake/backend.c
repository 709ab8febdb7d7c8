/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake backend: the platform, its devices and contexts, and the table that is the
 * backend.  What a slot may rely on and what it owes is said in <rill/backend.h>.
 *
 * The core has checked every handle and every pointer that a call needs.  What
 * is left to a backend are values: ranges, flags, addresses, ordinals.
 */
#include <string.h>

#include "support/fake/parts.h"

#define FAKE_DEVICES 2

/* ---- The platform ------------------------------------------------------- */

/* Would open work?  A backend over a driver looks for the driver here. */
static rill_status fake_probe(const rill_open_options *options)
{
    return RILL_SUCCESS;
}

/* Zeroed private bytes are all that it takes, but for the pool of a backend that has pools. */
static rill_status fake_open(rill_platform *platform, const rill_open_options *options)
{
    struct fake_platform *own = rill_private(platform);
    void *pool = NULL;
    if (!rill_object_of(platform)->backend->pool) return RILL_SUCCESS;
    rill_status status = rill_backend_own(RILL_OBJECT_POOL, platform, NULL, &pool);
    own->default_pool = own->current_pool = pool;
    return status;
}

/* Contexts are gone by now, and their memory with them. */
static void fake_close(rill_platform *platform)
{
    rill_backend_disown(fake_platform_of(platform)->default_pool);
}

/* ---- Devices ------------------------------------------------------------ */

/* The pattern of every failure: the status, the argument at fault if one is,
 * and a sentence that says what to do. */
static rill_status check_device(int device)
{
    if (device >= 0 && device < FAKE_DEVICES) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_DEVICE, "device",
                             "there is no device %d; the last one is %d", device,
                             FAKE_DEVICES - 1);
}

static rill_status fake_device_count(rill_platform *platform, int *count)
{
    *count = FAKE_DEVICES;
    return RILL_SUCCESS;
}

static rill_status fake_device_info(rill_platform *platform, int device, rill_device_info *info)
{
    rill_status status = check_device(device);
    if (status) return status;
    strcpy(info->name, "fake device");
    info->memory_bytes = FAKE_MEMORY_BYTES;
    info->warp_size = 32;
    info->priority_greatest = FAKE_PRIORITY_GREATEST;
    return RILL_SUCCESS;
}

/* ---- Contexts ----------------------------------------------------------- */

static rill_status fake_context_create(rill_context *context, const rill_context_options *options)
{
    struct fake_context *own = rill_private(context);
    rill_status status = check_device(options->device);
    if (status) return status;
    /* Handles that the caller borrows are objects that the backend owns. */
    void *legacy = NULL, *per_thread = NULL;
    status = rill_backend_own(RILL_OBJECT_STREAM, context, context, &legacy);
    if (status) return status;
    status = rill_backend_own(RILL_OBJECT_STREAM, context, context, &per_thread);
    if (status) {
        rill_backend_disown(legacy); /* a failed create leaves nothing behind */
        return status;
    }
    own->legacy = legacy;
    own->per_thread = per_thread;
    return RILL_SUCCESS;
}

/* The context's streams and events are still there and destroyed later. */
static rill_status fake_context_destroy(rill_context *context)
{
    struct fake_context *own = rill_private(context);
    fake_free_memory_of(context);
    rill_backend_disown(own->legacy);
    rill_backend_disown(own->per_thread);
    return RILL_SUCCESS;
}

/* Everything has happened, and nothing went wrong. */
static rill_status context_is_fine(rill_context *context)
{
    return RILL_SUCCESS;
}

static rill_status fake_priority_range(rill_context *context, int *least, int *greatest)
{
    *least = 0;
    *greatest = FAKE_PRIORITY_GREATEST;
    return RILL_SUCCESS;
}

/* ---- The tables --------------------------------------------------------- */

/* Slots that are marked [opt] and not named here are NULL: the core answers for
 * them with RILL_ERROR_NOT_SUPPORTED. */

static const struct rill_device_ops devices = {
    .count = fake_device_count,
    .info = fake_device_info,
};

static const struct rill_context_ops contexts = {
    .private_bytes = sizeof(struct fake_context),
    .create = fake_context_create,
    .destroy = fake_context_destroy,
    .synchronize = context_is_fine,
    .status = context_is_fine,
    .priority_range = fake_priority_range,
};

const struct rill_backend fake_backend = {
    .abi = RILL_BACKEND_ABI,
    .size = sizeof fake_backend,
    .name = "fake",
    .rank = -100, /* nobody gets it without asking for it */
    .platform_private_bytes = sizeof(struct fake_platform),
    .probe = fake_probe,
    .open = fake_open,
    .close = fake_close,
    .device = &devices,
    .context = &contexts,
    .memory = &fake_memory_ops,
    .module = &fake_module_ops,
    .stream = &fake_stream_ops,
    .event = &fake_event_ops,
};
